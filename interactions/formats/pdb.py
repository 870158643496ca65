"""PDB: records to a bonded Structure with one position per atom."""

from __future__ import annotations

from hashlib import sha256

from interactions.chemistry.alt_locs import choose_positions
from interactions.chemistry.bonds import bond_residues, mark_complete
from interactions.chemistry.draft import Draft
from interactions.chemistry.idatm import has_full_valence
from interactions.chemistry.links import (
    cut_missing_structure,
    drop_doubtful_links,
    drop_overlaps,
    loosen_metals,
)
from interactions.formats.pdb_fields import atom_name, hybrid36, residue_number
from interactions.formats.pdb_records import Records, read_records
from interactions.structure import Structure


def read_pdb(data: bytes, name: str) -> Structure:
    """First model of a PDB file, bonded, alternate positions reduced to one.

    Raises InputError: code ``bad_coordinates`` or ``no_atoms``.
    """
    records = read_records(data, name)
    table = records.table
    draft = table.draft()
    _connect(draft, records)
    bond_residues(draft)
    cut = drop_doubtful_links(draft, bool(records.lines.modres))
    identity = {"name": name, "format": "pdb", "digest": sha256(data).hexdigest()}
    loosen_metals(draft, lambda: has_full_valence(table.structure(draft, {}, **identity)))
    if cut:
        cut_missing_structure(draft)
    drop_overlaps(draft, table.coordinates)
    table.warnings.extend(("skipped_line", f"{name}: {text}") for text in records.skipped)
    return table.structure(draft, choose_positions(draft, table.alternates), **identity)


def _connect(draft: Draft, records: Records) -> None:
    """CONECT, then LINK and SSBOND in file order."""
    if records.lines.conect:
        _connect_serials(draft, records)
    if not records.lines.links:
        return
    places: dict[tuple[str, int, str, str], int] = {}
    for index, residue in enumerate(draft.residues):
        places.setdefault((residue.chain, residue.number, residue.insertion_code, residue.name), index)
    for line in records.lines.links:
        if line[59:65].strip() != line[66:72].strip():
            continue
        first, second = (_end(draft, places, line, *columns) for columns in _COLUMNS[line[:6].strip()])
        if first is not None and second is not None:
            draft.bond(first, second)


def _connect_serials(draft: Draft, records: Records) -> None:
    atoms = dict(zip(records.table.serials.tolist(), range(len(draft.names)), strict=True))
    for atom, positions in records.table.alternates.items():
        atoms.update(dict.fromkeys((position.serial for position in positions), atom))
    for number, line, after_model in records.lines.conect:
        try:
            serials = [hybrid36(line[start : start + 5]) for start in (6, 11, 16, 21, 26)]
        except ValueError:
            records.skipped.append(f"line {number} was skipped: CONECT with an unreadable serial number")
            continue
        if serials[0] not in atoms:
            if after_model:
                continue
            break
        atom = atoms[serials[0]]
        for partner in serials[1:]:
            if partner and partner in atoms:
                draft.bond(atom, atoms[partner])
        mark_complete(draft, [atom])


# Columns of the two ends: atom name, residue name, chain, number, insertion code.
_COLUMNS: dict[str, tuple[tuple[slice | None, slice, int, slice, int], ...]] = {
    "LINK": (
        (slice(12, 16), slice(17, 20), 21, slice(22, 26), 26),
        (slice(42, 46), slice(47, 50), 51, slice(52, 56), 56),
    ),
    "SSBOND": ((None, slice(11, 14), 15, slice(17, 21), 21), (None, slice(25, 28), 29, slice(31, 35), 35)),
}


def _end(
    draft: Draft,
    places: dict[tuple[str, int, str, str], int],
    line: str,
    atom: slice | None,
    residue: slice,
    chain: int,
    number: slice,
    code: int,
) -> int | None:
    try:
        key = (line[chain].strip(), *residue_number(line[number], line[code]), line[residue].strip())
    except ValueError:
        return None
    index = places.get(key)
    name = "SG" if atom is None else atom_name(line[atom])
    return None if index is None else draft.find(index, name)

"""PDB: records to a bonded Structure with one position per atom."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import numpy as np

from interactions.chemistry.alt_locs import Position, choose_positions
from interactions.chemistry.bonds import bond_residues, mark_complete
from interactions.chemistry.draft import Draft, pairs
from interactions.chemistry.idatm import has_full_valence
from interactions.chemistry.links import (
    cut_missing_structure,
    drop_doubtful_links,
    drop_overlaps,
    loosen_metals,
    without_doubles,
)
from interactions.formats.pdb_fields import atom_name, hybrid36, residue_number
from interactions.formats.pdb_records import Records, read_records
from interactions.places import Places
from interactions.structure import Structure


def read_pdb(data: bytes, name: str) -> Structure:
    """First model of a PDB file, bonded, alternate positions reduced to one.

    Raises InputError: code ``bad_coordinates`` or ``no_atoms``.
    """
    records = read_records(data, name)
    draft = Draft(
        names=records.names,
        elements=records.elements,
        places=Places(records.coordinates),
        residue_of=records.residue_of,
        residues=records.residues,
    )
    _connect(draft, records)
    bond_residues(draft)
    cut = drop_doubtful_links(draft, bool(records.lines.modres))
    loosen_metals(draft, lambda draft: has_full_valence(_structure(draft, records, {}, name, "")))
    if cut:
        cut_missing_structure(draft)
    drop_overlaps(draft, records.coordinates)
    return _structure(draft, records, choose_positions(draft, records.alternates), name, sha256(data).hexdigest())


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
    atoms = dict(zip(records.serials.tolist(), range(len(records.names)), strict=True))
    for atom, positions in records.alternates.items():
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


def _structure(draft: Draft, records: Records, chosen: Mapping[int, Position], name: str, digest: str) -> Structure:
    coordinates, occupancies, serials = records.coordinates.copy(), records.occupancies.copy(), records.serials.copy()
    alt_locs = [""] * len(records.names)
    for atom, position in chosen.items():
        coordinates[atom], occupancies[atom], serials[atom] = position.xyz, position.occupancy, position.serial
        alt_locs[atom] = position.alt_loc
    residues = draft.residues
    structure = Structure(
        name=name,
        format="pdb",
        digest=digest,
        coordinates=coordinates,
        elements=np.array(records.elements, dtype=np.int64),
        atom_names=tuple(records.names),
        alt_locs=tuple(alt_locs),
        occupancies=occupancies,
        serials=serials,
        formal_charges=records.charges,
        hetero=records.hetero,
        residue_of=np.array(records.residue_of, dtype=np.int64),
        residue_names=tuple([residue.name for residue in residues]),
        chains=tuple([residue.chain for residue in residues]),
        residue_numbers=np.array([residue.number for residue in residues], dtype=np.int64),
        insertion_codes=tuple([residue.insertion_code for residue in residues]),
        bonds=draft.bonds(),
        missing_links=pairs(draft.missing),
        coordination=pairs(draft.coordination),
        warnings=tuple(("skipped_line", f"{name}: {text}") for text in records.skipped),
    )
    return without_doubles(structure)

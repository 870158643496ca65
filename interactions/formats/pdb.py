"""PDB: records to a bonded Structure with one position per atom."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from interactions.chemistry.alt_locs import choose_positions
from interactions.chemistry.bonds import Draft, DraftResidue, bond_residues, mark_complete
from interactions.chemistry.links import cut_missing_structure, drop_doubtful_links, drop_overlaps, loosen_metals
from interactions.formats.pdb_records import Records, read_records, residue_number
from interactions.structure import Structure


def read_pdb(data: bytes, name: str) -> Structure:
    """First model of a PDB file, bonded, alternate positions reduced to one.

    Raises InputError: code ``bad_coordinates`` or ``no_atoms``.
    """
    records = read_records(data, name)
    draft = _draft(records)
    _connect(draft, records)
    bond_residues(draft)
    cut = drop_doubtful_links(draft, bool(records.modres))
    loosen_metals(draft, lambda draft: _full(draft, records, name))
    if cut:
        cut_missing_structure(draft)
    drop_overlaps(draft)
    chosen = choose_positions(draft, records)
    return _structure(draft, records, chosen, name, sha256(data).hexdigest())


def _draft(records: Records) -> Draft:
    return Draft(
        names=[atom.name for atom in records.atoms],
        elements=[atom.element for atom in records.atoms],
        places=[atom.positions[-1].xyz for atom in records.atoms],
        residue_of=[atom.residue for atom in records.atoms],
        residues=[
            DraftResidue(
                residue.name,
                residue.chain,
                residue.number,
                residue.atoms,
                residue.hetero,
                residue.is_start,
                residue.is_end,
                residue.parent if residue.key in records.modres else None,
            )
            for residue in records.residues
        ],
    )


def _connect(draft: Draft, records: Records) -> None:
    """CONECT, then LINK and SSBOND in file order."""
    firsts = []
    for first, partners, _ in records.conect:
        atom = records.serials[first]
        for partner in partners:
            if partner in records.serials:
                draft.bond(atom, records.serials[partner])
        firsts.append(atom)
        mark_complete(draft, [atom])
    places: dict[tuple[tuple[str, int, str], str], int] = {}
    for index, residue in enumerate(records.residues):
        places.setdefault((residue.key, residue.name), index)
    for line in records.connections:
        if line[59:65].strip() != line[66:72].strip():
            continue
        ends = [_end(draft, places, line, *columns) for columns in _COLUMNS[line.startswith("SSBOND")]]
        if ends[0] is not None and ends[1] is not None:
            draft.bond(ends[0], ends[1])


# Columns of the two ends: atom name, residue name, chain, number, insertion code.
_COLUMNS = {
    False: (
        (slice(12, 16), slice(17, 20), 21, slice(22, 26), 26),
        (slice(42, 46), slice(47, 50), 51, slice(52, 56), 56),
    ),
    True: ((None, slice(11, 14), 15, slice(17, 21), 21), (None, slice(25, 28), 29, slice(31, 35), 35)),
}


def _end(
    draft: Draft,
    places: dict[tuple[tuple[str, int, str], str], int],
    line: str,
    atom: slice | None,
    residue: slice,
    chain: int,
    number: slice,
    code: int,
) -> int | None:
    try:
        key = (line[chain].strip(), *residue_number(line[number], line[code]))
    except ValueError:
        return None
    index = places.get((key, line[residue].strip()))
    name = "SG" if atom is None else line[atom].replace(" ", "").replace("*", "'")
    return None if index is None else draft.first[index].get(name)


def _full(draft: Draft, records: Records, name: str) -> list[bool]:
    from interactions.chemistry.idatm import idatm_types
    from interactions.chemistry.typing_tables import TYPE_INFO

    structure = _structure(draft, records, [0] * len(records.atoms), name, "")
    found = []
    for kind in idatm_types(structure):
        info = TYPE_INFO.get(kind)
        found.append(info is not None and info[1] == info[2] and kind not in ("Npl", "N2+"))
    return found


def _structure(draft: Draft, records: Records, chosen: list[int], name: str, digest: str) -> Structure:
    keep = _distinct(draft, records, chosen)
    place = {old: new for new, old in enumerate(keep)}
    atoms = [records.atoms[index] for index in keep]
    positions = [records.atoms[index].positions[chosen[index]] for index in keep]
    used = sorted({atom.residue for atom in atoms})
    residues = [records.residues[index] for index in used]
    packed = {old: new for new, old in enumerate(used)}

    def pairs(found: list[tuple[int, int]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        rows = [(place[a], place[b]) for a, b in found if a in place and b in place]
        return np.array(rows, dtype=np.int64).reshape(-1, 2)

    return Structure(
        name=name,
        format="pdb",
        digest=digest,
        coordinates=np.array([position.xyz for position in positions], dtype=np.float64),
        elements=np.array([atom.element for atom in atoms], dtype=np.int64),
        atom_names=tuple(atom.name for atom in atoms),
        alt_locs=tuple(position.alt_loc for position in positions),
        occupancies=np.array([position.occupancy for position in positions], dtype=np.float64),
        serials=np.array([position.serial for position in positions], dtype=np.int64),
        formal_charges=np.array([atom.charge for atom in atoms], dtype=np.int64),
        hetero=np.array([atom.hetero for atom in atoms], dtype=np.bool_),
        residue_of=np.array([packed[atom.residue] for atom in atoms], dtype=np.int64),
        residue_names=tuple(residue.name for residue in residues),
        chains=tuple(residue.chain for residue in residues),
        residue_numbers=np.array([residue.number for residue in residues], dtype=np.int64),
        insertion_codes=tuple(residue.insertion_code for residue in residues),
        bonds=pairs(list(draft.bonds)),
        missing_links=pairs(draft.missing),
        coordination=pairs(draft.coordination),
        warnings=tuple(("skipped_line", f"{name}: {text}") for text in records.skipped),
    )


def _distinct(draft: Draft, records: Records, chosen: list[int]) -> list[int]:
    """Step I: of unbonded atoms of one element at one place only the first stays."""
    seen = set()
    keep = []
    for index, atom in enumerate(records.atoms):
        if not draft.neighbours[index]:
            mark = (atom.element, atom.positions[chosen[index]].xyz)
            if mark in seen:
                continue
            seen.add(mark)
        keep.append(index)
    return keep

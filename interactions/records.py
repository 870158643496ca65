"""Atoms, bonds and contacts as plain records: the same in REST, JSONL and Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from interactions.chemistry.elements import SYMBOLS
from interactions.complex import Complex
from interactions.contact import Contact, HydrogenBond
from interactions.points import Point, mean

Record = dict[str, Any]


# Sites name an atom many times over; a complex's atoms are written once.
_WRITTEN: WeakKeyDictionary[Complex, dict[tuple[int, int], Record]] = WeakKeyDictionary()


def atom_record(complex_: Complex, model: int, atom: int) -> Record:
    """AtomRef: who an atom is in its own file."""
    written = _WRITTEN.setdefault(complex_, {})
    if (model, atom) not in written:
        written[model, atom] = _atom_record(complex_, model, atom)
    return written[model, atom].copy()


def _atom_record(complex_: Complex, model: int, atom: int) -> Record:
    structure = complex_.models[model].structure
    residue = int(structure.residue_of[atom])
    serial = int(structure.serials[atom])
    return {
        "side": "ligand" if complex_.ligand_masks[model][atom] else "receptor",
        "chain": structure.chains[residue],
        "residue_name": structure.residue_names[residue],
        "residue_number": int(structure.residue_numbers[residue]),
        "insertion_code": structure.insertion_codes[residue],
        "atom_name": structure.atom_names[atom],
        "alt_loc": structure.alt_locs[atom],
        "element": SYMBOLS[int(structure.elements[atom])],
        "serial": None if serial < 0 else serial,
        "index": atom,
    }


def bond_record(complex_: Complex, bond: HydrogenBond) -> Record:
    """HydrogenBond; ``hydrogens`` says where those come from that it rests on."""
    names = complex_.models[bond.donor[0]].structure.atom_names
    return {
        "kind": "hydrogen_bond",
        "donor": atom_record(complex_, *bond.donor),
        "acceptor": atom_record(complex_, *bond.acceptor),
        "hydrogen": None if bond.hydrogen is None else names[bond.hydrogen],
        "distance_da": round(bond.distance_da, 4),
        "distance_ha": None if bond.distance_ha is None else round(bond.distance_ha, 4),
        "angle_dha": None if bond.angle_dha is None else round(bond.angle_dha, 3),
        "strict": bond.strict,
        "hydrogens": bond.source,
    }


def contact_record(complex_: Complex, contact: Contact) -> Record:
    """A contact with its measures (Å to 4 decimals, ° to 3) and the centroid of its atoms."""
    atoms = (*contact.receptor, *contact.ligand, *contact.via)
    return {
        "kind": contact.kind,
        "form": contact.form,
        "receptor": [atom_record(complex_, *atom) for atom in contact.receptor],
        "ligand": [atom_record(complex_, *atom) for atom in contact.ligand],
        "via": [atom_record(complex_, *atom) for atom in contact.via],
        **{name: round(value, 3 if is_angle(name) else 4) for name, value in contact.measures},
        "centroid": rounded(mean([place(complex_, *atom) for atom in atoms])),
    }


def is_angle(quantity: str) -> bool:
    return quantity.startswith("angle") or quantity in ("omega", "theta")


def place(complex_: Complex, model: int, atom: int) -> Point:
    x, y, z = complex_.models[model].structure.coordinates[atom].tolist()
    return x, y, z


def rounded(point: Point, decimals: int = 4) -> list[float]:
    """Coordinates for a record, without negative zeros."""
    return [round(value, decimals) + 0.0 for value in point]


def bond_texts(bonds: Sequence[Record]) -> list[str]:
    """The benchmark's form, ``ARG 45 NH2 A, O1B``: each unordered pair once, in the order of the bonds."""
    texts = []
    for bond in bonds:
        ends = {bond[end]["side"]: bond[end] for end in ("donor", "acceptor")}
        at = ends["receptor"]
        place = [at["residue_name"], f"{at['residue_number']}{at['insertion_code']}", at["atom_name"], at["chain"]]
        texts.append(f"{' '.join(filter(None, place))}, {ends['ligand']['atom_name']}")
    return list(dict.fromkeys(texts))

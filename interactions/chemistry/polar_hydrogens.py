"""Add the polar hydrogens whose place geometry fixes; those that can turn stay open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from interactions.chemistry.hydrogens import LENGTHS, hydrogens_of
from interactions.complex import Chemistry
from interactions.points import Point
from interactions.structure import Structure
from interactions.surroundings import Surroundings

_POLAR = frozenset({7, 8, 16})


def with_polar_hydrogens(chemistry: Chemistry, lengths: dict[int, float] = LENGTHS) -> Structure:
    """The structure with ideal hydrogens behind its own atoms, which keep their places and indices.

    ``lengths``: Å, by atomic number of the heavy atom. Atoms that have hydrogens, rotors and nitrogens after chain
    breaks get none; both nitrogens of a histidine without ring hydrogens get one. Adding twice changes nothing.
    """
    structure = chemistry.structure
    at = Surroundings(chemistry)
    added: list[tuple[int, str, Point]] = []
    for atom in range(len(structure)):
        if at.elements[atom] in _POLAR:
            found = hydrogens_of(at, atom, lengths)
            if found.source == "placed":
                stem = structure.atom_names[atom][1:]
                several = len(found.places) > 1
                for count, place in enumerate(found.places, 1):
                    added.append((atom, f"H{stem}{count if several else ''}", place))
    return _extended(structure, added) if added else structure


def _extended(structure: Structure, added: list[tuple[int, str, Point]]) -> Structure:
    n, m = len(structure), len(added)
    parents = np.array([parent for parent, _, _ in added])
    bonds = np.column_stack([parents, np.arange(n, n + m)])
    return replace(
        structure,
        coordinates=np.vstack([structure.coordinates, [place for _, _, place in added]]),
        elements=np.append(structure.elements, np.ones(m, dtype=np.int64)),
        atom_names=(*structure.atom_names, *(name for _, name, _ in added)),
        alt_locs=(*structure.alt_locs, *(structure.alt_locs[parent] for parent in parents.tolist())),
        occupancies=np.append(structure.occupancies, structure.occupancies[parents]),
        serials=np.append(structure.serials, np.full(m, -1)),
        formal_charges=np.append(structure.formal_charges, np.zeros(m, dtype=np.int64)),
        hetero=np.append(structure.hetero, structure.hetero[parents]),
        residue_of=np.append(structure.residue_of, structure.residue_of[parents]),
        bonds=np.vstack([structure.bonds, bonds]),
        bond_orders=(*structure.bond_orders, *("1",) * m) if structure.bond_orders else (),
    )

"""Hydrogens added to a structure: behind its own atoms, which keep their places and indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from interactions.structure import Structure

Added = tuple[int, str, tuple[float, float, float]]  # heavy atom, name, place (Å)


def with_hydrogen_atoms(structure: Structure, added: Sequence[Added]) -> Structure:
    """The structure with hydrogens bonded to some of its atoms, in the order given; itself where there are none."""
    if not added:
        return structure
    n, m = len(structure), len(added)
    parents = np.array([parent for parent, _, _ in added])
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
        bonds=np.vstack([structure.bonds, np.column_stack([parents, np.arange(n, n + m)])]),
        bond_orders=(*structure.bond_orders, *("1",) * m) if structure.bond_orders else (),
    )

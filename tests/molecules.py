"""Hand-placed molecules: atoms as (name, type, place) with bonds, the ligand first or second."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interactions.chemistry.elements import SYMBOLS
from interactions.complex import Chemistry, Complex
from interactions.structure import Structure

Atom = tuple[str, str, Sequence[float]]


def element_of(kind: str) -> int:
    """Atomic number of an IDATM type or an element symbol."""
    return SYMBOLS.index(kind if kind in SYMBOLS else "H" if kind == "HC" else kind[0])


def molecule(atoms: Sequence[Atom], bonds: Sequence[tuple[str, str]], residue: str = "LIG") -> Chemistry:
    names = [name for name, _, _ in atoms]
    n = len(atoms)
    structure = Structure(
        name="hand-placed",
        format="mol2",
        digest="",
        coordinates=np.array([place for _, _, place in atoms], dtype=np.float64),
        elements=np.array([element_of(kind) for _, kind, _ in atoms], dtype=np.int64),
        atom_names=tuple(names),
        alt_locs=("",) * n,
        occupancies=np.ones(n),
        serials=np.arange(1, n + 1),
        formal_charges=np.zeros(n, dtype=np.int64),
        hetero=np.ones(n, dtype=np.bool_),
        residue_of=np.zeros(n, dtype=np.int64),
        residue_names=(residue,),
        chains=("A",),
        residue_numbers=np.array([1]),
        insertion_codes=("",),
        bonds=np.array([(names.index(a), names.index(b)) for a, b in bonds], dtype=np.int64).reshape(-1, 2),
    )
    return Chemistry(structure, tuple(kind for _, kind, _ in atoms))


def pair(receptor: Chemistry, ligand: Chemistry) -> Complex:
    masks = (np.zeros(len(receptor.structure), dtype=np.bool_), np.ones(len(ligand.structure), dtype=np.bool_))
    return Complex((receptor, ligand), masks, "LIG:A:1", "")

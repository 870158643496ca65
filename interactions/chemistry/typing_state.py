"""The one mutable thing of typing: types so far, and the notes that the passes leave for each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import dist

import numpy as np

from interactions.chemistry.elements import SYMBOLS
from interactions.chemistry.typing_tables import LINEAR, PLANAR, TETRAHEDRAL, TYPE_INFO
from interactions.places import Places
from interactions.structure import Ints, Structure, adjacency

Bond = tuple[int, int]


@dataclass(eq=False)
class Typing:
    """Atoms in file order; ``untyped`` are the heavy atoms that no template typed.

    ``redo`` and ``ambiguous`` are each atom's memory: how a two-bonded atom may be revised.
    """

    structure: Structure
    elements: list[int]
    names: tuple[str, ...]
    home: list[int]
    bonds: Ints
    neighbours: Sequence[Sequence[int]]
    heavy: list[int]
    types: list[str]
    untyped: list[int] = field(default_factory=list)
    untemplated: list[int] = field(default_factory=list)
    free_hydrogens: list[int] = field(default_factory=list)
    redo: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    ambiguous: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, structure: Structure) -> Typing:
        bonds = structure.bonds
        by_index = structure.format in ("pdb", "mmcif")
        if by_index:
            ordered = np.sort(bonds, axis=1)
            bonds = ordered[np.lexsort((ordered[:, 1], ordered[:, 0]))]
        heavy = structure.elements > 1
        count = np.bincount(bonds.ravel(), weights=heavy[bonds[:, ::-1].ravel()], minlength=len(structure))
        return cls(
            structure=structure,
            elements=structure.elements.tolist(),
            names=structure.atom_names,
            home=structure.residue_of.tolist(),
            bonds=bonds,
            neighbours=adjacency(len(structure), bonds, ascending=True) if by_index else structure.neighbours,
            heavy=count.astype(int).tolist(),
            types=[SYMBOLS[element] for element in structure.elements.tolist()],
        )

    @cached_property
    def places(self) -> Places:
        return Places(self.structure.coordinates)

    @cached_property
    def bond_positions(self) -> dict[Bond, int]:
        """Place of each bond, as ascending pair, in the list of bonds; bonds of untemplated residues alone."""
        wanted = np.isin(self.structure.residue_of[self.bonds].max(axis=1), self.untemplated)
        rows = np.flatnonzero(wanted)
        pairs = np.sort(self.bonds[rows], axis=1).tolist()
        return {(a, b): row for (a, b), row in zip(pairs, rows.tolist(), strict=True)}

    @cached_property
    def in_untyped(self) -> frozenset[int]:
        return frozenset(self.untyped)

    def length(self, a: int, b: int) -> float:
        return dist(self.places[a], self.places[b])

    def terminal(self, a: int) -> bool:
        return len(self.neighbours[a]) == 1

    def planar(self, a: int) -> bool:
        return self.types[a] in PLANAR

    def tetrahedral(self, a: int) -> bool:
        return self.types[a] in TETRAHEDRAL

    def linear(self, a: int) -> bool:
        return self.types[a] in LINEAR

    def known(self, a: int) -> bool:
        return self.types[a] in TYPE_INFO

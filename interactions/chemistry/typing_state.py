"""The one mutable thing of typing: types so far, and the notes that the passes leave for each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import dist

from interactions.chemistry.elements import SYMBOLS
from interactions.chemistry.typing_tables import LINEAR, PLANAR, TETRAHEDRAL, TYPE_INFO
from interactions.structure import Structure

Bond = tuple[int, int]


@dataclass(eq=False)
class Typing:
    """Atoms in file order; ``untyped`` are the heavy atoms that no template typed.

    ``redo`` and ``ambiguous`` are each atom's memory: how a two-bonded atom may be revised.
    """

    structure: Structure
    elements: list[int]
    names: tuple[str, ...]
    places: list[list[float]]
    home: list[int]
    bonds: list[Bond]
    neighbours: list[list[int]]
    heavy: list[int]
    types: list[str]
    untyped: list[int] = field(default_factory=list)
    untemplated: list[int] = field(default_factory=list)
    typed_hydrogens: set[int] = field(default_factory=set)
    redo: dict[int, int] = field(default_factory=dict)
    ambiguous: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, structure: Structure) -> Typing:
        bonds: list[Bond] = [(a, b) for a, b in structure.bonds.tolist()]
        if structure.format in ("pdb", "mmcif"):
            bonds.sort()
        elements = structure.elements.tolist()
        neighbours: list[list[int]] = [[] for _ in elements]
        heavy = [0] * len(elements)
        for a, b in bonds:
            neighbours[a].append(b)
            neighbours[b].append(a)
            heavy[a] += elements[b] > 1
            heavy[b] += elements[a] > 1
        return cls(
            structure=structure,
            elements=elements,
            names=structure.atom_names,
            places=structure.coordinates.tolist(),
            home=structure.residue_of.tolist(),
            bonds=bonds,
            neighbours=neighbours,
            heavy=heavy,
            types=[SYMBOLS[element] for element in elements],
            redo=dict.fromkeys(range(len(elements)), 0),
        )

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

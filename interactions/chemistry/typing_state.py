"""The one mutable thing of typing: types so far, and the notes that the passes leave for each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.elements import SYMBOLS
from interactions.chemistry.typing_questions import Questions
from interactions.chemistry.typing_tables import LINEAR, PLANAR, TETRAHEDRAL, TYPE_INFO
from interactions.structure import Structure

Bond = tuple[int, int]
Value = TypeVar("Value")
_CARBON = 6


class _Neighbours(dict[int, Sequence[int]]):
    """Neighbours in the order that the passes look at them: for PDB and mmCIF ascending, as the reference has them."""

    def __init__(self, structure: Structure) -> None:
        super().__init__()
        self._neighbours = structure.neighbours
        self._ascending = structure.format in ("pdb", "mmcif")

    def __missing__(self, atom: int) -> Sequence[int]:
        bonded: Sequence[int] = self._neighbours[atom]
        if self._ascending:
            bonded = sorted(bonded)
        self[atom] = bonded
        return bonded


def _bonded_to(structure: Structure, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many neighbours of each atom are in a mask."""
    bonds = structure.bonds
    return np.bincount(bonds.ravel()[mask[bonds[:, ::-1].ravel()]], minlength=len(structure))


@dataclass(frozen=True)
class Counts:
    """What typing asks of the neighbours of every atom: how many are heavy, and whether any is carbon."""

    heavy: list[int]
    on_carbon: tuple[bool, ...]

    @classmethod
    def of(cls, structure: Structure) -> Counts:
        carbons = _bonded_to(structure, structure.elements == _CARBON)
        return cls(_bonded_to(structure, structure.elements > 1).tolist(), tuple((carbons > 0).tolist()))


@dataclass(eq=False)
class Typing:
    """Atoms in file order; ``untyped`` are the heavy atoms that no template typed.

    ``redo`` and ``ambiguous`` are each atom's memory: how a two-bonded atom may be revised.
    """

    structure: Structure
    elements: tuple[int, ...]
    names: tuple[str, ...]
    home: tuple[int, ...]
    neighbours: _Neighbours
    heavy: list[int]
    on_carbon: tuple[bool, ...]
    types: list[str]
    untyped: list[int] = field(default_factory=list)
    untemplated: list[int] = field(default_factory=list)
    free_hydrogens: list[int] = field(default_factory=list)
    redo: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    ambiguous: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, structure: Structure) -> Typing:
        if "typing" not in structure.notes:
            structure.notes["typing"] = Counts.of(structure)
        counts: Counts = structure.notes["typing"]
        return cls(
            structure=structure,
            elements=structure.atomic_numbers,
            names=structure.atom_names,
            home=structure.homes,
            neighbours=_Neighbours(structure),
            heavy=counts.heavy,
            on_carbon=counts.on_carbon,
            types=list(map(SYMBOLS.__getitem__, structure.atomic_numbers)),
        )

    def noted(self, name: str, find: Callable[[Typing], Value]) -> Value:
        """What a function finds from atoms, names and bonds alone; once for all places of the same molecule."""
        notes = self.structure.notes
        if name not in notes:
            notes[name] = find(self)
        found: Value = notes[name]
        return found

    def set_types(self, atoms: Sequence[int], types: Sequence[str]) -> None:
        if isinstance(atoms, range):
            self.types[atoms.start : atoms.stop] = types
        else:
            for a, kind in zip(atoms, types, strict=True):
                self.types[a] = kind

    @cached_property
    def ask(self) -> Questions:
        """The only way to coordinates."""
        return Questions(self.structure.coordinates)

    @cached_property
    def bond_positions(self) -> dict[Bond, int]:
        """Place of each bond, as ascending pair, in the list of bonds; bonds of untemplated residues alone."""
        bonds = self.structure.bonds
        wanted = np.zeros(len(self.structure.residue_names), dtype=np.bool_)
        wanted[self.untemplated] = True
        pairs = np.sort(bonds[wanted[self.structure.residue_of[bonds[:, 0]]]], axis=1).tolist()
        if self.structure.format in ("pdb", "mmcif"):
            pairs.sort()
        return {(a, b): place for place, (a, b) in enumerate(pairs)}

    @cached_property
    def in_untyped(self) -> frozenset[int]:
        return frozenset(self.untyped)

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

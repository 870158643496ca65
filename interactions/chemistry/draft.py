"""A structure while its bonds are made: the one mutable thing of reading."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from interactions.chemistry.bond_radii import BOND_RADII, METALS, TOLERANCE
from interactions.chemistry.residue_kinds import STANDARD, kind_of
from interactions.chemistry.residue_templates import Names, Plan, names_of
from interactions.places import Places
from interactions.structure import Ints

Bond = tuple[int, int]
Key = tuple[str, int, str]  # chain, number, insertion code
_SINGLE_PRECISION = 1e-4  # Å², more than single precision loses of a bond's squared length


@dataclass(slots=True)
class DraftResidue:
    """Residue under construction."""

    name: str
    chain: str
    number: int
    atoms: range
    hetero: bool = False
    is_start: bool = False
    is_end: bool = False
    parent: str | None = None  # MODRES parent name, None where MODRES does not list it
    insertion_code: str = ""

    @property
    def key(self) -> Key:
        return self.chain, self.number, self.insertion_code

    @property
    def kind(self) -> str:
        return kind_of(self.name, self.parent or "")

    @property
    def where(self) -> str:
        """Place in its chain."""
        return "start" if self.is_start else "end" if self.is_end else "mid"

    @property
    def standard(self) -> bool:
        return self.name in STANDARD


class Neighbours(dict[int, list[int]]):
    """Bonded atoms of each atom in order of creation; those of a planned residue are made when asked for."""

    def __init__(self, residue_of: list[int]) -> None:
        super().__init__()
        self._residue_of = residue_of
        self._plans: dict[int, tuple[int, Plan]] = {}
        self._linked: dict[int, list[int]] = {}  # bonds to other residues of atoms not asked for yet

    def plan(self, residue: int, start: int, plan: Plan) -> None:
        self._plans[residue] = (start, plan)

    def has_link(self, a: int, b: int) -> bool:
        """Whether atoms of different residues are bonded."""
        return b in (self[a] if a in self else self._linked.get(a, ()))

    def add_link(self, a: int, b: int) -> None:
        if a in self:
            self[a].append(b)
        else:
            self._linked.setdefault(a, []).append(b)

    def drop(self, a: int, b: int) -> None:
        is_link = self._residue_of[a] != self._residue_of[b]
        (self._linked[a] if is_link and a not in self else self[a]).remove(b)

    def __missing__(self, atom: int) -> list[int]:
        planned = self._plans.get(self._residue_of[atom])
        bonded: list[int] = []
        if planned is not None:
            start, plan = planned
            bonded = [start + place for place in plan.neighbours[atom - start]]
        bonded += self._linked.pop(atom, ())
        self[atom] = bonded
        return bonded


@dataclass(slots=True)
class Draft:
    """Atoms as lists of length n; residues hold consecutive atoms.

    ``links`` are the bonds between residues; ``missing`` and ``coordination`` pseudobonds. ``complete``
    are the atoms whose bonds CONECT has told.
    """

    names: list[str]
    elements: list[int]
    places: Places
    residue_of: list[int]
    residues: list[DraftResidue]
    neighbours: Neighbours = field(init=False)
    links: dict[Bond, None] = field(default_factory=dict)
    complete: set[int] = field(default_factory=set)
    missing: list[Bond] = field(default_factory=list)
    coordination: list[Bond] = field(default_factory=list)
    _single: dict[Bond, int] = field(default_factory=dict)  # bonds of no plan: how many planned ones came before
    _planned: list[Ints] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _count: int = 0
    _names: dict[int, Names] = field(default_factory=dict)
    _removed: set[Bond] = field(default_factory=set)
    _made: Ints | None = None  # bonds as they were last asked for

    def __post_init__(self) -> None:
        self.neighbours = Neighbours(self.residue_of)

    def find(self, residue: int, name: str) -> int | None:
        """First atom of this name in a residue."""
        place = self.names_of(residue).first.get(name)
        return None if place is None else self.residues[residue].atoms[place]

    def names_of(self, residue: int) -> Names:
        found = self._names.get(residue)
        if found is None:
            atoms = self.residues[residue].atoms
            found = self._names[residue] = names_of(tuple(self.names[atoms.start : atoms.stop]))
        return found

    def bond(self, a: int, b: int) -> None:
        neighbours = self.neighbours
        pair = (a, b) if a < b else (b, a)
        if self.residue_of[a] != self.residue_of[b]:
            if neighbours.has_link(a, b):
                return
            neighbours.add_link(a, b)
            neighbours.add_link(b, a)
            self.links[pair] = None
        elif a == b or b in neighbours[a]:
            return
        else:
            neighbours[a].append(b)
            neighbours[b].append(a)
        self._made = None
        if pair in self._removed:
            self._removed.remove(pair)
        else:
            self._single[pair] = self._count

    def bond_by_plan(self, residue: int, plan: Plan) -> None:
        """All bonds of a residue that has none inside it yet."""
        self._made = None
        start = self.residues[residue].atoms.start
        self.neighbours.plan(residue, start, plan)
        self._planned.append(plan.bonds)
        self._starts.append(start)
        self._count += len(plan.bonds)

    def unbond(self, a: int, b: int) -> None:
        pair = (a, b) if a < b else (b, a)
        self._made = None
        if self._single.pop(pair, None) is None:
            self._removed.add(pair)
        self.links.pop(pair, None)
        self.neighbours.drop(a, b)
        self.neighbours.drop(b, a)

    def bonds(self) -> Ints:
        """All bonds in order of creation, ascending pairs, shape (b, 2)."""
        if self._made is None:
            self._made = self._collect()
        return self._made

    def _collect(self) -> Ints:
        planned = np.empty((0, 2), dtype=np.int64)
        if self._planned:
            shift = np.repeat(self._starts, [len(bonds) for bonds in self._planned])
            planned = np.concatenate(self._planned) + shift[:, None]
        made = planned
        if self._single:
            made = np.insert(planned, list(self._single.values()), pairs(self._single), axis=0)
        if not self._removed:
            return made
        n = len(self.names)
        gone = pairs(self._removed)
        return made[~np.isin(made[:, 0] * n + made[:, 1], gone[:, 0] * n + gone[:, 1])]

    def touched_residues(self) -> set[int]:
        """Residues that have a bond by now."""
        return {self.residue_of[a] for bond in self._single for a in bond}

    def squared(self, a: int, b: int) -> float:
        (x, y, z), (u, v, w) = self.places[a], self.places[b]
        return (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2

    def radii(self, a: int, b: int) -> float:
        return BOND_RADII[self.elements[a]] + BOND_RADII[self.elements[b]]

    def close(self, a: int, b: int) -> bool:
        """Near enough for a bond; at the very limit as ChimeraX rounds, in single precision."""
        reach = self.radii(a, b)
        square = self.squared(a, b)
        limit = (reach + TOLERANCE) ** 2
        if abs(square - limit) < _SINGLE_PRECISION:
            return reach > 0 and bool(np.float32(square) <= np.float32(limit))
        return reach > 0 and 0 < square < limit

    def close_to(self, a: int, others: Iterable[int]) -> list[int]:
        """Those of some atoms that are near enough for a bond."""
        x, y, z = self.places[a]
        reach, found = BOND_RADII[self.elements[a]] + TOLERANCE, []
        for o in others:
            u, v, w = self.places[o]
            limit = reach + BOND_RADII[self.elements[o]]
            near = (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2 < limit**2 + _SINGLE_PRECISION
            if near and self.close(a, o):
                found.append(o)
        return found

    def saturated(self, a: int) -> bool:
        full = {1: 1, 8: 2}.get(self.elements[a], 4)
        return sum(self.elements[b] not in METALS for b in self.neighbours[a]) >= full


def pairs(bonds: Collection[Bond]) -> Ints:
    """Bonds as an array, shape (b, 2)."""
    return np.fromiter(chain.from_iterable(bonds), dtype=np.int64, count=2 * len(bonds)).reshape(-1, 2)

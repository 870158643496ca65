"""Bonds of a structure read from PDB, by ChimeraX's rules: templates by name, distances for the rest, links.

A Draft is the one mutable thing of reading: atoms and residues as lists, bonds in order of creation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from math import inf

import numpy as np

from interactions.chemistry.bond_radii import BOND_RADII, METALS, TOLERANCE
from interactions.chemistry.residue_kinds import LINK_ATOMS, STANDARD, kind_of

Point = tuple[float, float, float]
_UNSURE_REACH = 3.0  # Å, from a chief atom to a first residue that is not standard
NO_TEMPLATE = frozenset({"HOH", "MSE", "UNK"})


@dataclass(slots=True)
class DraftResidue:
    """Residue under construction; ``atoms`` are contiguous indices."""

    name: str
    chain: str
    number: int
    atoms: Sequence[int]
    hetero: bool = False
    is_start: bool = False
    is_end: bool = False
    parent: str | None = None  # MODRES parent name, None where MODRES does not list it
    insertion_code: str = ""

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


@dataclass(slots=True)
class Draft:
    """Atoms and bonds while bonds are made; ``neighbours`` is in order of creation."""

    names: list[str]
    elements: list[int]
    places: Mapping[int, Point]
    residue_of: list[int]
    residues: list[DraftResidue]
    neighbours: list[list[int]] = field(default_factory=list)
    bonds: dict[tuple[int, int], None] = field(default_factory=dict)
    links: dict[tuple[int, int], None] = field(default_factory=dict)  # bonds between residues
    complete: set[int] = field(default_factory=set)
    missing: list[tuple[int, int]] = field(default_factory=list)
    coordination: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.neighbours = [[] for _ in self.names]

    def find(self, residue: int, name: str) -> int | None:
        """First atom of this name in a residue."""
        atoms = self.residues[residue].atoms
        place = _first_places(self.names_in(atoms)).get(name)
        return None if place is None else atoms[place]

    def names_in(self, atoms: Sequence[int]) -> tuple[str, ...]:
        """Names of a residue's atoms, which are consecutive."""
        return tuple(self.names[atoms[0] : atoms[-1] + 1])

    def bond(self, a: int, b: int) -> None:
        if a != b and b not in self.neighbours[a]:
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
            pair = (a, b) if a < b else (b, a)
            self.bonds[pair] = None
            if self.residue_of[a] != self.residue_of[b]:
                self.links[pair] = None

    def unbond(self, a: int, b: int) -> None:
        pair = (a, b) if a < b else (b, a)
        del self.bonds[pair]
        self.links.pop(pair, None)
        self.neighbours[a].remove(b)
        self.neighbours[b].remove(a)

    def squared(self, a: int, b: int) -> float:
        (x, y, z), (u, v, w) = self.places[a], self.places[b]
        return (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2

    def radii(self, a: int, b: int) -> float:
        return BOND_RADII[self.elements[a]] + BOND_RADII[self.elements[b]]

    def close(self, a: int, b: int) -> bool:
        reach = self.radii(a, b)
        square = self.squared(a, b)
        return reach > 0 and square > 0 and bool(np.float32(square) <= np.float32((reach + TOLERANCE) ** 2))

    def saturated(self, a: int) -> bool:
        full = {1: 1, 8: 2}.get(self.elements[a], 4)
        return sum(self.elements[b] not in METALS for b in self.neighbours[a]) >= full

    def crossing(self) -> list[tuple[int, int]]:
        """Bonds between residues."""
        return list(self.links)


@lru_cache(maxsize=65536)
def _first_places(names: tuple[str, ...]) -> dict[str, int]:
    """Place of the first atom of each name."""
    return {name: place for place, name in reversed(list(enumerate(names)))}


@dataclass(frozen=True)
class _Plan:
    """Bonds inside a residue by template, as places in it, in order; atoms not listed, or left without a bond."""

    bonds: tuple[tuple[int, int], ...]
    unlisted: tuple[int, ...]
    alone: tuple[int, ...]


@lru_cache(maxsize=65536)
def _plan(residue: str, where: str, names: tuple[str, ...]) -> _Plan | None:
    """Plan of a residue none of whose atoms is bonded yet; None where it has no template."""
    template = template_of(residue, where)
    if template is None:
        return None
    first = _first_places(names)
    bonds: dict[frozenset[int], tuple[int, int]] = {}
    for place, name in enumerate(names):
        for other in template.get(name, ()):
            if other in first and first[other] != place:
                bonds.setdefault(frozenset((place, first[other])), (place, first[other]))
    unlisted = tuple(place for place, name in enumerate(names) if name not in template)
    bonded = {place for bond in bonds for place in bond}
    alone = tuple(place for place in range(len(names)) if place not in bonded)
    return _Plan(tuple(bonds.values()), unlisted, alone)


@cache
def templates() -> dict[str, dict[str, tuple[str, ...]]]:
    """Neighbour names of each atom by template, ``NAME/mid`` and so on."""
    table = json.loads((files("interactions.chemistry") / "residue_templates.json").read_text("utf-8"))
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, entry in table.items():
        neighbours: dict[str, list[str]] = {atom: [] for atom in entry["atoms"]}
        for a, b in entry["bonds"]:
            neighbours[a].append(b)
            neighbours[b].append(a)
        found[name] = {atom: tuple(bonded) for atom, bonded in neighbours.items()}
    for name, base, add, to in (("ASH", "ASP", "HD2", "OD2"), ("GLH", "GLU", "HE2", "OE2")):
        if f"{base}/mid" in found and f"{name}/mid" not in found:
            variant = dict(found[f"{base}/mid"])
            variant[to] = (*variant[to], add)
            variant[add] = (to,)
            found[f"{name}/mid"] = variant
    if "LYS/mid" in found and "LYN/mid" not in found:
        variant = {a: tuple(b for b in bonded if b != "HZ1") for a, bonded in found["LYS/mid"].items() if a != "HZ1"}
        found["LYN/mid"] = variant
    return found


def template_of(name: str, where: str) -> dict[str, tuple[str, ...]] | None:
    """Template of a residue name at ``start``, ``mid`` or ``end``; mid where the variant is missing."""
    if name in NO_TEMPLATE:
        return None
    name = "HIP" if name == "HIS" else name
    known = templates()
    return known.get(f"{name}/{where}") or known.get(f"{name}/mid")


def mark_complete(draft: Draft, atoms: Iterable[int]) -> None:
    """Atoms named first in CONECT that are alone, or bonded inside their residue, are complete."""
    for atom in atoms:
        home = draft.residue_of[atom]
        inside = any(draft.residue_of[b] == home for b in draft.neighbours[atom])
        if inside or len(draft.residues[home].atoms) == 1:
            draft.complete.add(atom)


def bond_residues(draft: Draft) -> None:
    """Step C: bonds inside each residue, and its link to the one before."""
    touched = {draft.residue_of[a] for bond in draft.bonds for a in bond}
    before: int | None = None
    for index in range(len(draft.residues)):
        previous = None if before is None or draft.residues[before].is_end else before
        linked = previous is not None and index in touched and _prelinked(draft, index, previous)
        if index in touched:
            _inside(draft, index)
        else:
            _inside_fresh(draft, index)
        if previous is not None and not linked:
            _link(draft, index, previous)
        elif previous is None and before is not None:
            _attach(draft, index, before)
        before = index


def _template(residue: DraftResidue) -> dict[str, tuple[str, ...]] | None:
    return None if residue.parent is not None else template_of(residue.name, residue.where)


def _prelinked(draft: Draft, index: int, previous: int) -> bool:
    residue = draft.residues[index]
    loose = not residue.standard and residue.parent is None
    for atom in residue.atoms:
        for other in draft.neighbours[atom]:
            home = draft.residue_of[other]
            if home == index or (draft.elements[atom] == 16 and draft.elements[other] == 16):
                continue
            if loose:
                if draft.elements[atom] not in METALS and draft.elements[other] not in METALS:
                    return True
            elif home == previous:
                return True
    return False


def _inside_fresh(draft: Draft, index: int) -> None:
    """Bonds of a residue that CONECT, LINK and SSBOND did not touch."""
    residue = draft.residues[index]
    atoms = residue.atoms
    plan = None
    if residue.parent is None:
        plan = _plan(residue.name, residue.where, draft.names_in(atoms))
    if plan is None:
        if len(atoms) > 1:
            distance_pass(draft, atoms, set())
        return
    start, neighbours, bonds = atoms[0], draft.neighbours, draft.bonds
    for place, other in plan.bonds:
        a, b = start + place, start + other
        neighbours[a].append(b)
        neighbours[b].append(a)
        bonds[(a, b) if a < b else (b, a)] = None
    if plan.unlisted or any(draft.elements[start + place] == 1 for place in plan.alone):
        _bond_unlisted(draft, atoms, set(), {start + place for place in plan.unlisted})


def _inside(draft: Draft, index: int) -> None:
    residue = draft.residues[index]
    atoms, template = residue.atoms, _template(residue)
    complete = {a for a in atoms if a in draft.complete}
    if template is None:
        distance_pass(draft, atoms, complete)
        return
    unlisted = set()
    for atom in atoms:
        if atom in complete:
            continue
        if draft.names[atom] not in template:
            unlisted.add(atom)
        for name in template.get(draft.names[atom], ()):
            other = draft.find(index, name)
            if other is not None:
                draft.bond(atom, other)
    _bond_unlisted(draft, atoms, complete, unlisted)


def _bond_unlisted(draft: Draft, atoms: Sequence[int], complete: set[int], unlisted: set[int]) -> None:
    """Bonds by distance of atoms that the template does not list, and of hydrogens still without one."""
    if unlisted:
        listed = {a for a in atoms if a not in unlisted}
        distance_pass(draft, atoms, complete | listed)
    if any(draft.elements[a] == 1 and not draft.neighbours[a] for a in atoms):
        distance_pass(draft, atoms, complete)


def distance_pass(draft: Draft, atoms: Sequence[int], known: set[int]) -> None:
    """Bond atoms of one residue by distance (10.5 C6); ``known`` atoms have their bonds already."""
    for place, a in enumerate(atoms):
        hydrogen = draft.elements[a] == 1
        if a in known or (hydrogen and draft.neighbours[a]):
            continue
        partners = []
        for other, o in enumerate(atoms):
            if o == a or not (other > place or o in known) or o in draft.neighbours[a]:
                continue
            if draft.elements[o] == 1 and (hydrogen or draft.neighbours[o]):
                continue
            if draft.close(a, o):
                partners.append(o)
        if hydrogen and partners:
            nearest = min(draft.squared(a, o) for o in partners)
            draft.bond(a, [o for o in partners if draft.squared(a, o) == nearest][-1])
        elif not hydrogen:
            for o in partners:
                draft.bond(a, o)


def nearest(draft: Draft, a: int, atoms: Iterable[int]) -> int | None:
    """Closest heavy unsaturated atom, the first on a tie; none for a hydrogen."""
    if draft.elements[a] == 1:
        return None
    best, found = inf, None
    for o in atoms:
        if draft.elements[o] != 1 and not draft.saturated(o) and (square := draft.squared(a, o)) < best:
            best, found = square, o
    return found


def nearest_pair(draft: Draft, previous: int, index: int) -> tuple[int, int] | None:
    best, found = inf, None
    for a in draft.residues[previous].atoms:
        if draft.saturated(a):
            continue
        other = nearest(draft, a, draft.residues[index].atoms)
        if other is not None and (square := draft.squared(a, other)) < best:
            best, found = square, (a, other)
    return found


def _bond_nearest_pair(draft: Draft, previous: int, index: int) -> None:
    pair = nearest_pair(draft, previous, index)
    if pair is not None:
        draft.bond(*pair)


def _link(draft: Draft, index: int, previous: int) -> None:
    """Rule C7."""
    residue, before = draft.residues[index], draft.residues[previous]
    kind = residue.kind
    if kind and kind == before.kind:
        last = _first_of(draft, previous, LINK_ATOMS[kind][::-1])
        head = _first_of(draft, index, LINK_ATOMS[kind])
        if last is not None and head is not None:
            draft.bond(last, head)
        else:
            _bond_nearest_pair(draft, previous, index)
        return
    chief = _chief(residue) if _template(residue) is not None else None
    if chief is None:
        _bond_nearest_pair(draft, previous, index)
        return
    sure = previous != 0 or before.standard
    atom = draft.find(index, chief)
    if atom is not None:
        if draft.saturated(atom):
            return
        link = _link_atom(draft, previous)
        if link is not None and _template(before) is not None:
            if not draft.saturated(link):
                draft.bond(link, atom)
            return
        other = nearest(draft, atom, before.atoms)
        if other is not None and (sure or draft.squared(atom, other) <= _UNSURE_REACH**2):
            draft.bond(other, atom)
            return
    if sure:
        _bond_nearest_pair(draft, previous, index)


def _first_of(draft: Draft, residue: int, names: Iterable[str]) -> int | None:
    """Atom of the first of these names that the residue has."""
    return next((atom for name in names if (atom := draft.find(residue, name)) is not None), None)


def _chief(residue: DraftResidue) -> str | None:
    if residue.name == "NME":
        return "N"
    kind = kind_of(residue.name)
    if kind == "amino" and not residue.is_start:
        return "N"
    return "P" if kind == "nucleic" and not (residue.is_end and not residue.is_start) else None


def _link_atom(draft: Draft, previous: int) -> int | None:
    before = draft.residues[previous]
    kind = kind_of(before.name)
    name = "C" if kind == "amino" or before.name == "ACE" else "O3'" if kind == "nucleic" else ""
    return draft.find(previous, name)


def _attach(draft: Draft, index: int, before: int) -> None:
    """C8: a covalent ligand without CONECT."""
    residue = draft.residues[index]
    if len(residue.atoms) < 2 or residue.standard or residue.chain != draft.residues[before].chain:
        return
    if residue.atoms[0] in draft.complete:
        return
    pair = nearest_pair(draft, before, index)
    if pair is not None and draft.close(*pair):
        draft.bond(*pair)

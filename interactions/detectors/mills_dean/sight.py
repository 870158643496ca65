"""What is seen of a molecule from one atom, as far as any class looks: all that see the same are of one class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from interactions.surroundings import Molecule

Value = TypeVar("Value")
SIGHT = 3  # bonds: a pattern looks two far, and may start at an atom bonded to the one that is classified


@dataclass(frozen=True, eq=False)
class Kind:
    """What a pattern asks of one atom: type, element, and whether it has a missing-structure pseudobond."""

    type: str
    element: int
    broken: bool


# One object for each kind, so that views are compared by identity.
_kind = lru_cache(maxsize=4096)(Kind)
View = tuple[Kind | int, ...]


class Sketch:
    """A molecule of nothing but what is seen from its atom 0, and what was found out about that."""

    def __init__(self, view: View) -> None:
        self.molecule = _drawn(view)
        self._known: dict[Any, Any] = {}

    def ask(self, find: Callable[[Molecule, int], Value]) -> Value:
        """What a function finds out about the atom; once for all that see the same."""
        if find not in self._known:
            self._known[find] = find(self.molecule, 0)
        found: Value = self._known[find]
        return found


_sketch = lru_cache(maxsize=16384)(Sketch)


def look(molecule: Molecule, atom: int) -> tuple[Sketch, list[int]]:
    """What is seen from an atom, and the molecule's own atoms in the order of the sketch."""
    if molecule.looks is None:
        molecule.looks = Looks(molecule)
    found: tuple[Sketch, list[int]] = molecule.looks[atom]
    return found


class Kinds(dict[int, Kind]):
    """Kinds of the atoms of a molecule, told when asked."""

    def __init__(self, molecule: Molecule) -> None:
        super().__init__()
        self._molecule = molecule

    def __missing__(self, atom: int) -> Kind:
        at = self._molecule
        found = self[atom] = _kind(at.types[atom], at.elements[atom], atom in at.broken)
        return found


class Looks(dict[int, tuple[Sketch, list[int]]]):
    """What is seen from the atoms of a molecule, looked up when asked."""

    def __init__(self, molecule: Molecule) -> None:
        super().__init__()
        self._neighbours, self._kinds = molecule.neighbours, Kinds(molecule)

    def __missing__(self, atom: int) -> tuple[Sketch, list[int]]:
        view, atoms = _view(self._neighbours, self._kinds, atom)
        found = self[atom] = _sketch(view), atoms
        return found


def _view(neighbours: Sequence[tuple[int, ...]], kinds: Kinds, atom: int) -> tuple[View, list[int]]:
    """Atoms as a tree, and their kinds with the numbers that tell who is bonded to whom in which order.

    Atoms bonded to the first stand in the order of the file: where several are the centre of a class, it counts.
    """
    near = neighbours[atom]
    ordered = sorted(near)
    atoms = [atom]
    view: list[Kind | int] = [kinds[atom], len(near), *map(ordered.index, near)]
    for b in ordered:
        around = neighbours[b]
        atoms.append(b)
        view += (kinds[b], len(around), around.index(atom))
        for c in around:
            if c != atom:
                beyond = [d for d in neighbours[c] if d != b]
                atoms.append(c)
                atoms += beyond
                view += (kinds[c], len(beyond))
                view += [kinds[d] for d in beyond]
    return tuple(view), atoms


def _drawn(view: View) -> Molecule:
    """The tree that a view tells of."""
    kinds: list[Kind] = []
    neighbours: list[list[int]] = []
    entries: Any = iter(view)

    def atom(*bonded: int) -> int:
        kinds.append(next(entries))
        neighbours.append(list(bonded))
        return len(kinds) - 1

    first = atom()
    order = [next(entries) for _ in range(next(entries))]
    children = []
    for _ in order:
        child = atom()
        count, place = next(entries), next(entries)
        for _ in range(count - 1):
            grandchild = atom(child)
            neighbours[child].append(grandchild)
            neighbours[grandchild] += [atom(grandchild) for _ in range(next(entries))]
        neighbours[child].insert(place, first)
        children.append(child)
    neighbours[first] = [children[place] for place in order]
    return Molecule(
        types=tuple(kind.type for kind in kinds),
        elements=tuple(kind.element for kind in kinds),
        neighbours=list(map(tuple, neighbours)),
        broken=frozenset(place for place, kind in enumerate(kinds) if kind.broken),
    )

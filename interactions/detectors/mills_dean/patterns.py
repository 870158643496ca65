"""Chemical groups as small trees: a condition for an atom and an ordered list of entries for its bonded atoms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from interactions.chemistry.typing_tables import TYPE_INFO
from interactions.surroundings import Molecule

HYDROGEN = 1


class Verdicts(dict[tuple[str, int], bool]):
    """Whether atoms of a type and element meet a condition, found when first asked."""

    def __init__(self, condition: Entry) -> None:
        super().__init__()
        self._condition = condition

    def __missing__(self, kind: tuple[str, int]) -> bool:
        self[kind] = admits(self._condition, *kind)
        return self[kind]


class _Judged:
    """Base of conditions, which remember what they said of a type and element."""

    @cached_property
    def verdicts(self) -> Verdicts:
        return Verdicts(self)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Type(_Judged):
    """Exactly this IDATM type."""

    name: str


@dataclass(frozen=True)
class Element(_Judged):
    """This atomic number."""

    number: int


@dataclass(frozen=True)
class Property(_Judged):
    """A type of this geometry (any where empty) that is not one of ``without``.

    ``unknown``: whether a type outside the table matches.
    """

    geometry: str = ""
    without: frozenset[str] = frozenset()
    unknown: bool = False


@dataclass(frozen=True)
class AnyOf(_Judged):
    options: tuple[Condition, ...]


@dataclass(frozen=True)
class Node(_Judged):
    """An atom whose every bonded atom (but the one we came from) is matched by one entry."""

    atom: Condition
    bonded: tuple[Entry, ...]

    @cached_property
    def optional(self) -> tuple[bool, ...]:
        """For each entry whether it may be left out."""
        return tuple(map(may_be_hydrogen, self.bonded))

    @cached_property
    def sizes(self) -> range:
        """How many bonded atoms it may match."""
        return range(len(self.bonded) - sum(self.optional), len(self.bonded) + 1)


Condition = Type | Element | Property | AnyOf
Entry = Type | Element | Property | AnyOf | Node


def admits(condition: Entry, kind: str, element: int) -> bool:
    """Whether an atom of this type and element meets a condition (of a Node, that of its atom)."""
    match condition:
        case Type(name):
            return kind == name
        case Element(number):
            return element == number
        case Property():
            return _has(kind, condition)
        case AnyOf(options):
            return any(admits(option, kind, element) for option in options)
        case Node(center, _):
            return admits(center, kind, element)


def _has(kind: str, condition: Property) -> bool:
    info = TYPE_INFO.get(kind)
    if info is None:
        return condition.unknown
    return (not condition.geometry or info[0] == condition.geometry) and kind not in condition.without


def may_be_hydrogen(entry: Entry) -> bool:
    """Whether an entry may be left out, since hydrogens may be absent from a file."""
    match entry:
        case Element(number):
            return number == HYDROGEN
        case Property():
            return _has("H", entry) or _has("HC", entry)
        case AnyOf(options):
            return any(may_be_hydrogen(option) for option in options)
        case _:
            return False


def same(a: Entry, b: Entry) -> bool:
    """Whether two entries are interchangeable; conditions with an exclusion list never are."""
    match a, b:
        case Property(), Property():
            return a == b and not a.without
        case AnyOf(), AnyOf():
            return len(a.options) == len(b.options) and all(map(same, a.options, b.options))
        case Node(), Node():
            return len(a.bonded) == len(b.bonded) and same(a.atom, b.atom) and all(map(same, a.bonded, b.bonded))
        case _:
            return a == b


Match = tuple[int, ...]
Row = dict[int, list[Match]]  # what an entry makes of each bonded atom that it matches
Tried = tuple[tuple[int, Entry], ...]
Kind = tuple[str, int, bool]  # type, element, whether it has a missing-structure pseudobond
# The kind of an atom, and of each bonded atom with those bonded to that. No pattern looks further.
View = tuple[Kind, tuple[tuple[Kind, tuple[Kind, ...]], ...]]
SIGHT = 2  # bonds


def groups(molecule: Molecule, center: int, pattern: Node) -> list[Match]:
    """Matches with this centre: the atoms in the order of the pattern; -1 for an entry left out.

    Atoms are matched as a tree, so what is seen from one atom up to ``SIGHT`` bonds decides for all that see the same.
    """
    if center not in molecule.seen:
        view, atoms = _view(molecule, center)
        molecule.seen[center] = _sketch(view), atoms
    sketch, atoms = molecule.seen[center]
    return [tuple([-1 if place < 0 else atoms[place] for place in match]) for match in sketch.matches(pattern)]


def _view(molecule: Molecule, center: int) -> tuple[View, list[int]]:
    """What is seen from an atom, and the atoms in that order."""

    def kind(a: int) -> Kind:
        return molecule.types[a], molecule.elements[a], a in molecule.broken

    atoms, around = [center], []
    for b in molecule.neighbours[center]:
        beyond = [c for c in molecule.neighbours[b] if c != center]
        atoms += [b, *beyond]
        around.append((kind(b), tuple([kind(c) for c in beyond])))
    return (kind(center), tuple(around)), atoms


class Sketch:
    """A molecule of nothing but what is seen from its first atom, with the matches found in it."""

    def __init__(self, view: View) -> None:
        center, around = view
        kinds = [center]
        neighbours: list[tuple[int, ...]] = [()]
        for kind, beyond in around:
            place = len(kinds)
            neighbours[0] = (*neighbours[0], place)
            neighbours.append((0, *range(place + 1, place + 1 + len(beyond))))
            neighbours += [(place,)] * len(beyond)
            kinds += [kind, *beyond]
        types, elements, broken = zip(*kinds, strict=True)
        cut = frozenset(place for place, is_cut in enumerate(broken) if is_cut)
        self._molecule = Molecule(types, elements, neighbours, cut)
        self._found: dict[int, tuple[Node, list[Match]]] = {}

    def matches(self, pattern: Node) -> list[Match]:
        if id(pattern) not in self._found:  # comparing patterns takes longer than matching them
            self._found[id(pattern)] = pattern, list(_match_node(self._molecule, 0, pattern, None))
        return self._found[id(pattern)][1]


_sketch = lru_cache(maxsize=4096)(Sketch)


def _match_node(molecule: Molecule, atom: int, node: Node, parent: int | None) -> Iterator[Match]:
    if not node.verdicts[molecule.types[atom], molecule.elements[atom]] or atom in molecule.broken:
        return
    free = tuple([b for b in molecule.neighbours[atom] if b != parent])
    if len(free) not in node.sizes:
        return
    rows: list[Row] = []
    for entry, optional in zip(node.bonded, node.optional, strict=True):
        row = {b: heads for b in free if (heads := _heads(molecule, atom, b, entry))}
        if not row and not optional:
            return
        rows.append(row)
    for rest in _arranged(node, rows, 0, free, ()):
        yield (atom, *rest)


def _heads(molecule: Molecule, atom: int, b: int, entry: Entry) -> list[Match]:
    if isinstance(entry, Node):
        return list(_match_node(molecule, b, entry, atom))
    return [(b,)] if entry.verdicts[molecule.types[b], molecule.elements[b]] else []


def _arranged(node: Node, rows: list[Row], place: int, free: tuple[int, ...], tried: Tried) -> Iterator[Match]:
    """Matches of the entries from ``place`` on with the neighbours that are still free."""
    if place == len(rows):
        if not free:
            yield ()
        return
    entry, row = node.bonded[place], rows[place]
    for b in free:
        if b not in row or any(b == old and same(entry, condition) for old, condition in tried):
            continue
        rest_free = tuple([x for x in free if x != b])
        for head in row[b]:
            for rest in _arranged(node, rows, place + 1, rest_free, tried):
                yield (*head, *rest)
        tried = (*tried, (b, entry))
    if node.optional[place]:
        for rest in _arranged(node, rows, place + 1, free, tried):
            yield (-1, *rest)

"""Chemical groups as small trees: a condition for an atom and an ordered list of entries for its bonded atoms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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


def groups(molecule: Molecule, center: int, pattern: Node) -> list[Match]:
    """Matches with this centre: the atoms in the order of the pattern; -1 for an entry left out.

    Atoms are matched as a tree: of a ring nothing is seen.
    """
    return list(_match_node(molecule, center, pattern, None))


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

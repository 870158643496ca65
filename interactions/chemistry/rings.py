"""Rings of a molecular graph: for every ring bond all shortest cycles through it (chimerax rule 9.6a)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from interactions.structure import Structure

Ring = tuple[int, ...]
Bonded = Sequence[Sequence[int]] | Mapping[int, Sequence[int]]
MAX_ATOMS = 2500


def residue_rings(structure: Structure, residue: int, neighbours: Bonded | None = None) -> tuple[Ring, ...]:
    """Rings inside one residue, atoms in ring order; smaller rings first.

    ``neighbours`` of each atom, where these are wanted in another order than the structure's.
    """
    atoms = structure.residue_atoms[residue]
    if not 3 <= len(atoms) <= MAX_ATOMS:
        return ()
    bonded: Bonded = structure.neighbours if neighbours is None else neighbours
    place = {a: index for index, a in enumerate(atoms)}
    pattern = tuple([tuple([place[b] for b in bonded[a] if b in place]) for a in atoms])
    return tuple([tuple([atoms[index] for index in ring]) for ring in rings(pattern)])


@lru_cache(maxsize=4096)
def rings(graph: tuple[tuple[int, ...], ...]) -> tuple[Ring, ...]:
    """Union over all ring bonds of the shortest cycles through each; ``graph`` holds each atom's neighbours."""
    core = _without_tails(graph)
    found: dict[frozenset[int], Ring] = {}
    for a, bonded in core.items():
        for b in bonded:
            if a < b:
                for cycle in _shortest_cycles(core, a, b):
                    found.setdefault(frozenset(cycle), cycle)
    return tuple(sorted(found.values(), key=lambda ring: (len(ring), sorted(ring))))


def ring_bonds(ring: Ring) -> Iterable[tuple[int, int]]:
    """Bonds of a ring as ascending pairs."""
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        yield (a, b) if a < b else (b, a)


def _without_tails(graph: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    core = {a: list(bonded) for a, bonded in enumerate(graph)}
    ends = [a for a, bonded in core.items() if len(bonded) < 2]
    while ends:
        a = ends.pop()
        for b in core.pop(a, ()):
            core[b].remove(a)
            if len(core[b]) == 1:
                ends.append(b)
    return core


def _shortest_cycles(graph: Mapping[int, Sequence[int]], a: int, b: int) -> list[Ring]:
    """All shortest paths from a to b that leave out the bond a-b, as cycles."""
    before: dict[int, list[int]] = {a: []}
    layer = [a]
    while layer and b not in before:
        reached: dict[int, list[int]] = {}
        for atom in layer:
            for other in graph[atom]:
                if other not in before and not (atom == a and other == b):
                    reached.setdefault(other, []).append(atom)
        before.update(reached)
        layer = list(reached)
    if b not in before:
        return []
    paths: list[Ring] = [(b,)]
    while paths[0][-1] != a:
        paths = [(*path, atom) for path in paths for atom in before[path[-1]]]
    return paths

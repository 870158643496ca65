"""Rings of a molecular graph: for every ring bond all shortest cycles through it (chimerax rule 9.6a)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interactions.structure import Structure

Ring = tuple[int, ...]
MAX_ATOMS = 2500


def residue_rings(structure: Structure, residue: int) -> tuple[Ring, ...]:
    """Rings inside one residue, atoms in ring order; smaller rings first."""
    home = structure.residue_of
    atoms = structure.residue_atoms[residue]
    if len(atoms) < 3 or len(atoms) > MAX_ATOMS:
        return ()
    return rings({a: [b for b in structure.neighbours[a] if home[b] == residue] for a in atoms})


def rings(graph: Mapping[int, Sequence[int]]) -> tuple[Ring, ...]:
    """Union over all ring bonds of the shortest cycles through each."""
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


def _without_tails(graph: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    core = {a: list(bonded) for a, bonded in graph.items()}
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

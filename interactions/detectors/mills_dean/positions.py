"""Ideal places of hydrogens and lone pairs around an atom (ChimeraX's bond geometry)."""

from __future__ import annotations

from interactions.chemistry.ideal_positions import ideal_positions
from interactions.chemistry.typing_tables import TYPE_INFO
from interactions.points import Point
from interactions.surroundings import Surroundings

SULFUR_HYDROGEN, OTHER_HYDROGEN = 1.25, 0.91  # Å, sums of bond radii


def hydrogen_positions(at: Surroundings, atom: int, *, lone_pairs: bool = False) -> list[Point]:
    """Explicit hydrogens, else ideal ones where their places are fixed; with lone pairs all directions left."""
    explicit = [at.places[b] for b in at.neighbours[atom] if at.elements[b] == 1]
    if explicit and not lone_pairs:
        return explicit
    info = TYPE_INFO.get(at.types[atom])
    if info is None:
        return explicit
    shape, directions, substituents = info
    wanted = directions if lone_pairs else substituents
    known = len(at.neighbours[atom])
    if known >= wanted or known == 0 or (known == 1 and shape == "tetrahedral") or directions > wanted:
        return explicit
    length = SULFUR_HYDROGEN if at.elements[atom] == 16 else OTHER_HYDROGEN
    coplanar: list[Point] = []
    if shape == "planar":
        for b in at.neighbours[atom]:
            if at.elements[b] > 1 and at.is_planar(b):
                coplanar += [at.places[c] for c in at.neighbours[b] if c != atom]
    bonded = [at.places[b] for b in at.neighbours[atom]]
    return explicit + ideal_positions(at.places[atom], shape, length, bonded, coplanar)


def lone_pair_positions(at: Surroundings, atom: int) -> list[Point]:
    """Tetrahedral completion of an atom, at 1 Å."""
    return ideal_positions(at.places[atom], "tetrahedral", 1.0, [at.places[b] for b in at.neighbours[atom]], [])

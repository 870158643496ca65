"""Ideal geometry of added hydrogens: lengths, angles, planes; only hydroxyls and thiols keep the turn they came with.

Without a force field OpenMM's Modeller spreads hydrogens by repulsion: amide hydrogens come to lie 25° off their
plane's bisector in the median, 1.19 Å from the nitrogen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import cos, radians, sin

import numpy as np

from interactions.chemistry.added_atoms import Added
from interactions.structure import Floats, Structure

# Å, to C, N, O and S: means of neutron diffraction.
LENGTHS = {6: 1.09, 7: 1.01, 8: 0.98, 16: 1.34}
TETRAHEDRAL, TRIGONAL, THIOL = 109.5, 120.0, 96.0  # degrees
_REMOTENESS = "ABGDEZH"


def idealised(structure: Structure, placed: Sequence[Added]) -> list[Added]:
    """The hydrogens, grouped by heavy atom as they come, moved to ideal places. Names and order stay.

    A hydrogen with no direction at all makes its neighbours' places NaN or infinite.
    """
    found: list[Added] = []
    for parent, group in groupby(placed, key=lambda added: added[0]):
        new = list(group)
        arms = _arms(structure, parent, [np.array(place) for _, _, place in new])
        length = LENGTHS[int(structure.elements[parent])]
        for (_, name, _), arm in zip(new, arms, strict=True):
            x, y, z = (structure.coordinates[parent] + length * arm).tolist()
            found.append((parent, name, (x, y, z)))
    return found


def _arms(structure: Structure, parent: int, places: list[Floats]) -> list[Floats]:
    """Directions of the new hydrogens of one atom, by how many neighbours it has."""
    bonded = _by_remoteness(structure, parent)
    known = [_direction(structure, parent, a) for a in bonded]
    count = len(places)
    if len(known) == 1:
        return _around(structure, parent, bonded[0], places)
    if count == 1 and len(known) in (2, 3):
        return [_unit(-np.sum(known, axis=0))]
    if count == 2 and len(known) == 2:
        return _two_more(*known)
    return [_unit(place - structure.coordinates[parent]) for place in places]


def _around(structure: Structure, parent: int, base: int, places: list[Floats]) -> list[Floats]:
    """Hydrogens of an atom with one neighbour: in its plane, staggered, or turned as they came."""
    element, planar = int(structure.elements[parent]), len(structure.neighbours[base]) == 3
    axis = _direction(structure, parent, base)
    sides = _sides(structure, parent, base, axis)
    if element in (8, 16):
        side = _perpendicular(places[0] - structure.coordinates[parent], axis)
        if planar and sides:
            side = sides[-1] if _is_acid(structure, parent, base) else _nearest_in_plane(side, sides[0])
        return [_lean(axis, side, THIOL if element == 16 else TETRAHEDRAL)]
    side = sides[0] if sides else _perpendicular(places[0] - structure.coordinates[parent], axis)
    if planar and len(places) == 2:
        return [_lean(axis, side, TRIGONAL), _lean(axis, -side, TRIGONAL)]
    across = np.cross(axis, side)
    turns = [radians(degrees) for degrees in (180, 300, 60)[: len(places)]]
    return [_lean(axis, cos(turn) * side + sin(turn) * across, TETRAHEDRAL) for turn in turns]


def _sides(structure: Structure, parent: int, base: int, axis: Floats) -> list[Floats]:
    """Where the base's other neighbours lie beside the axis: by name, oxygens last (HD21 of ASN is the E one)."""
    others = [a for a in structure.neighbours[base] if a != parent and structure.elements[a] != 1]
    others.sort(key=lambda a: (structure.elements[a] == 8, structure.atom_names[a], a))
    return [_perpendicular(_direction(structure, base, a), axis) for a in others]


def _is_acid(structure: Structure, parent: int, base: int) -> bool:
    return any(structure.elements[a] == 8 for a in structure.neighbours[base] if a != parent)


def _nearest_in_plane(side: Floats, reference: Floats) -> Floats:
    return reference if side @ reference >= 0 else -reference


def _two_more(back: Floats, forth: Floats) -> list[Floats]:
    """Two directions opposite two bonds: seen along the bond from ``back``, ``forth`` and they follow clockwise."""
    away, normal = _unit(-(back + forth)), _unit(np.cross(forth, back))
    half = radians(TETRAHEDRAL / 2)
    return [cos(half) * away + sign * sin(half) * normal for sign in (1.0, -1.0)]


def _by_remoteness(structure: Structure, parent: int) -> list[int]:
    """Neighbours from the backbone outwards, as the names of CH2 hydrogens count them (IUPAC 1970)."""
    return sorted(structure.neighbours[parent], key=lambda a: (_remoteness(structure, parent, a), a))


def _remoteness(structure: Structure, parent: int, atom: int) -> int:
    name = structure.atom_names[atom]
    if name == "N":
        return -1 if structure.atom_names[parent] == "CA" else len(_REMOTENESS)
    return _REMOTENESS.find(name[1:2]) if name[1:2] in _REMOTENESS and name[1:2] else len(_REMOTENESS)


def _lean(axis: Floats, side: Floats, degrees: float) -> Floats:
    """The direction at an angle to the axis, towards a side."""
    return cos(radians(degrees)) * axis + sin(radians(degrees)) * side


def _direction(structure: Structure, origin: int, target: int) -> Floats:
    return _unit(structure.coordinates[target] - structure.coordinates[origin])


def _perpendicular(arm: Floats, axis: Floats) -> Floats:
    return _unit(arm - (arm @ axis) * axis)


def _unit(arm: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        unit: Floats = arm / np.linalg.norm(arm)
    return unit

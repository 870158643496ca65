"""Hydrogens of a heavy atom: those of the file, else ideal places, or the circle that a rotor's hydrogen moves on."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from interactions.chemistry.ideal_positions import ideal_positions
from interactions.chemistry.typing_tables import TYPE_INFO
from interactions.points import Point, add, cross, dot, norm, perpendicular, scale, sub, unit
from interactions.surroundings import Surroundings

# Å; neutron distances (Allen & Bruno 2010), and what a profile may set otherwise.
LENGTHS: dict[int, float] = {6: 1.09, 7: 1.01, 8: 0.98, 16: 1.34}
_TETRAHEDRAL, _TRIGONAL = 109.5, 120.0


@dataclass(frozen=True)
class Rotor:
    """The circle of a hydrogen that turns about the bond of its heavy atom: centre, radius (Å), axis (unit)."""

    centre: Point
    radius: float
    axis: Point

    def nearest(self, target: Point) -> Point:
        """The place on the circle nearest to a point."""
        side = perpendicular(sub(target, self.centre), self.axis)
        if norm(side) < 1e-9:
            side = _any_perpendicular(self.axis)
        return add(self.centre, scale(unit(side), self.radius))

    def crossings(self, point: Point, normal: Point) -> list[Point]:
        """Where the circle passes through a plane: none or two places."""
        first = unit(perpendicular(normal, self.axis))
        second = cross(self.axis, first)
        level, slope = dot(sub(point, self.centre), normal), self.radius * dot(first, normal)
        if abs(slope) < 1e-12 or abs(level) > abs(slope):
            return []
        a, b = level / slope, (max(0.0, 1 - (level / slope) ** 2)) ** 0.5
        return [
            add(self.centre, scale(add(scale(first, a), scale(second, sign * b)), self.radius)) for sign in (1.0, -1.0)
        ]


@dataclass(frozen=True)
class Hydrogens:
    """``source``: given (in the file), placed (fixed by geometry), rotor, free (any direction), unknown (its place
    cannot be told, as after a chain break) or none. ``given`` are atoms; ``places`` theirs, or ideal ones."""

    source: str
    given: tuple[int, ...] = ()
    places: tuple[Point, ...] = ()
    rotor: Rotor | None = None
    length: float = 0.0

    def candidates(self, donor: Point, acceptor: Point) -> tuple[Point, ...]:
        """Places to test against an acceptor; of a rotor the nearest to it."""
        if self.rotor is not None:
            return (self.rotor.nearest(acceptor),)
        if self.source == "free":
            return (add(donor, scale(unit(sub(acceptor, donor)), self.length)),)
        return self.places


NONE, UNKNOWN = Hydrogens("none"), Hydrogens("unknown")


def expected_hydrogens(at: Surroundings, atom: int) -> int:
    """Hydrogens that an atom lacks by its type: 0 where it has some, or has room for none."""
    bonded = at.neighbours[atom]
    if any(at.elements[b] == 1 for b in bonded):
        return 0
    info = TYPE_INFO.get(at.types[atom])
    return max(0, info[2] - len(bonded)) if info else 0


def hydrogens_of(at: Surroundings, atom: int, lengths: dict[int, float] = LENGTHS) -> Hydrogens:
    """Hydrogens of one heavy atom. Both nitrogens of a histidine without ring hydrogens may have one."""
    given = tuple(sorted(b for b in at.neighbours[atom] if at.elements[b] == 1))
    if given:
        return Hydrogens("given", given, tuple(at.places[h] for h in given))
    if not expected_hydrogens(at, atom):
        return NONE
    if atom in at.molecule.broken:
        return UNKNOWN
    length = lengths.get(at.elements[atom], LENGTHS[7])
    bonded = at.neighbours[atom]
    if not bonded:
        return Hydrogens("free", length=length)
    shape = TYPE_INFO[at.types[atom]][0]
    if len(bonded) == 1:
        return _at_end(at, atom, shape, length)
    points = [at.places[b] for b in bonded]
    if len(bonded) == 2 and shape == "tetrahedral":
        return Hydrogens("placed", (), _above_and_below(at.places[atom], points[0], points[1], length), length=length)
    places = ideal_positions(at.places[atom], shape, length, points, [])
    return Hydrogens("placed", (), tuple(places), length=length)


def _above_and_below(centre: Point, first: Point, second: Point, length: float) -> tuple[Point, ...]:
    """Two places opposite two bonds, the same whichever bond comes first."""
    u, v = unit(sub(first, centre)), unit(sub(second, centre))
    away, normal = scale(unit(add(u, v)), -1.0), unit(cross(u, v))
    half = radians(_TETRAHEDRAL / 2)
    return tuple(
        add(centre, scale(add(scale(away, cos(half)), scale(normal, sign * sin(half))), length)) for sign in (1.0, -1.0)
    )


def _at_end(at: Surroundings, atom: int, shape: str, length: float) -> Hydrogens:
    """An atom with one bond: fixed where a plane fixes it, else a rotor."""
    (base,) = at.neighbours[atom]
    if shape == "linear":
        places = ideal_positions(at.places[atom], shape, length, [at.places[base]], [])
        return Hydrogens("placed", (), tuple(places), length=length)
    coplanar = [at.places[c] for c in at.neighbours[base] if c != atom] if at.is_planar(base) else []
    if shape == "planar" and coplanar:
        places = ideal_positions(at.places[atom], shape, length, [at.places[base]], coplanar)
        return Hydrogens("placed", (), tuple(places), length=length)
    bend = radians(180 - (_TRIGONAL if shape == "planar" else _TETRAHEDRAL))
    axis = unit(sub(at.places[atom], at.places[base]))
    centre = add(at.places[atom], scale(axis, length * cos(bend)))
    return Hydrogens("rotor", rotor=Rotor(centre, length * sin(bend), axis), length=length)


def _any_perpendicular(axis: Point) -> Point:
    smallest = min(range(3), key=lambda i: abs(axis[i]))
    basis = tuple(1.0 if i == smallest else 0.0 for i in range(3))
    return perpendicular((basis[0], basis[1], basis[2]), axis)

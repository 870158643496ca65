"""Angle tests that both sides of a pair share."""

from __future__ import annotations

from interactions.detectors.mills_dean.checks import Check, wide_enough
from interactions.detectors.mills_dean.positions import hydrogen_positions
from interactions.points import Point, angle, cross, norm, perpendicular, scale, sub, unit
from interactions.surroundings import Surroundings


def theta_checks(donor: Point, acceptor: Point, hydrogens: list[Point], theta: float | None) -> list[Check]:
    """Some angle donor-hydrogen-acceptor is wide enough; without hydrogens there is no test."""
    if theta is None or not hydrogens:
        return []
    return [wide_enough("D-H-A", [angle(acceptor, h, donor) for h in hydrogens], theta)]


def phi_checks(
    plane: tuple[Point, ...] | None, base: Point | None, acceptor: Point, donor: Point, phi: float | None
) -> list[Check]:
    """The angle base-acceptor-donor in the acceptor's plane."""
    if plane is None or base is None or phi is None:
        return []
    normal = cross(sub(plane[1], plane[0]), sub(plane[2], plane[0]))
    if norm(normal) == 0:
        value = angle(base, acceptor, donor)
    else:
        normal = unit(normal)
        value = angle(*(perpendicular(sub(p, plane[0]), normal) for p in (base, acceptor, donor)))
    return [Check("phi", value, phi, None, value >= phi)]


def tau_checks(at: Surroundings, center: int, other: Point, tau: float | None, symmetry: int) -> list[Check]:
    """The twist about the bond of the centre to its one heavy neighbour."""
    if tau is None:
        return []
    axis_atom = at.heavy(center)[0]
    points = hydrogen_positions(at, center) if symmetry == 4 else []
    if 2 * len(points) != symmetry:
        points = hydrogen_positions(at, axis_atom, lone_pairs=True)
        points = points + [at.places[b] for b in at.heavy(axis_atom) if b != center]
        if not points:
            return []
    low, high = (None, -tau) if tau < 0 else (tau, None)
    if 2 * len(points) != symmetry:
        return [Check("tau", None, low, high, False)]
    place = at.places[center]
    axis = unit(sub(at.places[axis_atom], place))
    zero = scale(axis, 0.0)
    towards = perpendicular(sub(other, place), axis)
    smallest = min(angle(towards, zero, perpendicular(sub(point, place), axis)) for point in points)
    return [Check("tau", smallest, low, high, smallest <= -tau if tau < 0 else smallest >= tau)]

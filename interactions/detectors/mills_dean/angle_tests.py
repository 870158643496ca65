"""Angle tests that both sides of a pair share."""

from __future__ import annotations

from interactions.detectors.mills_dean.positions import hydrogen_positions
from interactions.points import Point, angle, cross, norm, perpendicular, scale, sub, unit
from interactions.surroundings import Surroundings


def theta_passes(donor: Point, acceptor: Point, hydrogens: list[Point], theta: float | None) -> bool:
    """Some angle donor-hydrogen-acceptor is wide enough; without hydrogens the test passes."""
    return theta is None or not hydrogens or any(angle(acceptor, h, donor) >= theta for h in hydrogens)


def phi_passes(
    plane: tuple[Point, ...] | None, base: Point | None, acceptor: Point, donor: Point, phi: float | None
) -> bool:
    """The angle base-acceptor-donor in the acceptor's plane."""
    if plane is None or base is None or phi is None:
        return True
    normal = cross(sub(plane[1], plane[0]), sub(plane[2], plane[0]))
    if norm(normal) == 0:
        return angle(base, acceptor, donor) >= phi
    normal = unit(normal)
    flat = [perpendicular(sub(p, plane[0]), normal) for p in (base, acceptor, donor)]
    return angle(*flat) >= phi


def tau_passes(at: Surroundings, center: int, other: Point, tau: float | None, symmetry: int) -> bool:
    """The twist about the bond of the centre to its one heavy neighbour."""
    if tau is None:
        return True
    axis_atom = at.heavy(center)[0]
    points = hydrogen_positions(at, center) if symmetry == 4 else []
    if 2 * len(points) != symmetry:
        points = hydrogen_positions(at, axis_atom, lone_pairs=True)
        points = points + [at.places[b] for b in at.heavy(axis_atom) if b != center]
        if not points:
            return True
        if 2 * len(points) != symmetry:
            return False
    place = at.places[center]
    axis = unit(sub(at.places[axis_atom], place))
    zero = scale(axis, 0.0)
    towards = perpendicular(sub(other, place), axis)
    twists = (angle(towards, zero, perpendicular(sub(point, place), axis)) for point in points)
    if tau < 0:
        return any(twist <= -tau for twist in twists)
    return all(twist >= tau for twist in twists)

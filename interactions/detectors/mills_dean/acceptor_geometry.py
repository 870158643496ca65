"""The acceptor's side of the geometry: may a donor at D bond to the acceptor from there?"""

from __future__ import annotations

from collections.abc import Iterator

from interactions.detectors.mills_dean.acceptors import Acceptor
from interactions.detectors.mills_dean.angle_tests import phi_checks, tau_checks, theta_checks
from interactions.detectors.mills_dean.checks import Check, all_wide, angles_at, reach_check
from interactions.detectors.mills_dean.limits import AcceptorLimits, Limits
from interactions.detectors.mills_dean.positions import lone_pair_positions
from interactions.points import Point, dot, mean, perpendicular, scale, sub, unit
from interactions.surroundings import Surroundings


def limits_for(acceptor: Acceptor, limits: Limits) -> AcceptorLimits:
    return (limits.generic_acceptors if acceptor.generic else limits.acceptors)[acceptor.name]


def acceptor_checks(
    at: Surroundings, atom: int, acceptor: Acceptor, limits: Limits, donor: Point, hydrogens: list[Point], sulfur: bool
) -> Iterator[Check]:
    """Tests in order. ``hydrogens``: those of the donor (§7); ``sulfur``: whether the donor is sulfur."""
    rule = limits_for(acceptor, limits)
    extra = limits.sulfur_distance if sulfur else 0.0
    if rule.test == "generic":
        return _generic(at, atom, rule, donor, extra)
    if rule.test == "theta_tau":
        return _theta_tau(at, atom, acceptor, rule, donor, hydrogens, extra)
    return _phi_theta(at, atom, acceptor, rule, donor, hydrogens, extra)


def _phi_theta(
    at: Surroundings,
    atom: int,
    acceptor: Acceptor,
    rule: AcceptorLimits,
    donor: Point,
    hydrogens: list[Point],
    extra: float,
) -> Iterator[Check]:
    place = at.places[atom]
    plane: tuple[Point, ...] | None
    base: Point | None
    if rule.test == "syn_anti":
        other, middle = (at.places[a] for a in acceptor.references)
        reach, phi, theta = rule.limits[:3] if _is_syn(place, middle, other, donor) else rule.limits[3:]
        plane, base = (place, middle, other), middle
    else:
        reach, phi, theta = rule.limits
        plane, base = _phi_psi_plane(at, atom, acceptor.references)
    yield from _within(place, donor, reach, extra)
    yield from phi_checks(plane, base, place, donor, phi)
    yield from theta_checks(donor, place, hydrogens, theta)


def _is_syn(place: Point, middle: Point, other: Point, donor: Point) -> bool:
    """Whether a donor is on the side of the other atom that is bonded to the middle one."""
    side = unit(perpendicular(sub(other, middle), unit(sub(middle, place))))
    return dot(sub(donor, place), side) > 0


def _within(a: Point, b: Point, reach: float | None, extra: float) -> list[Check]:
    return [] if reach is None else [reach_check("D-A", a, b, reach + extra)]


def _generic(at: Surroundings, atom: int, rule: AcceptorLimits, donor: Point, extra: float) -> Iterator[Check]:
    reach, smallest = rule.limits
    place = at.places[atom]
    yield from _within(place, donor, reach, extra)
    if smallest is not None:
        yield all_wide("D-A-X", angles_at(place, [at.places[b] for b in at.neighbours[atom]], donor), smallest)


def _theta_tau(
    at: Surroundings,
    atom: int,
    acceptor: Acceptor,
    rule: AcceptorLimits,
    donor: Point,
    hydrogens: list[Point],
    extra: float,
) -> Iterator[Check]:
    reach, low, high, theta = rule.limits
    place = at.places[atom]
    yield from _within(place, donor, reach, extra)
    if acceptor.references:
        partners = [at.places[acceptor.references[0]]]
    else:
        partners = [sub(scale(place, 2.0), pair) for pair in lone_pair_positions(at, atom)]
    yield _between("upsilon", angles_at(place, partners, donor), low or 0.0, abs(high or 0.0))
    yield from theta_checks(donor, place, hydrogens, theta)
    if rule.tau is not None:
        yield from tau_checks(at, atom, donor, rule.tau, rule.symmetry)


def _between(what: str, angles: list[float], low: float, high: float) -> Check:
    """Some angle lies between two limits; the one nearest to that is told."""
    nearest = min(angles, key=lambda a: max(low - a, a - high), default=None)
    return Check(what, nearest, low, high, nearest is not None and low <= nearest <= high)


def _phi_psi_plane(
    at: Surroundings, atom: int, references: tuple[int, ...]
) -> tuple[tuple[Point, ...] | None, Point | None]:
    place = at.places[atom]
    bonded = references or at.neighbours[atom][:2]
    if len(bonded) >= 2:
        first, second = (at.places[b] for b in bonded[:2])
        return (place, first, second), mean([first, second])
    if not bonded:
        return None, None
    base = at.places[bonded[0]]
    onward = [at.places[b] for b in at.neighbours[bonded[0]] if b != atom]
    if len(onward) == 1:
        return (place, base, onward[0]), base
    return ((place, *onward[:2]) if onward else None), base

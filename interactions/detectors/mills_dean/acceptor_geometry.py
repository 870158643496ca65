"""The acceptor's side of the geometry: may a donor at D bond to the acceptor from there?"""

from __future__ import annotations

from interactions.detectors.mills_dean.acceptors import Acceptor
from interactions.detectors.mills_dean.angle_tests import phi_passes, tau_passes, theta_passes
from interactions.detectors.mills_dean.limits import AcceptorLimits, Limits
from interactions.detectors.mills_dean.positions import lone_pair_positions
from interactions.points import (
    Point,
    angle,
    dot,
    mean,
    perpendicular,
    scale,
    squared_distance,
    sub,
    unit,
)
from interactions.surroundings import Surroundings


def limits_for(acceptor: Acceptor, limits: Limits) -> AcceptorLimits:
    return (limits.generic_acceptors if acceptor.generic else limits.acceptors)[acceptor.name]


def acceptor_passes(
    at: Surroundings, atom: int, acceptor: Acceptor, limits: Limits, donor: Point, hydrogens: list[Point], sulfur: bool
) -> bool:
    """``hydrogens``: those of the donor (§7); ``sulfur``: whether the donor is sulfur."""
    rule = limits_for(acceptor, limits)
    extra = limits.sulfur_distance if sulfur else 0.0
    place = at.places[atom]
    if rule.test == "generic":
        return _generic(at, atom, rule, donor, extra)
    if rule.test == "theta_tau":
        return _theta_tau(at, atom, acceptor, rule, donor, hydrogens, extra)
    if rule.test == "syn_anti":
        other, middle = (at.places[a] for a in acceptor.references)
        axis = unit(sub(middle, place))
        side = unit(perpendicular(sub(other, middle), axis))
        syn = dot(sub(donor, place), side) > 0
        reach, phi, theta = rule.limits[:3] if syn else rule.limits[3:]
        plane: tuple[Point, ...] | None = (place, middle, other)
        base: Point | None = middle
    else:
        reach, phi, theta = rule.limits
        plane, base = _phi_psi_plane(at, atom, acceptor.references)
    if not _within(place, donor, reach, extra):
        return False
    return phi_passes(plane, base, place, donor, phi) and theta_passes(donor, place, hydrogens, theta)


def _within(a: Point, b: Point, reach: float | None, extra: float) -> bool:
    return reach is None or squared_distance(a, b) <= (reach + extra) ** 2


def _generic(at: Surroundings, atom: int, rule: AcceptorLimits, donor: Point, extra: float) -> bool:
    reach, smallest = rule.limits
    place = at.places[atom]
    if not _within(place, donor, reach, extra):
        return False
    return smallest is None or all(angle(at.places[b], place, donor) >= smallest for b in at.neighbours[atom])


def _theta_tau(
    at: Surroundings,
    atom: int,
    acceptor: Acceptor,
    rule: AcceptorLimits,
    donor: Point,
    hydrogens: list[Point],
    extra: float,
) -> bool:
    reach, low, high, theta = rule.limits
    place = at.places[atom]
    if not _within(place, donor, reach, extra):
        return False
    if acceptor.references:
        partners = [at.places[acceptor.references[0]]]
    else:
        partners = [sub(scale(place, 2.0), pair) for pair in lone_pair_positions(at, atom)]
    if not any((low or 0) <= angle(p, place, donor) <= abs(high or 0) for p in partners):
        return False
    if not theta_passes(donor, place, hydrogens, theta):
        return False
    return rule.tau is None or tau_passes(at, atom, donor, rule.tau, rule.symmetry)


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

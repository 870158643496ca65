"""The donor's side of the geometry: may it bond to an acceptor there?"""

from __future__ import annotations

from interactions.chemistry.typing_tables import TYPE_INFO
from interactions.detectors.mills_dean.angle_tests import phi_passes, tau_passes, theta_passes
from interactions.detectors.mills_dean.donors import Donor
from interactions.detectors.mills_dean.limits import DonorLimits, Limits, Numbers
from interactions.detectors.mills_dean.positions import OTHER_HYDROGEN, lone_pair_positions
from interactions.points import Point, angle, mean, scale, squared_distance, sub
from interactions.surroundings import Surroundings


def acceptor_kind(at: Surroundings, atom: int) -> str | None:
    """How donors see an acceptor; None for a type outside the table, which none accepts."""
    info = TYPE_INFO.get(at.types[atom])
    if info is None:
        return None
    if at.elements[atom] == 8:
        return {"planar": "sp2_oxygen", "tetrahedral": "sp3_oxygen"}.get(info[0], "other")
    if at.elements[atom] == 7:
        return {"planar": "sp3_oxygen", "tetrahedral": "sp3_nitrogen"}.get(info[0], "other")
    return "other"


def donor_passes(
    at: Surroundings,
    atom: int,
    donor: Donor,
    limits: Limits,
    other: Surroundings,
    acceptor: int,
    hydrogens: list[Point],
) -> bool:
    rule = (limits.generic_donors if donor.generic else limits.donors)[donor.name]
    kind = acceptor_kind(other, acceptor)
    if kind is None:
        return False
    numbers = rule.by_kind[kind]
    if rule.form == "generic":
        return _generic(at, atom, numbers, limits, other, acceptor, hydrogens, kind)
    sulfur = kind == "other" and other.elements[acceptor] == 16
    extra = limits.sulfur_distance if sulfur else 0.0
    if rule.form == "upsilon_tau":
        return _upsilon_tau(at, atom, rule, numbers, other, acceptor, hydrogens, kind, extra)
    if rule.form == "water" and not hydrogens:
        reach = (numbers[0] or 0) + OTHER_HYDROGEN
        if kind == "other" or squared_distance(at.places[atom], other.places[acceptor]) > reach**2:
            return False
        return _theta_tau(at, atom, numbers, other, acceptor, hydrogens, kind, extra, skip_distance=True)
    return bool(hydrogens) and _theta_tau(at, atom, numbers, other, acceptor, hydrogens, kind, extra)


def _opposites(other: Surroundings, acceptor: int) -> list[Point]:
    """Lone pairs mirrored through the acceptor."""
    place = other.places[acceptor]
    return [sub(scale(place, 2.0), pair) for pair in lone_pair_positions(other, acceptor)]


def _upsilon_tau(
    at: Surroundings,
    atom: int,
    rule: DonorLimits,
    numbers: Numbers,
    other: Surroundings,
    acceptor: int,
    hydrogens: list[Point],
    kind: str,
    extra: float,
) -> bool:
    place, target = at.places[atom], other.places[acceptor]
    if kind == "sp3_nitrogen" and len(other.neighbours[acceptor]) >= 2:
        smallest = numbers[5] or 0
        if not any(angle(p, target, place) >= smallest for p in _opposites(other, acceptor)):
            return False
    reach, low, high, theta, tau = numbers[:5]
    if squared_distance(place, target) > ((reach or 0) + extra) ** 2:
        return False
    heavy = at.heavy(atom)
    if len(heavy) != 1:
        return False
    # A positive upper limit is ChimeraX's own sign: no angle is below its negative.
    if not (low or 0) <= angle(at.places[heavy[0]], place, target) <= -(high or 0):
        return False
    return theta_passes(place, target, hydrogens, theta) and tau_passes(at, atom, target, tau, rule.symmetry)


def _theta_tau(
    at: Surroundings,
    atom: int,
    numbers: Numbers,
    other: Surroundings,
    acceptor: int,
    hydrogens: list[Point],
    kind: str,
    extra: float,
    *,
    skip_distance: bool = False,
) -> bool:
    place, target = at.places[atom], other.places[acceptor]
    reach = (numbers[0] or 0) + extra
    if not skip_distance and not any(squared_distance(h, target) <= reach**2 for h in hydrogens):
        return False
    if kind == "sp3_oxygen":
        bonded = [other.places[b] for b in other.neighbours[acceptor]]
        if len(bonded) == 2 and not phi_passes((target, *bonded), mean(bonded), target, place, numbers[2]):
            return False
    if kind == "sp3_nitrogen":
        opposites = _opposites(other, acceptor)
        if opposites and not any(angle(place, target, p) > (numbers[2] or 0) for p in opposites):
            return False
    return theta_passes(place, target, hydrogens, numbers[1])


def _generic(
    at: Surroundings,
    atom: int,
    numbers: Numbers,
    limits: Limits,
    other: Surroundings,
    acceptor: int,
    hydrogens: list[Point],
    kind: str,
) -> bool:
    place, target = at.places[atom], other.places[acceptor]
    near, far = numbers[0] or 0, numbers[1] or 0
    if hydrogens:
        if not any(squared_distance(h, target) < near**2 for h in hydrogens):
            return False
    elif squared_distance(place, target) > far**2:
        return False
    smallest = limits.bonded_angle
    if kind == "other" and other.elements[acceptor] == 16:
        smallest -= limits.sulfur_angle
    if any(angle(at.places[b], place, target) < smallest for b in at.heavy(atom)):
        return False
    return not hydrogens or any(angle(place, h, target) >= limits.hydrogen_angle for h in hydrogens)

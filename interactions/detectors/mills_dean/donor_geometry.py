"""The donor's side of the geometry: may it bond to an acceptor there?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from interactions.chemistry.typing_tables import TYPE_INFO
from interactions.detectors.mills_dean.angle_tests import phi_checks, tau_checks, theta_checks
from interactions.detectors.mills_dean.checks import Check, all_wide, angles_at, reach_check, wide_enough
from interactions.detectors.mills_dean.donors import Donor
from interactions.detectors.mills_dean.limits import DonorLimits, Limits, Numbers
from interactions.detectors.mills_dean.positions import OTHER_HYDROGEN, lone_pair_positions
from interactions.points import Point, angle, distance, mean, scale, squared_distance, sub
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


def donor_checks(
    at: Surroundings,
    atom: int,
    donor: Donor,
    limits: Limits,
    other: Surroundings,
    acceptor: int,
    hydrogens: list[Point],
) -> Iterator[Check]:
    """Tests in order."""
    rule = (limits.generic_donors if donor.generic else limits.donors)[donor.name]
    kind = acceptor_kind(other, acceptor)
    if kind is None:
        return iter([Check("known type of acceptor", None, None, None, False)])
    numbers = rule.by_kind[kind]
    extra = limits.sulfur_distance if kind == "other" and other.elements[acceptor] == 16 else 0.0
    if rule.form == "generic":
        return _generic(at, atom, numbers, limits, other, acceptor, hydrogens, kind)
    if rule.form == "upsilon_tau":
        return _upsilon_tau(at, atom, rule, numbers, other, acceptor, hydrogens, kind, extra)
    near, target = numbers[0] or 0, other.places[acceptor]
    if hydrogens:
        first = [_nearest_hydrogen(hydrogens, target, near + extra)]
    elif rule.form == "water":
        known = Check("known kind of acceptor", None, None, None, kind != "other")
        first = [known, reach_check("D-A", at.places[atom], target, near + OTHER_HYDROGEN)]
    else:
        return iter([Check("hydrogen", None, None, None, False)])
    return chain(first, _angles(at, atom, numbers, other, acceptor, hydrogens, kind))


def _nearest_hydrogen(hydrogens: list[Point], target: Point, reach: float) -> Check:
    nearest = min(hydrogens, key=lambda h: squared_distance(h, target))
    return reach_check("H-A", nearest, target, reach)


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
) -> Iterator[Check]:
    place, target = at.places[atom], other.places[acceptor]
    if kind == "sp3_nitrogen" and len(other.neighbours[acceptor]) >= 2:
        yield wide_enough("lone pair", angles_at(target, _opposites(other, acceptor), place), numbers[5] or 0)
    reach, low, high, theta, tau = numbers[:5]
    yield reach_check("D-A", place, target, (reach or 0) + extra)
    heavy = at.heavy(atom)
    if len(heavy) != 1:
        yield Check("heavy neighbours of the donor", float(len(heavy)), 1.0, 1.0, False)
        return
    # A positive upper limit is ChimeraX's own sign: no angle is below its negative.
    upsilon, least, most = angle(at.places[heavy[0]], place, target), low or 0.0, -(high or 0.0)
    yield Check("upsilon", upsilon, least, most, least <= upsilon <= most)
    yield from theta_checks(place, target, hydrogens, theta)
    yield from tau_checks(at, atom, target, tau, rule.symmetry)


def _angles(
    at: Surroundings,
    atom: int,
    numbers: Numbers,
    other: Surroundings,
    acceptor: int,
    hydrogens: list[Point],
    kind: str,
) -> Iterator[Check]:
    place, target = at.places[atom], other.places[acceptor]
    if kind == "sp3_oxygen":
        bonded = [other.places[b] for b in other.neighbours[acceptor]]
        if len(bonded) == 2:
            yield from phi_checks((target, *bonded), mean(bonded), target, place, numbers[2])
    if kind == "sp3_nitrogen":
        opposites = _opposites(other, acceptor)
        if opposites:
            least = numbers[2] or 0.0
            widest = max(angles_at(target, opposites, place))
            yield Check("lone pair", widest, least, None, widest > least)
    yield from theta_checks(place, target, hydrogens, numbers[1])


def _generic(
    at: Surroundings,
    atom: int,
    numbers: Numbers,
    limits: Limits,
    other: Surroundings,
    acceptor: int,
    hydrogens: list[Point],
    kind: str,
) -> Iterator[Check]:
    place, target = at.places[atom], other.places[acceptor]
    near, far = numbers[0] or 0, numbers[1] or 0
    if hydrogens:
        nearest = min(hydrogens, key=lambda h: squared_distance(h, target))
        yield Check("H-A", distance(nearest, target), None, near, squared_distance(nearest, target) < near**2)
    else:
        yield reach_check("D-A", place, target, far)
    smallest = limits.bonded_angle
    if kind == "other" and other.elements[acceptor] == 16:
        smallest -= limits.sulfur_angle
    yield all_wide("X-D-A", angles_at(place, [at.places[b] for b in at.heavy(atom)], target), smallest)
    if hydrogens:
        yield wide_enough("D-H-A", [angle(place, h, target) for h in hydrogens], limits.hydrogen_angle)

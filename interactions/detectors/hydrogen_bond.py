"""Hydrogen bonds by ranges of distances and angles: the rule of most tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from interactions.chemistry.hydrogens import Hydrogens
from interactions.contact import HydrogenBond
from interactions.criteria import Limit, Profile, Section
from interactions.detectors.measures import HEAVY, UNITS, Pair, value_of
from interactions.detectors.roles import Role, role
from interactions.environment import Atom, Environment
from interactions.features import metals
from interactions.neighbours import within
from interactions.points import Point, angle, distance

KIND = "hydrogen_bond"
LIMITS = UNITS
_POLAR = frozenset({7, 8, 9, 16, 17, 35, 53})
_HYDROGEN_LENGTH = 1.4  # Å, no polar hydrogen is farther from its donor
_VDW_REACH = 1.2 + 2.0  # Å, hydrogen and the largest acceptor
_NITROGEN = 7
_METAL_REACH = 2.8  # Å: a nitrogen so near a metal has given its lone pair away


@dataclass(frozen=True)
class Rules:
    """A profile's hydrogen-bond section, ready for use."""

    heavy: tuple[Limit, ...]
    hydrogen: tuple[Limit, ...]
    donates: Role
    accepts: Role
    needs_hydrogens: bool
    reach: float  # Å, donor to acceptor
    sulfur: Limit | None  # replaces the D-A limit where donor or acceptor is sulfur

    def heavy_limits(self, pair: Pair) -> tuple[Limit, ...]:
        if self.sulfur is None or 16 not in (pair.env.element(pair.donor), pair.env.element(pair.acceptor)):
            return self.heavy
        return tuple(self.sulfur if limit.quantity == "distance_da" else limit for limit in self.heavy)


@lru_cache(maxsize=64)
def rules_of(profile: Profile) -> Rules:
    section = profile.sections[KIND]
    limits = section.limits["limits"]
    return Rules(
        heavy=tuple(limit for limit in limits if limit.quantity in HEAVY),
        hydrogen=tuple(limit for limit in limits if limit.quantity not in HEAVY),
        donates=role(profile.tables[KIND]["donors"]),
        accepts=role(profile.tables[KIND]["acceptors"]),
        needs_hydrogens=profile.hydrogens == "needed",
        reach=_reach(section),
        sulfur=next(iter(section.limits.get("sulfur", ())), None),
    )


def _reach(section: Section) -> float:
    edges = []
    for form, extra in (("distance_da", 0.0), ("distance_ha", _HYDROGEN_LENGTH)):
        edges += [found.high + extra for name in ("limits", "sulfur") if (found := section.of(form, name)) is not None]
    overlap = section.of("overlap_ha")
    if overlap is not None:
        edges.append(overlap.high + _VDW_REACH + _HYDROGEN_LENGTH)
    if section.of("cone") is not None:
        edges.append(3.3)
    da = section.of("distance_da")
    return da.high if da is not None and "sulfur" not in section.limits else max(edges)


def find(env: Environment, profile: Profile) -> list[HydrogenBond]:
    """Bonds across the border of the ligand, solvent included, each unordered pair once.

    Where a pair passes both ways, the way with hydrogens in the file, then the wider D-H-A angle is kept.
    """
    rules = rules_of(profile)
    best: dict[frozenset[Atom], tuple[tuple[bool, float], HydrogenBond]] = {}
    for pair in pairs(env, rules):
        passing = test(pair, rules)
        if passing is None:
            continue
        bond, key = _bond(pair), frozenset((pair.donor, pair.acceptor))
        merit = (bond.source == "given", passing.angle or 0.0)
        if key in best:
            both = best[key][1] if best[key][0] >= merit else bond
            best[key] = max(best[key][0], merit), replace(both, both_ways=True)
        else:
            best[key] = merit, bond
    found = [bond for _, bond in best.values()]
    options = profile.sections[KIND].options
    if options.get("without_water"):
        found = [bond for bond in found if not env.is_solvent(bond.donor) and not env.is_solvent(bond.acceptor)]
    if options.get("not_in_salt_bridge"):
        found = _outside_salt_bridges(env, profile, found)
    if options.get("best_per_donor"):
        found = _best_per_donor(env, found, {bond: merit for merit, bond in best.values()})
    return sorted(found, key=lambda bond: (env.rank(bond.donor), env.rank(bond.acceptor)))


def pairs(env: Environment, rules: Rules) -> Iterator[Pair]:
    """Donor and acceptor by their roles, one on each side, within reach."""
    here, there = ([atom for atom in env.atoms[side] if env.element(atom) in _POLAR] for side in (True, False))
    rows, columns, _ = within(env.places(here), env.places(there), rules.reach)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        for donor, acceptor in ((here[row], there[column]), (there[column], here[row])):
            if is_donor(env, donor, rules) and is_acceptor(env, acceptor, rules):
                yield Pair(env, donor, acceptor)


def is_donor(env: Environment, atom: Atom, rules: Rules) -> bool:
    """By the scheme, with a hydrogen in the file or room for one; a nitrogen on a metal never donates."""
    hydrogens = env.hydrogens(atom)
    if hydrogens.source == "none" or not rules.donates(env, atom):
        return False
    return hydrogens.source == "given" or not (env.element(atom) == _NITROGEN and on_metal(env, atom))


def is_acceptor(env: Environment, atom: Atom, rules: Rules) -> bool:
    return rules.accepts(env, atom)


def on_metal(env: Environment, atom: Atom) -> bool:
    place = env.place(atom)
    ions = (group.centre for side in (True, False) for group in metals(env, side))
    return any(distance(place, ion) <= _METAL_REACH for ion in ions)


@dataclass(frozen=True)
class Passing:
    """The place of the hydrogen that a pair passes with; None where the criteria do without."""

    place: Point | None
    angle: float | None


def test(pair: Pair, rules: Rules) -> Passing | None:
    """How a pair passes, or None."""
    if not all(holds(limit, pair, None) for limit in rules.heavy_limits(pair)):
        return None
    hydrogens = pair.env.hydrogens(pair.donor)
    places = places_to_test(pair, hydrogens, rules)
    if not places or not rules.hydrogen:
        return None if rules.needs_hydrogens and not places else Passing(None, None)
    passing = [h for h in places if all(holds(limit, pair, h) for limit in rules.hydrogen)]
    if not passing:
        return None
    nearest = min(passing, key=lambda h: distance(h, pair.a))
    return Passing(nearest, angle(pair.d, nearest, pair.a))


def places_to_test(pair: Pair, hydrogens: Hydrogens, rules: Rules) -> tuple[Point, ...]:
    """Where the hydrogen may be. Of a rotor the place nearest to the acceptor, where every limit but those at the
    acceptor is met best, and where its circle leaves the half-space that an angle of 90° at the acceptor allows."""
    places = hydrogens.candidates(pair.d, pair.a)
    if hydrogens.rotor is not None and any(limit.quantity == "angle_haa" for limit in rules.hydrogen):
        for base in pair.around_acceptor:
            normal = (base[0] - pair.a[0], base[1] - pair.a[1], base[2] - pair.a[2])
            places += tuple(hydrogens.rotor.crossings(pair.a, normal))
    return places


# An angle at the very edge is not lost to rounding where a rotor's place was computed to lie there.
_ROUNDING = 1e-6


def holds(limit: Limit, pair: Pair, h: Point | None) -> bool:
    """Whether a limit holds; one that the pair has no value for does."""
    value = value_of(limit, pair, h)
    if value is None:
        return True
    return value in limit.within or (limit.quantity == "angle_haa" and abs(limit.within.margin(value)) < _ROUNDING)


def _bond(pair: Pair) -> HydrogenBond:
    env = pair.env
    hydrogens = env.hydrogens(pair.donor)
    at = env.models[pair.donor[0]]
    nearest = min(hydrogens.given, key=lambda h: (distance(at.places[h], pair.a), h), default=None)
    return HydrogenBond(
        donor=pair.donor,
        acceptor=pair.acceptor,
        hydrogen=nearest,
        distance_da=pair.distance_da,
        distance_ha=None if nearest is None else distance(at.places[nearest], pair.a),
        angle_dha=None if nearest is None else angle(pair.d, at.places[nearest], pair.a),
        strict=None,
        source=hydrogens.source,
    )


def _outside_salt_bridges(env: Environment, profile: Profile, found: list[HydrogenBond]) -> list[HydrogenBond]:
    """Bonds whose two atoms do not also face each other in a salt bridge."""
    from interactions.detectors import salt_bridge

    if salt_bridge.KIND not in profile.sections:
        return found
    bridged = {
        frozenset((a, b))
        for contact in salt_bridge.find(env, profile.sections[salt_bridge.KIND])
        for a in contact.receptor
        for b in contact.ligand
    }
    return [bond for bond in found if frozenset((bond.donor, bond.acceptor)) not in bridged]


def _best_per_donor(
    env: Environment, found: list[HydrogenBond], merits: dict[HydrogenBond, tuple[bool, float]]
) -> list[HydrogenBond]:
    """Of a donor's bonds the one with the widest angle; a tie goes to the nearer, then the first acceptor."""
    best: dict[Atom, HydrogenBond] = {}
    order = sorted(found, key=lambda b: (-merits.get(b, (False, 0.0))[1], b.distance_da, env.rank(b.acceptor)))
    for bond in order:
        best.setdefault(bond.donor, bond)
    return list(best.values())

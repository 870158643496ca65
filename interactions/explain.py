"""Why a pair is or is not a hydrogen bond: every limit tested, its value, bound and margin, and a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from interactions.chemistry.elements import SYMBOLS
from interactions.complex import Complex
from interactions.criteria import Profile
from interactions.detectors import hydrogen_bond
from interactions.detectors.hydrogen_bond import Rules, rules_of
from interactions.detectors.measures import HEAVY, Pair, value_of
from interactions.detectors.mills_dean.checks import Check as Tested
from interactions.detectors.mills_dean.find import Search, search_in
from interactions.environment import Atom, Environment
from interactions.interval import Interval
from interactions.neighbours import within
from interactions.points import Point, distance
from interactions.records import Record, atom_record

# What chemists call the quantities.
NAMES = {
    "distance_da": "D–A",
    "distance_ha": "H–A",
    "distance_dh": "D–H",
    "angle_dha": "D–H–A",
    "angle_hda": "H–D–A",
    "angle_daa": "D–A–X",
    "angle_haa": "H–A–X",
    "overlap_ha": "H–A beyond the van der Waals sum",
    "cone": "D–A beyond the cone",
    "donor_deviation": "deviation at the donor",
    "acceptor_deviation": "deviation at the acceptor",
    "donor_out_of_plane": "out of the donor's plane",
    "acceptor_out_of_plane": "out of the acceptor's plane",
    "D-A": "D–A",
    "H-A": "H–A",
    "D-H-A": "D–H–A",
    "X-D-A": "X–D–A",
    "D-A-X": "D–A–X",
    "D-A-metal": "D–A–metal",
}
_LENGTHS = frozenset({"D-A", "H-A"})
NEAR_DISTANCE, NEAR_ANGLE = 0.1, 5.0  # Å, degrees
MISS_DISTANCE, MISS_ANGLE = 0.5, 25.0  # Å, degrees: a pair that fails by more is no near miss


@dataclass(frozen=True)
class Check:
    """One limit. ``margin``: how far inside (positive) or outside (negative) the value lies; None without a value."""

    what: str
    value: float | None
    within: Interval
    unit: str
    holds: bool

    @property
    def margin(self) -> float | None:
        return None if self.value is None else self.within.margin(self.value)

    @property
    def is_near(self) -> bool:
        """Whether the value lies near the limit, on either side."""
        return self.margin is not None and abs(self.margin) < (NEAR_DISTANCE if self.unit == "Å" else NEAR_ANGLE)

    @property
    def fails_narrowly(self) -> bool:
        most = MISS_DISTANCE if self.unit == "Å" else MISS_ANGLE
        return not self.holds and self.margin is not None and -self.margin <= most


@dataclass(frozen=True)
class Explanation:
    """A donor, an acceptor, the verdict and its reasons; ``why_not`` where a role is missing or the tool picks another
    bond, in words."""

    donor: Atom
    acceptor: Atom
    bond: bool
    checks: tuple[Check, ...]
    why_not: str = ""

    @property
    def is_near_miss(self) -> bool:
        failed = [check for check in self.checks if not check.holds]
        return not self.bond and bool(failed) and all(check.fails_narrowly for check in failed)


def explain(env: Environment, profile: Profile, donor: Atom, acceptor: Atom) -> Explanation:
    """Why two heavy atoms are or are not a hydrogen bond, in this direction."""
    if profile.detector == "mills_dean":
        return _by_classes(env, search_in(env, profile), donor, acceptor)
    return _by_ranges(env, profile, donor, acceptor)


def explain_all(env: Environment, profile: Profile, reach: float = 5.0) -> Iterator[Explanation]:
    """Explanations of all donor-acceptor pairs across the border of the ligand within ``reach`` Å; pairs of atoms that
    have not the roles are left out."""
    polar = {side: [a for a in env.atoms[side] if env.element(a) in (7, 8, 9, 16)] for side in (False, True)}
    search = search_in(env, profile) if profile.detector == "mills_dean" else None
    rows, columns, _ = within(env.places(polar[False]), env.places(polar[True]), reach)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        here, there = polar[False][row], polar[True][column]
        for donor, acceptor in ((here, there), (there, here)):
            if search is not None:
                found = _by_classes(env, search, donor, acceptor)
            else:
                found = _by_ranges(env, profile, donor, acceptor)
            if found.bond or not found.why_not:
                yield found


def _by_classes(env: Environment, search: Search, donor: Atom, acceptor: Atom) -> Explanation:
    donates, accepts = search.donor(donor), search.acceptor(acceptor)
    if donates is None or accepts is None:
        why = _no_donor(env, donor) if donates is None else _no_acceptor(env, acceptor)
        return Explanation(donor, acceptor, False, (), why)
    tested = [
        *search.acceptor_checks(donor, acceptor, search.limits),
        *search.donor_checks(donor, acceptor, search.limits),
        *search.metal_checks(donor, acceptor, search.limits),
    ]
    checks = tuple(_tightest(tested))
    return Explanation(donor, acceptor, all(check.holds for check in checks), checks)


def _tightest(tested: list[Tested]) -> Iterator[Check]:
    """Donor and acceptor may both limit a quantity: each is told once, by its tightest limit."""
    best: dict[str, Check] = {}
    for one in tested:
        edges = Interval(-inf if one.low is None else one.low, inf if one.high is None else one.high)
        check = Check(one.what, one.value, edges, "Å" if one.what in _LENGTHS else "°", one.holds)
        known = best.get(one.what)
        if known is None or (check.margin or 0.0) < (known.margin or 0.0):
            best[one.what] = check
    yield from best.values()


def _by_ranges(env: Environment, profile: Profile, donor: Atom, acceptor: Atom) -> Explanation:
    rules = rules_of(profile)
    if not hydrogen_bond.is_donor(env, donor, rules):
        return Explanation(donor, acceptor, False, (), _no_donor(env, donor))
    if not hydrogen_bond.is_acceptor(env, acceptor, rules):
        return Explanation(donor, acceptor, False, (), _no_acceptor(env, acceptor))
    pair = Pair(env, donor, acceptor)
    places = hydrogen_bond.places_to_test(pair, env.hydrogens(donor), rules)
    options: list[Point | None] = list(places) or [None]
    tried = [_checks(pair, rules, h) for h in options]
    nearest = [0.0 if h is None else distance(h, pair.a) for h in options]
    best = min(range(len(tried)), key=lambda i: (sum(not c.holds for c in tried[i]), nearest[i]))
    if rules.needs_hydrogens and not places:
        why = "the place of its hydrogen cannot be told"
        return Explanation(donor, acceptor, False, tried[best], why)
    passes = all(check.holds for check in tried[best])
    if passes and not _is_kept(env, profile, donor, acceptor):
        why = "within every limit, but the tool keeps another bond of these atoms or a salt bridge instead"
        return Explanation(donor, acceptor, False, tried[best], why)
    return Explanation(donor, acceptor, passes, tried[best])


def _is_kept(env: Environment, profile: Profile, donor: Atom, acceptor: Atom) -> bool:
    """Whether the pair outlives the tool's choice among its bonds, in either direction."""
    key = (f"bonds {profile.digest}", False)
    if key not in env.memo:
        env.memo[key] = {frozenset((b.donor, b.acceptor)) for b in hydrogen_bond.find(env, profile)}
    return frozenset((donor, acceptor)) in env.memo[key]


def _checks(pair: Pair, rules: Rules, h: Point | None) -> tuple[Check, ...]:
    found = []
    for limit in (*rules.heavy_limits(pair), *rules.hydrogen):
        value = value_of(limit, pair, None if limit.quantity in HEAVY else h)
        holds = hydrogen_bond.holds(limit, pair, None if limit.quantity in HEAVY else h)
        found.append(Check(limit.quantity, value, limit.within, limit.unit, holds))
    return tuple(found)


def _no_donor(env: Environment, atom: Atom) -> str:
    if env.element(atom) not in (7, 8, 16):
        return f"not a donor: {SYMBOLS[env.element(atom)]}"
    if env.hydrogens(atom).source == "none":
        return f"not a donor: type {env.kind(atom)} with {len(env.heavy(atom))} heavy neighbours has no hydrogen"
    if hydrogen_bond.on_metal(env, atom):
        return "not a donor: it holds a metal"
    return f"not a donor: type {env.kind(atom)} is none of the criteria"


def _no_acceptor(env: Environment, atom: Atom) -> str:
    return f"not an acceptor: type {env.kind(atom)} with {len(env.heavy(atom))} heavy neighbours"


def record(complex_: Complex, found: Explanation) -> Record:
    """An explanation as a plain record."""
    return {
        "donor": atom_record(complex_, *found.donor),
        "acceptor": atom_record(complex_, *found.acceptor),
        "bond": found.bond,
        "why_not": found.why_not or None,
        "checks": [
            {
                "quantity": check.what,
                "value": None if check.value is None else round(check.value, 4 if check.unit == "Å" else 3),
                "within": str(check.within),
                "unit": check.unit,
                "margin": None if check.margin is None else round(check.margin, 4 if check.unit == "Å" else 3),
                "holds": check.holds,
            }
            for check in found.checks
        ],
        "sentence": sentence(complex_, found),
    }


def sentence(complex_: Complex, found: Explanation) -> str:
    """As a chemist would write: ``LYS 47 NZ … O2A: no bond, D–A 4.21 Å exceeds 3.57 Å by 0.64 Å``."""
    head = f"{_name(complex_, found.donor)} … {_name(complex_, found.acceptor)}"
    if found.why_not:
        return f"{head}: no bond, {found.why_not}"
    if found.bond:
        return f"{head}: hydrogen bond, {', '.join(filter(None, map(_met, found.checks)))}"
    return f"{head}: no bond, {', '.join(_missed(check) for check in found.checks if not check.holds)}"


def _name(complex_: Complex, atom: Atom) -> str:
    at = atom_record(complex_, *atom)
    if at["side"] == "ligand":
        return str(at["atom_name"])
    place = (at["residue_name"], f"{at['residue_number']}{at['insertion_code']}", at["atom_name"], at["chain"])
    return " ".join(filter(None, place))


def _met(check: Check) -> str:
    if check.value is None:
        return ""
    return f"{NAMES.get(check.what, check.what)} {_number(check.value, check.unit)} within {_bounds(check)}"


def _bounds(check: Check) -> str:
    low, high = check.within.low, check.within.high
    if low in (-inf, 0.0):
        return f"{_number(high, check.unit)}"
    if high in (inf, 180.0):
        return f"at least {_number(low, check.unit)}"
    return f"{_number(low, check.unit)} to {_number(high, check.unit)}"


def _missed(check: Check) -> str:
    name = NAMES.get(check.what, check.what)
    if check.value is None or check.margin is None:
        return f"no {name} to measure"
    over = check.value >= check.within.high
    edge = check.within.high if over else check.within.low
    verb = "exceeds" if over else "is below"
    value, limit, by = (_number(x, check.unit) for x in (check.value, edge, -check.margin))
    return f"{name} {value} {verb} {limit} by {by}"


def _number(value: float, unit: str) -> str:
    return f"{value:.2f} Å" if unit == "Å" else f"{value:.1f}°"

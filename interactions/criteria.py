"""Criteria profiles: named sets of limits, as data in ``profiles/``."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from math import inf
from typing import Any

from interactions.errors import InputError, UnknownName
from interactions.interval import Interval, interval

HEADER = frozenset({"name", "detector", "source", "hydrogens", "contacts", "relaxation", "lengths", "radii"})
# Tables of the detector mills_dean, which reads its numbers by itself.
MILLS_DEAN = frozenset(
    {"metals", "sulfur", "acceptors", "generic_acceptors", "donors", "generic_donors", "other_acceptors"}
    | {"generic_angles"}
)
DETECTORS = ("mills_dean", "range")
ROLES = ("donors", "acceptors")
HYDROGENS = ("needed", "used", "ignored")


@dataclass(frozen=True)
class Limit:
    """One tested quantity: its interval, unit and where the number comes from."""

    quantity: str
    within: Interval
    unit: str
    source: str


@dataclass(frozen=True)
class Section:
    """What a profile says of one contact kind; a kind with forms has limits for each, as ``parallel``."""

    limits: Mapping[str, tuple[Limit, ...]]
    options: Mapping[str, Any]

    def of(self, quantity: str, form: str = "limits") -> Interval | None:
        return next((limit.within for limit in self.limits.get(form, ()) if limit.quantity == quantity), None)


@dataclass(frozen=True)
class Profile:
    """A criteria set; the slops (Å, degrees) are what ``mills_dean`` relaxes its limits by."""

    name: str
    digest: str
    distance_slop: float
    angle_slop: float
    detector: str = "mills_dean"
    source: str = ""
    hydrogens: str = "used"
    contacts: str = ""  # the profile that contacts come from which this one does not have
    sections: Mapping[str, Section] = field(default_factory=dict, repr=False, compare=False)
    tables: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


def names() -> tuple[str, ...]:
    """Names of the profiles that come with the library."""
    found = (entry.name for entry in files("interactions.profiles").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cache
def load(name: str) -> Profile:
    """A profile by name. Raises UnknownName, which lists the known ones."""
    if name not in names():
        raise UnknownName("criteria", name, names())
    return parse(tomllib.loads((files("interactions.profiles") / f"{name}.toml").read_text("utf-8")))


def parse(tables: Mapping[str, Any]) -> Profile:
    """A profile from its tables. Raises InputError (``bad_criteria``) that names the wrong part."""
    missing = {"name", "detector"} - tables.keys()
    if missing:
        raise _bad(f"criteria without {', '.join(sorted(missing))}")
    name = str(tables["name"])
    detector, hydrogens = str(tables["detector"]), str(tables.get("hydrogens", "used"))
    if detector not in DETECTORS or hydrogens not in HYDROGENS:
        raise _bad(f"criteria {name}: detector is one of {DETECTORS}, hydrogens one of {HYDROGENS}")
    own = HEADER | (MILLS_DEAN if detector == "mills_dean" else frozenset())
    sections = {kind: _section(name, kind, table) for kind, table in tables.items() if kind not in own}
    relaxation = _relaxation(name, tables, detector)
    if detector == "range":
        _check_range(name, sections.get("hydrogen_bond"))
    content = json.dumps(tables, sort_keys=True, separators=(",", ":"))
    return Profile(
        name=name,
        digest=sha256(content.encode()).hexdigest(),
        distance_slop=relaxation[0],
        angle_slop=relaxation[1],
        detector=detector,
        source=str(tables.get("source", "")),
        hydrogens=hydrogens,
        contacts=str(tables.get("contacts", "")),
        sections=sections,
        tables=tables,
    )


def _bad(message: str) -> InputError:
    return InputError(message, code="bad_criteria")


def _check_range(name: str, section: Section | None) -> None:
    if section is None or not section.limits.get("limits"):
        raise _bad(f"criteria {name}: detector 'range' needs a table [hydrogen_bond.limits]")
    if any(role not in section.options for role in ROLES):
        raise _bad(f"criteria {name}: [hydrogen_bond] needs donors and acceptors, as {{ scheme = 'elements', … }}")


def _relaxation(name: str, tables: Mapping[str, Any], detector: str) -> tuple[float, float]:
    if detector == "range":
        return 0.0, 0.0
    try:
        relaxation = tables["relaxation"]
        return float(relaxation["distance"]), float(relaxation["angle"])
    except (KeyError, TypeError, ValueError) as error:
        raise _bad(f"criteria {name}: [relaxation] needs distance (Å) and angle (°)") from error


def _section(name: str, kind: str, table: Any) -> Section:
    from interactions.detectors import LIMITS

    if kind not in LIMITS or not isinstance(table, Mapping):
        raise _bad(f"criteria {name}: unknown table [{kind}]; known: {', '.join(sorted(LIMITS))}")
    forms = {key: rows for key, rows in table.items() if isinstance(rows, Mapping) and key not in ROLES}
    limits = {
        form: tuple(_limit(name, kind, quantity, entry) for quantity, entry in rows.items())
        for form, rows in forms.items()
    }
    return Section(limits, {key: value for key, value in table.items() if key not in forms})


def _limit(name: str, kind: str, quantity: str, entry: Any) -> Limit:
    from interactions.detectors import LIMITS

    known = LIMITS[kind]
    if quantity not in known:
        raise _bad(f"criteria {name}: [{kind}] has no quantity {quantity!r}; known: {', '.join(sorted(known))}")
    if not isinstance(entry, Mapping) or not {"within", "unit"} <= entry.keys():
        raise _bad(f"criteria {name}: [{kind}] {quantity} needs within and unit, as {{ within = '[0, 3.5]', … }}")
    if entry["unit"] != known[quantity]:
        raise _bad(f"criteria {name}: [{kind}] {quantity} is in {known[quantity] or 'no unit'}, not {entry['unit']!r}")
    return Limit(quantity, interval(entry["within"]), str(entry["unit"]), str(entry.get("source", "")))


def section_of(profile: Profile, kind: str) -> tuple[Section, Profile] | None:
    """A profile's limits for a contact kind, its own or those of the profile it names for contacts, and whose."""
    if kind in profile.sections:
        return profile.sections[kind], profile
    return section_of(load(profile.contacts), kind) if profile.contacts else None


def with_slops(profile: Profile, distance_slop: float | None = None, angle_slop: float | None = None) -> Profile:
    """The same limits with other tolerances (Å, degrees); None keeps the profile's.

    Raises InputError (``bad_tolerance``) for a tolerance that is negative or not finite.
    """
    for slop in (distance_slop, angle_slop):
        if slop is not None and not 0 <= slop < inf:
            raise InputError(f"a tolerance must be a finite number, 0 or more; got {slop}", code="bad_tolerance")
    if distance_slop is None and angle_slop is None:
        return profile
    return _with_slops(
        profile,
        profile.distance_slop if distance_slop is None else distance_slop,
        profile.angle_slop if angle_slop is None else angle_slop,
    )


@lru_cache(maxsize=256)
def _with_slops(profile: Profile, distance_slop: float, angle_slop: float) -> Profile:
    return replace(profile, distance_slop=distance_slop, angle_slop=angle_slop)

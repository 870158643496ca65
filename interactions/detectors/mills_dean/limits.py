"""The profile's numbers with tolerances applied; distances squared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from interactions.criteria import Profile
from interactions.detectors.mills_dean.acceptors import SULFUR_CLASSES
from interactions.structure import Floats

Numbers = tuple[float | None, ...]
# Below this a positive number is a distance (Å), from it on an angle.
_FIRST_ANGLE = 7.5
_ROUNDING = 1e-9


@dataclass(frozen=True)
class AcceptorLimits:
    test: str
    limits: Numbers
    lone_pair: bool = False
    tau: float | None = None
    symmetry: int = 0

    @property
    def distances(self) -> list[float]:
        """The D-A limits among the numbers: syn and anti, or one."""
        places = (0, 3) if self.test == "syn_anti" else (0,)
        return [self.limits[place] or 0.0 for place in places]


@dataclass(frozen=True)
class DonorLimits:
    form: str
    symmetry: int
    by_kind: Mapping[str, Numbers]


@dataclass(frozen=True)
class Limits:
    acceptors: Mapping[str, AcceptorLimits]
    generic_acceptors: Mapping[str, AcceptorLimits]
    donors: Mapping[str, DonorLimits]
    generic_donors: Mapping[str, DonorLimits]
    metal_distance: float
    metal_angle: float
    sulfur_distance: float
    sulfur_angle: float
    hydrogen_angle: float
    bonded_angle: float

    @cached_property
    def farthest(self) -> Floats:
        """Squared distances (Å²) beyond which no acceptor's test passes, by whether donor and acceptor are sulfur."""
        of_acceptors = np.array([self.reach(sulfur=False), self.reach(sulfur=True)])
        found: Floats = (of_acceptors + np.array([[0.0], [self.sulfur_distance]]) + _ROUNDING) ** 2
        return found

    def reach(self, *, sulfur: bool) -> float:
        """Largest D-A distance (Å) at which any acceptor, of sulfur or of other elements, takes a donor."""
        rules = {**self.acceptors, **self.generic_acceptors}
        return max(max(rule.distances) for name, rule in rules.items() if (name in SULFUR_CLASSES) == sulfur)


def relax(number: float | str, distance_slop: float, angle_slop: float) -> float | None:
    """One number with its tolerance; distances stay Å."""
    if isinstance(number, str):
        return None
    if 0 < number < _FIRST_ANGLE:
        return number + distance_slop
    return max(number - angle_slop, -180.0 if number < 0 else 0.0)


@lru_cache(maxsize=32)
def limits_of(profile: Profile) -> Limits:
    tables = profile.tables
    slops = profile.distance_slop, profile.angle_slop

    def row(numbers: list[float | str]) -> Numbers:
        return tuple(relax(number, *slops) for number in numbers)

    def acceptor(entry: Mapping[str, Any]) -> AcceptorLimits:
        return AcceptorLimits(
            entry["test"],
            row(entry["limits"]),
            entry.get("lone_pair", False),
            entry.get("tau"),
            entry.get("symmetry", 0),
        )

    other = tables["other_acceptors"]

    def donor(entry: Mapping[str, Any]) -> DonorLimits:
        kinds = {kind: row(entry[kind]) for kind in ("sp2_oxygen", "sp3_oxygen", "sp3_nitrogen")}
        kinds["other"] = row(entry["other"] if "other" in entry else other[entry["form"]])
        return DonorLimits(entry["form"], entry.get("symmetry", 0), kinds)

    bonded, hydrogen = tables["generic_angles"]["bonded"], tables["generic_angles"]["hydrogen"]
    return Limits(
        acceptors={name: acceptor(entry) for name, entry in tables["acceptors"].items()},
        generic_acceptors={name: acceptor(entry) for name, entry in tables["generic_acceptors"].items()},
        donors={name: donor(entry) for name, entry in tables["donors"].items()},
        generic_donors={name: donor(entry) for name, entry in tables["generic_donors"].items()},
        metal_distance=tables["metals"]["distance"],
        metal_angle=tables["metals"]["angle"],
        sulfur_distance=tables["sulfur"]["distance"],
        sulfur_angle=tables["sulfur"]["angle"],
        hydrogen_angle=max(hydrogen - profile.angle_slop, 0.0),
        bonded_angle=max(bonded - profile.angle_slop, 0.0),
    )

"""Criteria profiles: named sets of limits, as data in ``profiles/``."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import inf
from typing import Any

from interactions.errors import InputError, UnknownName


@dataclass(frozen=True)
class Profile:
    """A criteria set; the slops (Å, degrees) are what its limits are relaxed by."""

    name: str
    digest: str
    distance_slop: float
    angle_slop: float
    tables: Mapping[str, Any] = field(repr=False, compare=False)


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
    """A profile from its tables. Raises InputError (``bad_criteria``) for a missing part."""
    missing = {"name", "detector", "relaxation"} - tables.keys()
    if missing:
        raise InputError(f"criteria without {', '.join(sorted(missing))}", code="bad_criteria")
    content = json.dumps(tables, sort_keys=True, separators=(",", ":"))
    relaxation = tables["relaxation"]
    return Profile(
        name=str(tables["name"]),
        digest=sha256(content.encode()).hexdigest(),
        distance_slop=float(relaxation["distance"]),
        angle_slop=float(relaxation["angle"]),
        tables=tables,
    )


def with_slops(profile: Profile, distance_slop: float | None = None, angle_slop: float | None = None) -> Profile:
    """The same limits with other tolerances (Å, degrees); None keeps the profile's.

    Raises InputError (``bad_tolerance``) for a tolerance that is negative or not finite.
    """
    for slop in (distance_slop, angle_slop):
        if slop is not None and not 0 <= slop < inf:
            raise InputError(f"a tolerance must be a finite number, 0 or more; got {slop}", code="bad_tolerance")
    return replace(
        profile,
        distance_slop=profile.distance_slop if distance_slop is None else distance_slop,
        angle_slop=profile.angle_slop if angle_slop is None else angle_slop,
    )

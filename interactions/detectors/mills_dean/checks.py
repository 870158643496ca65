"""One test of a pair: what was measured and what the criteria allow."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from interactions.points import Point, angle, squared_distance


class Check(NamedTuple):
    """``value`` in Å or degrees, None where there is nothing to measure; the bounds are inclusive, None is none."""

    what: str
    value: float | None
    low: float | None
    high: float | None
    holds: bool


def reach_check(what: str, p: Point, q: Point, reach: float) -> Check:
    """Two points at most ``reach`` apart."""
    squared = squared_distance(p, q)
    return Check(what, sqrt(squared), None, reach, squared <= reach**2)


def wide_enough(what: str, angles: list[float], least: float) -> Check:
    """The widest of some angles is wide enough; without any the check fails."""
    widest = max(angles, default=None)
    return Check(what, widest, least, None, widest is not None and widest >= least)


def all_wide(what: str, angles: list[float], least: float) -> Check:
    """The narrowest of some angles is wide enough; without any the check holds."""
    narrowest = min(angles, default=None)
    return Check(what, narrowest, least, None, narrowest is None or narrowest >= least)


def angles_at(vertex: Point, points: list[Point], other: Point) -> list[float]:
    return [angle(p, vertex, other) for p in points]

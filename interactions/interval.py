"""Intervals of numbers, written as in mathematics: ``(0.5, 4.1]`` holds 4.1 but not 0.5."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite, isnan

from interactions.errors import InputError

_FORM = re.compile(r"\s*([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])\s*")


@dataclass(frozen=True)
class Interval:
    low: float
    high: float
    low_closed: bool = True
    high_closed: bool = True

    def __contains__(self, value: float) -> bool:
        above = value >= self.low if self.low_closed else value > self.low
        below = value <= self.high if self.high_closed else value < self.high
        return above and below

    def margin(self, value: float) -> float:
        """Distance of a value to the nearer edge: positive inside, negative outside."""
        return min(value - self.low, self.high - value)

    def broken_edge(self, value: float) -> float | None:
        """The edge that a value outside lies beyond; None inside."""
        if value in self:
            return None
        return self.low if value <= self.low else self.high

    def __str__(self) -> str:
        first, last = "[" if self.low_closed else "(", "]" if self.high_closed else ")"
        return f"{first}{self.low:g}, {self.high:g}{last}"


def interval(text: str) -> Interval:
    """Parse ``(0.5, 4.1]``, ``[-inf, 3)``. Raises InputError (``bad_interval``)."""
    match = _FORM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InputError(f"not an interval: {text!r}, expected as (0.5, 4.1] or [90, 180]", code="bad_interval")
    try:
        low, high = float(match[2]), float(match[3])
    except ValueError as error:
        raise InputError(f"not an interval: {text!r}: {error}", code="bad_interval") from error
    if isnan(low) or isnan(high) or low > high or not (isfinite(low) or isfinite(high)):
        raise InputError(f"not an interval: {text!r}: the lower edge comes first", code="bad_interval")
    return Interval(low, high, match[1] == "[", match[4] == "]")

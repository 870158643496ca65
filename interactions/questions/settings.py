"""Everything about questions that a person may want to tune, with the benchmark's values as defaults."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import gcd
from typing import Any, Literal

from interactions.errors import InputError
from interactions.questions.transforms import Grid
from interactions.questions.views import FIELD, PAD, WINDOW

Scheme = Literal["magnitudes", "sign", "axis"]
SCHEMES: tuple[Scheme, ...] = ("magnitudes", "sign", "axis")

# Questions a complex, (kind, train, test), by arXiv 2512.10867; the others as many as the complex has.
COUNTS = (
    ("translation", 4, 2),
    ("rotation", 6, 3),
    ("zooming", 4, 2),
    ("translation_rotation", 6, 3),
    ("rotation_rotation", 6, 3),
    ("docking", 6, 3),
)


def without_zero(first: int, last: int, step: int) -> tuple[int, ...]:
    """Bins from first to last, both included, zero left out."""
    return tuple(value for value in range(first, last + 1, step) if value)


@dataclass(frozen=True)
class Settings:
    """Lengths in Å, angles in degrees.

    ``shifts``, ``angles``, ``depths``: the bins of move, roll and zoom. ``schemes``: how each of the three decoys of
    a choice between pictures departs from the truth. ``least_difference``: how far the heavy atoms of any two
    candidate pictures are apart at least, root mean square across the screen; for options of a location question, how
    far the two places are. ``location_sizes``: how much such a decoy changes a number. ``docking_ratio``: k, half the
    width of the picture at unit depth, to which the ligand is carried; ``docking_slacks``: by how much less.
    ``negatives``: whether a residue without a bond is any one or a hard one: a donor of it within ``hard_reach`` of
    an acceptor across, or the other way round. ``negatives_per_positive`` of them for each residue with a bond.
    Raises InputError (``bad_settings``).
    """

    window: tuple[int, int] = WINDOW
    field_of_view: float = FIELD
    pad: float = PAD
    shifts: tuple[int, ...] = without_zero(-4, 4, 1)
    angles: tuple[int, ...] = without_zero(-90, 90, 15)
    depths: tuple[int, ...] = tuple(range(40, 61))
    schemes: tuple[Scheme, ...] = SCHEMES
    least_difference: float = 1.0
    location_sizes: tuple[int, ...] = (2, 3, 4, 5, 6)
    docking_ratio: float = 0.25
    docking_slacks: tuple[int, ...] = (0, 1, 2)
    negatives: Literal["any", "hard"] = "any"
    hard_reach: float = 5.0
    negatives_per_positive: float = 1.0
    counts: tuple[tuple[str, int, int], ...] = COUNTS

    def __post_init__(self) -> None:
        bins = (self.shifts, self.angles, self.depths, self.location_sizes, self.docking_slacks)
        wrong = {
            "a list of bins is empty or names one twice": any(not b or len(set(b)) < len(b) for b in bins),
            "a bin of zero asks for nothing": any(0 in b for b in bins[:4]),
            "an angle is not in -180 … 180": any(not -180 < angle <= 180 for angle in self.angles),
            "a size or slack is negative": min(*self.location_sizes, *self.docking_slacks, 0) < 0,
            f"three decoys need three schemes of {SCHEMES}": len(self.schemes) != 3
            or not set(self.schemes) <= set(SCHEMES),
            "least_difference, hard_reach and docking_ratio are above zero": min(
                self.least_difference, self.hard_reach, self.docking_ratio
            ) <= 0,
            "negatives are any or hard": self.negatives not in ("any", "hard"),
            "negatives_per_positive is below zero": self.negatives_per_positive < 0,
        }  # fmt: skip
        found = [what for what, is_wrong in wrong.items() if is_wrong]
        if found:
            raise InputError(f"no such question settings: {'; '.join(found)}", code="bad_settings")

    @property
    def grid(self) -> Grid:
        """The steps that every angle and length of an answer is a multiple of."""
        return Grid(angle=float(gcd(*self.angles)))

    def changes(self) -> dict[str, Any]:
        """The values that are not the defaults, as plain JSON values."""
        default = Settings()
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value != getattr(default, name)
        }


BENCHMARK = Settings()

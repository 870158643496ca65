"""Pure functions on arrays of points, shape (n, 3), in Å."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def squared_distances(points: Floats, others: Floats) -> Floats:
    """Squared distance of each point to each other one: (n, 3) and (m, 3) to (n, m), Å²."""
    total: Floats = np.zeros((len(points), len(others)))
    for axis in range(3):
        gap = np.subtract.outer(points[:, axis], others[:, axis])
        total += gap * gap
    return total


def near_box(points: Floats, others: Floats, reach: float) -> NDArray[np.bool_]:
    """Which points lie within ``reach`` of the box around the others, shape (n,)."""
    low, high = others.min(axis=0) - reach, others.max(axis=0) + reach
    inside: NDArray[np.bool_] = ((points >= low) & (points <= high)).all(axis=1)
    return inside

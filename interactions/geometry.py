"""Pure functions on arrays of points, shape (n, 3), in Å."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_BLOCK = 12_000  # entries of a matrix so small that its memory is not asked of the system anew each time


def squared_distances(points: Floats, others: Floats) -> Floats:
    """Squared distance of each point to each other one: (n, 3) and (m, 3) to (n, m), Å²."""
    total: Floats = np.subtract.outer(points[:, 0], others[:, 0])
    total *= total
    for axis in (1, 2):
        gap = np.subtract.outer(points[:, axis], others[:, axis])
        gap *= gap
        total += gap
    return total


def squared_to_nearest(points: Floats, others: Floats) -> Floats:
    """Squared distance of each point to the nearest other one, shape (n,), Å²; at least one other."""
    smallest: Floats = np.empty(len(points))
    columns, rows = np.ascontiguousarray(points.T), np.ascontiguousarray(others.T)[:, :, None]
    size = max(1, _BLOCK // len(others))
    for start in range(0, len(points), size):
        block = slice(start, start + size)
        total = rows[0] - columns[0, block]
        total *= total
        for axis in (1, 2):
            gap = rows[axis] - columns[axis, block]
            gap *= gap
            total += gap
        total.min(axis=0, out=smallest[block])
    return smallest


def near_box(points: Floats, others: Floats, reach: float) -> NDArray[np.bool_]:
    """Which points lie within ``reach`` of the box around the others, shape (n,)."""
    low, high = others.min(axis=0) - reach, others.max(axis=0) + reach
    above, below = points >= low, points <= high
    above &= below
    inside: NDArray[np.bool_] = above[:, 0] & above[:, 1] & above[:, 2]
    return inside

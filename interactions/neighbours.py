"""Atoms near other atoms: the only place that searches them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from interactions.errors import ChemistryError
from interactions.geometry import near_box, squared_distances, squared_to_nearest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Pairs = tuple[Ints, Ints, Floats]

_DENSE = 2_000_000  # entries of a matrix of distances that is still cheaper than cells
_CROWDED = 50_000_000  # pairs within a few Å that no matter at any pressure has


def within(points: Floats, others: Floats, reach: float) -> Pairs:
    """Pairs at most ``reach`` Å apart: rows of ``points``, rows of ``others``, squared distances.

    ``points`` (n, 3), ``others`` (m, 3); sorted by row of ``points``, then of ``others``. Memory grows with the pairs
    found, not with n times m. Raises ChemistryError (``crowded_atoms``) where more atoms lie together than can.
    """
    if not len(points) or not len(others):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    if len(points) > len(others):
        columns, rows, squared = _pairs(others, points, reach)
    else:
        rows, columns, squared = _pairs(points, others, reach)
    order = np.lexsort((columns, rows))
    return rows[order], columns[order], squared[order]


def nearest(points: Floats, others: Floats, reach: float) -> Floats:
    """Squared distance of each point to the nearest other one, infinite beyond ``reach`` Å, shape (n,)."""
    smallest: Floats = np.full(len(points), np.inf)
    if not len(points) or not len(others):
        return smallest
    near = np.flatnonzero(near_box(points, others, reach))
    if 0 < len(near) * len(others) <= _DENSE:
        squared = squared_to_nearest(points[near], others)
        smallest[near] = np.where(squared <= reach**2, squared, np.inf)
    else:
        rows, _, squared = within(points[near], others, reach)
        np.minimum.at(smallest, near[rows], squared)
    return smallest


def _pairs(points: Floats, others: Floats, reach: float) -> Pairs:
    """Pairs in any order; ``points`` are the fewer."""
    near = np.flatnonzero(near_box(others, points, reach))
    there = others[near]
    if len(points) * len(there) <= _DENSE:
        gaps = squared_distances(points, there)
        rows, columns = np.nonzero(gaps <= reach**2)
        return rows, near[columns], gaps[rows, columns]
    blocks = list(_by_cells(points, there, reach))
    rows, columns, squared = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return rows, near[columns], squared


def _by_cells(points: Floats, others: Floats, reach: float) -> Iterator[Pairs]:
    origin = np.minimum(points.min(axis=0), others.min(axis=0)) - reach
    cells, homes = (((p - origin) // reach).astype(np.int64) for p in (points, others))
    shape = np.maximum(cells.max(axis=0), homes.max(axis=0)) + 2
    stride = np.array([shape[1] * shape[2], shape[2], 1])
    keys = homes @ stride
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    total = 0
    for offset in product((-1, 0, 1), repeat=3):
        wanted = (cells + offset) @ stride
        first, last = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, side="right")
        counts = last - first
        total += int(counts.sum())
        if total > _CROWDED:
            raise ChemistryError(
                f"over {_CROWDED} pairs of atoms within {reach:.1f} Å: more lie together than can, are the coordinates "
                "right?",
                code="crowded_atoms",
            )
        rows = np.repeat(np.arange(len(points)), counts)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
        columns = order[places]
        gap = points[rows] - others[columns]
        squared = np.einsum("ij,ij->i", gap, gap)
        keep = squared <= reach**2
        yield rows[keep], columns[keep], squared[keep]

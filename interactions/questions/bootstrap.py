"""Confidence intervals by resampling complexes: questions about one complex are not independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEVEL = 0.95
_CHUNK = 100  # resamples at a time: bounds memory


def resampled_means(
    scores: Floats, groups: NDArray[np.int64], clusters: NDArray[np.int64], *, resamples: int, seed: int
) -> Floats:
    """Mean score of each group in each resample, shape (resamples, groups), nan where none was drawn.

    ``scores``, ``groups`` (0 … g - 1) and ``clusters`` (0 … c - 1) have shape (n,). Each resample draws c clusters
    with replacement.
    """
    shape = (int(clusters.max()) + 1, int(groups.max()) + 1)
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (clusters, groups), scores)
    np.add.at(counts, (clusters, groups), 1)
    rng = np.random.default_rng(seed)
    even = np.full(shape[0], 1 / shape[0])
    parts = []
    for start in range(0, resamples, _CHUNK):
        weights = rng.multinomial(shape[0], even, size=min(_CHUNK, resamples - start)).astype(np.float64)
        drawn = weights @ counts
        parts.append(np.divide(weights @ sums, drawn, out=np.full_like(drawn, np.nan), where=drawn > 0))
    return np.concatenate(parts)


def interval(means: Floats) -> list[float] | None:
    """The central LEVEL of resampled means, shape (resamples,); None where too few resamples have one."""
    present = means[~np.isnan(means)]
    if len(present) < len(means) / 2 or not len(present):
        return None
    low, high = np.quantile(present, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return [float(low), float(high)]


def indexed(names: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct names in order, and the place of each name among them, shape (n,)."""
    distinct = sorted(set(names))
    places = {name: place for place, name in enumerate(distinct)}
    return distinct, np.array([places[name] for name in names], dtype=np.int64)

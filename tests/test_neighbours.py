"""Pairs of near atoms: few by a matrix, many by cells, both as counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from interactions import neighbours
from interactions.errors import ChemistryError


def line(n: int) -> np.ndarray:
    """Points 1 Å apart along x."""
    return np.column_stack([np.arange(float(n)), np.zeros(n), np.zeros(n)])


@pytest.mark.parametrize("dense", [0, 10**9], ids=["cells", "matrix"])
def test_both_ways_find_the_same(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "_DENSE", dense)
    rows, columns, squared = neighbours.within(line(5), np.add(line(5), [0.0, 1.0, 0.0]), 1.5)
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == [
        (a, b) for a in range(5) for b in range(5) if abs(a - b) < 2
    ]
    assert squared.tolist() == [1.0 + (a - b) ** 2 for a in range(5) for b in range(5) if abs(a - b) < 2]


@pytest.mark.parametrize("dense", [0, 10**9], ids=["cells", "matrix"])
def test_the_reach_itself_is_near(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "_DENSE", dense)
    assert len(neighbours.within(line(1), line(3), 2.0)[0]) == 3
    assert neighbours.nearest(line(4), line(1), 2.0).tolist() == [0.0, 1.0, 4.0, np.inf]


def test_nothing_is_near_nothing() -> None:
    assert len(neighbours.within(line(0), line(3), 2.0)[0]) == 0
    assert neighbours.nearest(line(2), line(0), 2.0).tolist() == [np.inf, np.inf]


def test_crowds_are_refused() -> None:
    with pytest.raises(ChemistryError, match="lie together"):
        neighbours.within(np.zeros((10_000, 3)), np.zeros((10_000, 3)), 2.0)

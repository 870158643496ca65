"""Intervals as mathematics writes them."""

from __future__ import annotations

import pytest

from interactions.errors import InputError
from interactions.interval import interval


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("(0.5, 4.1)", (0.6, 4.0), (0.5, 4.1)),
        ("[130, 180]", (130.0, 180.0), (129.999, 180.001)),
        ("(120, 180]", (120.001, 180.0), (120.0, 181.0)),
        ("[0, 2.5)", (0.0, 2.4999), (2.5, -0.1)),
        ("(-inf, 0.1]", (-1e9, 0.1), (0.1001,)),
    ],
)
def test_edges(text: str, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    assert all(value in interval(text) for value in inside)
    assert not any(value in interval(text) for value in outside)


def test_margin_and_broken_edge() -> None:
    found = interval("(0.5, 4.1)")
    assert found.margin(4.0) == pytest.approx(0.1)
    assert found.margin(4.21) == pytest.approx(-0.11)
    assert (found.broken_edge(4.2), found.broken_edge(0.4), found.broken_edge(2.0)) == (4.1, 0.5, None)
    assert str(found) == "(0.5, 4.1)"


@pytest.mark.parametrize("text", ["", "0.5, 4.1", "[4, 1]", "(nan, 1)", "[1; 2]", "[a, b]", "(-inf, inf)"])
def test_what_is_no_interval(text: str) -> None:
    with pytest.raises(InputError) as caught:
        interval(text)
    assert caught.value.code == "bad_interval"

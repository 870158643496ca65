"""Which sums of bond orders an atom may have, the charge each implies, and how readily it is chosen.

The sums are the usual valences of the elements; the costs rank the ways of drawing one molecule: no charge before
charges, ammonium before amide anion, oxide before oxonium. Only their order matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class State(NamedTuple):
    """What an atom is at some sum of bond orders."""

    cost: int
    charge: int = 0
    missing: int = 0  # hydrogens that the file does not give


Table = Mapping[int, State]  # by sum of bond orders

SULFURS = frozenset((16, 34, 52))
PHOSPHORS = frozenset((15, 33))
HALOGENS = frozenset((9, 17, 35, 53))
NEUTRAL = {1: 1, 5: 3, 6: 4, 7: 3, 8: 2, 14: 4, 15: 3, 16: 2, 33: 3, 34: 2, 52: 2}
_SIMPLE: dict[int, dict[int, State]] = {
    1: {1: State(0)},
    5: {3: State(0), 4: State(0, -1)},
    6: {4: State(0)},
    7: {3: State(0), 4: State(1, 1), 2: State(3, -1)},
    8: {2: State(0), 1: State(2, -1), 3: State(5, 1), 0: State(6, -2)},
    14: {4: State(0), 5: State(2, -1), 6: State(2, -2)},
}
_SULFUR: dict[int, dict[int, State]] = {
    1: {2: State(0), 1: State(2, -1)},
    2: {2: State(0), 3: State(3, 1), 4: State(2)},
    3: {4: State(0), 3: State(1, 1), 6: State(0), 5: State(4, 1)},
    4: {6: State(0), 4: State(4), 5: State(3, 1)},
}
_PHOSPHORUS: dict[int, dict[int, State]] = {
    1: {3: State(0)},
    2: {3: State(0)},
    3: {3: State(0), 5: State(0), 4: State(2, 1)},
    4: {5: State(0), 4: State(2, 1)},
    5: {5: State(0)},
    6: {6: State(0, -1)},
}
_HALOGEN: dict[int, dict[int, State]] = {
    0: {0: State(0, -1)},
    1: {1: State(0)},
    2: {3: State(0), 2: State(2, 1)},
    3: {3: State(0), 5: State(0)},
    4: {7: State(0), 5: State(0), 4: State(3, -1)},
}


def closed(element: int, degree: int) -> Table | None:
    """States of an atom whose ``degree`` bonded atoms are all there; None where any sum will do."""
    if element in SULFURS:
        return _SULFUR.get(degree, {6: State(0)} if degree > 4 else {0: State(0, -2)})
    if element in PHOSPHORS:
        return _PHOSPHORUS.get(degree, {})
    if element in HALOGENS:
        return _HALOGEN.get(degree, {})
    if element == 6 and degree == 1:  # isocyanide, carbon monoxide
        return {4: State(0), 3: State(3, -1)}
    return _SIMPLE.get(element)


def unfilled(element: int, degree: int, charge: int) -> Table | None:
    """States of an atom of a stated charge that may lack hydrogens."""
    table = closed(element, degree)
    most = NEUTRAL.get(element, 0) + (charge if element in (7, 8, 15, 16) else -abs(charge))
    if table is None or element not in NEUTRAL or degree > most:
        return table
    lacking = {total: State(0, charge, most - total) for total in range(most + 1)}
    return {**table, **lacking}


def delocalised(element: int, degree: int) -> Table | None:
    """States of an atom that may lack hydrogens, on bonds that the file draws as aromatic or delocalised."""
    if element == 6:
        states = {degree: State(4, 0, 4 - degree), degree + 1: State(0, 0, 3 - degree)}
        return {total: state for total, state in states.items() if total <= 4}
    if element == 7:
        one = {2: State(1, 1, 2), 1: State(0, 0, 2)}
        two = {3: State(0), 2: State(1, 0, 1)}
        return {1: one, 2: two}.get(degree, {3: State(0), 4: State(2, 1)})
    return closed(element, degree)

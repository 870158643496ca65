"""States of an atom of an IDATM type (Meng & Lewis 1991) whose hydrogens the file does not give.

The types tell hybridisation and, for acids, amines and guanidines, the charge at neutral pH.
"""

from __future__ import annotations

from interactions.chemistry.typing_tables import LINEAR
from interactions.chemistry.valences import NEUTRAL, SULFURS, State, Table, closed

__all__ = ["LINEAR", "typed"]

_UNMET = 4  # cost of a carbon that is not as its type says
# Type -> (extra bonds, cost, charge) of the states it may have.
_STATES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "N3+": ((0, 0, 1),),
    "N3": ((0, 0, 0),),
    "N2": ((1, 0, 0), (0, 3, 0)),
    "N2+": ((1, 0, 1), (0, 3, 0)),
    "Npl": ((0, 0, 0), (1, 2, 1)),
    "Ng+": ((0, 2, 0), (1, 0, 1)),
    "Ntr": ((1, 0, 1),),
    "N1": ((2, 0, 0), (1, 3, 0)),
    "N1+": ((2, 0, 1), (1, 1, -1)),
    "O3": ((0, 0, 0),),
    "O2": ((1, 0, 0), (0, 2, -1)),
    "O2-": ((1, 0, 0), (0, 0, -1)),
    "O3-": ((1, 0, 0), (0, 0, -1)),
    "Oar": ((0, 0, 0),),
    "Oar+": ((1, 0, 1),),
    "O1": ((1, 0, 0), (2, 1, 1)),
    "O1+": ((2, 0, 1), (1, 1, 0)),
    "S2": ((1, 0, 0), (0, 2, -1)),
    "S3-": ((0, 0, -1), (1, 1, 0)),
    "S3": ((0, 0, 0),),
}
# What a ring says of a nitrogen of two bonds: pyridine's before pyrrole's; outside one N2 is often an amine's.
_BY_RING = {("Npl", True): ((1, 0, 0), (0, 1, 0)), ("N2", False): ((1, 0, 0), (0, 1, 0))}
_CARBONS = {"C1": 2, "C1-": 2, "C2": 1, "Car": 1, "Cac": 1}


def typed(kind: str, element: int, degree: int, in_ring: bool) -> Table | None:
    """States by sum of bond orders of an atom of a type and a number of bonded atoms."""
    if element == 6:
        wanted = _CARBONS.get(kind, 0)
        if not wanted:
            return {degree: State(0, 0, 4 - degree)} if degree <= 4 else {}
        return {
            degree + extra: State(_UNMET * abs(extra - wanted), 0, 4 - degree - extra)
            for extra in range(max(0, 5 - degree))
        }
    states = _STATES.get(kind)
    if degree == 2:
        states = _BY_RING.get((kind, in_ring), states)
    if states is None or (element in SULFURS and degree > 2):
        return closed(element, degree)
    found = {}
    for extra, cost, charge in states:
        missing = _valence(element, charge) - degree - extra
        if missing >= 0:
            found[degree + extra] = State(cost, charge, missing)
    return found or closed(element, degree)


def _valence(element: int, charge: int) -> int:
    return NEUTRAL[element] + charge

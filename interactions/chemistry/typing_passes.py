"""The passes of IDATM typing that follow the ring systems (chimerax rules 9.7 to 9.12)."""

from __future__ import annotations

from functools import partial

from interactions.chemistry.rings import Ring
from interactions.chemistry.typing_questions import Shape
from interactions.chemistry.typing_state import Bond, Typing

_DOUBLE = {6: ("C2", 1.41), 8: ("O2", 1.30), 7: ("N2", 1.38), 16: ("S2", 1.76)}


def late_passes(state: Typing, frozen: set[int], rings: list[Ring]) -> None:
    """Passes 4.75 to 10."""
    ringed = {a for ring in rings for a in ring}
    _amide_like(state, ringed)
    _lone_planar_carbons(state)
    _charges(state, ringed)
    aromatic = {
        a for ring in rings if all(state.types[x] == "Car" for x in ring if state.elements[x] == 6) for a in ring
    }
    _nitrogens(state, frozen, aromatic)
    _terminal_oxygens(state, aromatic)
    _nitro(state)


def _amide_like(state: Typing, ringed: set[int]) -> None:
    """Pass 4.75."""
    for a in state.untyped:
        if state.types[a] != "N2" or state.redo[a] != 4 or a in ringed:
            continue
        bonded = state.neighbours[a]
        if not any(state.types[b] == "Car" for b in bonded):
            continue
        others = [b for b in bonded if state.planar(b) and state.types[b] != "Car"]
        if all(any(x != a and state.planar(x) for x in state.neighbours[b]) for b in others):
            state.types[a] = "Npl"


def _lone_planar_carbons(state: Typing) -> None:
    """Pass 5: a C2 needs a planar neighbour that can share its double bond."""
    for a in state.untyped:
        if state.types[a] != "C2":
            continue
        bonded = state.neighbours[a]
        if any(_shares(state, b) for b in bonded):
            continue
        if len(bonded) == 3 and all(state.types[b] == "Npl" for b in bonded):
            continue
        ends = [b for b in bonded if state.terminal(b) and state.elements[b] in _DOUBLE]
        if len(bonded) == 3 and ends:
            usual = {b: _DOUBLE[state.elements[b]][1] for b in ends}
            nearest = state.ask.choose(partial(_shortest, a, usual))
            state.types[nearest] = _DOUBLE[state.elements[nearest]][0]
        else:
            state.types[a] = "C3"


def _shortest(a: int, usual: dict[int, float], shape: Shape) -> int:
    """The atom with the bond that is shortest for its kind."""
    return min(usual, key=lambda b: shape.length(a, b) ** 2 / usual[b] ** 2)


def _shares(state: Typing, b: int) -> bool:
    kind = state.types[b]
    if not state.planar(b) or kind in ("Cac", "N2+"):
        return False
    return not (kind == "Npl" and len(state.neighbours[b]) > 2 and state.heavy[b] > 1)


def _charges(state: Typing, ringed: set[int]) -> None:
    """Pass 6."""
    for a in state.untyped:
        kind, bonded = state.types[a], state.neighbours[a]
        if state.elements[a] == 7 and kind != "N3+" and all(state.types[b] in ("C3", "H", "D") for b in bonded):
            state.types[a] = "N3+"
        elif kind == "C2":
            _guanidinium(state, a, ringed)
        elif kind == "Cac":
            for b in bonded:
                if state.elements[b] == 8 and b in state.in_untyped and state.heavy[b] == 1:
                    state.types[b] = "O2-"


def _guanidinium(state: Typing, a: int, ringed: set[int]) -> None:
    candidates: list[int] = []
    for b in state.neighbours[a]:
        kind = state.types[b]
        if kind in ("O2", "S2"):
            return
        if kind == "N2":
            other = next((x for x in state.neighbours[b] if x != a), None)
            if other is None or state.ask.choose(partial(_is_longer, (a, b), (b, other))):
                return
            candidates.append(b)
        elif kind == "Ng+" or (
            b in state.in_untyped and (kind == "Npl" or (state.elements[b] == 7 and state.terminal(b)))
        ):
            candidates.append(b)
    if len(candidates) < 2:
        return
    for b in candidates:
        if b not in state.in_untyped:
            continue
        if b in ringed:
            for other in candidates:
                if other in state.in_untyped and state.types[other] == "Ng+":
                    state.types[other] = "Npl"
            return
        state.types[b] = "Ng+"


def _is_longer(bond: Bond, other: Bond, shape: Shape) -> bool:
    return shape.length(*bond) > shape.length(*other)


def _unsaturated(state: Typing, b: int, a: int) -> bool:
    """No other neighbour of b that is (planar or unknown) and neither Car nor Npl."""
    return not any(
        x != a and state.types[x] not in ("Car", "Npl") and (state.planar(x) or not state.known(x))
        for x in state.neighbours[b]
    )


def _nitrogens(state: Typing, frozen: set[int], aromatic: set[int]) -> None:
    """Pass 8."""
    listed: dict[int, list[int]] = {}
    for a in state.untyped:
        kind = state.types[a]
        if not (kind in ("N3", "N2") or (kind == "Npl" and len(state.neighbours[a]) == 2)):
            continue
        if a in frozen or a in aromatic:
            continue
        partners: list[int] = []
        for b in state.neighbours[a]:
            if b in aromatic:
                if state.heavy[a] == 1:
                    state.types[a] = "Npl"
                    break
            elif state.planar(b) and state.types[b] != "Npl":
                partners.append(b)
        listed[a] = partners
    for size in (1, 2, 3):
        for a, partners in listed.items():
            if len(partners) == size and any(_unsaturated(state, b, a) for b in partners):
                state.types[a] = "N3+" if state.heavy[a] == 0 else "N2" if len(state.neighbours[a]) <= 2 else "Npl"


def _terminal_oxygens(state: Typing, aromatic: set[int]) -> None:
    """Pass 9."""
    for a in state.untyped:
        if state.types[a] != "O3" or not state.terminal(a):
            continue
        b = state.neighbours[a][0]
        if not state.planar(b) or b in aromatic or not _unsaturated(state, b, a):
            continue
        if state.types[b] != "Npl":
            state.types[a] = "O2"
        elif state.ask.is_shorter(a, b, 1.295):
            state.types[a], state.types[b] = "O2", "N2+"


def _nitro(state: Typing) -> None:
    """Pass 10."""
    for a in state.untyped:
        bonded = state.neighbours[a]
        if state.elements[a] != 7 or len(bonded) != 2:
            continue
        if all(state.terminal(b) and state.elements[b] == 8 for b in bonded):
            state.types[a] = "N2"
            for b in bonded:
                state.types[b] = "O2-"

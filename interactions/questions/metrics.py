"""An answer against the truth: the benchmark's composite (``misi``), exact match, and F1 over bonds, item by item.

Source of the rules: MiSI-Bench (arXiv 2512.10867). Where the paper does not print a normaliser, the one used here is
the one that its published scores are multiples of (7 Å, 165°); the docking move is measured by the true distance.
Transforms are compared as transforms: angles are the same modulo 360°.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from interactions.questions.answers import Answer, Bond, Bonds, Letter, Move, Roll, RollThenMove
from interactions.questions.residues import canonical, twin
from interactions.questions.wording import bond_of, bond_text, number_text

Known = Mapping[Bond, str]
Item = dict[str, str]

MOVE_SCALE = 7  # Å
ROLL_SCALE = 165  # degrees
TOO_MANY = 2  # more than this many times as many bonds as there are: no score
EXTRA = 0.5  # all bonds, and others with them
_SAME = 1e-6  # Å or degrees: a number written in decimals and read back

TRUE, WRONG, NOT_A_BOND, MISSING = "true", "wrong", "not a bond", "missing"


class Comparison(NamedTuple):
    """An answer against the truth: composite and F1 in 0 … 1, and each part: what it says, how it stands, why."""

    misi: float
    exact: bool
    f1: float
    items: Sequence[Item] = ()
    flags: tuple[str, ...] = ()


def compare(answer: Answer, truth: Answer, known: Known | None = None) -> Comparison:
    """An answer against the truth of the same type. ``known`` tells why bonds do not hold, by canonical names."""
    if isinstance(truth, Bonds) and isinstance(answer, Bonds):
        return compare_bonds(bond_texts(answer), bond_texts(truth), known)
    return _COMPARE[type(truth)](answer, truth)


def compare_letters(answer: Letter, truth: Letter) -> Comparison:
    same = answer.letter == truth.letter
    reason = "" if same else f"the answer is {truth.letter}"
    return Comparison(float(same), same, float(same), (_item(answer.letter, TRUE if same else WRONG, reason),))


def compare_shifts(answer: Move, truth: Move) -> Comparison:
    """T1: by distance where the axis is right."""
    off = abs(answer.distance - truth.distance)
    return _by_error(_move_item(answer, truth), off, answer.axis == truth.axis, MOVE_SCALE)


def compare_depths(answer: Move, truth: Move) -> Comparison:
    """T3: exact or nothing."""
    item = _move_item(answer, truth)
    same = item["verdict"] == TRUE
    return Comparison(float(same), same, float(same), (item,))


def compare_moves(answer: Move, truth: Move) -> Comparison:
    return compare_depths(answer, truth) if truth.axis == "z" else compare_shifts(answer, truth)


def compare_rolls(answer: Roll, truth: Roll) -> Comparison:
    """T2: by angle where the axis is right, each angle first brought into (-180°, 180°]."""
    off = abs(wrapped(answer.angle) - wrapped(truth.angle))
    return _by_error(_roll_item(answer, truth), off, answer.axis == truth.axis, ROLL_SCALE)


def compare_dockings(answer: RollThenMove, truth: RollThenMove) -> Comparison:
    """T7: half for the roll, half for the move, which scores only in the right direction."""
    roll = compare_rolls(answer.roll, truth.roll)
    move = _move_item(answer.move, truth.move)
    exact = roll.exact and move["verdict"] == TRUE
    return Comparison((roll.misi + docking_move(answer.move, truth.move)) / 2, exact, float(exact), (*roll.items, move))


def docking_move(answer: Move, truth: Move) -> float:
    """1 - error / true distance, not below 0; 0 in the wrong direction or along another axis."""
    if truth.distance == 0:
        return float(answer.distance == 0)
    if answer.axis != truth.axis or answer.distance * truth.distance <= 0:
        return 0.0
    return max(0.0, 1 - abs(answer.distance - truth.distance) / abs(truth.distance))


def compare_bonds(answered: frozenset[str], true: frozenset[str], known: Known | None = None) -> Comparison:
    """T4 and T9: sets of unordered pairs, each as canonical text."""
    hits, answers, truths = len(answered & true), len(answered), len(true)
    items = [
        {"item": text, "verdict": (TRUE if text in true else NOT_A_BOND) if text in answered else MISSING, "reason": ""}
        for text in sorted(answered | true)
    ]
    if known and hits < answers:
        _explain(items, known)
    flags = (
        ("equivalent_atom",) if hits < answers and hits < truths and _alike(answered - true, true - answered) else ()
    )
    exact = hits == answers == truths
    return Comparison(bonds_score(hits, answers, truths), exact, bonds_f1(hits, answers, truths), items, flags)


def _alike(wrong: frozenset[str], missing: frozenset[str]) -> bool:
    residues = {text[:3] for text in missing}  # most answers end here: the rest is slow
    near = [twin(bond_of(text)) for text in wrong if text[:3] in residues]
    return any(bond and bond_text(bond) in missing for bond in near)


def _explain(items: list[Item], known: Known) -> None:
    for item in items:
        if item["verdict"] == NOT_A_BOND:
            item["reason"] = known.get(bond_of(item["item"]), "")


def bonds_score(hits: int, answered: int, true: int) -> float:
    """The composite of a list of bonds: precision, with the paper's two overrides."""
    if not true or not answered:
        return float(true == answered)
    if answered > TOO_MANY * true:
        return 0.0
    return EXTRA if hits == true < answered else hits / answered


def bonds_f1(hits: int, answered: int, true: int) -> float:
    """2 hits / (answered + true); 1 where both are empty."""
    return 2 * hits / (answered + true) if answered + true else 1.0


def wrapped(angle: float) -> float:
    """The angle in (-180°, 180°]."""
    return 180 - (180 - angle) % 360


def _by_error(item: Item, off: float, right_axis: bool, scale: int) -> Comparison:
    exact = item["verdict"] == TRUE
    score = 1.0 if exact else max(0.0, 1 - off / scale) if right_axis else 0.0
    return Comparison(score, exact, float(exact), (item,))


def _move_item(answer: Move, truth: Move) -> Item:
    text = f"move {answer.axis} {number_text(answer.distance)}"
    off = abs(answer.distance - truth.distance)
    if off < _SAME and (answer.axis == truth.axis or not truth.distance):
        return _item(text, TRUE)
    if answer.axis != truth.axis:
        return _item(text, WRONG, f"the axis is {truth.axis}")
    return _item(text, WRONG, f"{off:g} Å off")


def _roll_item(answer: Roll, truth: Roll) -> Item:
    text = f"roll {answer.axis} {number_text(answer.angle)}"
    turn = (answer.angle - truth.angle + 180) % 360 - 180
    if abs(turn) < _SAME and (answer.axis == truth.axis or not wrapped(truth.angle)):
        return _item(text, TRUE)
    if answer.axis != truth.axis:
        return _item(text, WRONG, f"the axis is {truth.axis}")
    return _item(text, WRONG, f"{abs(wrapped(answer.angle) - wrapped(truth.angle)):g}° off")


def _item(item: str, verdict: str, reason: str = "") -> Item:
    return {"item": item, "verdict": verdict, "reason": reason}


@lru_cache(maxsize=4096)
def bond_texts(bonds: Bonds) -> frozenset[str]:
    """The bonds as text, by canonical names."""
    return frozenset(bond_text(canonical(bond)) for bond in bonds.bonds)


_COMPARE: dict[type[Any], Callable[[Any, Any], Comparison]] = {
    Letter: compare_letters,
    Move: compare_moves,
    Roll: compare_rolls,
    RollThenMove: compare_dockings,
}

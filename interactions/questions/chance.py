"""What guessing is worth, computed exactly: the floor of every table.

A random answer is drawn evenly from the well-formed answers: for transforms and letters all that the benchmark's
ranges allow, for docking every roll with every distance that occurs among the truths, for bonds every subset of the
question's candidate pairs (``No`` is the empty one). A constant answer is the one that scores best on the truths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import cast

from interactions.errors import InputError, UnknownName
from interactions.questions.answers import TYPES, Answer, Bonds, Letter, Move, Roll, RollThenMove
from interactions.questions.metrics import bond_texts, bonds_f1, bonds_score, compare, docking_move
from interactions.questions.wording import answer_text, bonds_text

SHIFTS = tuple(d for d in range(-4, 5) if d)  # Å
ANGLES = tuple(range(-90, 0, 15)) + tuple(range(15, 105, 15))  # degrees
DEPTHS = tuple(range(40, 61))  # Å
LETTERS = "ABCD"

ROLLS: tuple[Answer, ...] = tuple(Roll(axis, angle) for axis, angle in product("xyz", ANGLES))
GRIDS: dict[str, tuple[Answer, ...]] = {
    "translation": tuple(Move(axis, distance) for axis, distance in product("xy", SHIFTS)),
    "rotation": ROLLS,
    "zooming": tuple(Move("z", depth) for depth in DEPTHS),
    **dict.fromkeys(("translation_rotation", "rotation_rotation", "interaction_location"), tuple(map(Letter, LETTERS))),
}

_NO: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Floor:
    """Mean scores, in 0 … 1, of random answers and of the best constant answer, which ``answer`` spells.

    ``random`` is None where it was not asked for.
    """

    random: Fraction | None
    constant: Fraction
    answer: str


def floor(
    kind: str, metric: str, truths: Sequence[Answer] | None = None, candidates: Sequence[int] | None = None
) -> Floor:
    """The floor of a kind for these truths; without them, for truths spread evenly over the benchmark's ranges.

    Docking and bonds have no such ranges: they need ``truths``. ``candidates`` is the number of candidate pairs for
    each truth of bonds; without it there is no random score. For ``f1`` over bonds the constant is the best among
    single bonds and whole truths. Raises UnknownName for a kind, InputError where something is missing.
    """
    if kind not in TYPES:
        raise UnknownName("question kind", kind, TYPES)
    if truths is None:
        truths = GRIDS.get(kind)
    if not truths:
        raise InputError(f"{kind}: chance depends on the truths, and there are none", code="no_truths")
    if TYPES[kind] is Bonds:
        return _bonds_floor(kind, metric, cast(Sequence[Bonds], truths), candidates)
    if kind == "docking":
        return _docking_floor(metric, cast(Sequence[RollThenMove], truths))
    return _grid_floor(kind, metric, truths)


def _grid_floor(kind: str, metric: str, truths: Sequence[Answer]) -> Floor:
    means = {answer: _mean_score(answer, truths, metric) for answer in GRIDS[kind]}
    best = max(means, key=lambda answer: means[answer])
    return Floor(_mean(means.values()), means[best], answer_text(kind, best))


def _mean_score(answer: Answer, truths: Sequence[Answer], metric: str) -> Fraction:
    counts = Counter(truths)
    total = sum((_score(answer, truth, metric) * count for truth, count in counts.items()), Fraction(0))
    return total / len(truths)


def _score(answer: Answer, truth: Answer, metric: str) -> Fraction:
    compared = compare(answer, truth)
    return _exactly(compared.misi) if metric == "misi" else Fraction(compared.exact)


def _exactly(score: float) -> Fraction:
    """The fraction that a score was rounded from: denominators are 7, 11 or a distance in whole Å."""
    return Fraction(score).limit_denominator(10_000)


def _mean(values: Iterable[Fraction]) -> Fraction:
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def _docking_floor(metric: str, truths: Sequence[RollThenMove]) -> Floor:
    """Roll and move are drawn independently, so their means add (composite) or the chance is that of one pair."""
    moves = sorted({truth.move for truth in truths}, key=lambda move: move.distance)
    if metric != "misi":
        (best, hits), size = Counter(truths).most_common(1)[0], len(ROLLS) * len(moves)
        inside = sum(any(compare(roll, truth.roll).exact for roll in ROLLS) for truth in truths)
        text = answer_text("docking", best)
        return Floor(Fraction(inside, size * len(truths)), Fraction(hits, len(truths)), text)
    rolls = _grid_means([truth.roll for truth in truths])
    shifts = {move: _mean(_exactly(docking_move(move, truth.move)) for truth in truths) for move in moves}
    roll, shift = max(rolls, key=lambda r: rolls[r]), max(shifts, key=lambda m: shifts[m])
    text = f"{answer_text('rotation', roll)}, {answer_text('translation', shift)}"
    return Floor((_mean(rolls.values()) + _mean(shifts.values())) / 2, (rolls[roll] + shifts[shift]) / 2, text)


def _grid_means(truths: Sequence[Answer]) -> dict[Answer, Fraction]:
    return {roll: _mean_score(roll, truths, "misi") for roll in ROLLS}


def _bonds_floor(kind: str, metric: str, truths: Sequence[Bonds], candidates: Sequence[int] | None) -> Floor:
    random = None
    if candidates is not None:
        pairs = zip(truths, candidates, strict=True)
        random = _mean(random_bonds(len(truth.bonds), count, metric) for truth, count in pairs)
    texts = [bond_texts(truth) for truth in truths]
    # by precision no list does better than the best of its bonds; by exact match only whole truths score
    constants = {_NO, *map(frozenset, ([text] for truth in texts for text in truth)), *texts}
    means = _means_of_bonds(constants, texts, metric)
    best = min(means, key=lambda answer: (-means[answer], len(answer), sorted(answer)))
    return Floor(random, means[best], bonds_text(kind, sorted(best)))


def _means_of_bonds(
    constants: Iterable[frozenset[str]], truths: Sequence[frozenset[str]], metric: str
) -> dict[frozenset[str], Fraction]:
    holders: dict[str, list[int]] = {}
    for index, truth in enumerate(truths):
        for text in truth:
            holders.setdefault(text, []).append(index)
    means = {}
    for answer in constants:
        hits = Counter(index for text in answer for index in holders.get(text, ()))
        scores = (bonds_fraction(n, len(answer), len(truths[index]), metric) for index, n in hits.items())
        means[answer] = sum(scores, Fraction(0)) / len(truths)
    means[_NO] = Fraction(truths.count(_NO), len(truths))
    return means


def bonds_fraction(hits: int, answered: int, true: int, metric: str) -> Fraction:
    """The score of a list of bonds as a fraction."""
    if metric == "exact":
        return Fraction(hits == answered == true)
    score = bonds_score if metric == "misi" else bonds_f1
    return Fraction(score(hits, answered, true)).limit_denominator(2 * (answered + true) + 2)


def random_bonds(true: int, candidates: int, metric: str) -> Fraction:
    """The mean score of a random subset of ``candidates`` pairs, of which ``true`` are bonds. Source: counting.

    Raises InputError where there are more bonds than candidates.
    """
    if true > candidates:
        raise InputError(f"{true} bonds among {candidates} candidate pairs", code="too_few_candidates")
    false = candidates - true
    total = Fraction(0)
    for hits, wrong in product(range(true + 1), range(false + 1)):
        score = bonds_fraction(hits, hits + wrong, true, metric)
        if score:
            total += score * comb(true, hits) * comb(false, wrong)
    return total / (1 << candidates)

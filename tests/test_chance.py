"""Chance: the exact mean of random answers against a simulated one, and against numbers worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import sqrt

import pytest

from interactions.errors import InputError, UnknownName
from interactions.questions.answers import Answer, Bond, Bonds, Letter, Move, Roll, RollThenMove
from interactions.questions.chance import ANGLES, GRIDS, SHIFTS, floor, random_bonds
from interactions.questions.scoring import verify
from interactions.questions.wording import answer_text

DOCKINGS = [
    RollThenMove(Roll("x", 75), Move("x", -14)),
    RollThenMove(Roll("y", -15), Move("x", 12)),
    RollThenMove(Roll("y", -15), Move("x", 10)),
]
PAIRS = [Bond("SER", str(number), "OG", "A", "O1") for number in range(6)]
LISTS = [Bonds(frozenset(PAIRS[:2])), Bonds(frozenset(PAIRS[1:4])), Bonds(frozenset())]


def test_letters_and_depths() -> None:
    for kind in ("translation_rotation", "rotation_rotation", "interaction_location"):
        assert (floor(kind, "misi").random, floor(kind, "misi").constant) == (Fraction(1, 4), Fraction(1, 4))
    assert (floor("zooming", "misi").random, floor("zooming", "exact").constant) == (Fraction(1, 21), Fraction(1, 21))


def test_transforms_by_hand() -> None:
    sevenths = sum(Fraction(max(0, 7 - abs(a - b)), 7) for a, b in product(SHIFTS, SHIFTS))
    assert floor("translation", "misi").random == sevenths / 64 / 2
    elevenths = sum(Fraction(max(0, 165 - abs(a - b)), 165) for a, b in product(ANGLES, ANGLES))
    assert floor("rotation", "misi").random == elevenths / 144 / 3
    assert floor("translation", "exact").random == Fraction(1, 16)
    assert floor("rotation", "exact").random == Fraction(1, 36)


def test_the_best_constant_is_in_the_middle() -> None:
    best = floor("translation", "misi")
    # from 1 Å, the eight values of its axis are 5, 4, 3, 2, 0, 1, 2 and 3 Å away
    assert best.constant == Fraction(8 * 7 - 20, 7) / 16
    assert best.answer in {f"move {axis} {sign}1" for axis, sign in product("xy", ("", "-"))}


def test_empirical_truths() -> None:
    letters = [Letter(letter) for letter in "AABCD"]
    assert floor("interaction_location", "misi", letters).constant == Fraction(2, 5)
    assert floor("interaction_location", "misi", letters).answer == "A"
    assert floor("interaction_location", "misi", letters).random == Fraction(1, 4)


def test_docking_by_hand() -> None:
    exact = floor("docking", "exact", DOCKINGS)
    assert (exact.random, exact.constant) == (Fraction(1, 36 * 3), Fraction(1, 3))
    best = floor("docking", "misi", DOCKINGS)
    # roll y -15 is right twice; of 12 and 10, both right of centre, 12 loses 1/5 at 10 and 10 loses 1/6 at 12
    assert best.answer == "roll y -15, move x 10"
    assert best.constant == (Fraction(2, 3) + (Fraction(1) + Fraction(5, 6)) / 3) / 2


def test_bonds_by_enumeration() -> None:
    for metric in ("misi", "exact", "f1"):
        subsets = [Bonds(frozenset(s)) for n in range(7) for s in combinations(PAIRS, n)]
        for truth in LISTS:
            scores = [mean_score("pocket_ligand", answer, [truth], metric) for answer in subsets]
            assert float(random_bonds(len(truth.bonds), 6, metric)) == pytest.approx(sum(scores) / 64)


def test_the_best_constant_of_bonds() -> None:
    best = floor("pocket_ligand", "misi", LISTS, [6, 6, 6])
    assert (best.constant, best.answer) == (Fraction(2, 3), "SER 1 OG A, O1")
    assert floor("pocket_ligand", "exact", LISTS).constant == Fraction(1, 3)
    assert floor("pocket_ligand", "exact", LISTS).random is None
    assert floor("residue_ligand", "misi", [Bonds(frozenset())]).answer == "No"


def mean_score(kind: str, answer: Answer, truths: list[Answer] | list[Bonds], metric: str) -> float:
    text = answer_text(kind, answer)
    return sum(float(verify(kind, text, truth, metric=metric)["score"]) for truth in truths) / len(truths)


def grid(kind: str) -> Callable[[random.Random], Answer]:
    return lambda rng: rng.choice(GRIDS[kind])


def docking(rng: random.Random) -> Answer:
    roll = rng.choice(GRIDS["rotation"])
    assert isinstance(roll, Roll)
    return RollThenMove(roll, rng.choice(DOCKINGS).move)


def subset(rng: random.Random) -> Answer:
    return Bonds(frozenset(pair for pair in PAIRS if rng.random() < 0.5))


SIMULATED = [
    *[(kind, grid(kind), list(truths), None) for kind, truths in GRIDS.items()],
    ("docking", docking, DOCKINGS, None),
    ("pocket_ligand", subset, LISTS, [6, 6, 6]),
    ("residue_ligand", subset, LISTS, [6, 6, 6]),
]


@pytest.mark.parametrize("metric", ["misi", "exact", "f1"])
@pytest.mark.parametrize(("kind", "draw", "truths", "candidates"), SIMULATED)
def test_simulated_answers_score_what_was_computed(
    kind: str, draw: Callable[[random.Random], Answer], truths: list[Answer], candidates: list[int] | None, metric: str
) -> None:
    if kind == "residue_ligand":
        truths = [without_place(truth) for truth in truths]
    rng, count = random.Random(7), 4000
    scores = []
    for _ in range(count):
        answer = draw(rng)
        text = answer_text(kind, without_place(answer) if kind == "residue_ligand" else answer)
        scores.append(verify(kind, text, rng.choice(truths), metric=metric)["score"])
    mean = sum(scores) / count
    error = sqrt(sum((score - mean) ** 2 for score in scores)) / count
    exact = floor(kind, metric, truths, candidates).random
    assert exact is not None
    assert abs(mean - float(exact)) < 4 * error


def without_place(answer: Answer) -> Answer:
    assert isinstance(answer, Bonds)
    return Bonds(frozenset(Bond(f"R{bond.number}", "", bond.atom, "", "O1") for bond in answer.bonds))


def test_what_cannot_be_computed() -> None:
    for kind in ("docking", "pocket_ligand", "residue_ligand"):
        with pytest.raises(InputError, match="depends on the truths"):
            floor(kind, "misi")
    with pytest.raises(InputError, match="2 bonds among 1"):
        floor("pocket_ligand", "misi", LISTS[:1], [1])
    with pytest.raises(UnknownName):
        floor("T1", "misi")

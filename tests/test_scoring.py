"""Scores: the benchmark's composite, exact match and F1, and the verify reply."""

from __future__ import annotations

import json
from itertools import product
from math import isclose, nan

import pytest
from model_answers import BOTH, EXAMPLES, NO, T1, T2, T3, T4, T5, T7, T9

from interactions.errors import UnknownName
from interactions.questions.answers import KINDS, Bond, Bonds, Letter, Move, Roll
from interactions.questions.scoring import hide_truth, truth_sizes, verify
from interactions.questions.wording import answer_text

KEYS = [
    "score", "exact", "format_ok", "parsed", "span", "reason", "detail", "flags", "status", "task", "metric", "mode",
    "version",
]  # fmt: skip
NINE = (  # the published answer for 5ey0
    "ARG 45 NH2 A, O1B; ARG 45 NE A, O2G; LYS 47 NZ A, O1A; LYS 158 NZ A, O1G; SER 43 OG A, O2B; "
    "PHE 24 N A, O6; ARG 44 N A, O3G; VAL 22 O A, N1; VAL 22 O A, N2"
)


def listed(count: int, first: int = 1) -> str:
    return "; ".join(f"SER {number} OG A, O1" for number in range(first, first + count))


def score(kind: str, response: str, truth: str, metric: str = "misi") -> float:
    return float(verify(kind, response, truth, metric=metric)["score"])


@pytest.mark.parametrize(
    ("kind", "response", "truth", "misi", "exact"),
    [
        (T1, "move x 4", "move x 4", 1, 1),
        (T1, "move x 3", "move x 4", 6 / 7, 0),
        (T1, "move x -3", "move x 4", 0, 0),
        (T1, "move x -4", "move x 4", 0, 0),
        (T1, "move y 4", "move x 4", 0, 0),
        (T1, "move x 0", "move x 1", 6 / 7, 0),
        (T2, "roll y 15", "roll y 15", 1, 1),
        (T2, "roll y -15", "roll y 15", 9 / 11, 0),
        (T2, "roll y -90", "roll y 75", 0, 0),
        (T2, "roll z 15", "roll y 15", 0, 0),
        (T2, "roll x 270", "roll x -90", 1, 1),
        (T2, "roll x 180", "roll x -180", 1, 1),
        (T2, "roll x -675", "roll x 45", 1, 1),
        (T2, "roll x 285", "roll x -90", 10 / 11, 0),
        (T3, "move z 40", "move z 40", 1, 1),
        (T3, "move z 41", "move z 40", 0, 0),
        (T5, "c", "C", 1, 1),
        (T5, "B", "C", 0, 0),
        (T7, "roll x 75, move x -14", "roll x 75, move x -14", 1, 1),
        (T7, "move x -14, roll x 75", "roll x 75, move x -14", 1, 1),
        (T7, "roll x 75, move x 14", "roll x 75, move x -14", 1 / 2, 0),
        (T7, "roll y 75, move x -7", "roll x 75, move x -14", 1 / 4, 0),
        (T7, "roll x 60, move x -28", "roll x 75, move x -14", 5 / 11, 0),
        (T7, "roll x 60, move x -60", "roll x 75, move x -14", 5 / 11, 0),
        (T7, "roll x 75, move x 0", "roll x 75, move x -14", 1 / 2, 0),
        (T4, "No", "No", 1, 1),
        (T4, "Yes: ARG NE, O2G", "No", 0, 0),
        (T4, "No", "Yes: ARG NE, O2G", 0, 0),
        (T4, "Yes: ARG NE, O2G; ARG NH1, O2G", "Yes: ARG NE, O2G", 1 / 2, 0),
        (T4, "Yes: ARG NE, O2G; ARG NH1, O1", "Yes: ARG NE, O2G; ARG NH2, O1; ARG NH2, O2", 1 / 2, 0),
        (T9, NINE, NINE, 1, 1),
        (T9, "ARG 45 NE A, O2G", NINE, 1, 0),
        (T9, "ARG 45 NE B, O2G", NINE, 0, 0),
        (T9, listed(4), listed(3), 1 / 2, 0),
        (T9, listed(6), listed(3), 1 / 2, 0),
        (T9, listed(7), listed(3), 0, 0),
        (T9, listed(6), listed(3, first=2), 1 / 2, 0),
        (T9, listed(4), listed(4, first=2), 3 / 4, 0),
        (T9, listed(7), listed(4, first=2), 1 / 2, 0),
        (T9, listed(6), listed(4, first=4), 3 / 6, 0),
        (T9, "None", "No", 1, 1),
        (T9, "", "No", 0, 0),
    ],
)
def test_scores(kind: str, response: str, truth: str, misi: float, exact: float) -> None:
    assert isclose(score(kind, response, truth), misi)
    reply = verify(kind, response, truth, metric="exact")
    assert (reply["score"], reply["exact"]) == (exact, bool(exact))


@pytest.mark.parametrize(
    ("response", "truth", "f1"),
    [
        (listed(2), listed(4), 2 * 2 / 6),
        (listed(4, first=3), listed(4), 2 * 2 / 8),
        (listed(30), listed(3), 2 * 3 / 33),
        (listed(3, first=9), listed(3), 0),
        ("No", listed(3), 0),
        (listed(3), "No", 0),
        ("No", "No", 1),
    ],
)
def test_f1(response: str, truth: str, f1: float) -> None:
    assert isclose(score(T9, response, truth, "f1"), f1)


def test_f1_is_exact_match_where_there_are_no_bonds() -> None:
    assert score(T1, "move x 3", "move x 4", "f1") == 0
    assert score(T1, "move x 4", "move x 4", "f1") == 1


def test_every_answer_scores_one_against_itself() -> None:
    for kind, metric in product(KINDS, ("misi", "exact", "f1")):
        reply = verify(kind, answer_text(kind, EXAMPLES[kind]), EXAMPLES[kind], metric=metric)
        assert (reply["score"], reply["exact"], reply["flags"]) == (1, True, [])
        assert {item["verdict"] for item in reply["detail"]} == {"true"}


def test_translation_scores_fall_on_sevenths() -> None:
    shifts = [f"move {axis} {d}" for axis, d in product("xy", range(-4, 5)) if d]
    sevenths = {round(7 * score(T1, a, b), 9) for a, b in product(shifts, shifts)}
    assert sevenths == set(range(8))


def test_rotation_scores_fall_on_elevenths() -> None:
    rolls = [f"roll {axis} {15 * k}" for axis, k in product("xyz", range(-6, 7)) if k]
    elevenths = {round(11 * score(T2, a, b), 9) for a, b in product(rolls, rolls)}
    assert elevenths == set(range(12))


# --- the reply


def test_the_reply_has_the_same_keys_always() -> None:
    for response, truth in (("A", "C"), ("", "C"), ("A", "?"), ("C" * 99_999, "C"), ("<think>", None)):
        reply = verify(T5, response, truth)
        assert list(reply) == KEYS
        assert json.loads(json.dumps(reply)) == reply


def test_a_reply() -> None:
    reply = verify(T9, "So: <answer>LYS 47 NZ A, O2A; arg45 NE A, O2G</answer>", "ARG 45 NE A, O2G; SER 43 OG A, O2B")
    assert reply.pop("version").startswith("0.")
    assert reply == {
        "score": 0.5,
        "exact": False,
        "format_ok": True,
        "parsed": "ARG 45 NE A, O2G; LYS 47 NZ A, O2A",
        "span": [12, 45],
        "reason": "read",
        "detail": [
            {"item": "ARG 45 NE A, O2G", "verdict": "true", "reason": ""},
            {"item": "LYS 47 NZ A, O2A", "verdict": "not a bond", "reason": ""},
            {"item": "SER 43 OG A, O2B", "verdict": "missing", "reason": ""},
        ],
        "flags": [],
        "status": "ok",
        "task": "pocket_ligand",
        "metric": "misi",
        "mode": "strict",
    }


def test_known_reasons_are_told() -> None:
    known = {Bond("LYS", "47", "NZ", "A", "O2A"): "D–A 4.21 Å > 3.57 Å"}
    detail = verify(T9, "LYN 47 NZ A, O2A; ARG 45 NE A, O2G", "ARG 45 NE A, O2G", known=known)["detail"]
    assert detail[1] == {"item": "LYS 47 NZ A, O2A", "verdict": "not a bond", "reason": "D–A 4.21 Å > 3.57 Å"}
    assert detail[0]["reason"] == ""


@pytest.mark.parametrize(
    ("kind", "response", "truth", "detail"),
    [
        (T1, "move x 3", "move x 4", [("move x 3", "wrong", "1 Å off")]),
        (T1, "move y 4", "move x 4", [("move y 4", "wrong", "the axis is x")]),
        (T7, "roll x 90, move x -14", "roll x 75, move x -14",
         [("roll x 90", "wrong", "15° off"), ("move x -14", "true", "")]),
        (T5, "B", "C", [("B", "wrong", "the answer is C")]),
        (T5, "B or C", "C", []),
    ],
)  # fmt: skip
def test_detail(kind: str, response: str, truth: str, detail: list[tuple[str, str, str]]) -> None:
    assert [tuple(item.values()) for item in verify(kind, response, truth)["detail"]] == detail


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("ASP 9 OD1 A, N1", "ASP 9 OD2 A, N1"),
        ("GLU 9 OE2 A, N1", "GLU 9 OE1 A, N1"),
        ("ARG 9 NH1 A, O1", "ARG 9 NH2 A, O1"),
        ("LEU 9 O A, N1", "LEU 9 OXT A, N1"),
    ],
)
def test_equivalent_atoms_are_wrong_and_flagged(answer: str, truth: str) -> None:
    reply = verify(T9, answer, truth)
    assert (reply["score"], reply["exact"], reply["flags"]) == (0, False, ["equivalent_atom"])
    assert verify(T9, f"{answer}; {truth}", truth)["flags"] == []
    assert verify(T9, answer, truth.replace(" 9 ", " 8 "))["flags"] == []


def test_the_truth_may_be_hidden() -> None:
    shown = verify(T9, "ASP 9 OD1 A, N1; ASP 9 OD1 A, N1", "ASP 9 OD2 A, N1")
    hidden = hide_truth(shown)
    assert hidden["flags"] == ["duplicate_bonds"]
    assert hidden["detail"] is None
    assert list(hidden) == KEYS
    assert "OD2" not in json.dumps(hidden)


def test_names_of_the_truth_have_aliases_too() -> None:
    truth = Bonds(frozenset({Bond("HIE", "57", "NE2", "A", "O1")}))
    assert verify(T9, "HIS 57 NE2 A, O1", truth)["score"] == 1
    assert verify(T9, "HIS 57 NE2 A, O1", "HID 57 NE2 A, O1")["score"] == 1


@pytest.mark.parametrize(
    ("kind", "truth"),
    [(T1, "?"), (T1, None), (T1, ""), (T1, Letter("A")), (T1, Move("x", nan)), (T9, ""), (T5, "A or B")],
)
def test_a_truth_that_cannot_be_used_gives_no_score(kind: str, truth: object) -> None:
    reply = verify(kind, answer_text(kind, EXAMPLES[kind]), truth)  # type: ignore[arg-type]
    assert (reply["score"], reply["status"], reply["format_ok"]) == (None, "unusable_truth", True)


def test_identity_has_no_axis() -> None:
    assert verify(T2, "roll x 360", Roll("y", 0))["exact"]
    assert verify(T1, "move x 0", Move("y", 0))["exact"]


def test_unknown_names() -> None:
    for arguments in ({"metric": "f2"}, {"mode": "loose"}):
        with pytest.raises(UnknownName):
            verify(T1, "move x 3", "move x 3", **arguments)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="translation"):
        verify("T1", "move x 3", "move x 3")


def test_truth_sizes() -> None:
    sizes = {kind: truth_sizes(EXAMPLES[kind]) for kind in (T1, T2, T3, T5, T7)}
    assert sizes == {
        T1: {"distance": 4},
        T2: {"angle": 15},
        T3: {"distance": 40},
        T5: {},
        T7: {"angle": 75, "distance": -14},
    }
    assert [truth_sizes(truth) for truth in (NO, BOTH)] == [{"bonds": 0}, {"bonds": 2}]

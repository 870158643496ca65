"""Properties of reading, with a fixed budget and the same examples each time."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_answers import EXAMPLES, KIND_AND_ANSWER, T1, T4, T5, T9

from interactions.questions import containers, grammar, normalise
from interactions.questions.answers import KINDS, TYPES, Answer, Bonds
from interactions.questions.quick import quick_answer, quick_bonds
from interactions.questions.reading import REASONS, read_answer, read_truth
from interactions.questions.scoring import verify
from interactions.questions.wording import answer_text, bond_text

FIXED = settings(max_examples=400, derandomize=True, deadline=None, database=None)


@FIXED
@given(KIND_AND_ANSWER, st.sampled_from(["strict", "lenient"]))
def test_what_is_written_is_read_back(case: tuple[str, Answer], mode: str) -> None:
    kind, answer = case
    text = answer_text(kind, answer)
    for response in (text, f"<answer>{text}</answer>", f"So:\nAnswer: {text}", f"So \\boxed{{{text}}}."):
        assert read_answer(kind, response, mode).parsed == answer
    assert read_truth(kind, text) == answer


@FIXED
@given(KIND_AND_ANSWER)
def test_the_quick_reading_says_the_same(case: tuple[str, Answer]) -> None:
    kind, answer = case
    text = answer_text(kind, answer)
    if TYPES[kind] is Bonds:
        quick = quick_bonds(kind, text)
        assert quick is None or quick == {bond_text(bond) for bond in answer.bonds}  # type: ignore[union-attr]
    else:
        assert quick_answer(kind, text) in (None, answer)


PIECES = [
    "<answer>", "</answer>", "<think>", "</think>", "\\boxed{", "}", "{", "Answer:", "\n", " ", "; ", ", ", "and", "-",
    "*", "_", "**", "\\text{", "$", "\\", "No", "Yes:", "move", "x", "3", "roll", "75", "°", "C", "A or B", "ARG", "45",
    "NH2", "O1B", "\0", "\ud800", "\u202e", "\u0f73", "\u0301", "½", "\ufdfa", "１", "1e999", "#", ">", "`", "\u2028",
]  # fmt: skip
NOISE = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


@settings(FIXED, max_examples=2000)
@given(st.sampled_from(KINDS), NOISE, st.sampled_from(["strict", "lenient"]))
def test_nothing_raises(kind: str, response: str, mode: str) -> None:
    reading = read_answer(kind, response, mode)
    assert reading.reason in REASONS
    assert reading.format_ok == isinstance(reading.parsed, TYPES[kind]) == (reading.reason == "read")
    reply = verify(kind, response, EXAMPLES[kind], mode=mode)
    assert reply["format_ok"] or reply["score"] == 0
    assert reply["span"] is None or 0 <= reply["span"][0] <= reply["span"][1] <= len(response)


def mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(0, 3)):
        start, end = sorted(rng.randint(0, len(text)) for _ in range(2))
        text = text[:start] + rng.choice((rng.choice(PIECES), text[start:end] * 2, "")) + text[end:]
    return text


def test_a_hundred_thousand_mutated_answers() -> None:
    rng = random.Random(20)
    texts = {kind: answer_text(kind, answer) for kind, answer in EXAMPLES.items()}
    read = 0
    for _ in range(100_000):
        kind = rng.choice(KINDS)
        reply = verify(kind, mutated(rng, texts[kind]), EXAMPLES[kind], mode=rng.choice(("strict", "lenient")))
        assert 0 <= reply["score"] <= 1
        assert reply["format_ok"] or reply["score"] == 0
        read += reply["format_ok"]
    assert 25_000 < read < 75_000  # a quarter is left as it was


@settings(FIXED, max_examples=300)
@given(KIND_AND_ANSWER, st.sampled_from("%=?!{<|\u03b1\0"), st.randoms(use_true_random=False))
def test_a_character_of_no_grammar_scores_nothing(case: tuple[str, Answer], character: str, rng: random.Random) -> None:
    kind, answer = case
    text = answer_text(kind, answer)
    place = rng.randint(0, len(text))
    reply = verify(kind, text[:place] + character + text[place:], answer)
    assert (reply["score"], reply["format_ok"], reply["parsed"]) == (0, False, None)


@settings(FIXED, max_examples=300)
@given(KIND_AND_ANSWER, st.text(string.ascii_lowercase, min_size=2, max_size=8), st.booleans())
def test_prose_next_to_an_answer_is_not_an_answer(case: tuple[str, Answer], word: str, before: bool) -> None:
    kind, answer = case
    text = answer_text(kind, answer)
    response = f"qq{word} {text}" if before else f"{text} qq{word}"
    reading = read_answer(kind, response)
    assert reading.parsed is None or isinstance(reading.parsed, Bonds)  # a chain may be called qqab
    assert reading.parsed != answer


REPEATED = [
    *PIECES, "<answer>A</answer>", "<think>a</think>", "\\boxed{A}", "\\text{A}", "\\boxed{{", "Answer: A\n",
    "Answer:\n", "\n\n", "- ARG 45 NH2 A, O1B\n", "ARG 45 NH2 A, O1B; ", "A, ", "A or ", "move x ", "* ", "**a", "_a",
    "1. ", "\\,", "^", "\\textbf{", "$$", "\u00a0", "ß", "\u0f73\u0301",
]  # fmt: skip
ENDS = [
    ("", ""),
    ("", "!"),
    ("<answer>", "</answer>"),
    ("\\boxed{", "}"),
    ("Answer: ", "\n"),
    ("*", "*"),
    ("Yes: ", ""),
]


class Meter:
    """A stand-in for ``re`` patterns and parsers that counts how many characters they are given."""

    def __init__(self) -> None:
        self.characters = 0

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for owner, name in ((normalise, "normalise"), (grammar, "one_line"), (containers, "trimmed")):
            self._wrap(monkeypatch, owner, name)

    def _wrap(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        original = getattr(owner, name)

        def counted(text: str, *span: int) -> object:
            self.characters += span[1] - span[0] if span else len(text)
            return original(text, *span)

        monkeypatch.setattr(owner, name, counted)
        if name == "normalise":
            monkeypatch.setattr("interactions.questions.reading.normalise", counted)


@pytest.mark.parametrize("mode", ["strict", "lenient"])
def test_the_text_handled_grows_with_the_response(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    meter = Meter()
    meter.watch(monkeypatch)
    for piece in REPEATED:
        for before, after in ENDS:
            response = before + piece * (4000 // len(piece)) + after
            meter.characters = 0
            for kind in (T5, T9, T4, T1):
                read_answer(kind, response, mode)
            assert meter.characters <= 4 * 12 * len(response), (piece, before)

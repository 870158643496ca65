"""Reading free text: what counts as an answer, what does not, and what it costs."""

from __future__ import annotations

import pytest
from model_answers import BOTH, EXAMPLES, NO, T1, T2, T3, T4, T5, T7, T8, T9

from interactions.errors import UnknownName
from interactions.questions import grammar
from interactions.questions.answers import Answer, Bond, Bonds, Letter, Move, MoveXY, Roll, RollThenMove
from interactions.questions.reading import MAX_BYTES, read_answer, read_truth
from interactions.questions.scoring import verify
from interactions.questions.wording import answer_text


def bonds(*items: Bond) -> Bonds:
    return Bonds(frozenset(items))


def pocket(residue: str, number: str = "189") -> Bonds:
    return bonds(Bond(residue, number, "N", "A", "O1"))


def parsed(kind: str, response: str, mode: str = "strict") -> Answer | None:
    reading = read_answer(kind, response, mode)
    assert reading.format_ok == (reading.parsed is not None)
    return reading.parsed


READ: list[tuple[str, str, Answer]] = [
    # signs, case, units
    (T1, "move x +3", Move("x", 3)),
    (T1, "move X 3.0 Å", Move("x", 3)),
    (T1, "MOVE x 3", Move("x", 3)),
    (T1, "move x 3 A\u030a", Move("x", 3)),
    (T1, "move y \u22123", Move("y", -3)),
    (T1, "move y \u20133", Move("y", -3)),
    (T1, "move y \u20103", Move("y", -3)),
    (T1, "move y \u20153", Move("y", -3)),
    (T1, "move y \ufe633", Move("y", -3)),
    (T1, "move y \uff0d3", Move("y", -3)),
    (T1, "move y - 3", Move("y", -3)),
    (T1, "move x -0", Move("x", 0)),
    (T3, "move z 50 angstroms", Move("z", 50)),
    (T2, "roll y 90°", Roll("y", 90)),
    (T2, "roll y 90 deg", Roll("y", 90)),
    (T2, "roll y 90 degrees", Roll("y", 90)),
    (T2, "roll y 90º", Roll("y", 90)),
    (T2, "roll y 90˚", Roll("y", 90)),
    (T2, r"$\text{roll } y\ 90^\circ$", Roll("y", 90)),
    (T2, r"\(\mathrm{roll}\; y\; -90\degree\)", Roll("y", -90)),
    (T2, "roll\u00a0y\u202f90\u200b", Roll("y", 90)),
    (T2, "**roll z** `-15`", Roll("z", -15)),
    (T2, "_roll z -15_", Roll("z", -15)),
    (T2, "roll x 270", Roll("x", 270)),
    # containers
    (T5, "C", Letter("C")),
    (T5, " c.\n", Letter("C")),
    (T5, "(C)", Letter("C")),
    (T5, "C)", Letter("C")),
    (T5, "**C**", Letter("C")),
    (T5, "It turns left, so <ANSWER> b </ANSWER>.", Letter("B")),
    (T5, "<answer>B</answer> as said: <answer>(b)</answer>", Letter("B")),
    (T5, "Put it into <answer></answer>: <answer>B</answer>", Letter("B")),
    (T5, r"so \boxed{A}, no: \boxed{\text{B}}", Letter("B")),
    (T5, r"<answer>\boxed{B}</answer>", Letter("B")),
    (T5, r"<answer>B</answer> \boxed{A}", Letter("B")),
    (T5, r"\boxed{B} and an unclosed \boxed{A", Letter("B")),
    (T5, "Answer: A\nNo.\nFinal answer: B\nGoodbye", Letter("B")),
    (T5, "I look.\n**Answer:** B", Letter("B")),
    (T5, "I look.\n\n**Final Answer:**\n\nB", Letter("B")),
    (T5, "<think>A or <answer>A</answer></think>\nB", Letter("B")),
    (T5, "the opening tag is in the prompt, A</think><answer>B</answer>", Letter("B")),
    (T5, "<think>a <think>b</think> c</think>D", Letter("D")),
    (T5, "<answer>A</answer> hm <think>oh</think><answer>A</answer>", Letter("A")),
    # docking in both orders
    (T7, "roll x 75, move x -14", RollThenMove(Roll("x", 75), Move("x", -14))),
    (T7, "move x -14, roll x 75", RollThenMove(Roll("x", 75), Move("x", -14))),
    (T7, "roll x 75°; then move x −14 Å", RollThenMove(Roll("x", 75), Move("x", -14))),
    (T7, "roll x 75\nmove x -14", RollThenMove(Roll("x", 75), Move("x", -14))),
    # residues and their names
    (T9, "asp 189 N A, O1", pocket("ASP")),
    (T9, "Asp189 N A, O1", pocket("ASP")),
    (T9, "ASP-189 N A, O1", pocket("ASP")),
    (T9, "ASP -189 N A, O1", pocket("ASP", "-189")),
    (T9, "ASP 189B N A, O1", pocket("ASP", "189B")),
    *[(T9, f"{name} 189 N A, O1", pocket("HIS")) for name in ("HID", "HIE", "HIP", "HSD", "HSE", "HSP")],
    *[(T9, f"{name} 189 N A, O1", pocket("CYS")) for name in ("CYX", "CYM")],
    (T9, "ASH 189 N A, O1", pocket("ASP")),
    (T9, "GLH 189 N A, O1", pocket("GLU")),
    (T9, "LYN 189 N A, O1", pocket("LYS")),
    (T4, "Yes: HIE NE2, O1", bonds(Bond("HIS", "", "NE2", "", "O1"))),
    # lists of bonds
    (T9, "ARG 45 NH2 A, O1B; LYS 47 NZ A, O1A", BOTH),
    (T9, "O1A, LYS 47 NZ A; O1B, ARG 45 NH2 A", BOTH),
    (T9, "ARG 45 NH2 A, O1B; LYS 47 NZ A, O1A; O1B, ARG 45 NH2 A", BOTH),
    (T9, "ARG 45 NH2 A, O1B; LYS 47 NZ A, O1A.", BOTH),
    (T9, "- ARG 45 NH2 A, O1B\n- LYS 47 NZ A, O1A", BOTH),
    (T9, "* ARG 45 NH2 A, O1B.\n\n* LYS 47 NZ A, O1A.", BOTH),
    (T9, "1. ARG 45 NH2 A, O1B;\r\n2. LYS 47 NZ A, O1A;", BOTH),
    (T9, "ARG 45 NH2 A, O1B and LYS 47 NZ A, O1A", BOTH),
    (T9, "ARG 45 NH2 A, O1B; and LYS 47 NZ A, O1A", BOTH),
    (T9, "Listing.\nAnswer:\n- ARG 45 NH2 A, O1B\n- LYS 47 NZ A, O1A\n\nThese are all.", BOTH),
    (T9, "ARG 45 NH2, O5'", bonds(Bond("ARG", "45", "NH2", "", "O5'"))),
    (T9, "ARG 45 NH2 A, O5*", bonds(Bond("ARG", "45", "NH2", "A", "O5*"))),
    (T9, "ARG 45 NH2 a, O5′", bonds(Bond("ARG", "45", "NH2", "a", "O5'"))),
    (T4, "Yes: ARG NH2, O1B; ARG NE, O2G", bonds(Bond("ARG", "", "NH2", "", "O1B"), Bond("ARG", "", "NE", "", "O2G"))),
    (T4, "yes:\n- ARG NH2, O1B", bonds(Bond("ARG", "", "NH2", "", "O1B"))),
    *[(kind, no, NO) for kind in (T4, T9) for no in ("No", "no.", "None", "No hydrogen bonds", "No H-bonds", "[]")],
]

NOT_READ: list[tuple[str, str, str]] = [
    # hedging
    (T5, "<answer>A</answer> or <answer>B</answer>", "multiple_answers"),
    (T5, "<answer>A</answer> or <answer>A or B</answer>", "multiple_answers"),
    (T5, "A or B", "ambiguous_choice"),
    (T5, "A/B", "ambiguous_choice"),
    (T5, "A, B, C, D", "ambiguous_choice"),
    (T5, "all of the above", "ambiguous_choice"),
    (T5, "<answer>A and B</answer>", "ambiguous_choice"),
    # prose around it
    (T4, "Yes. Actually no.", "not_in_grammar"),
    (T4, "No. Actually yes.", "not_in_grammar"),
    (T1, "I would say move x 3", "not_in_grammar"),
    (T1, "<answer>move x 3 or so</answer>", "not_in_grammar"),
    (T5, "I think that it is\nC", "no_answer"),
    # echo of the prompt
    (T1, "move [axis] [dst]", "not_in_grammar"),
    (T1, "move <axis> <dst>", "no_answer"),
    (T1, "<answer>move x <dst></answer>", "not_in_grammar"),
    # thought
    (T5, "<think><answer>C</answer></think>", "no_answer"),
    (T5, "<think><answer>C</answer>", "unclosed_thought"),
    (T5, "<answer>C</answer><think>or", "unclosed_thought"),
    (T5, "<answer></answer>", "no_answer"),
    (T5, "", "no_answer"),
    (T9, " \n", "no_answer"),
    # numbers
    *[(T1, f"move x {text}", "not_in_grammar") for text in ("--3", "+-3", "3-", "3 nm", "0.3 nm", "300 pm", "3,0")],
    *[
        (T1, f"move x {text}", "not_in_grammar")
        for text in ("1,000", "1_000", "\uff13", "\u0663", "3\u00b2", "1\u20443")
    ],
    *[(T1, f"move x {text}", "not_in_grammar") for text in ("1e999", "1e1", "nan", "inf", "0x3", "1234567", "3e", "")],
    (T1, "move x 3\u0301", "not_in_grammar"),
    (T2, "roll x 1.57 rad", "not_in_grammar"),
    (T2, "roll x π/2", "not_in_grammar"),
    (T2, "roll x 9\u2070", "not_in_grammar"),
    # axes that the question does not have
    (T1, "move z 3", "not_in_grammar"),
    (T3, "move x 50", "not_in_grammar"),
    (T7, "roll x 75, move y -14", "not_in_grammar"),
    (T7, "roll x 75", "not_in_grammar"),
    (T5, "E", "not_in_grammar"),
    # lists
    (T9, "ARG 45 NH2 A, O1B; and so on", "not_in_grammar"),
    (T9, "Yes: ARG 45 NH2 A, O1B", "not_in_grammar"),
    (T9, ";", "not_in_grammar"),
    (T4, "ARG NH2, O1B", "not_in_grammar"),
    (T4, "Yes:", "not_in_grammar"),
    (T4, "Yes", "not_in_grammar"),
    # hostile text
    (T5, "C\0", "not_in_grammar"),
    (T5, "\ud800C", "not_in_grammar"),
    (T5, "\u200fC\u200e", "not_in_grammar"),
    (T5, "<answer>\u202eC</answer>", "not_in_grammar"),
    (T5, "C" * 1_000_000, "too_long"),
    (T5, "<answer>" * 100_000, "too_long"),
    (T5, "<answer>" * 8_000, "no_answer"),
    (T5, "\\boxed{" * 100_000, "too_long"),
    (T5, "\\boxed{" * 9_000, "not_in_grammar"),
    (T5, "é" * (MAX_BYTES // 2 + 1), "too_long"),
]


@pytest.mark.parametrize(("kind", "response", "answer"), READ)
@pytest.mark.parametrize("mode", ["strict", "lenient"])
def test_read(kind: str, response: str, answer: Answer, mode: str) -> None:
    assert parsed(kind, response, mode) == answer


@pytest.mark.parametrize(("kind", "response", "reason"), NOT_READ)
def test_not_read(kind: str, response: str, reason: str) -> None:
    reading = read_answer(kind, response)
    assert (reading.parsed, reading.format_ok, reading.reason) == (None, False, reason)
    truth = answer_text(kind, EXAMPLES[kind])
    assert verify(kind, response, truth)["score"] == 0


@pytest.mark.parametrize(
    ("response", "strict", "lenient"),
    [
        ("<answer>A</answer> or <answer>B</answer>", None, "B"),
        ("I think that it is\nC", None, "C"),
        ("option C", None, "C"),
        ("A or B", None, None),
        ("C it is", None, None),
    ],
)
def test_modes(response: str, strict: str | None, lenient: str | None) -> None:
    assert parsed(T8, response) == (Letter(strict) if strict else None)
    assert parsed(T8, response, "lenient") == (Letter(lenient) if lenient else None)


def test_lenient_takes_a_list_from_its_first_line() -> None:
    response = "These hold:\n- ARG 45 NH2 A, O1B\n- LYS 47 NZ A, O1A"
    assert parsed(T9, response) is None
    assert parsed(T9, response, "lenient") == BOTH
    assert parsed(T9, "Yes: ARG 45 NH2 A, O1B; LYS 47 NZ A, O1A", "lenient") == BOTH
    assert parsed(T4, "ARG NH2, O1B", "lenient") == bonds(Bond("ARG", "", "NH2", "", "O1B"))


def test_flags() -> None:
    assert read_answer(T5, "<answer>A</answer><answer>B</answer>").flags == ("multiple_answers",)
    assert read_answer(T5, "<answer>A</answer><answer>B</answer>", "lenient").flags == ("multiple_answers",)
    assert read_answer(T5, "A/B").flags == ("ambiguous_choice",)
    assert read_answer(T5, "A" * 70_000).flags == ("too_long",)
    assert read_answer(T7, "move x -14, roll x 75").flags == ("order",)
    assert read_answer(T7, "roll x 75, move x -14").flags == ()
    assert read_answer(T9, "ARG 45 NH2 A, O1B; O1B, ARG 45 NH2 A").flags == ("duplicate_bonds",)


def test_a_long_thought_is_not_a_long_answer() -> None:
    assert parsed(T5, f"<think>{'hm ' * 100_000}</think>C") == Letter("C")
    assert parsed(T5, "C" + " " * MAX_BYTES) is None


@pytest.mark.parametrize(
    ("response", "read"),
    [
        ("<think>A</think> so <answer> C </answer>", "C"),
        (r"then \boxed{ C } it is", "C"),
        ("hm</think>\nAnswer: C \nbye", "C"),
        (" C\n", "C"),
    ],
)
def test_the_span_is_what_was_read(response: str, read: str) -> None:
    span = read_answer(T5, response).span
    assert span is not None
    assert response[slice(*span)] == read


def test_no_text_is_no_answer() -> None:
    for response in (None, 3, b"C", ["C"]):
        assert read_answer(T5, response).reason == "not_text"


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="translation"):
        read_answer("T1", "move x 3")
    with pytest.raises(UnknownName, match="lenient"):
        read_answer(T1, "move x 3", "loose")
    with pytest.raises(UnknownName):
        read_truth("T1", "move x 3")


def test_options_of_interaction_location() -> None:
    assert grammar.read_move_xy("move x 7, move y -5") == MoveXY(7, -5)
    assert grammar.read_move_xy("move y 7, move x 5") is None

"""Answers of each kind that several tests use, and a strategy of well-formed ones."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from interactions.questions.answers import KINDS, Answer, Bond, Bonds, Letter, Move, Roll, RollThenMove

T1, T2, T3, T4, T5, T7, T8, T9 = (
    "translation",
    "rotation",
    "zooming",
    "residue_ligand",
    "translation_rotation",
    "docking",
    "interaction_location",
    "pocket_ligand",
)
NO = Bonds(frozenset())
NH2 = Bond("ARG", "45", "NH2", "A", "O1B")
NZ = Bond("LYS", "47", "NZ", "A", "O1A")
BOTH = Bonds(frozenset({NH2, NZ}))

EXAMPLES: dict[str, Answer] = {
    **dict.fromkeys(KINDS, Letter("C")),
    T1: Move("x", 4),
    T2: Roll("y", 15),
    T3: Move("z", 40),
    T4: Bonds(frozenset({Bond("ARG", "", "NH2", "", "O1B"), Bond("ARG", "", "NE", "", "O2G")})),
    T7: RollThenMove(Roll("x", 75), Move("x", -14)),
    T9: BOTH,
}
AXES = st.sampled_from("xyz")
SHIFT = st.builds(Move, st.sampled_from("xy"), st.integers(-999, 999).map(float))
ROLL = st.builds(Roll, AXES, st.integers(-400, 400).map(float))
NAMES = st.text(string.ascii_uppercase + string.digits + "'", min_size=1, max_size=4)
RESIDUES = st.sampled_from(["ARG", "LYS", "ASP", "SEP", "A", "2MR"])
NUMBERS = st.builds("{}{}".format, st.integers(-99, 9999), st.sampled_from(["", "A", "B"]))
POCKET_BOND = st.builds(Bond, RESIDUES, NUMBERS, NAMES, st.sampled_from(["", "A", "b", "AA", "1"]), NAMES)
RESIDUE_BOND = st.builds(Bond, RESIDUES, st.just(""), NAMES, st.just(""), NAMES)
LETTER = st.sampled_from("ABCD").map(Letter)
ANSWERS: dict[str, st.SearchStrategy[Answer]] = {
    **dict.fromkeys(KINDS, LETTER),
    T1: SHIFT,
    T2: ROLL,
    T3: st.integers(40, 60).map(lambda depth: Move("z", float(depth))),
    T4: st.frozensets(RESIDUE_BOND, max_size=5).map(Bonds),
    T7: st.builds(RollThenMove, ROLL, st.integers(-30, 30).map(lambda d: Move("x", float(d)))),
    T9: st.frozensets(POCKET_BOND, max_size=8).map(Bonds),
}
KIND_AND_ANSWER = st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), ANSWERS[kind]))

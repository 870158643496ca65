"""Bare answers in the benchmark's own form, read at once. What is not of that form is left to the general reading.

A bare answer means the same in both modes, and the general reading gives the same Reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from interactions.questions.answers import Answer, Letter, Move, Roll, RollThenMove
from interactions.questions.residues import ALIASES

MAX_LENGTH = 4096  # characters, of a list of bonds

Quick = Callable[[str], Answer | None]

_NUMBER = r"(0|-?[1-9]\d{0,5})"
_SHIFT = re.compile(rf"move ([xy]) {_NUMBER}", re.ASCII)
_DEPTH = re.compile(rf"move (z) {_NUMBER}", re.ASCII)
_ROLL = re.compile(rf"roll ([xyz]) {_NUMBER}", re.ASCII)
_DOCKING = re.compile(rf"roll ([xyz]) {_NUMBER}, move x {_NUMBER}", re.ASCII)
_LETTERS = {letter: Letter(letter) for letter in "ABCD"}
_CANONICAL = rf"(?!{'|'.join(ALIASES)})[A-Z]{{3}}"
_POCKET = rf"{_CANONICAL} -?[1-9]\d{{0,4}}[A-Z]? [A-Z0-9']{{1,4}}(?: [A-Za-z0-9])?, [A-Z0-9']{{1,4}}"
_RESIDUE = rf"{_CANONICAL} [A-Z0-9']{{1,4}}, [A-Z0-9']{{1,4}}"
_LISTS = {
    "residue_ligand": re.compile(rf"Yes: {_RESIDUE}(?:; {_RESIDUE})*", re.ASCII),
    "pocket_ligand": re.compile(rf"{_POCKET}(?:; {_POCKET})*", re.ASCII),
}
_NO: frozenset[str] = frozenset()


def quick_answer(kind: str, response: str) -> Answer | None:
    """The answer that a bare response gives, or None where it takes a longer look. Unknown kinds give None."""
    quick = _QUICK.get(kind)
    return quick(response) if quick else None


def quick_bonds(kind: str, response: str) -> frozenset[str] | None:
    """The bonds of a bare list as canonical texts, or None where it takes a longer look."""
    if response == "No":
        return _NO
    if len(response) > MAX_LENGTH or not _LISTS[kind].fullmatch(response):
        return None
    items = response.removeprefix("Yes: ").split("; ")
    bonds = frozenset(items)
    return bonds if len(bonds) == len(items) else None


def _shift(text: str) -> Move | None:
    match = _SHIFT.fullmatch(text)
    return Move(match[1], float(match[2])) if match else None


def _depth(text: str) -> Move | None:
    match = _DEPTH.fullmatch(text)
    return Move(match[1], float(match[2])) if match else None


def _roll(text: str) -> Roll | None:
    match = _ROLL.fullmatch(text)
    return Roll(match[1], float(match[2])) if match else None


def _docking(text: str) -> RollThenMove | None:
    match = _DOCKING.fullmatch(text)
    return RollThenMove(Roll(match[1], float(match[2])), Move("x", float(match[3]))) if match else None


_QUICK: dict[str, Quick] = {
    "translation": _shift,
    "rotation": _roll,
    "zooming": _depth,
    "translation_rotation": _LETTERS.get,
    "rotation_rotation": _LETTERS.get,
    "docking": _docking,
    "interaction_location": _LETTERS.get,
}

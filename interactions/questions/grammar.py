"""The grammar of each question kind, for normalised text: the whole string is an answer, or there is none.

Lengths are in Å and angles in degrees; another unit does not parse. Every pattern is bounded in what it repeats, or
runs on one item of a list, so that reading is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from interactions.questions.answers import Answer, Bond, Bonds, Letter, Move, MoveXY, Roll, RollThenMove
from interactions.questions.residues import ALIASES

Parser = Callable[[str, bool], Answer | None]

_NUMBER = r"([+-]? ?\d{1,6}(?:\.\d{1,20})?)"
_LENGTH = _NUMBER + r"(?: ?(?:[Åå]|A|[ÅåA]ngstr[oö]ms?))?"
_ANGLE = _NUMBER + r"(?: ?(?:°|deg|degrees?))?"
_ROLL = rf"roll ([xyz]) {_ANGLE}"
_THEN = r"(?: ?[,;] ?(?:and )?(?:then )?| (?:and )?(?:then )?)"
_STOP = r" ?\.?"

_FLAGS = re.IGNORECASE | re.ASCII


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, _FLAGS)


def _move(axes: str) -> str:
    return rf"move ([{axes}]) {_LENGTH}"


_MOVES = {axes: _pattern(_move(axes) + _STOP) for axes in ("xy", "z")}
_ROLLS = _pattern(_ROLL + _STOP)
_ROLL_MOVE = _pattern(_ROLL + _THEN + _move("x") + _STOP)
_MOVE_ROLL = _pattern(_move("x") + _THEN + _ROLL + _STOP)
_MOVE_XY = _pattern(_move("x") + _THEN + _move("y") + _STOP)
_LETTER = _pattern(r"(?:\(([a-d])\)|([a-d])\)?)" + _STOP)
_OPTION = _pattern(r"(?:option|choice|candidate|image|picture|answer) ")
_ONE_LETTER = r"(?:option )?\(?[a-d][).]?"
_NEXT_LETTER = rf"(?: ?[,/;|&+] ?| )(?:(?:and|or|and/or) )?{_ONE_LETTER}"
_LETTERS = _pattern(rf"(?:(?:both|either) )?{_ONE_LETTER}(?:{_NEXT_LETTER})+{_STOP}")
_ANY = r"(?:all|any|each|every one|none|both|either|neither)"
_ALL = _pattern(rf"{_ANY}(?: of (?:the )?(?:above|them|these|options))?{_STOP}")

_RESIDUE = r"(?:([A-Z0-9]{1,5}) (-?\d{1,5}[A-Z]?)|([A-Z]{1,4}|[A-Z0-9]{3})-?(\d{1,5}[A-Z]?))"
_ATOM = r"([A-Z0-9'\"*+-]{1,6})"
_POCKET_SIDE = rf"{_RESIDUE} {_ATOM}(?: ([A-Z0-9]{{1,4}}))?"
_RESIDUE_SIDE = rf"([A-Z0-9]{{1,5}}) {_ATOM}"
_BULLET = r"(?:[-*] |\d{1,3}[.)] )?"
_END = r" ?[.,]?"
_POCKET_ITEM = _pattern(rf"{_BULLET}{_POCKET_SIDE} ?, ?{_ATOM}{_END}")
_POCKET_SWAPPED = _pattern(rf"{_BULLET}{_ATOM} ?, ?{_POCKET_SIDE}{_END}")
_RESIDUE_ITEM = _pattern(rf"{_BULLET}{_RESIDUE_SIDE} ?, ?{_ATOM}{_END}")
_RESIDUE_SWAPPED = _pattern(rf"{_BULLET}{_ATOM} ?, ?{_RESIDUE_SIDE}{_END}")
_BETWEEN = _pattern(r";|\n|\band\b")
_NONE = _pattern(r"(?:no|none|\[ ?\]|no (?:hydrogen |h-?)?bonds?)" + _STOP)
_YES = _pattern(r"yes ?: ?\n?")


def one_line(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())


def lines(text: str) -> str:
    """The text with white space as one space, line breaks kept, blank lines dropped."""
    return "\n".join(filter(None, map(one_line, text.splitlines())))


def number(text: str) -> float:
    """The value of a number that the grammar matched; never minus zero."""
    return float(text.replace(" ", "")) + 0.0


def read_move(axes: str, text: str, _lenient: bool = False) -> Move | None:
    match = _MOVES[axes].fullmatch(one_line(text))
    return Move(match[1].lower(), number(match[2])) if match else None


def read_roll(text: str, _lenient: bool = False) -> Roll | None:
    match = _ROLLS.fullmatch(one_line(text))
    return Roll(match[1].lower(), number(match[2])) if match else None


def read_docking(text: str, _lenient: bool = False) -> RollThenMove | None:
    """In either order: the roll is about the ligand's own centre, so it commutes with the move."""
    line = one_line(text)
    if match := _ROLL_MOVE.fullmatch(line):
        return RollThenMove(Roll(match[1].lower(), number(match[2])), Move("x", number(match[4])))
    if match := _MOVE_ROLL.fullmatch(line):
        return RollThenMove(Roll(match[3].lower(), number(match[4])), Move("x", number(match[2])))
    return None


def moved_first(text: str) -> bool:
    """Whether a docking answer names its move before its roll."""
    return one_line(text)[:1] in ("m", "M")


def read_move_xy(text: str) -> MoveXY | None:
    """An option of an interaction-location question, ``move x 7, move y 5``."""
    match = _MOVE_XY.fullmatch(one_line(text))
    return MoveXY(number(match[2]), number(match[4])) if match else None


def read_letter(text: str, lenient: bool = False) -> Letter | None:
    line = one_line(text)
    if lenient and (match := _OPTION.match(line)):
        line = line[match.end() :]
    match = _LETTER.fullmatch(line)
    return Letter((match[1] or match[2]).upper()) if match else None


def is_ambiguous_choice(text: str) -> bool:
    """Whether the text names several options instead of one."""
    line = one_line(text)
    return bool(_LETTERS.fullmatch(line) or _ALL.fullmatch(line))


def read_bonds(kind: str, text: str, lenient: bool = False) -> Bonds | None:
    """A list of bonds or ``No``; ``Yes:`` goes before the list where a residue was asked for (lenient: anywhere)."""
    text = lines(text)
    if _NONE.fullmatch(text):
        return Bonds(frozenset())
    items = bond_items(kind, text, lenient)
    bonds = [read_bond(kind, item) for item in items]
    found = frozenset(bond for bond in bonds if bond is not None)
    return Bonds(found) if found and None not in bonds else None


def bond_items(kind: str, text: str, lenient: bool = False) -> list[str]:
    """The items of a list of bonds, unread; none where ``Yes:`` is missing or out of place."""
    yes = _YES.match(text)
    if not lenient and bool(yes) != (kind == "residue_ligand"):
        return []
    return list(filter(None, map(str.strip, _BETWEEN.split(text[yes.end() if yes else 0 :]))))


def read_bond(kind: str, item: str) -> Bond | None:
    """One bond, its sides in either order, in one-space text."""
    return _read_residue_bond(item) if kind == "residue_ligand" else _read_pocket_bond(item)


def _read_residue_bond(item: str) -> Bond | None:
    if match := _RESIDUE_ITEM.fullmatch(item):
        residue, atom, ligand_atom = match.groups()
    elif match := _RESIDUE_SWAPPED.fullmatch(item):
        ligand_atom, residue, atom = match.groups()
    else:
        return None
    residue = residue.upper()
    return Bond(ALIASES.get(residue, residue), "", atom.upper(), "", ligand_atom.upper())


def _read_pocket_bond(item: str) -> Bond | None:
    if match := _POCKET_ITEM.fullmatch(item):
        *side, ligand_atom = match.groups()
    elif match := _POCKET_SWAPPED.fullmatch(item):
        ligand_atom, *side = match.groups()
    else:
        return None
    spaced, spaced_number, joined, joined_number, atom, chain = side
    residue = (spaced or joined).upper()
    place = _without_zeros((spaced_number or joined_number).upper())
    return Bond(ALIASES.get(residue, residue), place, atom.upper(), chain or "", ligand_atom.upper())


def _without_zeros(place: str) -> str:
    code = place[-1] if place[-1].isalpha() else ""
    return f"{int(place.removesuffix(code))}{code}"


PARSERS: dict[str, Parser] = {
    "translation": partial(read_move, "xy"),
    "rotation": read_roll,
    "zooming": partial(read_move, "z"),
    "residue_ligand": partial(read_bonds, "residue_ligand"),
    "translation_rotation": read_letter,
    "rotation_rotation": read_letter,
    "docking": read_docking,
    "interaction_location": read_letter,
    "pocket_ligand": partial(read_bonds, "pocket_ligand"),
}

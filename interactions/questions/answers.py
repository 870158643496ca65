"""Answers of the nine question kinds, as values: lengths in Å, angles in degrees."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = (
    "translation",
    "rotation",
    "zooming",
    "residue_ligand",
    "translation_rotation",
    "rotation_rotation",
    "docking",
    "interaction_location",
    "pocket_ligand",
)


@dataclass(frozen=True)
class Move:
    """``move x 3``: along a screen axis (x, y, z), in Å."""

    axis: str
    distance: float


@dataclass(frozen=True)
class Roll:
    """``roll x 75``: about a screen axis (x, y, z), right-handed, in degrees."""

    axis: str
    angle: float


@dataclass(frozen=True)
class RollThenMove:
    """``roll x 75, move x -14``: about the ligand's own centre, then along x."""

    roll: Roll
    move: Move


@dataclass(frozen=True)
class MoveXY:
    """``move x 7, move y 5``: one option of an interaction-location question, in Å."""

    x: float
    y: float


@dataclass(frozen=True)
class Letter:
    """The choice, ``A`` to ``D``."""

    letter: str


@dataclass(frozen=True)
class Bond:
    """An unordered pair: ``ARG 45 NH2 A, O1B``.

    ``number`` holds the insertion code too (``52A``). ``number`` and ``chain`` are empty where the question
    names the residue itself (residue–ligand); ``chain`` is empty where the file has none.
    """

    residue: str
    number: str
    atom: str
    chain: str
    ligand_atom: str


@dataclass(frozen=True)
class Bonds:
    """A set of bonds; the empty set is the answer ``No``."""

    bonds: frozenset[Bond]


Answer = Move | Roll | RollThenMove | MoveXY | Letter | Bonds

TYPES: dict[str, type[Answer]] = {
    "translation": Move,
    "rotation": Roll,
    "zooming": Move,
    "residue_ligand": Bonds,
    "translation_rotation": Letter,
    "rotation_rotation": Letter,
    "docking": RollThenMove,
    "interaction_location": Letter,
    "pocket_ligand": Bonds,
}

"""Sentences that prompts share, in our own words: what pictures show, the frame, how to answer."""

from __future__ import annotations

COLOURS = (
    "Oxygen atoms are red and nitrogen atoms blue. Carbon atoms of the ligand are gray; those of the pocket's residues "
    "alternate between purple (#BF99F2) and orange (#F2B366) along the chain. Hydrogens and solvent are not drawn."
)
LABELS = "Residues are labelled with type and number, ligand atoms with their names."
FRAME = (
    "In every picture x points right, y up and z out of the screen towards you. Lengths are in Å, angles in degrees; a "
    "rotation is right-handed: with the thumb along the axis, positive angles go the way the fingers curl."
)
MOVES = "`move <axis> <distance>` shifts what you see along a screen axis by a distance in Å."
ROLLS = "`roll <axis> <angle>` turns what you see about a screen axis through the centre of rotation."


def pictures_of(what: str, *views: str) -> str:
    return f"{what}: {', '.join(views)}."


def paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def listed(values: tuple[str, ...], last: str = "or") -> str:
    return f"{', '.join(values[:-1])} {last} {values[-1]}"

"""The nine question kinds: asked, answered from coordinates, read and scored."""

from __future__ import annotations

from interactions.questions import (
    docking,
    interaction_location,
    pocket_ligand,
    residue_ligand,
    rotation,
    rotation_rotation,
    translation,
    translation_rotation,
    zooming,
)
from interactions.questions.base import Question

QUESTIONS: dict[str, Question] = {
    "translation": translation,
    "rotation": rotation,
    "zooming": zooming,
    "residue_ligand": residue_ligand,
    "translation_rotation": translation_rotation,
    "rotation_rotation": rotation_rotation,
    "docking": docking,
    "interaction_location": interaction_location,
    "pocket_ligand": pocket_ligand,
}

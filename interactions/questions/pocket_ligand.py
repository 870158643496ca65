"""Pocket–ligand interaction: all hydrogen bonds between pocket and ligand."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator

from interactions.questions import phrases
from interactions.questions.answers import Answer, Bonds
from interactions.questions.base import Ask, total
from interactions.questions.bond_questions import RULE
from interactions.questions.pictures import front_camera, whole_views
from interactions.questions.scene import Scene
from interactions.questions.settings import Settings
from interactions.questions.views import VIEWS
from interactions.questions.wording import answer_text as write

KIND = "pocket_ligand"


def instances(_scene: Scene, _settings: Settings) -> Sequence[Sequence[str]]:
    """One a complex, also where it has no bond: then the answer is ``No``."""
    return [["all"]]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def ask(scene: Scene, _instance: str, _rng: Generator, settings: Settings) -> Ask:
    pictures = whole_views(front_camera(scene, settings), VIEWS)
    truth = Bonds(frozenset(scene.bonds))
    return Ask(KIND, scene.id, pictures, truth, settings.grid, pairs=scene.polar_pairs())


def text(ask: Ask) -> str:
    return phrases.paragraphs(
        f"The pictures show the binding pocket and the ligand of complex {ask.complex} (PDB ID) from six sides: front, "
        "left, top, back, right and bottom.",
        phrases.COLOURS + " " + phrases.LABELS,
        "Which hydrogen bonds hold between pocket and ligand? " + RULE,
        "Write each as `<residue> <number> <atom> <chain>, <ligand atom>`, the pocket's side first, with `; ` between "
        "bonds, for example `GLY 1 N X, O9; TYR 2 OH X, N9`; write `No` where there is none. Answer with the list and "
        "nothing else; the order does not matter.",
    )


def solve(_ask: Ask, scene: Scene) -> Answer:
    """The bonds of the scene's LabelSet."""
    return Bonds(frozenset(scene.bonds))


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)

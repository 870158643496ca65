"""Zooming: how far everything came towards the viewer; the camera may end inside the pocket, as in the benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator

from interactions.questions import phrases
from interactions.questions.answers import Answer, Move
from interactions.questions.base import Ask, total
from interactions.questions.scene import Scene
from interactions.questions.settings import Settings
from interactions.questions.translation import moved, solved_move
from interactions.questions.wording import answer_text as write

KIND = "zooming"


def instances(_scene: Scene, settings: Settings) -> Sequence[Sequence[Move]]:
    return [[Move("z", depth) for depth in settings.depths]]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def ask(scene: Scene, instance: Move, _rng: Generator, settings: Settings) -> Ask:
    return moved(KIND, scene, instance, settings)


def text(ask: Ask) -> str:
    return phrases.paragraphs(
        f"The pictures show the binding pocket and the ligand of complex {ask.complex}. Pictures 1 to 3 are its front, "
        "left and top views; picture 4 is the front view after everything was shifted along z.",
        phrases.COLOURS + " " + phrases.LABELS,
        phrases.FRAME + " " + phrases.MOVES + " A positive distance along z brings it nearer to you.",
        "Which move leads from picture 1 to picture 4? Answer with `move z <whole number>` and nothing else, for "
        "example `move z 1`.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """The move along z between the coordinates of the pictures "front" and "after"."""
    return solved_move(ask, scene, "z")


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)

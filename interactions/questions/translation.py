"""Translation: which move along x or y leads from the first picture to the last."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions import phrases
from interactions.questions.answers import Answer, Move
from interactions.questions.base import Ask, total
from interactions.questions.pictures import (
    THREE_VIEWS,
    centre_on_screen,
    fit_between,
    front_camera,
    whole,
    whole_views,
)
from interactions.questions.scene import Scene
from interactions.questions.settings import Settings
from interactions.questions.transforms import single_step
from interactions.questions.views import move
from interactions.questions.wording import answer_text as write

KIND = "translation"


def instances(_scene: Scene, settings: Settings) -> Sequence[Sequence[Move]]:
    return [[Move(axis, distance) for distance in settings.shifts] for axis in "xy"]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def ask(scene: Scene, instance: Move, _rng: Generator, settings: Settings) -> Ask:
    return moved(KIND, scene, instance, settings)


def moved(kind: str, scene: Scene, step: Move, settings: Settings) -> Ask:
    """Three views, and the front after a move."""
    front = front_camera(scene, settings)
    after = whole("after", move(front, step.axis, step.distance))
    return Ask(kind, scene.id, (*whole_views(front, THREE_VIEWS), after), step, settings.grid)


def text(ask: Ask) -> str:
    return phrases.paragraphs(
        f"The pictures show the binding pocket and the ligand of complex {ask.complex}. Pictures 1 to 3 are its front, "
        "left and top views; picture 4 is the front view after everything was shifted along one screen axis, x or y.",
        phrases.COLOURS + " " + phrases.LABELS,
        phrases.FRAME + " " + phrases.MOVES,
        f"Which move leads from picture 1 to picture 4? The distance is a multiple of {ask.grid.length:g} Å. "
        "Answer with `move <x or y> <whole number>` and nothing else, for example `move y -1`.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """The move between the coordinates of the pictures "front" and "after"; InputError where there is no such one."""
    return solved_move(ask, scene, "xy")


def solved_move(ask: Ask, scene: Scene, axes: str) -> Move:
    front = ask.picture("front")
    step = single_step(fit_between(front, ask.picture("after"), scene), centre_on_screen(front), ask.grid)
    if not isinstance(step, Move) or step.axis not in axes:
        raise InputError(f"not a move along {' or '.join(axes)}: {write(ask.kind, step)}", code="other_step")
    return step


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)

"""Rotation: which roll about one screen axis leads from the first picture to the last."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions import phrases
from interactions.questions.answers import Answer, Roll
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
from interactions.questions.transforms import AXES, single_step
from interactions.questions.views import turn
from interactions.questions.wording import answer_text as write

KIND = "rotation"


def instances(_scene: Scene, settings: Settings) -> Sequence[Sequence[Roll]]:
    return [[Roll(axis, angle) for angle in settings.angles] for axis in AXES]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def ask(scene: Scene, instance: Roll, _rng: Generator, settings: Settings) -> Ask:
    front = front_camera(scene, settings)
    after = whole("after", turn(front, instance.axis, instance.angle))
    return Ask(KIND, scene.id, (*whole_views(front, THREE_VIEWS), after), instance, settings.grid)


def text(ask: Ask) -> str:
    return phrases.paragraphs(
        f"The pictures show the binding pocket and the ligand of complex {ask.complex}. Pictures 1 to 3 are its front, "
        "left and top views; picture 4 is the front view after everything was turned about one screen axis, x, y or z.",
        phrases.COLOURS + " " + phrases.LABELS,
        phrases.FRAME + " " + phrases.ROLLS,
        f"Which roll leads from picture 1 to picture 4? The angle is a multiple of {ask.grid.angle:g}°. Answer with "
        "`roll <x, y or z> <whole number>` and nothing else, for example `roll z -1`.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """The roll between the coordinates of the pictures "front" and "after"; InputError where there is no such one."""
    front = ask.picture("front")
    step = single_step(fit_between(front, ask.picture("after"), scene), centre_on_screen(front), ask.grid)
    if not isinstance(step, Roll):
        raise InputError(f"not a roll: {write(KIND, step)}", code="other_step")
    return step


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)

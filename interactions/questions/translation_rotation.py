"""Translation + rotation: the steps seen on one complex, carried over to another; which picture shows the outcome."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions import phrases
from interactions.questions.answers import Answer, Move, Roll
from interactions.questions.base import LETTERS, Ask, total
from interactions.questions.composed import after, candidates, fitting
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
from interactions.questions.transforms import AXES
from interactions.questions.wording import answer_text as write

KIND = "translation_rotation"


def instances(_scene: Scene, settings: Settings) -> Sequence[Sequence[tuple[Move, Roll]]]:
    """Every move with every roll, whichever the target is."""
    moves = [Move(axis, distance) for axis in "xy" for distance in settings.shifts]
    return [[(step, Roll(axis, angle)) for step in moves for angle in settings.angles] for axis in AXES]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def ask(scene: Scene, instance: tuple[Move, Roll], rng: Generator, settings: Settings) -> Ask:
    target = target_of(scene)
    front, other = front_camera(scene, settings), front_camera(target, settings)
    choices, right = candidates(target, other, instance, rng, settings, of_target=True)
    pictures = (
        *whole_views(front, THREE_VIEWS),
        whole("after", after(front, instance)),
        *whole_views(other, THREE_VIEWS, prefix="target ", of_target=True),
        *choices,
    )
    return Ask(KIND, scene.id, pictures, right, settings.grid, target=target.id)


def target_of(scene: Scene) -> Scene:
    if scene.target is None:
        raise InputError("this question needs a second complex to carry the steps over to", code="no_target")
    return scene.target


def text(ask: Ask) -> str:
    return phrases.paragraphs(
        f"The pictures show the binding pockets and ligands of two complexes, {ask.complex} (reference) and "
        f"{ask.target} (target). Pictures 1 to 3 are the front, left and top views of the reference; picture 4 is its "
        "front view after two steps: first it was shifted along x or y, then turned about x, y or z. Pictures 5 to 7 "
        "are the front, left and top views of the target; pictures A to D are candidates.",
        phrases.COLOURS + " " + phrases.LABELS,
        phrases.FRAME + " " + phrases.MOVES + " " + phrases.ROLLS + " The centre is shifted along with the complex.",
        "Which candidate is the front view of the target after the same two steps in the same order? Answer with "
        "one letter and nothing else.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """The candidate that is to the target's front as the reference's picture "after" is to its front."""
    target = target_of(scene)
    front, other = ask.picture("front"), ask.picture("target front")
    wanted = fit_between(front, ask.picture("after"), scene), centre_on_screen(front)
    centre = centre_on_screen(other)
    fits = [(letter, fit_between(other, ask.picture(letter), target), centre) for letter in LETTERS]
    return fitting(fits, wanted, ask.grid)


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)

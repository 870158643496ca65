"""Rotation + rotation: the same two rolls once more; which picture shows the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations, product

import numpy as np
from numpy.random import Generator

from interactions.questions import phrases
from interactions.questions.answers import Answer, Roll
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
from interactions.questions.transforms import AXES, axis_rotation
from interactions.questions.wording import answer_text as write

KIND = "rotation_rotation"

Rolls = tuple[Roll, Roll]


def instances(_scene: Scene, settings: Settings) -> Sequence[Sequence[Rolls]]:
    """Two rolls about different axes. Of pairs that make the same rotation, by quarter turns, only the first."""
    return _distinct(settings.angles)


@lru_cache(maxsize=8)
def _distinct(angles: tuple[int, ...]) -> tuple[tuple[Rolls, ...], ...]:
    known: set[tuple[float, ...]] = set()
    strata: dict[str, list[Rolls]] = {axis: [] for axis in AXES}
    for (one, other), (angle, second) in product(permutations(AXES, 2), product(angles, repeat=2)):
        rotation = axis_rotation(other, second) @ axis_rotation(one, angle)
        key = tuple((np.round(rotation, 6) + 0.0).ravel().tolist())
        if key not in known:
            known.add(key)
            strata[one].append((Roll(one, angle), Roll(other, second)))
    return tuple(map(tuple, strata.values()))


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def ask(scene: Scene, instance: Rolls, rng: Generator, settings: Settings) -> Ask:
    front = front_camera(scene, settings)
    fourth = after(front, instance)
    choices, right = candidates(scene, fourth, instance, rng, settings, of_target=False)
    pictures = (*whole_views(front, THREE_VIEWS), whole("after", fourth), *choices)
    return Ask(KIND, scene.id, pictures, right, settings.grid)


def text(ask: Ask) -> str:
    return phrases.paragraphs(
        f"The pictures show the binding pocket and the ligand of complex {ask.complex}. Pictures 1 to 3 are its front, "
        "left and top views; picture 4 is the front view after it was turned twice, about two different screen axes. "
        "Pictures A to D are candidates.",
        phrases.COLOURS + " " + phrases.LABELS,
        phrases.FRAME + " " + phrases.ROLLS,
        "Which candidate shows what is in picture 4 after the same two rolls, in the same order, once more? Answer "
        "with one letter and nothing else.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """The candidate that is to the picture "after" as that is to the front."""
    front, fourth = ask.picture("front"), ask.picture("after")
    centre = centre_on_screen(front)
    fits = [(letter, fit_between(fourth, ask.picture(letter), scene), centre) for letter in LETTERS]
    return fitting(fits, (fit_between(front, fourth, scene), centre), ask.grid)


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)

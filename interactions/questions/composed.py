"""Two steps one after the other, candidate pictures of them, and which candidate fits: for choices between pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions.answers import Letter, Move, Roll
from interactions.questions.base import LETTERS
from interactions.questions.pictures import Picture, difference, heavy_places, whole
from interactions.questions.scene import Scene
from interactions.questions.settings import Scheme, Settings
from interactions.questions.transforms import AXES, Grid, Rigid, angle_between, check_rigid, shift_of
from interactions.questions.views import Camera, move, turn
from interactions.structure import Floats

Step = Move | Roll
Steps = tuple[Step, Roll]
Value = TypeVar("Value")


def after(camera: Camera, steps: Steps) -> Camera:
    """The camera after both steps, each along or about the screen's own axes."""
    for step in steps:
        camera = (
            move(camera, step.axis, step.distance) if isinstance(step, Move) else turn(camera, step.axis, step.angle)
        )
    return camera


def candidates(
    scene: Scene, camera: Camera, steps: Steps, rng: Generator, settings: Settings, *, of_target: bool
) -> tuple[tuple[Picture, ...], Letter]:
    """Pictures A to D, in drawn order, from a camera before the steps; and the letter of the right one.

    The decoys follow the settings' three schemes; any two pictures differ by the settings' ``least_difference``.
    Raises InputError (``no_decoy``) where bins leave no such decoy.
    """
    chosen = [whole("", after(camera, steps), of_target=of_target)]
    for scheme in settings.schemes:
        chosen.append(_decoy(scene, camera, chosen, shuffled(list(changed(steps, scheme, settings)), rng), settings))
    order = rng.permutation(len(chosen)).tolist()
    pictures = tuple(replace(chosen[i], name=letter) for letter, i in zip(LETTERS, order, strict=True))
    return pictures, Letter(LETTERS[order.index(0)])


def _decoy(
    scene: Scene, camera: Camera, chosen: Sequence[Picture], drawn: Sequence[Steps], settings: Settings
) -> Picture:
    places = [heavy_places(picture, scene) for picture in chosen]
    for steps in drawn:
        picture = whole("", after(camera, steps), of_target=chosen[0].of_target)
        seen = heavy_places(picture, scene)
        if all(difference(seen, other) >= settings.least_difference for other in places):
            return picture
    raise InputError(
        f"{scene.id}: no decoy differs by {settings.least_difference:g} Å from the other pictures", code="no_decoy"
    )


def shuffled(values: Sequence[Value], rng: Generator) -> list[Value]:
    return [values[i] for i in rng.permutation(len(values))]


def changed(steps: Steps, scheme: Scheme, settings: Settings) -> Iterator[Steps]:
    """All pairs of steps that a scheme makes of the true ones; the second always has another size, of the same sign."""
    first, second = steps
    for angle in _others(second.angle, settings.angles):
        for step in _changed_first(first, second, scheme, settings):
            yield step, Roll(second.axis, angle)


def _changed_first(first: Step, second: Roll, scheme: Scheme, settings: Settings) -> list[Step]:
    """Another size; or the other sign; or another axis: of a move one across the screen, of a roll a third one."""
    size, kind = (first.distance, Move) if isinstance(first, Move) else (first.angle, Roll)
    if scheme == "magnitudes":
        sizes = _others(size, settings.shifts if kind is Move else settings.angles)
        return [kind(first.axis, other) for other in sizes]
    if scheme == "sign":
        return [kind(first.axis, -size)]
    axes = set("xy") if kind is Move else set(AXES) - {second.axis}
    return [kind(axis, size) for axis in sorted(axes - {first.axis})]


def _others(size: float, sizes: Sequence[int]) -> list[int]:
    return [other for other in sizes if other * size > 0 and other != size]


def fitting(fits: Sequence[tuple[str, Rigid, Floats]], wanted: tuple[Rigid, Floats], grid: Grid) -> Letter:
    """The one candidate, given as (letter, fit, centre of rotation), whose fit is the wanted one.

    Raises InputError (``no_match``) where none or several are.
    """
    fit, centre = wanted
    check_rigid(fit, grid)
    found = [
        letter for letter, other, at in fits if _same(fit, shift_of(fit, centre), other, shift_of(other, at), grid)
    ]
    if len(found) != 1:
        raise InputError(f"{len(found)} candidates show the same steps: {', '.join(found) or 'none'}", code="no_match")
    return Letter(found[0])


def _same(fit: Rigid, shift: Floats, other: Rigid, other_shift: Floats, grid: Grid) -> bool:
    return (
        other.residual <= grid.length_slack
        and angle_between(fit.rotation, other.rotation) <= grid.angle_slack
        and float(np.abs(shift - other_shift).max()) <= grid.length_slack
    )

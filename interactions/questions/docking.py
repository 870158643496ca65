"""Docking: how to put a displaced ligand back, by a roll about its own centre and then a move along x.

The ligand is carried along x towards an edge of the front picture, then rolled about the mean of its heavy atoms. With
the mean screen place (xc, yc, zc) of the complex and the ligand's extent xmin … xmax on the screen, the edges are
-zc·k - xmax (right) and zc·k - xmin (left); the paper prints xmax in the left one too, which would carry the ligand
past the edge by its own width, so the symmetric form is used. Source: arXiv 2512.10867, appendix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions import phrases
from interactions.questions.answers import Answer, Move, Roll, RollThenMove
from interactions.questions.base import Ask, total
from interactions.questions.pictures import THREE_VIEWS, Picture, apply, front_camera
from interactions.questions.scene import Scene
from interactions.questions.settings import Settings
from interactions.questions.transforms import (
    AXES,
    check_rigid,
    move_of,
    rigid_fit,
    roll_of,
    rotation_about,
    shift_of,
    spans_plane,
)
from interactions.questions.views import Camera, screen, screen_matrix, view
from interactions.questions.wording import answer_text as write
from interactions.structure import Floats

KIND = "docking"


@dataclass(frozen=True)
class Displacement:
    """Along x by a distance (Å), then a roll about the ligand's own centre."""

    distance: int
    roll: Roll


def instances(scene: Scene, settings: Settings) -> Sequence[Sequence[Displacement]]:
    """None where the ligand's heavy atoms lie on one line: no picture tells how such a ligand was rolled."""
    if not spans_plane(scene.ligand.heavy):
        return [[] for _ in AXES]
    reach = distances(scene, settings)
    return [
        [Displacement(distance, Roll(axis, angle)) for distance in reach for angle in settings.angles] for axis in AXES
    ]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def distances(scene: Scene, settings: Settings) -> list[int]:
    """Whole distances (Å) to the right, then to the left, each less by every slack; those below 1 Å are left out."""
    camera = front_camera(scene, settings)
    depth = -float(screen(camera, scene.points)[:, 2].mean())
    places = screen(camera, scene.ligand.coordinates)[:, 0]
    right = depth * settings.docking_ratio - float(places.max())
    left = depth * settings.docking_ratio + float(places.min())
    sizes = [
        (sign, round(size) - slack) for sign, size in ((1, right), (-1, left)) for slack in settings.docking_slacks
    ]
    return [sign * size for sign, size in sizes if size >= 1]


def ask(scene: Scene, instance: Displacement, _rng: Generator, settings: Settings) -> Ask:
    front = front_camera(scene, settings)
    placement = displaced(scene, front, instance)
    pictures = [Picture(f"pocket {name}", at, screen_matrix(at), None) for name, at in _views(front)]
    pictures += [Picture(f"ligand {name}", at, None, _through(at, placement)) for name, at in _views(front)]
    pictures.append(Picture("both", front, screen_matrix(front), _through(front, placement)))
    roll = instance.roll
    back = RollThenMove(Roll(roll.axis, -roll.angle), Move("x", -instance.distance))
    return Ask(KIND, scene.id, tuple(pictures), back, settings.grid)


def displaced(scene: Scene, front: Camera, displacement: Displacement) -> Floats:
    """Where the ligand goes in the scene, shape (3, 4): first the move, then the roll about its moved centre."""
    shift = displacement.distance * front.axes[:, 0]
    centre = scene.ligand.heavy.mean(axis=0)
    axis = front.axes[:, AXES.index(displacement.roll.axis)]
    rotation = rotation_about(axis, displacement.roll.angle)
    return np.column_stack([rotation, centre + shift - rotation @ centre])


def _views(front: Camera) -> list[tuple[str, Camera]]:
    return [(name, view(front, name)) for name in THREE_VIEWS]


def _through(camera: Camera, placement: Floats) -> Floats:
    seen = screen_matrix(camera)
    return np.column_stack([seen[:, :3] @ placement[:, :3], apply(seen, placement[:, 3][None])[0]])


def text(ask: Ask) -> str:
    return phrases.paragraphs(
        f"The pictures show complex {ask.complex} with its ligand taken out of the pocket. Pictures 1 to 3 are the "
        "front, left and top views of the pocket alone, pictures 4 to 6 the same views of the displaced ligand alone, "
        "picture 7 is the front view of both.",
        phrases.COLOURS + " " + phrases.LABELS,
        phrases.FRAME,
        "Put the ligand back: first turn it about a screen axis through its own centre (the mean of its atoms, "
        "hydrogens left out), then shift it along x. Axes are those of the front view. `roll <axis> <angle>` turns, "
        f"`move x <distance>` shifts; the angle is a multiple of {ask.grid.angle:g}°, the distance a whole number.",
        "Answer with `roll <x, y or z> <whole number>, move x <whole number>` and nothing else, for example "
        "`roll z -1, move x 1`.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """Roll and move from the ligand in picture "both" to where it is bound, on the same screen.

    Raises InputError where it was displaced in another way.
    """
    both = ask.picture("both")
    if both.pocket is None or both.ligand is None:
        raise InputError("picture 'both' does not show pocket and ligand", code="no_picture")
    now, bound = (apply(matrix, scene.ligand.coordinates) for matrix in (both.ligand, both.pocket))
    fit = rigid_fit(now, bound)
    check_rigid(fit, ask.grid)
    centre = apply(both.ligand, scene.ligand.heavy).mean(axis=0)
    roll, shift = roll_of(fit.rotation, ask.grid), move_of(shift_of(fit, centre), ask.grid)
    if roll is None or shift is None or shift.axis != "x":
        raise InputError(f"not a roll and a move along x: {roll}, {shift}", code="other_step")
    return RollThenMove(roll, shift)


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)

"""Rigid transforms between two sets of the same points, and the ``move`` or ``roll`` that they are.

Rotations are right-handed about screen axes, in degrees; lengths in Å.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from interactions.errors import InputError
from interactions.frozen import Frozen
from interactions.questions.answers import Move, Roll
from interactions.structure import Floats

AXES = "xyz"
_FLAT = 1e-6  # of the largest extent: less is a line


@dataclass(frozen=True, eq=False)
class Rigid(Frozen):
    """``after = rotation @ before + translation``; ``residual`` is the root mean square misfit in Å."""

    rotation: Floats
    translation: Floats
    residual: float


@dataclass(frozen=True)
class Grid:
    """Steps of angle (°) and length (Å), and how far off them, or off an axis, still counts as rounding."""

    angle: float = 15.0
    length: float = 1.0
    angle_slack: float = 1.0
    length_slack: float = 0.1


def rigid_fit(before: Floats, after: Floats) -> Rigid:
    """The proper rotation and translation that fit best, by Kabsch's method; both arrays of shape (n, 3).

    Raises InputError (``bad_points``) for different shapes, or for points that do not fix a rotation (fewer than
    three, or all on one line).
    """
    if before.shape != after.shape or before.ndim != 2 or before.shape[1] != 3:
        raise InputError(f"points before and after differ: {before.shape} and {after.shape}", code="bad_points")
    if not spans_plane(before):
        raise InputError("three points off one line are needed to tell a rotation", code="bad_points")
    middle, other = before.mean(axis=0), after.mean(axis=0)
    left, _, right = np.linalg.svd((before - middle).T @ (after - other))
    handed = np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    rotation = (left @ handed @ right).T
    misfit = (before - middle) @ rotation.T + other - after
    return Rigid(rotation, other - rotation @ middle, float(np.sqrt((misfit**2).sum(axis=1).mean())))


def spans_plane(points: Floats) -> bool:
    """Whether the points, shape (n, 3), are not all on one line."""
    if len(points) < 3:
        return False
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(sizes[1] > _FLAT * max(sizes[0], 1.0))


def rotation_about(axis: Floats, angle: float) -> Floats:
    """Right-handed rotation by degrees about an axis through the origin, shape (3, 3) (Rodrigues)."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn = np.radians(angle)
    return np.asarray(np.eye(3) + np.sin(turn) * cross + (1 - np.cos(turn)) * (cross @ cross))


def axis_rotation(axis: str, angle: float) -> Floats:
    """Right-handed rotation by degrees about a screen axis, shape (3, 3)."""
    return rotation_about(np.eye(3)[AXES.index(axis)], angle)


def shift_of(fit: Rigid, centre: Floats) -> Floats:
    """How far the fit moves a point that the rotation is taken about, shape (3,), Å."""
    shift: Floats = fit.rotation @ centre + fit.translation - centre
    return shift


def angle_between(rotation: Floats, other: Floats) -> float:
    """Degrees of the rotation that leads from one to the other, 0 … 180."""
    half_sine = np.linalg.norm(rotation - other) / np.sqrt(8)
    return float(np.degrees(2 * np.arcsin(min(float(half_sine), 1.0))))


def roll_of(rotation: Floats, grid: Grid) -> Roll | None:
    """The roll about a screen axis on the grid, in (-180, 180]; None where there is no rotation.

    Raises InputError (``off_grid``) for another axis or angle.
    """
    if angle_between(rotation, np.eye(3)) < grid.angle_slack:
        return None
    skew = np.array([rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]])
    column = int(np.argmax(np.diag(rotation)))
    angle = float(np.degrees(np.arctan2(skew[column] / 2, (np.trace(rotation) - 1) / 2)))
    whole = round(angle / grid.angle) * grid.angle
    found = Roll(AXES[column], 180.0 if whole == -180 else whole)
    if angle_between(rotation, axis_rotation(found.axis, whole)) > grid.angle_slack:
        raise InputError(f"no roll about one axis by steps of {grid.angle:g}°: {angle:.2f}° about {found.axis} is left",
                         code="off_grid")  # fmt: skip
    return found


def move_of(shift: Floats, grid: Grid) -> Move | None:
    """The move along a screen axis on the grid; None where there is none. Raises InputError (``off_grid``)."""
    column = int(np.argmax(np.abs(shift)))
    whole = round(float(shift[column]) / grid.length) * grid.length
    rest = shift - whole * np.eye(3)[column]
    if np.abs(rest).max() > grid.length_slack:
        x, y, z = shift.tolist()
        raise InputError(f"no move along one axis by steps of {grid.length:g} Å: ({x:.3f}, {y:.3f}, {z:.3f})",
                         code="off_grid")  # fmt: skip
    return Move(AXES[column], whole) if whole else None


def single_step(fit: Rigid, centre: Floats, grid: Grid) -> Move | Roll:
    """The one move, or the one roll about the centre, that the fit is.

    Raises InputError: ``not_rigid`` where the points do not fit, ``off_grid`` where the fit is on no grid,
    ``not_one_step`` where it is none or both.
    """
    check_rigid(fit, grid)
    roll, shift = roll_of(fit.rotation, grid), move_of(shift_of(fit, centre), grid)
    if roll is not None and shift is not None:
        raise InputError(f"no single move or roll: both {roll} and {shift}", code="not_one_step")
    step = roll or shift
    if step is None:
        raise InputError("no move or roll: the points did not move", code="not_one_step")
    return step


def check_rigid(fit: Rigid, grid: Grid) -> None:
    """Raises InputError (``not_rigid``) where the misfit is more than rounding."""
    if fit.residual > grid.length_slack:
        raise InputError(f"not the same points moved as one: misfit {fit.residual:.3f} Å", code="not_rigid")

"""Rigid fits and the moves and rolls that they are, on hand-placed points."""

from __future__ import annotations

import numpy as np
import pytest

from interactions.errors import InputError
from interactions.questions.answers import Move, Roll
from interactions.questions.transforms import (
    Grid,
    angle_between,
    axis_rotation,
    check_rigid,
    move_of,
    rigid_fit,
    roll_of,
    rotation_about,
    shift_of,
    single_step,
)

POINTS = np.array([[0.0, 0, 0], [3, 0, 0], [0, 2, 0], [1, 1, 4]])
CENTRE = np.array([1.0, 2.0, -30.0])
GRID = Grid()


def about(rotation: np.ndarray, centre: np.ndarray = CENTRE) -> np.ndarray:
    return (POINTS - centre) @ rotation.T + centre


def code(call: object, *arguments: object) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments)  # type: ignore[operator]
    return caught.value.code


def test_right_handed_quarter_turns() -> None:
    x, y, z = np.eye(3)
    np.testing.assert_allclose(axis_rotation("x", 90) @ y, z, atol=1e-15)
    np.testing.assert_allclose(axis_rotation("y", 90) @ z, x, atol=1e-15)
    np.testing.assert_allclose(axis_rotation("z", 90) @ x, y, atol=1e-15)
    np.testing.assert_allclose(rotation_about(np.array([2.0, 2, 2]), 120) @ x, y, atol=1e-15)


def test_a_fit_gives_back_rotation_and_translation() -> None:
    rotation = rotation_about(np.array([1.0, -2, 0.5]), 137)
    fit = rigid_fit(POINTS, POINTS @ rotation.T + [5, 6, 7])
    np.testing.assert_allclose(fit.rotation, rotation, atol=1e-12)
    np.testing.assert_allclose(fit.translation, [5, 6, 7], atol=1e-12)
    assert fit.residual < 1e-12


def test_a_mirror_image_is_no_rotation() -> None:
    fit = rigid_fit(POINTS, POINTS * [1, 1, -1])
    assert np.linalg.det(fit.rotation) == pytest.approx(1)
    assert fit.residual > 0.5
    assert code(check_rigid, fit, GRID) == "not_rigid"


def test_flat_points_fix_a_rotation_and_straight_ones_do_not() -> None:
    flat, straight = POINTS[:3], np.outer([0.0, 1, 2, 5], [1, 1, 0])
    np.testing.assert_allclose(
        rigid_fit(flat, flat @ axis_rotation("y", 75).T).rotation, axis_rotation("y", 75), atol=1e-12
    )
    assert code(rigid_fit, straight, straight) == "bad_points"
    assert code(rigid_fit, POINTS[:2], POINTS[:2]) == "bad_points"
    assert code(rigid_fit, POINTS, POINTS[:3]) == "bad_points"


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("angle", [*range(-165, 0, 15), *range(15, 195, 15)])
def test_every_roll_on_the_grid(axis: str, angle: int) -> None:
    after = np.round(about(axis_rotation(axis, angle)), 3)
    assert single_step(rigid_fit(POINTS, after), CENTRE, GRID) == Roll(axis, angle)


@pytest.mark.parametrize("distance", [-60, -4, -1, 1, 4, 60])
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_every_move_on_the_grid(axis: str, distance: int) -> None:
    after = POINTS + distance * np.eye(3)["xyz".index(axis)]
    assert single_step(rigid_fit(POINTS, after), CENTRE, GRID) == Move(axis, distance)


def test_a_roll_about_another_centre_is_a_roll_and_a_move() -> None:
    after = about(axis_rotation("x", 30)) + np.array([4, 0, 0])
    fit = rigid_fit(POINTS, after)
    np.testing.assert_allclose(shift_of(fit, CENTRE), [4, 0, 0], atol=1e-12)
    assert code(single_step, fit, CENTRE, GRID) == "not_one_step"


def test_what_stayed_is_no_step() -> None:
    assert code(single_step, rigid_fit(POINTS, POINTS), CENTRE, GRID) == "not_one_step"


def test_off_the_grid() -> None:
    assert code(roll_of, axis_rotation("x", 22), GRID) == "off_grid"
    assert code(roll_of, rotation_about(np.array([1.0, 1, 0]), 30), GRID) == "off_grid"
    assert code(move_of, np.array([1.4, 0, 0]), GRID) == "off_grid"
    assert code(move_of, np.array([3.0, 0.5, 0]), GRID) == "off_grid"
    assert move_of(np.array([0.0, -0.01, 0.02]), GRID) is None
    assert roll_of(axis_rotation("x", 22), Grid(angle=11)) == Roll("x", 22)


def test_the_angle_between_rotations() -> None:
    one = rotation_about(np.array([1.0, 2, 3]), 50)
    assert angle_between(one, one) == 0
    assert angle_between(one, one @ axis_rotation("z", 15)) == pytest.approx(15)
    assert angle_between(np.eye(3), axis_rotation("y", 180)) == pytest.approx(180)

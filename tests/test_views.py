"""ChimeraX's camera: its published numbers, both ways of naming one, and what pictures show where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interactions.errors import InputError, UnknownName
from interactions.questions.views import (
    VIEWS,
    Camera,
    camera_from_pose,
    camera_from_screen,
    centre_of_rotation,
    initial_camera,
    move,
    pixels,
    pose,
    scene_points,
    screen,
    screen_matrix,
    turn,
    view,
)

BOX = np.array([[0.0, 0.0, 0.0], [20.0, 10.0, 6.0]])  # centre (10, 5, 3), half sizes (10, 5, 3)
TAN = np.tan(np.radians(15))


def camera(**options: Any) -> Camera:
    return initial_camera(BOX, **options)


def seen(at: Camera, offset: tuple[float, float, float]) -> list[float]:
    """Screen place, relative to the centre of rotation, of a point at a scene offset from it."""
    points = np.array([at.centre + np.array(offset), at.centre])
    place, centre = screen(at, points)
    return np.round(place - centre, 9).tolist()


def test_the_first_camera_stands_where_chimerax_puts_it() -> None:
    distance = (10 / TAN + 3) / 0.95
    at = camera()
    np.testing.assert_allclose(at.eye, [10, 5, 3 + distance])
    np.testing.assert_allclose(screen(at, np.array([[13.0, 4.0, 5.0]])), [[3, -1, 2 - distance]])


@pytest.mark.parametrize(
    ("window", "distance"),
    [
        ((256, 256), (10 / TAN + 3) / 0.95),
        ((512, 128), (5 / (TAN / 4) + 3) / 0.95),
        ((100, 400), (10 / TAN + 3) / 0.95),
    ],
)
def test_the_distance_depends_on_the_window(window: tuple[int, int], distance: float) -> None:
    assert camera(window=window).eye[2] - 3 == pytest.approx(distance)


@pytest.mark.parametrize(
    ("axis", "offset", "place"),
    [
        ("y", (0, 0, 1), [1, 0, 0]),
        ("y", (1, 0, 0), [0, 0, -1]),
        ("x", (0, 1, 0), [0, 0, 1]),
        ("x", (0, 0, 1), [0, -1, 0]),
        ("z", (1, 0, 0), [0, 1, 0]),
        ("z", (0, 1, 0), [-1, 0, 0]),
    ],
)
def test_a_turn_by_90_degrees(axis: str, offset: tuple[float, float, float], place: list[float]) -> None:
    assert seen(turn(camera(), axis, 90), offset) == place


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("front", [1, 2, 3]),
        ("left", [3, 2, -1]),
        ("right", [-3, 2, 1]),
        ("back", [-1, 2, -3]),
        ("top", [1, -3, 2]),
        ("bottom", [1, 3, -2]),
    ],
)
def test_the_six_views(name: str, place: list[float]) -> None:
    assert seen(view(camera(), name), (1, 2, 3)) == place
    assert name in VIEWS


def test_the_centre_of_rotation_stays_where_it_is_on_the_screen() -> None:
    front = camera()
    middle = BOX.mean(axis=0)[None]
    for name in VIEWS:
        np.testing.assert_allclose(screen(view(front, name), middle), screen(front, middle), atol=1e-12)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_move_shifts_what_is_seen_along_the_screen(axis: str) -> None:
    front = turn(turn(camera(), "x", 40), "y", 25)
    shift = screen(move(front, axis, 7), BOX) - screen(front, BOX)
    np.testing.assert_allclose(shift, 7 * np.tile(np.eye(3)["xyz".index(axis)], (2, 1)), atol=1e-12)


def test_a_turn_after_a_move_is_about_the_moved_centre() -> None:
    moved = move(camera(), "x", 4)
    before, after = (screen(at, BOX.mean(axis=0)[None]) for at in (moved, turn(moved, "y", 60)))
    np.testing.assert_allclose(before, after, atol=1e-12)


def test_turns_undo_each_other_and_do_not_commute() -> None:
    front = camera()
    back = turn(turn(front, "y", 35), "y", -35)
    np.testing.assert_allclose(screen(back, BOX), screen(front, BOX))
    one, other = turn(turn(front, "x", 90), "y", 90), turn(turn(front, "y", 90), "x", 90)
    assert np.abs(screen(one, BOX) - screen(other, BOX)).max() > 1


def test_the_centre_is_in_the_middle_of_the_picture_and_y_points_up() -> None:
    at = camera(window=(400, 300))
    middle, right, up = pixels(at, at.centre + np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    np.testing.assert_allclose(middle, [200, 150])
    assert right[0] > 200
    assert right[1] == pytest.approx(150)
    assert up[1] < 150
    assert right[0] - 200 == pytest.approx(150 - up[1])


def test_the_edge_of_the_field_is_the_edge_of_the_picture() -> None:
    at = camera(window=(400, 300))
    place = pixels(at, scene_points(at, np.array([[10 * TAN, 0, -10.0], [0, -10 * TAN * 0.75, -10.0]])))
    np.testing.assert_allclose(place, [[400, 150], [200, 300]])


def test_what_is_behind_the_eye_is_in_no_picture() -> None:
    at = camera()
    assert np.isnan(pixels(at, at.eye[None] + [0, 0, 1.0])).all()
    assert np.isnan(pixels(at, at.eye[None])).all()


def test_a_pose_makes_the_camera_that_it_came_from() -> None:
    front = turn(move(camera(), "y", 3), "z", 50)
    for matrix in (pose(front), np.vstack([pose(front), [0, 0, 0, 1]])):
        np.testing.assert_allclose(screen(camera_from_pose(matrix, front.centre), BOX), screen(front, BOX))
    np.testing.assert_allclose(screen(front, BOX), BOX @ screen_matrix(front)[:, :3].T + screen_matrix(front)[:, 3])
    np.testing.assert_allclose(scene_points(front, screen(front, BOX)), BOX, atol=1e-12)


@pytest.mark.parametrize(
    "matrix",
    [
        np.eye(3),
        np.diag([1.0, 1, -1, 1])[:3],
        2 * np.eye(4)[:3],
        np.full((3, 4), np.nan),
        np.vstack([np.eye(4)[:3], [0, 0, 1, 1]]),
    ],
    ids=["shape", "left-handed", "scaled", "nan", "last row"],
)
def test_what_is_no_pose(matrix: Any) -> None:
    with pytest.raises(InputError) as caught:
        camera_from_pose(matrix, np.zeros(3))
    assert caught.value.code == "bad_camera"


def test_recorded_screen_coordinates_make_a_camera() -> None:
    atoms = np.array([[0.0, 0, 0], [5, 1, 0], [0, 4, 2], [-3, 1, 6]])
    front = turn(turn(move(camera(), "x", 2), "x", 33), "y", -71)
    found = camera_from_screen(atoms, np.round(screen(front, atoms), 3), front.centre)
    np.testing.assert_allclose(screen(found, BOX), screen(front, BOX), atol=5e-3)


def test_screen_coordinates_that_no_camera_gives() -> None:
    atoms = np.array([[0.0, 0, 0], [5, 1, 0], [0, 4, 2], [-3, 1, 6]])
    with pytest.raises(InputError) as caught:
        camera_from_screen(atoms, atoms * [1, 1, -1], np.zeros(3))
    assert caught.value.code == "bad_camera"
    with pytest.raises(InputError) as caught:
        camera_from_screen(atoms[:2], atoms[:2], np.zeros(3))
    assert caught.value.code == "bad_points"


def test_the_centre_of_rotation_is_the_box_unless_the_camera_is_close() -> None:
    front = camera()
    np.testing.assert_allclose(centre_of_rotation(front, BOX), [10, 5, 3])
    with pytest.raises(InputError) as caught:
        centre_of_rotation(move(front, "z", 30), BOX)
    assert caught.value.code == "close_camera"


@pytest.mark.parametrize("options", [{"window": (0, 10)}, {"field": 180.0}, {"pad": 1.0}])
def test_no_such_camera(options: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        camera(**options)
    assert caught.value.code == "bad_camera"


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="front"):
        view(camera(), "above")
    with pytest.raises(UnknownName, match="xyz"[0]):
        turn(camera(), "w", 1)
    with pytest.raises(InputError):
        initial_camera(np.empty((0, 3)))

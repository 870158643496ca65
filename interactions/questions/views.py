"""ChimeraX's camera as pure functions: where atoms stand on the screen, and how ``move`` and ``turn`` change it.

Screen coordinates are those of ``getcrd coordinateSystem screen``: the camera's frame in Å, the eye at the origin, x to
the right, y up, z towards the viewer, so that what is seen has z < 0. No perspective is in them; ``pixels`` adds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from interactions.errors import InputError, UnknownName
from interactions.frozen import Frozen
from interactions.questions.transforms import AXES, rigid_fit, rotation_about
from interactions.structure import Floats

WINDOW = (256, 256)  # pixels; ChimeraX without a display
FIELD = 30.0  # degrees, horizontal
PAD = 0.05  # of the window, left free around the object
_EXACT = 1e-3  # a rotation matrix may be off by rounding
_RECORDED = 5e-3  # Å: screen coordinates are logged with three decimals

TURNS: Mapping[str, tuple[str, float] | None] = MappingProxyType(
    {
        "front": None,
        "left": ("y", 90.0),  # the -x side faces the viewer
        "top": ("x", 90.0),
        "back": ("y", 180.0),
        "right": ("y", -90.0),
        "bottom": ("x", -90.0),
    }
)
VIEWS = tuple(TURNS)


@dataclass(frozen=True, eq=False)
class Camera(Frozen):
    """A rigid frame in the scene, and what it turns about.

    ``axes``: columns are the screen's x, y and z in scene coordinates, shape (3, 3). ``eye`` and ``centre`` (of
    rotation) are scene points in Å, shape (3,). ``window``: width and height in pixels. ``field``: horizontal field
    of view in degrees.
    """

    axes: Floats
    eye: Floats
    centre: Floats
    window: tuple[int, int] = WINDOW
    field: float = FIELD


def initial_camera(points: Floats, window: tuple[int, int] = WINDOW, field: float = FIELD, pad: float = PAD) -> Camera:
    """The camera after a first ``open``: along the scene's -z, fitted to the box of the points, shape (n, 3), Å.

    Raises InputError (``bad_camera``) for no points or a window, field or pad that no camera has.
    """
    if not len(points):
        raise InputError("a camera needs atoms to look at", code="bad_camera")
    if min(window) <= 0 or not 0 < field < 180 or not 0 <= pad < 1:
        raise InputError(f"no camera has window {window}, field {field}° and pad {pad}", code="bad_camera")
    centre, half = box(points)
    across = np.tan(np.radians(field / 2))
    down = across * window[1] / window[0]
    distance = (max(half[0] / across, half[1] / down) + half[2]) / (1 - pad)
    return Camera(np.eye(3), centre + np.array([0.0, 0.0, distance]), centre, window, field)


def box(points: Floats) -> tuple[Floats, Floats]:
    """Centre and half sizes of the box around the points, in Å, each of shape (3,)."""
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, (high - low) / 2


def camera_from_pose(matrix: Floats, centre: Floats, window: tuple[int, int] = WINDOW, field: float = FIELD) -> Camera:
    """A camera known elsewhere: ``matrix`` is its position, 3 × 4 or 4 × 4 (columns right, up, back, eye).

    ``centre`` is the scene point that it turns about; ``centre_of_rotation`` finds ChimeraX's.
    Raises InputError (``bad_camera``) where the matrix is no rigid frame.
    """
    pose = np.asarray(matrix, dtype=np.float64)
    if pose.shape not in ((3, 4), (4, 4)) or not np.isfinite(pose).all():
        raise InputError(f"a camera pose is a 3 × 4 or 4 × 4 matrix, not {pose.shape}", code="bad_camera")
    axes = pose[:3, :3]
    skewed = np.abs(axes.T @ axes - np.eye(3)).max() > _EXACT or np.linalg.det(axes) < 0
    if skewed or (len(pose) == 4 and not np.allclose(pose[3], (0, 0, 0, 1))):
        raise InputError("the pose of a camera is a right-handed rotation and an eye", code="bad_camera")
    return Camera(axes.copy(), pose[:3, 3].copy(), np.array(centre, dtype=np.float64), window, field)


def camera_from_screen(
    points: Floats, recorded: Floats, centre: Floats, window: tuple[int, int] = WINDOW, field: float = FIELD
) -> Camera:
    """The camera that saw scene points at recorded screen coordinates, both of shape (n, 3), Å.

    Raises InputError: ``bad_points`` for fewer than three points off one line, ``bad_camera`` where no rigid frame
    explains the record to its three decimals.
    """
    fit = rigid_fit(points, recorded)
    if fit.residual > _RECORDED:
        raise InputError(f"no camera gives these screen coordinates: off by {fit.residual:.3f} Å", code="bad_camera")
    axes = fit.rotation.T
    return Camera(axes, -axes @ fit.translation, np.array(centre, dtype=np.float64), window, field)


def centre_of_rotation(camera: Camera, points: Floats) -> Floats:
    """ChimeraX's "front center" for a camera and what it shows: the centre of the box, shape (3,).

    Raises InputError (``close_camera``) where the box is wider than the view: then ChimeraX turns about the point of
    the drawn surface that is in front, which no coordinates tell.
    """
    centre, half = box(points)
    width = np.linalg.norm(camera.eye - centre) * np.radians(camera.field)
    if width < 2 * half.max():
        raise InputError("the camera is inside what it shows: name the centre of rotation", code="close_camera")
    return centre


def pose(camera: Camera) -> Floats:
    """The camera's position as ChimeraX writes it, shape (3, 4)."""
    return np.column_stack([camera.axes, camera.eye])


def screen_matrix(camera: Camera) -> Floats:
    """Scene to screen coordinates, shape (3, 4)."""
    return np.column_stack([camera.axes.T, -camera.axes.T @ camera.eye])


def screen(camera: Camera, points: Floats) -> Floats:
    """Screen coordinates of scene points, both of shape (n, 3), Å."""
    seen: Floats = (points - camera.eye) @ camera.axes
    return seen


def scene_points(camera: Camera, seen: Floats) -> Floats:
    """Scene coordinates of points of the screen, both of shape (n, 3), Å."""
    points: Floats = seen @ camera.axes.T + camera.eye
    return points


def move(camera: Camera, axis: str, distance: float) -> Camera:
    """The camera after ``move AXIS DISTANCE``: the scene shifts by the distance (Å) along a screen axis."""
    return replace(camera, eye=camera.eye - distance * camera.axes[:, _column(axis)])


def turn(camera: Camera, axis: str, angle: float) -> Camera:
    """The camera after ``turn AXIS ANGLE``: the scene turns right-handed by the angle (°) about a screen axis."""
    back = rotation_about(camera.axes[:, _column(axis)], -angle)
    return replace(camera, axes=back @ camera.axes, eye=camera.centre + back @ (camera.eye - camera.centre))


def view(front: Camera, name: str) -> Camera:
    """One of the six canonical views, by name, from the front one."""
    if name not in TURNS:
        raise UnknownName("view", name, VIEWS)
    step = TURNS[name]
    return turn(front, *step) if step else front


def pixels(camera: Camera, points: Floats) -> Floats:
    """Places in the picture, shape (n, 2): pixels from the top left corner; nan for what is not before the eye."""
    seen = screen(camera, points)
    depth = np.where(seen[:, 2] < 0, -seen[:, 2], np.nan)
    width, height = camera.window
    scale = width / 2 / np.tan(np.radians(camera.field / 2)) / depth
    return np.column_stack([width / 2 + seen[:, 0] * scale, height / 2 - seen[:, 1] * scale])


def _column(axis: str) -> int:
    if axis not in AXES:
        raise UnknownName("axis", axis, AXES)
    return AXES.index(axis)

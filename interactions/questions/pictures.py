"""A picture of a question: a camera, which atoms it shows, and where these stand on the screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from interactions.errors import InputError
from interactions.frozen import Frozen
from interactions.questions.scene import Scene
from interactions.questions.settings import Settings
from interactions.questions.transforms import Rigid, rigid_fit
from interactions.questions.views import Camera, initial_camera, screen, screen_matrix, view
from interactions.structure import Floats

THREE_VIEWS = ("front", "left", "top")


@dataclass(frozen=True, eq=False)
class Picture(Frozen):
    """What one image shows.

    ``pocket`` and ``ligand`` lead from the coordinates of the input to those of the screen, shape (3, 4); None: not
    shown. ``residue``: the only pocket residue shown, by its place in the scene. ``of_target``: the second complex.
    """

    name: str
    camera: Camera
    pocket: Floats | None
    ligand: Floats | None
    residue: int | None = None
    of_target: bool = False


def whole(name: str, camera: Camera, *, of_target: bool = False) -> Picture:
    """Pocket and ligand where they are, seen by a camera."""
    matrix = screen_matrix(camera)
    return Picture(name, camera, matrix, matrix, of_target=of_target)


def whole_views(
    front: Camera, names: Iterable[str], *, prefix: str = "", of_target: bool = False
) -> tuple[Picture, ...]:
    return tuple(whole(prefix + name, view(front, name), of_target=of_target) for name in names)


def front_camera(scene: Scene, settings: Settings) -> Camera:
    """The scene's own camera where it has one, else ChimeraX's first view of pocket and ligand."""
    if scene.camera is not None:
        return scene.camera
    return initial_camera(scene.points, settings.window, settings.field_of_view, settings.pad)


def apply(matrix: Floats, points: Floats) -> Floats:
    """Points (n, 3) taken through a (3, 4) matrix."""
    moved: Floats = points @ matrix[:, :3].T + matrix[:, 3]
    return moved


def shown(picture: Picture, scene: Scene) -> Floats:
    """Screen coordinates of the atoms that the picture shows, pocket first, shape (n, 3), Å."""
    sides = []
    if picture.pocket is not None:
        atoms = slice(None) if picture.residue is None else scene.atoms_of(picture.residue)
        sides.append(apply(picture.pocket, scene.pocket.coordinates[atoms]))
    if picture.ligand is not None:
        sides.append(apply(picture.ligand, scene.ligand.coordinates))
    return np.concatenate(sides)


def heavy_places(picture: Picture, scene: Scene) -> Floats:
    """Screen coordinates of all heavy atoms in a picture of pocket and ligand."""
    if picture.pocket is None or picture.ligand is None:
        raise InputError(f"picture {picture.name!r} does not show pocket and ligand", code="no_picture")
    return np.concatenate([apply(picture.pocket, scene.pocket.heavy), apply(picture.ligand, scene.ligand.heavy)])


def fit_between(before: Picture, after: Picture, scene: Scene) -> Rigid:
    """The rigid fit that leads from one picture's coordinates to the other's."""
    return rigid_fit(shown(before, scene), shown(after, scene))


def centre_on_screen(picture: Picture) -> Floats:
    """Where the picture's camera has its centre of rotation, shape (3,), Å."""
    place: Floats = screen(picture.camera, picture.camera.centre[None])[0]
    return place


def difference(one: Floats, other: Floats) -> float:
    """Root mean square distance (Å) across the screen of the same atoms, both of shape (n, 3)."""
    gaps = one[:, :2] - other[:, :2]
    return float(np.sqrt((gaps**2).sum(axis=1).mean()))

"""Sites and contacts of a LabelSet in the coordinates of a camera's screen."""

from __future__ import annotations

from typing import Any

import numpy as np

from interactions.complex import Complex
from interactions.questions.records import camera_record
from interactions.questions.scene import scene_of
from interactions.questions.views import Camera, initial_camera, screen

Record = dict[str, Any]

_POINTS, _DIRECTIONS = ("centroid", "position"), ("direction", "normal")


def on_screen(complex_: Complex, labels: Record, camera: Camera | None = None) -> Record:
    """The LabelSet with positions, centroids, directions and normals as a camera sees them (Å, unit vectors).

    Without a camera by ChimeraX's first view of pocket and ligand. ``coordinates`` tells which camera it was.
    Raises InputError for the record of a failure.
    """
    seen_by = camera or initial_camera(scene_of(complex_, labels).points)
    parts = {part: [_seen(entry, seen_by) for entry in labels[part]] for part in ("contacts", "sites") if labels[part]}
    return labels | parts | {"coordinates": {"frame": "screen", "camera": camera_record(seen_by)}}


def _seen(entry: Record, camera: Camera) -> Record:
    points = {name: screen(camera, _row(entry[name])) for name in _POINTS if entry.get(name) is not None}
    directions = {name: _row(entry[name]) @ camera.axes for name in _DIRECTIONS if entry.get(name) is not None}
    return entry | {name: [round(v, 4) + 0.0 for v in row[0].tolist()] for name, row in (points | directions).items()}


def _row(values: list[float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([values])

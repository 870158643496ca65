"""Labels on the screen: the front view looks along -z, so only places shift; a turned camera turns directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from interactions.labelling import label, load_complex
from interactions.questions.scene import scene_of
from interactions.questions.screen_labels import on_screen
from interactions.questions.views import initial_camera, turn


def test_the_front_view_shifts_places_and_keeps_directions(examples: Path) -> None:
    complex_ = load_complex((examples / "2izf.pdb.gz").read_bytes(), "2izf", selector="BTN:B:300")
    labels = label(complex_, parts=["contacts", "sites"], id="2izf")
    seen = on_screen(complex_, labels)
    camera = initial_camera(scene_of(complex_, labels).points)
    assert seen["coordinates"]["frame"] == "screen"
    assert len(seen["sites"]) == len(labels["sites"])
    for before, after in zip(labels["sites"], seen["sites"], strict=True):
        assert np.subtract(before["position"], after["position"]) == pytest.approx(camera.eye, abs=2e-4)
        assert after["direction"] == before["direction"]
        assert after["position"][2] < 0  # in front of the camera
    for before, after in zip(labels["contacts"], seen["contacts"], strict=True):
        assert np.subtract(before["centroid"], after["centroid"]) == pytest.approx(camera.eye, abs=2e-4)


def test_a_quarter_turn_about_y_brings_z_to_x(examples: Path) -> None:
    complex_ = load_complex((examples / "2izf.pdb.gz").read_bytes(), "2izf", selector="BTN:B:300")
    labels = label(complex_, parts=["sites"], id="2izf")
    camera = turn(initial_camera(scene_of(complex_, labels).points), "y", 90)
    seen = on_screen(complex_, labels, camera)
    for before, after in zip(labels["sites"], seen["sites"], strict=True):
        if before["direction"] is not None:
            x, y, z = before["direction"]
            assert after["direction"] == pytest.approx([z, y, -x], abs=2e-4)

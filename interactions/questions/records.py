"""Question records: one JSON object a question, from which it can be drawn and solved again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import numpy as np

from interactions import __version__
from interactions.questions.answers import Bond
from interactions.questions.base import LETTERS, Ask, Question
from interactions.questions.pictures import Picture, front_camera
from interactions.questions.scene import Scene
from interactions.questions.settings import Settings
from interactions.questions.transforms import Grid
from interactions.questions.views import Camera, pose
from interactions.structure import Floats

Record = dict[str, Any]
_DECIMALS = 6  # of matrices: finer than any coordinate


def question_record(ask: Ask, module: Question, scene: Scene, drawn: tuple[int, int], settings: Settings) -> Record:
    """The contract's record of a question, ``drawn`` by (seed, index)."""
    seed, index = drawn
    target = scene.target if ask.target else None
    changes = settings.changes()
    known_as = _id(ask.kind, scene, target, f"{seed} {index} {sorted(changes.items())}")
    names = [picture.name for picture in ask.pictures if picture.name in LETTERS]
    return {
        "id": known_as,
        "kind": ask.kind,
        "complex": ask.complex,
        "text": module.text(ask),
        "options": dict(ask.options) or None,
        "answer": None if ask.answer is None else module.answer_text(ask.answer),
        "images": [_image(picture, ask, scene) for picture in ask.pictures],
        "metadata": {
            "seed": seed,
            "index": index,
            "digest": scene.digest,
            "scene": scene.content,
            "criteria": scene.criteria,
            "camera": camera_record(front_camera(scene, settings)),
            "transforms": {p.name: {"pocket": _matrix(p.pocket), "ligand": _matrix(p.ligand)} for p in ask.pictures},
            "candidates": names or None,
            "subject": None if ask.subject is None else asdict(ask.subject),
            "target": None if target is None else _target(target),
            "grid": asdict(ask.grid),
            "note": ask.note,
            "pairs": ask.pairs,
            "settings": changes,
            "split": None,
            "version": __version__,
        },
    }


def ask_of(record: Mapping[str, Any]) -> Ask:
    """The question that a record tells of, without its answer."""
    metadata = record["metadata"]
    subject, target = metadata["subject"], metadata["target"]
    return Ask(
        kind=record["kind"],
        complex=record["complex"],
        pictures=tuple([_picture(image, metadata["transforms"]) for image in record["images"]]),
        answer=None,
        grid=Grid(**metadata["grid"]),
        options=tuple((record["options"] or {}).items()),
        subject=None if subject is None else Bond(**subject),
        target="" if target is None else target["complex"],
        note=metadata["note"],
        pairs=metadata["pairs"],
    )


def camera_record(camera: Camera) -> Record:
    """A camera as JSON: its pose (3 × 4, ChimeraX's camera position), centre of rotation, window and field of view."""
    return {
        "pose": _matrix(pose(camera)),
        "centre": _rounded(camera.centre),
        "window": list(camera.window),
        "field": camera.field,
    }


def camera_of(record: Mapping[str, Any]) -> Camera:
    matrix = np.array(record["pose"])
    window = record["window"]
    return Camera(matrix[:, :3], matrix[:, 3], np.array(record["centre"]), (window[0], window[1]), record["field"])


def _id(kind: str, scene: Scene, target: Scene | None, drawn: str) -> str:
    parts = (kind, scene.id, scene.content, "" if target is None else target.id + target.content, drawn)
    return f"{scene.id}-{kind}-{sha256(chr(0).join(parts).encode()).hexdigest()[:12]}"


def _target(target: Scene) -> Record:
    return {"complex": target.id, "digest": target.digest, "scene": target.content}


def _image(picture: Picture, ask: Ask, scene: Scene) -> Record:
    """What to draw; ``residue``: the only pocket residue shown, null for all; ``ligand_placement`` moves the ligand."""
    home = None if picture.residue is None else scene.residues[picture.residue]
    return {
        "name": picture.name,
        "complex": ask.target if picture.of_target else ask.complex,
        "pocket": picture.pocket is not None,
        "ligand": picture.ligand is not None,
        "ligand_placement": _matrix(_placement(picture)),
        "residue": None if home is None else {"residue_name": home.name, "number": home.number, "chain": home.chain},
        "of_target": picture.of_target,
        "residue_place": picture.residue,
        "camera": camera_record(picture.camera),
    }


def _placement(picture: Picture) -> Floats | None:
    """Where the ligand stands in the scene, shape (3, 4): the identity where it has not been moved."""
    if picture.ligand is None:
        return None
    axes, seen = picture.camera.axes, picture.ligand
    return np.column_stack([axes @ seen[:, :3], axes @ seen[:, 3] + picture.camera.eye])


def _picture(image: Mapping[str, Any], transforms: Mapping[str, Any]) -> Picture:
    matrices = transforms[image["name"]]
    pocket, ligand = (None if matrices[side] is None else np.array(matrices[side]) for side in ("pocket", "ligand"))
    return Picture(
        image["name"], camera_of(image["camera"]), pocket, ligand, image["residue_place"], image["of_target"]
    )


def _matrix(matrix: Floats | None) -> list[list[float]] | None:
    return None if matrix is None else [_rounded(row) for row in matrix]


def _rounded(values: Floats) -> list[float]:
    """Without minus zero, which another machine may not have."""
    return [round(value, _DECIMALS) + 0.0 for value in values.tolist()]

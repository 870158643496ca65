"""Scripts that render the pictures of a question, one folder a question."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from app.asking import Source
from interactions.questions.scene import Scene
from interactions.questions.scripts import Files, chimerax_script, pymol_script


def write_scripts(record: dict[str, Any], scene: Scene, source: Source, out: Path) -> list[Path]:
    """``<question id>/<picture>.cxc`` and ``.py`` for each picture, which they save as ``<picture>.png``.

    Pictures of a question's second complex are left to the questions about that one: their files are not this one's.
    """
    folder = out / record["id"]
    folder.mkdir(parents=True, exist_ok=True)
    files = _files(source, folder)
    written = []
    for image in record["images"]:
        if image["of_target"]:
            continue
        for suffix, script in ((".cxc", chimerax_script), (".py", pymol_script)):
            path = folder / f"{image['name']}{suffix}"
            path.write_text(script(record, image, scene, files, f"{image['name']}.png"), "utf-8")
            written.append(path)
    return written


def _files(source: Source, folder: Path) -> Files:
    def seen(path: Path) -> str:
        return Path(os.path.relpath(path, folder.resolve())).as_posix()

    task = source.task
    return Files(seen(task.receptor), "" if task.ligand is None else seen(task.ligand), source.selector or "")

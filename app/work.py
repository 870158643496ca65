"""The library calls behind the routes. The library is imported at first use: it takes seconds."""

from __future__ import annotations

from typing import Any

from app.store import Upload

LabelSet = dict[str, Any]


def label_upload(upload: Upload, criteria: str, cutoff: float | None = None) -> LabelSet:
    """The LabelSet of an upload; ``cutoff`` of the pocket in Å."""
    from interactions.labelling import label, load_complex
    from interactions.pocket import PocketRule

    complex_ = load_complex(upload.receptor, upload.receptor_name, upload.ligand, upload.ligand_name, upload.selector)
    pocket = PocketRule() if cutoff is None else PocketRule(cutoff=cutoff)
    return label(complex_, criteria=criteria, pocket=pocket, id=upload.id)


def describe(upload: Upload) -> dict[str, Any]:
    """Ligands to choose from, and warnings of reading. Bad files, and a selector that answers nothing, fail here."""
    from interactions.formats import read
    from interactions.ligands import candidates, choose

    structures = [read(upload.receptor, upload.receptor_name)]
    if upload.ligand is not None:
        structures.append(read(upload.ligand, upload.ligand_name or "ligand"))
    if upload.selector is not None:
        choose(structures[-1], upload.selector)
    return {
        "id": upload.id,
        "ligands": [choice.as_dict() for choice in candidates(structures[-1])],
        "warnings": [{"code": code, "message": text} for s in structures for code, text in s.warnings],
    }


def criteria_names() -> list[str]:
    """Names of the criteria sets that come with the library."""
    from importlib.resources import files

    profiles = files("interactions") / "profiles"
    return sorted(entry.name.removesuffix(".toml") for entry in profiles.iterdir() if entry.name.endswith(".toml"))

"""Scenes for the tests of questions: the committed example, its second copy, complexes of the reference."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from interactions.labelling import label, load_complex
from interactions.questions.scene import Scene, scene_of


@cache
def example(examples: Path) -> Scene:
    """Biotin of chain B in streptavidin."""
    receptor, ligand = ((examples / name).read_bytes() for name in ("2izf_receptor.pdb.gz", "2izf_ligand.sdf"))
    complex_ = load_complex(receptor, "receptor", ligand, "ligand")
    return scene_of(complex_, label(complex_, id="2izf"))


@cache
def deposited(examples: Path, selector: str, id: str) -> Scene:
    """A biotin of the entry as deposited, by selector."""
    complex_ = load_complex((examples / "2izf.pdb.gz").read_bytes(), "2izf", selector=selector)
    return scene_of(complex_, label(complex_, id=id))


@cache
def reference_scene(reference: Path, name: str) -> Scene:
    folder = reference / "pdbbind" / name
    receptor, ligand = (folder / f"{name}_pocket.pdb").read_bytes(), (folder / f"{name}_ligand.mol2").read_bytes()
    complex_ = load_complex(receptor, name, ligand, name)
    return scene_of(complex_, label(complex_, id=name))

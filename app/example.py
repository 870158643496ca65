"""The committed example complex, biotin in streptavidin."""

from __future__ import annotations

from pathlib import Path

from app.storage import Upload
from interactions.formats import plain

FOLDER = Path(__file__).parent.parent / "examples"


def example_upload(folder: Path) -> Upload:
    receptor, ligand = folder / "2izf_receptor.pdb.gz", folder / "2izf_ligand.sdf"
    return Upload(
        plain(receptor.read_bytes(), receptor.name), receptor.name.removesuffix(".gz"), ligand.read_bytes(), ligand.name
    )

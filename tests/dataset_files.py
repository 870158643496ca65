"""Complexes to make data sets of, and what a data set holds."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from bad_inputs import EMPTY_LIGAND

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten complexes in PDBbind layout: biotin's site, the ligand a little away in each; one of them broken."""
    folder = tmp_path_factory.mktemp("source")
    receptor = gzip.decompress((ROOT / "examples" / "2izf_receptor.pdb.gz").read_bytes())
    ligand = (ROOT / "examples" / "2izf_ligand.sdf").read_text().splitlines(keepends=True)
    for number in range(10):
        name = f"c{number:03d}"
        at = folder / name
        at.mkdir()
        (at / f"{name}_pocket.pdb").write_bytes(receptor)
        moved = [
            f"{float(line[:10]) + 0.02 * number:10.4f}{line[10:]}" if 4 <= i < 4 + int(ligand[3][:3]) else line
            for i, line in enumerate(ligand)
        ]
        (at / f"{name}_ligand.sdf").write_bytes(EMPTY_LIGAND if number == 3 else "".join(moved).encode())
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines(built: Path, table: str) -> list[dict[str, Any]]:
    texts = (path.read_text() for path in sorted((built / "jsonl" / table).iterdir()))
    return [json.loads(line) for text in texts for line in text.splitlines()]

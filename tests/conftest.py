"""Shared fixtures: the reference data, found by MISI_ORACLE_REFERENCE, and the committed example."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from databases import database, postgres, small_disk  # noqa: F401 – fixtures
from dataset_files import source  # noqa: F401 – a fixture

ROOT = Path(__file__).parent.parent
REFERENCE = Path(os.environ.get("MISI_ORACLE_REFERENCE", ROOT.parent / "shared" / "data"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if (REFERENCE / "labels").is_dir():
        return
    skip = pytest.mark.skip(reason="reference data absent: set MISI_ORACLE_REFERENCE")
    for item in items:
        if "shared" in item.keywords:
            item.add_marker(skip)


@pytest.fixture
def reference() -> Path:
    """Folder with the complexes and ChimeraX's labels (tests marked ``shared``)."""
    return REFERENCE


@pytest.fixture
def examples() -> Path:
    """Folder of the committed example complex."""
    return ROOT / "examples"

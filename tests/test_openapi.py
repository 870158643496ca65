"""openapi.yaml is generated: `misi-oracle openapi > openapi.yaml`."""

from __future__ import annotations

from pathlib import Path

import yaml

from app.document import openapi_yaml

COMMITTED = Path(__file__).parent.parent / "openapi.yaml"


def test_the_committed_description_is_current() -> None:
    assert COMMITTED.read_text("utf-8") == openapi_yaml()


def test_the_description_is_yaml() -> None:
    assert yaml.safe_load(COMMITTED.read_text("utf-8"))["info"]["title"] == "misi-oracle"

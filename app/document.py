"""The service's description as a YAML document."""

from __future__ import annotations

import json

from app.main import create_app
from app.settings import Settings


def openapi_yaml() -> str:
    """openapi.yaml: written as indented JSON, which every YAML 1.2 reader takes."""
    return json.dumps(create_app(Settings()).openapi(), indent=2, ensure_ascii=False) + "\n"

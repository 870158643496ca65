"""Answers as JSON, written by the library's own serialiser."""

from __future__ import annotations

from typing import Any

from fastapi import Response


def json_response(content: Any, status: int = 200) -> Response:
    from interactions.serialise import dumps

    return Response(dumps(content), status, media_type="application/json")

"""A service with questions, and answers whose scores are known, for tests of verification."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings

SECRET = "a secret of the tests, long enough"
RECORDS: list[dict[str, Any]] = [
    {"id": "shift", "kind": "translation", "answer": "move x 3"},
    {"id": "turn", "kind": "rotation", "answer": "roll y 90"},
    {"id": "choice", "kind": "interaction_location", "answer": "C", "options": {"A": "move x 1, move y 2"}},
    {"id": "bonds", "kind": "pocket_ligand", "answer": "ARG 45 NH2 A, O1B; ASP 25 OD1 A, N2"},
    {"id": "none", "kind": "residue_ligand", "answer": "No"},
    {"id": "unusable", "kind": "rotation", "answer": None},
]
ANSWERS = [
    ("shift", "move x 3", 1.0),
    ("shift", "<answer>move x 4</answer>", 1 - 1 / 7),  # 7 Å is the scale of a shift
    ("shift", "about three", 0.0),
    ("turn", "roll y -270", 1.0),  # the same rotation
    ("choice", "A or C", 0.0),
    ("choice", "C", 1.0),
    ("bonds", "ASP 25 OD1 A, N2; ARG 45 NH2 A, O1B", 1.0),
    ("none", "No", 1.0),
    ("unusable", "roll y 90", None),
]


def record(**fields: Any) -> dict[str, Any]:
    return {"complex": "5ey0", "text": "How?", "images": [], "metadata": {}} | fields


@contextmanager
def service(**settings: Any) -> Iterator[TestClient]:
    app = create_app(Settings(database=":memory:", workers=0, secret=SECRET, **settings))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@contextmanager
def asked() -> Iterator[TestClient]:
    """A service that holds RECORDS."""
    with service() as client:
        assert client.post("/v1/questions", json=[record(**one) for one in RECORDS]).status_code == 201
        yield client


def rows() -> list[dict[str, Any]]:
    return [{"id": name, "response": response} for name, response, _ in ANSWERS]


def lines(content: list[Any]) -> bytes:
    return b"\n".join(map(orjson.dumps, content))


def nemo(text: str, **fields: Any) -> dict[str, Any]:
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    output = [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "move x 3"}]}, message]
    return {"responses_create_params": {"input": "?"}, "response": {"id": "r", "output": output}} | fields

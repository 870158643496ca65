"""Questions, responses and their scores, and a service that an httpx client reaches in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings

URL = "http://oracle"
SECRET = "a secret of the tests, long enough"
QUESTIONS: list[dict[str, Any]] = [
    {"id": "shift", "kind": "translation", "answer": "move x 3", "images": [{"name": "before"}, {"name": "after"}]},
    {"id": "choice", "kind": "rotation_rotation", "answer": "C", "images": [{"name": name} for name in "ABCD"]},
    {"id": "bonds", "kind": "pocket_ligand", "answer": "ARG 45 NH2 A, O1B; ASP 25 OD1 A, N2", "images": []},
    {"id": "unusable", "kind": "rotation", "answer": None, "images": []},
]
for question in QUESTIONS:
    question |= {"complex": "5ey0", "text": f"How?\tOr {question['id']}?", "options": None, "metadata": {}}
RESPONSES = ["<answer>move x 4</answer>", "C", "No", "roll x 90"]
SCORES = [1 - 1 / 7, 1.0, 0.0, None]  # 7 Å is the scale of a shift
FLOATS = [score or 0.0 for score in SCORES]


@contextmanager
def application() -> Iterator[Any]:
    """The service with QUESTIONS."""
    app = create_app(Settings(database=":memory:", workers=0, secret=SECRET))
    with TestClient(app) as client:
        client.post("/v1/questions", json=QUESTIONS)
        yield app


def bridged(app: Any) -> httpx.Client:
    """An httpx client whose requests the application answers in this process."""
    inner = TestClient(app)

    def answer(request: httpx.Request) -> httpx.Response:
        got = inner.request(
            request.method, request.url.raw_path.decode(), content=request.content, headers=dict(request.headers)
        )
        return httpx.Response(got.status_code, content=got.content, headers=dict(got.headers))

    return httpx.Client(transport=httpx.MockTransport(answer))

"""Damaged requests are answered or refused, never with a 5xx and never late. ``make fuzz`` sends twenty thousand."""

from __future__ import annotations

import asyncio
import os
import re
from typing import Any

import orjson
import pytest
from request_mutations import Sent, damaged, samples

from app.example import FOLDER
from app.main import create_app
from app.settings import Settings

COUNT = int(os.environ.get("MISI_ORACLE_FUZZ", "500"))
SEED = 2026
BLOCK = 100
NOTICE = 120.0  # s after which something hangs
PROBLEM = b"application/problem+json"
HEADLESS = ("HEAD", "OPTIONS")

Answer = tuple[int, dict[bytes, bytes], bytes]


async def send(app: Any, sent: Sent) -> Answer:
    """The answer to a request, its body sent in pieces."""
    pieces = [sent.body[start : start + 60_000] for start in range(0, len(sent.body), 60_000)] or [b""]
    messages = [{"type": "http.request", "body": one, "more_body": True} for one in pieces]
    messages[-1]["more_body"] = False
    status, headers, body = 0, dict[bytes, bytes](), bytearray()

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def take(message: dict[str, Any]) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], dict(message["headers"])
        body.extend(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": sent.method,
        "scheme": "http",
        "path": sent.path,
        "raw_path": sent.path.encode(),
        "root_path": "",
        "query_string": sent.query.encode(),
        "headers": [(b"host", b"127.0.0.1"), *sent.headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    await app(scope, receive, take)
    return status, headers, bytes(body)


async def answers(requests: list[Sent]) -> list[Answer]:
    """Of one service, in turn."""
    app = create_app(Settings(database=":memory:", workers=0, example=FOLDER, max_upload_bytes=2_000_000))
    async with app.router.lifespan_context(app):
        return [await asyncio.wait_for(send(app, sent), NOTICE) for sent in requests]


def test_the_undamaged_requests_are_answered() -> None:
    known = [sent for sent in samples() if not sent.path.startswith(("/v1/jobs", "/v1/runs"))]
    assert [status for status, _, _ in asyncio.run(answers(known)) if status not in (200, 201)] == []
    assert len(known) > 12


# Starlette leaves the spooled file of a form that breaks off to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("block", range(max(1, COUNT // BLOCK)))
def test_damaged_requests_are_answered_or_refused(block: int) -> None:
    requests = [*samples(), *damaged(BLOCK, SEED + block)]
    for sent, (status, headers, body) in zip(requests, asyncio.run(answers(requests)), strict=True):
        assert 200 <= status < 500, (sent.method, sent.path, sent.query, sent.headers, sent.body[:300], body[:300])
        if status >= 400 and sent.method not in HEADLESS:
            assert headers[b"content-type"] == PROBLEM, (sent.method, sent.path)
            problem = orjson.loads(body)
            assert re.fullmatch("[a-z_]+", problem["code"])
            assert "Traceback" not in body.decode()

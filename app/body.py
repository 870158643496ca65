"""Request bodies read from the stream, within limits, without giving other requests the wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic

import orjson
from fastapi import Request, Response

from app.rows import Limits, RowReader, loads
from interactions.errors import InputError

SLICE = 0.004  # s of work before other requests have their turn

Answer = Callable[[object], object]
Fetch = Callable[[Sequence[object]], Awaitable[None]]


async def read_json(request: Request, limit: int) -> object:
    """The body as JSON. Raises InputError: ``too_large``, ``bad_json``."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise InputError(f"the request is larger than {limit} bytes", code="too_large")
    return loads(bytes(body))


async def answer_rows(request: Request, limits: Limits, fetch: Fetch, answer: Answer) -> Response:
    """One answer a row, in order: a JSON list to a list, NDJSON to NDJSON; ``fetch`` what a slice of rows needs."""
    reader, replies = RowReader(limits), list[bytes]()
    async for chunk in request.stream():
        await _answer(reader.feed(chunk), fetch, answer, replies)
    await _answer(reader.finish(), fetch, answer, replies)
    if reader.is_list:
        return Response(b"[" + b",".join(replies) + b"]", media_type="application/json")
    return Response(b"".join(reply + b"\n" for reply in replies), media_type="application/x-ndjson")


async def _answer(rows: list[object], fetch: Fetch, answer: Answer, replies: list[bytes]) -> None:
    await fetch(rows)
    pause = monotonic() + SLICE
    for row in rows:
        replies.append(orjson.dumps(answer(row)))
        if monotonic() > pause:
            await asyncio.sleep(0)
            pause = monotonic() + SLICE

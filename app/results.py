"""Answers that were made before, by what was asked; and the tags that clients keep of them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from hashlib import sha256
from math import inf
from time import monotonic
from typing import Any, Generic, TypeVar

from fastapi import Request, Response

Value = TypeVar("Value")


class Results:
    """The latest answers, up to a number of bytes in all."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._size = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}

    async def once(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The answer that is kept, or that ``make`` gives; who asks meanwhile waits for the same one."""
        kept = self.get(key)
        if kept is not None:
            return kept
        if key not in self._making:
            self._making[key] = asyncio.create_task(make())
            self._making[key].add_done_callback(partial(self._made, key))
        # A caller that goes away takes the answer from nobody else.
        return await asyncio.shield(self._making[key])

    def _made(self, key: Hashable, task: asyncio.Task[bytes]) -> None:
        del self._making[key]
        if not task.cancelled() and task.exception() is None:
            self.put(key, task.result())

    def get(self, key: Hashable) -> bytes | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def put(self, key: Hashable, answer: bytes) -> None:
        if key in self._kept or len(answer) > self._most:
            return
        self._kept[key] = answer
        self._size += len(answer)
        while self._size > self._most:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped)


class Fresh(Generic[Value]):
    """What was read less than ``seconds`` ago; another process may have changed it since."""

    def __init__(self, seconds: float = 1.0, most: int = 10_000) -> None:
        self._seconds, self._most = seconds, most
        self._read: OrderedDict[Hashable, tuple[float, Value]] = OrderedDict()

    def get(self, key: Hashable) -> Value | None:
        when, value = self._read.get(key, (-inf, None))
        return value if monotonic() - when < self._seconds else None

    def put(self, key: Hashable, value: Value) -> None:
        self.drop(key)
        self._read[key] = (monotonic(), value)
        if len(self._read) > self._most:
            self._read.popitem(last=False)

    def drop(self, key: Hashable) -> None:
        self._read.pop(key, None)


def tagged(request: Request, answer: bytes) -> Response:
    """The answer with its ETag, or 304 where the client has it already."""
    tag = f'"{sha256(answer).hexdigest()[:32]}"'
    asked = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    if tag in asked or "*" in asked:
        return Response(status_code=304, headers={"etag": tag})
    return Response(answer, media_type="application/json", headers={"etag": tag})

"""Answers that were made before, by what was asked; and the tags that clients keep of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from hashlib import sha256

from fastapi import Request, Response


class Results:
    """The latest answers, up to a number of bytes in all."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._size = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

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


def tagged(request: Request, answer: bytes) -> Response:
    """The answer with its ETag, or 304 where the client has it already."""
    tag = f'"{sha256(answer).hexdigest()[:32]}"'
    asked = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    if tag in asked or "*" in asked:
        return Response(status_code=304, headers={"etag": tag})
    return Response(answer, media_type="application/json", headers={"etag": tag})

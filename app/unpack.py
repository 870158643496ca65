"""ASGI middleware: request bodies with Content-Encoding gzip, unpacked in small pieces up to a limit."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import problem

PIECE = 65_536
MAX_MEMBERS = 1_000


class BadBody(Exception):
    """Raised inside receive; never leaves the middleware."""


class Gunzip:
    """Feeds packed bytes and gives plain ones, at most PIECE at a time; members may follow each other."""

    def __init__(self) -> None:
        self._members = 0
        self._decoder = zlib.decompressobj(wbits=31)
        self._started = False
        self._packed = b""

    def feed(self, data: bytes) -> None:
        self._packed += data

    def piece(self) -> bytes:
        """Some plain bytes; empty when more packed ones are needed. Raises zlib.error."""
        while self._packed:
            if self._decoder.eof:
                self._members += 1
                if self._members >= MAX_MEMBERS:  # each costs work, also an empty one
                    raise zlib.error("too many members")
                self._decoder = zlib.decompressobj(wbits=31)
            self._started = True
            plain = self._decoder.decompress(self._packed, PIECE)
            self._packed = self._decoder.unused_data if self._decoder.eof else self._decoder.unconsumed_tail
            if plain:
                return plain
        return b""

    @property
    def complete(self) -> bool:
        return not self._packed and (self._decoder.eof or not self._started)


class Unpack:
    """400 for damaged gzip, 413 past ``limit`` bytes packed or plain, 415 for other encodings."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        encoding = Headers(scope=scope).get("content-encoding", "identity") if scope["type"] == "http" else "identity"
        encoding = encoding.strip().lower()
        if encoding in ("", "identity"):
            await self.app(scope, receive, send)
        elif encoding in ("gzip", "x-gzip"):
            await self._unpacked(scope, receive, send)
        else:
            answer = problem(415, "unsupported_encoding", "a request body may be plain or gzip")
            answer.headers["accept-encoding"] = "gzip"
            await answer(scope, receive, send)

    async def _unpacked(self, scope: Scope, receive: Receive, send: Send) -> None:
        dropped = (b"content-encoding", b"content-length")
        scope["headers"] = [pair for pair in scope["headers"] if pair[0] not in dropped]
        refusal: list[tuple[int, str, str]] = []

        def refuse(status: int, code: str, detail: str) -> BadBody:
            refusal.append((status, code, detail))
            return BadBody(code)

        async def guarded(message: Message) -> None:
            if not refusal:
                await send(message)

        try:
            await self.app(scope, unpacking(receive, self.limit, refuse), guarded)
        except Exception:
            if not refusal:
                raise
        if refusal:
            await problem(*refusal[0])(scope, receive, send)


def unpacking(receive: Receive, limit: int, refuse: Callable[[int, str, str], BadBody]) -> Receive:
    """``receive`` with the plain body; what ``refuse`` makes is raised where the body is bad or too large."""
    gunzip = Gunzip()
    packed = plain = 0
    more, ended = True, False

    async def receive_plain() -> Message:
        nonlocal packed, plain, more, ended
        while not ended:
            try:
                piece = gunzip.piece()
            except zlib.error as error:
                raise refuse(400, "bad_gzip", "the body is damaged gzip data") from error
            plain += len(piece)
            if max(plain, packed) > limit:
                raise refuse(413, "too_large", f"the request is larger than {limit} bytes")
            if piece:
                return {"type": "http.request", "body": piece, "more_body": True}
            if not more:
                if not gunzip.complete:
                    raise refuse(400, "bad_gzip", "the gzip data end too early")
                ended = True
                return {"type": "http.request", "body": b"", "more_body": False}
            message = await receive()
            if message["type"] != "http.request":
                return message
            more = message.get("more_body", False)
            packed += len(message.get("body", b""))
            gunzip.feed(message.get("body", b""))
        return await receive()

    return receive_plain

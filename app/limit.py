"""Stop an upload while it streams in, before it fills memory or disk, or where it takes for ever."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import problem

FORM_OVERHEAD = 65_536  # boundaries and small fields beside the two files
LEAST_RATE = 10_000  # bytes a second that a sender must reach once its grace is over


class Refused(Exception):
    """Raised inside receive; never leaves the middleware."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class UploadLimit:
    """ASGI middleware: at most two files of ``limit`` bytes in a request, sent within ``patience`` seconds and what
    the least rate allows beside."""

    def __init__(self, app: ASGIApp, limit: int, patience: float) -> None:
        self.app = app
        self.limit = 2 * limit + FORM_OVERHEAD
        self.patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = asyncio.get_running_loop().time()
        seen, ended = 0, False
        refused: Refused | None = None

        async def counted() -> Message:
            nonlocal seen, ended, refused
            if ended:  # what is waited for now is that the client goes away
                return await receive()
            try:
                async with asyncio.timeout_at(start + self.patience + seen / LEAST_RATE):
                    message = await receive()
            except TimeoutError:
                refused = Refused(408, "too_slow", f"the request was not sent within {self.patience:g} s")
                raise refused from None
            seen += len(message.get("body", b""))
            ended = not message.get("more_body", False)
            if seen > self.limit:
                refused = Refused(413, "too_large", f"the request is larger than {self.limit} bytes")
                raise refused
            return message

        async def guarded(message: Message) -> None:
            if refused is None:
                await send(message)

        try:
            await self.app(scope, counted, guarded)
        except Exception:
            if refused is None:
                raise
        if refused is not None:
            answer = problem(refused.status, refused.code, refused.message)
            answer.headers["connection"] = "close"
            await answer(scope, receive, send)

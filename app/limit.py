"""Stop an upload while it streams in, before it fills memory or disk."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import problem

FORM_OVERHEAD = 65_536  # boundaries and small fields beside the two files


class BodyTooLarge(Exception):
    """Raised inside receive; never leaves the middleware."""


class UploadLimit:
    """ASGI middleware: at most two files of ``limit`` bytes in a request."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app = app
        self.limit = 2 * limit + FORM_OVERHEAD

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        seen = 0
        exceeded = False

        async def counted() -> Message:
            nonlocal seen, exceeded
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.limit:
                exceeded = True
                raise BodyTooLarge
            return message

        async def guarded(message: Message) -> None:
            if not exceeded:
                await send(message)

        try:
            await self.app(scope, counted, guarded)
        except Exception:
            if not exceeded:
                raise
        if exceeded:
            answer = problem(413, "too_large", f"the request is larger than {self.limit} bytes")
            await answer(scope, receive, send)

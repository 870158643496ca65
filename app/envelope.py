"""Outermost ASGI middleware: request id, security headers, one log line, metrics, and an answer when all else fails."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import problem
from app.logs import REQUESTS, failure
from app.metrics import Metrics
from app.request_id import CURRENT, request_id

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
CLOSED = 499  # the client went away before an answer was begun
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass
class Exchange:
    """What is known of one request and its answer so far."""

    id: str
    started: float
    status: int | None = None
    received: int = 0
    sent: int = 0


def route_template(scope: Scope) -> str:
    """The path as declared, ``/v1/structures/{identifier}/labels``; never what the client wrote."""
    return getattr(scope.get("route"), "path", None) or "unmatched"


class Envelope:
    """Wraps every answer, also those of the middlewares inside it."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange = Exchange(request_id(Headers(scope=scope).get("x-request-id")), time.perf_counter())
        token = CURRENT.set(exchange.id)
        self.metrics.in_progress.inc()
        try:
            await self._answer(scope, counted(exchange, receive), stamped(exchange, send), exchange)
        finally:
            self.metrics.in_progress.dec()
            self._tell(scope, exchange)
            CURRENT.reset(token)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, exchange: Exchange) -> None:
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            REQUESTS.error("unexpected error", extra={"fields": {"request_id": exchange.id, **failure(error)}})
            if exchange.status is not None:
                raise  # half an answer is out: the server must cut the connection
            answer = problem(500, "internal_error", "an unexpected error; it was logged under this request id")
            await answer(scope, receive, send)

    def _tell(self, scope: Scope, exchange: Exchange) -> None:
        seconds = time.perf_counter() - exchange.started
        method = scope["method"] if scope["method"] in METHODS else "other"
        route, status = route_template(scope), exchange.status or CLOSED
        self.metrics.observe((method, route, str(status)), seconds, exchange.received, exchange.sent)
        if REQUESTS.isEnabledFor(logging.INFO):
            fields = {
                "method": method,
                "route": route,
                "status": status,
                "milliseconds": round(seconds * 1000, 3),
                "request_id": exchange.id,
                "received_bytes": exchange.received,
                "sent_bytes": exchange.sent,
            }
            REQUESTS.info("request", extra={"fields": fields})


def counted(exchange: Exchange, receive: Receive) -> Receive:
    async def receive_counted() -> Message:
        message = await receive()
        exchange.received += len(message.get("body", b""))
        return message

    return receive_counted


def stamped(exchange: Exchange, send: Send) -> Send:
    async def send_stamped(message: Message) -> None:
        if message["type"] == "http.response.start":
            exchange.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["x-request-id"] = exchange.id
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        exchange.sent += len(message.get("body", b""))
        await send(message)

    return send_stamped

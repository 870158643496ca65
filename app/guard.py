"""ASGI middleware: which key may send this request, and how often."""

from __future__ import annotations

import math
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import problem
from app.keys import Key, find
from app.rate import Buckets

OPEN = frozenset({"/health", "/ready", "/docs", "/openapi.json"})
UNLIMITED = frozenset({"/health", "/ready"})  # probes must not be turned away
STATELESS = frozenset({"/v1/labels", "/v1/verify", "/v1/verify/batch", "/v1/answer"})
CHALLENGE = {"www-authenticate": 'Bearer realm="misi-oracle"'}


def needed_role(method: str, path: str) -> str | None:
    """The least role that may send this; None where no key is asked for. POST that keeps nothing is reading."""
    if path in OPEN:
        return None
    if path.startswith("/v1/admin"):
        return "admin"
    if method in ("GET", "HEAD", "OPTIONS") or path in STATELESS or path.startswith("/compat/"):
        return "read"
    return "write"


def sent_key(headers: Headers) -> str | None:
    scheme, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else headers.get("x-api-key")


def may_see_truth(request: HTTPConnection) -> bool:
    """True for an admin key, never without one: also an open service keeps its truths."""
    key: Key | None = getattr(request.state, "key", None)
    return key is not None and key.allows("admin")


class Guard:
    """Lets a request through, or answers 401, 403 or 429. ``state.key`` tells the routes who asks."""

    def __init__(self, app: ASGIApp, keys: Sequence[Key], rate: float | None, burst: int) -> None:
        self.app, self.keys, self.rate = app, tuple(keys), rate
        self.buckets = Buckets(burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        secret = sent_key(Headers(scope=scope)) if self.keys else None
        key = None if secret is None else find(self.keys, secret)
        wait = self._wait(scope, key)
        role = needed_role(scope["method"], scope["path"])
        if wait > 0:
            answer = problem(429, "too_many_requests", "too many requests; see Retry-After")
            answer.headers["retry-after"] = str(math.ceil(wait))
        elif self.keys and role and key is None:
            answer = problem(401, "unauthorized", "send a known API key, as Authorization: Bearer or X-API-Key")
            answer.headers.update(CHALLENGE)
        elif self.keys and role and key and not key.allows(role):
            answer = problem(403, "forbidden", f"this needs the role {role!r}, the key has {key.role!r}")
        else:
            scope.setdefault("state", {})["key"] = key
            await self.app(scope, receive, send)
            return
        await answer(scope, receive, send)

    def _wait(self, scope: Scope, key: Key | None) -> float:
        rate = self.rate if key is None or key.rate is None else key.rate
        if not rate or scope["path"] in UNLIMITED:
            return 0.0
        # Callers without a key share a bucket by address, so that guessing keys is limited as well.
        caller = f"key {key.name}" if key else f"address {(scope.get('client') or ('?',))[0]}"
        return self.buckets.take(caller, rate)

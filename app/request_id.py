"""The id of the request that is being answered, for problem documents and log lines."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

CURRENT: ContextVar[str | None] = ContextVar("request_id", default=None)
_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{1,64}")


def request_id(sent: str | None) -> str:
    """The id that the caller sent in X-Request-ID, where it is well formed, or a new one."""
    return sent if sent is not None and _WELL_FORMED.fullmatch(sent) else secrets.token_hex(8)

"""When to ask a service again."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

AGAIN = (429, 503)
FIRST = 0.25  # s, doubled at every try
LONGEST = 60.0  # s


def wait_before(attempt: int, tries: int, status: int | None, retry_after: str | None) -> float | None:
    """Seconds to wait after the attempt (0, 1 …), None where there is no other: it was answered, or was the last.

    ``status`` None: no answer came.
    """
    if attempt + 1 >= tries or not (status is None or status in AGAIN):
        return None
    backoff = FIRST * 2.0**attempt * random.uniform(0.5, 1)
    return min(LONGEST, max(backoff, asked_wait(retry_after)))


def asked_wait(retry_after: str | None) -> float:
    """Seconds that a Retry-After asks for, as a number or a date; 0 where it is neither."""
    if retry_after is None:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0

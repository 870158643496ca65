"""Records as JSON: the same record gives the same bytes."""

from __future__ import annotations

from typing import Any

import orjson


def dumps(record: Any) -> bytes:
    """JSON bytes, keys in the order of the record, no spaces."""
    return orjson.dumps(record)

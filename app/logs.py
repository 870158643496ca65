"""Log lines as JSON objects. What a client sent (coordinates, keys, names, messages about them) is never written."""

from __future__ import annotations

import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import orjson

REQUESTS = logging.getLogger("app.requests")


def where(trace: TracebackType | None) -> list[str]:
    """``module:line function`` of each frame, innermost last, without source text or values."""
    frames = traceback.walk_tb(trace)
    return [f"{frame.f_globals.get('__name__', '?')}:{line} {frame.f_code.co_name}" for frame, line in frames]


def failure(error: BaseException) -> dict[str, Any]:
    """Kind and place of an error. Its message may quote the input, so it is left out; causes follow."""
    told: dict[str, Any] = {"error": type(error).__qualname__, "trace": where(error.__traceback__)}
    cause = error.__cause__ or error.__context__
    if cause is not None and cause is not error:
        told["cause"] = failure(cause)
    return told


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, logger, event, then the fields given as ``extra={"fields": …}``."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line |= failure(record.exc_info[1])
        return orjson.dumps(line, default=str).decode()


def config(level: str) -> dict[str, Any]:
    """For logging.config.dictConfig and uvicorn: JSON on stderr, no access log (it writes whole addresses)."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonFormatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {"uvicorn.access": {"handlers": [], "propagate": False}},
    }

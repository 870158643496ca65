"""Rows of a JSON list or of NDJSON, taken from a stream piece by piece, within limits."""

from __future__ import annotations

import json
from dataclasses import dataclass

import orjson

from interactions.errors import InputError

_SPACE = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Limits:
    """Most rows of a request, most bytes of a row, most bytes of a request."""

    rows: int
    row_bytes: int
    body_bytes: int


class RowReader:
    """``feed`` pieces, then ``finish``: each gives the rows that became whole, a bad one as its InputError.

    The first byte tells a list from lines. Raises InputError: ``too_large``, ``too_many_rows``, ``bad_json`` (a list
    that is none; a bad line is a bad row only).
    """

    def __init__(self, limits: Limits) -> None:
        self.is_list: bool | None = None
        self._limits = limits
        self._tail = bytearray()
        self._bytes = self._rows = 0

    def feed(self, chunk: bytes) -> list[object]:
        self._bytes += len(chunk)
        if self._bytes > self._limits.body_bytes:
            raise InputError(f"the request is larger than {self._limits.body_bytes} bytes", code="too_large")
        if self.is_list is None and (start := chunk.lstrip(_SPACE)):
            self.is_list = start.startswith(b"[")
        if self.is_list or self.is_list is None:
            self._tail += chunk
            return []
        return self._counted([self._decoded(line) for line in self._lines(chunk) if line.strip()])

    def finish(self) -> list[object]:
        rest = bytes(self._tail)
        if self.is_list:
            return self._counted([self._fitting(row) for row in _list(rest)])
        return self._counted([self._decoded(rest)]) if rest.strip() else []

    def _lines(self, chunk: bytes) -> list[bytes]:
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = bytes(self._tail) + lines[0]
            self._tail.clear()
        self._tail += rest
        del self._tail[self._limits.row_bytes + 1 :]  # enough to know that it is too long
        return lines

    def _decoded(self, line: bytes) -> object:
        if len(line) > self._limits.row_bytes:
            return self._too_long()
        try:
            return loads(line)
        except InputError as error:
            return error

    def _fitting(self, row: object) -> object:
        texts = (value for value in row.values() if isinstance(value, str)) if isinstance(row, dict) else ()
        return self._too_long() if sum(map(len, texts)) > self._limits.row_bytes else row

    def _too_long(self) -> InputError:
        return InputError(f"a row is longer than {self._limits.row_bytes} bytes", code="row_too_long")

    def _counted(self, rows: list[object]) -> list[object]:
        self._rows += len(rows)
        if self._rows > self._limits.rows:
            raise InputError(f"more than {self._limits.rows} rows in one request", code="too_many_rows")
        return rows


def loads(data: bytes) -> object:
    """Any JSON, with lone surrogates, as models write them. Raises InputError (``bad_json``)."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(data.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InputError("this is no JSON", code="bad_json") from error


def dumps(content: object) -> bytes:
    """As JSON, also what ``loads`` alone can read. Raises InputError (``bad_json``) for what is nested too deeply."""
    try:
        return orjson.dumps(content)
    except orjson.JSONEncodeError:
        pass
    try:
        return json.dumps(content).encode()
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply", code="bad_json") from error


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _list(data: bytes) -> list[object]:
    rows = loads(data)
    if not isinstance(rows, list):
        raise InputError("this is no JSON list", code="bad_json")
    return rows

"""What the tables' modules share: compression, checked text, and inserts that keep what is there."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from interactions.errors import InputError

LEVEL = 3  # of zlib: at 6 a PDB file takes three times the time and is a tenth smaller
MAX_TEXT_BYTES = 2000  # an index of PostgreSQL holds no longer keys
CHUNK = 500  # values in one statement; SQLite takes no more than 32,766


def packed(data: bytes) -> bytes:
    return zlib.compress(data, LEVEL)


def unpacked(data: bytes) -> bytes:
    return zlib.decompress(data)


def storable(text: str) -> bool:
    """Whether every database can keep it as a key."""
    try:
        return "\0" not in text and len(text.encode()) <= MAX_TEXT_BYTES
    except UnicodeEncodeError:
        return False


def checked(*texts: str | None) -> None:
    """Raises InputError (``bad_text``) for text that not every database can keep."""
    if not all(text is None or storable(text) for text in texts):
        message = f"a name holds a NUL, half a character, or more than {MAX_TEXT_BYTES} bytes"
        raise InputError(message, code="bad_text")


def insert_new(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> list[Any]:
    """Insert the rows whose key is not there yet; the first column of those keys.

    In the order of the keys, so that two writers of the same rows never wait for each other.
    """
    keys = [column.name for column in table.primary_key]
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(table).on_conflict_do_nothing().returning(table.c[keys[0]])
    ordered = sorted(rows, key=lambda row: tuple(row[key] for key in keys))
    return [key for chunk in chunks(ordered) for key in connection.execute(statement, chunk).scalars()]


def chunks(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))

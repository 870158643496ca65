"""Errors of the database, told in the library's own: a code that a client can act on, and no SQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from interactions.errors import InputError, OracleError

MESSAGES = {
    "storage_busy": "the database is busy: try again",
    "storage_full": "the database has no room left",
    "storage_unavailable": "the database cannot be reached",
}
# primary result codes of SQLite: https://www.sqlite.org/rescode.html
SQLITE_CODES = {
    5: "storage_busy",
    6: "storage_busy",
    8: "storage_unavailable",  # read-only
    10: "storage_unavailable",  # input or output failed
    13: "storage_full",
    14: "storage_unavailable",  # cannot open
    26: "storage_unavailable",  # not a database
}
# SQLSTATE by prefix, longest first: https://www.postgresql.org/docs/current/errcodes-appendix.html
SQLSTATES = {
    "53100": "storage_full",
    "40": "storage_busy",  # serialisation failure, deadlock
    "55P03": "storage_busy",  # lock not available
    "57014": "storage_busy",  # statement timeout
    "53": "storage_unavailable",
    "57": "storage_unavailable",  # shutting down, starting up
    "08": "storage_unavailable",
    "28": "storage_unavailable",  # refused
    "3D": "storage_unavailable",  # no such database
}


class StorageError(OracleError):
    """The database cannot answer: ``storage_busy``, ``storage_full`` or ``storage_unavailable``."""

    code = "storage_unavailable"
    stage = "store"


def code_of(error: DBAPIError) -> str | None:
    """The code of a failure of the database; None for one of the program."""
    primary = getattr(error.orig, "sqlite_errorcode", None)
    if primary is not None:
        return SQLITE_CODES.get(primary & 0xFF)
    state = getattr(error.orig, "sqlstate", None)
    if state is None:
        return "storage_unavailable" if _lost(error) else None
    return next((code for prefix, code in SQLSTATES.items() if state.startswith(prefix)), None)


def _lost(error: DBAPIError) -> bool:
    """psycopg tells no SQLSTATE where the connection itself failed."""
    return error.connection_invalidated or type(error.orig).__name__ in ("OperationalError", "ConnectionTimeout")


@contextmanager
def translated() -> Iterator[None]:
    """Raise StorageError or InputError instead of the driver's errors."""
    try:
        yield
    except PoolTimeout as error:
        raise StorageError(MESSAGES["storage_busy"], code="storage_busy") from error
    except IntegrityError as error:
        raise InputError("the record belongs to one that is not kept", code="unknown_reference") from error
    except DBAPIError as error:
        code = code_of(error)
        if code is None:
            raise
        raise StorageError(MESSAGES[code], code=code) from error

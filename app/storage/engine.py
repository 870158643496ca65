"""The database by its path or URL, and transactions on it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from app.storage.errors import MESSAGES, StorageError, translated
from interactions.errors import InputError

WAIT = 30.0  # s, for a lock or a connection
POOL_SIZE = 8
DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "sqlite+pysqlite": "sqlite+pysqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


@dataclass(frozen=True)
class Database:
    """An engine; ``wait`` (s) bounds how long a transaction waits for its turn.

    Writers of one process queue at ``turn``: SQLite's own waiting polls, and starves some of many threads.
    """

    engine: Engine
    wait: float = WAIT
    turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with translated(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Committed to disk when the block ends without an error; else nothing of it stands."""
        with (
            translated(),
            self._queued(),
            self.engine.connect() as connection,
            connection.execution_options(writes=True).begin(),
        ):
            yield connection

    @contextmanager
    def _queued(self) -> Iterator[None]:
        if not self.is_sqlite:
            yield
            return
        if not self.turn.acquire(timeout=self.wait):
            raise StorageError(MESSAGES["storage_busy"], code="storage_busy")
        try:
            yield
        finally:
            self.turn.release()


def database_url(database: str) -> URL:
    """The URL of a path, of ``:memory:``, or of a sqlite or postgresql URL.

    Raises InputError (``bad_database``) for another kind of URL, whose text (it may hold a password) is not repeated.
    """
    if "://" not in database:
        return URL.create("sqlite+pysqlite", database=database)
    try:
        url = make_url(database)
    except (ArgumentError, ValueError) as error:
        raise InputError("the database is neither a path nor a URL", code="bad_database") from error
    if url.drivername not in DRIVERS:
        known = ", ".join(sorted(DRIVERS))
        raise InputError(f"unknown kind of database {url.drivername!r}; known: {known}", code="bad_database")
    return url.set(drivername=DRIVERS[url.drivername])


def open_database(database: str, wait: float = WAIT) -> Database:
    """An engine for ``database_url``; nothing is connected yet."""
    url = database_url(database)
    if url.get_backend_name() == "sqlite":
        return Database(_sqlite(url, wait), wait)
    return Database(_postgres(url, wait), wait)


def _sqlite(url: URL, wait: float) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    # a database in memory lives in its one connection, which all threads take turns with
    size = {"pool_size": 1, "max_overflow": 0} if in_memory else {"pool_size": POOL_SIZE, "max_overflow": POOL_SIZE}
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_timeout=wait,
        connect_args={"check_same_thread": False, "timeout": wait},
        **size,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin below, not where the driver guesses
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # a writer locks before it reads: a lock upgraded later fails at once, however long one would wait
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgres(url: URL, wait: float) -> Engine:
    limits = f"-c lock_timeout={int(wait * 1000)} -c statement_timeout={int(2 * wait * 1000)}"
    try:
        return create_engine(
            url,
            pool_size=POOL_SIZE,
            max_overflow=POOL_SIZE,
            pool_timeout=wait,
            pool_pre_ping=True,  # a restarted server leaves dead connections behind
            connect_args={"options": limits, "connect_timeout": max(2, int(wait))},
        )
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise InputError("PostgreSQL needs the extra 'postgres'", code="bad_database") from error

"""Bring a database to the newest schema, also when several processes start at once."""

from __future__ import annotations

import threading

from sqlalchemy import Connection, text

from app.storage.engine import Database
from app.storage.errors import StorageError

ADVISORY_LOCK = 0x6D697369  # any number of our own; PostgreSQL's locks of this kind have no names
_one_at_a_time = threading.Lock()  # Alembic keeps its context in module globals


def migrate(database: Database) -> None:
    """All migrations in one transaction: a process that dies half-way leaves the old schema.

    Raises StorageError (``schema_unknown``) where a newer release has been at the database.
    """
    with _one_at_a_time, database.write() as connection:
        upgrade(connection)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Apply the migrations up to a revision, inside the transaction of the connection, one process at a time."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    if connection.dialect.name == "postgresql":  # a writer of SQLite is alone anyway
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
    config = Config()
    config.set_main_option("script_location", "app.storage:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise StorageError(
            "the database has a schema that this release does not know; use a newer release",
            code="schema_unknown",
        ) from error

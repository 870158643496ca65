"""Alembic runs this file: migrate on the connection and in the transaction of the caller."""

from __future__ import annotations

from alembic import context

from app.storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()

"""The items of jobs, each with the record that came of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "job_items",
        sa.Column("job", sa.Text, sa.ForeignKey("jobs.id", name="job_items_job"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary),
    )

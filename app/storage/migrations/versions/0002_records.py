"""Label sets, questions, runs with their scores, and jobs; selectors belong to a structure."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _structures()
    _labels()
    _questions()
    _jobs()


def _structures() -> None:
    # before migrations an id was declared without NOT NULL, which SQLite then does not imply
    with op.batch_alter_table("structures") as batch:
        batch.alter_column("id", existing_type=sa.Text, nullable=False)
    with op.batch_alter_table("selectors") as batch:
        batch.create_foreign_key("selectors_structure", "structures", ["id"], ["id"])


def _labels() -> None:
    op.create_table(
        "labels",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("structure", sa.Text, sa.ForeignKey("structures.id", name="labels_structure"), nullable=False),
        sa.Column("ligand", sa.Text, nullable=False),
        sa.Column("criteria", sa.Text, nullable=False),
        sa.Column("hydrogens", sa.Text, nullable=False),
        sa.Column("view", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("labels_by_structure", "labels", ["structure", "version"])


def _questions() -> None:
    op.create_table(
        "questions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("complex", sa.Text, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "scores",
        sa.Column("run", sa.Text, sa.ForeignKey("runs.id", name="scores_run"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )


def _jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer),
        sa.Column("result", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text),
        sa.Column("lease", sa.Float),
        sa.Column("seen", sa.Float),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "created"])

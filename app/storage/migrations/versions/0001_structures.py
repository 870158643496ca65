"""Structures and ligand selectors, as the service kept them before it had migrations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "structures",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("receptor", sa.LargeBinary, nullable=False),
        sa.Column("receptor_name", sa.Text, nullable=False),
        sa.Column("ligand", sa.LargeBinary),
        sa.Column("ligand_name", sa.Text),
        if_not_exists=True,
    )
    op.create_table(
        "selectors",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("selector", sa.Text, primary_key=True),
        if_not_exists=True,
    )

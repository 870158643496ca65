"""The tables as the newest migration leaves them. A change here needs a file in ``migrations/versions``."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, Table, Text

METADATA = MetaData()

STRUCTURES = Table(
    "structures",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("receptor", LargeBinary, nullable=False),
    Column("receptor_name", Text, nullable=False),
    Column("ligand", LargeBinary),
    Column("ligand_name", Text),
)

SELECTORS = Table(
    "selectors",
    METADATA,
    Column("id", Text, ForeignKey("structures.id", name="selectors_structure"), primary_key=True),
    Column("selector", Text, primary_key=True),
)

LABELS = Table(
    "labels",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("structure", Text, ForeignKey("structures.id", name="labels_structure"), nullable=False),
    Column("ligand", Text, nullable=False),
    Column("criteria", Text, nullable=False),
    Column("hydrogens", Text, nullable=False),
    Column("view", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("labels_by_structure", "structure", "version"),
)

QUESTIONS = Table(
    "questions",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("complex", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("record", LargeBinary, nullable=False),
)

SCORES = Table(
    "scores",
    METADATA,
    Column("run", Text, ForeignKey("runs.id", name="scores_run"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("question", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
)

JOB_ITEMS = Table(
    "job_items",
    METADATA,
    Column("job", Text, ForeignKey("jobs.id", name="job_items_job"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    Column("record", LargeBinary),
)

JOBS = Table(
    "jobs",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("parameters", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer),
    Column("result", Text),
    Column("error", Text),
    Column("attempts", Integer, nullable=False),
    Column("worker", Text),
    Column("lease", Float),  # s that the worker may be silent
    Column("seen", Float),  # when it last spoke, in s since 1970
    Column("created", Float, nullable=False),
    Index("jobs_by_state", "state", "created"),
)

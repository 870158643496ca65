"""The rows that the paper prints, each average recomputed from its own columns beside the printed one."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from interactions.questions.columns import average

TOLERANCE = 0.02  # percent: columns and average are rounded to two decimals
TABLES = ("composite", "exact")

Row = dict[str, Any]


def published_rows(table: str) -> list[Row]:
    """Rows of one of TABLES: ``average`` is recomputed, ``printed_average`` the paper's, ``note`` where they differ."""
    data = tomllib.loads((files("interactions.questions") / "published.toml").read_text("utf-8"))
    return [_row(row, data["source"]) for row in data[table]]


def _row(row: Row, source: str) -> Row:
    mean, printed = average(row["columns"]), row["average"]
    follows = mean is None or abs(mean - printed) <= TOLERANCE
    return {
        "system": row["system"],
        "source": source,
        "subset": row["subset"],
        "average": mean,
        "printed_average": printed,
        "columns": row["columns"],
        "note": "" if follows else "the printed average does not follow from the printed columns",
    }

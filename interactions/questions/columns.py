"""The columns of the paper's table, and its average."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactions.errors import InputError, UnknownName

COLUMNS = ("T1", "T2", "T3", "T4+", "T4-", "T5", "T6", "T7", "T8", "T9")
# the paper leaves T5 and T6 out: nearly all models guess there
AVERAGED = ("T1", "T2", "T3", "T4+", "T4-", "T7", "T8", "T9")
COLUMN_OF = {
    "translation": "T1",
    "rotation": "T2",
    "zooming": "T3",
    "translation_rotation": "T5",
    "rotation_rotation": "T6",
    "docking": "T7",
    "interaction_location": "T8",
    "pocket_ligand": "T9",
}


def average(columns: Mapping[str, float | None]) -> float | None:
    """The unweighted mean over AVERAGED; None where one of them has no value."""
    values = [columns.get(name) for name in AVERAGED]
    present = [value for value in values if value is not None]
    return sum(present) / len(AVERAGED) if len(present) == len(AVERAGED) else None


def column_of(record: Mapping[str, Any]) -> str:
    """The column that a score record counts in: T4 is split by whether its truth has bonds.

    Raises UnknownName for a kind that is not there, InputError for a T4 record without ``truth_sizes``.
    """
    kind = record["kind"]
    if kind != "residue_ligand":
        if kind not in COLUMN_OF:
            raise UnknownName("question kind", str(kind), [*COLUMN_OF, "residue_ligand"])
        return COLUMN_OF[kind]
    sizes = record.get("truth_sizes") or {}
    if "bonds" not in sizes:
        raise InputError(f"record {record.get('id')!r}: truth_sizes lacks the number of bonds", code="bad_record")
    return "T4+" if sizes["bonds"] else "T4-"

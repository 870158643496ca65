"""From score records to the paper's table: measured, floor and published rows, intervals and breakdowns.

A record is a score line: the verify reply with ``id``, ``kind``, ``complex`` and ``truth_sizes`` (as
``scoring.truth_sizes`` gives them). An answer that was not read counts as 0. Numbers of a report are percent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactions.errors import InputError
from interactions.questions.answers import Answer, Bonds
from interactions.questions.bootstrap import Floats, indexed, interval, resampled_means
from interactions.questions.chance import GRIDS, floor
from interactions.questions.columns import AVERAGED, COLUMN_OF, COLUMNS, average, column_of
from interactions.questions.published import published_rows

Record = Mapping[str, Any]
Report = dict[str, Any]
Row = dict[str, Any]

TITLES = {"misi": "Composite", "exact": "Exact match", "f1": "F1 (bonds) and exact match"}
# what a column is broken down by: (column, size, title, unit)
BREAKDOWNS = (
    ("T1", "distance", "distance", "Å"),
    ("T2", "angle", "angle", "°"),
    ("T3", "distance", "zoom depth", "Å"),
    ("T4+", "bonds", "number of bonds", ""),
    ("T7", "angle", "angle", "°"),
    ("T7", "distance", "distance", "Å"),
    ("T9", "bonds", "number of bonds", ""),
)


@dataclass(frozen=True)
class Truths:
    """The truths of the questions by kind, for the floor rows; ``candidates`` counts candidate pairs for each."""

    answers: Mapping[str, Sequence[Answer]]
    candidates: Mapping[str, Sequence[int]]


def build(
    records: Sequence[Record],
    *,
    system: str = "measured",
    truths: Truths | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Report:
    """The report on the answers of one system; the same for any order of the records.

    Without ``truths`` the floor rows hold only what the benchmark's ranges fix. Raises InputError for records that
    are incomplete, of several metrics or modes, or none.
    """
    used = sorted((record for record in records if _is_usable(record)), key=lambda record: str(record.get("id")))
    if not used:
        raise InputError("no score record that can be used", code="no_records")
    metric, mode = _one(used, "metric"), _one(used, "mode")
    columns = [column_of(record) for record in used]
    tables = [
        _table(metric, used, columns, [float(record["score"]) for record in used], truths, (resamples, seed)),
        _table("exact", used, columns, [float(record["exact"]) for record in used], truths, (resamples, seed)),
    ]
    return {
        "system": system,
        "metric": metric,
        "mode": mode,
        "records": len(used),
        "left_out": len(records) - len(used),
        "not_read": sum(not record["format_ok"] for record in used),
        "counts": {name: columns.count(name) for name in COLUMNS},
        "columns": list(COLUMNS),
        "averaged": list(AVERAGED),
        "resamples": resamples,
        "seed": seed,
        "tables": tables[: 1 if metric == "exact" else 2],
        "breakdowns": [part for by in BREAKDOWNS if (part := _breakdown(by, used, columns))["bins"]],
        "notes": _notes(),
    }


def _is_usable(record: Record) -> bool:
    missing = [name for name in ("kind", "score", "exact", "format_ok", "metric", "mode") if name not in record]
    if missing:
        raise InputError(f"record {record.get('id')!r} lacks {', '.join(missing)}", code="bad_record")
    return record["score"] is not None


def _one(records: Sequence[Record], name: str) -> str:
    found = sorted({str(record[name]) for record in records})
    if len(found) > 1:
        raise InputError(f"records of several {name}s in one report: {', '.join(found)}", code="mixed_records")
    return found[0]


def _table(
    metric: str,
    records: Sequence[Record],
    columns: Sequence[str],
    scores: Sequence[float],
    truths: Truths | None,
    sampling: tuple[int, int],
) -> Row:
    published = published_rows("exact" if metric == "exact" else "composite") if metric != "f1" else []
    rows = [_measured(records, columns, np.array(scores), sampling), *_floor_rows(metric, truths), *published]
    return {"metric": metric, "title": TITLES[metric], "rows": [_rounded(row) for row in rows]}


def _measured(records: Sequence[Record], columns: Sequence[str], scores: Floats, sampling: tuple[int, int]) -> Row:
    names, groups = indexed(columns)
    clusters = indexed([str(record.get("complex") or record.get("id")) for record in records])[1]
    resamples, seed = sampling
    drawn = 100 * resampled_means(scores, groups, clusters, resamples=resamples, seed=seed)
    means = {name: 100 * float(scores[groups == place].mean()) for place, name in enumerate(names)}
    intervals = {name: interval(drawn[:, place]) for place, name in enumerate(names)}
    if set(AVERAGED) <= set(names):
        intervals["average"] = interval(drawn[:, [names.index(name) for name in AVERAGED]].mean(axis=1))
    return _row("measured", "measured", means) | {"intervals": intervals}


def _row(system: str, source: str, columns: Mapping[str, float | None], note: str = "") -> Row:
    values = {name: columns[name] for name in COLUMNS if columns.get(name) is not None}
    return {"system": system, "source": source, "average": average(columns), "columns": values, "note": note}


def _floor_rows(metric: str, truths: Truths | None) -> list[Row]:
    """Random answers, and the best constant answer of each column; for T4 that is ``No`` for both halves."""
    drawn: dict[str, float | None] = {}
    constant: dict[str, float | None] = {"T4+": 0.0, "T4-": 100.0}
    spelled = ["T4 No"]
    for name, kind, some, pairs in _floor_parts(truths):
        found = floor(kind, metric, some, pairs)
        drawn[name] = None if found.random is None else 100 * float(found.random)
        if kind != "residue_ligand":
            constant[name] = 100 * float(found.constant)
            spelled.append(f"{name} {found.answer}")
    return [
        _row("random answers", "floor", drawn),
        _row("best constant answer", "floor", constant, "; ".join(spelled)),
    ]


FloorPart = tuple[str, str, Sequence[Answer] | None, Sequence[int] | None]


def _floor_parts(truths: Truths | None) -> list[FloorPart]:
    """Column, kind, truths and candidates of what the floor can be computed for."""
    answers = truths.answers if truths else {}
    candidates = truths.candidates if truths else {}
    parts: list[FloorPart] = [
        (name, kind, answers.get(kind) or None, candidates.get(kind))
        for kind, name in COLUMN_OF.items()
        if kind in GRIDS or answers.get(kind)
    ]
    halves: dict[str, list[int]] = {"T4+": [], "T4-": []}
    residues = answers.get("residue_ligand", ())
    for index, truth in enumerate(residues):
        halves["T4+" if isinstance(truth, Bonds) and truth.bonds else "T4-"].append(index)
    pairs = candidates.get("residue_ligand")
    for name, half in halves.items():
        if half:
            counts = [pairs[index] for index in half] if pairs is not None else None
            parts.append((name, "residue_ligand", [residues[index] for index in half], counts))
    return parts


def _breakdown(by: tuple[str, str, str, str], records: Sequence[Record], columns: Sequence[str]) -> Row:
    column, size, title, unit = by
    bins: dict[float, list[Record]] = {}
    for record, name in zip(records, columns, strict=True):
        sizes = record.get("truth_sizes") or {}
        if name == column and size in sizes:
            bins.setdefault(float(sizes[size]), []).append(record)
    return {
        "column": column,
        "by": title,
        "unit": unit,
        "bins": [_bin(value, bins[value]) for value in sorted(bins)],
    }


def _bin(value: float, records: Sequence[Record]) -> Row:
    count = len(records)
    return {
        "value": int(value) if value.is_integer() else value,
        "count": count,
        "score": round(100 * sum(float(record["score"]) for record in records) / count, 2),
        "exact": round(100 * sum(bool(record["exact"]) for record in records) / count, 2),
    }


def _rounded(row: Row) -> Row:
    rounded = row | {"average": _two(row["average"])}
    rounded["columns"] = {name: _two(value) for name, value in row["columns"].items()}
    if "intervals" in row:
        rounded["intervals"] = {
            name: ends and [round(end, 2) for end in ends] for name, ends in row["intervals"].items()
        }
    return rounded


def _two(value: float | None) -> float | None:
    return None if value is None else round(value + 1e-9, 2)  # averages of printed numbers often end in 5


def _notes() -> list[str]:
    odd = [row for table in ("composite", "exact") for row in published_rows(table) if row["note"]]
    return [
        f"The average is the mean over {', '.join(AVERAGED)}. Answers that were not read count as 0.",
        "Intervals: 95 %, bootstrap over complexes.",
        *(
            f"{row['system']}: the printed average {row['printed_average']:.2f} does not follow from the printed "
            f"columns, which give {row['average']:.3f}."
            for row in odd
        ),
    ]

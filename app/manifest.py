"""A list of complexes as a table: which files, which ligand, which split."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.asking import Source
from app.bulk import Task, Usage

SUFFIXES = (".csv", ".parquet")
NEEDED = ("id", "receptor")
COLUMNS = (*NEEDED, "ligand", "selector", "split")
Row = dict[str, Any]


def read_manifest(path: Path, criteria: str) -> list[Source]:
    """The complexes of a CSV or Parquet table with the columns id and receptor, and where needed ligand (a file),
    selector and split; paths as seen from its folder.

    Raises Usage that names row and column. A file that is missing or broken is that complex's failure, later.
    """
    columns, rows = _parquet(path) if path.suffix == ".parquet" else _csv(path)
    for name in NEEDED:
        if name not in columns:
            raise Usage(f"{path.name}: no column {name!r}; known columns: {', '.join(COLUMNS)}")
    unknown = [name for name in columns if name not in COLUMNS]
    if unknown:
        raise Usage(f"{path.name}: unknown columns {', '.join(map(repr, unknown))}; known: {', '.join(COLUMNS)}")
    return list(_sources(path, rows, criteria))


def _sources(path: Path, rows: list[Row], criteria: str) -> Iterator[Source]:
    lines: dict[str, int] = {}
    for number, raw in enumerate(rows, 1):
        row = {name: raw.get(name) or None for name in COLUMNS}
        for name, value in row.items():
            if value is None and name in NEEDED:
                raise Usage(f"{path.name}: row {number}: no {name}")
            if value is not None and not isinstance(value, str):
                raise Usage(f"{path.name}: row {number}: {name} is {value!r}, a text was expected")
        if lines.setdefault(row["id"], number) != number:
            raise Usage(f"{path.name}: row {number}: the id {row['id']!r} stands in row {lines[row['id']]} as well")
        receptor, ligand = (None if row[name] is None else path.parent / row[name] for name in ("receptor", "ligand"))
        yield Source(row["id"], Task(row["id"], receptor, ligand, criteria), row["selector"], row["split"])


def _csv(path: Path) -> tuple[list[str], list[Row]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text), strict=True)
        rows = list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise Usage(f"{path.name}: not a CSV table in UTF-8: {error}") from error
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise Usage(f"{path.name}: row {number}: {len(reader.fieldnames or [])} cells were expected")
    return list(reader.fieldnames or []), rows


def _parquet(path: Path) -> tuple[list[str], list[Row]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except pa.ArrowInvalid as error:
        raise Usage(f"{path.name}: not a Parquet table: {error}") from error
    return table.column_names, table.to_pylist()

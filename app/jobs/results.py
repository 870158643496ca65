"""The result of a job, page by page, as lines of JSON or as one Parquet file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from app.jobs import KINDS
from app.sealing import Sealer
from app.storage import Job, Store
from interactions.errors import InputError

Record = dict[str, Any]

PAGE = 200  # items


def pages(store: Store, job: Job) -> Iterator[bytes]:
    """Lines of many items at a time, in order."""
    after = -1
    while items := store.records(job.id, after, PAGE):
        yield b"".join(item.body for item in items)
        after = items[-1].position


def json_lines(store: Store, job: Job, sealer: Sealer, reveal: bool) -> Iterator[bytes]:
    for page in pages(store, job):
        yield page if reveal else b"".join(orjson.dumps(one) + b"\n" for one in _records(page, job, sealer, reveal))


def _records(page: bytes, job: Job, sealer: Sealer, reveal: bool) -> list[Record]:
    found = [orjson.loads(line) for line in page.splitlines()]
    return found if reveal else [KINDS[job.kind].shown(one, sealer) for one in found]


def parquet_file(store: Store, job: Job, sealer: Sealer, reveal: bool) -> Path:
    """A temporary file, which the caller removes. Raises InputError (``no_table``) for labels by all criteria."""
    if job.parameters.get("criteria") == "all":
        raise InputError("labels by all criteria make no table: ask for jsonl", code="no_table")
    import pyarrow.parquet as pq

    from app.datasets.tables import label_table, text_table

    with tempfile.NamedTemporaryFile(prefix="misi-oracle-", suffix=".parquet", delete=False) as stream:
        path = Path(stream.name)
    columns = KINDS[job.kind].columns
    table_of = partial(text_table, names=columns) if columns else label_table
    with pq.ParquetWriter(path, table_of([]).schema, compression="zstd") as writer:
        for page in pages(store, job):
            writer.write_table(table_of(_records(page, job, sealer, reveal)))
    return path

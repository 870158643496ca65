"""A few questions of each kind, as a configuration of its own."""

from __future__ import annotations

from hashlib import sha256
from heapq import nsmallest
from pathlib import Path
from typing import Any

from app.datasets.schema import TINY
from app.datasets.splits import SPLITS
from app.datasets.tables import write_table
from interactions.questions import QUESTIONS

Record = dict[str, Any]

EACH = 50  # questions of a kind, fewer where there are no more


def write_tiny(out: Path) -> tuple[int, dict[str, str]]:
    """How many there are, and its files with their digests. Questions are chosen by a digest of their ids."""
    chosen = sorted(_chosen(out), key=lambda row: (row["split"], row["id"], row["kind"], row["question"]))
    digests = {}
    for split in SPLITS:
        rows = [row for row in chosen if row["split"] == split]
        if not rows:
            continue
        (out / "data" / TINY).mkdir(parents=True, exist_ok=True)
        (out / "jsonl" / TINY).mkdir(parents=True, exist_ok=True)
        place = out / "data" / TINY / f"{split}-00000-of-00001.parquet"
        write_table(TINY, rows, place)
        twin = out / "jsonl" / TINY / f"{place.stem}.jsonl"
        place.with_suffix(".jsonl").replace(twin)
        digests |= {one.relative_to(out).as_posix(): sha256(one.read_bytes()).hexdigest() for one in (place, twin)}
    return len(chosen), digests


def _chosen(out: Path) -> list[Record]:
    import pyarrow.parquet as pq

    best: dict[str, list[Record]] = {kind: [] for kind in QUESTIONS}
    for path in sorted((out / "data" / "questions").glob("*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches():
            for row in batch.to_pylist():
                best[row["kind"]].append(row)
            best = {kind: nsmallest(EACH, rows, key=_order) for kind, rows in best.items()}
    return [row for rows in best.values() for row in rows]


def _order(row: Record) -> bytes:
    return sha256(row["question"].encode()).digest()

"""Calls a second of the store, one thread and eight, on a new SQLite file or the (empty) database that is named.

``python benchmarks/storage_cost.py [DATABASE]``. Every write is synced to disk before it counts.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from app.example import FOLDER, example_upload
from app.storage import LabelKey, Question, SQLStore, Upload, open_store

COUNT = 800
_numbers = count()


def rate(call: Callable[[int], object], threads: int) -> float:
    """Calls a second; no number comes twice, so that every write is of something new."""
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        list(pool.map(call, (next(_numbers) for _ in range(COUNT))))
        return COUNT / (time.perf_counter() - start)


def cases(store: SQLStore) -> dict[str, Callable[[int], object]]:
    upload = example_upload(FOLDER)
    store.add(upload)
    key = LabelKey(upload.id, "", "digest", "placed", "labels", "0")
    store.add_label(key, b"a label set " * 10_000)

    return {
        "add a small structure": lambda i: store.add(Upload(b"%d" % i, "x.pdb")),
        "read a structure of 280 kB": lambda _: store.get(upload.id),
        "read a label set of 120 kB": lambda _: store.label(key),
        "add a hundred questions": lambda i: store.add_questions(
            [Question(f"{i} {n}", "docking", "x", b"{}") for n in range(100)]
        ),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = sys.argv[1] if len(sys.argv) > 1 else str(Path(folder) / "cost.sqlite3")
        store = open_store(database)
        for name, call in cases(store).items():
            print(f"{name:32}", *(f"{rate(call, threads):9.0f}/s" for threads in (1, 8)))
        store.close()


if __name__ == "__main__":
    main()

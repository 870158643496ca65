"""A process that writes to a store until it is killed or done: ``storage_writer.py DATABASE NAME COUNT``.

A line on stdout acknowledges a record: its number, and 1 where it was new. A writer named ``claim`` takes jobs.
"""

from __future__ import annotations

import sys

from app.storage import LabelKey, Question, Store, Upload, open_store

SHARED = "shared"  # writers of this name all write the same


def upload_of(name: str, number: int) -> Upload:
    return Upload(f"{name} {number} ".encode() * 500, f"{name}.pdb")


def key_of(upload: Upload) -> LabelKey:
    return LabelKey(upload.id, "", "digest", "placed", "labels", "0")


def question_of(name: str, number: int) -> Question:
    return Question(f"{name}-{number}", "docking", name, b"%d" % number)


def write(store: Store, name: str, number: int) -> bool:
    upload = upload_of(name, number)
    new = store.add(upload)
    store.add_label(key_of(upload), upload.id.encode())
    store.add_questions([question_of(name, number)])
    return new


def claim(store: Store) -> None:
    while (job := store.claim_job("worker", lease=600)) is not None:
        print(job.id, 1, flush=True)


def main(database: str, name: str, count: int) -> None:
    store = open_store(database)
    if name == "claim":
        claim(store)
        return
    for number in range(count):
        new = write(store, name, number)
        print(number, int(new), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

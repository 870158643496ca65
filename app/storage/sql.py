"""The store on SQLite or PostgreSQL: one transaction a call; compression stays outside of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from app.storage import items, jobs, runs, structures
from app.storage.engine import WAIT, Database, open_database
from app.storage.migrate import migrate
from app.storage.records import Item, Job, JobState, LabelKey, Question, Run, Score, Upload
from app.storage.rows import packed, unpacked


def open_store(database: str, wait: float = WAIT) -> SQLStore:
    """The store of a path, ``:memory:`` or a URL, its schema the newest; ``wait`` (s) for locks.

    Raises InputError (``bad_database``) for another kind of URL and StorageError where it cannot be reached.
    """
    opened = open_database(database, wait)
    try:
        migrate(opened)
    except BaseException:
        opened.engine.dispose()
        raise
    return SQLStore(opened)


class SQLStore:
    """See ``Store`` for what the methods do."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, upload: Upload) -> bool:
        row = structures.upload_row(upload)
        with self.database.write() as connection:
            return structures.add(connection, upload, row)

    def get(self, identifier: str, selector: str | None = None) -> Upload | None:
        with self.database.read() as connection:
            return structures.get(connection, identifier, selector)

    def selector(self, identifier: str, selector: str | None = None) -> str | None:
        with self.database.read() as connection:
            return structures.choose_selector(connection, identifier, selector)

    def label(self, key: LabelKey) -> bytes | None:
        with self.database.read() as connection:
            kept = structures.label(connection, key)
        return None if kept is None else unpacked(kept)

    def add_label(self, key: LabelKey, body: bytes) -> bytes:
        own = packed(body)
        with self.database.write() as connection:
            kept = structures.add_label(connection, key, own)
        return body if kept is None else unpacked(kept)

    def add_questions(self, questions: Sequence[Question]) -> set[str]:
        rows = runs.question_rows(questions)
        with self.database.write() as connection:
            return runs.add_questions(connection, rows)

    def questions(self, identifiers: Sequence[str]) -> list[Question]:
        with self.database.read() as connection:
            return runs.questions(connection, identifiers)

    def add_run(self, run: Run) -> bool:
        with self.database.write() as connection:
            return runs.add_run(connection, run)

    def run(self, identifier: str) -> Run | None:
        with self.database.read() as connection:
            return runs.run(connection, identifier)

    def add_scores(self, run: str, scores: Sequence[Score]) -> int:
        rows = runs.score_rows(run, scores)
        with self.database.write() as connection:
            return runs.add_scores(connection, rows)

    def scores(self, run: str, after: int = -1, limit: int = 1000) -> list[Score]:
        with self.database.read() as connection:
            return runs.scores(connection, run, after, limit)

    def add_job(self, job: Job, bodies: Sequence[bytes] = ()) -> bool:
        own = [packed(body) for body in bodies]
        with self.database.write() as connection:
            new = jobs.add(connection, job, time.time())
            if new:
                items.add(connection, job.id, own)
        return new

    def open_items(self, job: str, limit: int) -> list[Item]:
        with self.database.read() as connection:
            return items.still_open(connection, job, limit)

    def finish_items(self, job: str, worker: str, records: Mapping[int, bytes]) -> bool:
        with self.database.write() as connection:
            if not jobs.change(connection, job, worker, {"seen": time.time()}):
                return False
            done = items.finish(connection, job, records)
            return jobs.change(connection, job, worker, {"done": done})

    def records(self, job: str, after: int = -1, limit: int = 1000) -> list[Item]:
        with self.database.read() as connection:
            return items.records(connection, job, after, limit)

    def job(self, identifier: str) -> Job | None:
        with self.database.read() as connection:
            return jobs.get(connection, identifier)

    def jobs(self, state: JobState, limit: int = 1000) -> list[Job]:
        with self.database.read() as connection:
            return jobs.listed(connection, state, limit)

    def claim_job(self, worker: str, lease: float) -> Job | None:
        with self.database.write() as connection:
            return jobs.claim(connection, worker, lease, time.time())

    def advance_job(self, identifier: str, worker: str, done: int, total: int | None = None) -> bool:
        values = {"done": done, "seen": time.time()} | ({} if total is None else {"total": total})
        with self.database.write() as connection:
            return jobs.change(connection, identifier, worker, values)

    def finish_job(
        self, identifier: str, worker: str, result: str | None = None, error: dict[str, Any] | None = None
    ) -> bool:
        with self.database.write() as connection:
            return jobs.change(connection, identifier, worker, jobs.ended(result, error))

    def release_job(self, identifier: str, worker: str) -> bool:
        with self.database.write() as connection:
            return jobs.change(connection, identifier, worker, jobs.released())

    def cancel_job(self, identifier: str) -> bool:
        with self.database.write() as connection:
            return jobs.cancel(connection, identifier)

    def close(self) -> None:
        self.database.engine.dispose()

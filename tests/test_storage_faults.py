"""Faults of storage: killed writers, many at once, locks, a full disk, a server that restarts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

import pytest
from databases import TIMEOUT, Postgres
from sqlalchemy import event, text
from storage_writer import SHARED, key_of, question_of, upload_of, write

from app.storage import Job, SQLStore, StorageError, Upload, jobs, open_store
from app.storage.engine import open_database
from app.storage.migrate import upgrade

ROOT = Path(__file__).parent.parent
ENDLESS = 1_000_000
PAUSE = 0.3  # s, for a thread to come to its lock


@contextmanager
def writer(database: str, name: str, count: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(ROOT / "tests" / "storage_writer.py"), database, name, str(count)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        yield process
    finally:
        process.kill()
        process.wait(TIMEOUT)
        if process.stdout is not None:
            process.stdout.close()


def acknowledged(process: subprocess.Popen[str], count: int | None = None) -> list[tuple[str, str]]:
    """Number and news of the next records, of all until the end where no count is given; a cut last line is none."""
    assert process.stdout is not None
    lines = list(islice(process.stdout, count))
    return [(line.split()[0], line.split()[1]) for line in lines if line.endswith("\n")]


@contextmanager
def opened(database: str, wait: float = 30.0) -> Iterator[SQLStore]:
    store = open_store(database, wait)
    try:
        yield store
    finally:
        store.close()


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(StorageError) as caught:
        call()
    return caught.value.code


def test_killed_writers_lose_nothing_acknowledged(database: str) -> None:
    names = ("one", "two", "three")
    with ExitStack() as stack:
        processes = {name: stack.enter_context(writer(database, name, ENDLESS)) for name in names}
        seen = {name: acknowledged(process, 15) for name, process in processes.items()}
        for process in processes.values():
            process.kill()
        seen = {name: seen[name] + acknowledged(process) for name, process in processes.items()}
    with opened(database) as store:
        for name in names:
            assert [int(number) for number, _ in seen[name]] == list(range(len(seen[name])))
            for number in range(len(seen[name])):
                upload = upload_of(name, number)
                assert store.get(upload.id) == upload
                assert store.label(key_of(upload)) == upload.id.encode()
                assert store.questions([f"{name}-{number}"]) == [question_of(name, number)]
        assert write(store, "after", 0)
        if store.database.is_sqlite:
            with store.database.read() as connection:
                assert connection.scalar(text("PRAGMA integrity_check")) == "ok"


def test_processes_that_start_at_once_share_one_database(database: str) -> None:
    with writer(database, SHARED, 20) as one, writer(database, SHARED, 20) as two, writer(database, SHARED, 20) as six:
        seen = [line for process in (one, two, six) for line in acknowledged(process)]
    assert Counter(number for number, _ in seen) == {str(i): 3 for i in range(20)}
    assert Counter(number for number, new in seen if new == "1") == {str(i): 1 for i in range(20)}


def test_a_job_is_claimed_by_one_process(database: str) -> None:
    with opened(database) as store:
        for i in range(60):
            store.add_job(Job(f"j{i}", "label"))
        with writer(database, "claim", 0) as one, writer(database, "claim", 0) as two:
            claimed = acknowledged(one) + acknowledged(two)
        assert Counter(name for name, _ in claimed) == {f"j{i}": 1 for i in range(60)}


def test_a_second_process_waits_for_the_first_to_migrate(database: str) -> None:
    first = open_database(database)
    with ThreadPoolExecutor(1) as thread:
        with first.write() as connection:
            upgrade(connection)
            second = thread.submit(open_store, database)
            time.sleep(PAUSE)
        store = second.result(TIMEOUT)
    assert write(store, "second", 0)
    store.close()
    first.engine.dispose()


def test_a_job_that_is_being_claimed_is_passed_over(database: str) -> None:
    with opened(database) as one, opened(database) as two, ThreadPoolExecutor(1) as thread:
        for name in ("j1", "j2"):
            one.add_job(Job(name, "label"))
        with one.database.write() as connection:
            first = jobs.claim(connection, "w1", 60, time.time())
            second = thread.submit(two.claim_job, "w2", 60)
            time.sleep(PAUSE)
        found = second.result(TIMEOUT)
    assert first is not None
    assert found is not None
    assert (first.id, found.id) == ("j1", "j2")


def many_threads(database: str) -> None:
    with opened(database) as store, ThreadPoolExecutor(40) as threads:
        assert all(threads.map(lambda number: write(store, "thread", number), range(150)))
        found = threads.map(lambda number: store.get(upload_of("thread", number).id), range(150))
        assert list(found) == [upload_of("thread", number) for number in range(150)]


def test_many_threads_write_and_read(database: str) -> None:
    many_threads(database)


def test_many_threads_share_a_database_in_memory() -> None:
    many_threads(":memory:")


def test_a_locked_database_is_told_in_time_and_still_read(database: str) -> None:
    with opened(database) as other, opened(database, wait=0.2) as store:
        write(store, "before", 0)
        with other.database.write() as connection:
            if not other.database.is_sqlite:
                connection.execute(text("LOCK TABLE structures IN EXCLUSIVE MODE"))
            assert code_of(lambda: write(store, "locked", 0)) == "storage_busy"
            assert store.get(upload_of("before", 0).id) == upload_of("before", 0)
        assert write(store, "locked", 0)


def test_threads_that_wait_for_their_turn_are_told_in_time() -> None:
    with opened(":memory:", wait=0.2) as store, ThreadPoolExecutor(1) as thread, store.database.write():
        assert code_of(lambda: thread.submit(write, store, "locked", 0).result(TIMEOUT)) == "storage_busy"


def test_a_full_database_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path = str(tmp_path / "full.sqlite3")
    with opened(path) as store:
        write(store, "before", 0)
        limit = _limit_pages(store, 60)
        kept: list[Upload] = []
        assert code_of(lambda: _fill(store, kept)) == "storage_full"
        assert kept
        assert [store.get(upload.id) for upload in kept] == kept
        limit["pages"] = 10_000
        assert write(store, "after", 0)
    with opened(path) as store:
        assert [store.get(upload.id) for upload in kept] == kept


def test_a_full_disk_loses_nothing_acknowledged(small_disk: Path) -> None:
    path = str(small_disk / "full.sqlite3")
    kept: list[Upload] = []
    with opened(path) as store:
        assert code_of(lambda: _fill(store, kept)) == "storage_full"
        assert len(kept) > 10
        assert [store.get(upload.id) for upload in kept] == kept
        (small_disk / "ballast").unlink()
        assert write(store, "after", 0)
    with opened(path) as store:
        assert [store.get(upload.id) for upload in kept] == kept


def _fill(store: SQLStore, kept: list[Upload]) -> None:
    for number in range(ENDLESS):
        upload = Upload(os.urandom(20_000), f"{number}.pdb")
        store.add(upload)
        kept.append(upload)


def _limit_pages(store: SQLStore, pages: int) -> dict[str, int]:
    """A full disk without one: SQLite reports the same when a database may grow no further."""
    limit = {"pages": pages}

    @event.listens_for(store.database.engine, "checkout")
    def checkout(connection: object, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {limit['pages']}").fetchall()  # type: ignore[attr-defined]

    return limit


def test_postgresql_restarts(postgres: Postgres) -> None:
    with opened(postgres.new_database(), wait=2) as store:
        write(store, "before", 0)
        postgres.control("restart")
        assert store.get(upload_of("before", 0).id) == upload_of("before", 0)
        postgres.control("stop", "-m", "immediate")
        try:
            assert code_of(lambda: write(store, "down", 0)) == "storage_unavailable"
            assert code_of(lambda: store.get("x")) == "storage_unavailable"
        finally:
            postgres.control("start")
        assert store.get(upload_of("before", 0).id) == upload_of("before", 0)
        assert write(store, "after", 0)


def test_postgresql_dies_in_the_middle_of_a_write(postgres: Postgres) -> None:
    with opened(postgres.new_database(), wait=2) as store:

        def interrupted() -> None:
            with store.database.write() as connection:
                connection.execute(text("INSERT INTO runs VALUES ('half', '')"))
                postgres.control("restart", "-m", "immediate")
                connection.execute(text("SELECT 1"))

        assert code_of(interrupted) == "storage_unavailable"
        assert store.run("half") is None

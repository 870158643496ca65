"""What a store keeps, on SQLite and on PostgreSQL alike; its schema and its migrations."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from app.storage import Item, Job, LabelKey, Question, Run, Score, SQLStore, StorageError, Upload, open_store
from app.storage.engine import database_url, open_database
from app.storage.structures import MAX_LABELS
from app.storage.tables import METADATA
from interactions.errors import InputError, LigandError

UPLOAD = Upload(b"ATOM of a receptor\n" * 1000, "r.pdb", b"ATOM of a ligand", "l.mol2")
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # sha256 of "abc", FIPS 180-2
QUESTION = Question("q1", "translation", "5ey0", b'{"id":"q1","answer":"move x 3"}')
JOB = Job("j1", "label", {"ids": ["5ey0"], "criteria": "chimerax"}, total=4)
OLD_SCHEMA = (
    "CREATE TABLE structures (id TEXT PRIMARY KEY, receptor BLOB NOT NULL,"
    " receptor_name TEXT NOT NULL, ligand BLOB, ligand_name TEXT)",
    "CREATE TABLE selectors (id TEXT NOT NULL, selector TEXT NOT NULL, PRIMARY KEY (id, selector)) WITHOUT ROWID",
)


@pytest.fixture
def store(database: str) -> Iterator[SQLStore]:
    opened = open_store(database)
    yield opened
    opened.close()


def key_of(upload: Upload, view: str = "labels") -> LabelKey:
    return LabelKey(upload.id, upload.selector or "", "digest", "placed", view, "0.1.0")


def test_a_structure_is_addressed_by_its_bytes(store: SQLStore) -> None:
    assert Upload(b"a", "x.pdb", b"bc", "y.sdf").id == ABC
    assert (store.add(UPLOAD), store.add(UPLOAD)) == (True, False)
    assert store.get(UPLOAD.id) == UPLOAD
    assert store.get(ABC) is None
    assert store.selector(ABC) is None


def test_a_structure_is_kept_compressed(store: SQLStore) -> None:
    store.add(UPLOAD)
    with store.database.read() as connection:
        size = connection.scalar(text("SELECT length(receptor) FROM structures"))
    assert size < len(UPLOAD.receptor) / 10


def test_one_structure_with_several_selectors(store: SQLStore) -> None:
    assert [store.add(replace(UPLOAD, selector=s)) for s in ("BTN:B", "BTN:A", "BTN:B")] == [True, False, False]
    with pytest.raises(LigandError, match="BTN:A, BTN:B") as caught:
        store.get(UPLOAD.id)
    assert caught.value.code == "ambiguous_ligand"
    chosen = store.get(UPLOAD.id, "BTN:A")
    assert chosen is not None
    assert (chosen.selector, store.selector(UPLOAD.id, "BTN:A")) == ("BTN:A", "BTN:A")


def test_the_same_bytes_divided_otherwise_are_refused(store: SQLStore) -> None:
    store.add(Upload(b"a", "x.pdb", b"bc", "y.sdf"))
    with pytest.raises(InputError) as caught:
        store.add(Upload(b"abc", "x.pdb"))
    assert caught.value.code == "ambiguous_id"
    assert store.get(ABC) == Upload(b"a", "x.pdb", b"bc", "y.sdf")


@pytest.mark.parametrize("name", ["a\0b", "é" * 1001])
def test_text_that_not_every_database_keeps_is_refused(store: SQLStore, name: str) -> None:
    for call in (lambda: store.add(replace(UPLOAD, selector=name)), lambda: store.get(name)):
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.code == "bad_text"


def test_the_first_label_stands(store: SQLStore) -> None:
    store.add(UPLOAD)
    key = key_of(UPLOAD)
    assert store.label(key) is None
    assert [store.add_label(key, body) for body in (b"first", b"second")] == [b"first", b"first"]
    assert store.label(key) == b"first"
    for other in ("structure", "ligand", "criteria", "hydrogens", "view", "version"):
        assert store.label(replace(key, **{other: "other"})) is None


def test_a_label_needs_its_structure(store: SQLStore) -> None:
    with pytest.raises(InputError) as caught:
        store.add_label(key_of(UPLOAD), b"body")
    assert caught.value.code == "unknown_reference"


def test_views_of_one_structure_do_not_fill_the_disk(store: SQLStore) -> None:
    store.add(UPLOAD)
    for i in range(MAX_LABELS + 3):
        assert store.add_label(key_of(UPLOAD, str(i)), b"%d" % i) == b"%d" % i
    kept = [store.label(key_of(UPLOAD, str(i))) is not None for i in range(MAX_LABELS + 3)]
    assert kept == [True] * MAX_LABELS + [False] * 3


def test_questions_are_kept_all_or_none(store: SQLStore) -> None:
    many = [replace(QUESTION, id=f"q{i}") for i in range(1200)]
    names = [one.id for one in many]
    assert [len(store.add_questions(some)) for some in (many[:700], many, many)] == [700, 500, 0]
    assert sorted(store.questions([*names, "nowhere", "a\0b"]), key=lambda one: names.index(one.id)) == many
    with pytest.raises(InputError):
        store.add_questions([replace(QUESTION, id="new"), replace(QUESTION, id="a\0b")])
    assert store.questions(["new"]) == []


def test_a_known_question_keeps_its_content(store: SQLStore) -> None:
    forged = replace(QUESTION, record=b'{"id":"q1","answer":"move x 4"}')
    assert store.add_questions([QUESTION, forged]) == {QUESTION.id}
    assert store.add_questions([forged]) == set()
    assert store.questions([QUESTION.id]) == [QUESTION]


def test_runs_and_scores(store: SQLStore) -> None:
    assert (store.add_run(Run("r", b"{}")), store.add_run(Run("r", b"other"))) == (True, False)
    assert (store.run("r"), store.run("s")) == (Run("r", b"{}"), None)
    scores = [Score(i, "q1", b'{"score":0.%d}' % i) for i in range(5)]
    assert store.add_scores("r", scores[::-1]) == 5
    assert store.add_scores("r", [Score(4, "q1", b"later"), Score(5, "q2", b"{}")]) == 1
    assert store.scores("r", limit=3) == scores[:3]
    assert store.scores("r", after=2) == [*scores[3:], Score(5, "q2", b"{}")]
    with pytest.raises(InputError, match="not kept"):
        store.add_scores("unknown", scores)


def test_a_job_from_queue_to_result(store: SQLStore) -> None:
    assert (store.add_job(JOB), store.add_job(replace(JOB, kind="other"))) == (True, False)
    assert store.job("j1") == JOB
    assert store.claim_job("w1", lease=60) == replace(JOB, state="running", attempts=1)
    assert store.claim_job("w2", lease=60) is None
    assert store.advance_job("j1", "w1", done=3)
    assert not store.advance_job("j1", "w2", done=9)
    assert store.jobs("running") == [replace(JOB, state="running", done=3, attempts=1)]
    assert store.finish_job("j1", "w1", result="labels.jsonl")
    assert not store.finish_job("j1", "w1", error={"code": "late"})
    assert store.job("j1") == replace(JOB, state="done", done=3, attempts=1, result="labels.jsonl")
    assert not store.cancel_job("j1")


def test_a_silent_worker_loses_its_job(store: SQLStore) -> None:
    store.add_job(JOB)
    store.claim_job("dead", lease=-1)
    again = store.claim_job("w2", lease=60)
    assert again is not None
    assert again.attempts == 2
    assert not store.finish_job("j1", "dead", result="stale")
    assert store.finish_job("j1", "w2", error={"code": "bad_file", "message": "µ"})
    assert store.jobs("failed")[0].error == {"code": "bad_file", "message": "µ"}


def test_a_cancelled_job_tells_its_worker(store: SQLStore) -> None:
    for name in ("j1", "j2"):
        store.add_job(replace(JOB, id=name))
    assert [job.id for job in store.jobs("queued")] == ["j1", "j2"]
    store.claim_job("w1", lease=60)
    assert (store.cancel_job("j1"), store.cancel_job("j2"), store.cancel_job("j3")) == (True, True, False)
    assert not store.advance_job("j1", "w1", done=1)
    assert store.claim_job("w1", lease=60) is None


def test_everything_is_there_after_a_restart(database: str) -> None:
    first = open_store(database)
    first.add(UPLOAD)
    first.add_label(key_of(UPLOAD), b"body")
    first.add_questions([QUESTION])
    first.add_job(JOB)
    first.close()
    second = open_store(database)
    kept = second.get(UPLOAD.id), second.label(key_of(UPLOAD)), second.questions(["q1"]), second.job("j1")
    second.close()
    assert kept == (UPLOAD, b"body", [QUESTION], JOB)


def test_the_migrated_schema_is_the_declared_one(store: SQLStore) -> None:
    with store.database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_a_database_from_before_migrations_keeps_its_structures(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    old = sqlite3.connect(path)
    for statement in OLD_SCHEMA:
        old.execute(statement)
    old.execute("INSERT INTO structures VALUES (?, ?, 'x.pdb', NULL, NULL)", (ABC, zlib.compress(b"abc")))
    old.execute("INSERT INTO selectors VALUES (?, 'BTN:A')", (ABC,))
    old.commit()
    old.close()
    store = open_store(str(path))
    assert store.get(ABC) == Upload(b"abc", "x.pdb", selector="BTN:A")
    with store.database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    store.close()


def test_a_schema_from_a_newer_release_is_left_alone(database: str) -> None:
    store = open_store(database)
    with store.database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StorageError) as caught:
        open_store(database)
    assert caught.value.code == "schema_unknown"


def test_urls_of_databases() -> None:
    assert database_url("a b.sqlite3").database == "a b.sqlite3"
    assert database_url("sqlite:////srv/x.sqlite3").database == "/srv/x.sqlite3"
    assert database_url("postgres://u:pw@h:1/d").render_as_string() == "postgresql+psycopg://u:***@h:1/d"
    for wrong in ("mysql://u:secret@h/d", "http://secret", "://secret"):
        with pytest.raises(InputError) as caught:
            open_database(wrong)
        assert caught.value.code == "bad_database"
        assert "secret" not in str(caught.value)


def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, but long enough to have a header" * 10)
    for path in (tmp_path / "absent" / "x.sqlite3", tmp_path / "text"):
        with pytest.raises(StorageError) as caught:
            open_store(str(path))
        assert caught.value.code == "storage_unavailable"


def test_items_of_a_job_are_finished_once(store: SQLStore) -> None:
    assert store.add_job(JOB, [b"a", b"b", b"c"])
    assert not store.add_job(JOB, [b"other"])
    assert store.open_items(JOB.id, 2) == [Item(0, b"a"), Item(1, b"b")]
    assert not store.finish_items(JOB.id, "nobody", {0: b"stolen\n"})
    store.claim_job("w1", lease=60)
    assert store.finish_items(JOB.id, "w1", {1: b"B\n"})
    assert store.finish_items(JOB.id, "w1", {0: b"A\n", 1: b"another\n"})
    assert store.open_items(JOB.id, 9) == [Item(2, b"c")]
    assert store.records(JOB.id) == [Item(0, b"A\n"), Item(1, b"B\n")]
    assert store.records(JOB.id, after=0, limit=1) == [Item(1, b"B\n")]
    kept = store.job(JOB.id)
    assert kept is not None
    assert kept.done == 2
    store.cancel_job(JOB.id)
    assert not store.finish_items(JOB.id, "w1", {2: b"C\n"})
    assert store.records(JOB.id, after=1) == []

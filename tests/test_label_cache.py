"""Kept label sets: a label asked for again is read, not computed, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app import label_cache
from app.label_cache import keep_label, label_key
from app.main import create_app
from app.routes import structures
from app.settings import Settings
from app.storage import StorageError, Store, Upload, open_store
from app.work import Wish, label_json
from interactions.errors import UnknownName

PARTS = ("labels", "hydrogen-bonds", "contacts", "sites", "pocket", "pocket?cutoff=4")
UPLOAD = Upload(b"x", "x.pdb")
OTHER = {"criteria": "plip", "hydrogens": "given", "parts": (), "profile": b"", "cutoff": 4.0, "screen": True}


def on_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class OffTheLoop:
    """A store that refuses to be called where the event loop runs."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            if on_event_loop():
                raise AssertionError(f"{name} blocks the event loop")
            return getattr(self.store, name)(*arguments)

        return call


@pytest.fixture
def files(examples: Path) -> dict[str, tuple[str, bytes]]:
    names = {"receptor": "2izf_receptor.pdb.gz", "ligand": "2izf_ligand.sdf"}
    return {field: (name, (examples / name).read_bytes()) for field, name in names.items()}


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store(":memory:")
    yield opened
    opened.close()


def service(database: str) -> TestClient:
    return TestClient(create_app(Settings(database=database, workers=0)), raise_server_exceptions=False)


def test_a_label_is_computed_once(
    files: dict[str, tuple[str, bytes]], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = []

    def counted(upload: Upload, wish: Wish, part: str | None) -> bytes:
        computed.append(wish)
        return label_json(upload, wish, part)

    monkeypatch.setattr(structures, "label_json", counted)
    with service(database) as client:
        at = f"/v1/structures/{client.post('/v1/structures', files=files).json()['id']}"
        first = [client.get(f"{at}/{part}").content for part in PARTS]
        assert len(computed) == len(PARTS)
        assert [client.get(f"{at}/{part}").content for part in PARTS] == first
    with service(database) as client:
        assert [client.get(f"{at}/{part}").content for part in PARTS] == first
        assert len(computed) == len(PARTS)
        assert client.get(f"{at}/labels?hydrogens=given").content != first[0]
        assert client.get(f"{at}/labels?criteria=nonsense").json()["code"] == "unknown_name"


def test_the_store_is_never_called_on_the_event_loop(files: dict[str, tuple[str, bytes]]) -> None:
    with service(":memory:") as client:
        client.app.state.store = OffTheLoop(client.app.state.store)
        added = client.post("/v1/structures", files=files)
        at = f"/v1/structures/{added.json()['id']}"
        answers = [client.get(f"{at}/{path}") for path in (*PARTS, "explanations?within=3")]
    assert [added.status_code, *(answer.status_code for answer in answers)] == [201, *[200] * len(answers)]


def test_a_database_that_cannot_answer_is_a_problem_document(files: dict[str, tuple[str, bytes]]) -> None:
    with service(":memory:") as client:
        for code, status in (("storage_busy", 503), ("storage_full", 507), ("storage_unavailable", 503)):
            client.app.state.store = Failing(code)
            answer = client.post("/v1/structures", files=files)
            assert (answer.status_code, answer.json()["code"]) == (status, code)


class Failing:
    """A store that reads nothing and fails to keep anything."""

    def __init__(self, code: str) -> None:
        self.code = code

    def label(self, _: object) -> None:
        return None

    def add(self, *_: object) -> None:
        raise StorageError("no", code=self.code)

    add_label = add

    def close(self) -> None: ...


def test_a_label_is_answered_although_it_cannot_be_kept() -> None:
    key = label_key("x", "", Wish(), "labels")
    assert keep_label(Failing("storage_full"), key, b"body") == b"body"


def test_the_first_label_kept_stands(store: Store) -> None:
    store.add(UPLOAD)
    key = label_key(UPLOAD.id, "", Wish(), "labels")
    assert [keep_label(store, key, body) for body in (b"first", b"second")] == [b"first", b"first"]


def test_a_key_tells_wishes_apart() -> None:
    wishes = [Wish(), *(replace(Wish(), **{field.name: OTHER[field.name]}) for field in fields(Wish)), Wish("all")]
    keys = {label_key("x", "", wish, part).id for wish in wishes for part in ("labels", "sites")}
    assert len(keys) == 2 * len(wishes)
    assert label_key("x", "BTN", Wish(), "labels").id not in keys
    with pytest.raises(UnknownName):
        label_key("x", "", Wish("nonsense"), "labels")


def test_a_changed_rule_changes_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_cache, "files", lambda _: tmp_path)
    versions = set()
    for name, content in (("a.py", "x = 1"), ("a.py", "x = 2"), ("b.toml", ""), ("notes.md", "")):
        (tmp_path / name).write_text(content)
        label_cache.code_version.cache_clear()
        versions.add(label_cache.code_version())
    label_cache.code_version.cache_clear()
    assert len(versions) == 3

"""The table of questions and the small configuration: those of the generator, the same whatever made them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from dataset_files import contents, lines

from app.asking import Plan, ask_all, sources
from app.datasets import build as building
from app.datasets.build import Parameters, build
from app.datasets.tiny import EACH
from interactions.questions import QUESTIONS

PARAMETERS = Parameters(tables=("questions",), questions=8, test_share=0.3, seed=4)


@pytest.fixture(scope="module")
def asked(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("asked") / "set"
    build([source], out, PARAMETERS)
    return out


def test_they_are_the_generators(source: Path, asked: Path, tmp_path: Path) -> None:
    rows = {row["question"]: row for row in lines(asked, "questions")}
    plan = Plan(tuple(QUESTIONS), 4, 8, test_share=0.3)
    made = [one[0] for one in ask_all(sources([source]), plan, tmp_path / "q.jsonl") if not isinstance(one, str)]
    own = {record["id"]: record for record in made if record["kind"] != "translation_rotation"}
    assert len(own) > 300
    for name, record in own.items():
        row = rows[name]
        assert (row["id"], row["kind"], row["answer"]) == (record["complex"], record["kind"], record["answer"])
        assert (row["text"], row["split"]) == (record["text"], record["metadata"]["split"])
        assert json.loads(row["images"]) == json.loads(json.dumps(record["images"]))
    carried = [row for row in rows.values() if row["kind"] == "translation_rotation"]
    assert carried
    members: dict[str, set[str]] = {}
    for row in rows.values():
        members.setdefault(row["split"], set()).add(row["id"])
    assert all(json.loads(row["metadata"])["target"]["complex"] in members[row["split"]] for row in carried)


def test_a_tiny_configuration(asked: Path) -> None:
    everything, tiny = lines(asked, "questions"), lines(asked, "tiny")
    there = Counter(row["kind"] for row in everything)
    assert Counter(row["kind"] for row in tiny) == {kind: min(EACH, count) for kind, count in there.items()}
    assert max(there.values()) > EACH
    known = {row["question"]: row for row in everything}
    assert all(known[row["question"]] == row for row in tiny)
    manifest = json.loads((asked / "manifest.json").read_text())
    assert manifest["rows"]["tiny"] == len(tiny)


@pytest.mark.parametrize("workers", [2, 4])
def test_the_number_of_workers_does_not_matter(
    source: Path,
    asked: Path,
    tmp_path: Path,
    workers: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(building.blocks_of, "__defaults__", (2,))
    build([source], tmp_path / "one", PARAMETERS)
    build([source], tmp_path / "many", PARAMETERS, jobs=workers)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    assert lines(tmp_path / "one", "questions") == lines(asked, "questions")


def test_hugging_face_loads_both(asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    datasets = pytest.importorskip("datasets")
    for config in ("questions", "tiny"):
        loaded: Any = datasets.load_dataset(str(asked), config, cache_dir=str(tmp_path))
        assert sum(len(split) for split in loaded.values()) == len(lines(asked, config))

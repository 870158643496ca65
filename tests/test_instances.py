"""Verification and solving by structure, task and parameters: the questions of the library, without their truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from verify_service import RECORDS, record, service

from interactions.labelling import label, load_complex
from interactions.questions.generate import generate
from interactions.questions.scene import Scene, scene_of

FILES = {"receptor": "2izf_receptor.pdb.gz", "ligand": "2izf_ligand.sdf"}
TASKS = ("translation", "rotation", "zooming", "residue_ligand", "docking", "interaction_location", "pocket_ligand")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with service() as client:
        yield client


@pytest.fixture(scope="module")
def structure(client: TestClient) -> str:
    folder = Path(__file__).parent.parent / "examples"
    files = {field: (name, (folder / name).read_bytes()) for field, name in FILES.items()}
    return str(client.post("/v1/structures", files=files).json()["id"])


@pytest.fixture(scope="module")
def scene(structure: str) -> Scene:
    from app.example import FOLDER, example_upload

    upload = example_upload(FOLDER)
    complex_ = load_complex(upload.receptor, upload.receptor_name, upload.ligand, upload.ligand_name)
    return scene_of(complex_, label(complex_, id=structure))


@pytest.mark.parametrize("task", TASKS)
def test_an_instance_is_the_librarys_question(client: TestClient, structure: str, scene: Scene, task: str) -> None:
    instance = {
        "structure": structure,
        "task": task,
        "parameters": {"seed": 3, "index": 1 if task != "pocket_ligand" else 0},
    }
    own = generate(task, [scene], instance["parameters"]["index"], 3)  # type: ignore[index]
    answered = client.post("/v1/answer", json=instance).json()
    assert answered == {"id": own["id"], "task": task, "answer": own["answer"], "question": own}
    solved = client.post("/v1/answer", json={"structure": structure, "question": own | {"answer": None}}).json()
    assert solved == {"id": own["id"], "task": task, "answer": own["answer"]}
    right = client.post("/v1/verify", json=instance | {"response": own["answer"]})
    assert (right.json()["score"], right.json()["detail"]) == (1.0, None)
    other = client.post("/v1/verify", json=instance | {"response": "no answer at all"})
    assert other.json()["score"] == 0
    assert own["answer"].encode() not in other.content or len(own["answer"]) < 3


def test_rows_of_all_sorts_keep_their_order(client: TestClient, structure: str) -> None:
    client.post("/v1/questions", json=record(**RECORDS[0]))
    instance = {"structure": structure, "task": "docking", "response": "x"}
    rows: list[Any] = [
        instance | {"parameters": {"index": 10**6}},
        {"id": "shift", "response": "move x 3"},
        instance | {"structure": "0" * 64},
        instance | {"parameters": {"index": -1}},
        instance | {"id": "shift"},
        instance,
    ]
    states = [one["status"] for one in client.post("/v1/verify/batch", json=rows).json()]
    assert states == ["no_more_questions", "ok", "not_found", "bad_instance", "bad_row", "ok"]


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"structure": "0" * 64}, 404, "not_found"),
        ({"structure": 7}, 422, "bad_instance"),
        ({"ligand": ["BTN"]}, 422, "bad_instance"),
        ({"task": "riddle"}, 422, "unknown_name"),
        ({"task": None}, 422, "bad_instance"),
        ({"parameters": {"index": True}}, 422, "bad_instance"),
        ({"parameters": {"turns": 1}}, 422, "bad_instance"),
        ({"parameters": {"criteria": "none"}}, 422, "unknown_name"),
        ({"parameters": {"targets": "all"}}, 422, "bad_instance"),
        ({"parameters": {"index": 10**6}}, 422, "no_more_questions"),
        ({"task": "translation_rotation"}, 422, "no_target"),
        ({"question": {}}, 422, "bad_question"),
        ({"question": {"complex": "x", "kind": "docking", "metadata": []}}, 422, "bad_question"),
        ({"question": []}, 422, "bad_question"),
    ],
)
def test_what_is_no_instance(
    client: TestClient, structure: str, changes: dict[str, Any], status: int, code: str
) -> None:
    reply = client.post("/v1/answer", json={"structure": structure, "task": "docking"} | changes)
    assert (reply.status_code, reply.json()["code"]) == (status, code)

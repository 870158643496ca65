"""Sealed questions cannot be forged, and no reply of the service tells a truth."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient
from verify_service import RECORDS, SECRET, asked, record, service

from app.questions import Question
from app.sealing import PREFIX, Sealer
from interactions.errors import InputError


@pytest.fixture
def client() -> Iterator[TestClient]:
    with asked() as client:
        yield client


# Sealed questions


def sealed(client: TestClient, **fields: Any) -> str:
    return client.post("/v1/questions?keep=false", json=record(**fields)).json()["questions"][0]["sealed"]


def test_a_sealed_question_needs_no_store(client: TestClient) -> None:
    with service() as other_service:
        token = sealed(other_service, **RECORDS[1] | {"id": "elsewhere"})
    assert client.post("/v1/verify", json={"sealed": token, "response": "roll y 90"}).json()["score"] == 1.0
    assert client.get("/v1/questions/elsewhere").status_code == 404
    other = client.post("/v1/verify", json={"id": "turn", "sealed": token, "response": "roll y 90"})
    assert other.json()["code"] == "other_question"


def test_altered_and_foreign_seals_are_refused() -> None:
    sealer, question = Sealer(SECRET), Question("q", "rotation", "5ey0", "roll y 90")
    token = sealer.seal(question)
    assert sealer.open_sealed(token) == question
    data = base64.urlsafe_b64decode(token.removeprefix(PREFIX))
    altered = [bytes([*data[:at], data[at] ^ 1, *data[at + 1 :]]) for at in range(0, len(data), 9)]
    tokens = [PREFIX + base64.urlsafe_b64encode(one).decode() for one in (*altered, data[:-1], data + b"0", b"")]
    tokens += ["", token[:-1], token + "=", token.removeprefix(PREFIX), token + "\n", PREFIX + "é", " " + token]
    tokens += [Sealer("another secret, long enough").seal(question), Sealer(None).seal(question)]
    for forged in tokens:
        with pytest.raises(InputError) as caught:
            sealer.open_sealed(forged)
        assert caught.value.code == "bad_seal"


def test_a_seal_shows_nothing() -> None:
    sealer = Sealer(SECRET)
    tokens = [
        sealer.seal(Question("q", "rotation", "5ey0", text)) for text in ("roll y 90", "roll y -105", "roll y 90")
    ]
    assert len(set(tokens)) == 3
    assert len(set(map(len, tokens))) == 1
    assert not any(b"roll" in base64.urlsafe_b64decode(token.removeprefix(PREFIX)) for token in tokens)


def test_without_a_secret_the_log_warns(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        Sealer(None).ready()
    assert "MISI_ORACLE_SECRET" in caplog.text
    with pytest.raises(InputError):
        Sealer("short").ready()


# Side channels

TRUTHS = {  # answers of the right form that are wrong under each of these truths
    "translation": ("move z 2", ["move x 3", "move y -2"]),
    "rotation": ("roll z 15", ["roll x 90", "roll y -45"]),
    "zooming": ("move z 1", ["move z 3", "move z -4"]),
    "interaction_location": ("A", ["B", "D"]),
    "docking": ("roll z 15, move x 3", ["roll x 75, move x -14", "roll y -30, move x -2"]),
    "pocket_ligand": ("ASP 25 OD2 A, N2", ["No", "ASP 25 OD1 A, N2", "ARG 8 NH1 B, O1; ARG 8 NH2 B, O1"]),
    "residue_ligand": ("Yes: ASP OD2, N2", ["No", "Yes: ASP OD1, N2"]),
}


@pytest.mark.parametrize("kind", TRUTHS)
@pytest.mark.parametrize("metric", ["misi", "exact", "f1"])
@pytest.mark.parametrize("prefix", ["", "<answer>"])
def test_wrong_answers_to_different_truths_get_the_same_bytes(kind: str, metric: str, prefix: str) -> None:
    response, truths = TRUTHS[kind]
    seen = set()
    with service() as client:
        for truth in truths:
            client.post("/v1/questions", json=record(id=truth, kind=kind, answer=truth))
            row = {"id": truth, "response": f"<answer>{response}</answer>" if prefix else response}
            reply = client.post(f"/v1/verify?metric={metric}", json=row)
            bare = orjson.loads(reply.content)
            assert bare["score"] < 1
            head = {
                name: value for name, value in reply.headers.items() if name not in ("content-length", "x-request-id")
            }
            seen.add((orjson.dumps(bare | {"score": None}), json.dumps(head)))
    assert len(seen) == 1


def test_a_question_is_shown_without_its_truth(client: TestClient) -> None:
    secret = record(
        **RECORDS[0] | {"id": "told", "answer": "move y -6"},
        metadata={"note": "-6", "pairs": -6, "transforms": {"after": [-6]}, "split": "test"},
        images=[{"name": "front", "ligand_placement": [[-6]]}],
    )
    posted = client.post("/v1/questions", json=secret)
    stored = client.get("/v1/questions/told")
    assert stored.json()["images"] == [{"name": "front"}]
    for reply in (posted.json()["questions"][0], stored.json()):
        reply.pop("sealed")
        assert "-6" not in json.dumps(reply)
        assert "answer" not in reply


def test_posting_again_does_not_tell_whether_the_guess_was_right(client: TestClient) -> None:
    guesses = [record(**RECORDS[0] | {"answer": text}) for text in ("move x 3", "move x 4")]
    replies = [client.post("/v1/questions", json=guess) for guess in guesses]
    bodies = [reply.json() for reply in replies]
    for shown in bodies:
        shown["questions"][0].pop("sealed")
    assert bodies[0] == bodies[1]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert client.post("/v1/verify", json={"id": "shift", "response": "move x 3"}).json()["score"] == 1.0


def test_detail_needs_the_right(client: TestClient) -> None:
    row = {"id": "bonds", "response": "ASP 25 OD2 A, N2"}
    for address in ("/v1/verify?detail=true", "/v1/verify/batch?detail=true"):
        assert client.post(address, json=row).json()["code"] == "truth_hidden"
    assert client.get("/v1/questions/bonds?detail=true").status_code == 403
    with service(reveal_truth=True) as trusted:
        trusted.post("/v1/questions", json=record(**RECORDS[3]))
        shown = trusted.post("/v1/verify?detail=true", json=row).json()
        assert [item["verdict"] for item in shown["detail"]] == ["missing", "missing", "not a bond"]
        assert shown["flags"] == ["equivalent_atom"]
        assert trusted.post("/v1/verify", json=row).json()["detail"] is None
        assert trusted.get("/v1/questions/bonds?detail=true").json()["answer"] == RECORDS[3]["answer"]


@pytest.mark.parametrize(
    "fields",
    [{"id": ""}, {"kind": "riddle"}, {"answer": "three"}, {"answer": 3}, {"complex": None}, {"id": "x" * 513}],
)
def test_bad_questions_are_refused(client: TestClient, fields: dict[str, Any]) -> None:
    bad = [record(id="new", kind="rotation"), record(**RECORDS[0]) | fields]
    assert client.post("/v1/questions", json=bad).json()["code"] in ("bad_question", "unknown_name")
    assert client.get("/v1/questions/new").status_code == 404


def test_questions_that_are_not_at_hand_are_read_again() -> None:
    row = {"shift": "move x 3", "turn": "roll y 90"}
    with service(max_questions=1, max_batch_rows=2) as client:
        for one in (*RECORDS[:2], record(id="third", kind="rotation", answer="roll x 20")):
            assert client.post("/v1/questions", json=record(**one)).status_code == 201
        for name in ("shift", "turn", "third", "shift", "turn"):
            reply = client.post("/v1/verify", json={"id": name, "response": row.get(name, "roll x 20")})
            assert reply.json()["score"] == 1.0

"""Verification over REST: the contract's keys, order, limits, forged questions, and nothing that tells the truth."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient

import misi_oracle_client
from app import body
from app.main import create_app
from app.questions import Question
from app.schemas import VerifyReply
from app.sealing import PREFIX, Sealer
from app.settings import Settings
from app.verification import Scoring, score
from interactions.errors import InputError

SECRET = "a secret of the tests, long enough"
KEYS = (
    "score exact format_ok parsed span reason detail flags status task metric mode version".split()
)  # the contract's, in its order

RECORDS: list[dict[str, Any]] = [
    {"id": "shift", "kind": "translation", "answer": "move x 3"},
    {"id": "turn", "kind": "rotation", "answer": "roll y 90"},
    {"id": "choice", "kind": "interaction_location", "answer": "C", "options": {"A": "move x 1, move y 2"}},
    {"id": "bonds", "kind": "pocket_ligand", "answer": "ARG 45 NH2 A, O1B; ASP 25 OD1 A, N2"},
    {"id": "none", "kind": "residue_ligand", "answer": "No"},
    {"id": "unusable", "kind": "rotation", "answer": None},
]
ANSWERS = [
    ("shift", "move x 3", 1.0),
    ("shift", "<answer>move x 4</answer>", 1 - 1 / 7),  # 7 Å is the scale of a shift
    ("shift", "about three", 0.0),
    ("turn", "roll y -270", 1.0),  # the same rotation
    ("choice", "A or C", 0.0),
    ("choice", "C", 1.0),
    ("bonds", "ASP 25 OD1 A, N2; ARG 45 NH2 A, O1B", 1.0),
    ("none", "No", 1.0),
    ("unusable", "roll y 90", None),
]


def record(**fields: Any) -> dict[str, Any]:
    return {"complex": "5ey0", "text": "How?", "images": [], "metadata": {}} | fields


def service(**settings: Any) -> TestClient:
    app = create_app(Settings(database=":memory:", secret=SECRET, **settings))
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def client() -> TestClient:
    client = service()
    assert client.post("/v1/questions", json=[record(**one) for one in RECORDS]).status_code == 201
    return client


def rows() -> list[dict[str, Any]]:
    return [{"id": name, "response": response} for name, response, _ in ANSWERS]


def lines(content: list[Any]) -> bytes:
    return b"\n".join(map(orjson.dumps, content))


@pytest.mark.parametrize(("id", "response", "expected"), ANSWERS)
def test_one_answer(client: TestClient, id: str, response: str, expected: float | None) -> None:
    reply = client.post("/v1/verify", json={"id": id, "response": response})
    assert reply.status_code == 200
    assert list(reply.json()) == KEYS
    assert reply.json()["score"] == (None if expected is None else pytest.approx(expected))
    assert reply.json()["status"] == ("unusable_truth" if expected is None else "ok")


def test_the_documented_reply_has_these_keys() -> None:
    assert list(VerifyReply.model_fields) == KEYS


def test_batch_keeps_order_and_form(client: TestClient) -> None:
    listed = client.post("/v1/verify/batch", json=rows())
    streamed = client.post("/v1/verify/batch", content=lines(rows()) + b"\n\n")
    assert [reply["score"] for reply in listed.json()] == pytest.approx([one[2] for one in ANSWERS])
    assert list(map(orjson.loads, streamed.content.splitlines())) == listed.json()
    assert streamed.headers["content-type"] == "application/x-ndjson"


def test_single_batch_and_in_process_are_identical(client: TestClient) -> None:
    batch = client.post("/v1/verify/batch", json=rows()).json()
    truths = {one["id"]: Question(one["id"], one["kind"], "5ey0", one["answer"]) for one in RECORDS}
    for row, reply in zip(rows(), batch, strict=True):
        assert client.post("/v1/verify", json=row).json() == reply
        assert score(truths[row["id"]], row["response"], Scoring()) == reply


BAD_ROWS: list[tuple[Any, str]] = [
    (1, "bad_row"),
    ({"id": "shift"}, "bad_row"),
    ({"response": "A"}, "bad_row"),
    ({"id": 3, "response": "A"}, "bad_row"),
    ({"id": "shift", "response": "A", "metric": "rouge"}, "bad_row"),
    ({"id": "shift", "response": "A", "mode": []}, "bad_row"),
    ({"id": "nowhere", "response": "A"}, "not_found"),
    ({"sealed": PREFIX + "AAAA", "response": "A"}, "bad_seal"),
]


def test_a_bad_row_has_a_status_and_the_same_keys(client: TestClient) -> None:
    good = {"id": "shift", "response": "move x 3"}
    sent = [row for bad, _ in BAD_ROWS for row in (bad, good)]
    for content in (orjson.dumps(sent), lines(sent)):
        answer = client.post("/v1/verify/batch", content=content)
        replies = answer.json() if content.startswith(b"[") else list(map(orjson.loads, answer.content.splitlines()))
        assert [reply["status"] for reply in replies] == [s for _, code in BAD_ROWS for s in (code, "ok")]
        assert {tuple(reply) for reply in replies} == {tuple(KEYS)}
        assert {reply["score"] for reply in replies[::2]} == {None}


@pytest.mark.parametrize(("row", "code"), BAD_ROWS)
def test_one_bad_request(client: TestClient, row: Any, code: str) -> None:
    reply = client.post("/v1/verify", json=row)
    assert (reply.status_code, reply.json()["code"]) == (404 if code == "not_found" else 422, code)


@pytest.mark.parametrize(
    "response",
    [None, 3, ["A"], "", "\x00", "\u202e", "<answer>" * 10_000, "\\boxed{" * 10_000, "x" * 70_000, "<think>A"],
    ids=lambda value: repr(value)[:12],
)
def test_a_bad_answer_is_no_error(client: TestClient, response: Any) -> None:
    reply = client.post("/v1/verify", json={"id": "choice", "response": response})
    assert (reply.status_code, reply.json()["score"], reply.json()["format_ok"]) == (200, 0.0, False)


def test_lone_surrogates_are_bad_answers(client: TestClient) -> None:
    row = b'{"id": "choice", "response": "\\ud800"}'
    assert client.post("/v1/verify", content=row).json()["score"] == 0.0
    assert client.post("/v1/verify/batch", content=b"[" + row + b"]").json()[0]["score"] == 0.0


@pytest.mark.parametrize("content", [b"[1", b"[NaN]", b"\xff", b"[" * 100_000, b""])
def test_no_json(client: TestClient, content: bytes) -> None:
    reply = client.post("/v1/verify", content=content)
    assert (reply.status_code, reply.json()["code"]) == (422, "bad_json")
    batch = client.post("/v1/verify/batch", content=content)
    assert batch.status_code == (422 if content.startswith(b"[") else 200)


def test_limits() -> None:
    client = service(max_batch_rows=3, max_row_bytes=200, max_batch_bytes=1000)
    client.post("/v1/questions", json=record(**RECORDS[0]))
    row, long = {"id": "shift", "response": "move x 3"}, {"id": "shift", "response": "x" * 300}
    for form in (orjson.dumps, lines):
        assert client.post("/v1/verify/batch", content=form([row] * 3)).status_code == 200
        too_many = client.post("/v1/verify/batch", content=form([row] * 4))
        assert (too_many.status_code, too_many.json()["code"]) == (413, "too_many_rows")
        mixed = client.post("/v1/verify/batch", content=form([row, long, row])).content
        assert [mixed.count(b'"status":"%s"' % code) for code in (b"ok", b"row_too_long")] == [2, 1]
        assert client.post("/v1/verify/batch", content=form([long] * 4)).json()["code"] == "too_large"
    assert client.post("/v1/verify", json=long).status_code == 413


def test_lines_cut_anywhere_are_the_same_rows(client: TestClient) -> None:
    whole = lines(rows())
    expected = client.post("/v1/verify/batch", content=whole).content
    for size in (1, 7, 64):
        pieces = (whole[at : at + size] for at in range(0, len(whole), size))
        assert client.post("/v1/verify/batch", content=pieces).content == expected


def test_a_batch_lets_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "SLICE", -1.0)
    order: list[object] = []

    async def both() -> None:
        other = asyncio.create_task(asyncio.sleep(0))
        other.add_done_callback(lambda _: order.append("other"))
        await body._answer([1, 2, 3, 4], lambda row: order.append(row), [])

    asyncio.run(both())
    assert order.index("other") < order.index(4)


ADDRESSES = (
    "/v1/verify",
    "/v1/verify/batch",
    "/v1/questions",
    "/compat/openrlhf/get_reward",
    "/compat/nemo-gym/verify",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_mutated_requests_are_no_trouble(client: TestClient, address: str) -> None:
    rng = random.Random(address)
    bodies = [orjson.dumps(rows()), lines(rows()), orjson.dumps(rows()[0])]
    bodies += [orjson.dumps([record(**one) for one in RECORDS])]
    bodies += [
        orjson.dumps(nemo("C", id="choice")),
        orjson.dumps({"query": ["ab"], "prompts": ["a"], "labels": ["turn"]}),
    ]
    for _ in range(100):
        content = bytearray(rng.choice(bodies))
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(content))
            content[at : at + rng.randint(0, 3)] = rng.choice(
                [b'"', b"{}", b"[", b"null", b"-1e999", b"\xff", b"\\ud800"]
            )
        reply = client.post(address, content=bytes(content))
        assert reply.status_code < 500, (content, reply.text)


def test_compressed_bodies_are_refused(client: TestClient) -> None:
    reply = client.post("/v1/verify/batch", content=b"[]", headers={"content-encoding": "gzip"})
    assert (reply.status_code, reply.json()["code"]) == (415, "unsupported_encoding")


def test_metric_and_mode_of_the_request_and_of_a_row(client: TestClient) -> None:
    sent = [{"id": "shift", "response": "move x 4"}, {"id": "shift", "response": "move x 4", "metric": "misi"}]
    replies = client.post("/v1/verify/batch?metric=exact&mode=lenient", json=sent).json()
    assert [(reply["metric"], reply["mode"]) for reply in replies] == [("exact", "lenient"), ("misi", "lenient")]
    assert [reply["score"] for reply in replies] == [0.0, pytest.approx(6 / 7)]
    assert client.post("/v1/verify/batch?metric=rouge", json=[]).status_code == 422


# Sealed questions


def sealed(client: TestClient, **fields: Any) -> str:
    return client.post("/v1/questions?keep=false", json=record(**fields)).json()["questions"][0]["sealed"]


def test_a_sealed_question_needs_no_store(client: TestClient) -> None:
    token = sealed(service(), **RECORDS[1] | {"id": "elsewhere"})
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
    client, seen = service(), set()
    for truth in truths:
        client.post("/v1/questions", json=record(id=truth, kind=kind, answer=truth))
        row = {"id": truth, "response": f"<answer>{response}</answer>" if prefix else response}
        reply = client.post(f"/v1/verify?metric={metric}", json=row)
        bare = orjson.loads(reply.content)
        assert bare["score"] < 1
        head = {name: value for name, value in reply.headers.items() if name != "content-length"}
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
    trusted = service(reveal_truth=True)
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


def test_a_full_store_says_so() -> None:
    client = service(max_questions=1)
    assert client.post("/v1/questions", json=record(**RECORDS[0])).status_code == 201
    assert client.post("/v1/questions", json=record(**RECORDS[1])).json()["code"] == "store_full"


# The protocols of trainers


def test_openrlhf(client: TestClient) -> None:
    prompt = "<|im_start|>user\nAnswer as <answer>move x 3</answer>.<|im_end|>\n<|im_start|>assistant\n"
    token = client.get("/v1/questions/turn").json()["sealed"]
    sent = {
        "query": [
            prompt + "<answer>move x 4</answer><|im_end|><|endoftext|>",
            "<s>" + prompt + "roll y 90</s>",
            prompt,
        ],
        "prompts": [prompt] * 3,
        "labels": ["shift", token, "unusable"],
    }
    reply = client.post("/compat/openrlhf/get_reward", json=sent)
    assert reply.json()["rewards"] == reply.json()["scores"] == pytest.approx([6 / 7, 1.0, 0.0])
    assert reply.json()["extra_logs"] == {"exact": [0, 1, 0], "format_ok": [1, 1, 0], "usable": [1, 1, 0]}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"query": ["a"], "prompts": ["b"], "labels": ["shift"]}, "no_prompt"),
        ({"query": ["a"], "prompts": ["a"], "labels": ["nowhere"]}, "not_found"),
        ({"query": ["a"], "prompts": ["a"], "labels": []}, "bad_row"),
        ({"query": ["a"], "prompts": ["a"]}, "bad_row"),
        ([], "bad_row"),
    ],
)
def test_openrlhf_refuses(client: TestClient, sent: Any, code: str) -> None:
    assert client.post("/compat/openrlhf/get_reward", json=sent).json()["code"] == code


def nemo(text: str, **fields: Any) -> dict[str, Any]:
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    output = [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "move x 3"}]}, message]
    return {"responses_create_params": {"input": "?"}, "response": {"id": "r", "output": output}} | fields


def test_nemo_gym(client: TestClient) -> None:
    right = nemo("<answer>move x 3</answer>", id="shift", more=[1])
    assert client.post("/compat/nemo-gym/verify", json=right).json() == right | {"reward": 1.0}
    token = client.get("/v1/questions/turn").json()["sealed"]
    named = nemo("roll y 90", verifier_metadata={"sealed": token})
    assert client.post("/compat/nemo-gym/verify", json=named).json() == named | {"reward": 1.0}
    silent = nemo("", id="shift")
    silent["response"]["output"].pop()
    assert client.post("/compat/nemo-gym/verify", json=silent).json()["reward"] == 0.0
    assert client.post("/compat/nemo-gym/verify", json={"response": {}}).status_code == 422
    surrogate = json.dumps(nemo("\ud800", id="shift")).encode()
    assert json.loads(client.post("/compat/nemo-gym/verify", content=surrogate).content)["reward"] == 0.0


def test_the_document_names_every_setting_of_verification_and_every_adapter() -> None:
    text = (Path(__file__).parent.parent / "docs" / "verification.md").read_text("utf-8")
    ours = [name for name in Settings.model_fields if name in ("secret", "reveal_truth") or name.startswith("max_")]
    assert [name for name in ours if name != "max_upload_bytes" and f"MISI_ORACLE_{name.upper()}" not in text] == []
    adapters = [
        name for name in misi_oracle_client.__all__ if name not in ("ClientError", "Reply", "Row", "vlmevalkit_rows")
    ]
    assert [name for name in adapters if name not in text] == []

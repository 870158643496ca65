"""Verification over REST: the contract's keys, order, limits, and what is no row."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient
from verify_service import ANSWERS, RECORDS, asked, lines, nemo, record, rows, service

from app import body
from app.questions import Question
from app.schemas import VerifyReply
from app.sealing import PREFIX
from app.verification import Scoring, score

KEYS = (
    "score exact format_ok parsed span reason detail flags status task metric mode version".split()
)  # the contract's, in its order


@pytest.fixture
def client() -> Iterator[TestClient]:
    with asked() as client:
        yield client


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
    with service(max_batch_rows=3, max_row_bytes=200, max_batch_bytes=1000) as client:
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

    async def nothing(_: object) -> None: ...

    async def both() -> None:
        other = asyncio.create_task(asyncio.sleep(0))
        other.add_done_callback(lambda _: order.append("other"))
        await body._answer([1, 2, 3, 4], nothing, lambda row: order.append(row), [])

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


def test_other_encodings_are_refused(client: TestClient) -> None:
    reply = client.post("/v1/verify/batch", content=b"[]", headers={"content-encoding": "br"})
    assert (reply.status_code, reply.json()["code"]) == (415, "unsupported_encoding")


def test_metric_and_mode_of_the_request_and_of_a_row(client: TestClient) -> None:
    sent = [{"id": "shift", "response": "move x 4"}, {"id": "shift", "response": "move x 4", "metric": "misi"}]
    replies = client.post("/v1/verify/batch?metric=exact&mode=lenient", json=sent).json()
    assert [(reply["metric"], reply["mode"]) for reply in replies] == [("exact", "lenient"), ("misi", "lenient")]
    assert [reply["score"] for reply in replies] == [0.0, pytest.approx(6 / 7)]
    assert client.post("/v1/verify/batch?metric=rouge", json=[]).status_code == 422

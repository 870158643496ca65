"""The client: what it sends, when it asks again, and the same replies here and from a URL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from client_service import QUESTIONS, RESPONSES, SECRET, URL, application, bridged

import misi_oracle_client as client
from misi_oracle_client import http, retry


@pytest.fixture(scope="module")
def app() -> Iterator[Any]:
    with application() as app:
        yield app


def test_replies_are_identical_in_process_and_over_http(app: Any) -> None:
    rows: list[client.Row] = [{"id": q["id"], "response": text} for q in QUESTIONS for text in (*RESPONSES, "\ud800")]
    rows.append({"id": "nowhere", "response": "A"})
    near, far = client.LocalOracle(QUESTIONS), client.Oracle(URL, client=bridged(app))
    assert near.verify_batch(rows) == far.verify_batch(rows)
    assert near.verify(rows[0]) == far.verify(rows[0]) == far.verify_batch(rows)[0]


def test_sealed_questions_open_here_with_the_secret(app: Any) -> None:
    token = client.Oracle(URL, client=bridged(app)).question("choice")["sealed"]
    row: client.Row = {"sealed": token, "response": "C"}
    assert client.LocalOracle(secret=SECRET).verify(row)["score"] == 1.0
    assert client.LocalOracle(secret=SECRET + "!").verify(row)["status"] == "bad_seal"


def test_questions_are_added(app: Any) -> None:
    with client.Oracle(URL, client=bridged(app)) as oracle:
        assert oracle.add_questions([QUESTIONS[0], QUESTIONS[0] | {"id": "a b/c?"}])["known"] == ["shift"]
        with pytest.raises(client.ClientError) as caught:
            oracle.question("nowhere")
        assert (caught.value.code, caught.value.status) == ("not_found", 404)


def test_a_truth_is_never_sent() -> None:
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        return httpx.Response(422, json={"code": "bad_row", "detail": "no"})

    with client.Oracle(URL, client=httpx.Client(transport=httpx.MockTransport(answer))) as oracle:
        for fields in (
            {"kind": "rotation", "answer": "roll x 1"},
            {"id": "q", "kind": "rotation", "answer": "roll x 1"},
        ):
            with pytest.raises(client.ClientError, match="bad_row"):
                oracle.verify_batch([{"response": "roll y 2", **fields}])  # type: ignore[typeddict-item]
    assert len(sent) == 1
    assert b"roll x 1" not in sent[0]


def busy(times: int, headers: dict[str, str], status: int = 503) -> tuple[Callable[..., httpx.Response], list[int]]:
    calls: list[int] = []

    def answer(_: httpx.Request) -> httpx.Response:
        calls.append(1)
        if len(calls) <= times:
            return httpx.Response(status, headers=headers)
        return httpx.Response(200, content=b'{"score":1.0}\n')

    return answer, calls


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    waits: list[float] = []
    monkeypatch.setattr(http.time, "sleep", waits.append)
    answer, calls = busy(3, {"retry-after": "1"}, status)
    oracle = client.Oracle(URL, client=httpx.Client(transport=httpx.MockTransport(answer)))
    assert oracle.verify_batch([{"id": "q", "response": "A"}])[0]["score"] == 1.0
    assert len(calls) == 4
    assert all(1 <= wait <= 1.0 for wait in waits[:3])


def test_a_dead_service_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(http.time, "sleep", waits.append)

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    oracle = client.Oracle(URL, tries=3, client=httpx.Client(transport=httpx.MockTransport(refuse)))
    with pytest.raises(client.ClientError, match="unavailable"):
        oracle.verify({"id": "q", "response": "A"})
    assert len(waits) == 2
    assert 0.125 <= waits[0] <= 0.25 <= waits[1] <= 0.5


def test_other_errors_are_not_tried_again() -> None:
    answer, calls = busy(9, {}, 500)
    with pytest.raises(client.ClientError, match="http_error"):
        client.Oracle(URL, client=httpx.Client(transport=httpx.MockTransport(answer))).question("q")
    assert len(calls) == 1


def test_the_async_client_asks_again_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST", 0.0)
    answer, calls = busy(2, {}, 429)

    async def ask() -> list[client.Reply]:
        transport = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        async with client.AsyncOracle(URL, client=transport) as oracle:
            return await oracle.verify_batch([{"id": "q", "response": "A"}])

    assert asyncio.run(ask())[0]["score"] == 1.0
    assert len(calls) == 3


def test_retry_after_is_seconds_or_a_date() -> None:
    assert retry.asked_wait("7") == 7
    assert retry.asked_wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry.asked_wait("Wed, 21 Oct 2995 07:28:00 GMT") > 3000
    assert retry.asked_wait("soon") == retry.asked_wait("٣s") == 0
    assert retry.wait_before(0, 5, 503, "999999") == retry.LONGEST
    assert retry.wait_before(4, 5, 503, None) is None
    assert retry.wait_before(0, 5, 200, None) is None


def test_batches_keep_every_row_in_order(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BATCH_ROWS", 3)
    monkeypatch.setattr(http, "BATCH_BYTES", 150)
    rows: list[client.Row] = [{"id": "shift", "response": f"move x {at % 8}"} for at in range(20)]
    expected = [round(max(0.0, 1 - abs(at % 8 - 3) / 7), 9) for at in range(20)]
    with client.Oracle(URL, client=bridged(app)) as oracle:
        assert [round(reply["score"] or 0, 9) for reply in oracle.verify_batch(rows)] == expected

    async def side_by_side() -> list[client.Reply]:
        async with client.AsyncOracle(URL, client=httpx.AsyncClient(transport=httpx.ASGITransport(app))) as oracle:
            return await oracle.verify_batch(rows)

    assert [round(reply["score"] or 0, 9) for reply in asyncio.run(side_by_side())] == expected
    assert all(len(body) <= 150 and body.count(b"\n") <= 3 for body in http.batches([b"x" * 60 + b"\n"] * 7))
    assert list(http.batches([])) == []


def test_the_package_is_typed() -> None:
    assert (Path(client.__file__).parent / "py.typed").is_file()
    assert set(client.__all__) <= set(vars(client))

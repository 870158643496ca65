"""What goes wrong around a service: slow and idle clients, kills, locks, a full disk. Nobody waits for ever."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import sqlite3
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from servers import NOTICE, server
from verify_service import record

IDLE = 2000
ROW = {"id": "q", "response": "move x 3"}


def ask(client: httpx.Client, number: int | str, text: str = "How?") -> httpx.Response:
    question = record(id=f"q{number}", kind="translation", answer="move x 3", text=text)
    return client.post("/v1/questions", json=question)


def connected(client: httpx.Client) -> socket.socket:
    address = urlsplit(str(client.base_url))
    return socket.create_connection((address.hostname or "", address.port or 0), NOTICE)


HEAD = b"POST /v1/verify HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n"


@pytest.mark.parametrize(("first", "status"), [(b"", b""), (HEAD[:-2], b""), (HEAD, b"HTTP/1.1 408")])
def test_a_client_of_a_byte_a_second_is_cut_off(tmp_path: Path, first: bytes, status: bytes) -> None:
    with server(tmp_path / "db.sqlite3", patience=2) as (_, client), connected(client) as slow:
        slow.sendall(first)
        slow.settimeout(1.0)
        answer, start = None, time.monotonic()
        while answer is None:
            assert client.get("/health").status_code == 200
            assert time.monotonic() < start + NOTICE
            try:
                answer = slow.recv(1000)
                break
            except TimeoutError:
                if first:
                    slow.sendall(b"x")
            except ConnectionError:
                answer = b""
        assert answer.startswith(status)
        assert bool(answer) == bool(status)


def test_a_slow_client_with_enough_to_send_is_waited_for(tmp_path: Path) -> None:
    rows = b'{"id": "q", "response": "move x 3"}\n' * 2000
    head = b"POST /v1/verify/batch HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(rows)
    with server(tmp_path / "db.sqlite3", patience=1) as (_, client), connected(client) as slow:
        slow.sendall(head)
        for start in range(0, len(rows), 15_000):  # in three seconds
            slow.sendall(rows[start : start + 15_000])
            time.sleep(0.6)
        answer = b""
        while piece := slow.recv(1_000_000):
            answer += piece
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.count(b'"status":"not_found"') == 2000


def test_idle_connections_keep_nobody_out(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = IDLE + 200
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"this process may open {hard} files, fewer than {wanted}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    idle: list[socket.socket] = []
    try:
        with server(tmp_path / "db.sqlite3") as (_, client):
            idle += [connected(client) for _ in range(IDLE)]
            assert ask(client, "").status_code == 201
            assert client.get("/health").status_code == 200
            assert client.post("/v1/verify", json=ROW).json()["score"] == 1.0
    finally:
        for one in idle:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_server_killed_amid_a_thousand_writes_loses_nothing_acknowledged(tmp_path: Path) -> None:
    database = tmp_path / "db.sqlite3"
    acknowledged: list[int] = []

    async def write(client: httpx.AsyncClient, number: int) -> None:
        question = record(id=f"q{number}", kind="translation", answer=f"move x {1 + number % 4}")
        try:
            if (await client.post("/v1/questions", json=question)).status_code == 201:
                acknowledged.append(number)
        except httpx.TransportError:
            return

    with server(database) as (process, client):

        async def flood() -> None:
            async with httpx.AsyncClient(base_url=str(client.base_url), timeout=NOTICE) as many:
                writes = [asyncio.create_task(write(many, number)) for number in range(1000)]
                while len(acknowledged) < 100:
                    await asyncio.sleep(0.01)
                process.kill()
                await asyncio.gather(*writes)

        asyncio.run(asyncio.wait_for(flood(), NOTICE))
        process.wait(NOTICE)
    assert 100 <= len(acknowledged) < 1000
    with server(database) as (_, client):
        rows = [{"id": f"q{number}", "response": f"move x {1 + number % 4}"} for number in acknowledged]
        assert {one["score"] for one in client.post("/v1/verify/batch", json=rows).json()} == {1.0}
        assert ask(client, "after").status_code == 201


def test_a_locked_database_is_an_answer_and_reading_goes_on(tmp_path: Path) -> None:
    database = tmp_path / "db.sqlite3"
    with server(database, storage_seconds=1) as (_, client):
        assert ask(client, "").status_code == 201
        with sqlite3.connect(database, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = ask(client, "locked out")
            assert (refused.status_code, refused.json()["code"]) == (503, "storage_busy")
            assert refused.headers["retry-after"] == "1"
            assert client.post("/v1/verify", json=ROW).json()["score"] == 1.0
            other.execute("ROLLBACK")
        assert ask(client, "locked out").status_code == 201


def test_a_full_disk_is_an_answer_and_reading_goes_on(small_disk: Path) -> None:
    with server(small_disk / "db.sqlite3") as (_, client):
        assert ask(client, "").status_code == 201
        answers = [ask(client, 0, "x" * 20_000)]
        while answers[-1].status_code == 201:
            answers.append(ask(client, len(answers), os.urandom(20_000).hex()))
        assert (answers[-1].status_code, answers[-1].json()["code"]) == (507, "storage_full")
        assert client.post("/v1/verify", json=ROW).json()["score"] == 1.0
        (small_disk / "ballast").unlink()
        assert ask(client, "room again").status_code == 201

"""The server killed in the middle of many uploads: what it acknowledged is there after a restart."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
from databases import TIMEOUT

from app.storage import Upload, open_store

ROOT = Path(__file__).parent.parent
ATOM = "ATOM      1  CA  ALA A   1    {:8.3f}   0.000   0.000  1.00  0.00           C\nEND\n"
WRITES = 1000
KILL_AFTER = 150  # acknowledged uploads


def structure(number: int) -> bytes:
    return ATOM.format(number / 100).encode()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def server(database: str, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port = free_port()
    settings = {"MISI_ORACLE_DATABASE": database, "MISI_ORACLE_PORT": str(port), "PYTHONPATH": str(ROOT)}
    log = folder / "server.log"
    with log.open("ab") as out:
        command = [sys.executable, "-m", "app.cli", "serve"]
        process = subprocess.Popen(command, env=os.environ | settings, stdout=out, stderr=out, cwd=folder)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, process, log)
        yield process, address
    finally:
        process.kill()
        process.wait(TIMEOUT)


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end and process.poll() is None:
        try:
            httpx.get(f"{address}/health")
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(log.read_text())


def upload_many(address: str, process: subprocess.Popen[bytes]) -> list[int]:
    """Numbers of the acknowledged uploads; the server is killed on the way."""
    acknowledged: list[int] = []

    def upload(number: int) -> None:
        try:
            answer = client.post(f"{address}/v1/structures", files={"complex": ("x.pdb", structure(number))})
        except httpx.TransportError:
            return
        assert answer.status_code == 201, answer.text
        acknowledged.append(number)
        if len(acknowledged) >= KILL_AFTER:
            process.kill()

    with httpx.Client(timeout=TIMEOUT) as client, ThreadPoolExecutor(32) as threads:
        list(threads.map(upload, range(WRITES)))
    return acknowledged


def test_a_killed_server_keeps_what_it_acknowledged(database: str, tmp_path: Path) -> None:
    with server(database, tmp_path) as (process, address):
        acknowledged = upload_many(address, process)
    assert KILL_AFTER <= len(acknowledged) < WRITES
    with server(database, tmp_path) as (_, address):
        again = httpx.post(f"{address}/v1/structures", files={"complex": ("x.pdb", structure(acknowledged[0]))})
        assert again.status_code == 200
    store = open_store(database)
    for number in acknowledged:
        kept = store.get(Upload(structure(number), "x.pdb").id)
        assert kept is not None
        assert kept.receptor == structure(number)
    store.close()

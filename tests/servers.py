"""A server of its own for tests of faults: a process on a free port of 127.0.0.1."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

NOTICE = 120.0  # s after which something hangs


@contextmanager
def server(database: Path, **settings: object) -> Iterator[tuple[subprocess.Popen[bytes], httpx.Client]]:
    """The process and a client of it; ``settings`` by name, without the prefix."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    known = {"database": database, "port": port, "workers": 1, "bulk_workers": 1} | settings
    environment = os.environ | {f"MISI_ORACLE_{name.upper()}": str(value) for name, value in known.items()}
    command = [sys.executable, "-m", "app.cli", "serve"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=NOTICE) as client:
            until(lambda: is_up(client))
            yield process, client
    finally:
        process.kill()
        process.wait()


def is_up(client: httpx.Client) -> bool:
    try:
        return client.get("/health").status_code == 200
    except httpx.TransportError:
        return False


def until(holds: Callable[[], Any]) -> None:
    end = time.monotonic() + NOTICE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)

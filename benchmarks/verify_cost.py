"""Answers scored a second on one core: in process, through the row reader, and over HTTP in batches and one by one.

The server is a process of its own; its CPU time is what counts, so that the client's share of the machine does not.
An empty endpoint (``/health``, and a batch of no rows) is measured in the same run. Medians of several rounds.
"""

from __future__ import annotations

import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

import orjson
from scoring_cost import bond

from app.questions import question_of
from app.rows import Limits, RowReader
from app.sealing import Sealer
from app.verification import Scoring, finder, reply_to

ROUNDS = 7
ROWS = 10_000
ONE_BY_ONE = 2000
ROLLOUTS = 8  # answers to one question
SECRET = "a secret of the benchmark alone"

Row = dict[str, str]
Records = list[dict[str, str]]


def letters(rng: random.Random) -> tuple[str, str]:
    return rng.choice("ABCD"), rng.choice("ABCD")


def moves(rng: random.Random) -> tuple[str, str]:
    return f"move x {rng.randint(-4, 4)}", f"move {rng.choice('xy')} {rng.randint(-4, 4)}"


def tagged(rng: random.Random) -> tuple[str, str]:
    truth, response = moves(rng)
    return truth, f"Let me see. <answer>{response}</answer>"


def six_bonds(rng: random.Random) -> tuple[str, str]:
    truth = [bond(rng) for _ in range(6)]
    return "; ".join(truth), "; ".join(truth[2:] + [bond(rng) for _ in range(2)])


CASES: dict[str, tuple[str, Callable[[random.Random], tuple[str, str]]]] = {
    "letter": ("rotation_rotation", letters),
    "move": ("translation", moves),
    "tagged move": ("translation", tagged),
    "six bonds": ("pocket_ligand", six_bonds),
}


def made(name: str, seed: int, sealer: Sealer | None = None) -> tuple[Records, list[Row]]:
    """Question records, and rows that answer them, each ``ROLLOUTS`` times."""
    kind, make = CASES[name]
    rng = random.Random(f"{name} {seed}")
    records, rows = Records(), list[Row]()
    for number in range(ROWS // ROLLOUTS):
        truth, _ = make(rng)
        record = {"id": f"{name}-{seed}-{number}", "kind": kind, "complex": "5ey0", "answer": truth}
        named = {"id": record["id"]} if sealer is None else {"sealed": sealer.seal(question_of(record))}
        records.append(record)
        rows += [named | {"response": make(rng)[1]} for _ in range(ROLLOUTS)]
    return records, rows


def in_process(name: str) -> list[float]:
    """Answers a second: bytes of NDJSON in, bytes of replies out."""
    speeds, limits = [], Limits(ROWS, 1_000_000, 64_000_000)
    for seed in range(ROUNDS):
        records, rows = made(name, seed)
        questions = {question.id: question for question in map(question_of, records)}
        find, body = finder(questions.get, Sealer(SECRET)), b"\n".join(map(orjson.dumps, rows))
        start = time.process_time()
        reader = RowReader(limits)
        replies = [orjson.dumps(reply_to(row, find, Scoring())) for row in reader.feed(body) + reader.finish()]
        speeds.append(len(replies) / (time.process_time() - start))
    return speeds


class Server:
    """A service on a free port, with its CPU time."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        environment = os.environ | {"MISI_ORACLE_SECRET": SECRET, "MISI_ORACLE_DATABASE": str(folder / "db.sqlite3")}
        command = [sys.executable, "-m", "app.cli", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self._wait()
        self.connection = HTTPConnection("127.0.0.1", self.port)

    def _wait(self) -> None:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the service did not start")

    def cpu(self) -> float:
        """Seconds, user and system, of all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        self.connection.request(method, path, body, {"content-type": "application/json"})
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{path}: {answer.status} {content[:200]!r}")
        return content

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


def batches(server: Server, name: str, sealer: Sealer | None) -> tuple[list[float], list[float]]:
    """Answers a second of the server's CPU time, and of wall time."""
    by_cpu, by_wall = [], []
    for seed in range(ROUNDS):
        records, rows = made(name, seed, sealer)
        if sealer is None:
            server.ask("POST", "/v1/questions", orjson.dumps(records))
        body, used, start = b"\n".join(map(orjson.dumps, rows)), server.cpu(), time.perf_counter()
        for _ in range(4):  # CPU time is counted in hundredths of a second
            replies = server.ask("POST", "/v1/verify/batch", body)
        by_cpu.append(4 * len(rows) / (server.cpu() - used))
        by_wall.append(4 * len(rows) / (time.perf_counter() - start))
        if replies.count(b'"status":"ok"') != len(rows):
            raise SystemExit("not every row was scored")
    return by_cpu, by_wall


def singles(server: Server, method: str, path: str, body: bytes | None) -> tuple[list[float], list[float]]:
    by_cpu, by_wall = [], []
    for _ in range(ROUNDS):
        used, start = server.cpu(), time.perf_counter()
        for _ in range(ONE_BY_ONE):
            server.ask(method, path, body)
        by_cpu.append(ONE_BY_ONE / (server.cpu() - used))
        by_wall.append(ONE_BY_ONE / (time.perf_counter() - start))
    return by_cpu, by_wall


def line(name: str, *speeds: list[float]) -> None:
    print(f"{name:36s}" + "".join(f"{statistics.median(one):12,.0f}" for one in speeds))


def main() -> None:
    print("answers a second, medians                 per CPU s  per wall s")
    for name in CASES:
        line(f"in process, {name}", in_process(name))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            for name in CASES:
                line(f"batch by id, {name}", *batches(server, name, None))
            line("batch, sealed, letter", *batches(server, "letter", Sealer(SECRET)))
            records, rows = made("letter", 0)
            server.ask("POST", "/v1/questions", orjson.dumps(records))
            line("one by one, letter", *singles(server, "POST", "/v1/verify", orjson.dumps(rows[0])))
            line("one by one, empty batch", *singles(server, "POST", "/v1/verify/batch", b"[]"))
            line("one by one, /health", *singles(server, "GET", "/health", None))
        finally:
            server.close()
    print(f"this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()

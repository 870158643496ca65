"""The service under load: real requests over loopback to a server of its own, beside an empty endpoint's numbers.

    python benchmarks/service_load.py

Server and client share the machine's cores, so rates are also told for a second of the server's CPU time. Latencies
are open loop: a request is due at its time whether or not the last one was answered.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

ROUNDS = 5
SECONDS = 3.0  # of each round
CONNECTIONS = 8
EXAMPLES = Path(__file__).parent.parent / "examples"
EMPTY = """
import uvicorn

async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"{}"})

uvicorn.run(app, host="127.0.0.1", port=PORT, access_log=False, log_level="error", lifespan="off")
"""


class Server:
    """A process that listens on a free port, and its CPU time."""

    def __init__(self, command: Callable[[int], list[str]], environment: dict[str, str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command(self.port), env=os.environ | environment, **quiet)  # type: ignore[call-overload]
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("the server did not start")

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


@contextmanager
def running(command: Callable[[int], list[str]], **environment: str) -> Iterator[Server]:
    server = Server(command, environment)
    try:
        yield server
    finally:
        server.stop()


def service(port: int) -> list[str]:
    return [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]


def empty(port: int) -> list[str]:
    return [sys.executable, "-c", EMPTY.replace("PORT", str(port))]


def request(method: str, path: str, body: bytes = b"", content: str = "application/json") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {content}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Client:
    """One connection that asks and waits for the answer."""

    @classmethod
    async def connect(cls, port: int) -> Client:
        client = cls()
        client.reader, client.writer = await asyncio.open_connection("127.0.0.1", port)
        return client

    async def ask(self, message: bytes) -> tuple[int, bytes]:
        self.writer.write(message)
        head = await self.reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + 15
        length = int(head[at : head.index(b"\r\n", at)])
        return int(head[9:12]), await self.reader.readexactly(length)

    async def good(self, message: bytes) -> bytes:
        status, content = await self.ask(message)
        if status >= 300:
            raise SystemExit(f"{message[:60]!r}: {status} {content[:200]!r}")
        return content

    def close(self) -> None:
        self.writer.close()


async def rate(server: Server, message: bytes) -> tuple[float, float]:
    """Requests a second of wall time, and of the server's CPU time, with several connections."""
    clients = [await Client.connect(server.port) for _ in range(CONNECTIONS)]
    for client in clients:
        await client.good(message)
    used, start, done = server.cpu(), time.perf_counter(), 0

    async def keep(client: Client) -> int:
        count = 0
        while time.perf_counter() - start < SECONDS:
            await client.good(message)
            count += 1
        return count

    done = sum(await asyncio.gather(*map(keep, clients)))
    found = done / (time.perf_counter() - start), done / (server.cpu() - used)
    for client in clients:
        client.close()
    return found


async def latencies(server: Server, message: bytes, a_second: float) -> list[float]:
    """Milliseconds from when each request was due to its answer."""
    free: asyncio.Queue[Client] = asyncio.Queue()
    for _ in range(4 * CONNECTIONS):
        free.put_nowait(await Client.connect(server.port))
    times: list[float] = []

    async def one(due: float) -> None:
        client = await free.get()
        await client.good(message)
        times.append(1000 * (time.perf_counter() - due))
        free.put_nowait(client)

    start, tasks = time.perf_counter(), []
    for number in range(int(SECONDS * a_second)):
        due = start + number / a_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(one(due)))
    await asyncio.gather(*tasks)
    while not free.empty():
        free.get_nowait().close()
    return times


def spread(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"p50 {statistics.median(times):6.1f}  p99 {cuts[98]:6.1f} ms"


def median_rate(server: Server, message: bytes) -> tuple[float, float]:
    found = [asyncio.run(rate(server, message)) for _ in range(ROUNDS)]
    return statistics.median(one for one, _ in found), statistics.median(other for _, other in found)


def median_spread(server: Server, message: bytes, a_second: float) -> str:
    rounds = [asyncio.run(latencies(server, message, a_second)) for _ in range(ROUNDS)]
    rounds.sort(key=lambda times: statistics.quantiles(times, n=100)[98])
    return spread(rounds[ROUNDS // 2])


def upload(number: int, path: str = "/v1/structures") -> bytes:
    """The example complex of 300 kB as a form, its bytes new for each number."""
    import gzip

    receptor = gzip.decompress((EXAMPLES / "2izf_receptor.pdb.gz").read_bytes()) + b"REMARK %d\n" % number
    files = {"receptor": ("r.pdb", receptor), "ligand": ("l.sdf", (EXAMPLES / "2izf_ligand.sdf").read_bytes())}
    parts = b"".join(
        b'--edge\r\ncontent-disposition: form-data; name="%s"; filename="%s"\r\n\r\n%s\r\n'
        % (name.encode(), file.encode(), data)
        for name, (file, data) in files.items()
    )
    return request("POST", path, parts + b"--edge--\r\n", "multipart/form-data; boundary=edge")


async def first_labels(server: Server, numbers: range) -> list[float]:
    """Milliseconds of an upload that is kept and its first label."""
    client, times = await Client.connect(server.port), []
    for number in numbers:
        message, start = upload(number), time.perf_counter()
        name = orjson.loads(await client.good(message))["id"]
        await client.good(request("GET", f"/v1/structures/{name}/hydrogen-bonds"))
        times.append(1000 * (time.perf_counter() - start))
    client.close()
    return times[5:]  # the first ones wait for workers to start


async def stateless_labels(server: Server, numbers: range) -> list[float]:
    """Milliseconds of an upload that is labelled in the same request."""
    client, times = await Client.connect(server.port), []
    for number in numbers:
        message, start = upload(number, "/v1/labels"), time.perf_counter()
        await client.good(message)
        times.append(1000 * (time.perf_counter() - start))
    client.close()
    return times


async def probes_under_load(server: Server) -> dict[str, list[float]]:
    """Milliseconds of probes while more labels are asked for than the workers can make."""
    client = await Client.connect(server.port)
    names = [orjson.loads(await client.good(upload(10_000 + number)))["id"] for number in range(4)]
    over = asyncio.Event()

    async def ask_on(number: int) -> None:
        own, cutoff = await Client.connect(server.port), 0
        while not over.is_set():
            cutoff += 1
            path = f"/v1/structures/{names[number % 4]}/pocket?cutoff={3 + number + cutoff / 1000}"
            await own.ask(request("GET", path))
        own.close()

    load = [asyncio.create_task(ask_on(number)) for number in range(16)]
    await asyncio.sleep(1)
    times: dict[str, list[float]] = {"/health": [], "/ready": []}
    for _ in range(100):
        for path, found in times.items():
            start = time.perf_counter()
            await client.ask(request("GET", path))
            found.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(0.02)
    over.set()
    await asyncio.gather(*load)
    return times


def bulk(folder: Path) -> subprocess.Popen[bytes]:
    """Two niced workers that label without end: copies of the example, far more than the measurement lasts."""
    for number in range(4000):
        place = folder / f"c{number:05d}"
        place.mkdir(parents=True)
        for name, suffix in (("2izf_receptor.pdb.gz", "_pocket.pdb"), ("2izf_ligand.sdf", "_ligand.sdf")):
            data = (EXAMPLES / name).read_bytes()
            if name.endswith(".gz"):
                import gzip

                data = gzip.decompress(data)
            (place / f"{place.name}{suffix}").write_bytes(data)
    command = [sys.executable, "-m", "app.cli", "label", str(folder), "--out", str(folder / "o.jsonl"), "--jobs", "2"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def line(name: str, *values: object) -> None:
    print(f"{name:44s}", *values, flush=True)


def main() -> None:
    question = {"id": "q", "kind": "translation", "complex": "2izf", "text": "?", "answer": "move x 3"}
    verify = request("POST", "/v1/verify", orjson.dumps({"id": "q", "response": "<answer>move x 2</answer>"}))
    with running(empty) as server:
        base, base_cpu = median_rate(server, verify)
        base_spread = median_spread(server, verify, 1050)
    line("empty endpoint", f"{base:8,.0f}/s  {base_cpu:8,.0f}/CPU s")
    line("empty endpoint at 1,050/s", base_spread)
    with tempfile.TemporaryDirectory() as folder:
        environment = {"MISI_ORACLE_DATABASE": str(Path(folder) / "db.sqlite3"), "MISI_ORACLE_EXAMPLE": str(EXAMPLES)}
        with running(service, **environment) as server:
            measure(server, question, verify, (base, base_cpu), Path(folder))


def measure(server: Server, question: Any, verify: bytes, base: tuple[float, float], folder: Path) -> None:
    async def once(message: bytes) -> bytes:
        client = await Client.connect(server.port)
        return await client.good(message)

    asyncio.run(once(request("POST", "/v1/questions", orjson.dumps(question))))
    example = orjson.loads(asyncio.run(once(upload(0))))["id"]
    cases = {
        "/health": request("GET", "/health"),
        "verify, one answer": verify,
        "cached label": request("GET", f"/v1/structures/{example}/labels"),
        "cached hydrogen bonds": request("GET", f"/v1/structures/{example}/hydrogen-bonds"),
    }
    for name, message in cases.items():
        wall, cpu = median_rate(server, message)
        line(name, f"{wall:8,.0f}/s  {cpu:8,.0f}/CPU s  {wall / base[0]:.2f} of empty, {cpu / base[1]:.2f} by CPU")
    line("verify at 1,050/s", median_spread(server, verify, 1050))
    line("upload, then hydrogen bonds", spread(asyncio.run(first_labels(server, range(1, 60)))))
    line("upload with labels, one request", spread(asyncio.run(stateless_labels(server, range(100, 150)))))
    for path, times in asyncio.run(probes_under_load(server)).items():
        line(f"{path} beside 16 who ask for labels", spread(times), f" worst {max(times):.1f}")
    process = bulk(folder / "bulk")
    try:
        time.sleep(15)  # until both workers label
        line("verify at 200/s beside two bulk workers", median_spread(server, verify, 200))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


if __name__ == "__main__":
    main()

"""Workers: limits that kill, replacement, refusal when full, poison remembered, nothing left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import jobs
import pytest

from app.worker_process import Limits
from app.workers import Busy, Pool, Rules
from interactions.errors import OracleError

PLAIN = Limits(memory=2_000_000_000, warm=False)
EXAMPLES = Path(__file__).parent.parent / "examples"


@contextmanager
def pool(**rules: Any) -> Iterator[Pool]:
    made = Pool(Rules(**{"workers": 1, "seconds": 20.0, "limits": PLAIN} | rules))
    made.start()
    try:
        yield made
    finally:
        made.stop()


def run(coroutine: Any) -> Any:
    return asyncio.run(coroutine)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    with suppress(FileNotFoundError):
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def gone(process: int, seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not is_alive(process):
            return True
        time.sleep(0.02)
    return False


def code_of(coroutine: Any) -> str:
    with pytest.raises(OracleError) as caught:
        run(coroutine)
    return caught.value.code


def test_results_and_errors_come_back() -> None:
    with pool() as workers:
        assert run(workers.run(jobs.double, 21)) == 42
        assert code_of(workers.run(jobs.refuse)) == "bad_record"
        with pytest.raises(RuntimeError, match="ZeroDivisionError: by zero"):
            run(workers.run(jobs.fail))
        assert run(workers.run(jobs.pid)) != os.getpid()


@pytest.mark.parametrize("job", [jobs.endless, lambda: None], ids=["endless", "unpicklable"])
def test_a_job_always_ends(job: Any) -> None:
    with pool(seconds=1.0) as workers:
        first = run(workers.run(jobs.pid))
        if job is jobs.endless:
            assert code_of(workers.run(job)) == "timed_out"
            assert gone(first)
            assert run(workers.run(jobs.pid)) != first
        else:
            with pytest.raises(Exception, match=r"pickle|lambda"):
                run(workers.run(job))
            assert run(workers.run(jobs.double, 1)) == 2


def test_a_dead_worker_is_replaced_and_its_input_remembered() -> None:
    with pool() as workers:
        assert code_of(workers.run(jobs.die, key="poison")) == "worker_died"
        start = time.monotonic()
        assert code_of(workers.run(jobs.nap, 30.0, key="poison")) == "worker_died"
        assert time.monotonic() - start < 5
        assert run(workers.run(jobs.double, 4, key="other")) == 8


def test_a_job_is_not_to_blame_for_a_worker_that_died_before_it_began() -> None:
    with pool() as workers:
        for number in range(5):
            os.kill(run(workers.run(jobs.pid)), signal.SIGKILL)
            assert run(workers.run(jobs.double, number, key="innocent")) == 2 * number


def test_poison_is_forgotten_in_time() -> None:
    with pool(poison_seconds=0.2) as workers:
        assert code_of(workers.run(jobs.die, key="poison")) == "worker_died"
        time.sleep(0.3)
        assert run(workers.run(jobs.double, 4, key="poison")) == 8


def test_too_much_memory_is_an_error_and_the_worker_lives_on() -> None:
    with pool() as workers:
        first = run(workers.run(jobs.pid))
        assert code_of(workers.run(jobs.grow)) == "out_of_memory"
        assert run(workers.run(jobs.pid)) == first


def test_workers_are_recycled() -> None:
    with pool(limits=Limits(memory=0, jobs=2, warm=False)) as workers:
        pids = [run(workers.run(jobs.pid)) for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_full_house_refuses_at_once() -> None:
    async def many(workers: Pool) -> list[Any]:
        return await asyncio.gather(*(workers.run(jobs.nap, 0.5) for _ in range(8)), return_exceptions=True)

    with pool(waiting=2) as workers:
        run(workers.run(jobs.pid))
        found = run(many(workers))
    assert sum(isinstance(one, Busy) for one in found) >= 5
    assert "awake" in found


def test_the_event_loop_goes_on_while_workers_work() -> None:
    async def beside(workers: Pool) -> int:
        job = asyncio.create_task(workers.run(jobs.nap, 1.0))
        ticks = 0
        while not job.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    with pool() as workers:
        assert run(beside(workers)) > 20


def test_stopping_leaves_no_process_and_no_caller_waiting() -> None:
    made = Pool(Rules(workers=2, seconds=30.0, limits=PLAIN))
    made.start()
    pids = [run(made.run(jobs.pid)) for _ in range(2)]

    async def stopped() -> list[Any]:
        waiting = [asyncio.create_task(made.run(jobs.nap, 0.3)) for _ in range(6)]
        await asyncio.sleep(0.1)
        await asyncio.get_running_loop().run_in_executor(None, made.stop)
        return await asyncio.gather(*waiting, return_exceptions=True)

    found = run(stopped())
    assert all(one == "awake" or getattr(one, "code", "") == "stopping" for one in found)
    assert all(gone(one) for one in pids)
    assert code_of(made.run(jobs.pid)) == "stopping"


def test_children_of_a_killed_job_end_too() -> None:
    with pool(seconds=0.7) as workers:
        worker = run(workers.run(jobs.pid))
        assert code_of(workers.run(jobs.give_birth, 60.0)) == "timed_out"
        assert gone(worker)
        assert not [one for one in Path("/proc").glob("[0-9]*") if _group(one) == worker]


def _group(process: Path) -> int:
    with suppress(FileNotFoundError, ProcessLookupError):
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        return int(fields[2]) if fields[0] != "Z" else -1
    return -1


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The service in a process of its own, up and ready."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {f"MISI_ORACLE_{name.upper()}": value for name, value in settings.items()}
    environment |= {"MISI_ORACLE_DATABASE": str(folder / "oracle.sqlite3"), "MISI_ORACLE_WORKERS": "2"}
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--example"]
    log = (folder / "log").open("wb")
    process = subprocess.Popen(command, env=environment, cwd=EXAMPLES.parent, stdout=log, stderr=log)
    log.close()
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address)
        yield process, address
    finally:
        process.kill()
        process.wait()


def _wait(address: str) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(f"{address}/health", timeout=2).close()
            return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def example_id() -> str:
    from app.example import example_upload

    return example_upload(EXAMPLES).id


def label(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}/v1/structures/{example_id()}/labels", timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def workers_of(process: int) -> list[int]:
    return [int(one.name) for one in Path("/proc").glob("[0-9]*") if _parent(one) == process]


def _parent(process: Path) -> int:
    with suppress(FileNotFoundError, ProcessLookupError):
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    return -1


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_the_service_leaves_no_orphans(how: signal.Signals, tmp_path: Path) -> None:
    with served(tmp_path) as (process, address):
        assert len(label(address)["hydrogen_bonds"]) == 7
        workers = workers_of(process.pid)
        assert workers
        process.send_signal(how)
        process.wait(30)
        assert all(gone(worker) for worker in workers)


def test_a_worker_killed_in_the_middle_costs_one_answer(tmp_path: Path) -> None:
    with served(tmp_path) as (process, address):
        label(address)
        for worker in workers_of(process.pid):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        # Another address, so that no kept answer is given.
        with urllib.request.urlopen(f"{address}/v1/structures/{example_id()}/pocket", timeout=60) as answer:
            assert json.load(answer)["pocket_residues"]
        urllib.request.urlopen(f"{address}/ready", timeout=5).close()


def test_a_known_answer_is_not_sent_again(tmp_path: Path) -> None:
    with served(tmp_path) as (_, address):
        url = f"{address}/v1/structures/{example_id()}/labels"
        with urllib.request.urlopen(url, timeout=60) as answer:
            tag = answer.headers["etag"]
        again = urllib.request.Request(url, headers={"If-None-Match": tag})
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(again, timeout=60)
        assert caught.value.code == 304
        caught.value.close()

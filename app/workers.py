"""Processes for CPU work: each job has a time limit that kills, a dead worker is replaced, a full house says so."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from anyio import to_thread

from app.worker_process import Limits, work
from interactions.errors import OracleError

logger = logging.getLogger(__name__)

_STOP_SECONDS = 10.0  # for running jobs when the service stops
_REMEMBERED = 1024  # poisoned inputs


class Busy(OracleError):
    """All workers are at work and the queue is full."""

    code = "busy"


class _NotBegun(OracleError):
    """A worker died before it looked at its job, which is not to blame."""


@dataclass(frozen=True)
class Rules:
    """``workers`` processes; ``seconds`` a job; ``waiting`` jobs at most before new ones are refused; ``limits`` of a
    process; ``poison_seconds``: how long an input is refused at once whose worker died or timed out."""

    workers: int
    seconds: float = 60.0
    waiting: int = 64
    limits: Limits = field(default_factory=Limits)
    poison_seconds: float = 600.0


@dataclass(frozen=True)
class _Job:
    call: Callable[..., Any]
    arguments: tuple[Any, ...]
    key: str
    future: Future[Any]


class _Line:
    """Jobs in the order they came. Of idle workers the one that worked last is called: what it knows is still warm."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._jobs: deque[_Job] = deque()
        self._idle: list[queue.SimpleQueue[_Job | None]] = []
        self._closed = False

    @property
    def is_full(self) -> bool:
        return len(self._jobs) >= self._size

    def put(self, job: _Job) -> None:
        """Raises queue.Full, and OracleError (``stopping``) where the line is closed."""
        with self._lock:
            if self._closed:
                raise _stopping()
            if self._idle:
                self._idle.pop().put(job)
            elif self.is_full:
                raise queue.Full
            else:
                self._jobs.append(job)

    def get(self) -> _Job | None:
        """The next job, waited for; None once the line is closed."""
        with self._lock:
            if self._closed:
                return None
            if self._jobs:
                return self._jobs.popleft()
            call: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
            self._idle.append(call)
        return call.get()

    def close(self) -> list[_Job]:
        """Nobody waits any longer; the jobs that nobody will do."""
        with self._lock:
            self._closed = True
            left = list(self._jobs)
            self._jobs.clear()
            for call in self._idle:
                call.put(None)
            self._idle.clear()
        return left


def _stopping() -> OracleError:
    return OracleError("the service is stopping", code="stopping")


class Threads:
    """The same without processes: calls run in threads of this one, without a time limit. For tests and notebooks."""

    is_free = True

    def start(self) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        """Nothing to stop."""

    async def run(self, call: Callable[..., Any], *arguments: Any, key: str = "") -> Any:
        del key
        return await to_thread.run_sync(call, *arguments)


class Pool:
    """Spawned workers, each watched by a thread. ``run`` never blocks the event loop and always ends."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._line = _Line(rules.waiting)
        self._poisoned: OrderedDict[str, tuple[float, OracleError]] = OrderedDict()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(rules.workers)]

    def start(self) -> None:
        atexit.register(_leave_none)
        for thread in self._threads:
            thread.start()

    @property
    def is_free(self) -> bool:
        """Whether a job could be taken now."""
        return not self._stopping.is_set() and not self._line.is_full

    async def run(self, call: Callable[..., Any], *arguments: Any, key: str = "") -> Any:
        """The result of a call in a worker; raises as ``submit`` and what the call raises."""
        return await asyncio.wrap_future(self.submit(call, *arguments, key=key))

    def submit(self, call: Callable[..., Any], *arguments: Any, key: str = "") -> Future[Any]:
        """A call for a worker; ``key`` names its input, so that one that kills workers is remembered.

        Raises Busy, and OracleError: ``stopping`` or what a poisoned input met. The future ends with the result, what
        the call raises, or OracleError: ``timed_out``, ``worker_died``.
        """
        if self._stopping.is_set():
            raise _stopping()
        self._refuse_poison(key)
        future: Future[Any] = Future()
        try:
            self._line.put(_Job(call, arguments, key, future))
        except queue.Full as error:
            raise Busy(f"{self._rules.waiting} jobs are waiting already: try again") from error
        return future

    def stop(self) -> None:
        """Refuse new jobs, let running ones end for a while, then leave no process behind."""
        self._stopping.set()
        for job in self._line.close():
            job.future.set_exception(_stopping())
        end = time.monotonic() + _STOP_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        _leave_none()
        atexit.unregister(_leave_none)

    def _refuse_poison(self, key: str) -> None:
        with self._lock:
            until, error = self._poisoned.get(key, (0.0, None))
            if error is not None and time.monotonic() < until:
                raise error

    def _remember(self, key: str, error: OracleError) -> None:
        if not key:
            return
        with self._lock:
            self._poisoned[key] = (time.monotonic() + self._rules.poison_seconds, error)
            while len(self._poisoned) > _REMEMBERED:
                self._poisoned.popitem(last=False)

    def _serve(self) -> None:
        """One worker's thread: start it, hand it jobs, kill and replace it."""
        worker: _Worker | None = None
        while (job := self._line.get()) is not None:
            if job.future.set_running_or_notify_cancel():
                worker = self._do(job, worker)
        if worker is not None:
            worker.end()

    def _do(self, job: _Job, worker: _Worker | None, *, again: bool = True) -> _Worker:
        """Have a job done, by a new worker where this one is not fit; the worker for the next one."""
        if worker is None or not worker.is_fit:
            worker = self._replaced(worker)
        try:
            job.future.set_result(worker.answer(job, self._rules.seconds))
        except _NotBegun as error:
            worker = self._replaced(worker)
            if again:
                return self._do(job, worker, again=False)
            job.future.set_exception(error)
        except OracleError as error:
            if error.code in ("timed_out", "worker_died"):
                logger.warning("a worker was replaced: %s", error.code)
                self._remember(job.key, error)
                worker = self._replaced(worker)
            job.future.set_exception(error)
        except Exception as error:
            job.future.set_exception(error)
        return worker

    def _replaced(self, worker: _Worker | None) -> _Worker:
        if worker is not None:
            worker.end()
        return _Worker(self._rules.limits)


_NAME = "misi-oracle worker"


def _leave_none() -> None:
    for child in multiprocessing.active_children():
        if child.name == _NAME and child.pid is not None:
            _kill(child.pid)
            child.join()


def _kill(pid: int) -> None:
    """The process and those that it started: a worker leads a group of its own."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


class _Worker:
    """One process and its pipe."""

    def __init__(self, limits: Limits) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe: Connection
        self._pipe, there = context.Pipe()
        self._left = limits.jobs
        self._process = context.Process(target=work, args=(there, limits), name=_NAME)
        self._process.start()
        there.close()

    @property
    def is_fit(self) -> bool:
        """Alive, and not yet due to be recycled."""
        return self._left > 0 and self._process.is_alive()

    def answer(self, job: _Job, seconds: float) -> Any:
        self._left -= 1
        end = time.monotonic() + seconds
        died: type[OracleError] = _NotBegun
        try:
            self._pipe.send((job.call, job.arguments))
            self._wait(seconds, seconds)
            self._pipe.recv_bytes()  # the worker has begun
            died = OracleError
            self._wait(end - time.monotonic(), seconds)
            ok, value = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            raise died("the worker process died (out of memory, or killed)", code="worker_died") from error
        if ok:
            return value
        raise value

    def _wait(self, left: float, seconds: float) -> None:
        if not self._pipe.poll(max(0.0, left)):
            raise OracleError(f"no result after {seconds:g} s: the job was stopped", code="timed_out")

    def end(self) -> None:
        if self._process.pid is not None:
            _kill(self._process.pid)
        self._process.join()
        self._pipe.close()

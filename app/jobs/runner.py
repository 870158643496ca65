"""Works jobs off, oldest first, in this process's bulk workers. What was finished before a stop is not done again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

from anyio import to_thread

from app.jobs import KINDS
from app.jobs.base import JobKind, Lines, Tools, lines
from app.storage import Item, Job, StorageError, Store
from app.workers import Pool, Threads
from interactions.errors import OracleError

logger = logging.getLogger(__name__)

IDLE_SECONDS = 2.0  # between looks for a job that another process took in
TRIES = 5  # of a job: one that takes the whole service down is given up
_LOST = ("timed_out", "worker_died")


@dataclass(frozen=True)
class Place:
    """Where jobs run: ``width`` calls at once; a worker silent for ``lease`` seconds loses its job."""

    pool: Pool | Threads
    width: int
    lease: float


class Runner:
    """One of them in each process that serves. ``wake`` when a job was taken in."""

    def __init__(self, tools: Tools, place: Place) -> None:
        self._tools, self._place = tools, place
        self._store: Store = tools.store
        self._name = f"{socket.gethostname()} {os.getpid()} {uuid4().hex}"
        self._woken = asyncio.Event()
        self._held: Job | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    def start(self) -> None:
        self._place.pool.start()
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        self._woken.set()

    async def stop(self) -> None:
        """Hand back the job in hand, for another process or a later start."""
        self._stopping = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._held is not None:
            await self._call("release_job", self._held.id, self._name)
        await to_thread.run_sync(self._place.pool.stop)

    async def _run(self) -> None:
        while not self._stopping:
            try:
                self._held = await self._call("claim_job", self._name, self._place.lease)
                if self._held is not None:
                    await self._work(self._held)
                    self._held = None
                    continue
            except StorageError as error:
                logger.warning("jobs wait for the database: %s", error.code)
            except Exception:  # one job must not end the work on all others
                logger.exception("an unexpected error between jobs")
            self._woken.clear()
            # Not wait_for, which in Python 3.11 may lose a cancellation that comes together with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(IDLE_SECONDS):
                    await self._woken.wait()

    async def _work(self, job: Job) -> None:
        if job.attempts > TRIES:
            error = {"code": "gave_up", "message": f"the job was begun {TRIES} times and never came to an end"}
            await self._call("finish_job", job.id, self._name, None, error)
            return
        beat = asyncio.create_task(self._beat(job))
        try:
            if await self._all_items(job):
                await self._call("finish_job", job.id, self._name, "records")
        except StorageError:
            raise
        except Exception as error:
            logger.exception("job %s failed", job.id)
            told = {"code": "internal_error", "message": f"unexpected {type(error).__name__}"}
            await self._call("finish_job", job.id, self._name, None, told)
        finally:
            beat.cancel()

    async def _beat(self, job: Job) -> None:
        """Signs of life while a long piece of work runs."""
        while True:
            await asyncio.sleep(self._place.lease / 3)
            with contextlib.suppress(StorageError):
                await self._call("finish_items", job.id, self._name, {})

    async def _all_items(self, job: Job) -> bool:
        """False where the job was cancelled, or taken by another."""
        kind = KINDS[job.kind]
        while items := await self._call("open_items", job.id, kind.chunk * self._place.width):
            chunks = [items[start : start + kind.chunk] for start in range(0, len(items), kind.chunk)]
            made = await asyncio.gather(*(self._chunk(kind, job, chunk) for chunk in chunks))
            records = {
                item.position: found
                for chunk, some in zip(chunks, made, strict=True)
                for item, found in zip(chunk, some, strict=True)
            }
            await to_thread.run_sync(kind.keep, self._store, job, records)
            if not await self._call("finish_items", job.id, self._name, records):
                return False
        return True

    async def _chunk(self, kind: JobKind, job: Job, items: Sequence[Item]) -> list[Lines]:
        """The lines of each item. One that kills its worker, or never ends, is a failure of its own."""
        bodies = [item.body for item in items]
        arguments = await to_thread.run_sync(kind.gather, self._tools, job.parameters, bodies)
        try:
            made: list[Lines] = await self._place.pool.run(kind.work, *arguments)
        except OracleError as error:
            if error.code not in _LOST and error.code != "out_of_memory":
                raise
            if len(items) == 1:
                return [lines([kind.failed(items[0].body, error)])]
            return [(await self._chunk(kind, job, [item]))[0] for item in items]
        return made

    async def _call(self, name: str, *arguments: Any) -> Any:
        return await to_thread.run_sync(getattr(self._store, name), *arguments)


def job_record(job: Job) -> dict[str, Any]:
    """A job as the service shows it."""
    at = f"/v1/jobs/{job.id}"
    return {
        "id": job.id,
        "kind": job.kind,
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "error": job.error,
        "attempts": job.attempts,
        "events": f"{at}/events",
        "result": f"{at}/result" if job.state == "done" else None,
    }


def digest_of(raw: object) -> str:
    """What tells two requests for a job of one id apart."""
    return sha256(json.dumps(raw, sort_keys=True).encode()).hexdigest()

"""The questions that rows name: fetched ahead for many rows at once, then found without waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import to_thread

from app.instances import Instance, Named, instance_of, named, question_json, read_upload, solve_json
from app.label_cache import code_version
from app.questions import Question, Questions, question_of
from app.results import Results
from app.rows import loads
from app.sealing import Sealer
from app.storage import Store, Upload
from app.verification import Row, finder
from app.workers import Pool, Threads
from interactions.errors import InputError, OracleError

AT_ONCE = 8  # instances that one request has made at a time


@dataclass(frozen=True)
class Means:
    """What instances of questions are made with."""

    store: Store
    pool: Pool | Threads
    results: Results


class Lookup:
    """What one request finds its questions with."""

    def __init__(self, questions: Questions, sealer: Sealer, means: Means) -> None:
        self._questions = questions
        self._means = means
        self._find = finder(questions.get, sealer)
        self._made: dict[Instance, Question | OracleError] = {}

    async def fetch(self, rows: Sequence[object]) -> None:
        """Bring the questions of these rows to hand; rows that are none are passed over."""
        await self._questions.fetch(filter(None, map(stored_id, rows)))
        wanted = dict.fromkeys(filter(None, map(instance_or_none, rows)))
        if wanted:
            free = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*(self._make(instance, free) for instance in wanted if instance not in self._made))

    def __call__(self, row: Row) -> Question:
        """Raises InputError: ``not_found``, ``bad_seal``, ``other_question``, and what making an instance raises."""
        if row.instance is None:
            return self._find(row)
        made = self._made[row.instance]
        if isinstance(made, OracleError):
            raise made
        return made

    async def made(self, instance: Instance) -> bytes:
        """The question record of an instance, with its truth. Raises InputError (``not_found``) and OracleError."""
        key = ("instance", instance, code_version())
        return await self._means.results.once(key, partial(self._question, instance))

    async def solve(self, raw: dict[str, Any]) -> bytes:
        """The answer to the ``question`` of a request about its structure. Raises InputError and OracleError."""
        record, targets = raw["question"], raw.get("targets", [])
        if not isinstance(record, dict) or not isinstance(targets, list) or len(targets) > 1:
            raise InputError("'question' is a question record, 'targets' a list of at most one", code="bad_question")
        uploads = await self._uploads([named(raw), *map(named, targets)])
        return await self._run(solve_json, uploads, record)

    async def _make(self, instance: Instance, free: asyncio.Semaphore) -> None:
        async with free:
            try:
                self._made[instance] = question_of(loads(await self.made(instance)))
            except OracleError as error:
                self._made[instance] = error

    async def _question(self, instance: Instance) -> bytes:
        return await self._run(question_json, await self._uploads(instance.structures), instance)

    async def _uploads(self, of: Sequence[Named]) -> tuple[Upload, ...]:
        return tuple([await to_thread.run_sync(read_upload, self._means.store, one) for one in of])

    async def _run(self, call: Any, uploads: tuple[Upload, ...], what: object) -> bytes:
        key = f"{uploads[0].id} {uploads[0].selector}"
        answer: bytes = await self._means.pool.run(call, uploads, what, key=key)
        return answer


def stored_id(row: object) -> str | None:
    """The id of the stored question that a row names."""
    if not isinstance(row, dict) or row.get("sealed") is not None:
        return None
    name = row.get("id")
    return name if isinstance(name, str) else None


def instance_or_none(row: object) -> Instance | None:
    """The instance that a row names; what is wrong with a row is told where it is scored."""
    if not isinstance(row, dict) or "structure" not in row:
        return None
    try:
        return instance_of(row)
    except OracleError:
        return None

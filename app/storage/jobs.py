"""Jobs: who works on which, and what came of it. A worker that falls silent loses its job to another."""

from __future__ import annotations

from typing import Any

import orjson
from sqlalchemy import Connection, Row, and_, or_, select, update

from app.storage.records import Job, JobState
from app.storage.rows import checked, insert_new
from app.storage.tables import JOBS


def add(connection: Connection, job: Job, now: float) -> bool:
    checked(job.id, job.kind)
    row = {
        "id": job.id,
        "kind": job.kind,
        "parameters": _dumped(job.parameters),
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "result": job.result,
        "error": None if job.error is None else _dumped(job.error),
        "attempts": job.attempts,
        "created": now,
    }
    return bool(insert_new(connection, JOBS, [row]))


def get(connection: Connection, identifier: str) -> Job | None:
    checked(identifier)
    row = connection.execute(select(JOBS).where(JOBS.c.id == identifier)).one_or_none()
    return None if row is None else _job(row)


def listed(connection: Connection, state: JobState, limit: int) -> list[Job]:
    query = select(JOBS).where(JOBS.c.state == state).order_by(JOBS.c.created, JOBS.c.id).limit(limit)
    return [_job(row) for row in connection.execute(query)]


def claim(connection: Connection, worker: str, lease: float, now: float) -> Job | None:
    silent = and_(JOBS.c.state == "running", JOBS.c.seen + JOBS.c.lease < now)
    query = select(JOBS.c.id).where(or_(JOBS.c.state == "queued", silent)).order_by(JOBS.c.created, JOBS.c.id)
    identifier = connection.scalar(query.limit(1).with_for_update(skip_locked=True))
    if identifier is None:
        return None
    changes = {"state": "running", "worker": worker, "lease": lease, "seen": now, "attempts": JOBS.c.attempts + 1}
    connection.execute(update(JOBS).where(JOBS.c.id == identifier).values(changes))
    return get(connection, identifier)


def change(connection: Connection, identifier: str, worker: str, values: dict[str, Any]) -> bool:
    """Change a job that this worker holds; False where it holds it no longer."""
    held = and_(JOBS.c.id == identifier, JOBS.c.worker == worker, JOBS.c.state == "running")
    return connection.execute(update(JOBS).where(held).values(values)).rowcount == 1


def ended(result: str | None, error: dict[str, Any] | None) -> dict[str, Any]:
    """The values of a job that has come to its end."""
    if error is None:
        return {"state": "done", "result": result}
    return {"state": "failed", "result": result, "error": _dumped(error)}


def released() -> dict[str, Any]:
    """The values of a job that its worker gives back."""
    return {"state": "queued", "worker": None, "attempts": JOBS.c.attempts - 1}


def cancel(connection: Connection, identifier: str) -> bool:
    checked(identifier)
    open_ = and_(JOBS.c.id == identifier, JOBS.c.state.in_(("queued", "running")))
    return connection.execute(update(JOBS).where(open_).values(state="cancelled")).rowcount == 1


def _dumped(value: dict[str, Any]) -> str:
    return orjson.dumps(value).decode()


def _job(row: Row[Any]) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        parameters=orjson.loads(row.parameters),
        state=row.state,
        done=row.done,
        total=row.total,
        result=row.result,
        error=None if row.error is None else orjson.loads(row.error),
        attempts=row.attempts,
    )

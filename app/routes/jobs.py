"""Work that outlives a request: taken in, watched, cancelled, and its result."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal
from uuid import uuid4

import orjson
from anyio import to_thread
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import FileResponse, StreamingResponse
from starlette.background import BackgroundTask

from app.body import read_json
from app.dependencies import LimitsOf, RevealOf, SealerOf, StoreOf
from app.errors import NotFound
from app.jobs import KINDS
from app.jobs.results import json_lines, parquet_file
from app.jobs.runner import digest_of, job_record
from app.problems import ROWS, STORING, problems
from app.responses import json_response
from app.samples import JOB
from app.schemas import JobRecord, JobRequest, body
from app.storage import Job, Store
from interactions.errors import InputError, UnknownName

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
LOOK_SECONDS = 0.5  # between two looks at a job that is watched
COMMENT_SECONDS = 15.0  # a stream that says nothing for longer is cut by proxies
WATCH_SECONDS = 600.0  # then a watcher connects again
PARQUET = "application/vnd.apache.parquet"
KNOWN = {404: ("not_found",), **STORING}
Identifier = Annotated[str, Path(description="as the answer to the request tells", examples=[JOB])]


@router.post(
    "",
    operation_id="add_job",
    status_code=202,
    response_model=JobRecord,
    responses={200: {"description": "A job of this id and content was known", "model": JobRecord}}
    | problems(ROWS, STORING, {409: ("job_conflict",), 422: ("bad_instance", "bad_job", "bad_text", "unknown_name")}),
    openapi_extra=body({"application/json": JobRequest.model_json_schema()}),
)
async def add_job(request: Request, limits: LimitsOf, store: StoreOf) -> Response:
    """``label``, ``questions`` or ``score``; progress and result stand at the ``Location``.

    An ``id`` of your own makes the request safe to repeat.
    """
    raw = await read_json(request, limits.body_bytes)
    job, bodies = _read(raw, limits.rows)
    new = await to_thread.run_sync(store.add_job, job, bodies)
    kept = job if new else await _job(store, job.id)
    if kept.parameters != job.parameters or kept.kind != job.kind:
        raise InputError(f"a job {job.id!r} is known with other content", code="job_conflict")
    request.app.state.runner.wake()
    answer = json_response(job_record(kept), 202 if new else 200)
    answer.headers["location"] = f"/v1/jobs/{job.id}"
    return answer


def _read(raw: object, most: int) -> tuple[Job, list[bytes]]:
    if not isinstance(raw, dict) or not isinstance(raw.get("kind"), str):
        raise InputError("a job is an object with a 'kind'", code="bad_job")
    if raw["kind"] not in KINDS:
        raise UnknownName("kind of job", raw["kind"], KINDS)
    name = raw.get("id", uuid4().hex)
    if not isinstance(name, str) or not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise InputError("the 'id' of a job is made of letters, digits, - and _", code="bad_job")
    parameters, bodies = KINDS[raw["kind"]].read(raw, most)
    content = digest_of(raw | {"id": name})
    return Job(name, raw["kind"], parameters | {"content": content}, total=len(bodies)), bodies


async def _job(store: Store, identifier: str) -> Job:
    job = await to_thread.run_sync(store.job, identifier)
    if job is None:
        raise NotFound(f"no job {identifier!r} is known")
    return job


async def asked(identifier: Identifier, store: StoreOf) -> Job:
    return await _job(store, identifier)


JobOf = Annotated[Job, Depends(asked)]


@router.get("/{identifier}", operation_id="get_job", response_model=JobRecord, responses=problems(KNOWN))
async def get_job(job: JobOf) -> Response:
    return json_response(job_record(job))


@router.delete("/{identifier}", operation_id="cancel_job", response_model=JobRecord, responses=problems(KNOWN))
async def cancel_job(job: JobOf, store: StoreOf) -> Response:
    """A job that has ended stays as it is."""
    await to_thread.run_sync(store.cancel_job, job.id)
    return json_response(job_record(await _job(store, job.id)))


@router.get(
    "/{identifier}/events",
    operation_id="watch_job",
    response_class=StreamingResponse,
    responses={200: {"description": "Server-sent events", "content": {"text/event-stream": {}}}} | problems(KNOWN),
)
async def watch_job(job: JobOf, store: StoreOf) -> StreamingResponse:
    """An event ``progress`` with the job for each change, at last one named after its state."""
    return StreamingResponse(_events(store, job), media_type="text/event-stream")


async def _events(store: Store, job: Job) -> AsyncIterator[bytes]:
    told, silent = b"", 0.0
    for _ in range(int(WATCH_SECONDS / LOOK_SECONDS)):
        event = "progress" if job.state in ("queued", "running") else job.state
        data = orjson.dumps(job_record(job))
        if data != told:
            yield b"event: %s\ndata: %s\n\n" % (event.encode(), data)
            told, silent = data, 0.0
        if event != "progress":
            return
        if silent >= COMMENT_SECONDS:
            yield b": still there\n\n"
            silent = 0.0
        await asyncio.sleep(LOOK_SECONDS)
        silent += LOOK_SECONDS
        job = await _job(store, job.id)


@router.get(
    "/{identifier}/result",
    operation_id="get_job_result",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Records in the order of the request",
            "content": {"application/x-ndjson": {}, PARQUET: {}},
        }
    }
    | problems(KNOWN, {403: ("truth_hidden",), 409: ("not_ready",)}),
)
async def get_job_result(
    job: JobOf,
    store: StoreOf,
    sealer: SealerOf,
    reveal: RevealOf,
    format: Annotated[Literal["jsonl", "parquet"], Query()] = "jsonl",
) -> Response:
    """``detail=true``: with the truth, for those who may see it."""
    if job.state != "done":
        raise InputError(f"the job is {job.state}: {job.done} of {job.total} items are done", code="not_ready")
    if format == "jsonl":
        return StreamingResponse(json_lines(store, job, sealer, reveal), media_type="application/x-ndjson")
    path = await to_thread.run_sync(parquet_file, store, job, sealer, reveal)
    done: Any = BackgroundTask(path.unlink)
    return FileResponse(path, media_type=PARQUET, filename=f"{job.id}.parquet", background=done)

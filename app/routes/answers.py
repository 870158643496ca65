"""Instances of questions solved from the coordinates."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter, Request, Response

from app.body import read_json
from app.dependencies import LookupOf, SettingsOf
from app.instances import instance_of
from app.problems import JSON, MAKING, WORK, problems
from app.schemas import Answered, InstanceRequest, body
from interactions.errors import InputError

router = APIRouter(prefix="/v1/answer", tags=["questions"])


@router.post(
    "",
    operation_id="answer",
    response_model=Answered,
    responses=problems(JSON, MAKING, WORK, {422: ("bad_question", "other_complex")}),
    openapi_extra=body({"application/json": InstanceRequest.model_json_schema()}),
)
async def post_answer(request: Request, settings: SettingsOf, lookup: LookupOf) -> Response:
    """The question of an instance, made and solved; or a whole ``question`` record about the structure, solved."""
    raw = await read_json(request, settings.max_row_bytes)
    if not isinstance(raw, dict):
        raise InputError("an instance is an object with a structure and a task", code="bad_instance")
    if "question" in raw:
        return Response(await lookup.solve(raw), media_type="application/json")
    record: dict[str, Any] = orjson.loads(await lookup.made(instance_of(raw)))
    answer = {"id": record["id"], "task": record["kind"], "answer": record["answer"], "question": record}
    return Response(orjson.dumps(answer), media_type="application/json")

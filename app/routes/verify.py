"""Model answers scored: one, or many in a request."""

from __future__ import annotations

from functools import partial

import orjson
from fastapi import APIRouter, Request, Response

from app.body import answer_rows, read_json
from app.dependencies import LimitsOf, LookupOf, ScoringOf, SettingsOf
from app.problems import JSON, MAKING, ROWS, SCORING, WORK, problems
from app.schemas import AnswerRow, VerifyReply, body
from app.verification import reply_to, score_row

router = APIRouter(prefix="/v1/verify", tags=["verify"])
ROW = AnswerRow.model_json_schema()
REPLY = VerifyReply.model_json_schema(mode="serialization")
REPLIES = {"application/json": {"schema": {"type": "array", "items": REPLY}}, "application/x-ndjson": {"schema": REPLY}}


@router.post(
    "",
    operation_id="verify",
    response_model=VerifyReply,
    responses=problems(JSON, SCORING, MAKING, WORK),
    openapi_extra=body({"application/json": ROW}),
)
async def post_verify(request: Request, settings: SettingsOf, find: LookupOf, scoring: ScoringOf) -> Response:
    """One answer. A bad answer is a reply with score 0; an error only what is no question or no row."""
    raw = await read_json(request, settings.max_row_bytes)
    await find.fetch([raw])
    return Response(orjson.dumps(score_row(raw, find, scoring)), media_type="application/json")


@router.post(
    "/batch",
    operation_id="verify_batch",
    responses={200: {"content": REPLIES}} | problems(ROWS, SCORING),
    openapi_extra=body({"application/json": {"type": "array", "items": ROW}, "application/x-ndjson": ROW}),
)
async def post_batch(request: Request, limits: LimitsOf, find: LookupOf, scoring: ScoringOf) -> Response:
    """A JSON list or NDJSON; the replies come in the same form and order, each with its own ``status``."""
    return await answer_rows(request, limits, find.fetch, partial(reply_to, find=find, scoring=scoring))

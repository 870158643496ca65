"""The protocols of trainers: OpenRLHF's remote reward model, NeMo-Gym's verify."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.body import read_json
from app.dependencies import LimitsOf, LookupOf, ScoringOf
from app.problems import ROWS, SCORING, problems
from app.rows import dumps
from app.schemas import RewardQuery, Rewards, body
from app.sealing import PREFIX
from app.transcripts import openai_text, response_of
from app.verification import Reply, score_row
from interactions.errors import InputError

router = APIRouter(prefix="/compat", tags=["compat"])
LISTS = ("query", "prompts", "labels")
NEMO = {
    "type": "object",
    "required": ["responses_create_params", "response"],
    "properties": {name: {"type": "object"} for name in ("responses_create_params", "response", "verifier_metadata")}
    | {"id": {"type": "string"}, "sealed": {"type": "string"}},
}


@router.post(
    "/openrlhf/get_reward",
    operation_id="openrlhf_get_reward",
    response_model=Rewards,
    responses=problems(ROWS, SCORING),
    openapi_extra=body({"application/json": RewardQuery.model_json_schema()}),
)
async def get_reward(request: Request, limits: LimitsOf, find: LookupOf, scoring: ScoringOf) -> Response:
    """Rewards of responses; a label is a question's id or a sealed question. An unusable truth rewards 0."""
    rows = _reward_rows(await read_json(request, limits.body_bytes), limits.rows)
    await find.fetch(rows)
    return _json(_rewards([score_row(row, find, scoring) for row in rows]))


@router.post(
    "/nemo-gym/verify",
    operation_id="nemo_gym_verify",
    responses=problems(ROWS, SCORING),
    openapi_extra=body({"application/json": NEMO}),
)
async def nemo_gym_verify(request: Request, limits: LimitsOf, find: LookupOf, scoring: ScoringOf) -> Response:
    """The same body and ``reward``; ``id`` or ``sealed`` stand in it, or in ``verifier_metadata``."""
    sent = await read_json(request, limits.body_bytes)
    if not isinstance(sent, dict) or not {"responses_create_params", "response"} <= sent.keys():
        raise InputError("the body holds responses_create_params and response", code="bad_row")
    row = _nemo_row(sent)
    await find.fetch([row])
    return _json(sent | {"reward": score_row(row, find, scoring)["score"] or 0.0})


def _reward_rows(sent: object, most: int) -> list[dict[str, Any]]:
    lists = [sent.get(name) for name in LISTS] if isinstance(sent, dict) else []
    if not lists or not all(_is_texts(one) for one in lists) or len({len(one) for one in lists}) != 1:
        raise InputError(f"{', '.join(LISTS)} are lists of texts of one length", code="bad_row")
    if len(lists[0]) > most:
        raise InputError(f"more than {most} rows in one request", code="too_many_rows")
    return [
        _named(label) | {"response": response_of(query, prompt)} for query, prompt, label in zip(*lists, strict=True)
    ]


def _named(label: str) -> dict[str, str]:
    return {"sealed" if label.startswith(PREFIX) else "id": label}


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _rewards(replies: list[Reply]) -> dict[str, Any]:
    scores = [reply["score"] or 0.0 for reply in replies]
    logs = {name: [float(reply[name]) for reply in replies] for name in ("exact", "format_ok")}
    usable = [float(reply["score"] is not None) for reply in replies]
    return {"rewards": scores, "scores": scores, "extra_logs": logs | {"usable": usable}}


def _nemo_row(sent: dict[str, Any]) -> dict[str, Any]:
    metadata = sent.get("verifier_metadata")
    known = (metadata if isinstance(metadata, dict) else {}) | sent
    row = {name: known[name] for name in ("id", "sealed") if known.get(name) is not None}
    return row | {"response": openai_text(sent["response"])}


def _json(content: object) -> Response:
    return Response(dumps(content), media_type="application/json")

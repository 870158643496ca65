"""Questions with their truth: taken in, and given out without it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.body import read_json
from app.dependencies import LimitsOf, QuestionsOf, RevealOf, SealerOf
from app.problems import ROWS, SCORING, STORING, problems
from app.questions import Question, public, question_of
from app.rows import dumps
from app.schemas import body
from app.sealing import Sealer
from interactions.errors import InputError

router = APIRouter(prefix="/v1/questions", tags=["questions"])
RECORD = {
    "type": "object",
    "required": ["id", "kind", "complex"],
    "properties": {name: {"type": "string"} for name in ("id", "kind", "complex", "text")}
    | {"answer": {"type": ["string", "null"]}},
}
RECORDS = {"anyOf": [RECORD, {"type": "array", "items": RECORD}]}


@router.post(
    "",
    operation_id="add_questions",
    status_code=201,
    responses={200: {"description": "Nothing new was kept"}}
    | problems(ROWS, {422: ("bad_question", "bad_text", "invalid_request", "unknown_name")}, STORING),
    openapi_extra=body({"application/json": RECORDS}),
)
async def post_questions(
    request: Request, limits: LimitsOf, questions: QuestionsOf, sealer: SealerOf, keep: bool = True
) -> Response:
    """Question records, one or a list; a bad one refuses them all. ``keep=false`` only seals them.

    A stored question is never replaced: its id comes back under ``known``, whatever the new record says.
    """
    raw = await read_json(request, limits.body_bytes)
    found = _questions(raw if isinstance(raw, list) else [raw], limits.rows)
    new = await questions.add(found) if keep else set()
    stored = {one.id: one for one in await questions.read([one.id for one in found])} if keep else {}
    names = list(dict.fromkeys(one.id for one in found))
    added = [name for name in names if name in new]
    known = [name for name in names if keep and name not in new]
    shown = [_sealed(stored.get(one.id, one), sealer) for one in found]
    reply = {"added": added, "known": known, "questions": shown}
    return Response(dumps(reply), 201 if added else 200, media_type="application/json")


@router.get("/{id}", operation_id="get_question", responses=problems(SCORING))
async def get_question(id: str, questions: QuestionsOf, sealer: SealerOf, reveal: RevealOf) -> Response:
    """The question without its truth, and sealed; ``detail=true``: the whole record, for those who may see it."""
    found = await questions.read([id])
    if not found:
        raise InputError(f"no question {id!r} is stored", code="not_found")
    question = found[0]
    shown = question.record if reveal else public(question)
    return Response(dumps(shown | {"sealed": sealer.seal(question)}), media_type="application/json")


def _questions(records: list[object], most: int) -> list[Question]:
    if len(records) > most:
        raise InputError(f"more than {most} questions in one request", code="too_many_rows")
    return [question_of(record) for record in records]


def _sealed(question: Question, sealer: Sealer) -> dict[str, Any]:
    return public(question) | {"sealed": sealer.seal(question)}

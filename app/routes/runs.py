"""Runs: what the scores of a model's answers come to."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import orjson
from anyio import to_thread
from fastapi import APIRouter, Response

from app.dependencies import StoreOf
from app.errors import NotFound
from app.problems import STORING, problems
from app.responses import json_response
from app.schemas import RunRecord
from app.storage import Store

router = APIRouter(prefix="/v1/runs", tags=["jobs"])
PAGE = 1000


@router.get(
    "/{identifier}",
    operation_id="get_run",
    response_model=RunRecord,
    responses=problems({404: ("not_found",), 422: ("bad_text",)}, STORING),
)
async def get_run(identifier: str, store: StoreOf) -> Response:
    """Means by kind of the scores so far; the id is that of the ``score`` job. What has no score is not in them."""
    return json_response(await to_thread.run_sync(summary, store, identifier))


def summary(store: Store, identifier: str) -> dict[str, Any]:
    run = store.run(identifier)
    if run is None:
        raise NotFound(f"no run {identifier!r} is known")
    sums: dict[str, list[tuple[float, bool, bool]]] = defaultdict(list)
    answers, after = 0, -1
    while page := store.scores(identifier, after, PAGE):
        for one in map(orjson.loads, (score.record for score in page)):
            answers += 1
            if one["score"] is not None:
                sums[one["kind"]].append((one["score"], one["exact"], one["format_ok"]))
        after = page[-1].position
    kinds = {kind: _means(found) for kind, found in sorted(sums.items())}
    return {"id": run.id, **orjson.loads(run.record), "answers": answers, "kinds": kinds}


def _means(found: list[tuple[float, bool, bool]]) -> dict[str, float]:
    means = [sum(column) / len(found) for column in zip(*found, strict=True)]
    return {"scored": len(found), **dict(zip(("score", "exact", "format_ok"), means, strict=True))}

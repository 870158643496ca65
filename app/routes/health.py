"""Is the service up, and which criteria does it know?"""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request, Response

from app.problems import problems
from app.responses import json_response
from app.work import criteria_names, criteria_records
from app.workers import Busy

router = APIRouter(tags=["service"])
VERSION = version("misi-oracle")


@router.get("/health", operation_id="health")
async def health() -> dict[str, str]:
    return {"status": "ok", "version": VERSION}


@router.get("/ready", operation_id="ready", responses=problems({503: ("busy",)}))
async def ready(request: Request) -> dict[str, str]:
    """Whether a job would be taken now."""
    if not request.app.state.pool.is_free:
        raise Busy("no worker is free")
    return {"status": "ready"}


@router.get("/v1/criteria", operation_id="list_criteria")
def list_criteria() -> Response:
    """Every criteria set: names first, then each with its numbers, units and sources."""
    return json_response({"criteria": criteria_names(), "profiles": criteria_records()})

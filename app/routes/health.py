"""Is the service up, and which criteria does it know?"""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Response

from app.responses import json_response
from app.work import criteria_names, criteria_records

router = APIRouter(tags=["service"])


@router.get("/health", operation_id="health")
def health() -> dict[str, str]:
    return {"status": "ok", "version": version("misi-oracle")}


@router.get("/v1/criteria", operation_id="list_criteria")
def list_criteria() -> Response:
    """Every criteria set: names first, then each with its numbers, units and sources."""
    return json_response({"criteria": criteria_names(), "profiles": criteria_records()})

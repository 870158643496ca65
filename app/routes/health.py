"""Is the service up, and which criteria does it know?"""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter

from app.work import criteria_names

router = APIRouter(tags=["service"])


@router.get("/health", operation_id="health")
def health() -> dict[str, str]:
    return {"status": "ok", "version": version("misi-oracle")}


@router.get("/v1/criteria", operation_id="list_criteria")
def list_criteria() -> dict[str, list[str]]:
    return {"criteria": criteria_names()}

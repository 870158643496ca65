"""Numbers for Prometheus."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request, Response

from app.metrics import CONTENT_TYPE, Metrics

router = APIRouter(tags=["service"])


@router.get(
    "/metrics",
    operation_id="metrics",
    response_class=Response,
    responses={200: {"description": "Text format of Prometheus", "content": {"text/plain": {}}}},
)
def get_metrics(request: Request) -> Response:
    """Requests, times and sizes by route template."""
    return Response(cast(Metrics, request.app.state.metrics).text(), media_type=CONTENT_TYPE)

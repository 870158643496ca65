"""Errors as application/problem+json (RFC 9457)."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from app.logs import failure
from app.request_id import CURRENT
from interactions.errors import OracleError

METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
logger = logging.getLogger(__name__)

STATUS = {
    "too_large": 413,
    "too_many_rows": 413,
    "row_too_long": 413,
    "not_found": 404,
    "truth_hidden": 403,
    "job_conflict": 409,
    "not_ready": 409,
    "busy": 503,
    "out_of_memory": 503,
    "stopping": 503,
    "worker_died": 503,
    "timed_out": 504,
    "storage_busy": 503,
    "storage_unavailable": 503,
    "schema_unknown": 503,
    "storage_full": 507,
}
RETRY_SECONDS = {
    "busy": 1,
    "stopping": 10,
    "worker_died": 5,
    "out_of_memory": 60,
    "storage_busy": 1,
    "storage_unavailable": 10,
}


class NotFound(OracleError):
    """No structure with this id is stored."""

    code = "not_found"
    stage = "read"


def problem(status: int, code: str, detail: str, errors: list[dict[str, str]] | None = None) -> Response:
    """A problem document; ``errors`` holds pointer and detail of each wrong field."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
    }
    if (request_id := CURRENT.get()) is not None:
        body["request_id"] = request_id
    if errors:
        body["errors"] = errors
    return Response(orjson.dumps(body), status, media_type="application/problem+json")


async def _oracle_error(_: Request, error: Exception) -> Response:
    known = error if isinstance(error, OracleError) else OracleError(str(error))
    answer = problem(STATUS.get(known.code, 422), known.code, str(error))
    if STATUS.get(known.code) == 503:
        answer.headers["retry-after"] = str(RETRY_SECONDS.get(known.code, 60))
    return answer


async def _invalid_request(_: Request, error: Exception) -> Response:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    errors = [{"pointer": "/" + "/".join(map(str, e["loc"])), "detail": str(e["msg"])} for e in found]
    return problem(422, "invalid_request", "the request is not what this address expects", errors)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = str(error.detail) if isinstance(error, HTTPException) else ""
    answer = problem(status, HTTPStatus(status).name.lower(), detail)
    if isinstance(error, HTTPException) and error.headers:
        answer.headers.update(error.headers)
    if status == 405:
        answer.headers["allow"] = ", ".join(sorted(_methods(request)))
    return answer


def _methods(request: Request) -> set[str]:
    """What the address takes: the router tells only the methods of the first route that has it."""
    return {method for method in METHODS if _takes(request, method)}


def _takes(request: Request, method: str) -> bool:
    scope = {**request.scope, "method": method}
    return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)


async def _unexpected(_: Request, error: Exception) -> Response:
    """The last resort: app.envelope answers before this is reached."""
    logger.error("unexpected error", extra={"fields": failure(error)})
    return problem(500, "internal_error", "an unexpected error; it was logged")


def install(app: FastAPI) -> None:
    """Register one handler for each family of errors."""
    app.add_exception_handler(OracleError, _oracle_error)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)

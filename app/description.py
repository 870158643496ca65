"""The OpenAPI document: what FastAPI writes, with every problem, the keys and a sample for each operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app import problems, records
from app.guard import OPEN, needed_role
from app.samples import CURL

Document = dict[str, Any]

DESCRIPTION = (
    "Interaction labels of protein–ligand complexes. Å and degrees. Errors are `application/problem+json`. "
    "Where the operator has configured API keys, send one as `Authorization: Bearer` or `X-API-Key`. "
    "A request body may be packed with `Content-Encoding: gzip`."
)
SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "api_key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
OPTIONAL_KEY: list[dict[str, list[str]]] = [{"bearer": []}, {"api_key": []}, {}]
_REPLACED = ("HTTPValidationError", "ValidationError")


def operations(document: Document) -> Iterator[tuple[str, str, Document]]:
    """Path, method and description of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def describe(app: FastAPI) -> Document:
    """The document of this application."""
    document = get_openapi(title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes)
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in _REPLACED:
        schemas.pop(name, None)
    schemas.update(records.SCHEMAS, Problem=problems.SCHEMA)
    components["securitySchemes"] = SCHEMES
    components["responses"] = {
        _name(status): problems.response(status, codes)
        for status, codes in sorted((problems.ANY | problems.WITH_BODY).items())
    }
    for name, schema in schemas.items():
        if name.startswith("Body_"):
            schema["properties"] = {field: _without_null(one) for field, one in schema["properties"].items()}
    for path, method, operation in operations(document):
        _finish(path, method, operation)
    return document


def _without_null(field: Document) -> Document:
    """A form field may be left out, but a form has no null."""
    options = [option for option in field.get("anyOf", ()) if option != {"type": "null"}]
    return {**{key: value for key, value in field.items() if key != "anyOf"}, **options[0]} if options else field


def _name(status: int) -> str:
    return f"Problem{status}"


def _finish(path: str, method: str, operation: Document) -> None:
    records.describe_answer(operation)
    answers = operation["responses"]
    for status, answer in answers.items():
        if "application/problem+json" in answer.get("content", {}) and "#/components/schemas/Problem" not in str(
            answer
        ):
            answers[status] = problems.response(int(status), ())
    if "HTTPValidationError" in str(answers.get("422")):
        answers["422"] = problems.response(422, ())
    role = needed_role(method.upper(), path)
    common = [status for status in problems.ANY if role or status not in (401, 403)]
    common += list(problems.WITH_BODY) if "requestBody" in operation else []
    for status in common:
        answers.setdefault(str(status), {"$ref": f"#/components/responses/{_name(status)}"})
    operation["responses"] = dict(sorted(answers.items()))
    operation["security"] = OPTIONAL_KEY if path not in OPEN else []
    operation["x-role"] = role
    if (sample := CURL.get(operation["operationId"])) is not None:
        operation["x-codeSamples"] = [{"lang": "Shell", "label": "curl", "source": sample}]


def install(app: FastAPI) -> None:
    """Let ``app.openapi()`` give this document, made once."""

    def openapi() -> Document:
        if app.openapi_schema is None:
            app.openapi_schema = describe(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]

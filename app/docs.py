"""The page /docs, written from the OpenAPI document: no script, nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from app.description import operations

_CODE = re.compile(r"``?([^`]+)``?")


@cache
def _template() -> str:
    return (files("app") / "docs.html").read_text("utf-8")


def _policy(page: str) -> str:
    """Only the page's own style element may apply, told by its digest."""
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; frame-ancestors 'none'"


def _text(words: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(words, quote=False))


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    options = [_kind(option) for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    kind = str(schema.get("type") or " | ".join(options) or "any")
    return "file" if schema.get("contentMediaType") or schema.get("format") == "binary" else kind


def _rows(operation: dict[str, Any], schemas: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Name, place, kind and description of each parameter and field."""
    rows = []
    for one in operation.get("parameters", ()):
        schema = one["schema"]
        about = one.get("description") or schema.get("description", "")
        if schema.get("default") is not None:
            about += f" (default `{schema['default']}`)"
        rows.append((one["name"], one["in"], _kind(schema), about))
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = content.get("schema", {})
        schema = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
        for name, field in schema.get("properties", {}).items():
            rows.append((name, kind, _kind(field), field.get("description", "")))
    return rows


def _parameters(operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    cells = [
        f"<tr><td><code>{escape(name)}</code><td>{escape(place)}<td>{escape(kind)}<td>{_text(about)}"
        for name, place, kind, about in _rows(operation, schemas)
    ]
    return "<table><tr><th>name<th>in<th>kind<th>" + "".join(cells) + "</table>" if cells else ""


def _answers(operation: dict[str, Any], shared: dict[str, Any]) -> str:
    cells = []
    for status, answer in operation["responses"].items():
        answer = shared.get(answer.get("$ref", "").rpartition("/")[2], answer)
        cells.append(f"<tr><td>{escape(status)}<td>{_text(answer['description'])}")
    return "<table><tr><th>status<th>" + "".join(cells) + "</table>"


def _section(path: str, method: str, operation: dict[str, Any], components: dict[str, Any]) -> str:
    name = escape(operation["operationId"])
    samples = "".join(f"<pre>{escape(one['source'])}</pre>" for one in operation.get("x-codeSamples", ()))
    about = _text(operation.get("description", operation.get("summary", "")))
    role = f" Role: <code>{operation['x-role']}</code>." if operation.get("x-role") else " No key needed."
    return (
        f'<section id="{name}"><h2><code>{method.upper()} {escape(path)}</code></h2><p>{about}{role}</p>'
        f"{samples}{_parameters(operation, components['schemas'])}"
        f"{_answers(operation, components['responses'])}</section>"
    )


def page(document: dict[str, Any]) -> str:
    """The whole page: a list of the operations, then each with parameters, answers and a line to try."""
    found = list(operations(document))
    index = "".join(
        f'<li><a href="#{escape(one["operationId"])}"><code>{method.upper()} {escape(path)}</code></a>'
        for path, method, one in found
    )
    sections = "".join(_section(path, method, one, document["components"]) for path, method, one in found)
    text = _template().replace("{{description}}", _text(document["info"]["description"]))
    return text.replace("{{index}}", index).replace("{{sections}}", sections)


def install(app: FastAPI) -> None:
    """Serve the page at /docs."""

    def docs() -> HTMLResponse:
        text = page(app.openapi())
        return HTMLResponse(text, headers={"content-security-policy": _policy(text)})

    app.add_api_route("/docs", docs, include_in_schema=False)

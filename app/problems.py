"""Which codes an answer may have that is no success, for the description of the service."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

READING = (
    "bad_coordinates",
    "bad_record",
    "binary_file",
    "empty_file",
    "html_page",
    "invalid_input",
    "invalid_request",
    "missing_file",
    "no_atoms",
    "truncated_gzip",
    "unknown_format",
)
CHOOSING = ("ambiguous_ligand", "ligand_choice", "no_ligand", "no_receptor", "unknown_ligand")
LABELLING = (
    "bad_criteria",
    "bad_interval",
    "bad_pocket",
    "bad_smarts",
    "bad_tolerance",
    "bond_order",
    "bond_orders",
    "chemistry",
    "component_index",
    "hydrogens_failed",
    "hydrogens_timed_out",
    "no_components",
    "no_ligand_atoms",
    "unknown_name",
    "valence",
)
NAMING_ATOMS = ("ambiguous_atom", "ambiguous_residue", "missing_atom", "unknown_atom", "unknown_residue")
STORED = {
    404: ("not_found",),
    422: ("bad_text", *READING, *CHOOSING, *LABELLING),
    503: ("schema_unknown", "storage_busy", "storage_unavailable"),
}

JSON = {413: ("row_too_long", "too_large"), 422: ("bad_json", "bad_row")}
ROWS = {413: ("row_too_long", "too_large", "too_many_rows"), 422: ("bad_json", "bad_row")}
MAKING = {
    404: ("not_found",),
    422: (
        *("bad_instance", "bad_text", "no_decoy", "no_more_questions", "no_target"),
        *(*READING, *CHOOSING, *LABELLING),
    ),
    503: ("schema_unknown", "storage_busy", "storage_unavailable"),
}
SCORING = {403: ("truth_hidden",), 404: ("not_found",), 422: ("bad_seal", "invalid_request", "other_question")}
STORING = {503: ("schema_unknown", "storage_busy", "storage_unavailable"), 507: ("storage_full",)}
WORK = {503: ("busy", "out_of_memory", "stopping", "worker_died"), 504: ("timed_out",)}

ANY = {
    401: ("unauthorized",),
    403: ("forbidden", "truth_hidden"),
    429: ("too_many_requests",),
    500: ("internal_error",),
}
WITH_BODY = {400: ("bad_gzip", "bad_request"), 408: ("too_slow",), 413: ("too_large",), 415: ("unsupported_encoding",)}
HEADERS = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}
SCHEMA: dict[str, Any] = {
    "title": "Problem",
    "description": "RFC 9457; `code` is a stable name for programs, `detail` a sentence for people.",
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "pattern": "^[a-z_]+$"},
        "request_id": {"type": "string", "description": "stands in the log as well"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "detail"],
                "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}


def response(status: int, codes: Iterable[str]) -> dict[str, Any]:
    """One documented answer. Without codes any code may stand in it."""
    known = sorted(set(codes))
    schema: dict[str, Any] = {"$ref": "#/components/schemas/Problem"}
    if known:
        schema = {"allOf": [schema, {"properties": {"status": {"const": status}, "code": {"enum": known}}}]}
    listed = ", ".join(f"`{code}`" for code in known)
    documented: dict[str, Any] = {
        "description": HTTPStatus(status).phrase + (f": {listed}" if listed else ""),
        "content": {"application/problem+json": {"schema": schema}},
    }
    if status in HEADERS:
        documented["headers"] = {HEADERS[status]: {"schema": {"type": "string"}}}
    return documented


def problems(*tables: Mapping[int, Iterable[str]]) -> dict[int | str, dict[str, Any]]:
    """``responses`` of a route, from tables of codes by status; the same status twice joins its codes."""
    joined: dict[int, set[str]] = {}
    for table in tables:
        for status, codes in table.items():
            joined.setdefault(status, set()).update(codes)
    return {status: response(status, joined[status]) for status in sorted(joined)}

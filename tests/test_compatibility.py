"""A client written for tests/openapi_baseline.json must go on working.

After an addition, renew the baseline: ``python tests/test_compatibility.py``. It refuses where something would break.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from compatibility import breaking, contract

HERE = Path(__file__).parent
BASELINE = HERE / "openapi_baseline.json"
COMMITTED = HERE.parent / "openapi.yaml"


def current() -> dict[str, Any]:
    return contract(yaml.safe_load(COMMITTED.read_text("utf-8")))


def baseline() -> dict[str, Any]:
    return json.loads(BASELINE.read_text("utf-8"))


def test_nothing_that_clients_rely_on_has_changed() -> None:
    assert breaking(baseline(), current()) == []


def small() -> dict[str, Any]:
    """A description of one operation, written by hand."""
    return {
        "components": {"schemas": {"Form": {"properties": {"file": {}, "note": {}}, "required": ["file"]}}},
        "paths": {
            "/things/{id}": {
                "post": {
                    "operationId": "add",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                        {"name": "kind", "in": "query", "schema": {"type": "string", "enum": ["a", "b"]}},
                    ],
                    "requestBody": {
                        "content": {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/Form"}}}
                    },
                    "responses": {
                        "200": {"content": {"application/json": {"schema": {"properties": {"score": {}}}}}},
                        "404": {"content": {"application/problem+json": {"schema": {}}}},
                    },
                }
            }
        },
    }


def add(document: dict[str, Any]) -> dict[str, Any]:
    return document["paths"]["/things/{id}"]["post"]


BREAKS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "path": (lambda d: d["paths"].clear(), "POST /things/{id}: gone"),
    "method": (lambda d: d["paths"].update({"/things/{id}": {"get": add(d)}}), "POST /things/{id}: gone"),
    "operation_id": (lambda d: add(d).update(operationId="put"), "operation id changed"),
    "parameter": (lambda d: add(d)["parameters"].pop(), "parameter query kind gone"),
    "required": (lambda d: add(d)["parameters"][1].update(required=True), "parameter query kind now required"),
    "new_required": (
        lambda d: add(d)["parameters"].append(
            {"name": "who", "in": "query", "required": True, "schema": {"type": "string"}}
        ),
        "parameter query who now required",
    ),
    "type": (
        lambda d: add(d)["parameters"][0]["schema"].update(type="integer"),
        "parameter path id is of another type",
    ),
    "choice": (lambda d: add(d)["parameters"][1]["schema"]["enum"].remove("b"), "parameter query kind takes fewer"),
    "new_choices": (
        lambda d: add(d)["parameters"][0]["schema"].update(enum=["x"]),
        "parameter path id takes fewer values",
    ),
    "body_kind": (
        lambda d: add(d)["requestBody"].update(content={"application/json": {}}),
        "body multipart/form-data no longer taken",
    ),
    "body_required": (lambda d: add(d)["requestBody"].update(required=True), "body now required"),
    "field": (lambda d: d["components"]["schemas"]["Form"]["properties"].pop("note"), "field note gone"),
    "field_required": (
        lambda d: d["components"]["schemas"]["Form"]["required"].append("note"),
        "field note now required",
    ),
    "answer": (lambda d: add(d)["responses"].pop("404"), "answer 404 gone"),
    "answer_kind": (
        lambda d: add(d)["responses"]["404"].update(content={"text/html": {}}),
        "answer 404 is no longer application/problem+json",
    ),
    "answer_key": (
        lambda d: add(d)["responses"]["200"]["content"]["application/json"]["schema"]["properties"].pop("score"),
        "answer 200 lost score",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_breaking_change_is_told(name: str) -> None:
    change, told = BREAKS[name]
    changed = copy.deepcopy(small())
    change(changed)
    found = breaking(contract(small()), contract(changed))
    assert len(found) == 1
    assert told in found[0]


def test_additions_break_nothing() -> None:
    grown = copy.deepcopy(small())
    grown["paths"]["/more"] = {"get": {"operationId": "more", "responses": {"200": {}}}}
    add(grown)["parameters"].append({"name": "who", "in": "query", "schema": {"type": "string"}})
    add(grown)["parameters"][1]["schema"]["enum"].append("c")
    add(grown)["responses"]["503"] = {}
    grown["components"]["schemas"]["Form"]["properties"]["colour"] = {}
    assert breaking(contract(small()), contract(grown)) == []
    assert breaking(contract(grown), contract(small())) != []


def renew() -> int:
    broken = breaking(baseline(), current()) if BASELINE.exists() else []
    if broken:
        print("\n".join(broken), file=sys.stderr)
        return 1
    BASELINE.write_text(json.dumps(current(), indent=1, sort_keys=True) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(renew())

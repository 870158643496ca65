"""Models of bodies, samples and documented errors; the page /docs."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args

import pytest
from fastapi import APIRouter
from fastapi.testclient import TestClient
from pydantic import BaseModel, ConfigDict, ValidationError

import app.routes
from app import keys
from app.description import operations
from app.docs import page
from app.example import FOLDER
from app.main import create_app
from app.samples import ADDRESS, CURL, EXAMPLE
from app.settings import Settings

SECRETS = {role: f"misi_{role}-secret" for role in keys.ROLES}
LINES = "\n".join(f"{role}-key {role} sha256:{keys.digest_of(secret)}" for role, secret in SECRETS.items())


@contextmanager
def service(**settings: Any) -> Iterator[TestClient]:
    with TestClient(
        create_app(Settings(database=":memory:", workers=0, **settings)), raise_server_exceptions=False
    ) as client:
        yield client


def models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Models that a body of this annotation is read into, also inside lists, unions and other models."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        for field in annotation.model_fields.values():
            yield from models(field.annotation)
    for inner in get_args(annotation):
        yield from models(inner)


def lax(routers: Iterable[APIRouter]) -> list[str]:
    """Models of bodies where a bool is a number, a text is a number, or an unknown key passes."""
    wanted = {"strict": True, "extra": "forbid"}
    bodies = [one for router in routers for route in router.routes for one in route.dependant.body_params]
    found = [model for body in bodies for model in models(body.field_info.annotation)]
    return [one.__name__ for one in found if wanted.items() - one.model_config.items()]


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    number: float


class Lax(BaseModel):
    inner: list[Strict] | None = None


def take(one: Lax, two: Strict) -> None:
    del one, two


def test_every_model_of_a_body_is_strict() -> None:
    router = APIRouter()
    router.add_api_route("/", take, methods=["POST"])
    assert lax([router]) == ["Lax"]
    with pytest.raises(ValidationError):
        Strict(number=True)
    modules = [import_module(f"app.routes.{one.name}") for one in iter_modules(app.routes.__path__)]
    assert lax(module.router for module in modules) == []


def test_every_operation_has_a_sample_and_an_id() -> None:
    found = [
        operation for _, _, operation in operations(create_app(Settings(database=":memory:", workers=0)).openapi())
    ]
    assert len({one["operationId"] for one in found}) == len(found)
    assert [one["operationId"] for one in found if not one.get("x-codeSamples")] == []


def run_sample(client: TestClient, line: str) -> Any:
    """Send what a curl line would send; options -F, -d, -H, -X and an address."""
    words = iter(shlex.split(line)[1:])
    files, fields, headers, body, address, method = {}, {}, {}, None, "", "GET"
    for word in words:
        if word == "-F":
            name, value = next(words).split("=", 1)
            if value.startswith("@"):
                files[name] = (Path(value).name, (FOLDER.parent / value[1:]).read_bytes())
            else:
                fields[name] = value
        elif word in ("-d", "--data-binary"):
            body = next(words).encode()
        elif word == "-X":
            method = next(words)
        elif word == "-H":
            name, value = next(words).split(": ", 1)
            headers[name] = value
        else:
            address = word.removeprefix(ADDRESS)
    if files or body is not None:
        return client.post(address, files=files or None, data=fields or None, content=body, headers=headers)
    return client.request(method, address, headers=headers)


def test_every_sample_runs() -> None:
    with service(example=FOLDER) as client:
        known = {operation["operationId"] for _, _, operation in operations(client.app.openapi())}
        for name in (name for name in CURL if name in known):
            answer = run_sample(client, CURL[name])
            assert answer.status_code in (200, 201, 202), (name, answer.text[:300])
            assert answer.content


def test_every_problem_is_documented() -> None:
    with service(example=FOLDER, api_keys=LINES) as client:
        for name, operation in ((one["operationId"], one) for _, _, one in operations(client.app.openapi())):
            answers = operation["responses"]
            protected = operation["x-role"] is not None
            assert ({"401", "403"} <= answers.keys()) == protected, name
            assert {"429", "500"} <= answers.keys(), name
            if "requestBody" in operation:
                assert {"400", "413", "415", "422"} <= answers.keys(), name


PROBLEMS = {
    "explain": ("?receptor_atom=A:A:1:X", "missing_atom"),
    "get_labels": ("?ligand=ZZZ", "unknown_ligand"),
    "get_contacts": ("?criteria=none", "unknown_name"),
    "get_pocket": ("?cutoff=x", "invalid_request"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_codes_of_answers_are_documented(name: str) -> None:
    query, code = PROBLEMS[name]
    with service(example=FOLDER) as client:
        path, _, operation = next(one for one in operations(client.app.openapi()) if one[2]["operationId"] == name)
        answer = client.get(path.replace("{identifier}", EXAMPLE) + query)
        assert (answer.status_code, answer.json()["code"]) == (422, code)
        assert f"`{code}`" in operation["responses"]["422"]["description"]


def test_the_page_names_every_operation_and_needs_nothing_from_elsewhere() -> None:
    document = create_app(Settings(database=":memory:", workers=0)).openapi()
    text = page(document)
    for path, method, operation in operations(document):
        assert f"{method.upper()} {path}</code></h2>" in text
        assert f'id="{operation["operationId"]}"' in text
    assert not any(word in text for word in ("<script", "<link", "<img", "src=", "https://", "{{"))


def test_the_style_of_the_page_is_allowed_by_its_policy() -> None:
    import base64
    import hashlib

    with service() as client:
        answer = client.get("/docs")
    style = answer.text.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in answer.headers["content-security-policy"]
    assert 'style="' not in answer.text

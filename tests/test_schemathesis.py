"""Requests made from the description: the service answers each as its description says."""

from __future__ import annotations

import json

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CheckContext
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from app.example import FOLDER
from app.main import create_app
from app.settings import Settings

STATUS_PER_ROW = {"verify_batch"}  # a wrong row is told in its own reply, the others are scored

schema = schemathesis.openapi.from_asgi(
    "/openapi.json", create_app(Settings(database=":memory:", workers=0, example=FOLDER, max_upload_bytes=1_000_000))
)


@schemathesis.serializer("application/x-ndjson")
def one_line(context: schemathesis.SerializationContext, value: object) -> bytes:
    del context
    return json.dumps(value).encode() + b"\n"


def refused_by_form(context: CheckContext, response: schemathesis.Response, case: schemathesis.Case) -> bool | None:
    """A request in the described form may be refused for what it names (a ligand, an atom), never for its form."""
    try:
        return positive_data_acceptance(context, response, case)
    except RejectedPositiveData:
        if response.json()["code"] in ("invalid_request", "bad_request"):
            raise
    return None


@schema.parametrize()
@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_service_keeps_to_its_description(case: schemathesis.Case) -> None:
    excluded = [positive_data_acceptance]
    if case.operation.definition.raw["operationId"] in STATUS_PER_ROW:
        excluded.append(negative_data_rejection)
    case.call_and_validate(additional_checks=[refused_by_form], excluded_checks=excluded)

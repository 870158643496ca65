"""Ask questions about stored structures, and keep them for verification; the result shows them without their truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from app.asking import TARGETS, Plan, answerable, questions_of
from app.instances import scene, whole_number
from app.jobs.base import (
    JobKind,
    Lines,
    Parameters,
    Record,
    Tools,
    failure_of,
    guarded,
    of_body,
    only,
    structures,
    text,
    upload_or_error,
)
from app.questions import public, question_of
from app.sealing import Sealer
from app.storage import Job, Question, Store, Upload
from app.work import criteria_names
from interactions.errors import InputError, OracleError, UnknownName
from interactions.questions.answers import KINDS
from interactions.questions.generate import NEEDS_TARGET

COLUMNS = tuple("id kind complex text options answer images metadata sealed status error".split())
FIELDS = {"structures", "tasks", "seed", "count", "test_share", "criteria"}


def read(raw: Record, most: int) -> tuple[Parameters, list[bytes]]:
    only(raw, FIELDS)
    tasks, share = raw.get("tasks", list(KINDS)), raw.get("test_share", 0.1)
    if not isinstance(tasks, list) or not tasks:
        raise InputError("'tasks' is a list of kinds of questions", code="bad_job")
    for task in tasks:
        if task not in KINDS:
            raise UnknownName("question kind", str(task), KINDS)
    if type(share) not in (int, float) or not 0 <= share <= 1:
        raise InputError("'test_share' is a number from 0 to 1", code="bad_job")
    bodies = structures(raw, most)
    parameters = {
        "tasks": tasks,
        "seed": whole_number(raw, "seed"),
        "count": whole_number(raw, "count", None),
        "test_share": float(share),
        "criteria": text(raw, "criteria", "chimerax", criteria_names()),
        "targets": [orjson.loads(body) for body in bodies[:TARGETS]] if NEEDS_TARGET & set(tasks) else [],
    }
    return parameters, bodies


Named = list[tuple[str, Upload | OracleError]]


def gather(tools: Tools, parameters: Parameters, bodies: Sequence[bytes]) -> tuple[Plan, Named, Named]:
    plan = Plan(
        tuple(parameters["tasks"]),
        parameters["seed"],
        parameters["count"],
        parameters["test_share"],
        parameters["criteria"],
    )
    targets = [orjson.dumps(one) for one in parameters["targets"]]
    return plan, _uploads(tools, bodies), _uploads(tools, targets)


def _uploads(tools: Tools, bodies: Sequence[bytes]) -> Named:
    return [(name, upload_or_error(tools.store, of)) for name, of in map(of_body, bodies)]


def work(plan: Plan, uploads: Named, targets: Named) -> list[Lines]:
    others = [made for name, upload in targets if (made := _target(name, upload, plan)) is not None]

    def make(name: str, upload: Upload | OracleError) -> list[Record]:
        if isinstance(upload, OracleError):
            raise upload
        here = scene(upload, plan.criteria, name)
        kinds = answerable(plan.kinds, here, others) if set(plan.kinds) == set(KINDS) else plan.kinds
        return list(questions_of(here, others, replace(plan, kinds=kinds)))

    return [guarded(name, lambda name=name, upload=upload: make(name, upload)) for name, upload in uploads]  # type: ignore[misc]


def _target(name: str, upload: Upload | OracleError, plan: Plan) -> Any:
    """The scene of another complex; one that cannot be read fails as itself, and is no target."""
    try:
        return None if isinstance(upload, OracleError) else scene(upload, plan.criteria, name)
    except OracleError:
        return None


def keep(store: Store, _: Job, records: Mapping[int, Lines]) -> None:
    made = [orjson.loads(line) for some in records.values() for line in some.splitlines()]
    found = [record for record in made if "answer" in record]
    store.add_questions([Question(one["id"], one["kind"], one["complex"], orjson.dumps(one)) for one in found])


def shown(record: Record, sealer: Sealer) -> Record:
    if "answer" not in record:
        return record
    question = question_of(record)
    return public(question) | {"sealed": sealer.seal(question)}


KIND = JobKind(read, gather, work, failure_of, chunk=1, shown=shown, keep=keep, columns=COLUMNS)

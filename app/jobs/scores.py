"""Score the answers of a run: a score line each, in the order of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from app.jobs.base import JobKind, Lines, Parameters, Record, Tools, lines, only, text
from app.questions import Question, question_of
from app.rows import dumps, loads
from app.sealing import Sealer
from app.storage import Job, Run, Score, Store
from app.verification import Find, Row, Scoring, finder, refused, row_of
from interactions.errors import InputError, OracleError
from interactions.questions.reading import MODES, read_truth
from interactions.questions.scoring import METRICS, hide_truth, truth_sizes, verify

COLUMNS = tuple(
    "id kind complex score exact format_ok parsed span reason detail flags status task metric mode version "
    "truth_sizes".split()
)
Found = tuple[Row | None, Question | OracleError]


def read(raw: Record, most: int) -> tuple[Parameters, list[bytes]]:
    only(raw, {"answers", "metric", "mode", "model"})
    answers = raw.get("answers")
    if not isinstance(answers, list) or not answers:
        raise InputError("'answers' is a list of rows, as for /v1/verify/batch", code="bad_job")
    if len(answers) > most:
        raise InputError(f"more than {most} answers in one job", code="too_many_rows")
    parameters = {
        "metric": text(raw, "metric", "misi", METRICS),
        "mode": text(raw, "mode", "strict", MODES),
        "model": text(raw, "model", ""),
    }
    return parameters, [dumps(answer) for answer in answers]


def gather(tools: Tools, parameters: Parameters, bodies: Sequence[bytes]) -> tuple[Scoring, list[Found]]:
    scoring = Scoring(parameters["metric"], parameters["mode"], show=True)
    raw = [loads(body) for body in bodies]
    ids = [row["id"] for row in raw if isinstance(row, dict) and isinstance(row.get("id"), str)]
    stored = {row.id: question_of(loads(row.record)) for row in tools.store.questions(ids)}
    find = finder(stored.get, tools.sealer)
    return scoring, [_found(row, scoring, find) for row in raw]


def _found(raw: object, scoring: Scoring, find: Find) -> Found:
    row = None
    try:
        row = row_of(raw, scoring)
        return row, find(row)
    except OracleError as error:
        return row, error


def work(scoring: Scoring, found: Sequence[Found]) -> list[Lines]:
    return [lines([_scored(scoring, row, question)]) for row, question in found]


def _scored(scoring: Scoring, row: Row | None, question: Question | OracleError) -> Record:
    if row is None or isinstance(question, OracleError):
        error = question if isinstance(question, OracleError) else InputError("no row", code="bad_row")
        return {"id": None if row is None else row.id, "kind": None, "complex": None} | refused(error, scoring)
    reply = verify(question.kind, row.response, question.answer, metric=row.metric, mode=row.mode)
    truth = None if question.answer is None else read_truth(question.kind, question.answer)
    about = {"id": question.id, "kind": question.kind, "complex": question.complex}
    return about | reply | ({} if truth is None else {"truth_sizes": truth_sizes(truth)})


def keep(store: Store, job: Job, records: Mapping[int, Lines]) -> None:
    """The job is a run, kept by its id: scores outlive what else is known of the job."""
    named = {name: job.parameters[name] for name in ("model", "metric", "mode")}
    store.add_run(Run(job.id, orjson.dumps(named)))
    scored = {position: orjson.loads(line) for position, line in records.items()}
    store.add_scores(job.id, [Score(at, one["id"] or "", records[at]) for at, one in scored.items()])


def failed(body: bytes, error: OracleError) -> Record:
    row = loads(body)
    name = row.get("id") if isinstance(row, dict) else None
    return {"id": name, "kind": None, "complex": None} | refused(error, Scoring())


def shown(record: Record, _: Sealer) -> Record:
    return {name: value for name, value in hide_truth(record).items() if name != "truth_sizes"}


KIND = JobKind(read, gather, work, failed, chunk=500, shown=shown, keep=keep, columns=COLUMNS)

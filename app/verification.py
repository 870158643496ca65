"""Answers scored against questions: the same function for REST, adapters and Python. Knows no web framework."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.instances import Instance, instance_of
from app.questions import Question
from app.sealing import Sealer
from interactions.errors import InputError, OracleError
from interactions.questions.reading import MODES
from interactions.questions.scoring import METRICS, VERSION, hide_truth, verify

Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scoring:
    """How to score where a row does not say; ``show``: with item-by-item verdicts, which tell the truth."""

    metric: str = "misi"
    mode: str = "strict"
    show: bool = False


class Row(NamedTuple):
    """One answer: to a stored question by ``id``, to a ``sealed`` one, or to an instance about a structure.

    ``response`` may be anything.
    """

    id: str | None
    sealed: str | None
    response: object
    metric: str
    mode: str
    instance: Instance | None = None


Find = Callable[[Row], Question]


def finder(stored: Callable[[str], Question | None], sealer: Sealer) -> Find:
    """Looks up the question of a row that names it by id or sealed; raises InputError: ``not_found``, ``bad_seal``,
    ``other_question``, ``no_structures`` for one that names a structure."""

    def find(row: Row) -> Question:
        if row.instance is not None:
            raise InputError("structures are not at hand here: name the question by id or sealed", code="no_structures")
        question = stored(row.id or "") if row.sealed is None else sealer.open_sealed(row.sealed)
        if question is None:
            raise InputError("no question of this id is stored", code="not_found")
        if row.id is not None and row.id != question.id:
            raise InputError("id and sealed question are not of the same question", code="other_question")
        return question

    return find


def score(question: Question, response: object, scoring: Scoring) -> Reply:
    """The verify reply. Raises UnknownName for a metric or mode that is not there, nothing for any response."""
    reply = verify(question.kind, response, question.answer, metric=scoring.metric, mode=scoring.mode)
    return reply if scoring.show else hide_truth(reply)


def score_row(raw: object, find: Find, scoring: Scoring) -> Reply:
    """The verify reply to one row as it came in. Raises InputError where it is no row, or has no question."""
    row = row_of(raw, scoring)
    return score(find(row), row.response, Scoring(row.metric, row.mode, scoring.show))


def reply_to(raw: object, find: Find, scoring: Scoring) -> Reply:
    """As ``score_row``; a row that cannot be scored is a reply too, its ``status`` the error's code."""
    try:
        return score_row(raw, find, scoring)
    except OracleError as error:
        return refused(error, scoring)


def row_of(raw: object, scoring: Scoring) -> Row:
    """Raises InputError (``bad_row``), or the error that was found in place of the row."""
    if isinstance(raw, OracleError):
        raise raw
    if not isinstance(raw, dict) or "response" not in raw:
        raise InputError("a row is an object with a response, and an id or a sealed question", code="bad_row")
    name, sealed = raw.get("id"), raw.get("sealed")
    instance = instance_of(raw) if "structure" in raw else None
    if not _is_text(name) or not _is_text(sealed) or (instance is None) == (name is None and sealed is None):
        raise InputError("a row names its question: by id, sealed, or both, as text, or by structure", code="bad_row")
    metric, mode = raw.get("metric", scoring.metric), raw.get("mode", scoring.mode)
    if metric not in METRICS or mode not in MODES:
        raise InputError(f"metric is one of {', '.join(METRICS)}, mode of {', '.join(MODES)}", code="bad_row")
    return Row(name, sealed, raw["response"], metric, mode, instance)


def refused(error: OracleError, scoring: Scoring) -> Reply:
    """The reply to a row that cannot be scored, with the keys of every reply."""
    return {
        "score": None,
        "exact": False,
        "format_ok": False,
        "parsed": None,
        "span": None,
        "reason": error.message,
        "detail": None,
        "flags": [],
        "status": error.code,
        "task": None,
        "metric": scoring.metric,
        "mode": scoring.mode,
        "version": VERSION,
    }


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)

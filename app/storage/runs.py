"""Questions, runs and scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from app.storage.records import Question, Run, Score
from app.storage.rows import checked, chunks, insert_new, packed, unpacked
from app.storage.tables import QUESTIONS, RUNS, SCORES
from interactions.errors import InputError


def question_rows(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Raises InputError (``question_conflict``) where an id comes twice with different content."""
    named: dict[str, Question] = {}
    for one in questions:
        checked(one.id, one.kind, one.complex)
        if named.setdefault(one.id, one) != one:
            raise _conflict(one.id)
    return [
        {"id": one.id, "kind": one.kind, "complex": one.complex, "record": packed(one.record)} for one in named.values()
    ]


def add_questions(connection: Connection, questions: Sequence[Question], rows: list[dict[str, Any]]) -> int:
    new = insert_new(connection, QUESTIONS, rows)
    if new < len(rows):
        _check_kept(connection, {one.id: one for one in questions})
    return new


def _check_kept(connection: Connection, questions: dict[str, Question]) -> None:
    for some in chunks(list(questions)):
        for row in connection.execute(select(QUESTIONS).where(QUESTIONS.c.id.in_(some))):
            if _question(row) != questions[row.id]:
                raise _conflict(row.id)


def _conflict(identifier: str) -> InputError:
    return InputError(f"question {identifier!r} is known with other content", code="question_conflict")


def question(connection: Connection, identifier: str) -> Question | None:
    checked(identifier)
    row = connection.execute(select(QUESTIONS).where(QUESTIONS.c.id == identifier)).one_or_none()
    return None if row is None else _question(row)


def _question(row: Row[Any]) -> Question:
    return Question(row.id, row.kind, row.complex, unpacked(row.record))


def add_run(connection: Connection, run: Run) -> bool:
    checked(run.id)
    return insert_new(connection, RUNS, [{"id": run.id, "record": packed(run.record)}]) == 1


def run(connection: Connection, identifier: str) -> Run | None:
    checked(identifier)
    row = connection.execute(select(RUNS).where(RUNS.c.id == identifier)).one_or_none()
    return None if row is None else Run(row.id, unpacked(row.record))


def score_rows(run: str, scores: Sequence[Score]) -> list[dict[str, Any]]:
    checked(run, *(score.question for score in scores))
    return [
        {"run": run, "position": score.position, "question": score.question, "record": packed(score.record)}
        for score in scores
    ]


def add_scores(connection: Connection, rows: list[dict[str, Any]]) -> int:
    return insert_new(connection, SCORES, rows)


def scores(connection: Connection, run: str, after: int, limit: int) -> list[Score]:
    checked(run)
    query = select(SCORES).where(SCORES.c.run == run, SCORES.c.position > after)
    rows = connection.execute(query.order_by(SCORES.c.position).limit(limit))
    return [Score(row.position, row.question, unpacked(row.record)) for row in rows]

"""Questions, runs and scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from app.storage.records import Question, Run, Score
from app.storage.rows import checked, chunks, insert_new, packed, storable, unpacked
from app.storage.tables import QUESTIONS, RUNS, SCORES


def question_rows(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """The first of each id."""
    named: dict[str, Question] = {}
    for one in questions:
        checked(one.id, one.kind, one.complex)
        named.setdefault(one.id, one)
    return [
        {"id": one.id, "kind": one.kind, "complex": one.complex, "record": packed(one.record)} for one in named.values()
    ]


def add_questions(connection: Connection, rows: list[dict[str, Any]]) -> set[str]:
    return set(insert_new(connection, QUESTIONS, rows))


def questions(connection: Connection, identifiers: Sequence[str]) -> list[Question]:
    wanted = [identifier for identifier in identifiers if storable(identifier)]
    found = []
    for some in chunks(wanted):
        found += [_question(row) for row in connection.execute(select(QUESTIONS).where(QUESTIONS.c.id.in_(some)))]
    return found


def _question(row: Row[Any]) -> Question:
    return Question(row.id, row.kind, row.complex, unpacked(row.record))


def add_run(connection: Connection, run: Run) -> bool:
    checked(run.id)
    return bool(insert_new(connection, RUNS, [{"id": run.id, "record": packed(run.record)}]))


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
    return len(insert_new(connection, SCORES, rows))


def scores(connection: Connection, run: str, after: int, limit: int) -> list[Score]:
    checked(run)
    query = select(SCORES).where(SCORES.c.run == run, SCORES.c.position > after)
    rows = connection.execute(query.order_by(SCORES.c.position).limit(limit))
    return [Score(row.position, row.question, unpacked(row.record)) for row in rows]

"""The questions that rows name: fetched ahead for many rows at once, then found without waiting."""

from __future__ import annotations

from collections.abc import Sequence

from app.questions import Question, Questions
from app.sealing import Sealer
from app.verification import Row, finder


class Lookup:
    """What a request finds its questions with."""

    def __init__(self, questions: Questions, sealer: Sealer) -> None:
        self._questions = questions
        self._find = finder(questions.get, sealer)

    async def fetch(self, rows: Sequence[object]) -> None:
        """Bring the stored questions of these rows to hand; rows that are none are passed over."""
        await self._questions.fetch(filter(None, map(stored_id, rows)))

    def __call__(self, row: Row) -> Question:
        """Raises InputError: ``not_found``, ``bad_seal``, ``other_question``."""
        return self._find(row)


def stored_id(row: object) -> str | None:
    """The id of the stored question that a row names."""
    if not isinstance(row, dict) or row.get("sealed") is not None:
        return None
    name = row.get("id")
    return name if isinstance(name, str) else None

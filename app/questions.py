"""Questions and their truth: taken in, kept, and shown without what gives the answer away."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from anyio import to_thread

from app import storage
from app.rows import dumps, loads
from app.storage import Store
from interactions.errors import InputError, UnknownName
from interactions.questions.answers import KINDS
from interactions.questions.reading import read_truth

Record = dict[str, Any]

SHOWN = ("id", "kind", "complex", "text", "options")
SHOWN_METADATA = ("digest", "criteria", "split", "version")  # placements, notes and counts tell the answer
MAX_ID = 512  # characters


@dataclass(frozen=True, slots=True)
class Question:
    """What an answer is scored against; ``answer`` in the benchmark's form, None where there is none to be had.

    ``record`` is the whole question record; empty where only the truth travelled.
    """

    id: str
    kind: str
    complex: str
    answer: str | None
    record: Record = field(default_factory=dict, hash=False, compare=False)


class Questions:
    """Stored questions. What verification needs of those used last is at hand in memory, ``capacity`` of them."""

    def __init__(self, store: Store, capacity: int) -> None:
        self._store = store
        self._capacity = capacity
        self._at_hand: OrderedDict[str, Question] = OrderedDict()

    async def add(self, questions: Sequence[Question]) -> set[str]:
        """Keep all of them or none; the ids of the new ones. One that is there is never replaced."""
        rows = [storage.Question(one.id, one.kind, one.complex, dumps(one.record)) for one in questions]
        return await to_thread.run_sync(self._store.add_questions, rows)

    async def fetch(self, ids: Iterable[str]) -> None:
        """Bring those of these ids that are stored to hand."""
        missing = [name for name in dict.fromkeys(ids) if self.get(name) is None]
        for question in await self.read(missing) if missing else ():
            self._at_hand[question.id] = replace(question, record={})
        while len(self._at_hand) > self._capacity:
            self._at_hand.popitem(last=False)

    def get(self, id: str) -> Question | None:
        """The question without its record, where it is at hand."""
        if id in self._at_hand:
            self._at_hand.move_to_end(id)
        return self._at_hand.get(id)

    async def read(self, ids: Sequence[str]) -> list[Question]:
        """Those of these ids that are stored, with their records."""
        rows = await to_thread.run_sync(self._store.questions, ids)
        return [question_of(loads(row.record)) for row in rows]


def question_of(record: object) -> Question:
    """The question of a record.

    Raises InputError (``bad_question``) where a field is missing or the answer is not of its kind's form, UnknownName
    for a kind that is not there.
    """
    if not isinstance(record, dict):
        raise InputError("a question is a JSON object", code="bad_question")
    name, kind, of = (_text(record, field) for field in ("id", "kind", "complex"))
    if kind not in KINDS:
        raise UnknownName("question kind", kind, KINDS)
    answer = record.get("answer")
    if answer is not None and (not isinstance(answer, str) or read_truth(kind, answer) is None):
        raise InputError(f"question {name!r}: the answer is not of the form of {kind}", code="bad_question")
    return Question(name, kind, of, answer, record)


def public(question: Question) -> Record:
    """The record for those who may not see the truth: what a model is asked, and where it comes from."""
    record = question.record
    metadata = _object(record.get("metadata"))
    return {name: record.get(name) for name in SHOWN} | {
        "images": [{"name": image.get("name")} for image in _objects(record.get("images"))],
        "metadata": {name: metadata[name] for name in SHOWN_METADATA if name in metadata},
    }


def _text(record: Record, name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= MAX_ID:
        raise InputError(f"a question's {name!r} is a text of 1 to {MAX_ID} characters", code="bad_question")
    return value


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []

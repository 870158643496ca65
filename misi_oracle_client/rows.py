"""Rows to verify and replies, the same for a process and a URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, Protocol, TypedDict, cast

from misi_oracle_client.errors import ClientError

Metric = Literal["misi", "exact", "f1"]
Mode = Literal["strict", "lenient"]

SEAL = "mo1."  # how a sealed question begins
NAMES = ("id", "sealed", "kind", "answer")
SCORED = ("ok", "unusable_truth")


class Row(TypedDict):
    """A response to a question named by ``id``, ``sealed``, or ``kind`` and ``answer``.

    A truth is never sent to a service: there, the id or the sealed question counts; in process, the answer first. An
    answer of None is a truth that is not known.
    """

    response: object
    id: NotRequired[str]
    sealed: NotRequired[str]
    kind: NotRequired[str]
    answer: NotRequired[str | None]
    metric: NotRequired[Metric]
    mode: NotRequired[Mode]


class Reply(TypedDict):
    """The verify reply; ``score`` is None where the truth cannot be used."""

    score: float | None
    exact: bool
    format_ok: bool
    parsed: str | None
    span: list[int] | None
    reason: str
    detail: list[dict[str, str]] | None
    flags: list[str]
    status: str
    task: str | None
    metric: Metric
    mode: Mode
    version: str


class Verifier(Protocol):
    """``Oracle`` and ``LocalOracle``."""

    def verify_batch(self, rows: Sequence[Row]) -> list[Reply]: ...


class AsyncVerifier(Protocol):
    async def verify_batch(self, rows: Sequence[Row]) -> list[Reply]: ...


def row(fields: Mapping[str, Any], response: object, metric: Metric, mode: Mode) -> Row:
    """The row of a data set's fields. An ``answer`` may be a sealed question. Raises ClientError (``bad_row``)."""
    named = {name: fields[name] for name in NAMES if isinstance(fields.get(name), str)}
    if named.get("answer", "").startswith(SEAL):
        named["sealed"] = named.pop("answer")
    if "answer" in fields and not named.keys() & {"answer", "sealed"}:
        named["answer"] = None
    if not named.keys() & {"id", "sealed", "answer"}:
        raise ClientError("bad_row", f"a row needs id, sealed, or kind and answer; it has {', '.join(fields)}")
    return cast(Row, named | {"response": response, "metric": metric, "mode": mode})


def scored(replies: list[Reply]) -> list[Reply]:
    """The replies, if all rows could be scored. Raises ClientError with the code of the first that could not."""
    for at, reply in enumerate(replies):
        if reply["status"] not in SCORED:
            raise ClientError(reply["status"], f"row {at}: {reply['reason']}")
    return replies


def completion_text(completion: object) -> object:
    """The model's text: a string, or the last message's content; anything else is given back, and scores 0."""
    if isinstance(completion, list) and completion and isinstance(completion[-1], Mapping):
        return _content(completion[-1].get("content"))
    return completion


def _content(content: object) -> object:
    if not isinstance(content, list):
        return content
    texts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "".join(text for text in texts if isinstance(text, str))

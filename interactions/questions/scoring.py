"""The verify reply: a response read and scored against the truth, in process and over REST alike."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple, cast

from interactions import __version__
from interactions.errors import UnknownName
from interactions.questions.answers import TYPES, Answer, Bonds, Move, Roll, RollThenMove
from interactions.questions.metrics import Comparison, Known, bond_texts, compare, compare_bonds
from interactions.questions.quick import quick_answer, quick_bonds
from interactions.questions.reading import MODES, RULES, read_answer, read_truth
from interactions.questions.wording import answer_text, bonds_text

METRICS = ("misi", "exact", "f1")
VERSION = f"{__version__}+rules.{RULES}"
TRUTH_FLAGS = ("equivalent_atom",)  # flags that tell something about the truth

BOND_KINDS = frozenset(kind for kind, type_ in TYPES.items() if type_ is Bonds)

Comparable = Answer | frozenset[str]  # bonds as canonical texts: quicker to compare than Bond by Bond


class _Read(NamedTuple):
    answer: Comparable | None
    span: list[int] | None
    reason: str
    flags: tuple[str, ...]


_UNREAD = Comparison(0.0, False, 0.0)


def verify(
    kind: str,
    response: object,
    truth: Answer | str | None,
    *,
    metric: str = "misi",
    mode: str = "strict",
    known: Known | None = None,
) -> dict[str, Any]:
    """Reads and scores one response; the keys are always the same.

    ``truth`` is an answer, or its text in the benchmark's form; ``score`` is None where it cannot be used (``status``
    is then ``unusable_truth``). ``f1`` counts over bonds, and is exact match for the other kinds. ``known`` maps bonds
    that do not hold, by canonical names, to the reason. No response raises; UnknownName is raised for a kind, metric
    or mode that is not there.
    """
    if metric not in METRICS:
        raise UnknownName("metric", metric, METRICS)
    if mode not in MODES:
        raise UnknownName("mode", mode, MODES)
    read = _read(kind, response, mode)
    right = _usable(kind, truth)
    if right is None or read.answer is None:
        return _reply(kind, read, None if right is None else _UNREAD, metric, mode)
    return _reply(kind, read, _compare(read.answer, right, known), metric, mode)


def hide_truth(reply: dict[str, Any]) -> dict[str, Any]:
    """The reply for those who may not see the truth: no ``detail``, no flag that speaks of the truth."""
    return reply | {"detail": None, "flags": [flag for flag in reply["flags"] if flag not in TRUTH_FLAGS]}


def truth_sizes(truth: Answer) -> dict[str, float]:
    """What a report bins by: ``bonds`` (how many), ``distance`` (Å), ``angle`` (degrees)."""
    if isinstance(truth, Bonds):
        return {"bonds": len(truth.bonds)}
    if isinstance(truth, Move):
        return {"distance": truth.distance}
    if isinstance(truth, Roll):
        return {"angle": truth.angle}
    if isinstance(truth, RollThenMove):
        return {"angle": truth.roll.angle, "distance": truth.move.distance}
    return {}


def _read(kind: str, response: object, mode: str) -> _Read:
    if isinstance(response, str) and (answer := _quick(kind, response)) is not None:
        return _Read(answer, [0, len(response)], "read", ())
    reading = read_answer(kind, response, mode)
    span = None if reading.span is None else list(reading.span)
    return _Read(_texts(reading.parsed), span, reading.reason, reading.flags)


def _quick(kind: str, text: str) -> Comparable | None:
    return quick_bonds(kind, text) if kind in BOND_KINDS else quick_answer(kind, text)


def _texts(answer: Answer | None) -> Comparable | None:
    return bond_texts(answer) if isinstance(answer, Bonds) else answer


def _usable(kind: str, truth: Answer | str | None) -> Comparable | None:
    if isinstance(truth, str):
        return _truth(kind, truth)
    if not isinstance(truth, TYPES[kind]):
        return None
    return _texts(truth) if all(map(isfinite, truth_sizes(truth).values())) else None


@lru_cache(maxsize=4096)
def _truth(kind: str, text: str) -> Comparable | None:
    quick = _quick(kind, text)
    return _texts(read_truth(kind, text)) if quick is None else quick


def _compare(answer: Comparable, truth: Comparable, known: Known | None) -> Comparison:
    if isinstance(answer, frozenset) and isinstance(truth, frozenset):
        return compare_bonds(answer, truth, known)
    return compare(cast(Answer, answer), cast(Answer, truth))


def _reply(kind: str, read: _Read, compared: Comparison | None, metric: str, mode: str) -> dict[str, Any]:
    shown = compared or _UNREAD
    return {
        "score": None if compared is None else _score(compared, metric),
        "exact": shown.exact,
        "format_ok": read.answer is not None,
        "parsed": _shown(kind, read.answer),
        "span": read.span,
        "reason": read.reason,
        "detail": list(shown.items),
        "flags": [*read.flags, *shown.flags],
        "status": "unusable_truth" if compared is None else "ok",
        "task": kind,
        "metric": metric,
        "mode": mode,
        "version": VERSION,
    }


def _shown(kind: str, answer: Comparable | None) -> str | None:
    if isinstance(answer, frozenset):
        return bonds_text(kind, sorted(answer))
    return None if answer is None else answer_text(kind, answer)


def _score(compared: Comparison, metric: str) -> float:
    if metric == "misi":
        return compared.misi
    return compared.f1 if metric == "f1" else float(compared.exact)

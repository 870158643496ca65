"""Reading a model's free text: one container, normalised, matched as a whole. Never raises on a response.

``strict`` is for training; ``lenient``, for evaluation, also takes the last line, the last of several answers,
``option C``, and a list with or without ``Yes:``. RULES counts the versions of both.
"""

from __future__ import annotations

from dataclasses import dataclass

from interactions.errors import UnknownName
from interactions.questions import containers
from interactions.questions.answers import TYPES, Answer, Bonds, Letter
from interactions.questions.containers import Span
from interactions.questions.grammar import PARSERS, bond_items, is_ambiguous_choice, lines, moved_first, read_bonds
from interactions.questions.normalise import normalise

RULES = "1"
MODES = ("strict", "lenient")
MAX_BYTES = 64 * 1024  # of a response without its thought

REASONS = {
    "read": "the answer was read",
    "not_text": "the response is no text",
    "too_long": f"the response without its thought is longer than {MAX_BYTES} bytes",
    "unclosed_thought": "<think> is never closed: there is no answer",
    "no_answer": "there is no answer: neither <answer>, nor a box, nor a line 'Answer:', nor a bare answer",
    "multiple_answers": "several <answer> disagree",
    "ambiguous_choice": "several options are named instead of one",
    "not_in_grammar": "what stands in the answer's place is not of the form that the question asks for",
}


@dataclass(frozen=True)
class Reading:
    """What was read: ``parsed`` is None where ``format_ok`` is false.

    ``span`` is what was looked at, (start, end) in the response; ``reason`` a key of REASONS; ``flags`` are
    ``multiple_answers``, ``ambiguous_choice``, ``too_long``, ``order`` (a move named before its roll) and
    ``duplicate_bonds``.
    """

    parsed: Answer | None
    format_ok: bool
    span: Span | None
    flags: tuple[str, ...]
    reason: str


def read_answer(kind: str, response: object, mode: str = "strict") -> Reading:
    """Reads one response to a question of this kind. Raises UnknownName for a kind or mode that is not there."""
    if kind not in PARSERS:
        raise UnknownName("question kind", kind, PARSERS)
    if mode not in MODES:
        raise UnknownName("mode", mode, MODES)
    if not isinstance(response, str):
        return _nothing("not_text")
    text, thought = containers.without_thought(response)
    if text is None:
        return _nothing("unclosed_thought")
    if _is_too_long(text, thought):
        return _nothing("too_long", "too_long")
    return _read(kind, text, mode == "lenient")


def read_truth(kind: str, text: str) -> Answer | None:
    """The answer that a stored text means, by the same grammar; None where it means none."""
    if kind not in PARSERS:
        raise UnknownName("question kind", kind, PARSERS)
    return PARSERS[kind](normalise(text), False)


def _read(kind: str, text: str, lenient: bool) -> Reading:
    bare = _bare(kind, text, lenient)
    if bare is not None and bare.format_ok:
        return bare
    if tagged := containers.tagged(text):
        return _of_tagged(kind, text, tagged, lenient)
    span = containers.boxed(text) or containers.labelled(text, TYPES[kind] is Bonds)
    if span is None and lenient:
        span = containers.last_lines(text, lambda line: _is_item(kind, line))
    if span is None:
        return bare if bare and (bare.flags or _is_one_line(text, bare.span)) else _nothing("no_answer")
    span = containers.trimmed(text, *span)
    return _inside(kind, text, span, lenient) if span[0] < span[1] else _nothing("no_answer")


def _bare(kind: str, text: str, lenient: bool) -> Reading | None:
    span = containers.trimmed(text, 0, len(text))
    if span[0] == span[1] or "<" in text:  # no grammar takes a tag
        return None
    return _inside(kind, text, span, lenient)


def _of_tagged(kind: str, text: str, spans: list[Span], lenient: bool) -> Reading:
    readings = [_inside(kind, text, containers.unboxed(text, span), lenient) for span in spans]
    last = readings[-1]
    if all(_agree(text, reading, last) for reading in readings):
        return last
    flags = (*last.flags, "multiple_answers")
    if lenient:
        return Reading(last.parsed, last.format_ok, last.span, flags, last.reason)
    return Reading(None, False, last.span, flags, "multiple_answers")


def _agree(text: str, one: Reading, other: Reading) -> bool:
    if one.span is None or other.span is None or one.parsed != other.parsed:
        return False
    return one.format_ok or text[slice(*one.span)] == text[slice(*other.span)]


def _inside(kind: str, text: str, span: Span, lenient: bool) -> Reading:
    plain = normalise(text[slice(*span)])
    parsed = PARSERS[kind](plain, lenient)
    if parsed is not None:
        return Reading(parsed, True, span, _flags(kind, plain, parsed, lenient), "read")
    if TYPES[kind] is Letter and is_ambiguous_choice(plain):
        return Reading(None, False, span, ("ambiguous_choice",), "ambiguous_choice")
    return Reading(None, False, span, (), "not_in_grammar")


def _flags(kind: str, plain: str, parsed: Answer, lenient: bool) -> tuple[str, ...]:
    if kind == "docking":
        return ("order",) if moved_first(plain) else ()
    if isinstance(parsed, Bonds) and parsed.bonds and len(bond_items(kind, lines(plain), lenient)) > len(parsed.bonds):
        return ("duplicate_bonds",)
    return ()


def _is_one_line(text: str, span: Span | None) -> bool:
    return span is not None and "\n" not in text[slice(*span)]


def _is_item(kind: str, line: str) -> bool:
    parsed = read_bonds(kind, normalise(line), True) if TYPES[kind] is Bonds else None
    return parsed is not None and bool(parsed.bonds)


def _is_too_long(text: str, thought: int) -> bool:
    if len(text) * 4 <= MAX_BYTES:
        return False
    return len(text.encode("utf-8", "surrogatepass")) - thought > MAX_BYTES


def _nothing(reason: str, *flags: str) -> Reading:
    return Reading(None, False, None, flags, reason)

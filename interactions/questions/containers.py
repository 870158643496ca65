"""Where in a response the answer stands: thought left out, then one container. Linear in the length of the response.

Spans are (start, end) in the response as it came.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Span = tuple[int, int]

_THINK = re.compile(r"<(/?)think>", re.IGNORECASE | re.ASCII)
_ANSWER = re.compile(r"<(/?)answer>", re.IGNORECASE | re.ASCII)
_BRACES = re.compile(r"(\\boxed ?\{)|\\[\\{}]|[{}]")
_LABEL = re.compile(r"[ \t*_#>`-]{0,12}(?:final )?answer[ *_]{0,4}[:：][ \t*_]{0,4}", re.IGNORECASE)


def without_thought(response: str) -> tuple[str | None, int]:
    """The response with its thought blanked out, so that spans stay true, and how many characters that were.

    None when a thought was not closed. What stands before a closing tag without an opening one is thought too: chat
    templates put the opening tag into the prompt.
    """
    blank, done, opened, pieces, thought = 0, 0, -1, list[str](), 0
    for tag in _THINK.finditer(response):
        if not tag[1]:
            opened = tag.start() if opened < 0 else opened
            continue
        if opened < 0:
            blank, pieces, thought = tag.end(), [], tag.end()
        else:
            pieces += [response[done:opened], " " * (tag.end() - opened)]
            thought += tag.end() - opened
        done, opened = tag.end(), -1
    if opened >= 0:
        return None, thought
    return " " * blank + "".join(pieces) + response[done:], thought


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends."""
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    return start, start + len(part.strip())


def tagged(text: str) -> list[Span]:
    """The insides of all ``<answer>…</answer>`` that are not blank."""
    found, opened = [], -1
    for tag in _ANSWER.finditer(text):
        if not tag[1]:
            opened = tag.end()
        elif opened >= 0:
            found.append(trimmed(text, opened, tag.start()))
            opened = -1
    return [(start, end) for start, end in found if start < end]


def boxed(text: str) -> Span | None:
    r"""The inside of the last ``\boxed{…}`` whose braces are balanced; of boxes in boxes the outermost."""
    if "\\boxed" not in text:
        return None
    last: Span | None = None
    opened: list[int] = []  # where the inside of a box starts, -1 for other braces
    for brace in _BRACES.finditer(text):
        if brace[1]:
            opened.append(brace.end())
        elif brace[0] == "{":
            opened.append(-1)
        elif brace[0] == "}" and opened and (start := opened.pop()) >= 0:
            last = start, brace.start()
    return last


def unboxed(text: str, span: Span) -> Span:
    r"""The inside of a box that fills the span, or the span."""
    inside = boxed(text[slice(*span)])
    if inside is None or inside[0] > len("\\boxed {") or inside[1] != span[1] - span[0] - 1:
        return span
    return trimmed(text, span[0] + inside[0], span[0] + inside[1])


def labelled(text: str, many_lines: bool) -> Span | None:
    """What follows the last ``Answer:`` at the start of a line: the line, or the next with text if it is blank.

    ``many_lines``: up to the next blank line.
    """
    rows = list(_rows(text))
    for index in range(len(rows) - 1, -1, -1):
        if label := _LABEL.match(text, *rows[index]):
            return _answer_lines(text, [(label.end(), rows[index][1]), *rows[index + 1 :]], many_lines)
    return None


def _answer_lines(text: str, rows: list[Span], many_lines: bool) -> Span:
    filled = [not text[slice(*row)].isspace() and row[0] < row[1] for row in rows]
    if True not in filled:
        return trimmed(text, *rows[0])
    first = filled.index(True)
    last = filled.index(False, first) - 1 if many_lines and False in filled[first:] else len(rows) - 1
    return trimmed(text, rows[first][0], rows[last if many_lines else first][1])


def last_line(text: str) -> Span | None:
    """The last line that is not blank."""
    end = len(text.rstrip())
    if not end:
        return None
    return trimmed(text, text.rfind("\n", 0, end) + 1, end)


def last_lines(text: str, is_item: Callable[[str], bool]) -> Span | None:
    """The last line with text, and the lines before it for as long as each of them is an item of a list."""
    span = last_line(text)
    if span is None or not is_item(text[slice(*span)]):
        return span
    for row in reversed(list(_rows(text[: span[0]]))):
        line = text[slice(*row)]
        if line.strip() and not is_item(line):
            break
        span = row[0], span[1]
    return trimmed(text, *span)


def _rows(text: str) -> Iterator[Span]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)

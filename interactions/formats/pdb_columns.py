"""Columns of the ATOM and HETATM lines of a PDB file, read for all lines at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Value = TypeVar("Value")

WIDTH = 80
_SPACE, _MINUS, _DOT, _ZERO, _LINE_FEED, _RETURN = b" -.0\n\r"


def grid(data: bytes) -> Bytes | None:
    """Lines of a file that are all of one length, shape (lines, length); None for other files."""
    width = data.find(b"\n") + 1
    if width < 2 or len(data) % width:
        return None
    matrix = np.frombuffer(data, dtype=np.uint8).reshape(-1, width)
    ends = matrix == _LINE_FEED
    if not ends[:, -1].all() or ends[:, :-1].any() or (matrix == _RETURN).any():
        return None
    return matrix[:, :-1]


def line_matrix(lines: Sequence[bytes]) -> Bytes:
    """Lines cut or filled to 80 columns, shape (n, 80)."""
    text = b"".join([line if len(line) == WIDTH else line[:WIDTH].ljust(WIDTH) for line in lines])
    return np.frombuffer(text, dtype=np.uint8).reshape(-1, WIDTH)


def numbers(matrix: Bytes, start: int, end: int, decimals: int, fields: int = 1) -> NDArray[np.float64] | None:
    """Right-aligned numbers with a fixed count of decimals, shape (n, fields); None where some line is otherwise.

    The columns hold ``fields`` numbers of equal width. The digits make an integer, which is exact, and so is
    its quotient by the power of ten.
    """
    width = (end - start) // fields
    block = np.ascontiguousarray(matrix[:, start:end]).reshape(-1, width)
    if decimals:
        dot = width - decimals - 1
        if (block[:, dot] != _DOT).any():
            return None
        block = block[:, [place for place in range(width) if place != dot]]
    digits = block - _ZERO
    is_digit = digits < 10
    minus = block == _MINUS
    regular = is_digit | minus | (block == _SPACE)
    # No digit is followed by another character, and each minus is followed by a digit.
    regular[:, 1:] &= is_digit[:, 1:] | ~(is_digit[:, :-1] | minus[:, :-1])
    if not (regular.all() and is_digit[:, -1].all()):
        return None
    digits[~is_digit] = 0
    values = np.zeros(len(digits))
    for column in digits.T:  # no matrix product: its threads would spin on for longer than it takes
        values *= 10.0
        values += column
    values /= 10.0**decimals
    values[minus.any(axis=1)] *= -1.0
    return values.reshape(-1, fields)


def each(matrix: Bytes, start: int, end: int, read: Callable[[str], Value]) -> list[Value | None]:
    """What ``read`` makes of the columns of each line; None where it raises ValueError."""

    def guarded(text: str) -> Value | None:
        try:
            return read(text)
        except ValueError:
            return None

    return mapped(matrix, start, end, guarded)


def mapped(matrix: Bytes, start: int, end: int, make: Callable[[str], Any]) -> list[Any]:
    """``make`` of the columns of each line, called once for each different text; at most eight columns."""
    block = matrix[:, start:end]
    width = next(size for size in (1, 2, 4, 8) if size >= block.shape[1])
    padded = np.full((len(block), width), _SPACE, dtype=np.uint8)
    padded[:, : block.shape[1]] = block
    found, place = np.unique(padded.view(f"u{width}")[:, 0], return_inverse=True)
    raw = found.tobytes()
    made = np.empty(len(found), dtype=object)
    for index in range(len(found)):
        key = raw[index * width : index * width + end - start]
        made[index] = make(key.decode("latin-1"))
    return made[place].tolist()  # type: ignore[no-any-return]


def changes(matrix: Bytes, start: int, end: int) -> NDArray[np.int64]:
    """Lines whose columns differ from those of the line before; the first line is one."""
    differs = (matrix[1:, start:end] != matrix[:-1, start:end]).any(axis=1)
    return np.concatenate([[0], np.flatnonzero(differs) + 1])

"""Columns of the ATOM and HETATM lines of a PDB file, read for all lines at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Value = TypeVar("Value")

WIDTH = 80
_SPACE, _MINUS, _DOT, _ZERO, _LINE_FEED = b" -.0\n"
_CODE = np.dtype("<u8")  # eight characters as one number, the first the lowest
_SIZE = _CODE.itemsize
_KEPT = 65_536  # texts; no column of a file at hand has nearly as many


@dataclass(frozen=True)
class TextLines:
    """The lines of a file: its bytes and some spaces, and where each of n lines starts and ends in them."""

    data: bytes
    starts: Ints
    ends: Ints

    @classmethod
    def of(cls, data: bytes) -> TextLines:
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not data.endswith(b"\n"):
            data += b"\n"
        ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_FEED)
        return cls(data + b" " * WIDTH, np.concatenate([[0], ends[:-1] + 1]), ends)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, line: int) -> bytes:
        return self.data[self.starts[line] : self.ends[line]]

    def start_with(self, *texts: bytes) -> NDArray[np.bool_]:
        """Which lines start with one of some texts of equal length, at most eight characters."""
        size = len(texts[0])
        return Column.of(self._bytes[self.starts[:, None] + np.arange(size)], 0, size).is_any(*texts)

    def table(self, lines: Ints) -> Bytes:
        """Some lines cut or filled to 80 columns, shape (n, 80)."""
        filled = np.full((len(lines), WIDTH), _SPACE, dtype=np.uint8)
        starts, sizes = self.starts[lines], self.ends[lines] - self.starts[lines] + 1
        # Lines of one length that follow each other are copied at once: most often all.
        regular = (np.diff(starts) == sizes[:-1]) & (sizes[1:] == sizes[:-1])
        bounds = [0, *(np.flatnonzero(~regular) + 1).tolist(), len(lines)]
        for first, last in pairwise(bounds) if len(lines) else ():
            start, size = starts[first], sizes[first]
            block = self._bytes[start : start + (last - first) * size].reshape(-1, size)
            width = min(size - 1, WIDTH)
            filled[first:last, :width] = block[:, :width]
        return filled

    @cached_property
    def _bytes(self) -> Bytes:
        return np.frombuffer(self.data, dtype=np.uint8)


@dataclass(frozen=True)
class Column:
    """A text of at most eight characters in each line, as numbers, shape (n,)."""

    codes: NDArray[np.uint64]
    width: int

    @classmethod
    def of(cls, matrix: Bytes, start: int, end: int) -> Column:
        """What stands in the columns from ``start`` up to ``end``, counted from 0."""
        padded = np.zeros((len(matrix), _SIZE), dtype=np.uint8)
        padded[:, : end - start] = matrix[:, start:end]
        return cls(padded.view(_CODE)[:, 0], end - start)

    def at(self, rows: Ints) -> Column:
        """The same columns of some lines."""
        return Column(self.codes[rows], self.width)

    def is_any(self, *texts: bytes) -> NDArray[np.bool_]:
        """Which lines have one of some texts."""
        found = np.zeros(len(self.codes), dtype=np.bool_)
        for text in texts:
            found |= self.codes == int.from_bytes(text, "little")
        return found

    def starts(self) -> NDArray[np.bool_]:
        """Which lines differ from the line before; the first one does."""
        found = np.ones(len(self.codes), dtype=np.bool_)
        np.not_equal(self.codes[1:], self.codes[:-1], out=found[1:])
        return found

    def look_up(self, known: ByCode[Value]) -> list[Value]:
        """What is known of each text."""
        return list(map(known.__getitem__, self.codes.tolist()))

    def map(self, make: Callable[[str], Value]) -> list[Value]:
        """``make`` of each text, called once for each different one."""
        codes = self.codes.tolist()
        made = {code: make(_text(code, self.width)) for code in dict.fromkeys(codes)}
        return list(map(made.__getitem__, codes))

    def each(self, read: Callable[[str], Value]) -> list[Value | None]:
        """What ``read`` makes of each text; None where it raises ValueError."""

        def guarded(text: str) -> Value | None:
            try:
                return read(text)
            except ValueError:
                return None

        return self.map(guarded)


class ByCode(dict[int, Value]):
    """``make`` of texts that are given as numbers; what files have in common is made once for all of them."""

    def __init__(self, make: Callable[[str], Value], width: int) -> None:
        super().__init__()
        self._make, self._width = make, width

    def __missing__(self, code: int) -> Value:
        if len(self) >= _KEPT:
            self.clear()
        made = self[code] = self._make(_text(code, self._width))
        return made


def _text(code: int, width: int) -> str:
    return code.to_bytes(_SIZE, "little")[:width].decode("latin-1")


def numbers(matrix: Bytes, start: int, end: int, decimals: int, fields: int = 1) -> NDArray[np.float64] | None:
    """Right-aligned numbers with a fixed count of decimals, shape (n, fields); None where some line is otherwise.

    The columns hold ``fields`` numbers of equal width. The digits make an integer, which is exact, and so is
    its quotient by the power of ten.
    """
    width = (end - start) // fields
    block = np.ascontiguousarray(matrix[:, start:end].reshape(len(matrix), fields, width).transpose(2, 1, 0))
    if decimals:
        dot = width - decimals - 1
        if (block[dot] != _DOT).any():
            return None
        block = np.concatenate([block[:dot], block[dot + 1 :]])
    digits = block - _ZERO
    is_digit = digits < 10
    minus = block == _MINUS
    regular = is_digit | minus
    regular |= block == _SPACE
    # No digit is followed by another character, and each minus is followed by a digit.
    regular[1:] &= is_digit[1:] | ~(is_digit[:-1] | minus[:-1])
    if not (is_digit[-1].all() and regular.all()):
        return None
    digits *= is_digit
    values = np.zeros((fields, len(matrix)))
    for row in digits:  # no matrix product: its threads would spin on for longer than it takes
        values *= 10.0
        values += row
    values /= 10.0**decimals
    values[minus.any(axis=0)] *= -1.0
    return values.T

"""Records of one molecule in many poses: all but the coordinates is read once."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np

from interactions.formats import read
from interactions.structure import Structure

# What a record says but for its coordinates, and the words of these, atom by atom.
Parts = tuple[tuple[Any, ...], list[bytes]]


class PoseReader:
    """Reads records of an SDF or mol2 file; one that differs from the last in coordinates alone costs little."""

    def __init__(self, kind: str) -> None:
        self._split = _SPLITTERS[kind]
        self._skeleton: tuple[Any, ...] = ()
        self._like: Structure | None = None

    def read(self, record: bytes, name: str) -> Structure:
        """As ``formats.read``."""
        skeleton, words = self._split(record) or ((), [])
        if self._like is not None and skeleton and skeleton == self._skeleton:
            moved = _moved(self._like, words, record, name)
            if moved is not None:
                return moved
        structure = read(record, name)
        again = _moved(structure, words, record, name) if len(structure) * 3 == len(words) else None
        told = again is not None and np.array_equal(again.coordinates, structure.coordinates)
        self._skeleton, self._like = skeleton, structure if told else None
        return structure


def _moved(like: Structure, words: list[bytes], record: bytes, name: str) -> Structure | None:
    """None where a word is no finite number: the reader of the format says which."""
    try:
        coordinates = np.array(list(map(float, words))).reshape(-1, 3)
    except ValueError:
        return None
    if not np.isfinite(coordinates).all():
        return None
    return like.at(coordinates, name=name, digest=sha256(record).hexdigest())


def _mol2(record: bytes) -> Parts | None:
    """Counts, words of the atoms but their places, and all that follows the atoms."""
    head, begun, body = record.partition(b"@<TRIPOS>ATOM")
    rows, _, tail = body.partition(b"@<TRIPOS>")
    tail, commented, comment = tail.partition(b"\n#")
    lines = head.split(b"\n", 3)
    words = rows.split()
    columns = len(words) // max(1, rows.count(b"\n") - 1)
    if not begun or len(lines) < 4 or columns < 6 or len(words) % columns or b"#" in rows:
        return None
    if not lines[0].startswith(b"@<TRIPOS>MOLECULE") or (commented and not _is_comment(comment)):
        return None
    others = [words[column::columns] for column in range(columns) if column not in (2, 3, 4)]
    places = [word for row in zip(*(words[column::columns] for column in (2, 3, 4)), strict=True) for word in row]
    return (lines[2], columns, others, tail), places


def _is_comment(text: bytes) -> bool:
    """Whether no line after a first comment says anything."""
    return all(not line.strip() or line.startswith(b"#") for line in text.split(b"\n")[1:])


def _sdf(record: bytes) -> Parts | None:
    """Counts, the atoms' lines after their places, and all that follows the atoms as far as the end of the table."""
    lines = record.split(b"\n")
    if len(lines) < 5 or lines[3][34:39] != b"V2000" or not lines[3][:3].strip().isdigit():
        return None
    end = 4 + int(lines[3][:3])
    rows, rest = lines[4:end], b"\n".join(lines[end:])
    table, ended, _ = rest.partition(b"\nM  END")
    if not ended:
        return None
    places = [row[start : start + 10] for row in rows for start in (0, 10, 20)]
    return (lines[3], [row[30:] for row in rows], table), places


_SPLITTERS: dict[str, Callable[[bytes], Parts | None]] = {"mol2": _mol2, "sdf": _sdf}

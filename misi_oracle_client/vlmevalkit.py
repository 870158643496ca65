"""VLMEvalKit: a TSV with index, image, question, answer, A to D and category; and the scores of its predictions."""

from __future__ import annotations

import base64
import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from misi_oracle_client.local import verifier
from misi_oracle_client.rows import Metric, Mode, Reply, Verifier, row

COLUMNS = ("index", "image", "question", "answer", "A", "B", "C", "D", "category", "id")
LETTERS = "ABCD"

Images = Callable[[Mapping[str, Any]], Sequence[bytes]]


def vlmevalkit_rows(questions: Iterable[Mapping[str, Any]], images: Images) -> Iterator[dict[str, str]]:
    """One row a question record; ``images`` gives the bytes of its pictures, in order.

    The answer is the record's or, where it has none, its sealed question. Where the options are pictures, they are
    named as such.
    """
    for index, question in enumerate(questions):
        yield {
            "index": str(index),
            "image": _images(images(question)),
            "question": question["text"],
            "answer": question.get("answer") or question.get("sealed") or "",
            "category": question["kind"],
            "id": question["id"],
        } | _options(question)


def write_vlmevalkit_tsv(path: Path, questions: Iterable[Mapping[str, Any]], images: Images) -> int:
    """Writes the TSV; how many rows."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        for count, one in enumerate(vlmevalkit_rows(questions, images), 1):  # noqa: B007
            writer.writerow(one)
    return count


def vlmevalkit_scores(
    table: Iterable[Mapping[str, Any]],
    oracle: Verifier | str | None = None,
    *,
    metric: Metric = "misi",
    mode: Mode = "lenient",
) -> list[Reply]:
    """Verify replies to rows with ``prediction``, in order: what ``evaluate`` of a VLMEvalKit data set makes."""
    rows = [row(dict(one) | {"kind": one["category"]}, one["prediction"], metric, mode) for one in table]
    return verifier(oracle).verify_batch(rows)


def _images(found: Sequence[bytes]) -> str:
    texts = [base64.b64encode(one).decode() for one in found]
    return texts[0] if len(texts) == 1 else str(texts)


def _options(question: Mapping[str, Any]) -> dict[str, str]:
    named = question.get("options") or {}
    shown = {image.get("name") for image in question.get("images", ())}
    return {letter: named.get(letter, f"picture {letter}" if letter in shown else "") for letter in LETTERS}

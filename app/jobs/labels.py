"""Label stored structures: a LabelSet each, as ``GET /v1/structures/{id}/labels`` gives it."""

from __future__ import annotations

from collections.abc import Sequence

from app.jobs.base import (
    JobKind,
    Lines,
    Parameters,
    Record,
    Tools,
    failure_of,
    guarded,
    of_body,
    only,
    structures,
    text,
    upload_or_error,
)
from app.storage import Upload
from app.work import PARTS, Wish, criteria_names, label_upload
from interactions.errors import InputError, OracleError

HYDROGENS = ("placed", "given", "openmm")


def read(raw: Record, most: int) -> tuple[Parameters, list[bytes]]:
    only(raw, {"structures", "criteria", "hydrogens", "near_misses"})
    criteria = text(raw, "criteria", "chimerax", [*criteria_names(), "all"])
    near_misses = raw.get("near_misses", False)
    if not isinstance(near_misses, bool):
        raise InputError("'near_misses' is true or false", code="bad_job")
    hydrogens = text(raw, "hydrogens", "placed", HYDROGENS)
    parts = (*PARTS, "near_misses") if near_misses else PARTS
    return {"criteria": criteria, "hydrogens": hydrogens, "parts": list(parts)}, structures(raw, most)


def gather(
    tools: Tools, parameters: Parameters, bodies: Sequence[bytes]
) -> tuple[Wish, list[tuple[str, Upload | OracleError]]]:
    wish = Wish(parameters["criteria"], parameters["hydrogens"], tuple(parameters["parts"]))
    return wish, [(name, upload_or_error(tools.store, of)) for name, of in map(of_body, bodies)]


def work(wish: Wish, uploads: Sequence[tuple[str, Upload | OracleError]]) -> list[Lines]:
    def make(name: str, upload: Upload | OracleError) -> list[Record]:
        if isinstance(upload, OracleError):
            raise upload
        return [label_upload(upload, wish) | {"id": name}]

    return [guarded(name, lambda name=name, upload=upload: make(name, upload)) for name, upload in uploads]  # type: ignore[misc]


KIND = JobKind(read, gather, work, failure_of, chunk=4)

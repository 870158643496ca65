"""The records that a store keeps."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import Any, Literal

JobState = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class Upload:
    """Decompressed input files as they came in, and which ligand was asked for."""

    receptor: bytes
    receptor_name: str
    ligand: bytes | None = None
    ligand_name: str | None = None
    selector: str | None = None

    @cached_property
    def id(self) -> str:
        digest = hashlib.sha256(self.receptor)
        digest.update(self.ligand or b"")
        return digest.hexdigest()


@dataclass(frozen=True)
class LabelKey:
    """What a label set depends on: ``criteria`` is a digest, ``view`` the parts that were asked for."""

    structure: str
    ligand: str
    criteria: str
    hydrogens: str
    view: str
    version: str

    @property
    def id(self) -> str:
        return hashlib.sha256(json.dumps(astuple(self)).encode()).hexdigest()


@dataclass(frozen=True)
class Question:
    """``record``: the question as JSON, with its answer."""

    id: str
    kind: str
    complex: str
    record: bytes


@dataclass(frozen=True)
class Run:
    """Answers of one model to one set of questions; ``record``: JSON of who answered what, and how."""

    id: str
    record: bytes


@dataclass(frozen=True)
class Score:
    """One row of a run. ``position`` is that of its answer, since a model may answer a question several times."""

    position: int
    question: str
    record: bytes


@dataclass(frozen=True)
class Item:
    """One piece of a job's work, or the record that came of it: zero or more lines of JSON."""

    position: int
    body: bytes


@dataclass(frozen=True)
class Job:
    """Work that outlives a request. ``attempts`` counts how often a worker began it."""

    id: str
    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)
    state: JobState = "queued"
    done: int = 0
    total: int | None = None
    result: str | None = None
    error: dict[str, Any] | None = None
    attempts: int = 0

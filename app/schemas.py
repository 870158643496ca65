"""What the description of the service says of verification; requests are checked by ``app.verification``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

Metric = Literal["misi", "exact", "f1"]
Mode = Literal["strict", "lenient"]


class NamedStructure(BaseModel):
    structure: str = Field(description="sha256 that the upload was answered with")
    ligand: str | None = Field(None, description="RES[:CHAIN[:NUM]]; where it came with several")


class Parameters(BaseModel):
    """Which of the possible questions of a task."""

    seed: int = Field(0, ge=0)
    index: int = Field(0, ge=0)
    criteria: str = "chimerax"
    targets: list[NamedStructure | str] = Field([], description="structures one of which may be the second complex")


class InstanceRequest(NamedStructure):
    """An instance by task and parameters, or a ``question`` record about the structure."""

    task: str | None = None
    parameters: Parameters = Parameters()
    question: dict[str, Any] | None = None
    targets: list[NamedStructure | str] = Field([], description="the second complex of ``question``")


class Answered(BaseModel):
    id: str
    task: str
    answer: str
    question: dict[str, Any] | None = Field(None, description="the question record, where it was made here")


class JobRequest(BaseModel):
    """``structures`` for ``label`` and ``questions``, ``answers`` for ``score``."""

    kind: Literal["label", "questions", "score"]
    id: str | None = Field(None, pattern="^[A-Za-z0-9_-]+$", description="of your own; the same request is one job")
    structures: list[NamedStructure | str] | None = None
    criteria: str = "chimerax"
    hydrogens: Literal["placed", "given", "openmm"] = "placed"
    near_misses: bool = False
    tasks: list[str] | None = Field(None, description="kinds of questions; all unless given")
    seed: int = Field(0, ge=0)
    count: int | None = Field(None, ge=0, description="questions of a kind about a structure")
    test_share: float = Field(0.1, ge=0, le=1)
    answers: list[AnswerRow] | None = None
    metric: Metric = "misi"
    mode: Mode = "strict"
    model: str = ""


class JobRecord(BaseModel):
    id: str
    kind: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    done: int
    total: int | None
    error: dict[str, str] | None
    attempts: int
    events: str
    result: str | None


class RunMeans(BaseModel):
    scored: int
    score: float
    exact: float
    format_ok: float


class RunRecord(BaseModel):
    id: str
    model: str
    metric: Metric
    mode: Mode
    answers: int
    kinds: dict[str, RunMeans]


class AnswerRow(BaseModel):
    """A model's answer to a stored question (``id``), to a self-contained one (``sealed``), or to the instance of a
    task about a stored structure."""

    id: str | None = None
    sealed: str | None = None
    structure: str | None = None
    ligand: str | None = None
    task: str | None = Field(None, description="the kind of question")
    parameters: Parameters = Parameters()
    response: Any = Field(description="the model's text; anything else scores 0")
    metric: Metric = "misi"
    mode: Mode = "strict"


class Item(BaseModel):
    item: str
    verdict: Literal["true", "wrong", "not a bond", "missing"]
    reason: str


class VerifyReply(BaseModel):
    """Always these keys. ``status``: ``ok``, ``unusable_truth``, or the code of what is wrong with a row."""

    score: float | None
    exact: bool
    format_ok: bool
    parsed: str | None
    span: tuple[int, int] | None
    reason: str
    detail: list[Item] | None
    flags: list[str]
    status: str
    task: str | None
    metric: Metric
    mode: Mode
    version: str


class Rewards(BaseModel):
    rewards: list[float]
    scores: list[float]
    extra_logs: dict[str, list[float]]


class RewardQuery(BaseModel):
    query: list[str] = Field(description="prompt and response, with special tokens")
    prompts: list[str]
    labels: list[str] = Field(description="question ids or sealed questions")


def body(media_types: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """``openapi_extra`` for a body that the route reads from the stream."""
    content = {name: {"schema": schema} for name, schema in media_types.items()}
    return {"requestBody": {"required": True, "content": content}}

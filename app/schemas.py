"""What the description of the service says of verification; requests are checked by ``app.verification``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

Metric = Literal["misi", "exact", "f1"]
Mode = Literal["strict", "lenient"]


class AnswerRow(BaseModel):
    """A model's answer to a stored question (``id``) or to a self-contained one (``sealed``)."""

    id: str | None = None
    sealed: str | None = None
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

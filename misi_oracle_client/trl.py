"""TRL's GRPO: ``reward(prompts, completions, **columns) -> list[float | None]``.

Columns of the data set that name the question: ``id``, ``sealed``, or ``kind`` and ``answer``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from misi_oracle_client.local import verifier
from misi_oracle_client.rows import (
    NAMES,
    AsyncVerifier,
    Metric,
    Mode,
    Reply,
    Row,
    Verifier,
    completion_text,
    row,
    scored,
)

Rewards = list[float | None]


def make_trl_reward(
    oracle: Verifier | str | None = None, *, metric: Metric = "misi", mode: Mode = "strict"
) -> Callable[..., Rewards]:
    """A reward function that asks a URL, a verifier, or this process. None stands for a truth that cannot be used.

    It raises ClientError where a question is not known: training on should not hide that.
    """

    def misi_reward(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:  # noqa: ARG001
        return _rewards(verifier(oracle).verify_batch(_rows(completions, columns, metric, mode)))

    return misi_reward


def make_async_trl_reward(
    oracle: AsyncVerifier, *, metric: Metric = "misi", mode: Mode = "strict"
) -> Callable[..., Awaitable[Rewards]]:
    """As ``make_trl_reward``, to be awaited."""

    async def misi_reward(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:  # noqa: ARG001
        return _rewards(await oracle.verify_batch(_rows(completions, columns, metric, mode)))

    return misi_reward


def _rows(completions: Sequence[Any], columns: dict[str, Any], metric: Metric, mode: Mode) -> list[Row]:
    named = {name: columns[name] for name in NAMES if isinstance(columns.get(name), list)}
    return [
        row({name: column[at] for name, column in named.items()}, completion_text(completion), metric, mode)
        for at, completion in enumerate(completions)
    ]


def _rewards(replies: list[Reply]) -> Rewards:
    return [reply["score"] for reply in scored(replies)]


trl_reward = make_trl_reward()

"""verifiers: a rubric function ``(completion, answer, info, **kw) -> float``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from misi_oracle_client.local import verifier
from misi_oracle_client.rows import Metric, Mode, Verifier, completion_text, row, scored


def make_rubric_reward(
    oracle: Verifier | str | None = None, *, metric: Metric = "misi", mode: Mode = "strict"
) -> Callable[..., float]:
    """``answer`` is the truth or a sealed question; ``info`` holds ``kind``, or ``id`` or ``sealed`` for a service.

    An unusable truth rewards 0: the library knows no row without a reward.
    """

    def misi_reward(completion: Any, answer: str = "", info: Mapping[str, Any] | None = None, **_: Any) -> float:
        fields = dict(info or {}) | ({"answer": answer} if answer else {})
        rows = [row(fields, completion_text(completion), metric, mode)]
        return scored(verifier(oracle).verify_batch(rows))[0]["score"] or 0.0

    return misi_reward


rubric_reward = make_rubric_reward()

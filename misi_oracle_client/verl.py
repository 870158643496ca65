"""verl: ``compute_score(data_source, solution_str, ground_truth, extra_info=None, **kw) -> dict``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from misi_oracle_client.local import verifier
from misi_oracle_client.rows import Metric, Mode, Verifier, row, scored


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str | None,
    extra_info: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, float]:
    """``score`` and, always, ``exact``, ``format_ok`` and ``usable``; an unusable truth scores 0.

    ``ground_truth`` is an answer in the benchmark's form, or a sealed question. ``extra_info`` may hold ``id``,
    ``sealed`` and ``kind`` (else what stands after the last ``/`` of ``data_source``). Options, as verl's
    ``reward_kwargs``: ``url`` (or ``oracle``), ``metric``, ``mode``; others are verl's own.
    """
    oracle: Verifier | str | None = options.get("oracle", options.get("url"))
    metric: Metric = options.get("metric", "misi")
    mode: Mode = options.get("mode", "strict")
    fields = {"kind": data_source.rpartition("/")[2]} | dict(extra_info or {}) | {"answer": ground_truth}
    reply = scored(verifier(oracle).verify_batch([row(fields, solution_str, metric, mode)]))[0]
    return {
        "score": reply["score"] or 0.0,
        "exact": float(reply["exact"]),
        "format_ok": float(reply["format_ok"]),
        "usable": float(reply["score"] is not None),
    }

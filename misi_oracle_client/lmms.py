"""lmms-eval: ``process_results(doc, results) -> {metric: value}``; metrics ``misi``, ``exact``, ``format_ok``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from misi_oracle_client.local import verifier
from misi_oracle_client.rows import Metric, Mode, Verifier, row, scored


def make_process_results(
    oracle: Verifier | str | None = None, *, metric: Metric = "misi", mode: Mode = "lenient"
) -> Callable[[Mapping[str, Any], Sequence[Any]], dict[str, float]]:
    """``doc`` is a question record, or has its ``id`` or ``sealed``. No value where the truth cannot be used."""

    def process_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float]:
        rows = [row(doc, results[0] if results else None, metric, mode)]
        reply = scored(verifier(oracle).verify_batch(rows))[0]
        if reply["score"] is None:
            return {}
        return {metric: reply["score"], "exact": float(reply["exact"]), "format_ok": float(reply["format_ok"])}

    return process_results


process_results = make_process_results()

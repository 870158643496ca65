"""reasoning-gym: entries ``{question, answer, metadata}``; ``score_answer`` needs a stored entry alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from misi_oracle_client.local import verifier
from misi_oracle_client.rows import Metric, Mode, Verifier, row, scored

NAME = "misi_oracle"
Entry = dict[str, Any]


class QuestionSet:
    """Question records as a data set of reasoning-gym's form."""

    name = NAME

    def __init__(
        self,
        questions: Sequence[Mapping[str, Any]],
        oracle: Verifier | str | None = None,
        *,
        metric: Metric = "misi",
        mode: Mode = "strict",
    ) -> None:
        self._questions = questions
        self._oracle = oracle
        self._scoring = (metric, mode)

    def __len__(self) -> int:
        return len(self._questions)

    def __getitem__(self, idx: int) -> Entry:
        """``answer`` is the record's, or its sealed question; ``metadata`` holds id, kind and complex."""
        question = self._questions[idx]
        known = {name: question[name] for name in ("id", "kind", "complex", "sealed") if name in question}
        return {
            "question": question["text"],
            "answer": question.get("answer") or question.get("sealed") or "",
            "metadata": {"source_dataset": self.name, "source_index": idx} | known,
        }

    def __iter__(self) -> Iterator[Entry]:
        return (self[idx] for idx in range(len(self)))

    def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
        """The score; 0 for no answer and for a truth that cannot be used."""
        fields = dict(entry["metadata"]) | {"answer": entry["answer"] or None}
        reply = scored(verifier(self._oracle).verify_batch([row(fields, answer, *self._scoring)]))[0]
        return reply["score"] or 0.0


@dataclass
class FileConfig:
    """``questions``: a JSONL file of question records; ``url`` of a service, or None for this process."""

    questions: str = ""
    url: str | None = None
    seed: int | None = None
    size: int | None = None


def register_with_reasoning_gym(name: str = NAME) -> None:
    """Makes ``reasoning_gym.create_dataset(name, questions="questions.jsonl")`` work."""
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import register_dataset

    def init(self: Any, config: FileConfig) -> None:
        lines = Path(config.questions).read_text("utf-8").splitlines()
        QuestionSet.__init__(self, [json.loads(line) for line in lines[: config.size] if line], config.url)
        self.config, self.seed, self.size = config, config.seed or 0, len(self)

    register_dataset(
        name, type("MisiOracleDataset", (QuestionSet, ProceduralDataset), {"__init__": init, "name": name}), FileConfig
    )

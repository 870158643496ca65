"""Questions from scenes: the same seed gives the same question, whatever the process, file format or order of atoms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from math import ceil, inf
from operator import itemgetter
from typing import Any

import numpy as np

from interactions.errors import InputError, UnknownName
from interactions.questions import QUESTIONS
from interactions.questions.answers import Answer
from interactions.questions.base import Question
from interactions.questions.records import ask_of, question_record
from interactions.questions.scene import Scene
from interactions.questions.settings import BENCHMARK, Settings

Record = dict[str, Any]

SPLITS = ("train", "test")
NEEDS_TARGET = frozenset({"translation_rotation"})


def question(kind: str) -> Question:
    """The module of a kind. Raises UnknownName."""
    if kind not in QUESTIONS:
        raise UnknownName("question kind", kind, QUESTIONS)
    return QUESTIONS[kind]


def generate(kind: str, scenes: Sequence[Scene], index: int, seed: int, settings: Settings = BENCHMARK) -> Record:
    """The question record with this index about the first scene; the others may be its second complex.

    Different indices, below ``possible``, are different questions. Raises UnknownName for a kind, and InputError:
    ``no_more_questions`` for an index beyond what is possible, ``no_target`` where a second complex is needed.
    """
    module, scene = question(kind), scenes[0]
    instances = in_order(kind, scene, seed, settings)
    if not 0 <= index < len(instances):
        raise InputError(
            f"{scene.id}: {len(instances)} questions of kind {kind} are possible; there is no number {index}",
            code="no_more_questions",
        )
    rng = _rng(seed, scene, kind, index + 1)
    if kind in NEEDS_TARGET:
        scene = replace(scene, target=_target(scenes, rng))
    ask = module.ask(scene, instances[index], rng, settings)
    return question_record(ask, module, scene, (seed, index), settings)


def in_order(kind: str, scene: Scene, seed: int, settings: Settings = BENCHMARK) -> list[Any]:
    """All instances of a kind in the order of their indices: strata shuffled, then taken in turn.

    Of residues without a bond, ``negatives_per_positive`` come with each one that has a bond.
    """
    rng = _rng(seed, scene, kind, 0)
    strata = question(kind).instances(scene, settings)
    shares = (1.0, settings.negatives_per_positive) if kind == "residue_ligand" else (1.0,) * len(strata)
    places = [
        (turn / share if share else inf, number, stratum[i])
        for number, (stratum, share) in enumerate(zip(strata, shares, strict=True))
        for turn, i in enumerate(rng.permutation(len(stratum)).tolist())
    ]
    return [instance for _, _, instance in sorted(places, key=itemgetter(0, 1))]


def count(kind: str, scene: Scene, split: str, settings: Settings = BENCHMARK) -> int:
    """How many questions the benchmark asks of a complex of the split ``train`` or ``test``.

    Residue–ligand: each residue with a bond, and ``negatives_per_positive`` times as many without. Raises UnknownName.
    """
    if split not in SPLITS:
        raise UnknownName("split", split, SPLITS)
    strata = question(kind).instances(scene, settings)
    possible = sum(map(len, strata))
    if kind == "residue_ligand":
        positive, negative = map(len, strata)
        return positive + min(negative, ceil(positive * settings.negatives_per_positive))
    wanted = {name: (train, test) for name, train, test in settings.counts}
    return min(possible, wanted[kind][SPLITS.index(split)]) if kind in wanted else possible


def solve_record(record: Record, scenes: Sequence[Scene]) -> Answer:
    """The answer to a question record from the scenes that it is about, found by id and content.

    Reads what the pictures show and what is asked, never the stored answer. Raises InputError (``other_complex``)
    where a scene is not there.
    """
    known = {(scene.id, scene.content): scene for scene in scenes}
    scene = _known(known, record["complex"], record["metadata"]["scene"])
    target = record["metadata"]["target"]
    if target is not None:
        scene = replace(scene, target=_known(known, target["complex"], target["scene"]))
    return question(record["kind"]).solve(ask_of(record), scene)


def _known(known: dict[tuple[str, str], Scene], id: str, content: str) -> Scene:
    if (id, content) not in known:
        raise InputError(f"the question is about another complex or pocket: {id}", code="other_complex")
    return known[id, content]


def _target(scenes: Sequence[Scene], rng: np.random.Generator) -> Scene:
    others = sorted((s for s in scenes[1:] if s.content != scenes[0].content), key=lambda s: (s.id, s.content))
    if not others:
        raise InputError("this question needs a second complex to carry the transform over to", code="no_target")
    return others[int(rng.integers(len(others)))]


def _rng(seed: int, scene: Scene, kind: str, draw: int) -> np.random.Generator:
    """Draw 0 orders the instances, draw index + 1 makes one question."""
    if seed < 0:
        raise InputError(f"a seed is zero or more, not {seed}", code="bad_seed")
    name = int.from_bytes(sha256(kind.encode()).digest()[:8], "big")
    return np.random.default_rng([seed, int(scene.content, 16), name, draw])

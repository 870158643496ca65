"""Questions over many complexes, their answers, scores and report: the commands ask, solve, score and report."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from app.bulk import Task, choices_of, collect, read_file, refuse_twins
from interactions.complex import Chemistry, Complex
from interactions.errors import InputError, OracleError
from interactions.formats.selection import ALL, Selection, read_selected
from interactions.labelling import label, load_complex, perceive, with_ligand
from interactions.questions.answers import Bond, Bonds
from interactions.questions.generate import NEEDS_TARGET, count, generate, question, solve_record
from interactions.questions.reading import read_answer, read_truth
from interactions.questions.report import Truths
from interactions.questions.residues import canonical
from interactions.questions.scene import Scene, scene_of
from interactions.questions.scoring import truth_sizes, verify
from interactions.questions.settings import BENCHMARK, Settings
from interactions.questions.wording import answer_text

Record = dict[str, Any]

TARGETS = 16  # other complexes that a question may carry its transform over to


@dataclass(frozen=True)
class Source:
    """One complex of a source: its files and, in a structure file, which ligand; ``split`` where a manifest says;
    ``pose``: which record of the ligand file, counted from 1; ``selection``: what of a structure file."""

    id: str
    task: Task
    selector: str | None
    split: str | None = None
    pose: int | None = None
    selection: Selection = ALL

    def load(self) -> Complex:
        if self.pose is not None and self.task.ligand is not None:
            data, name = _record(self.task.ligand, self.pose)
            return with_ligand(*_receptor(self.task.receptor, self.selection), data, name, self.selector)
        ligand = (None, None) if self.task.ligand is None else read_file(self.task.ligand)
        return load_complex(*read_file(self.task.receptor), *ligand, self.selector, selection=self.selection)


@dataclass(frozen=True)
class Plan:
    """What to ask. ``per_complex``: questions of each kind a complex, None for the benchmark's number of its split;
    ``test_share``: the share of complexes in the split ``test``, told by a digest of the id."""

    kinds: tuple[str, ...]
    seed: int
    per_complex: int | None = None
    test_share: float = 0.1
    criteria: str = "chimerax"
    settings: Settings = BENCHMARK


@lru_cache(1)
def _receptor(path: Path, selection: Selection) -> tuple[Chemistry, bytes]:
    """A receptor that many poses share, perceived, and its bytes."""
    data, name = read_file(path)
    return perceive(read_selected(data, name, selection)), data


@lru_cache(1)
def _records(path: Path) -> list[tuple[bytes, str]]:
    from interactions.poses import records_of

    return list(records_of(*read_file(path)))


def _record(path: Path, number: int) -> tuple[bytes, str]:
    return _records(path)[number - 1]


def poses_of(source: Source) -> list[Source]:
    """Each record of the ligand file as a complex of its own, ``<id>_pose_00001`` …; the source itself where its
    ligand file has none, which its label will say."""
    if source.task.ligand is None:
        return [source]
    try:
        count = len(_records(source.task.ligand))
    except OracleError:
        return [source]
    return [replace(source, id=f"{source.id}_pose_{number:05d}", pose=number) for number in range(1, count + 1)]


def sources(
    paths: list[Path], criteria: str = "chimerax", *, poses: bool = False, selection: Selection = ALL
) -> list[Source]:
    """Complexes of folders, files, patterns and manifests, by id; with ``poses`` one for each record of a ligand file.

    A file that cannot be read or has no ligand is a complex that fails to load. Raises Usage for an id used twice.
    """
    from app.manifest import SUFFIXES, read_manifest

    tables = [path for path in paths if path.suffix in SUFFIXES]
    found = [source for path in tables for source in read_manifest(path.resolve(), criteria)]
    for task in collect([path for path in paths if path.suffix not in SUFFIXES], criteria):
        if task.ligand is not None:
            found.append(Source(task.id, task, None))
            continue
        try:
            found += [Source(identifier, task, selector) for identifier, selector in choices_of(task, selection)]
        except OracleError:
            found.append(Source(task.id, task, None))
    if poses:
        found = [pose for source in found for pose in poses_of(source)]
    found = [replace(source, selection=selection) for source in found]
    refuse_twins([source.id for source in found])
    return sorted(found, key=lambda source: source.id)


def split_of(complex_id: str, test_share: float) -> str:
    """``train`` or ``test`` by the complex alone, so that no complex is in both."""
    fraction = int.from_bytes(sha256(f"split {complex_id}".encode()).digest()[:8], "big") / 2**64
    return "test" if fraction < test_share else "train"


def scene(source: Source, criteria: str) -> Scene:
    complex_ = source.load()
    return scene_of(complex_, label(complex_, criteria=criteria, id=source.id))


def ask_all(found: Sequence[Source], plan: Plan, out: Path) -> Iterator[tuple[Record, Scene, Source] | str]:
    """Question records in order of complex, kind and index, each with its scene; or what went wrong with one."""
    for kind in plan.kinds:
        question(kind)
    others = _targets(found, plan) if NEEDS_TARGET & set(plan.kinds) else []
    for source in found:
        try:
            here = scene(source, plan.criteria)
            for record in questions_of(here, others, plan):
                record["metadata"]["source"] = _where(source, out)
                yield record, here, source
        except OracleError as error:
            yield f"{source.id}: {error.code}: {error}"


def _targets(found: Sequence[Source], plan: Plan) -> list[Scene]:
    scenes = []
    for source in found:
        if len(scenes) == TARGETS:
            break
        try:
            scenes.append(scene(source, plan.criteria))
        except OracleError as error:
            print(f"{source.id}: no target: {error.code}: {error}", file=sys.stderr)
    return scenes


def questions_of(here: Scene, others: Sequence[Scene], plan: Plan, split: str | None = None) -> Iterator[Record]:
    """Questions of all kinds about a scene. ``split``: which the ``others`` are of as well; else told by the ids."""
    targets = list(others)
    if split is None:
        split = split_of(here.id, plan.test_share)
        targets = [other for other in others if split_of(other.id, plan.test_share) == split] or targets
    for kind in plan.kinds:
        possible = question(kind).possible(here, plan.settings)
        wanted = (
            count(kind, here, "test" if split == "test" else "train", plan.settings)
            if plan.per_complex is None
            else plan.per_complex
        )
        for index in range(min(wanted, possible)):
            record = generate(kind, [here, *targets], index, plan.seed, plan.settings)
            record["metadata"]["split"] = split
            yield record


def answerable(kinds: Sequence[str], here: Scene, others: Sequence[Scene]) -> tuple[str, ...]:
    """The kinds less those that need a second complex where there is none."""
    alone = all(other.content == here.content for other in others)
    return tuple(kind for kind in kinds if not (alone and kind in NEEDS_TARGET))


def _where(source: Source, out: Path) -> Record:
    """Files as seen from the folder of the questions."""
    folder = out.resolve().parent
    task = source.task
    return {
        "receptor": Path(os.path.relpath(task.receptor, folder)).as_posix(),
        "ligand": None if task.ligand is None else Path(os.path.relpath(task.ligand, folder)).as_posix(),
        "selector": source.selector,
    }


def read_lines(path: Path) -> Iterator[Record]:
    """JSON objects of a JSONL file. Raises InputError that names the line."""
    for number, line in enumerate(read_file(path)[0].splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise InputError(f"{path.name}: line {number}: not JSON: {error}", code="bad_json") from error
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise InputError(f"{path.name}: line {number}: an object with an 'id' was expected", code="bad_json")
        yield row


class Library:
    """Scenes of question records, found by the files that they name, seen from the folder of the questions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._complexes: dict[str, Complex] = {}
        self._scenes: dict[str, Scene] = {}

    def complex_of(self, record: Record) -> Complex:
        if record["complex"] not in self._complexes:
            where = record["metadata"].get("source")
            if where is None:
                raise InputError(f"{record['id']}: the question does not say where its files are", code="no_source")
            ligand = None if where["ligand"] is None else self._folder / where["ligand"]
            task = Task(record["complex"], self._folder / where["receptor"], ligand, record["metadata"]["criteria"])
            self._complexes[record["complex"]] = Source(record["complex"], task, where["selector"]).load()
        return self._complexes[record["complex"]]

    def scene_of(self, record: Record) -> Scene:
        name = record["complex"]
        if name not in self._scenes:
            complex_ = self.complex_of(record)
            labels = label(complex_, criteria=record["metadata"]["criteria"], id=name)
            self._scenes[name] = scene_of(complex_, labels)
        return self._scenes[name]


def solve_all(records: Sequence[Record], folder: Path) -> Iterator[Record]:
    """An answer line for each question, solved from coordinates; one that cannot be is ``"status": "failed"``."""
    library = Library(folder)
    known = {record["complex"]: record for record in records}
    for record in records:
        try:
            target = record["metadata"]["target"]
            names = [record["complex"]] + ([] if target is None else [target["complex"]])
            scenes = [library.scene_of(_about(known, name)) for name in names]
            answer = solve_record(record, scenes)
            yield {"id": record["id"], "response": answer_text(record["kind"], answer)}
        except OracleError as error:
            yield {"id": record["id"], "status": "failed", "error": {"code": error.code, "message": str(error)}}


def _about(known: dict[str, Record], name: str) -> Record:
    """A question about a complex, which says where its files are."""
    if name not in known:
        raise InputError(f"no question of the file is about {name}, which one needs", code="no_source")
    return known[name]


def score_all(
    questions: Iterable[Record], answers: Iterable[Record], folder: Path, *, metric: str, mode: str
) -> Iterator[Record]:
    """A score line for each question in its order; a question without an answer is scored as an empty one.

    Answered pairs that are no bonds are explained where the complex's files are at hand.
    """
    given = {answer["id"]: answer for answer in answers}
    library = Library(folder)
    for record in questions:
        response = given.get(record["id"], {}).get("response", "")
        truth = read_truth(record["kind"], record["answer"]) if record.get("answer") is not None else None
        reasons = _reasons(record, response, mode, truth, library)
        reply = verify(record["kind"], response, truth, metric=metric, mode=mode, known=reasons)
        about = {name: record[name] for name in ("id", "kind", "complex")}
        yield about | reply | ({} if truth is None else {"truth_sizes": truth_sizes(truth)})


def _reasons(record: Record, response: str, mode: str, truth: Any, library: Library) -> dict[Bond, str]:
    """Why answered pairs that are not true are no bonds."""
    parsed = read_answer(record["kind"], response, mode=mode).parsed
    if not isinstance(parsed, Bonds) or not isinstance(truth, Bonds):
        return {}
    wrong = {canonical(bond) for bond in parsed.bonds} - {canonical(bond) for bond in truth.bonds}
    if not wrong or record["metadata"].get("source") is None:
        return {}
    from interactions.questions.reasons import why_not

    return why_not(library.complex_of(record), record, wrong)


def truths_of(questions: Iterable[Record]) -> Truths:
    """Truths by kind and how many pairs each question had to choose from, for the floor rows of a report."""
    answers: dict[str, list[Any]] = {}
    candidates: dict[str, list[int]] = {}
    for record in questions:
        if record.get("answer") is not None:
            answers.setdefault(record["kind"], []).append(read_truth(record["kind"], record["answer"]))
            candidates.setdefault(record["kind"], []).append(record["metadata"]["pairs"] or 0)
    return Truths(answers, candidates)

"""Build a data set: every table of many complexes in one folder, the same bytes whatever ran it.

Complexes go in blocks in order of their ids; a block's files depend on its complexes alone. Finished blocks wait under
``parts/`` by a key of their input, so that a stopped run goes on where it ended. The manifest comes last.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import orjson

from app.asking import TARGETS, Plan, Source, answerable, questions_of, sources
from app.bulk import content_digest
from app.datasets.cards import write_cards
from app.datasets.schema import TABLES, TINY, USUAL
from app.datasets.splits import METHODS, NEEDS_PROFILE, SPLITS, Profile, assign, profile_of
from app.datasets.tables import Rows, question_row, rows_of, write_table
from app.datasets.tiny import write_tiny
from app.worker_process import Limits
from app.workers import Pool, Rules
from interactions import __version__
from interactions.complex import Complex
from interactions.errors import InputError, OracleError, UnknownName
from interactions.formats.selection import ALL, Selection
from interactions.labelling import failure, label, label_by_all
from interactions.questions import QUESTIONS
from interactions.questions.scene import Scene, scene_of
from interactions.serialise import dumps

Record = dict[str, Any]
logger = logging.getLogger(__name__)

BLOCK = 256
BLOCK_SECONDS = 3600.0
NICE = 19
PIECE = 64
ALWAYS = ("complexes", "failures")


@dataclass(frozen=True)
class Parameters:
    """What the labels are; part of every block's key.

    ``split``: how complexes are shared out; ``seed`` and ``questions`` of each kind about a complex, None for the
    benchmark's number; ``poses``: each record of a ligand file is a complex of its own; ``model``, ``alt_loc`` and
    ``assembly``: what of a structure file is read.
    """

    criteria: str = "chimerax"
    hydrogens: str = "placed"
    tables: tuple[str, ...] = USUAL
    test_share: float = 0.1
    split: str = "complex"
    seed: int = 0
    questions: int | None = None
    poses: bool = False
    model: int | None = None
    alt_loc: str | None = None
    assembly: str | None = None

    def __post_init__(self) -> None:
        if self.split not in (*METHODS, "given"):
            raise UnknownName("way to split", self.split, (*METHODS, "given"))
        for table in self.tables:
            if table not in TABLES:
                raise UnknownName("table", table, TABLES)
        kept = tuple(table for table in TABLES if table in {*self.tables, *ALWAYS})
        object.__setattr__(self, "tables", kept)

    @property
    def parts(self) -> tuple[str, ...]:
        """What has to be looked for: contacts and all that rests on them only where a table of theirs is wanted."""
        contacts = bool({"contacts", "sites"} & set(self.tables))
        parts = ("contacts", "sites", "ambiguities", "ligand_chemistry") if contacts else ()
        return (*parts, "near_misses") if "near_misses" in self.tables else parts

    @property
    def selection(self) -> Selection:
        """What of a structure file is read."""
        return Selection(self.model, self.alt_loc, self.assembly)

    def as_dict(self) -> Record:
        return asdict(self) | {"tables": list(self.tables), "block": BLOCK}


@dataclass(frozen=True)
class Block:
    """Complexes of one split that go to one file a table; ``targets``: others that questions may be carried over to."""

    split: str
    number: int
    sources: tuple[Source, ...]
    parameters: Parameters
    targets: tuple[Source, ...] = ()

    @property
    def key(self) -> str:
        """A digest of the input bytes, the parameters and the version."""
        digest = sha256(f"{__version__} {self.parameters} {self.split} {self.number}".encode())
        for source in (*self.sources, *self.targets):
            digest.update(f"\0{source.id} {source.selector} {source.pose}".encode())
            for path in (source.task.receptor, source.task.ligand):
                if path is not None:
                    digest.update(content_digest(path))
        return digest.hexdigest()[:32]


class Engine(Protocol):
    """Local processes, or a cluster's executor."""

    def submit(self, call: Any, /, *arguments: Any) -> Future[Any]: ...


@dataclass
class Progress:
    """Rate and time left, on stderr."""

    total: int
    done: int = 0
    start: float = field(default_factory=time.monotonic)

    def step(self, count: int) -> None:
        self.done += count
        rate = self.done / max(1e-9, time.monotonic() - self.start)
        left = (self.total - self.done) / max(rate, 1e-9)
        print(f"{self.done}/{self.total} complexes, {rate:.1f} a second, {left:.0f} s left", file=sys.stderr)


def label_block(block: Block, folder: Path) -> dict[str, int]:
    """Label a block's complexes and write its tables to a folder of its own; rows of each table."""
    rows: Rows = {table: [] for table in block.parameters.tables}
    asks = "questions" in rows
    targets = [made for source in block.targets if (made := _target(source, block.parameters)) is not None]
    for source in block.sources:
        complex_, record = labelled(source, block.parameters)
        for table, found in rows_of(record, block.parameters.tables).items():
            rows[table] += found
        if asks and complex_ is not None:
            rows["questions"] += _asked(complex_, record, block, targets)
    work = folder.with_name(f"{folder.name}.{os.getpid()}.part")
    work.mkdir(parents=True)
    for table, found in rows.items():
        write_table(table, found, work / f"{table}.parquet")
    (work / "rows.json").write_bytes(orjson.dumps({table: len(found) for table, found in rows.items()}))
    try:
        work.rename(folder)
    except OSError:  # another run has made the same block meanwhile
        shutil.rmtree(work)
    return {table: len(found) for table, found in rows.items()}


def _asked(complex_: Complex, record: Record, block: Block, targets: Sequence[Scene]) -> list[Record]:
    here, asks = scene_of(complex_, record), block.parameters
    others = [target for target in targets if target.id != record["id"]]
    plan = Plan(answerable(tuple(QUESTIONS), here, others), asks.seed, asks.questions, criteria=asks.criteria)
    made = questions_of(here, others, plan, block.split)
    return [question_row(question) for question in made]


def _target(source: Source, parameters: Parameters) -> Scene | None:
    """The scene of another complex; one that cannot be labelled fails in its own block, and is no target."""
    complex_, record = labelled(source, parameters)
    return None if complex_ is None else scene_of(complex_, record)


def record_of(source: Source, parameters: Parameters) -> Record:
    """The LabelSet of a complex, or its failure."""
    return labelled(source, parameters)[1]


def labelled(source: Source, parameters: Parameters) -> tuple[Complex | None, Record]:
    """A complex and its LabelSet; without the complex its failure."""
    try:
        complex_ = source.load()
        record = label(
            complex_,
            criteria=parameters.criteria,
            parts=parameters.parts,
            hydrogens=parameters.hydrogens,
            id=source.id,
        )
        if "consensus" in parameters.tables:
            record["pairs"] = label_by_all(complex_, hydrogens=parameters.hydrogens)["pairs"]
    except OracleError as error:
        return None, failure(source.id, error)
    except Exception as error:
        logger.exception("%s: unexpected error", source.id)
        return None, failure(source.id, OracleError(f"unexpected {type(error).__name__}", code="internal_error"))
    if source.selection != ALL:
        record["provenance"]["model_policy"] = str(source.selection)
    return complex_, record


def sources_of(paths: list[Path], parameters: Parameters) -> list[Source]:
    """The complexes of a data set, by id."""
    return sources(paths, parameters.criteria, poses=parameters.poses, selection=parameters.selection)


def blocks_of(
    found: Sequence[Source], parameters: Parameters, splits: Mapping[str, str], size: int = BLOCK
) -> list[Block]:
    """Blocks of each split, complexes in order of their ids."""
    blocks = []
    for split in SPLITS:
        members = [source for source in found if splits[source.id] == split]
        targets = tuple(members[:TARGETS]) if "questions" in parameters.tables else ()
        for number, start in enumerate(range(0, len(members), size)):
            blocks.append(Block(split, number, tuple(members[start : start + size]), parameters, targets))
    return blocks


def build(paths: list[Path], out: Path, parameters: Parameters, engine: Engine | None = None, jobs: int = 1) -> Record:
    """Build the data set in ``out``; its manifest. Failures are rows of the table ``failures``.

    Raises InputError (``not_a_dataset``) where the folder holds something else, and OracleError for a lost block.
    """
    found = sources_of(paths, parameters)
    profiles = profiles_of(found, engine, jobs) if parameters.split in NEEDS_PROFILE else [Profile(s.id) for s in found]
    splits = assign(found, parameters.split, profiles, parameters.test_share)
    blocks = blocks_of(found, parameters, splits)
    parts = out / "parts"
    if out.exists() and any(out.iterdir()) and not (parts.exists() or (out / "manifest.json").exists()):
        raise InputError(f"{out}: the folder holds something that is no data set", code="not_a_dataset")
    parts.mkdir(parents=True, exist_ok=True)
    keys = {(block.split, block.number): block.key for block in blocks}
    todo = [block for block in blocks if not (parts / keys[block.split, block.number]).exists()]
    progress = Progress(sum(len(block.sources) for block in todo))
    calls = [(block, parts / keys[block.split, block.number]) for block in todo]
    for at, _ in run_all(label_block, calls, engine, jobs):
        progress.step(len(todo[at].sources))
    return _assemble(out, blocks, keys, parameters)


def profiles_of(found: Sequence[Source], engine: Engine | None, jobs: int) -> list[Profile]:
    """What splits and leaks go by, of every complex, in order."""
    pieces = [tuple(found[start : start + PIECE]) for start in range(0, len(found), PIECE)]
    made = dict(run_all(_profiles, [(piece,) for piece in pieces], engine, jobs))
    return [profile for at in range(len(pieces)) for profile in made[at]]


def _profiles(piece: Sequence[Source]) -> list[Profile]:
    return [profile_of(source) for source in piece]


def run_all(
    call: Callable[..., Any], calls: Sequence[tuple[Any, ...]], engine: Engine | None, jobs: int
) -> Iterator[tuple[int, Any]]:
    """The results of a function for each tuple of arguments, as they come, with their places."""
    if engine is None and (jobs == 1 or len(calls) < 2):
        yield from ((at, call(*arguments)) for at, arguments in enumerate(calls))
        return
    pool = None
    if engine is None:
        pool = Pool(Rules(jobs, BLOCK_SECONDS, max(1, len(calls)), Limits(nice=NICE, jobs=16)))
        pool.start()
    try:
        futures = {(engine or pool).submit(call, *arguments): at for at, arguments in enumerate(calls)}  # type: ignore[union-attr]
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        if pool is not None:
            pool.stop()


def _assemble(out: Path, blocks: list[Block], keys: dict[tuple[str, int], str], parameters: Parameters) -> Record:
    """Files of all blocks at their places, the cards, and last of all the manifest."""
    for old in (out / "data", out / "jsonl"):
        shutil.rmtree(old, ignore_errors=True)
    rows: Counter[str] = Counter()
    digests = {}
    for split in SPLITS:
        made = [out / "parts" / keys[block.split, block.number] for block in blocks if block.split == split]
        counts = [orjson.loads((part / "rows.json").read_bytes()) for part in made]
        for table in parameters.tables:
            # A file without rows is none: loaders stumble over it.
            parts = [part for part, count in zip(made, counts, strict=True) if count[table]]
            rows[table] += sum(count[table] for count in counts)
            for number, part in enumerate(parts):
                name = f"{split}-{number:05d}-of-{len(parts):05d}"
                digests |= _placed(part, table, name, out)
    configs = parameters.tables
    if "questions" in configs:
        rows[TINY], tiny = write_tiny(out)
        digests |= tiny
        configs = (*configs, TINY)
    manifest = {
        "version": __version__,
        "parameters": parameters.as_dict(),
        "complexes": sum(len(block.sources) for block in blocks),
        "rows": {table: rows[table] for table in configs},
        "files": dict(sorted(digests.items())),
    }
    write_cards(out, manifest, configs)
    part = out / "manifest.json.part"
    part.write_bytes(dumps(manifest))
    part.replace(out / "manifest.json")
    shutil.rmtree(out / "parts")
    return manifest


def _placed(part: Path, table: str, name: str, out: Path) -> dict[str, str]:
    """A block's files of a table at their places, with their digests."""
    digests = {}
    for folder, suffix in (("data", ".parquet"), ("jsonl", ".jsonl")):
        place = out / folder / table / f"{name}{suffix}"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(part / f"{table}{suffix}", place)
        digests[place.relative_to(out).as_posix()] = sha256(place.read_bytes()).hexdigest()
    return digests


def parameters_of(manifest: Record) -> Parameters:
    told = manifest["parameters"]
    known = {field.name for field in fields(Parameters)}
    return Parameters(
        **{name: value for name, value in told.items() if name in known} | {"tables": tuple(told["tables"])}
    )


def dask_engine(scheduler: str) -> Executor:
    """The executor of a Dask cluster by its address, or of a local one (``local``). Raises InputError (``no_dask``)."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise InputError("a scheduler needs the extra 'dask'", code="no_dask") from error
    if scheduler == "local":
        client = Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
    else:
        client = Client(scheduler)
    executor: Executor = client.get_executor(pure=False, retries=3)
    return executor

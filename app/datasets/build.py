"""Build a data set: every table of many complexes in one folder, the same bytes whatever ran it.

Complexes go in blocks in order of their ids; a block's files depend on its complexes alone. Finished blocks wait under
``parts/`` by a key of their input, so that a stopped run goes on where it ended. The manifest comes last.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import orjson

from app.asking import Source, sources, split_of
from app.datasets.cards import write_cards
from app.datasets.schema import TABLES, USUAL
from app.datasets.tables import Rows, rows_of, write_table
from app.worker_process import Limits
from app.workers import Pool, Rules
from interactions import __version__
from interactions.errors import InputError, OracleError, UnknownName
from interactions.labelling import failure, label
from interactions.serialise import dumps

Record = dict[str, Any]

BLOCK = 256
BLOCK_SECONDS = 3600.0
NICE = 19
SPLITS = ("train", "test")
ALWAYS = ("complexes", "failures")


@dataclass(frozen=True)
class Parameters:
    """What the labels are; part of every block's key."""

    criteria: str = "chimerax"
    hydrogens: str = "placed"
    tables: tuple[str, ...] = USUAL
    test_share: float = 0.1

    def __post_init__(self) -> None:
        for table in self.tables:
            if table not in TABLES:
                raise UnknownName("table", table, TABLES)
        kept = tuple(table for table in TABLES if table in {*self.tables, *ALWAYS})
        object.__setattr__(self, "tables", kept)

    @property
    def parts(self) -> tuple[str, ...]:
        """What has to be looked for: contacts and all that rests on them only where a table of theirs is wanted."""
        if not {"contacts", "sites"} & set(self.tables):
            return ()
        parts = ("contacts", "sites", "ambiguities", "ligand_chemistry")
        return (*parts, "near_misses") if "near_misses" in self.tables else parts

    def as_dict(self) -> Record:
        return asdict(self) | {"tables": list(self.tables), "block": BLOCK}


@dataclass(frozen=True)
class Block:
    """Complexes of one split that go to one file a table."""

    split: str
    number: int
    sources: tuple[Source, ...]
    parameters: Parameters

    @property
    def key(self) -> str:
        """A digest of the input bytes, the parameters and the version."""
        digest = sha256(f"{__version__} {self.parameters} {self.split} {self.number}".encode())
        for source in self.sources:
            digest.update(f"\0{source.id} {source.selector}".encode())
            for path in (source.task.receptor, source.task.ligand):
                if path is not None:
                    digest.update(sha256(path.read_bytes()).digest())
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
    for source in block.sources:
        for table, found in rows_of(record_of(source, block.parameters)).items():
            if table in rows:
                rows[table] += found
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


def record_of(source: Source, parameters: Parameters) -> Record:
    """The LabelSet of a complex, or its failure."""
    try:
        complex_ = source.load()
        return label(
            complex_,
            criteria=parameters.criteria,
            parts=parameters.parts,
            hydrogens=parameters.hydrogens,
            id=source.id,
        )
    except OracleError as error:
        return failure(source.id, error)
    except Exception as error:
        return failure(source.id, OracleError(f"unexpected {type(error).__name__}: {error}", code="internal_error"))


def blocks_of(found: Sequence[Source], parameters: Parameters, size: int = BLOCK) -> list[Block]:
    """Blocks of each split, complexes in order of their ids."""
    blocks = []
    for split in SPLITS:
        members = [source for source in found if split_of(source.id, parameters.test_share) == split]
        for number, start in enumerate(range(0, len(members), size)):
            blocks.append(Block(split, number, tuple(members[start : start + size]), parameters))
    return blocks


def build(paths: list[Path], out: Path, parameters: Parameters, engine: Engine | None = None, jobs: int = 1) -> Record:
    """Build the data set in ``out``; its manifest. Failures are rows of the table ``failures``.

    Raises InputError (``not_a_dataset``) where the folder holds something else, and OracleError for a lost block.
    """
    found = sources(paths, parameters.criteria)
    blocks = blocks_of(found, parameters)
    parts = out / "parts"
    if out.exists() and any(out.iterdir()) and not (parts.exists() or (out / "manifest.json").exists()):
        raise InputError(f"{out}: the folder holds something that is no data set", code="not_a_dataset")
    parts.mkdir(parents=True, exist_ok=True)
    keys = {(block.split, block.number): block.key for block in blocks}
    todo = [block for block in blocks if not (parts / keys[block.split, block.number]).exists()]
    progress = Progress(sum(len(block.sources) for block in todo))
    for block in _run(todo, keys, parts, engine, jobs):
        progress.step(len(block.sources))
    return _assemble(out, blocks, keys, parameters)


def _run(
    todo: list[Block], keys: dict[tuple[str, int], str], parts: Path, engine: Engine | None, jobs: int
) -> Iterator[Block]:
    if engine is None and (jobs == 1 or len(todo) < 2):
        for block in todo:
            label_block(block, parts / keys[block.split, block.number])
            yield block
        return
    pool = None
    if engine is None:
        pool = Pool(Rules(jobs, BLOCK_SECONDS, max(1, len(todo)), Limits(nice=NICE, jobs=16)))
        pool.start()
    try:
        futures = {(engine or pool).submit(label_block, b, parts / keys[b.split, b.number]): b for b in todo}  # type: ignore[union-attr]
        for future in as_completed(futures):
            future.result()
            yield futures[future]
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
    manifest = {
        "version": __version__,
        "parameters": parameters.as_dict(),
        "complexes": sum(len(block.sources) for block in blocks),
        "rows": {table: rows[table] for table in parameters.tables},
        "files": dict(sorted(digests.items())),
    }
    write_cards(out, manifest, parameters.tables)
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
    return Parameters(told["criteria"], told["hydrogens"], tuple(told["tables"]), told["test_share"])


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

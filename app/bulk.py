"""Label many complexes with a process pool: one JSON line each, sorted by id, resumable.

Finished records wait in ``<out>.part`` with a key made from the input bytes, the criteria and the
version; a later run reuses those that still fit and are not failures.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from glob import glob, has_magic
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from app.worker_process import Limits
from app.workers import Pool, Rules
from interactions.errors import InputError, LigandError, OracleError
from interactions.formats import plain
from interactions.formats.selection import ALL, Selection, read_selected

Record = dict[str, Any]

RECEPTORS = ("_pocket.pdb", "_protein.pdb")
LIGANDS = ("_ligand.mol2", "_ligand.sdf")
STRUCTURES = (".pdb", ".ent", ".cif", ".mmcif")
TASK_SECONDS = 600.0  # a complex that takes longer is a failure
NICE = 19
logger = logging.getLogger(__name__)


class Usage(Exception):
    """The command line asks for something that cannot be done."""


@dataclass(frozen=True)
class Task:
    """One complex in PDBbind layout, or one structure file with all its ligands (``ligand`` None)."""

    id: str
    receptor: Path
    ligand: Path | None
    criteria: str

    @property
    def key(self) -> str:
        digest = hashlib.sha256(f"{version('misi-oracle')} {self.criteria} {self.id}".encode())
        for path in (self.receptor, self.ligand):
            if path is not None:
                digest.update(content_digest(path))
        return digest.hexdigest()


def content_digest(path: Path) -> bytes:
    """sha256 of a file; a file that cannot be read has its error's number for a content."""
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError as error:
        return b"errno %d" % (error.errno or 0)


def read_file(path: Path) -> tuple[bytes, str]:
    """Decompressed bytes and name. Raises InputError when the file cannot be opened."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", code="unreadable_file") from error
    return plain(data, path.name), path.name.removesuffix(".gz")


def _in_layout(folder: Path, criteria: str) -> Task | None:
    receptors = [p for suffix in RECEPTORS if (p := folder / f"{folder.name}{suffix}").is_file()]
    ligands = [p for suffix in LIGANDS if (p := folder / f"{folder.name}{suffix}").is_file()]
    return Task(folder.name, receptors[0], ligands[0], criteria) if receptors and ligands else None


def _stem(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).stem


def _is_structure(path: Path) -> bool:
    return path.is_file() and path.name.removesuffix(".gz").lower().endswith(STRUCTURES)


def _matching(pattern: Path) -> Iterator[Path]:
    """Structure files that a pattern with ``*``, ``?`` or ``[`` names. Raises Usage for none."""
    found = [Path(name) for name in sorted(glob(str(pattern), recursive=True))]
    structures = [path for path in found if _is_structure(path)]
    if not structures:
        raise Usage(f"{pattern}: no structure file ({', '.join(STRUCTURES)}, also .gz) matches")
    yield from structures


def _tasks_of(path: Path, criteria: str) -> Iterator[Task]:
    if has_magic(str(path)) and not path.exists():
        for one in _matching(path):
            yield Task(_stem(one), one.resolve(), None, criteria)
        return
    path = path.resolve()
    if path.is_file():
        if not _is_structure(path):
            raise Usage(f"{path}: not a structure file ({', '.join(STRUCTURES)}, also .gz)")
        yield Task(_stem(path), path, None, criteria)
        return
    if not path.is_dir():
        raise Usage(f"{path}: no such file or folder")
    found = [task for folder in (path, *sorted(path.iterdir())) if (task := _in_layout(folder, criteria))]
    found = found or [Task(_stem(one), one, None, criteria) for one in sorted(path.iterdir()) if _is_structure(one)]
    if not found:
        raise Usage(
            f"{path}: neither a complex in PDBbind layout (<id>/<id>_pocket.pdb with <id>_ligand.mol2 or .sdf) "
            f"nor a structure file ({', '.join(STRUCTURES)}, also .gz)"
        )
    yield from found


def collect(paths: list[Path], criteria: str) -> list[Task]:
    """Tasks of all paths, sorted by id; files of one name have their format in it (``2w83_cif``, ``2w83_pdb``).

    Raises Usage for a path without any, or an id used twice.
    """
    found = [task for path in paths for task in _tasks_of(path, criteria)]
    count = Counter(task.id for task in found)
    told = [
        replace(task, id=f"{task.id}_{_format(task.receptor)}") if _is_twin(task, count) else task for task in found
    ]
    tasks = sorted(told, key=lambda task: task.id)
    refuse_twins([task.id for task in tasks])
    return tasks


def _format(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).suffix[1:].lower()


def _is_twin(task: Task, count: Counter[str]) -> bool:
    return task.ligand is None and count[task.id] > 1


def refuse_twins(ids: list[str]) -> None:
    """Raises Usage for an id that stands for two complexes."""
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise Usage(f"these ids come from more than one input: {', '.join(twice)}")


def _guarded(identifier: str, task: Task, selector: str | None) -> Record:
    from app.work import PARTS
    from interactions.labelling import failure, label, load_complex

    try:
        receptor = read_file(task.receptor)
        ligand = (None, None) if task.ligand is None else read_file(task.ligand)
        return label(load_complex(*receptor, *ligand, selector), criteria=task.criteria, parts=PARTS, id=identifier)
    except OracleError as error:
        return failure(identifier, error)
    except Exception as error:
        logger.exception("%s: unexpected error", identifier)
        return failure(identifier, OracleError(f"unexpected {type(error).__name__}", code="internal_error"))


def choices_of(task: Task, selection: Selection = ALL) -> list[tuple[str, str]]:
    """Id and selector of every candidate ligand of a structure file. Raises LigandError (``no_ligand``) for none."""
    from interactions.labelling import candidates

    found = []
    for choice in candidates(read_selected(*read_file(task.receptor), selection)):
        at = choice.as_dict()
        number = f"{at['residue_number']}{at['insertion_code']}"
        found.append((f"{task.id}_{at['residue_name']}_{at['chain']}_{number}", choice.selector))
    if not found:
        raise LigandError(f"{task.receptor.name}: no ligand found", code="no_ligand")
    return found


def run(task: Task) -> list[Record]:
    """All records of one task; a failure is a record too."""
    from interactions.labelling import failure

    if task.ligand is not None:
        return [_guarded(task.id, task, None)]
    try:
        choices = choices_of(task)
    except OracleError as error:
        return [failure(task.id, error)]
    except Exception as error:
        logger.exception("%s: unexpected error", task.id)
        return [failure(task.id, OracleError(f"unexpected {type(error).__name__}", code="internal_error"))]
    return [_guarded(identifier, task, selector) for identifier, selector in choices]


def _finished(part: Path) -> dict[str, list[Record]]:
    """Records of an earlier run by key; a line cut off in writing is passed over."""
    found: dict[str, list[Record]] = {}
    if not part.exists():
        return found
    for line in part.read_bytes().splitlines():
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if all(record["status"] == "ok" for record in row["records"]):
            found[row["key"]] = row["records"]
    return found


def _results(tasks: list[Task], jobs: int) -> Iterator[tuple[Task, list[Record]]]:
    """Results as they come. A complex that hangs or kills its worker is one failure."""
    if jobs == 1 or len(tasks) < 2:
        yield from ((task, run(task)) for task in tasks)
        return
    pool = Pool(Rules(jobs, TASK_SECONDS, len(tasks), Limits(nice=NICE)))
    pool.start()
    try:
        futures = {pool.submit(run, task): task for task in tasks}
        for future in as_completed(futures):
            task = futures[future]
            error = future.exception()
            if error is None:
                yield task, future.result()
            else:
                yield task, [_lost(task, error)]
    finally:
        pool.stop()


def _lost(task: Task, error: BaseException) -> Record:
    from interactions.labelling import failure

    if isinstance(error, OracleError):
        return failure(task.id, OracleError(f"{task.receptor.name}: {error}", code=error.code))
    raise error


def label_all(tasks: list[Task], out: Path, jobs: int | None) -> int:
    """Write the records of all tasks to ``out``; the number of failures."""
    from app.datasets.tables import write_labels
    from interactions.serialise import dumps

    part = out.with_name(out.name + ".part")
    known = _finished(part)
    keys = {task: task.key for task in tasks}
    records = [record for task in tasks for record in known.get(keys[task], [])]
    todo = [task for task in tasks if keys[task] not in known]
    with part.open("wb") as stream:
        for key in sorted(known.keys() & set(keys.values())):
            stream.write(orjson.dumps({"key": key, "records": known[key]}) + b"\n")
        for count, (task, found) in enumerate(_results(todo, jobs or os.cpu_count() or 1), 1):
            stream.write(orjson.dumps({"key": keys[task], "records": found}) + b"\n")
            stream.flush()
            records += found
            print(f"{count}/{len(todo)} {task.id}", file=sys.stderr)
    records.sort(key=lambda record: record["id"])
    finished = out.with_name(out.name + ".tmp")
    if out.suffix == ".parquet":
        write_labels(records, finished)
    else:
        finished.write_bytes(b"".join(dumps(record).rstrip(b"\n") + b"\n" for record in records))
    finished.replace(out)
    part.unlink()
    failed = [record for record in records if record["status"] != "ok"]
    for record in failed:
        print(f"{record['id']}: {record['error']['code']}: {record['error']['message']}", file=sys.stderr)
    return len(failed)

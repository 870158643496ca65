"""Check a data set: its files against the manifest, and some or all of its labels against the complexes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from app.asking import Source
from app.datasets.build import Parameters, parameters_of, record_of, sources_of
from app.datasets.splits import leaks, profile_of
from app.datasets.tables import in_columns, rows_of
from interactions.errors import InputError

Record = dict[str, Any]


def read_manifest(folder: Path) -> Record:
    """Raises InputError (``not_a_dataset``) for a folder without a manifest."""
    try:
        manifest: Record = orjson.loads((folder / "manifest.json").read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise InputError(f"{folder}: no manifest of a data set: {error}", code="not_a_dataset") from error
    return manifest


def wrong_files(folder: Path, manifest: Record) -> Iterator[str]:
    """Files that are missing, changed or not in the manifest."""
    there = {path.relative_to(folder).as_posix() for part in ("data", "jsonl") for path in (folder / part).rglob("*.*")}
    for name, digest in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            yield f"{name}: missing"
        elif sha256(path.read_bytes()).hexdigest() != digest:
            yield f"{name}: changed"
    yield from (f"{name}: not in the manifest" for name in sorted(there - manifest["files"].keys()))


def wrong_labels(folder: Path, manifest: Record, paths: list[Path], sample: int | None, seed: int = 0) -> Iterator[str]:
    """Complexes whose rows differ from those that their files give now; ``sample``: how many, None for all."""
    rules = parameters_of(manifest)
    found = sources_of(paths, rules)
    chosen = _sampled(found, sample, seed)
    stored = _stored(folder, rules.tables, {source.id for source in chosen})
    for source in chosen:
        now = rows_of(record_of(source, rules), rules.tables)
        for table in rules.tables:
            if table == "questions":  # they are about several complexes: their files' digests speak for them
                continue
            if in_columns(table, now[table]) != stored[table].get(source.id, []):
                yield f"{source.id}: the rows of {table} differ"


def leaking(folder: Path, paths: list[Path], rules: Parameters) -> Iterator[str]:
    """Ligands, scaffolds and clusters of protein sequences that stand in more than one split."""
    splits = splits_of_ids(folder)
    found = [source for source in sources_of(paths, rules) if source.id in splits]
    for leak in leaks([profile_of(source) for source in found], splits):
        places = Counter(splits[identifier] for identifier in leak["complexes"])
        told = ", ".join(f"{count} in {split}" for split, count in sorted(places.items()))
        yield f"{leak['kind']} {leak['name']}: {told}: {' '.join(leak['complexes'][:6])}"


def splits_of_ids(folder: Path) -> dict[str, str]:
    """The split of each complex that has labels."""
    import pyarrow.parquet as pq

    splits: dict[str, str] = {}
    for path in sorted((folder / "data" / "complexes").glob("*.parquet")):
        ids = pq.read_table(path, columns=["id"])["id"].to_pylist()
        splits |= dict.fromkeys(ids, path.name.partition("-")[0])
    return splits


def _sampled(found: list[Source], sample: int | None, seed: int) -> list[Source]:
    if sample is None or sample >= len(found):
        return found
    picked = np.random.default_rng(seed).choice(len(found), size=sample, replace=False)
    return [found[i] for i in sorted(picked.tolist())]


def _stored(folder: Path, tables: tuple[str, ...], ids: set[str]) -> dict[str, dict[str, list[Record]]]:
    import pyarrow.parquet as pq

    stored: dict[str, dict[str, list[Record]]] = {table: {} for table in tables}
    for table in tables:
        for path in sorted((folder / "data" / table).glob("*.parquet")):
            for row in pq.read_table(path, filters=[("id", "in", ids)]).to_pylist():
                stored[table].setdefault(row["id"], []).append(row)
    return stored

"""Numbers about a data set, from its tables alone, a batch at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from app.datasets.verify import read_manifest

Record = dict[str, Any]

MOST = 30  # bars of a chart
# What is binned: title -> (table, column, first edge, last edge, width, unit)
BINNED = {
    "Distance donor to acceptor": ("hydrogen_bonds", "distance_da", 2.0, 4.5, 0.1, "Å"),
    "Distance hydrogen to acceptor": ("hydrogen_bonds", "distance_ha", 1.2, 4.0, 0.1, "Å"),
    "Angle at the hydrogen": ("hydrogen_bonds", "angle_dha", 0.0, 180.0, 10.0, "°"),
    "Hydrogen bonds of a complex": ("complexes", "hydrogen_bonds", 0.0, 30.0, 1.0, ""),
    "Contacts of a complex": ("complexes", "contacts", 0.0, 100.0, 5.0, ""),
    "Residues of a pocket": ("complexes", "pocket_residues", 0.0, 80.0, 4.0, ""),
    "Heavy and hydrogen atoms of a ligand": ("complexes", "ligand_atoms", 0.0, 150.0, 10.0, ""),
    "Share of the criteria that accept a pair": ("consensus", "robustness", 0.0, 1.0, 0.1, ""),
    "Distance of a pocket residue": ("pocket_residues", "distance", 0.0, 10.0, 0.5, "Å"),
}
# What is counted: title -> (table, column); cells of several words count each of them.
COUNTED = {
    "Residues of donors": ("hydrogen_bonds", "donor_residue_name"),
    "Residues of acceptors": ("hydrogen_bonds", "acceptor_residue_name"),
    "Elements of donors": ("hydrogen_bonds", "donor_element"),
    "Elements of acceptors": ("hydrogen_bonds", "acceptor_element"),
    "Bonds that also hold without relaxation": ("hydrogen_bonds", "strict"),
    "Where hydrogens come from": ("hydrogen_bonds", "hydrogens"),
    "What another reading of a bond could change": ("hydrogen_bonds", "flags"),
    "Kinds of contacts": ("contacts", "kind"),
    "Kinds of interaction sites": ("sites", "kind"),
    "Residues of pockets": ("pocket_residues", "residue_name"),
    "Where the ligand's chemistry comes from": ("complexes", "ligand_source"),
    "Complexes with an ambiguity": ("complexes", "flags"),
    "Complexes with a warning": ("complexes", "warnings"),
    "Near misses by what fails": ("near_misses", "quantity"),
    "Pairs that each set of criteria accepts": ("consensus", "accepted_by"),
    "Failures by reason": ("failures", "code"),
    "Questions by kind": ("questions", "kind"),
}
_WORDS = ("flags", "warnings", "accepted_by")


def statistics(folder: Path) -> Record:
    """Provenance, rows by split, histograms and counts. Raises InputError (``not_a_dataset``)."""
    manifest = read_manifest(folder)
    there = [table for table, rows in manifest["rows"].items() if rows]
    return {
        "version": manifest["version"],
        "parameters": manifest["parameters"],
        "complexes": manifest["complexes"],
        "rows": manifest["rows"],
        "splits": {table: _by_split(folder, table) for table in there},
        "histograms": [_histogram(folder, title, *what) for title, what in BINNED.items() if what[0] in there],
        "counts": [_count(folder, title, *what) for title, what in COUNTED.items() if what[0] in there],
        "answers": _answers(folder) if "questions" in there else {},
    }


def _files(folder: Path, table: str) -> list[Path]:
    return sorted((folder / "data" / table).glob("*.parquet"))


def _batches(folder: Path, table: str, columns: list[str]) -> Iterator[Any]:
    import pyarrow.parquet as pq

    for path in _files(folder, table):
        yield from pq.ParquetFile(path).iter_batches(columns=columns)


def _by_split(folder: Path, table: str) -> dict[str, int]:
    import pyarrow.parquet as pq

    found: Counter[str] = Counter()
    for path in _files(folder, table):
        found[path.name.partition("-")[0]] += pq.read_metadata(path).num_rows
    return dict(sorted(found.items()))


def _histogram(
    folder: Path, title: str, table: str, column: str, first: float, last: float, width: float, unit: str
) -> Record:
    """Counts in bins of a width, the last bin open; rows without a value are told apart."""
    edges = first + width * np.arange(round((last - first) / width) + 1)
    counts, known, missing, total = np.zeros(len(edges), dtype=np.int64), 0, 0, 0.0
    low, high = np.inf, -np.inf
    for batch in _batches(folder, table, [column]):
        values = batch[column].drop_null().to_numpy(zero_copy_only=False).astype(np.float64)
        missing += batch[column].null_count
        if not len(values):
            continue
        # An edge belongs to the bin above it, whatever the rounding of the edges.
        places = np.clip(np.floor((values - first) / width + 1e-9).astype(np.int64), 0, len(edges) - 1)
        counts += np.bincount(places, minlength=len(edges))
        known, total = known + len(values), total + float(values.sum())
        low, high = min(low, float(values.min())), max(high, float(values.max()))
    described = {"values": known, "missing": missing}
    if known:
        described |= {"mean": round(total / known, 4), "least": low, "most": high}
    bins = [{"from": round(float(edge), 6), "count": int(count)} for edge, count in zip(edges, counts, strict=True)]
    return {"title": title, "table": table, "column": column, "unit": unit, "width": width, **described, "bins": bins}


def _count(folder: Path, title: str, table: str, column: str) -> Record:
    found: Counter[str] = Counter()
    for batch in _batches(folder, table, [column]):
        for cell in batch[column].to_pylist():
            found.update(_told(cell, words=column in _WORDS))
    ranked = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return {"title": title, "table": table, "column": column, "counts": dict(ranked)}


def _told(cell: object, *, words: bool) -> list[str]:
    if cell is None:
        return ["not looked for" if words else "none"]
    text = str(cell).lower() if isinstance(cell, bool) else str(cell)
    return text.split() if words else [text]


def _answers(folder: Path) -> dict[str, dict[str, int]]:
    """How often each short answer is right, by kind: letters, and yes or no."""
    found: dict[str, Counter[str]] = {}
    for batch in _batches(folder, "questions", ["kind", "answer"]):
        for kind, answer in zip(batch["kind"].to_pylist(), batch["answer"].to_pylist(), strict=True):
            short = "none" if answer is None else answer if len(answer) <= 24 else answer.split(":")[0][:12] + "…"
            found.setdefault(kind, Counter())[short] += 1
    ranked = {kind: sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) for kind, counts in found.items()}
    return {kind: dict(pairs[:MOST]) for kind, pairs in sorted(ranked.items())}

"""What a data set says of itself: the card of the Hugging Face layout and Croissant metadata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from app.datasets.schema import columns, unit_of
from app.datasets.splits import SPLITS

Record = dict[str, Any]

_TYPES = {"s": "string", "i": "int64", "f": "float64", "b": "bool"}
_CROISSANT = {"s": "sc:Text", "i": "sc:Integer", "f": "sc:Float", "b": "sc:Boolean"}


def write_cards(out: Path, manifest: Record, tables: tuple[str, ...]) -> None:
    """``README.md`` and ``croissant.json`` of a data set."""
    (out / "README.md").write_text(card(manifest, tables), "utf-8")
    described = orjson.dumps(croissant(manifest, tables), option=orjson.OPT_INDENT_2)
    (out / "croissant.json").write_bytes(described + b"\n")


def splits_of(manifest: Record, table: str) -> list[str]:
    """Splits that have files of a table."""
    names = [name for name in manifest["files"] if name.startswith(f"data/{table}/")]
    return [split for split in SPLITS if any(f"/{split}-" in name for name in names)]


def card(manifest: Record, tables: tuple[str, ...]) -> str:
    filled = [table for table in tables if manifest["rows"][table]]
    lines = ["---", "license: other", "pretty_name: misi-oracle labels", "configs:"]
    for table in filled:
        lines += [f"- config_name: {table}", "  data_files:"]
        for split in splits_of(manifest, table):
            lines += [f"  - split: {split}", f"    path: data/{table}/{split}-*.parquet"]
    lines += ["dataset_info:"]
    for table in filled:
        lines += [f"- config_name: {table}", "  features:"]
        for name, word, _ in columns(table):
            lines += [f"  - name: {name}", f"    dtype: {_TYPES[word]}"]
    lines += ["---", "", "# Labels of protein–ligand complexes", ""]
    parameters = manifest["parameters"]
    lines += [f"{manifest['complexes']} complexes, criteria `{parameters['criteria']}`, hydrogens"]
    lines += [
        f"`{parameters['hydrogens']}`, made by misi-oracle {manifest['version']}. Splits by complex. The labels are"
    ]
    lines += ["facts computed from structures; the licence of the structures is their owner's.", ""]
    for table in tables:
        lines += [
            f"## {table}",
            "",
            f"{manifest['rows'][table]} rows.",
            "",
            "| column | type | unit |",
            "|---|---|---|",
        ]
        lines += [
            f"| {name} | {_TYPES[word]}{' or null' if null else ''} | {unit_of(name)} |"
            for name, word, null in columns(table)
        ]
        lines.append("")
    lines += [
        "## Citation",
        "",
        "Hydrogen bonds by ChimeraX's criteria: Mills & Dean 1996, J. Comput.-Aided Mol. Des. 10,",
    ]
    lines += ["607; Meng et al. 2023, Protein Sci. 32, e4792. Questions after MiSI-Bench, arXiv 2512.10867."]
    return "\n".join(lines) + "\n"


def croissant(manifest: Record, tables: tuple[str, ...]) -> Record:
    """Croissant 1.0: a file set and a record set for each table."""
    files = [
        {
            "@type": "cr:FileSet",
            "@id": f"{table}-files",
            "encodingFormat": "application/x-parquet",
            "includes": f"data/{table}/*.parquet",
        }
        for table in tables
    ]
    return {
        "@context": {
            "@vocab": "https://schema.org/",
            "sc": "https://schema.org/",
            "cr": "http://mlcommons.org/croissant/",
        },
        "@type": "sc:Dataset",
        "name": "misi-oracle-labels",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "version": manifest["version"],
        "distribution": files,
        "recordSet": [_record_set(table) for table in tables],
    }


def _record_set(table: str) -> Record:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{table}/{name}",
            "dataType": _CROISSANT[word],
            "source": {"fileSet": {"@id": f"{table}-files"}, "extract": {"column": name}},
        }
        for name, word, _ in columns(table)
    ]
    return {"@type": "cr:RecordSet", "@id": table, "field": fields}

"""LabelSets as rows of flat tables, and rows as files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from app.datasets.schema import MEASURES, TABLES, arrow_schema, columns, label_schema
from interactions.serialise import dumps

Record = dict[str, Any]
Rows = dict[str, list[Record]]

_ROW_GROUP = 65_536


def rows_of(record: Record, tables: Iterable[str] = tuple(TABLES)) -> Rows:
    """The rows of one LabelSet, or of a failure, by table; in the record's order."""
    name = {"id": record["id"]}
    if record["status"] != "ok":
        return {table: [name | record["error"]] if table == "failures" else [] for table in tables}
    return {table: [name | row for row in _ROWS[table](record)] if table in _ROWS else [] for table in tables}


def question_row(record: Record) -> Record:
    """A question record as a row: what is nested is JSON text."""
    nested = {name: dumps(record[name]).decode() for name in ("images", "metadata")}
    options = None if record["options"] is None else dumps(record["options"]).decode()
    kept = {name: record[name] for name in ("kind", "text", "answer")}
    about = {"id": record["complex"], "question": record["id"], "split": record["metadata"]["split"]}
    return about | kept | nested | {"options": options}


def _complex(record: Record) -> Record:
    provenance, ligand = record["provenance"], record["ligand"]
    chemistry = ligand.get("chemistry") or {}
    flags = None if record["ambiguities"] is None else sorted({one["code"] for one in record["ambiguities"]})
    return {
        "criteria": record["criteria"],
        "ligand_selector": ligand["selector"],
        "ligand_residue_name": ligand["residue_name"],
        "ligand_atoms": ligand["atoms"],
        "ligand_source": chemistry.get("source"),
        "ligand_charge": chemistry.get("charge"),
        "hydrogen_bonds": len(record["hydrogen_bonds"]),
        "contacts": _count(record["contacts"]),
        "pocket_residues": len(record["pocket_residues"]),
        "sites": _count(record["sites"]),
        "flags": None if flags is None else " ".join(flags),
        "warnings": " ".join(sorted({one["code"] for one in record["warnings"]})),
        "digest": provenance["digest"],
        "criteria_digest": provenance["criteria_digest"],
        **{f"hydrogens_{side}": provenance["hydrogens"][side] for side in ("receptor", "ligand", "policy")},
        "alt_loc_policy": provenance["alt_loc_policy"],
        "model_policy": provenance["model_policy"],
        "formats": " ".join(provenance["formats"]),
        "version": provenance["version"],
    }


def _count(found: list[Record] | None) -> int | None:
    """None where it was not looked for."""
    return None if found is None else len(found)


def _bond(bond: Record) -> Record:
    ends = {f"{end}_{name}": value for end in ("donor", "acceptor") for name, value in bond[end].items()}
    kept = ("hydrogen", "distance_da", "distance_ha", "angle_dha", "strict", "hydrogens")
    return ends | {name: bond[name] for name in kept} | {"flags": " ".join(bond.get("flags", ()))}


def _residue(atoms: list[Record]) -> str:
    """``ARG 45 A`` of the first atom; empty for none."""
    if not atoms:
        return ""
    at = atoms[0]
    return " ".join(filter(None, (at["residue_name"], f"{at['residue_number']}{at['insertion_code']}", at["chain"])))


def _named(atom: Record) -> str:
    """``ARG 45 A NH1``."""
    return f"{_residue([atom])} {atom['atom_name']}"


def _names(atoms: list[Record]) -> str:
    return " ".join(atom["atom_name"] for atom in atoms)


def _contact(contact: Record) -> Record:
    x, y, z = contact["centroid"]
    return {
        "kind": contact["kind"],
        "form": contact["form"],
        "receptor_residue": _residue(contact["receptor"]),
        "receptor_atoms": _names(contact["receptor"]),
        "ligand_atoms": _names(contact["ligand"]),
        "via": _residue(contact["via"]),
        "centroid_x": x,
        "centroid_y": y,
        "centroid_z": z,
    } | {name: contact.get(name) for name in MEASURES}


def _site(site: Record) -> Record:
    row = {
        "kind": site["kind"],
        "side": site["side"],
        "residue": _residue(site["atoms"]),
        "atoms": _names(site["atoms"]),
        "used": site["used"],
    }
    for name, prefix in (("position", ""), ("direction", "direction_"), ("normal", "normal_")):
        values = site[name] or (None, None, None)
        row |= {f"{prefix}{axis}": value for axis, value in zip("xyz", values, strict=True)}
    return row


def _near_miss(miss: Record) -> list[Record]:
    ends = {end: _named(miss[end]) for end in ("donor", "acceptor")}
    kept = ("quantity", "value", "within", "unit", "margin")
    return [
        ends | {name: check[name] for name in kept} | {"sentence": miss["sentence"]}
        for check in miss["checks"]
        if not check["holds"]
    ]


def _judged(pair: Record) -> Record:
    """A pair and the profiles that take it for a hydrogen bond."""
    ends = {side: _named(pair[side]) for side in ("receptor", "ligand")}
    return ends | {"accepted_by": " ".join(pair["accepted_by"]), "robustness": pair["robustness"]}


# What a LabelSet has for each table, as rows without its id; it has none of its failures and questions.
_ROWS: dict[str, Callable[[Record], Iterable[Record]]] = {
    "complexes": lambda record: [_complex(record)],
    "hydrogen_bonds": lambda record: map(_bond, record["hydrogen_bonds"]),
    "contacts": lambda record: map(_contact, record["contacts"] or ()),
    "pocket_residues": lambda record: record["pocket_residues"],
    "sites": lambda record: map(_site, record["sites"] or ()),
    "near_misses": lambda record: chain.from_iterable(map(_near_miss, record.get("near_misses", ()))),
    "consensus": lambda record: map(_judged, record.get("pairs", ())),
}


def in_columns(table: str, rows: Iterable[Record]) -> list[Record]:
    """Rows with all columns of their table, in its order."""
    names = tuple(name for name, _, _ in columns(table))
    return [row if tuple(row) == names else {name: row.get(name) for name in names} for row in rows]


def write_table(table: str, rows: list[Record], path: Path) -> None:
    """A table as Parquet and, beside it, as JSON lines; both whole or not at all."""
    import pyarrow as pa

    ordered = in_columns(table, rows)
    write_parquet(pa.Table.from_pylist(ordered, schema=arrow_schema(table)), path)
    _atomically(path.with_suffix(".jsonl"), b"".join([dumps(row) + b"\n" for row in ordered]))


def write_parquet(table: Any, path: Path) -> None:
    """Parquet whose bytes follow from the rows alone."""
    import pyarrow.parquet as pq

    part = path.with_name(path.name + ".part")
    pq.write_table(table, part, compression="zstd", use_dictionary=True, row_group_size=_ROW_GROUP)
    _settle(part, path)


def write_labels(records: Iterable[Record], path: Path) -> None:
    """LabelSets as one nested Parquet table."""
    write_parquet(label_table(records), path)


def label_table(records: Iterable[Record]) -> Any:
    """LabelSets as an Arrow table, nested as in JSON."""
    import pyarrow as pa

    schema = label_schema()
    rows = [
        {name: record.get(name) for name in schema.names}
        | {"provenance": dumps(record["provenance"]).decode() if "provenance" in record else None}
        for record in records
    ]
    return pa.Table.from_pylist(rows, schema=schema)


def text_table(records: Iterable[Record], names: Iterable[str]) -> Any:
    """Records as an Arrow table of these columns: text as it is, what is nested as JSON text."""
    import pyarrow as pa

    kinds = {"score": pa.float64(), "exact": pa.bool_(), "format_ok": pa.bool_()}
    schema = pa.schema([pa.field(name, kinds.get(name, pa.string())) for name in names])

    def cell(name: str, value: Any) -> Any:
        return value if value is None or name in kinds or isinstance(value, str) else dumps(value).decode()

    rows = [{name: cell(name, record.get(name)) for name in schema.names} for record in records]
    return pa.Table.from_pylist(rows, schema=schema)


def _atomically(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    _settle(part, path)


def _settle(part: Path, path: Path) -> None:
    with part.open("rb") as stream:
        os.fsync(stream.fileno())
    part.replace(path)

"""Columns of the tables and of a LabelSet in Parquet, each with unit and meaning."""

from __future__ import annotations

from functools import cache
from typing import Any

# Type words of the tables below: s text, i whole number, f number, b truth; a ? after it may be null.
_ATOM = "chain:s residue_name:s residue_number:i insertion_code:s atom_name:s alt_loc:s element:s serial:i? index:i"
_MEASURES = (
    "distance distance_atoms distance_ha distance_da distance_receptor distance_ligand offset angle_planes "
    "angle_normal angle_donor angle_acceptor angle_dha omega theta stretch ratio"
).split()


def _atom(prefix: str) -> str:
    return " ".join(f"{prefix}_{column}" for column in ("side:s " + _ATOM).split())


# Table -> columns; every table starts with the complex's id.
TABLES: dict[str, str] = {
    "complexes": (
        "id:s criteria:s ligand_selector:s ligand_residue_name:s ligand_atoms:i ligand_source:s? ligand_charge:i? "
        "hydrogen_bonds:i contacts:i? pocket_residues:i sites:i? flags:s? warnings:s digest:s criteria_digest:s "
        "hydrogens_receptor:s hydrogens_ligand:s hydrogens_policy:s alt_loc_policy:s model_policy:s formats:s version:s"
    ),
    "hydrogen_bonds": (
        f"id:s {_atom('donor')} {_atom('acceptor')} hydrogen:s? distance_da:f distance_ha:f? angle_dha:f? strict:b? "
        "hydrogens:s flags:s"
    ),
    "contacts": (
        "id:s kind:s form:s receptor_residue:s receptor_atoms:s ligand_atoms:s via:s centroid_x:f centroid_y:f "
        "centroid_z:f " + " ".join(f"{name}:f?" for name in _MEASURES)
    ),
    "pocket_residues": "id:s chain:s residue_name:s residue_number:i insertion_code:s distance:f",
    "sites": (
        "id:s kind:s side:s residue:s atoms:s used:b x:f y:f z:f direction_x:f? direction_y:f? direction_z:f? "
        "normal_x:f? normal_y:f? normal_z:f?"
    ),
    "near_misses": "id:s donor:s acceptor:s quantity:s value:f? within:s unit:s margin:f? sentence:s",
    "consensus": "id:s receptor:s ligand:s accepted_by:s robustness:f",
    "questions": "id:s question:s kind:s split:s text:s options:s? answer:s? images:s metadata:s",
    "failures": "id:s code:s stage:s message:s",
}
OPTIONAL = ("near_misses", "consensus", "questions")
MEASURES = tuple(_MEASURES)
USUAL = tuple(table for table in TABLES if table not in OPTIONAL)
TINY = "tiny"  # the configuration of a few questions of each kind

UNITS = {
    "Å": "distance distance_atoms distance_ha distance_da distance_receptor distance_ligand offset stretch x y z "
    "centroid_x centroid_y centroid_z",
    "°": "angle_planes angle_normal angle_donor angle_acceptor angle_dha omega theta",
    "unit vector": "direction_x direction_y direction_z normal_x normal_y normal_z",
    "e": "ligand_charge",
}


@cache
def columns(table: str) -> tuple[tuple[str, str, bool], ...]:
    """Name, type word and whether it may be null, of each column."""
    rows = (column.partition(":") for column in TABLES["questions" if table == TINY else table].split())
    return tuple((name, word.rstrip("?"), word.endswith("?")) for name, _, word in rows)


def unit_of(column: str) -> str:
    return next((unit for unit, names in UNITS.items() if column in names.split()), "")


@cache
def arrow_schema(table: str) -> Any:
    """The table's pyarrow schema; units stand in the fields' metadata."""
    import pyarrow as pa

    kinds = {"s": pa.string(), "i": pa.int64(), "f": pa.float64(), "b": pa.bool_()}
    return pa.schema(
        [
            pa.field(name, kinds[word], nullable=null, metadata={"unit": unit_of(name)} if unit_of(name) else None)
            for name, word, null in columns(table)
        ]
    )


@cache
def label_schema() -> Any:
    """A LabelSet, nested as in JSON; columns of a failure are null, and ``provenance`` is JSON text."""
    import pyarrow as pa

    kinds = {"s": pa.string(), "i": pa.int64(), "f": pa.float64(), "b": pa.bool_()}

    def struct(text: str) -> Any:
        parts = (column.partition(":") for column in text.split())
        return pa.struct([pa.field(name, kinds[word.rstrip("?")]) for name, _, word in parts])

    atom = struct(f"side:s {_ATOM}")
    bond = pa.struct(
        [
            pa.field("kind", pa.string()),
            pa.field("donor", atom),
            pa.field("acceptor", atom),
            *struct("hydrogen:s distance_da:f distance_ha:f angle_dha:f strict:b hydrogens:s"),
            pa.field("flags", pa.list_(pa.string())),
        ]
    )
    contact = pa.struct(
        [
            *struct("kind:s form:s"),
            *(pa.field(name, pa.list_(atom)) for name in ("receptor", "ligand", "via")),
            *(pa.field(name, pa.float64()) for name in _MEASURES),
            pa.field("centroid", pa.list_(pa.float64())),
        ]
    )
    site = pa.struct(
        [
            *struct("kind:s side:s"),
            *(pa.field(name, pa.list_(pa.float64())) for name in ("position", "direction", "normal")),
            pa.field("atoms", pa.list_(atom)),
            pa.field("used", pa.bool_()),
        ]
    )
    place = "residue_name:s chain:s residue_number:i insertion_code:s selector:s atoms:i"
    ligand = pa.struct(
        [
            *struct(place),
            pa.field("residues", pa.list_(struct(place))),
            pa.field("chemistry", struct("source:s charge:i")),
        ]
    )
    ambiguity = pa.struct(
        [
            *struct("code:s count:i message:s chain:s residue_name:s residue_number:i insertion_code:s state:s"),
            pa.field("gained", pa.list_(pa.string())),
            pa.field("lost", pa.list_(pa.string())),
        ]
    )
    residue = struct("chain:s residue_name:s residue_number:i insertion_code:s distance:f")
    return pa.schema(
        [
            *struct("id:s status:s criteria:s"),
            pa.field("ligand", ligand),
            pa.field("hydrogen_bonds", pa.list_(bond)),
            pa.field("pocket_residues", pa.list_(residue)),
            pa.field("contacts", pa.list_(contact)),
            pa.field("sites", pa.list_(site)),
            pa.field("ambiguities", pa.list_(ambiguity)),
            pa.field("warnings", pa.list_(struct("code:s message:s"))),
            pa.field("provenance", pa.string()),
            pa.field("error", struct("code:s stage:s message:s")),
        ]
    )

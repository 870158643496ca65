"""What the description says of answers: the records of labels. More keys may stand in each."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _record(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return {"type": "object", "required": list(required), "properties": required | (optional or {})}


TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
OBJECT: Schema = {"type": "object"}
ANGSTROM: Schema = {"type": "number", "description": "Å"}
RESIDUE = {"chain": TEXT, "residue_name": TEXT, "residue_number": WHOLE, "insertion_code": TEXT}

SCHEMAS: dict[str, Schema] = {
    "AtomRef": _record(
        {"side": {"type": "string", "enum": ["receptor", "ligand"]}, **RESIDUE, "atom_name": TEXT, "alt_loc": TEXT}
        | {"element": TEXT, "serial": {"type": ["integer", "null"]}, "index": WHOLE}
    ),
    "HydrogenBond": _record(
        {
            "kind": {"const": "hydrogen_bond"},
            "donor": _ref("AtomRef"),
            "acceptor": _ref("AtomRef"),
            "hydrogen": {"type": ["string", "null"], "description": "the donor's, nearest to the acceptor"},
            "distance_da": ANGSTROM,
            "distance_ha": {"type": ["number", "null"], "description": "Å"},
            "angle_dha": {"type": ["number", "null"], "description": "°"},
            "strict": {"type": ["boolean", "null"], "description": "holds without relaxation"},
        }
    ),
    "PocketResidue": _record({**RESIDUE, "distance": ANGSTROM}),
    "LabelSet": _record(
        {"id": TEXT, "status": TEXT, "criteria": TEXT},
        {
            "ligand": OBJECT,
            "hydrogen_bonds": _list(_ref("HydrogenBond")),
            "hydrogen_bonds_with_solvent": _list(_ref("HydrogenBond")),
            "pocket_residues": _list(_ref("PocketResidue")),
            "contacts": _list(OBJECT),
            "sites": _list(OBJECT),
            "ambiguities": _list(OBJECT),
            "warnings": _list(_record({"code": TEXT, "message": TEXT})),
            "provenance": OBJECT,
        },
    ),
    "StoredStructure": _record({"id": TEXT, "ligands": _list(OBJECT), "warnings": _list(OBJECT)}),
    "CriteriaList": _record({"criteria": _list(TEXT), "profiles": _list(OBJECT)}),
    "Explanations": _record({"id": TEXT, "explanations": _list(OBJECT)}),
}
LABELS = ("label_upload", "get_labels", "get_hydrogen_bonds", "get_contacts", "get_sites", "get_pocket")
ANSWERS = {
    **dict.fromkeys(LABELS, "LabelSet"),
    "add_structure": "StoredStructure",
    "list_criteria": "CriteriaList",
    "explain": "Explanations",
}


def describe_answer(operation: Schema) -> None:
    """Name the record that a successful answer holds, where one is known."""
    name = ANSWERS.get(operation["operationId"])
    for status in ("200", "201"):
        if name is not None and status in operation["responses"]:
            operation["responses"][status]["content"] = {"application/json": {"schema": _ref(name)}}

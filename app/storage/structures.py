"""Uploaded structures by the sha256 of their decompressed bytes, and their label sets."""

from __future__ import annotations

from dataclasses import asdict, astuple
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from app.storage.records import LabelKey, Upload
from app.storage.rows import checked, insert_new, packed, unpacked
from app.storage.tables import LABELS, SELECTORS, STRUCTURES
from interactions.errors import InputError, LigandError

MAX_LABELS = 256  # of one structure: a reader who asks for ever new cutoffs must not fill the disk


SELECTORS_OF = (
    select(SELECTORS.c.selector).where(SELECTORS.c.id == bindparam("structure")).order_by(SELECTORS.c.selector)
)
BODY_OF = select(LABELS.c.body).where(LABELS.c.id == bindparam("key"))


def upload_row(upload: Upload) -> dict[str, Any]:
    checked(upload.receptor_name, upload.ligand_name, upload.selector)
    return {
        "id": upload.id,
        "receptor": packed(upload.receptor),
        "receptor_name": upload.receptor_name,
        "ligand": None if upload.ligand is None else packed(upload.ligand),
        "ligand_name": upload.ligand_name,
    }


def add(connection: Connection, upload: Upload, row: dict[str, Any]) -> bool:
    new = bool(insert_new(connection, STRUCTURES, [row]))
    if not new and not _divided_alike(upload, _read(connection, row["id"])):
        raise InputError("the same bytes are kept, divided otherwise between the files", code="ambiguous_id")
    insert_new(connection, SELECTORS, [{"id": row["id"], "selector": upload.selector or ""}])
    return new


def _divided_alike(upload: Upload, kept: Upload | None) -> bool:
    return kept is not None and (kept.receptor, kept.ligand) == (upload.receptor, upload.ligand)


def get(connection: Connection, identifier: str, selector: str | None) -> Upload | None:
    chosen = choose_selector(connection, identifier, selector)
    return None if chosen is None else _read(connection, identifier, chosen)


def _read(connection: Connection, identifier: str, selector: str = "") -> Upload | None:
    row = connection.execute(select(STRUCTURES).where(STRUCTURES.c.id == identifier)).one_or_none()
    if row is None:
        return None
    ligand = None if row.ligand is None else unpacked(row.ligand)
    return Upload(unpacked(row.receptor), row.receptor_name, ligand, row.ligand_name, selector or None)


def choose_selector(connection: Connection, identifier: str, selector: str | None) -> str | None:
    checked(identifier, selector)
    known = list(connection.scalars(SELECTORS_OF, {"structure": identifier}))
    if not known:
        return None
    if selector is None and len(known) > 1:
        listed = ", ".join(name or "none" for name in known)
        raise LigandError(
            f"this structure came with different ligand selectors ({listed}): choose one by 'ligand'",
            code="ambiguous_ligand",
        )
    return selector or known[0]


def label(connection: Connection, key: LabelKey) -> bytes | None:
    return connection.scalar(BODY_OF, {"key": key.id})


def add_label(connection: Connection, key: LabelKey, body: bytes) -> bytes | None:
    """The packed body that stands under the key; None where the structure has too many."""
    checked(*astuple(key))
    kept = label(connection, key)
    if kept is not None:
        return kept
    if _labels_of(connection, key.structure, key.version) >= MAX_LABELS:
        return None
    insert_new(connection, LABELS, [asdict(key) | {"id": key.id, "body": body}])
    return label(connection, key)


def _labels_of(connection: Connection, structure: str, version: str) -> int:
    query = select(func.count()).where(LABELS.c.structure == structure, LABELS.c.version == version)
    return connection.scalar(query) or 0

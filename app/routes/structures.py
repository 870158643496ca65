"""Stored structures and the labels made from them."""

from __future__ import annotations

from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Response

from app.dependencies import StoreOf, UploadOf
from app.errors import NotFound
from app.responses import json_response
from app.store import Upload
from app.work import describe, label_upload

router = APIRouter(prefix="/v1/structures", tags=["structures"])
PART_KEYS = ("id", "status", "criteria", "ligand", "warnings", "provenance")
Cutoff = Annotated[float, Query(gt=0, le=20, allow_inf_nan=False, description="Å")]


def stored(identifier: str, store: StoreOf, ligand: str | None = None) -> Upload:
    upload = store.get(identifier, ligand)
    if upload is None:
        raise NotFound(f"no structure {identifier!r} is stored")
    return upload


Stored = Annotated[Upload, Depends(stored)]


def part(record: dict[str, Any], key: str) -> Response:
    return json_response({name: record[name] for name in (*PART_KEYS, key) if name in record})


@router.post("", operation_id="add_structure", status_code=201)
async def add_structure(upload: UploadOf, store: StoreOf) -> Response:
    answer = await to_thread.run_sync(describe, upload)
    new = await to_thread.run_sync(store.add, upload)
    return json_response(answer, 201 if new else 200)


@router.get("/{identifier}/labels", operation_id="get_labels")
def get_labels(upload: Stored, criteria: str = "chimerax") -> Response:
    return json_response(label_upload(upload, criteria))


@router.get("/{identifier}/hydrogen-bonds", operation_id="get_hydrogen_bonds")
def get_hydrogen_bonds(upload: Stored, criteria: str = "chimerax") -> Response:
    return part(label_upload(upload, criteria), "hydrogen_bonds")


@router.get("/{identifier}/pocket", operation_id="get_pocket")
def get_pocket(upload: Stored, cutoff: Cutoff = 8.0) -> Response:
    return part(label_upload(upload, "chimerax", cutoff), "pocket_residues")

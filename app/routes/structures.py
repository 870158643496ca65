"""Stored structures and the labels made from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Path, Query, Response

from app.dependencies import StoreOf, UploadOf, WishOf
from app.errors import NotFound
from app.problems import CHOOSING, NAMING_ATOMS, READING, STORED, problems
from app.responses import json_response
from app.samples import EXAMPLE
from app.store import Upload
from app.work import Wish, describe, explain_upload, label_upload
from interactions.errors import InputError

router = APIRouter(prefix="/v1/structures", tags=["structures"])
PART_KEYS = ("id", "status", "criteria", "ligand", "coordinates", "warnings", "provenance")
Cutoff = Annotated[float, Query(gt=0, le=20, allow_inf_nan=False, description="Å")]


def stored(
    identifier: Annotated[str, Path(description="sha256 that the upload was answered with", examples=[EXAMPLE])],
    store: StoreOf,
    ligand: Annotated[str | None, Query(description="RES[:CHAIN[:NUM]]; where it came with several")] = None,
) -> Upload:
    upload = store.get(identifier, ligand)
    if upload is None:
        raise NotFound(f"no structure {identifier!r} is stored")
    return upload


Stored = Annotated[Upload, Depends(stored)]


def part(record: dict[str, Any], key: str) -> Response:
    if record["criteria"] == "all":
        return json_response(record)
    return json_response({name: record[name] for name in (*PART_KEYS, key) if name in record})


@router.post(
    "",
    operation_id="add_structure",
    status_code=201,
    responses={200: {"description": "The structure was known"}} | problems({422: (*READING, *CHOOSING)}),
)
async def add_structure(upload: UploadOf, store: StoreOf) -> Response:
    answer = await to_thread.run_sync(describe, upload)
    new = await to_thread.run_sync(store.add, upload)
    return json_response(answer, 201 if new else 200)


@router.get("/{identifier}/labels", operation_id="get_labels", responses=problems(STORED))
def get_labels(upload: Stored, wish: WishOf) -> Response:
    return json_response(label_upload(upload, wish))


@router.get("/{identifier}/hydrogen-bonds", operation_id="get_hydrogen_bonds", responses=problems(STORED))
def get_hydrogen_bonds(upload: Stored, wish: WishOf) -> Response:
    return part(label_upload(upload, replace(wish, parts=("ambiguities",))), "hydrogen_bonds")


@router.get("/{identifier}/contacts", operation_id="get_contacts", responses=problems(STORED))
def get_contacts(upload: Stored, wish: WishOf) -> Response:
    return part(label_upload(upload, replace(wish, parts=("contacts",))), "contacts")


@router.get("/{identifier}/sites", operation_id="get_sites", responses=problems(STORED))
def get_sites(upload: Stored, wish: WishOf) -> Response:
    return part(label_upload(upload, replace(wish, parts=("sites",))), "sites")


@router.get("/{identifier}/pocket", operation_id="get_pocket", responses=problems(STORED))
def get_pocket(upload: Stored, cutoff: Cutoff = 8.0) -> Response:
    return part(label_upload(upload, Wish(parts=(), cutoff=cutoff)), "pocket_residues")


@router.get("/{identifier}/explanations", operation_id="explain", responses=problems(STORED, {422: NAMING_ATOMS}))
def get_explanations(
    upload: Stored,
    wish: WishOf,
    receptor_atom: Annotated[str | None, Query(description="RES:CHAIN:NUM:ATOM, as LYS:A:47:NZ")] = None,
    ligand_atom: Annotated[str | None, Query(description="ATOM or RES:CHAIN:NUM:ATOM")] = None,
    within: Annotated[float, Query(gt=0, le=8, allow_inf_nan=False, description="Å")] = 5.0,
) -> Response:
    """Why pairs are or are not hydrogen bonds: two named atoms, or all pairs within some Å."""
    if (receptor_atom is None) != (ligand_atom is None):
        raise InputError("name both receptor_atom and ligand_atom, or neither", code="missing_atom", stage="choose")
    atoms = None if receptor_atom is None or ligand_atom is None else (receptor_atom, ligand_atom)
    return json_response({"id": upload.id, "explanations": explain_upload(upload, wish, atoms, within)})

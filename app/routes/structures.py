"""Stored structures and the labels made from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, Path, Query, Request, Response

from app.dependencies import StoreOf, UploadOf, WishOf
from app.errors import NotFound
from app.problems import CHOOSING, NAMING_ATOMS, READING, STORED, WORK, problems
from app.responses import json_response
from app.results import tagged
from app.samples import EXAMPLE
from app.store import Upload
from app.work import Wish, describe, explanations_json, label_json
from interactions.errors import InputError

router = APIRouter(prefix="/v1/structures", tags=["structures"])
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


@router.post(
    "",
    operation_id="add_structure",
    status_code=201,
    responses={200: {"description": "The structure was known"}} | problems(WORK, {422: (*READING, *CHOOSING)}),
)
async def add_structure(request: Request, upload: UploadOf, store: StoreOf) -> Response:
    answer = await request.app.state.pool.run(describe, upload, key=upload.id)
    new = await to_thread.run_sync(store.add, upload)
    return json_response(answer, 201 if new else 200)


async def answered(request: Request, upload: Upload, wish: Wish, part: str | None) -> Response:
    """The JSON of a label, made once and kept for a while, with its tag."""
    key = (upload.id, upload.selector, wish, part)
    kept = request.app.state.results.get(key)
    if kept is None:
        kept = await request.app.state.pool.run(label_json, upload, wish, part, key=f"{upload.id} {upload.selector}")
        request.app.state.results.put(key, kept)
    return tagged(request, kept)


@router.get("/{identifier}/labels", operation_id="get_labels", responses=problems(STORED, WORK))
async def get_labels(request: Request, upload: Stored, wish: WishOf) -> Response:
    return await answered(request, upload, wish, None)


@router.get("/{identifier}/hydrogen-bonds", operation_id="get_hydrogen_bonds", responses=problems(STORED, WORK))
async def get_hydrogen_bonds(request: Request, upload: Stored, wish: WishOf) -> Response:
    return await answered(request, upload, replace(wish, parts=("ambiguities",)), "hydrogen_bonds")


@router.get("/{identifier}/contacts", operation_id="get_contacts", responses=problems(STORED, WORK))
async def get_contacts(request: Request, upload: Stored, wish: WishOf) -> Response:
    return await answered(request, upload, replace(wish, parts=("contacts",)), "contacts")


@router.get("/{identifier}/sites", operation_id="get_sites", responses=problems(STORED, WORK))
async def get_sites(request: Request, upload: Stored, wish: WishOf) -> Response:
    return await answered(request, upload, replace(wish, parts=("sites",)), "sites")


@router.get("/{identifier}/pocket", operation_id="get_pocket", responses=problems(STORED, WORK))
async def get_pocket(request: Request, upload: Stored, cutoff: Cutoff = 8.0) -> Response:
    return await answered(request, upload, Wish(parts=(), cutoff=cutoff), "pocket_residues")


@router.get("/{identifier}/explanations", operation_id="explain", responses=problems(STORED, WORK, {422: NAMING_ATOMS}))
async def get_explanations(
    request: Request,
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
    key = f"{upload.id} {upload.selector}"
    answer = await request.app.state.pool.run(explanations_json, upload, wish, atoms, within, key=key)
    return tagged(request, answer)

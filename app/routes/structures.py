"""Stored structures and the labels made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, Path, Query, Request, Response

from app.dependencies import StoreOf, UploadOf, WishOf
from app.errors import NotFound
from app.label_cache import keep_label, label_key
from app.problems import CHOOSING, NAMING_ATOMS, READING, STORED, STORING, WORK, problems
from app.responses import json_response
from app.results import Fresh, tagged
from app.samples import EXAMPLE
from app.storage import LabelKey, Store, Upload
from app.work import Wish, describe, explanations_json, label_json
from interactions.errors import InputError

router = APIRouter(prefix="/v1/structures", tags=["structures"])
Cutoff = Annotated[float, Query(gt=0, le=20, allow_inf_nan=False, description="Å")]


@dataclass(frozen=True)
class Asked:
    """A stored structure and the selector of its ligand, ``""`` for none; nothing is read yet."""

    id: str
    selector: str


async def asked(
    request: Request,
    identifier: Annotated[str, Path(description="sha256 that the upload was answered with", examples=[EXAMPLE])],
    store: StoreOf,
    ligand: Annotated[str | None, Query(description="RES[:CHAIN[:NUM]]; where it came with several")] = None,
) -> Asked:
    selectors: Fresh[str] = request.app.state.selectors
    selector = selectors.get((identifier, ligand))
    if selector is None:
        selector = await to_thread.run_sync(store.selector, identifier, ligand)
        if selector is None:
            raise not_stored(identifier)
        selectors.put((identifier, ligand), selector)
    return Asked(identifier, selector)


AskedOf = Annotated[Asked, Depends(asked)]


def not_stored(identifier: str) -> NotFound:
    return NotFound(f"no structure {identifier!r} is stored")


async def read(store: Store, of: Asked) -> Upload:
    upload = await to_thread.run_sync(store.get, of.id, of.selector or None)
    if upload is None:
        raise not_stored(of.id)
    return upload


@router.post(
    "",
    operation_id="add_structure",
    status_code=201,
    responses={200: {"description": "The structure was known"}}
    | problems(WORK, STORING, {422: ("ambiguous_id", "bad_text", *READING, *CHOOSING)}),
)
async def add_structure(request: Request, upload: UploadOf, store: StoreOf) -> Response:
    answer = await request.app.state.pool.run(describe, upload, key=upload.id)
    new = await to_thread.run_sync(store.add, upload)
    request.app.state.selectors.drop((upload.id, None))
    return json_response(answer, 201 if new else 200)


async def answered(request: Request, of: Asked, wish: Wish, part: str | None) -> Response:
    """The JSON of a label with its tag: from memory, from the store, or made now, once for all who wait for it."""
    key = label_key(of.id, of.selector, wish, part or "labels")
    return tagged(request, await request.app.state.results.once(key, partial(_kept, request, of, wish, part, key)))


async def _kept(request: Request, of: Asked, wish: Wish, part: str | None, key: LabelKey) -> bytes:
    store: Store = request.app.state.store
    known = await to_thread.run_sync(store.label, key)
    if known is not None:
        return known
    upload = await read(store, of)
    made = await request.app.state.pool.run(label_json, upload, wish, part, key=f"{of.id} {of.selector}")
    return await to_thread.run_sync(keep_label, store, key, made)


@router.get("/{identifier}/labels", operation_id="get_labels", responses=problems(STORED, WORK))
async def get_labels(request: Request, of: AskedOf, wish: WishOf) -> Response:
    return await answered(request, of, wish, None)


@router.get("/{identifier}/hydrogen-bonds", operation_id="get_hydrogen_bonds", responses=problems(STORED, WORK))
async def get_hydrogen_bonds(request: Request, of: AskedOf, wish: WishOf) -> Response:
    return await answered(request, of, replace(wish, parts=("ambiguities",)), "hydrogen_bonds")


@router.get("/{identifier}/contacts", operation_id="get_contacts", responses=problems(STORED, WORK))
async def get_contacts(request: Request, of: AskedOf, wish: WishOf) -> Response:
    return await answered(request, of, replace(wish, parts=("contacts",)), "contacts")


@router.get("/{identifier}/sites", operation_id="get_sites", responses=problems(STORED, WORK))
async def get_sites(request: Request, of: AskedOf, wish: WishOf) -> Response:
    return await answered(request, of, replace(wish, parts=("sites",)), "sites")


@router.get("/{identifier}/pocket", operation_id="get_pocket", responses=problems(STORED, WORK))
async def get_pocket(request: Request, of: AskedOf, cutoff: Cutoff = 8.0) -> Response:
    return await answered(request, of, Wish(parts=(), cutoff=cutoff), "pocket_residues")


@router.get("/{identifier}/explanations", operation_id="explain", responses=problems(STORED, WORK, {422: NAMING_ATOMS}))
async def get_explanations(
    request: Request,
    of: AskedOf,
    store: StoreOf,
    wish: WishOf,
    receptor_atom: Annotated[str | None, Query(description="RES:CHAIN:NUM:ATOM, as LYS:A:47:NZ")] = None,
    ligand_atom: Annotated[str | None, Query(description="ATOM or RES:CHAIN:NUM:ATOM")] = None,
    within: Annotated[float, Query(gt=0, le=8, allow_inf_nan=False, description="Å")] = 5.0,
) -> Response:
    """Why pairs are or are not hydrogen bonds: two named atoms, or all pairs within some Å."""
    if (receptor_atom is None) != (ligand_atom is None):
        raise InputError("name both receptor_atom and ligand_atom, or neither", code="missing_atom", stage="choose")
    atoms = None if receptor_atom is None or ligand_atom is None else (receptor_atom, ligand_atom)
    upload = await read(store, of)
    key = f"{of.id} {of.selector}"
    answer = await request.app.state.pool.run(explanations_json, upload, wish, atoms, within, key=key)
    return tagged(request, answer)

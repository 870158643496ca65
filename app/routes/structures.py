"""Stored structures and the labels made from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Response

from app.dependencies import StoreOf, UploadOf, WishOf
from app.errors import NotFound
from app.label_cache import Chosen, cached_label, label_key
from app.responses import json_response
from app.storage import Upload
from app.work import Wish, describe, explain_upload, label_upload
from interactions.errors import InputError

router = APIRouter(prefix="/v1/structures", tags=["structures"])
PART_KEYS = ("id", "status", "criteria", "ligand", "warnings", "provenance")
Cutoff = Annotated[float, Query(gt=0, le=20, allow_inf_nan=False, description="Å")]


def chosen(identifier: str, store: StoreOf, ligand: str | None = None) -> Chosen:
    selector = store.selector(identifier, ligand)
    if selector is None:
        raise NotFound(f"no structure {identifier!r} is stored")
    return Chosen(store, identifier, selector)


def stored(of: ChosenOf) -> Upload:
    upload = of.upload()
    if upload is None:
        raise NotFound(f"no structure {of.id!r} is stored")
    return upload


ChosenOf = Annotated[Chosen, Depends(chosen)]
Stored = Annotated[Upload, Depends(stored)]


def answer(of: Chosen, wish: Wish, part: str | None = None) -> Response:
    """The LabelSet, or one part of it with what tells where it comes from."""

    def make() -> bytes:
        record = label_upload(stored(of), wish)
        if part is not None and record["criteria"] != "all":
            record = {name: record[name] for name in (*PART_KEYS, part) if name in record}
        return json_response(record).body

    body = cached_label(of.store, label_key(of, wish, part or "labels"), make)
    return Response(body, media_type="application/json")


@router.post("", operation_id="add_structure", status_code=201)
async def add_structure(upload: UploadOf, store: StoreOf) -> Response:
    answer = await to_thread.run_sync(describe, upload)
    new = await to_thread.run_sync(store.add, upload)
    return json_response(answer, 201 if new else 200)


@router.get("/{identifier}/labels", operation_id="get_labels")
def get_labels(of: ChosenOf, wish: WishOf) -> Response:
    return answer(of, wish)


@router.get("/{identifier}/hydrogen-bonds", operation_id="get_hydrogen_bonds")
def get_hydrogen_bonds(of: ChosenOf, wish: WishOf) -> Response:
    return answer(of, replace(wish, parts=("ambiguities",)), "hydrogen_bonds")


@router.get("/{identifier}/contacts", operation_id="get_contacts")
def get_contacts(of: ChosenOf, wish: WishOf) -> Response:
    return answer(of, replace(wish, parts=("contacts",)), "contacts")


@router.get("/{identifier}/sites", operation_id="get_sites")
def get_sites(of: ChosenOf, wish: WishOf) -> Response:
    return answer(of, replace(wish, parts=("sites",)), "sites")


@router.get("/{identifier}/pocket", operation_id="get_pocket")
def get_pocket(of: ChosenOf, cutoff: Cutoff = 8.0) -> Response:
    return answer(of, Wish(parts=(), cutoff=cutoff), "pocket_residues")


@router.get("/{identifier}/explanations", operation_id="explain")
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

"""Stored structures and the labels made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Response

from app.dependencies import StoreOf, UploadOf, WishOf
from app.errors import NotFound
from app.label_cache import cached_label, label_key
from app.responses import json_response
from app.storage import Store, Upload
from app.work import LabelSet, Wish, describe, explain_upload, label_upload
from interactions.errors import InputError

router = APIRouter(prefix="/v1/structures", tags=["structures"])
PART_KEYS = ("id", "status", "criteria", "ligand", "warnings", "provenance")
Cutoff = Annotated[float, Query(gt=0, le=20, allow_inf_nan=False, description="Å")]


@dataclass(frozen=True)
class Asked:
    """A structure and the selector of its ligand, as a request names them; nothing is read yet."""

    store: Store
    id: str
    ligand: str | None


async def asked(identifier: str, store: StoreOf, ligand: str | None = None) -> Asked:
    return Asked(store, identifier, ligand)


AskedOf = Annotated[Asked, Depends(asked)]


def stored(of: Asked) -> Upload:
    upload = of.store.get(of.id, of.ligand)
    if upload is None:
        raise not_stored(of)
    return upload


def not_stored(of: Asked) -> NotFound:
    return NotFound(f"no structure {of.id!r} is stored")


def answer(of: Asked, wish: Wish, part: str | None = None) -> Response:
    """The LabelSet, or one part of it with what tells where it comes from; the structure is read where it must be."""
    selector = of.store.selector(of.id, of.ligand)
    if selector is None:
        raise not_stored(of)

    def make() -> bytes:
        record = label_upload(stored(replace(of, ligand=selector or None)), wish)
        from interactions.serialise import dumps

        return dumps(record if part is None else only(record, part))

    key = label_key(of.id, selector, wish, part or "labels")
    return Response(cached_label(of.store, key, make), media_type="application/json")


def only(record: LabelSet, part: str) -> LabelSet:
    if record["criteria"] == "all":
        return record
    return {name: record[name] for name in (*PART_KEYS, part) if name in record}


@router.post("", operation_id="add_structure", status_code=201)
async def add_structure(upload: UploadOf, store: StoreOf) -> Response:
    answer = await to_thread.run_sync(describe, upload)
    new = await to_thread.run_sync(store.add, upload)
    return json_response(answer, 201 if new else 200)


@router.get("/{identifier}/labels", operation_id="get_labels")
def get_labels(of: AskedOf, wish: WishOf) -> Response:
    return answer(of, wish)


@router.get("/{identifier}/hydrogen-bonds", operation_id="get_hydrogen_bonds")
def get_hydrogen_bonds(of: AskedOf, wish: WishOf) -> Response:
    return answer(of, replace(wish, parts=("ambiguities",)), "hydrogen_bonds")


@router.get("/{identifier}/contacts", operation_id="get_contacts")
def get_contacts(of: AskedOf, wish: WishOf) -> Response:
    return answer(of, replace(wish, parts=("contacts",)), "contacts")


@router.get("/{identifier}/sites", operation_id="get_sites")
def get_sites(of: AskedOf, wish: WishOf) -> Response:
    return answer(of, replace(wish, parts=("sites",)), "sites")


@router.get("/{identifier}/pocket", operation_id="get_pocket")
def get_pocket(of: AskedOf, cutoff: Cutoff = 8.0) -> Response:
    return answer(of, Wish(parts=(), cutoff=cutoff), "pocket_residues")


@router.get("/{identifier}/explanations", operation_id="explain")
def get_explanations(
    of: AskedOf,
    wish: WishOf,
    receptor_atom: Annotated[str | None, Query(description="RES:CHAIN:NUM:ATOM, as LYS:A:47:NZ")] = None,
    ligand_atom: Annotated[str | None, Query(description="ATOM or RES:CHAIN:NUM:ATOM")] = None,
    within: Annotated[float, Query(gt=0, le=8, allow_inf_nan=False, description="Å")] = 5.0,
) -> Response:
    """Why pairs are or are not hydrogen bonds: two named atoms, or all pairs within some Å."""
    if (receptor_atom is None) != (ligand_atom is None):
        raise InputError("name both receptor_atom and ligand_atom, or neither", code="missing_atom", stage="choose")
    atoms = None if receptor_atom is None or ligand_atom is None else (receptor_atom, ligand_atom)
    return json_response({"id": of.id, "explanations": explain_upload(stored(of), wish, atoms, within)})

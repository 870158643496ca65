"""What routes ask for: settings, the store, and the uploaded files.

All are async, though few wait: FastAPI would call each of the others in a thread of its own.
"""

from __future__ import annotations

from typing import Annotated, Literal, cast

from fastapi import Depends, File, Form, Request, UploadFile

from app.settings import Settings
from app.storage import Store, Upload
from app.work import PARTS, Wish
from interactions.errors import InputError
from interactions.formats import plain


async def get_settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)


async def get_store(request: Request) -> Store:
    return cast(Store, request.app.state.store)


SettingsOf = Annotated[Settings, Depends(get_settings)]
StoreOf = Annotated[Store, Depends(get_store)]


async def _read(file: UploadFile, limit: int) -> tuple[bytes, str]:
    name = file.filename or "upload"
    data = plain(await file.read(limit + 1), name, max_bytes=limit)
    return data, name.removesuffix(".gz")


async def get_upload(
    settings: SettingsOf,
    receptor: Annotated[UploadFile | None, File()] = None,
    complex: Annotated[UploadFile | None, File()] = None,
    ligand: Annotated[UploadFile | None, File()] = None,
    ligand_selector: Annotated[str | None, Form()] = None,
) -> Upload:
    """The uploaded files, decompressed. Exactly one of receptor and complex is wanted."""
    main = receptor or complex
    if main is None or (receptor and complex):
        raise InputError("send exactly one file, as 'receptor' or as 'complex'", code="missing_file")
    data, name = await _read(main, settings.max_upload_bytes)
    if ligand is None:
        return Upload(data, name, selector=ligand_selector)
    ligand_data, ligand_name = await _read(ligand, settings.max_upload_bytes)
    return Upload(data, name, ligand_data, ligand_name, ligand_selector)


async def get_profile(
    settings: SettingsOf, criteria_file: Annotated[UploadFile | None, File(description="own criteria, TOML")] = None
) -> bytes | None:
    return None if criteria_file is None else (await _read(criteria_file, settings.max_upload_bytes))[0]


async def get_wish(criteria: str = "chimerax", hydrogens: Hydrogens = "placed", near_misses: bool = False) -> Wish:
    """How to label: criteria by name or ``all``; hydrogens ``placed``, ``given`` or ``openmm``; near misses."""
    return Wish(criteria, hydrogens, (*PARTS, "near_misses") if near_misses else PARTS)


Hydrogens = Literal["placed", "given", "openmm"]
WishOf = Annotated[Wish, Depends(get_wish)]
ProfileOf = Annotated[bytes | None, Depends(get_profile)]
UploadOf = Annotated[Upload, Depends(get_upload)]

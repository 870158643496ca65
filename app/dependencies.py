"""What routes ask for: settings, the store, and the uploaded files.

Dependencies are coroutines: a plain function would cost each request a thread.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, cast

from fastapi import Depends, File, Form, Query, Request, UploadFile

from app.guard import may_see_truth
from app.lookup import Lookup, Means
from app.questions import Questions
from app.rows import Limits
from app.schemas import Metric, Mode
from app.sealing import Sealer
from app.settings import Settings
from app.storage import Store, Upload
from app.verification import Scoring
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


@cache
def _criteria_choices() -> list[str]:
    from app.work import criteria_names

    return [*criteria_names(), "all"]


def _describe_criteria(schema: dict[str, Any]) -> None:
    schema["enum"] = _criteria_choices()


Criteria = Annotated[str, Query(json_schema_extra=_describe_criteria)]


async def get_wish(
    criteria: Criteria = "chimerax",
    hydrogens: Hydrogens = "placed",
    near_misses: bool = False,
    coordinates: Literal["scene", "screen"] = "scene",
) -> Wish:
    """How to label: criteria by name or ``all``; hydrogens ``placed``, ``given`` or ``openmm``; near misses;
    coordinates of the file or of the screen of ChimeraX's first view."""
    return Wish(criteria, hydrogens, (*PARTS, "near_misses") if near_misses else PARTS, screen=coordinates == "screen")


Hydrogens = Literal["placed", "given", "openmm"]
WishOf = Annotated[Wish, Depends(get_wish)]
ProfileOf = Annotated[bytes | None, Depends(get_profile)]
UploadOf = Annotated[Upload, Depends(get_upload)]


async def get_questions(request: Request) -> Questions:
    return cast(Questions, request.app.state.questions)


async def get_sealer(request: Request) -> Sealer:
    return cast(Sealer, request.app.state.sealer)


QuestionsOf = Annotated[Questions, Depends(get_questions)]
SealerOf = Annotated[Sealer, Depends(get_sealer)]


async def get_lookup(request: Request, questions: QuestionsOf, sealer: SealerOf, store: StoreOf) -> Lookup:
    return Lookup(questions, sealer, Means(store, request.app.state.pool, request.app.state.results))


async def get_reveal(request: Request, settings: SettingsOf, detail: bool = False) -> bool:
    """Whether the caller asks for what tells the truth. Raises InputError (``truth_hidden``) without the right."""
    if detail and not (settings.reveal_truth or may_see_truth(request)):
        raise InputError("verdicts item by item tell the truth; this service does not reveal it", code="truth_hidden")
    return detail


RevealOf = Annotated[bool, Depends(get_reveal)]
LookupOf = Annotated[Lookup, Depends(get_lookup)]


async def get_scoring(reveal: RevealOf, metric: Metric = "misi", mode: Mode = "strict") -> Scoring:
    """How rows are scored that do not say; ``detail=true``: item by item, for those who may see the truth."""
    return Scoring(metric, mode, reveal)


ScoringOf = Annotated[Scoring, Depends(get_scoring)]


async def get_limits(settings: SettingsOf) -> Limits:
    return Limits(settings.max_batch_rows, settings.max_row_bytes, settings.max_batch_bytes)


LimitsOf = Annotated[Limits, Depends(get_limits)]

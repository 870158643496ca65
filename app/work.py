"""The library calls behind the routes. The library is imported at first use: it takes seconds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.storage import Upload

LabelSet = dict[str, Any]


MAX_KNOWN_BYTES = 2_000_000  # of a file that a worker keeps until it has read two others
PARTS = ("contacts", "sites", "ambiguities", "ligand_chemistry")


@dataclass(frozen=True)
class Wish:
    """How an upload is to be labelled; ``profile``: TOML of own criteria; ``cutoff`` of the pocket in Å;
    ``screen``: sites and contacts as ChimeraX's first view shows them."""

    criteria: str = "chimerax"
    hydrogens: str = "placed"
    parts: tuple[str, ...] = PARTS
    profile: bytes | None = None
    cutoff: float | None = None
    screen: bool = False


def label_upload(upload: Upload, wish: Wish) -> LabelSet:
    """The LabelSet of an upload; ``criteria`` may be ``all``."""
    from interactions.labelling import label, label_by_all
    from interactions.pocket import PocketRule

    complex_ = _complex(upload)
    if wish.criteria == "all" and wish.profile is None:
        return label_by_all(complex_, hydrogens=wish.hydrogens, id=upload.id)
    pocket = PocketRule() if wish.cutoff is None else PocketRule(cutoff=wish.cutoff)
    criteria = wish.criteria if wish.profile is None else own_criteria(wish.profile, "criteria")
    record = label(complex_, criteria=criteria, pocket=pocket, parts=wish.parts, hydrogens=wish.hydrogens, id=upload.id)
    if not wish.screen:
        return record
    from interactions.questions.screen_labels import on_screen

    return on_screen(complex_, record)


PART_KEYS = ("id", "status", "criteria", "ligand", "coordinates", "warnings", "provenance")


def label_json(upload: Upload, wish: Wish, part: str | None = None) -> bytes:
    """The LabelSet as JSON, or one part of it with what it rests on; that of all criteria is always whole."""
    from interactions.serialise import dumps

    record = label_upload(upload, wish)
    if part is not None and record["criteria"] != "all":
        record = {name: record[name] for name in (*PART_KEYS, part) if name in record}
    return dumps(record)


def explanations_json(upload: Upload, wish: Wish, atoms: tuple[str, str] | None, within: float) -> bytes:
    from interactions.labelling import explain_label
    from interactions.serialise import dumps

    complex_ = _complex(upload)
    found = explain_label(complex_, criteria=wish.criteria, atoms=atoms, within=within, hydrogens=wish.hydrogens)
    return dumps({"id": upload.id, "explanations": found})


def own_criteria(data: bytes, name: str) -> Any:
    """A profile from TOML. Raises InputError (``bad_criteria``)."""
    import tomllib

    from interactions.criteria import parse
    from interactions.errors import InputError

    try:
        tables = tomllib.loads(data.decode())
    except ValueError as error:
        raise InputError(f"{name}: not a TOML file ({error})", code="bad_criteria") from error
    return parse(tables)


def _complex(upload: Upload) -> Any:
    from interactions.labelling import complex_of, perceive

    receptor, ligand = _structures(upload)
    return complex_of(perceive(receptor), ligand, upload.id, upload.selector)


def describe(upload: Upload) -> dict[str, Any]:
    """Ligands to choose from, and warnings of reading. Bad files, and a selector that answers nothing, fail here."""
    from interactions.ligands import candidates, choose

    receptor, ligand = _structures(upload)
    last = receptor if ligand is None else ligand
    if upload.selector is not None:
        choose(last, upload.selector)
    structures = [receptor] if ligand is None else [receptor, ligand]
    return {
        "id": upload.id,
        "ligands": [choice.as_dict() for choice in candidates(last)],
        "warnings": [{"code": code, "message": text} for s in structures for code, text in s.warnings],
    }


def _structures(upload: Upload) -> tuple[Any, Any]:
    """Receptor and ligand file, None without one; what is asked for first after an upload is a label of it."""
    ligand = None if upload.ligand is None else _read(upload.ligand, upload.ligand_name or "ligand")
    return _read(upload.receptor, upload.receptor_name), ligand


def _read(data: bytes, name: str) -> Any:
    from interactions.formats import read

    return _known(data, name) if len(data) <= MAX_KNOWN_BYTES else read(data, name)


@lru_cache(maxsize=2)
def _known(data: bytes, name: str) -> Any:
    from interactions.formats import read

    return read(data, name)


def criteria_names() -> list[str]:
    """Names of the criteria sets that come with the library."""
    from interactions.criteria import names

    return list(names())


def criteria_records() -> list[dict[str, Any]]:
    """Every criteria set with its numbers, units and sources."""
    from interactions.criteria import load, names

    return [criteria_record(load(name)) for name in names()]


def criteria_record(profile: Any) -> dict[str, Any]:
    return {
        "name": profile.name,
        "source": profile.source,
        "digest": profile.digest,
        "detector": profile.detector,
        "hydrogens": profile.hydrogens,
        "contacts": profile.contacts or profile.name,
        "tables": profile.tables,
    }

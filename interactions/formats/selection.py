"""What of a structure file is to be read, where it is not the first model as it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from interactions.assembly import assembled
from interactions.errors import InputError
from interactions.formats import plain, read, sniff
from interactions.formats.mmcif import cif_document
from interactions.structure import Structure

_ATOMS = (b"ATOM  ", b"HETATM")
_OF_MODEL = (*_ATOMS, b"ANISOU", b"TER   ")


@dataclass(frozen=True)
class Selection:
    """``model`` by its number in the file; ``alt_loc``: of atoms with several places the one of this letter, none
    where they have no such; ``assembly`` by its name in the file."""

    model: int | None = None
    alt_loc: str | None = None
    assembly: str | None = None

    def __str__(self) -> str:
        """How provenance tells it."""
        told = ["first" if self.model is None else f"model {self.model}"]
        told += [] if self.alt_loc is None else [f"alternate location {self.alt_loc}"]
        told += [] if self.assembly is None else [f"assembly {self.assembly}"]
        return ", ".join(told)


ALL = Selection()


def read_selected(data: bytes, name: str, selection: Selection = ALL) -> Structure:
    """Structure of the selected part of a file; its digest is the whole file's.

    Raises InputError: ``no_model``, ``no_assembly``, ``no_atoms`` where no atom is left, ``no_selection`` for a
    format without models, or as ``read``.
    """
    if selection == ALL:
        return read(data, name)
    data = plain(data, name)
    kind = sniff(data, name)
    if kind not in ("pdb", "mmcif"):
        raise InputError(f"{name}: {kind} has no models, alternate locations or assemblies", code="no_selection")
    left = data
    if selection.model is not None or selection.alt_loc is not None:
        left = (_pdb if kind == "pdb" else _mmcif)(data, name, selection)
    structure = replace(read(left, name), digest=sha256(data).hexdigest())
    return structure if selection.assembly is None else assembled(structure, data, selection.assembly)


def _pdb(data: bytes, name: str, selection: Selection) -> bytes:
    """The lines of the file less the atoms that are not selected; of several models the first or the chosen."""
    letters = (b" ", b"", (selection.alt_loc or "").encode())
    kept: list[bytes] = []
    models: list[int] = []
    chosen, atoms = True, 0
    for line in data.splitlines():
        record = line[:6].ljust(6)
        if record == b"MODEL ":
            models.append(_number(line, name))
            chosen = models[-1] == (models[0] if selection.model is None else selection.model)
        elif record == b"ENDMDL":
            continue
        elif record not in _OF_MODEL:
            kept.append(line)
        elif chosen and (selection.alt_loc is None or record == b"TER   " or line[16:17] in letters):
            kept.append(line)
            atoms += record in _ATOMS
    _check(name, selection, models or [1], atoms)
    return b"\n".join(kept) + b"\n"


def _number(line: bytes, name: str) -> int:
    text = line[6:].strip()
    if not text.isdigit():
        raise InputError(f"{name}: a MODEL record without a number: {line[:80]!r}", code="bad_record")
    return int(text)


def _mmcif(data: bytes, name: str, selection: Selection) -> bytes:
    document = cif_document(data, name)
    tags = ["_atom_site.Cartn_x", "?_atom_site.pdbx_PDB_model_num", "?_atom_site.label_alt_id"]
    models: list[int] = []
    atoms = 0
    for block in document:
        table = block.find(tags)
        rows = [_model_and_letter(row, name) for row in table]
        models += dict.fromkeys(model for model, _ in rows)
        wanted = models[0] if selection.model is None and models else selection.model
        drop = [at for at, (model, letter) in enumerate(rows) if model != wanted or not _is_at(letter, selection)]
        atoms += len(rows) - len(drop)
        for index in reversed(drop):
            table.remove_row(index)
    _check(name, selection, models, atoms)
    text: str = document.as_string()
    return text.encode()


def _model_and_letter(row: Any, name: str) -> tuple[int, str]:
    import gemmi

    number = row[1] if row.has(1) else "1"
    if not number.isdigit():
        raise InputError(f"{name}: pdbx_PDB_model_num {number!r} is not a number", code="bad_record")
    return int(number), gemmi.cif.as_string(row[2]) if row.has(2) else ""


def _is_at(letter: str, selection: Selection) -> bool:
    return selection.alt_loc is None or letter in ("", selection.alt_loc)


def _check(name: str, selection: Selection, models: list[int], atoms: int) -> None:
    if selection.model is not None and selection.model not in models:
        known = ", ".join(map(str, dict.fromkeys(models))) or "none"
        raise InputError(f"{name}: no model {selection.model}; known: {known}", code="no_model")
    if not atoms:
        raise InputError(f"{name}: no atom is left of {selection}", code="no_atoms")

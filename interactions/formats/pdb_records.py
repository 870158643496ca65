"""The records of a PDB file that matter: atoms, residues, connections of its first model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.draft import DraftResidue, Key
from interactions.errors import InputError
from interactions.formats.atom_table import AtomLines, AtomTable, merge_alternates
from interactions.formats.pdb_columns import WIDTH, ByCode, Bytes, Column, TextLines, numbers
from interactions.formats.pdb_fields import (
    atom_name,
    casts_doubt,
    charge,
    element,
    element_by_case,
    element_by_letters,
    hybrid36,
    residue_number,
)
from interactions.formats.pdb_residues import ResidueReader
from interactions.structure import Floats, Ints

_ATOM_RECORDS = (b"ATOM  ", b"HETATM")
_SPACE = 32
_NONE = np.empty(0, dtype=np.int64)


@dataclass
class Lines:
    """The lines of the first model, by record."""

    atoms: Bytes = field(default_factory=lambda: np.empty((0, WIDTH), dtype=np.uint8))  # (n, 80)
    numbers: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))  # of the atom lines in the file
    ters: list[int] = field(default_factory=list)  # count of atom lines before each TER
    conect: list[tuple[int, str, bool]] = field(default_factory=list)  # line number, line, after ENDMDL
    links: list[str] = field(default_factory=list)  # LINK and SSBOND
    modres: list[tuple[int, str]] = field(default_factory=list)
    scop: bool = False
    old_style: bool = False  # columns 73-80 hold an entry id and a line number


@dataclass
class Records:
    """The atoms, and the lines that connect them."""

    table: AtomTable
    lines: Lines
    skipped: list[str]


def read_records(data: bytes, name: str) -> Records:
    """Records of the first model.

    Raises InputError: ``no_atoms``, or ``bad_coordinates`` for a place that is not three finite numbers.
    """
    lines = _sort_lines(data)
    if not len(lines.atoms):
        raise InputError(f"{name}: no ATOM or HETATM line", code="no_atoms")
    skipped: list[str] = []
    matrix, atom_lines, ters = _atom_lines(lines, name, skipped)
    if not len(matrix):
        raise InputError(f"{name}: no readable ATOM or HETATM line: {skipped[0]}", code="no_atoms")
    reader = ResidueReader(_modres(lines, skipped), lines.scop)
    _feed(reader, matrix, atom_lines.names, ters)
    residues = reader.finish()
    merged = merge_alternates(atom_lines, residues)
    kept = matrix[merged.rows]
    table = AtomTable.of(
        atom_lines,
        merged,
        residues,
        elements=_elements(kept, use_column=not lines.old_style),
        hetero=kept[:, 0] == ord("H"),
        charges=_charges(kept[:, 78:80]),
    )
    return Records(table, lines, skipped)


def _sort_lines(data: bytes) -> Lines:
    found, lines = Lines(), TextLines.of(data)
    is_atom = lines.start_with(*_ATOM_RECORDS)
    first = lines[0].decode("latin-1")
    found.old_style = len(first) >= 80 and first[72].isdigit() and first[73:76].isalnum()
    atoms_before = np.cumsum(is_atom)
    end = len(is_atom)
    ended = False
    for index in np.flatnonzero(~is_atom).tolist():
        line, before = lines[index], int(atoms_before[index])
        kind = line[:6].rstrip().upper()
        if kind in (b"END", b"ENDMDL"):
            if before:
                end, ended = min(end, index), True
            if ended and kind == b"END":
                break
        elif kind in _OTHERS and not (ended and kind == b"TER"):
            _OTHERS[kind](found, index + 1, line.decode("latin-1").ljust(80), before, ended)
    rows = np.flatnonzero(is_atom[:end])
    found.numbers, found.atoms = rows + 1, lines.table(rows)
    return found


def _link(found: Lines, _: int, line: str, before: int, __: bool) -> None:
    if not before:
        found.links.append(line)


def _header(found: Lines, _: int, line: str, *__: object) -> None:
    found.scop = "SCOP/ASTRAL" in line


# What to do with a line, its number, the count of atoms before it, and whether the model has ended.
_OTHERS: dict[bytes, Callable[[Lines, int, str, int, bool], None]] = {
    b"TER": lambda found, _, __, before, ___: found.ters.append(before),
    b"CONECT": lambda found, number, line, _, ended: found.conect.append((number, line, ended)),
    b"MODRES": lambda found, number, line, _, __: found.modres.append((number, line)),
    b"LINK": _link,
    b"SSBOND": _link,
    b"HEADER": _header,
}


def _modres(lines: Lines, skipped: list[str]) -> dict[Key, str]:
    """Parent name by chain, number and insertion code."""
    found: dict[Key, str] = {}
    for number, line in lines.modres:
        try:
            found[line[16].strip(), *residue_number(line[18:22], line[22])] = line[24:28].strip()
        except ValueError:
            skipped.append(f"line {number}: MODRES with an unreadable residue number")
    return found


def _atom_lines(lines: Lines, name: str, skipped: list[str]) -> tuple[Bytes, AtomLines, Ints]:
    """The readable atom lines, their columns, and how many of them stand before each TER."""
    matrix = lines.atoms
    coordinates = _coordinates(matrix, lines.numbers, name)
    occupancies, b_factors = _occupancies_and_b(matrix)
    bad = np.isnan(occupancies) | np.isnan(b_factors) | _unreadable_numbers(matrix)
    rows = np.flatnonzero(~bad)
    for row in np.flatnonzero(bad).tolist():
        skipped.append(f"line {lines.numbers[row]} was skipped: a residue number, occupancy or B is unreadable")
    if bad.any():
        matrix, coordinates = matrix[rows], coordinates[rows]
        occupancies, b_factors = occupancies[rows], b_factors[rows]
    lettered = len(matrix) and (matrix[:, 16] != _SPACE).any()
    return (
        matrix,
        AtomLines(
            names=Column.of(matrix, 12, 16).look_up(_atom_name),
            letters=Column.of(matrix, 16, 17).map(str.strip) if lettered else None,
            coordinates=coordinates,
            occupancies=occupancies,
            b_factors=b_factors,
            serials=_serials(matrix),
        ),
        np.unique(np.searchsorted(rows, lines.ters)) if lines.ters else _NONE,
    )


def _feed(reader: ResidueReader, matrix: Bytes, names: list[str], ters: Ints) -> None:
    """Runs of lines of one record name, chain, number and residue name, to a reader."""
    n = len(matrix)
    residue, place, record = (Column.of(matrix, *columns) for columns in ((17, 22), (22, 27), (0, 1)))
    after_ter = np.zeros(n + 1, dtype=np.bool_)
    after_ter[ters] = True
    starts = np.flatnonzero(residue.starts() | place.starts() | record.starts() | after_ter[:n])
    bounds = [*starts.tolist(), n]
    stretches = zip(
        residue.at(starts).look_up(_names),
        place.at(starts).look_up(_place),
        (matrix[starts, 0] == ord("H")).tolist(),
        map(range, bounds, bounds[1:]),
        after_ter[starts].tolist(),
        _any_is(names, "OXT", starts),
        strict=True,
    )
    for (name, chain, letter), (number, code), hetero, rows, ter, has_oxt in stretches:
        new = DraftResidue(name, chain, number, rows, hetero, insertion_code=code)
        reader.feed(new, letter, after_ter=ter, has_oxt=has_oxt)


def _any_is(names: list[str], name: str, starts: Ints) -> list[bool]:
    """Whether one of the names from each start up to the next is a given one."""
    if name not in names:
        return [False] * len(starts)
    found: list[bool] = np.logical_or.reduceat(np.array([one == name for one in names]), starts).tolist()
    return found


def _residue_names(text: str) -> tuple[str, str, str]:
    """Residue name, chain, and a letter in column 21, from columns 18-22."""
    letter = text[3] if text[3].isalpha() else ""
    return (text[:3] if letter else text[:4]).replace(" ", "").upper(), text[4].strip(), letter


def _residue_place(text: str) -> tuple[int, str]:
    """Residue number and insertion code, from columns 23-27."""
    return residue_number(text[:4], text[4])


def _readable_place(text: str) -> tuple[int, str] | None:
    try:
        return _residue_place(text)
    except ValueError:
        return None


_atom_name = ByCode(atom_name, 4)
_names = ByCode(_residue_names, 5)
_place = ByCode(_residue_place, 5)
_place_or_none = ByCode(_readable_place, 5)
_element = ByCode(lambda text: element(text[:4], text[4:]), 6)


def _unreadable_numbers(matrix: Bytes) -> NDArray[np.bool_]:
    """Which lines have no residue number."""
    column = Column.of(matrix, 22, 27)
    firsts = np.flatnonzero(column.starts())
    places = column.at(firsts).look_up(_place_or_none)
    if None not in places:
        return np.zeros(len(matrix), dtype=np.bool_)
    return np.repeat([place is None for place in places], np.diff(np.append(firsts, len(matrix))))


def _coordinates(matrix: Bytes, line_numbers: Ints, name: str) -> Floats:
    found = numbers(matrix, 30, 54, 3, fields=3)
    if found is None:
        columns = [Column.of(matrix, start, start + 8).each(float) for start in (30, 38, 46)]
        found = np.array([[np.nan if value is None else value for value in column] for column in columns]).T
    coordinates = np.ascontiguousarray(found)
    good = np.abs(coordinates) < 1e7
    if not good.all():
        row = int(np.flatnonzero(~good.all(axis=1))[0])
        text = matrix[row].tobytes().decode("latin-1")
        raise InputError(
            f"{name}: line {line_numbers[row]}: atom {text[12:16].strip()} has coordinates {text[30:54].strip()!r}, "
            "expected three finite numbers",
            code="bad_coordinates",
        )
    return coordinates


def _occupancies_and_b(matrix: Bytes) -> tuple[Floats, Floats]:
    """Occupancies, 1 where blank, and B factors, 0 where blank; NaN where unreadable."""
    found = numbers(matrix, 54, 66, 2, fields=2)
    if found is not None:
        return found[:, 0], found[:, 1]
    return _optional(matrix, 54, 60, 1.0), _optional(matrix, 60, 66, 0.0)


def _optional(matrix: Bytes, start: int, end: int, default: float) -> Floats:
    read = Column.of(matrix, start, end).each(lambda text: float(text) if text.strip() else default)
    return np.array([np.nan if value is None else value for value in read], dtype=np.float64)


def _serials(matrix: Bytes) -> Ints:
    """Serial numbers; -1 for what is none: a serial is never a key but for CONECT."""
    found = numbers(matrix, 6, 11, 0)
    if found is not None:
        return found[:, 0].astype(np.int64)
    read = Column.of(matrix, 6, 11).each(hybrid36)
    return np.array([-1 if value is None else value for value in read], dtype=np.int64)


def _charges(columns: Bytes) -> Ints:
    if (columns == _SPACE).all():
        return np.zeros(len(columns), dtype=np.int64)
    return np.array(Column.of(columns, 0, 2).map(charge), dtype=np.int64)


def _elements(matrix: Bytes, *, use_column: bool) -> list[int]:
    """Elements, with ChimeraX's doubts about a file where one is not recognised (10.1.6)."""
    columns = np.concatenate([matrix[:, 12:16], matrix[:, 76:78]], axis=1)
    if not use_column:
        columns[:, 4:] = _SPACE
    found = Column.of(columns, 0, 6).look_up(_element)
    if all(found):
        return found
    names = Column.of(columns, 0, 4).map(str)
    doubt = next((row for row, number in enumerate(found) if not number and casts_doubt(names[row])), None)
    if doubt is not None:
        found[doubt:] = [element_by_case(name) for name in names[doubt:]]
    if any(not number and not name.strip().startswith("LP") for number, name in zip(found, names, strict=True)):
        found = [element_by_letters(name) for name in names]
    return found

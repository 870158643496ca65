"""The records of a PDB file that matter: atoms, residues, connections of its first model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.alt_locs import Position
from interactions.chemistry.draft import DraftResidue
from interactions.errors import InputError
from interactions.formats.pdb_columns import WIDTH, Bytes, changes, each, grid, line_matrix, mapped, numbers
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
from interactions.formats.pdb_residues import Key, ResidueReader, Stretch
from interactions.structure import Floats, Ints

_ATOM_RECORDS = (b"ATOM  ", b"HETATM")
_SPACE = 32


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
    """Atoms as columns of length n, at their last-read position; alternate positions apart."""

    names: list[str]
    elements: list[int]
    residue_of: list[int]
    hetero: NDArray[np.bool_]
    coordinates: Floats
    occupancies: Floats
    serials: Ints
    charges: Ints
    alternates: dict[int, list[Position]]
    residues: list[DraftResidue]
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
    table = _Table(lines, name, skipped)
    if not len(table.rows):
        raise InputError(f"{name}: no readable ATOM or HETATM line: {skipped[0]}", code="no_atoms")
    residues = table.residues(_modres(lines, skipped))
    kept, alternates, residue_of = table.merge_alternates(residues)
    last = np.array(kept)
    for atom, positions in alternates.items():
        last[atom] = table.row_of[atom, positions[-1].alt_loc]
    return Records(
        names=[table.names[row] for row in kept],
        elements=_elements(table, kept, use_column=not lines.old_style),
        residue_of=residue_of,
        hetero=table.hetero[kept],
        coordinates=table.coordinates[last],
        occupancies=table.occupancies[kept],
        serials=table.serials[kept],
        charges=_charges(table.matrix[kept, 78:80]),
        alternates=alternates,
        residues=residues,
        lines=lines,
        skipped=skipped,
    )


def _sort_lines(data: bytes) -> Lines:
    found = Lines()
    matrix = grid(data)
    lines: Sequence[bytes] = [] if matrix is not None else data.splitlines()
    if matrix is None:
        is_atom = np.array([line[:6] in _ATOM_RECORDS for line in lines], dtype=np.bool_)
    else:
        is_atom = np.logical_or.reduce([(matrix[:, :6] == list(record)).all(axis=1) for record in _ATOM_RECORDS])

    def text(index: int) -> bytes:
        return lines[index] if matrix is None else matrix[index].tobytes()

    if len(is_atom):
        first = text(0).decode("latin-1")
        found.old_style = len(first) >= 80 and first[72].isdigit() and first[73:76].isalnum()
    atoms_before = np.cumsum(is_atom).tolist()
    end = len(is_atom)
    ended = False
    for index in np.flatnonzero(~is_atom).tolist():
        line, before = text(index), atoms_before[index]
        kind = line[:6].rstrip().upper()
        if kind in (b"END", b"ENDMDL"):
            if before:
                end, ended = min(end, index), True
            if ended and kind == b"END":
                break
        elif kind in _OTHERS and not (ended and kind == b"TER"):
            _OTHERS[kind](found, index + 1, line.decode("latin-1").ljust(80), before, ended)
    rows = np.flatnonzero(is_atom[:end])
    found.numbers = rows + 1
    if matrix is not None and matrix.shape[1] >= WIDTH:
        found.atoms = matrix[rows, :WIDTH]
    else:
        found.atoms = line_matrix([text(row) for row in rows.tolist()])
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


class _Table:
    """The readable atom lines as columns."""

    def __init__(self, lines: Lines, name: str, skipped: list[str]) -> None:
        matrix = lines.atoms
        coordinates = _coordinates(matrix, lines.numbers, name)
        occupancies, b_factors = (_optional(matrix, *columns) for columns in ((54, 60, 1.0), (60, 66, 0.0)))
        bad = np.isnan(occupancies) | np.isnan(b_factors) | _unreadable_numbers(matrix)
        for row in np.flatnonzero(bad).tolist():
            skipped.append(f"line {lines.numbers[row]} was skipped: a residue number, occupancy or B is unreadable")
        self.rows = np.flatnonzero(~bad)
        if bad.any():
            matrix, coordinates = matrix[self.rows], coordinates[self.rows]
            occupancies, b_factors = occupancies[self.rows], b_factors[self.rows]
        self.matrix, self.coordinates = matrix, coordinates
        self.occupancies, self.b_factors = occupancies, b_factors
        self.ters = np.unique(np.searchsorted(self.rows, lines.ters))
        self.scop = lines.scop
        if len(self.rows):
            self.names: list[str] = mapped(matrix, 12, 16, atom_name)
            self.hetero = matrix[:, 0] == ord("H")
            self.serials = _serials(matrix)
        self.row_of: dict[tuple[int, str], int] = {}

    def residues(self, modres: dict[Key, str]) -> list[DraftResidue]:
        n = len(self.rows)
        bounds = np.unique(np.concatenate([changes(self.matrix, 17, 27), changes(self.matrix, 0, 1), self.ters, [n]]))
        firsts = bounds[:-1]
        named: list[tuple[str, str, str]] = mapped(self.matrix[firsts], 17, 22, _names)
        places: list[tuple[int, str]] = mapped(self.matrix[firsts], 22, 27, _place)
        after_ter = np.isin(firsts, self.ters).tolist()
        oxt = np.array([row for row, name in enumerate(self.names) if name == "OXT"], dtype=np.int64)
        has_oxt = (np.diff(np.searchsorted(oxt, bounds)) > 0).tolist()
        reader = ResidueReader(modres, self.scop)
        stretches = zip(named, places, self.hetero[firsts].tolist(), pairwise(bounds.tolist()), strict=True)
        for index, ((name, chain, prefix), (number, code), hetero, (first, last)) in enumerate(stretches):
            reader.feed(
                Stretch(name, chain, prefix, number, code, hetero, first, last, after_ter[index], has_oxt[index])
            )
        return reader.finish()

    def merge_alternates(self, residues: list[DraftResidue]) -> tuple[list[int], dict[int, list[Position]], list[int]]:
        """Row of each atom, positions of those with alt locs, residue of each; residues then hold atoms (10.4)."""
        letters = self.matrix[:, 16] != _SPACE
        if not letters.any():
            sizes = [len(residue.atoms) for residue in residues]
            return list(range(len(self.rows))), {}, np.repeat(np.arange(len(residues)), sizes).tolist()
        kept: list[int] = []
        alternates: dict[int, list[Position]] = {}
        residue_of: list[int] = []
        lettered = np.append(0, np.cumsum(letters)).tolist()
        for index, residue in enumerate(residues):
            start, rows = len(kept), residue.atoms
            if lettered[rows[-1] + 1] > lettered[rows[0]]:
                self._merge(rows, letters, kept, alternates)
            else:
                kept.extend(rows)
            residue.atoms = range(start, len(kept))
            residue_of += [index] * len(residue.atoms)
        return kept, alternates, residue_of

    def _merge(
        self, rows: Any, letters: NDArray[np.bool_], kept: list[int], alternates: dict[int, list[Position]]
    ) -> None:
        count: Counter[str] = Counter()
        first: dict[str, int] = {}
        for row in rows:
            name = self.names[row]
            if letters[row] and count[name] == 1:
                atom = first[name]
            else:
                atom = len(kept)
                kept.append(row)
                count[name] += 1
                first.setdefault(name, atom)
            if letters[row]:
                alternates.setdefault(atom, []).append(self._position(row, atom))

    def _position(self, row: int, atom: int) -> Position:
        letter = chr(self.matrix[row, 16])
        self.row_of[atom, letter] = row
        x, y, z = self.coordinates[row].tolist()
        return Position(
            letter, (x, y, z), float(self.occupancies[row]), float(self.b_factors[row]), int(self.serials[row])
        )


def _names(text: str) -> tuple[str, str, str]:
    """Residue name, chain, and a letter in column 21, from columns 18-22."""
    letter = text[3] if text[3].isalpha() else ""
    return (text[:3] if letter else text[:4]).replace(" ", "").upper(), text[4].strip(), letter


def _place(text: str) -> tuple[int, str]:
    """Residue number and insertion code, from columns 23-27."""
    return residue_number(text[:4], text[4])


def _unreadable_numbers(matrix: Bytes) -> NDArray[np.bool_]:
    """Which lines have no residue number."""
    firsts = changes(matrix, 22, 27)
    bad = np.array([place is None for place in each(matrix[firsts], 22, 27, _place)], dtype=np.bool_)
    return np.repeat(bad, np.diff(np.append(firsts, len(matrix))))


def _coordinates(matrix: Bytes, line_numbers: Ints, name: str) -> Floats:
    columns = []
    for start in (30, 38, 46):
        found = numbers(matrix, start, start + 8, 3)
        if found is None:
            read = each(matrix, start, start + 8, float)
            found = np.array([np.nan if value is None else value for value in read], dtype=np.float64)
        columns.append(found)
    coordinates = np.stack(columns, axis=1)
    bad = ~(np.abs(coordinates) < 1e7).all(axis=1)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        text = matrix[row].tobytes().decode("latin-1")
        raise InputError(
            f"{name}: line {line_numbers[row]}: atom {text[12:16].strip()} has coordinates {text[30:54].strip()!r}, "
            "expected three finite numbers",
            code="bad_coordinates",
        )
    return coordinates


def _optional(matrix: Bytes, start: int, end: int, default: float) -> Floats:
    """Numbers with two decimals; ``default`` where blank, NaN where unreadable."""
    found = numbers(matrix, start, end, 2)
    if found is not None:
        return found
    read = each(matrix, start, end, lambda text: float(text) if text.strip() else default)
    return np.array([np.nan if value is None else value for value in read], dtype=np.float64)


def _serials(matrix: Bytes) -> Ints:
    """Serial numbers; -1 for what is none: a serial is never a key but for CONECT."""
    found = numbers(matrix, 6, 11, 0)
    if found is not None:
        return found.astype(np.int64)
    read = each(matrix, 6, 11, hybrid36)
    return np.array([-1 if value is None else value for value in read], dtype=np.int64)


def _charges(columns: Bytes) -> Ints:
    if (columns == _SPACE).all():
        return np.zeros(len(columns), dtype=np.int64)
    return np.array(mapped(columns, 0, 2, charge), dtype=np.int64)


def _elements(table: _Table, kept: list[int], *, use_column: bool) -> list[int]:
    """Elements, with ChimeraX's doubts about a file where one is not recognised (10.1.6)."""
    matrix = np.concatenate([table.matrix[kept, 12:16], table.matrix[kept, 76:78]], axis=1)
    if not use_column:
        matrix[:, 4:] = _SPACE
    found: list[int] = mapped(matrix, 0, 6, lambda text: element(text[:4], text[4:]))
    if all(found):
        return found
    names = [matrix[row, :4].tobytes().decode("latin-1") for row in range(len(kept))]
    doubt = next((row for row, number in enumerate(found) if not number and casts_doubt(names[row])), None)
    if doubt is not None:
        found[doubt:] = [element_by_case(name) for name in names[doubt:]]
    if any(not number and not name.strip().startswith("LP") for number, name in zip(found, names, strict=True)):
        found = [element_by_letters(name) for name in names]
    return found

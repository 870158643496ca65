"""MDL SDF, V2000 and V3000: bonds and coordinates exactly as in the file, no sanitising.

Atoms are named by element and running count; non-elements (R, *, A, Q) are skipped, as ChimeraX does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from interactions.chemistry.elements import SYMBOLS, atomic_number
from interactions.errors import InputError
from interactions.structure import Structure

# V2000 atom-line charge codes of the CTfile format; M CHG lines replace them all.
_CHARGE_CODES = {1: 3, 2: 2, 3: 1, 5: -1, 6: -2, 7: -3}


@dataclass(frozen=True)
class _Table:
    atoms: list[tuple[str, tuple[float, float, float], int]]
    bonds: list[tuple[int, int, str]]


def records(data: bytes) -> Iterator[bytes]:
    """Each record of an SDF file, as bytes of its own."""
    for record in re.split(rb"^\$\$\$\$[^\n]*\n?", data, flags=re.MULTILINE):
        if record.strip():
            yield record


def read_sdf(data: bytes, name: str) -> Structure:
    """First record of an SDF file.

    Raises InputError naming line and atom: code ``bad_coordinates``, ``bad_record`` or ``no_atoms``.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    if len(lines) < 4:
        raise InputError(f"{name}: {len(lines)} lines, an SDF record has at least 4", code="bad_record")
    table = (_v3000 if lines[3][34:39] == "V3000" else _v2000)(lines, name)
    keep = [index for index, atom in enumerate(table.atoms) if atomic_number(atom[0])]
    if not keep:
        raise InputError(f"{name}: the SDF record has no atoms", code="no_atoms")
    place = {old: new for new, old in enumerate(keep)}
    bonds: dict[tuple[int, int], str] = {}
    for a, b, order in table.bonds:
        if a in place and b in place:
            bonds.setdefault((min(place[a], place[b]), max(place[a], place[b])), order)
    atoms = [table.atoms[index] for index in keep]
    n = len(atoms)
    several = sum(line.startswith("$$$$") for line in lines) > 1
    return Structure(
        name=name,
        format="sdf",
        digest=sha256(data).hexdigest(),
        coordinates=np.array([atom[1] for atom in atoms], dtype=np.float64),
        elements=np.array([atomic_number(atom[0]) for atom in atoms], dtype=np.int64),
        atom_names=_names([SYMBOLS[atomic_number(atom[0])] for atom in atoms]),
        alt_locs=("",) * n,
        occupancies=np.ones(n),
        serials=np.array(keep, dtype=np.int64) + 1,
        formal_charges=np.array([atom[2] for atom in atoms], dtype=np.int64),
        hetero=np.ones(n, dtype=np.bool_),
        residue_of=np.zeros(n, dtype=np.int64),
        residue_names=("UNL",),
        chains=("",),
        residue_numbers=np.ones(1, dtype=np.int64),
        insertion_codes=("",),
        bonds=np.array(list(bonds), dtype=np.int64).reshape(-1, 2),
        bond_orders=tuple(bonds.values()),
        warnings=(("several_molecules", f"{name}: only the first record of the file was read"),) if several else (),
    )


def _names(symbols: list[str]) -> tuple[str, ...]:
    count: Counter[str] = Counter()
    names = []
    for symbol in symbols:
        count[symbol] += 1
        names.append(f"{symbol}{count[symbol]}")
    return tuple(names)


def _v2000(lines: list[str], name: str) -> _Table:
    n, b = (_count(lines[3][start : start + 3], name, 4) for start in (0, 3))
    if len(lines) < 4 + n + b:
        raise InputError(f"{name}: line 4 promises {n} atoms and {b} bonds, the file ends before", code="bad_record")
    atoms = [_v2000_atom(lines[4 + row], 5 + row, name) for row in range(n)]
    bonds = []
    for row in range(4 + n, 4 + n + b):
        bonds.append(_bond((lines[row][0:3], lines[row][3:6], lines[row][6:9]), n, row + 1, name))
    return _Table(_charged(atoms, lines[4 + n + b :]), bonds)


def _v2000_atom(line: str, number: int, name: str) -> tuple[str, tuple[float, float, float], int]:
    symbol = line[31:34].strip()
    place = _place([line[0:10], line[10:20], line[20:30]], symbol, number, name)
    code = line[36:39].strip()
    return symbol, place, _CHARGE_CODES.get(int(code), 0) if code.isdecimal() else 0


def _charged(
    atoms: list[tuple[str, tuple[float, float, float], int]], properties: list[str]
) -> list[tuple[str, tuple[float, float, float], int]]:
    charges: dict[int, int] = {}
    found = False
    for line in properties:
        if line.startswith(("M  END", "$$$$")):
            break
        if line.startswith("M  CHG"):
            found = True
            words = list(map(int, line[9:].split()))
            charges.update(zip(words[::2], words[1::2], strict=False))
    if not found:
        return atoms
    return [(symbol, place, charges.get(index, 0)) for index, (symbol, place, _) in enumerate(atoms, 1)]


def _v3000(lines: list[str], name: str) -> _Table:
    atoms: list[tuple[str, tuple[float, float, float], int]] = []
    bonds: list[tuple[int, int, str]] = []
    place: dict[str, int] = {}
    block = ""
    for number, line in _v3000_lines(lines):
        words = line.split()
        if words[:1] == ["BEGIN"]:
            block = words[1]
        elif words[:1] == ["END"]:
            if words[1] == "CTAB":
                break
            block = ""
        elif block == "ATOM":
            if len(words) < 6:
                raise InputError(f"{name}: line {number}: a V3000 atom needs id, type, x, y, z, map", code="bad_record")
            place[words[0]] = len(atoms) + 1
            charge = next((int(word[4:]) for word in words[6:] if word.startswith("CHG=")), 0)
            atoms.append((words[1], _place(words[2:5], words[1], number, name), charge))
        elif block == "BOND":
            first, second = (str(place.get(word, 0)) for word in (*words[2:4], "", "")[:2])
            bonds.append(_bond((first, second, "".join(words[1:2])), len(atoms), number, name))
    return _Table(atoms, bonds)


def _v3000_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Content of the ``M  V30`` lines, those that end in a hyphen joined to the next."""
    held = ""
    for number, line in enumerate(lines, 1):
        if line.startswith("M  V30 "):
            text = held + line[7:]
            if text.endswith("-"):
                held = text[:-1]
            else:
                held = ""
                yield number, text


def _count(text: str, name: str, line: int) -> int:
    if not text.strip().isdecimal():
        raise InputError(f"{name}: line {line}: {text!r} where an SDF count was expected", code="bad_record")
    return int(text)


def _place(words: list[str], symbol: str, line: int, name: str) -> tuple[float, float, float]:
    try:
        x, y, z = map(float, words)
    except ValueError:
        x = y = z = np.nan
    if not np.isfinite([x, y, z]).all():
        raise InputError(
            f"{name}: line {line}: atom {symbol} has coordinates {' '.join(words)}, expected three finite numbers",
            code="bad_coordinates",
        )
    return x, y, z


def _bond(words: tuple[str, str, str], n: int, line: int, name: str) -> tuple[int, int, str]:
    ends = tuple(int(word) if word.strip().isdecimal() else 0 for word in words[:2])
    if not all(1 <= end <= n for end in ends):
        raise InputError(f"{name}: line {line}: a bond between two of the {n} atoms was expected", code="bad_record")
    order = words[2].strip()
    return ends[0] - 1, ends[1] - 1, "ar" if order == "4" else order

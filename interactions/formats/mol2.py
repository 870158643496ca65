"""Tripos mol2: names, bonds and coordinates exactly as in the file, no sanitising.

Residues, chains and numbers by the rules of chimerax's mol2 reader: one residue per SUBSTRUCTURE line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from math import isfinite, nan

import numpy as np

from interactions.chemistry.elements import atomic_number
from interactions.errors import InputError
from interactions.structure import Structure

MOLECULE = "@<TRIPOS>MOLECULE"


_Line = tuple[int, list[str]]  # number of a line and its words


def records(data: bytes) -> Iterator[bytes]:
    """Each molecule of a mol2 file, as bytes of its own."""
    starts = [match.start() for match in re.finditer(rb"^@<TRIPOS>MOLECULE", data, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        yield data[start:end]


def read_mol2(data: bytes, name: str) -> Structure:
    """First molecule of a mol2 file.

    Raises InputError naming line and atom: code ``bad_coordinates``, ``bad_record`` or ``no_atoms``.
    """
    sections, several = _sections(data, name)
    atoms = [_atom(*line, name) for line in sections.get("ATOM", ())]
    if not atoms:
        raise InputError(f"{name}: the mol2 molecule has no atoms", code="no_atoms")
    position = {atom[0]: index for index, atom in enumerate(atoms)}
    bonds = [_bond(*line, position, name) for line in sections.get("BOND", ())]
    residues, residue_of = _residues(sections.get("SUBSTRUCTURE", []), [atom[4] for atom in atoms])
    n = len(atoms)
    return Structure(
        name=name,
        format="mol2",
        digest=sha256(data).hexdigest(),
        coordinates=np.array([atom[2] for atom in atoms], dtype=np.float64),
        elements=np.array([_element(atom[3]) for atom in atoms], dtype=np.int64),
        atom_names=tuple(atom[1] for atom in atoms),
        alt_locs=("",) * n,
        occupancies=np.ones(n),
        serials=np.array([_integer(atom[0]) for atom in atoms], dtype=np.int64),
        formal_charges=np.zeros(n, dtype=np.int64),
        hetero=np.ones(n, dtype=np.bool_),
        residue_of=np.array(residue_of, dtype=np.int64),
        residue_names=tuple(residue[0] for residue in residues),
        chains=tuple(residue[1] for residue in residues),
        residue_numbers=np.array([residue[2] for residue in residues], dtype=np.int64),
        insertion_codes=("",) * len(residues),
        bonds=np.array([bond[:2] for bond in bonds], dtype=np.int64).reshape(-1, 2),
        bond_orders=tuple(bond[2] for bond in bonds),
        warnings=(("several_molecules", f"{name}: only the first molecule of the file was read"),) if several else (),
    )


def _sections(data: bytes, name: str) -> tuple[dict[str, list[_Line]], bool]:
    lines = data.decode("utf-8", "replace").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(MOLECULE)]
    if not starts:
        raise InputError(f"{name}: no {MOLECULE} line in a mol2 file", code="bad_record")
    end = starts[1] if len(starts) > 1 else len(lines)
    counts = lines[starts[0] + 2].split() if starts[0] + 2 < end else []
    sections: dict[str, list[_Line]] = {}
    current: list[_Line] = []
    for number in range(starts[0] + 1, end):
        line = lines[number]
        words = line.split()
        if words and line[0] == "@" and line.startswith("@<TRIPOS>"):
            current = sections.setdefault(line[9:].strip(), [])
        elif words and line[0] != "#":
            current.append((number + 1, words))
    for section, count in zip(("ATOM", "BOND", "SUBSTRUCTURE"), map(_integer, counts), strict=False):
        found = len(sections.get(section, ()))
        if 0 <= count < found:
            del sections[section][count:]
        elif count > found and section != "SUBSTRUCTURE":
            raise InputError(
                f"{name}: line {starts[0] + 3} promises {count} lines in {section}, the file has {found}",
                code="bad_record",
            )
    return sections, len(starts) > 1


def _atom(number: int, words: list[str], name: str) -> tuple[str, str, tuple[float, float, float], str, str]:
    if len(words) < 6:
        raise InputError(f"{name}: line {number}: a mol2 atom needs id, name, x, y, z and type", code="bad_record")
    identifier, atom_name, x, y, z, kind = words[:6]
    try:
        place = (float(x), float(y), float(z))
    except ValueError:
        place = (nan, nan, nan)
    if not (isfinite(place[0]) and isfinite(place[1]) and isfinite(place[2])):
        raise InputError(
            f"{name}: line {number}: atom {atom_name} has coordinates {x} {y} {z}, expected three finite numbers",
            code="bad_coordinates",
        )
    return identifier, atom_name, place, kind, words[6] if len(words) > 6 else ""


def _bond(number: int, words: list[str], position: dict[str, int], name: str) -> tuple[int, int, str]:
    if len(words) < 3 or words[1] not in position or words[2] not in position:
        raise InputError(
            f"{name}: line {number}: a mol2 bond needs two ids of atoms of the file, got {words[1:3]}",
            code="bad_record",
        )
    return position[words[1]], position[words[2]], words[3].lower() if len(words) > 3 else "un"


@lru_cache(maxsize=4096)
def _element(kind: str) -> int:
    symbol, dot, _ = kind.partition(".")
    if not dot and len(symbol) >= 2 and symbol.islower():
        symbol = symbol[0]
    return 0 if symbol == "Du" else atomic_number(symbol)


def _integer(text: str) -> int:
    return int(text) if text.lstrip("-").isdecimal() else -1


def _residues(lines: list[_Line], ids: list[str]) -> tuple[list[tuple[str, str, int]], list[int]]:
    """Name, chain and number of each residue, and the residue of each atom."""
    known = {words[0]: _residue(words) for _, words in lines if len(words) >= 2}
    place = {identifier: index for index, identifier in enumerate(known)}
    for identifier in ids:
        if identifier not in place:
            place[identifier] = len(place)
            known[identifier] = ("UNL", "", _integer(identifier) if identifier else 1)
    used = sorted({place[identifier] for identifier in ids})
    packed = {old: new for new, old in enumerate(used)}
    residues = list(known.values())
    return [residues[index] for index in used], [packed[place[identifier]] for identifier in ids]


def _residue(words: list[str]) -> tuple[str, str, int]:
    number, name = _integer(words[0]), words[1]
    chain = words[5] if len(words) > 5 and words[5] != "****" else ""
    sub_type = words[6] if len(words) > 6 else ""
    if sub_type and sub_type != "****" and sub_type in name:
        rest = name.removeprefix(sub_type)
        if name.startswith(sub_type) and rest.isdecimal():
            number = int(rest)
        name = sub_type
    return name, chain, number

"""Which atoms are the ligand: by a selector, or the one candidate of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.residue_kinds import LINK_ATOMS, kind_of
from interactions.errors import LigandError
from interactions.structure import Structure

Mask = NDArray[np.bool_]

_STRETCH = re.compile(r"(?P<chain>[^:/,]*)/(?:(?P<first>-?\d+[A-Za-z]?)(?:-(?P<last>-?\d+[A-Za-z]?))?)?")
_NUMBER = re.compile(r"(-?\d+)([A-Za-z]?)")


@dataclass(frozen=True)
class LigandChoice:
    """One residue that may be the ligand."""

    residue_name: str
    chain: str
    residue_number: int
    insertion_code: str
    atoms: int

    @property
    def selector(self) -> str:
        return f"{self.residue_name}:{self.chain}:{self.residue_number}{self.insertion_code}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "selector": self.selector,
            "residue_name": self.residue_name,
            "chain": self.chain,
            "residue_number": self.residue_number,
            "insertion_code": self.insertion_code,
            "atoms": self.atoms,
        }


@cache
def names_in(list_name: str) -> frozenset[str]:
    """Component names of a committed list: ``solvents``, ``ions`` or ``additives``."""
    text = (files("interactions.chemistry") / f"{list_name}.txt").read_text("utf-8")
    return frozenset(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


def is_solvent(name: str) -> bool:
    return name in names_in("solvents")


def choice_of(structure: Structure, residue: int) -> LigandChoice:
    return LigandChoice(
        structure.residue_names[residue],
        structure.chains[residue],
        int(structure.residue_numbers[residue]),
        structure.insertion_codes[residue],
        len(structure.residue_atoms[residue]),
    )


def candidates(structure: Structure) -> list[LigandChoice]:
    """Residues that are no solvent, ion, additive or member of a polymer, in file order."""
    return [choice_of(structure, residue) for residue in _candidate_residues(structure)]


def _candidate_residues(structure: Structure) -> list[int]:
    passed_over = names_in("solvents") | names_in("ions") | names_in("additives")
    polymer = polymer_residues(structure)
    return [
        residue
        for residue, name in enumerate(structure.residue_names)
        if name not in passed_over and residue not in polymer
    ]


def polymer_residues(structure: Structure) -> frozenset[int]:
    """Residues linked to another by a peptide or phosphodiester bond, or cut off from one by missing structure.

    A residue without a standard name is a member only if linked on both sides: at the end of a chain it may be
    a ligand that is bound to it.
    """
    home = structure.residue_of
    links = np.concatenate([structure.bonds, structure.missing_links])
    crossing = links[home[links[:, 0]] != home[links[:, 1]]]
    sides: dict[int, set[str]] = {}
    for a, b in crossing.tolist():
        names = structure.atom_names[a], structure.atom_names[b]
        kind = {frozenset("CN"): "amino", frozenset(("O3'", "P")): "nucleic"}.get(frozenset(names), "")
        residues = (int(home[a]), int(home[b]))
        if kind and all(_is_kind(structure, residue, kind) for residue in residues):
            for residue, name in zip(residues, names, strict=True):
                sides.setdefault(residue, set()).add(name)
    return frozenset(
        residue for residue, found in sides.items() if len(found) > 1 or kind_of(structure.residue_names[residue])
    )


def _is_kind(structure: Structure, residue: int, kind: str) -> bool:
    """By name, or by having the atoms that link."""
    named = kind_of(structure.residue_names[residue])
    if named:
        return named == kind
    names = {structure.atom_names[a] for a in structure.residue_atoms[residue]}
    return set(LINK_ATOMS[kind]) - {"P"} <= names


def choose(structure: Structure, selector: str | None) -> Mask:
    """Atoms of the ligand, shape (n,).

    Raises LigandError: ``no_ligand``, ``ambiguous_ligand`` or ``unknown_ligand``; each lists the candidates.
    """
    residues = _only_candidate(structure) if selector is None else _selected(structure, selector)
    return np.isin(structure.residue_of, residues)


def _only_candidate(structure: Structure) -> list[int]:
    found = _candidate_residues(structure)
    if not found:
        raise LigandError(
            f"{structure.name}: no ligand: every residue is polymer, solvent, ion or crystallisation additive; "
            "name one by a selector RES:CHAIN:NUM",
            code="no_ligand",
        )
    if len(found) > 1:
        raise LigandError(
            f"{structure.name}: {len(found)} possible ligands, choose one: {_listed(structure, found)}",
            code="ambiguous_ligand",
        )
    return found


def _listed(structure: Structure, residues: Sequence[int], most: int = 20) -> str:
    shown = [choice_of(structure, residue).selector for residue in residues[:most]]
    return ", ".join(shown) + (f" and {len(residues) - most} more" if len(residues) > most else "")


def _selected(structure: Structure, selector: str) -> list[int]:
    found: list[int] = []
    for part in selector.split(","):
        residues = _part(structure, part.strip())
        if not residues:
            known = _listed(structure, _candidate_residues(structure)) or "none"
            raise LigandError(
                f"{structure.name}: no residue answers the ligand selector {part.strip()!r}; candidates: {known}",
                code="unknown_ligand",
            )
        found += residues
    return sorted(set(found))


def _part(structure: Structure, part: str) -> list[int]:
    stretch = _STRETCH.fullmatch(part)
    if stretch is not None:
        return _stretch(structure, stretch)
    name, _, place = part.partition(":")
    chain, _, number = place.partition(":")
    exact = part.count(":") >= 2
    residues = [
        residue
        for residue, found in enumerate(structure.residue_names)
        if found == name.upper()
        and (":" not in part or structure.chains[residue] == chain)
        and (not exact or _number(structure, residue) == number.upper())
    ]
    if len(residues) > 1:
        raise LigandError(
            f"{structure.name}: the ligand selector {part!r} answers {len(residues)} residues, choose one: "
            f"{_listed(structure, residues)}",
            code="ambiguous_ligand",
        )
    return residues


def _number(structure: Structure, residue: int) -> str:
    return f"{structure.residue_numbers[residue]}{structure.insertion_codes[residue]}".upper()


def _stretch(structure: Structure, stretch: re.Match[str]) -> list[int]:
    """Residues of a chain but its solvent, from a first to a last number."""
    first, last = (_place(stretch[end]) for end in ("first", "last"))
    return [
        residue
        for residue, chain in enumerate(structure.chains)
        if chain == stretch["chain"]
        and not is_solvent(structure.residue_names[residue])
        and _between(
            (int(structure.residue_numbers[residue]), structure.insertion_codes[residue]), first, last or first
        )
    ]


def _place(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    match = _NUMBER.fullmatch(text)
    return None if match is None else (int(match[1]), match[2].upper())


def _between(place: tuple[int, str], first: tuple[int, str] | None, last: tuple[int, str] | None) -> bool:
    return (first is None or place >= first) and (last is None or place <= last)

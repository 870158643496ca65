"""Atoms and bonds of a ligand as its file gives them, before bond orders are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.valences import HALOGENS
from interactions.errors import ChemistryError
from interactions.structure import Structure

Warning_ = tuple[str, str]

_LONGEST_HYDROGEN = 1.7  # Å, S–H and P–H are shorter
_SAME_PLACE = 0.3  # Å, hydrogens of one atom are 1.5 Å apart


@dataclass(frozen=True)
class Frame:
    """The ligand's atoms (indices of the structure, ascending) and bonds between them, by place in ``atoms``.

    ``words`` holds the file's own bond orders, "" where it gives none; ``outside`` the number of bonds of each
    atom to atoms that are not the ligand's (metals aside). Hydrogens without a bond, and atoms that are no element,
    are left out and named in ``warnings``.
    """

    structure: Structure
    atoms: tuple[int, ...]
    elements: tuple[int, ...]
    bonds: tuple[tuple[int, int], ...]
    words: tuple[str, ...]
    outside: tuple[int, ...]
    warnings: tuple[Warning_, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.structure.atom_names[a] for a in self.atoms)

    @cached_property
    def places(self) -> list[list[float]]:
        rows: list[list[float]] = self.structure.coordinates[list(self.atoms)].tolist()
        return rows

    @cached_property
    def hydrogens(self) -> str:
        """``all`` where a carbon has its hydrogens, ``polar`` where only others have, ``none``."""
        carriers = {self.elements[a] for bond in self.bonds for a, b in (bond, bond[::-1]) if self.elements[b] == 1}
        return "all" if 6 in carriers else "polar" if carriers else "none"

    @cached_property
    def hydrogen_counts(self) -> list[int]:
        counts = [0] * len(self.atoms)
        for a, b in self.bonds:
            counts[a] += self.elements[b] == 1
            counts[b] += self.elements[a] == 1
        return counts

    def metallic(self, bond: tuple[int, int]) -> bool:
        return any(self.elements[end] in METALS for end in bond)

    def metal(self, atom: int) -> bool:
        return self.elements[atom] in METALS

    def length(self, bond: tuple[int, int]) -> float:
        return dist(self.places[bond[0]], self.places[bond[1]])

    def who(self, atom: int) -> str:
        """An atom as messages name it."""
        structure, index = self.structure, self.atoms[atom]
        residue = int(structure.residue_of[index])
        number = f"{structure.residue_numbers[residue]}{structure.insertion_codes[residue]}"
        return f"{structure.name}: atom {index + 1} ({structure.residue_names[residue]} {number} {self.names[atom]})"


def frame_of(structure: Structure, mask: NDArray[np.bool_]) -> Frame:
    """The frame of the atoms that ``mask`` (shape (n,)) marks.

    Raises ChemistryError (code ``no_ligand_atoms``) where no atom is left.
    """
    kept, bonds, warnings = _sort_out(structure, mask)
    if not kept:
        raise ChemistryError(f"{structure.name}: the ligand has no atoms", code="no_ligand_atoms")
    place = {atom: index for index, atom in enumerate(kept)}
    inside = {(place[a], place[b]): word for (a, b), word in bonds.items()}
    for a, b in structure.coordination.tolist():
        if a in place and b in place:
            inside.setdefault((place[a], place[b]), "")
    return Frame(
        structure=structure,
        atoms=tuple(kept),
        elements=tuple(structure.elements[kept].tolist()),
        bonds=tuple(inside),
        words=tuple(inside.values()),
        outside=_outside(structure, mask, place),
        warnings=tuple(warnings),
    )


def _sort_out(
    structure: Structure, mask: NDArray[np.bool_]
) -> tuple[list[int], dict[tuple[int, int], str], list[Warning_]]:
    elements = structure.elements
    known = mask & (elements > 0)
    warnings = []
    if dummies := np.flatnonzero(mask & (elements == 0)).tolist():
        warnings.append(("dummy_atoms", _named(structure, dummies, "left out, no element")))
    chosen = known[structure.bonds].all(axis=1)
    words = structure.bond_orders
    bonds = {
        (a, b): words[row] if words else ""
        for row, (a, b) in zip(np.flatnonzero(chosen).tolist(), structure.bonds[chosen].tolist(), strict=True)
    }
    stray, hydrogen_warnings = _check_hydrogens(structure, np.flatnonzero(known & (elements == 1)).tolist(), bonds)
    kept = [atom for atom in np.flatnonzero(known).tolist() if atom not in stray]
    return kept, bonds, warnings + hydrogen_warnings


def _check_hydrogens(
    structure: Structure, hydrogens: list[int], bonds: dict[tuple[int, int], str]
) -> tuple[set[int], list[Warning_]]:
    """Hydrogens without a bond; of those with several only the shortest is kept, in ``bonds``."""
    held: dict[int, list[tuple[float, tuple[int, int]]]] = {atom: [] for atom in hydrogens}
    places = structure.coordinates
    for a, b in bonds:
        for end in (a, b):
            if end in held:
                held[end].append((dist(places[a].tolist(), places[b].tolist()), (a, b)))
    several = [atom for atom, found in held.items() if len(found) > 1]
    for atom in several:
        for _, bond in sorted(held[atom])[1:]:
            bonds.pop(bond, None)
    stray = [atom for atom, found in held.items() if not any(bond in bonds for _, bond in found)]
    far = [atom for atom, found in held.items() if found and min(found)[0] > _LONGEST_HYDROGEN]
    problems = [
        (several, "hydrogen_bonds_several", "bonded to several atoms, the nearest was taken"),
        (stray, "stray_hydrogens", "left out, a hydrogen without a bond"),
        (far, "far_hydrogens", f"a hydrogen more than {_LONGEST_HYDROGEN} Å from its atom"),
        (_overlapping(structure, held), "overlapping_hydrogens", "a hydrogen at the place of another"),
    ]
    return set(stray), [(code, _named(structure, atoms, what)) for atoms, code, what in problems if atoms]


def _overlapping(structure: Structure, held: dict[int, list[tuple[float, tuple[int, int]]]]) -> list[int]:
    by_carrier: dict[int, list[int]] = {}
    for atom, found in held.items():
        for _, (a, b) in sorted(found)[:1]:
            by_carrier.setdefault(a if b == atom else b, []).append(atom)
    places = structure.coordinates
    return [
        later
        for atoms in by_carrier.values()
        for index, later in enumerate(atoms)
        if any(dist(places[later].tolist(), places[earlier].tolist()) < _SAME_PLACE for earlier in atoms[:index])
    ]


def _named(structure: Structure, atoms: Sequence[int], what: str) -> str:
    names = ", ".join(f"{structure.atom_names[a]} (atom {a + 1})" for a in atoms[:5])
    more = f" and {len(atoms) - 5} more" if len(atoms) > 5 else ""
    return f"{structure.name}: {names}{more}: {what}"


def _outside(structure: Structure, mask: NDArray[np.bool_], place: dict[int, int]) -> tuple[int, ...]:
    counts = [0] * len(place)
    crossing = structure.bonds[mask[structure.bonds].sum(axis=1) == 1]
    for a, b in crossing.tolist():
        inner, outer = (a, b) if mask[a] else (b, a)
        if structure.elements[inner] in HALOGENS:  # a close contact that was taken for a bond
            continue
        if inner in place and not {int(structure.elements[inner]), int(structure.elements[outer])} & METALS:
            counts[place[inner]] += 1
    return tuple(counts)

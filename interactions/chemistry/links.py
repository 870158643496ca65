"""What becomes of bonds once all are made: metal coordination, missing structure (chimerax rules 10.5 D to G)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.draft import Draft
from interactions.structure import Floats, Structure

# A bond this many times longer than the sum of radii, squared, is missing structure.
LONG_SQUARED = 3.0625
_SAME_PLACE = 0.001  # Å², squared distance
FullValence = Callable[[], list[bool]]


def drop_doubtful_links(draft: Draft, any_modres: bool) -> bool:
    """Step D; True where step F is to be done."""
    foreign = any(not residue.standard and not residue.hetero for residue in draft.residues)
    if draft.complete or any_modres or not foreign:
        return True
    for a, b in list(draft.links):
        both = all(draft.residues[draft.residue_of[atom]].standard for atom in (a, b))
        if not both and draft.squared(a, b) > (1.5 * draft.radii(a, b)) ** 2:
            draft.unbond(a, b)
    return any(all(draft.residues[draft.residue_of[atom]].standard for atom in bond) for bond in list(draft.links))


def loosen_metals(draft: Draft, full: FullValence) -> None:
    """Step E: bonds of metals that are coordination become pseudobonds.

    ``full`` tells for each atom whether its IDATM type has as many substituents as directions
    and is neither Npl nor N2+; it is called only where that decides.
    """
    collected: dict[tuple[int, int], None] = {}
    types: list[bool] | None = None
    for metal, element in enumerate(draft.elements):
        if element not in METALS or not draft.neighbours[metal]:
            continue
        home = draft.residue_of[metal]
        names = [draft.names[a] for a in draft.residues[home].atoms]
        if names.count(draft.names[metal]) == 2:
            continue
        foreign = [b for b in draft.neighbours[metal] if draft.residue_of[b] != home]
        rest = [b for b in draft.neighbours[metal] if draft.residue_of[b] == home]
        chosen = list(foreign)
        if len(rest) > 4:
            chosen += rest
        elif len(rest) == 1 and draft.elements[rest[0]] in (1, 6):
            pass
        else:
            if len(rest) == 1 and types is None:
                types = full()
            if not (len(rest) == 1 and types is not None and types[rest[0]]):
                chosen += _coordinated(draft, rest, home)
        for b in chosen:
            collected[(metal, b) if metal < b else (b, metal)] = None
    for a, b in collected:
        draft.unbond(a, b)
        draft.coordination.append((a, b))


def _coordinated(draft: Draft, rest: list[int], home: int) -> list[int]:
    def bound(b: int) -> bool:
        return draft.elements[b] in METALS or any(
            draft.elements[c] not in METALS and draft.residue_of[c] == home for c in draft.neighbours[b]
        )

    found = [b for b in rest if bound(b)]
    left = [b for b in rest if not bound(b)]
    if found and len(left) == 1 and len(draft.neighbours[left[0]]) == 1:
        found.append(left[0])
    return found


def cut_missing_structure(draft: Draft) -> None:
    """Step F: long or misplaced links between residues become missing-structure pseudobonds."""
    for a, b in list(draft.links):
        one, two = draft.residues[draft.residue_of[a]], draft.residues[draft.residue_of[b]]
        if one.chain == two.chain and abs(one.number - two.number) <= 1 and polymeric(draft, a, b):
            continue
        far = draft.squared(a, b) >= LONG_SQUARED * draft.radii(a, b) ** 2
        if far or _is_traced(draft, a, b):
            draft.unbond(a, b)
            draft.missing.append((a, b))


def _is_traced(draft: Draft, a: int, b: int) -> bool:
    """Whether a bond links atoms that stand for their residues; the P of a P-O3' bond does not count."""
    of_sugars = {draft.names[a], draft.names[b]} == {"P", "O3'"}
    return any(is_trace(draft, atom) and not (of_sugars and draft.names[atom] == "P") for atom in (a, b))


def polymeric(draft: Draft, a: int, b: int) -> bool:
    """C with N of amino residues, or O3' with P of nucleic ones; two caps are not."""
    kind = _POLYMER_ENDS.get((draft.names[a], draft.names[b]))
    if kind is None:
        return False
    one, two = (_is_cap(draft, atom, kind) for atom in (a, b))
    return one is not None and two is not None and not (one and two)


_POLYMER_ENDS = {
    pair: kind
    for kind, one, two in (("amino", "C", "N"), ("nucleic", "O3'", "P"), ("nucleic", "O3'", "P1"))
    for pair in ((one, two), (two, one))
}


def _is_cap(draft: Draft, atom: int, kind: str) -> bool | None:
    """Whether the residue of a polymer end of this kind is a cap; None where the atom is no such end."""
    index = draft.residue_of[atom]
    found = draft.residues[index].kind
    if found:
        return False if found == kind else None
    for need, element in (("C", 6), ("CA", 6), ("N", 7)) if kind == "amino" else _NUCLEIC_NEEDS:
        at = draft.find(index, need)
        if at is None:
            return True
        if draft.elements[at] != element:
            return None
    return False


_NUCLEIC_NEEDS = (("C3'", 6), ("C4'", 6), ("C5'", 6), ("O3'", 8), ("O5'", 8))


def is_trace(draft: Draft, atom: int) -> bool:
    """Whether an atom stands for its residue in a trace of the chain."""
    index = draft.residue_of[atom]
    name, size = draft.names[atom], len(draft.residues[index].atoms)

    def has(*needs: str) -> bool:
        return all(draft.find(index, need) is not None for need in needs)

    alpha = draft.find(index, "CA")
    if alpha is not None and draft.elements[alpha] == 6 and (has("N", "C") or size == 1):
        return atom == alpha
    if name == "C4'":
        return has("C3'", "C5'", "O5'")
    return name == "P" and size == 1


def drop_overlaps(draft: Draft, coordinates: Floats) -> None:
    """Step G: no bond between atoms at one place."""
    bonds = draft.bonds()
    gaps = coordinates[bonds[:, 0]] - coordinates[bonds[:, 1]]
    for a, b in bonds[np.einsum("ij,ij->i", gaps, gaps) < _SAME_PLACE].tolist():
        draft.unbond(a, b)


def without_doubles(structure: Structure) -> Structure:
    """Step I: of unbonded atoms of one element at one place only the first stays."""
    alone = np.flatnonzero(np.bincount(structure.bonds.ravel(), minlength=len(structure)) == 0)
    marks = zip(structure.elements[alone].tolist(), map(tuple, structure.coordinates[alone].tolist()), strict=True)
    seen: set[tuple[int, tuple[float, ...]]] = set()
    doubles = []
    for atom, mark in zip(alone.tolist(), marks, strict=True):
        if mark in seen:
            doubles.append(atom)
        seen.add(mark)
    return structure.without(doubles) if doubles else structure

"""Bonds inside residues and between neighbours in a chain, by ChimeraX's rules (10.5 A and C)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

import numpy as np

from interactions.chemistry.bond_radii import BOND_RADII, METALS, TOLERANCE
from interactions.chemistry.draft import Draft, DraftResidue
from interactions.chemistry.residue_kinds import kind_of
from interactions.chemistry.residue_templates import Template, template_of
from interactions.neighbours import within

_LARGE_RESIDUE = 300  # atoms; in larger ones near atoms are looked up
_FARTHEST = (BOND_RADII[1] + max(BOND_RADII) + TOLERANCE + 0.01) ** 2  # Å², no hydrogen is bonded farther away
_UNSURE_REACH = 3.0  # Å, from a chief atom to a first residue that is not standard


def mark_complete(draft: Draft, atoms: Iterable[int]) -> None:
    """Atoms named first in CONECT that are alone, or bonded inside their residue, are complete."""
    for atom in atoms:
        home = draft.residue_of[atom]
        inside = any(draft.residue_of[b] == home for b in draft.neighbours[atom])
        if inside or len(draft.residues[home].atoms) == 1:
            draft.complete.add(atom)


def bond_residues(draft: Draft) -> None:
    """Step C: bonds inside each residue, and its link to the one before."""
    touched = draft.touched_residues()
    previous: int | None = None  # the residue before, where the chain goes on
    for index, residue in enumerate(draft.residues):
        linked = False
        if index in touched:
            linked = previous is not None and _prelinked(draft, index, previous)
            _inside(draft, index)
        else:
            _inside_fresh(draft, index)
        if previous is not None and not linked:
            _link(draft, index, previous)
        elif previous is None and index:
            _attach(draft, index, index - 1)
        previous = None if residue.is_end else index


def _template(residue: DraftResidue) -> Template | None:
    return None if residue.parent is not None else template_of(residue.name, residue.where)


def _prelinked(draft: Draft, index: int, previous: int) -> bool:
    residue = draft.residues[index]
    loose = not residue.standard and residue.parent is None
    for atom in residue.atoms:
        for other in draft.neighbours[atom]:
            home = draft.residue_of[other]
            if home == index or (draft.elements[atom] == 16 and draft.elements[other] == 16):
                continue
            if loose:
                if draft.elements[atom] not in METALS and draft.elements[other] not in METALS:
                    return True
            elif home == previous:
                return True
    return False


def _inside_fresh(draft: Draft, index: int) -> None:
    """Bonds of a residue that CONECT, LINK and SSBOND did not touch."""
    residue = draft.residues[index]
    atoms = residue.atoms
    known = None if residue.parent is not None else draft.names_of(index).plan(residue.name, residue.where)
    if known is None:
        if len(atoms) > 1:
            distance_pass(draft, atoms, set())
        return
    draft.bond_by_plan(index, known)
    if known.unlisted or (known.alone and any(draft.elements[atoms[place]] == 1 for place in known.alone)):
        _bond_unlisted(draft, atoms, set(), {atoms[place] for place in known.unlisted})


def _inside(draft: Draft, index: int) -> None:
    residue = draft.residues[index]
    atoms, template = residue.atoms, _template(residue)
    complete = {a for a in atoms if a in draft.complete}
    if template is None:
        distance_pass(draft, atoms, complete)
        return
    unlisted = set()
    for atom in atoms:
        if atom in complete:
            continue
        if draft.names[atom] not in template:
            unlisted.add(atom)
        for name in template.get(draft.names[atom], ()):
            other = draft.find(index, name)
            if other is not None:
                draft.bond(atom, other)
    _bond_unlisted(draft, atoms, complete, unlisted)


def _bond_unlisted(draft: Draft, atoms: range, complete: set[int], unlisted: set[int]) -> None:
    """Bonds by distance of atoms that the template does not list, and of hydrogens still without one."""
    if unlisted:
        draft.places.fetch(atoms)
        listed = {a for a in atoms if a not in unlisted}
        distance_pass(draft, atoms, complete | listed)
    if any(draft.elements[a] == 1 and not draft.neighbours[a] for a in atoms):
        distance_pass(draft, atoms, complete)


def distance_pass(draft: Draft, atoms: Sequence[int], known: set[int]) -> None:
    """Bond atoms of one residue by distance (10.5 C6); ``known`` atoms have their bonds already."""
    near = _near(draft, atoms) if len(atoms) > _LARGE_RESIDUE else None
    heavy = [a for a in atoms if draft.elements[a] != 1]
    for a in atoms:
        if a in known:
            continue
        if draft.elements[a] != 1:
            _bond_heavy(draft, a, atoms if near is None else near[a], known)
        elif not draft.neighbours[a]:
            _bond_hydrogen(draft, a, heavy if near is None else [o for o in near[a] if draft.elements[o] != 1], known)


def _bond_heavy(draft: Draft, a: int, atoms: Sequence[int], known: set[int]) -> None:
    """To all that are close enough, a hydrogen that is bonded already aside."""
    free = [
        o
        for o in atoms
        if (o > a or o in known)
        and o != a
        and o not in draft.neighbours[a]
        and not (draft.elements[o] == 1 and draft.neighbours[o])
    ]
    for o in draft.close_to(a, free):
        draft.bond(a, o)


def _bond_hydrogen(draft: Draft, a: int, heavy: Sequence[int], known: set[int]) -> None:
    """To the nearest heavy atom that is close enough, the last on a tie."""
    places = draft.places
    x, y, z = places[a]
    best, found = _FARTHEST, None
    for o in heavy:
        if o > a or o in known:
            u, v, w = places[o]
            u, v, w = x - u, y - v, z - w
            square = u * u + v * v + w * w
            if square <= best and draft.close(a, o):
                best, found = square, o
    if found is not None:
        draft.bond(a, found)


def _near(draft: Draft, atoms: Sequence[int]) -> dict[int, list[int]]:
    """For each atom those that may be bonded to it, ascending."""
    points = np.array([draft.places[a] for a in atoms])
    longest = max(BOND_RADII[draft.elements[a]] for a in atoms)
    rows, columns, _ = within(points, points, 2 * longest + 2 * TOLERANCE)
    found: dict[int, list[int]] = {a: [] for a in atoms}
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        found[atoms[row]].append(atoms[column])
    return found


def nearest(draft: Draft, a: int, atoms: Iterable[int]) -> int | None:
    """Closest heavy unsaturated atom, the first on a tie; none for a hydrogen."""
    if draft.elements[a] == 1:
        return None
    best, found = inf, None
    for o in atoms:
        if draft.elements[o] != 1 and not draft.saturated(o) and (square := draft.squared(a, o)) < best:
            best, found = square, o
    return found


def nearest_pair(draft: Draft, previous: int, index: int) -> tuple[int, int] | None:
    best, found = inf, None
    for a in draft.residues[previous].atoms:
        if draft.saturated(a):
            continue
        other = nearest(draft, a, draft.residues[index].atoms)
        if other is not None and (square := draft.squared(a, other)) < best:
            best, found = square, (a, other)
    return found


def _bond_nearest_pair(draft: Draft, previous: int, index: int) -> None:
    pair = nearest_pair(draft, previous, index)
    if pair is not None:
        draft.bond(*pair)


def _link(draft: Draft, index: int, previous: int) -> None:
    """Rule C7."""
    residue, before = draft.residues[index], draft.residues[previous]
    kind = residue.kind
    if kind and kind == before.kind:
        tail, head = draft.names_of(previous).ends[kind], draft.names_of(index).ends[kind]
        if tail and head:
            draft.bond(before.atoms[tail[1]], residue.atoms[head[0]])
        else:
            _bond_nearest_pair(draft, previous, index)
        return
    chief = _chief(residue) if _template(residue) is not None else None
    if chief is None:
        _bond_nearest_pair(draft, previous, index)
        return
    sure = previous != 0 or before.standard
    atom = draft.find(index, chief)
    if atom is not None:
        if draft.saturated(atom):
            return
        link = _link_atom(draft, previous)
        if link is not None and _template(before) is not None:
            if not draft.saturated(link):
                draft.bond(link, atom)
            return
        other = nearest(draft, atom, before.atoms)
        if other is not None and (sure or draft.squared(atom, other) <= _UNSURE_REACH**2):
            draft.bond(other, atom)
            return
    if sure:
        _bond_nearest_pair(draft, previous, index)


def _chief(residue: DraftResidue) -> str | None:
    if residue.name == "NME":
        return "N"
    kind = kind_of(residue.name)
    if kind == "amino" and not residue.is_start:
        return "N"
    return "P" if kind == "nucleic" and not (residue.is_end and not residue.is_start) else None


def _link_atom(draft: Draft, previous: int) -> int | None:
    before = draft.residues[previous]
    kind = kind_of(before.name)
    name = "C" if kind == "amino" or before.name == "ACE" else "O3'" if kind == "nucleic" else ""
    return draft.find(previous, name)


def _attach(draft: Draft, index: int, before: int) -> None:
    """C8: a covalent ligand without CONECT."""
    residue = draft.residues[index]
    if len(residue.atoms) < 2 or residue.standard or residue.chain != draft.residues[before].chain:
        return
    if residue.atoms[0] in draft.complete:
        return
    pair = nearest_pair(draft, before, index)
    if pair is not None and draft.close(*pair):
        draft.bond(*pair)

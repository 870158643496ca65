"""One position for each atom with alternate ones: the best of its group of residues (chimerax rule 10.5 H)."""

from __future__ import annotations

from interactions.chemistry.bonds import Draft
from interactions.formats.pdb_records import Atom, Records


def choose_positions(draft: Draft, records: Records) -> list[int]:
    """Index into each atom's positions."""
    letters = [tuple(sorted(p.alt_loc for p in atom.positions if p.alt_loc)) for atom in records.atoms]
    chosen = [len(atom.positions) - 1 for atom in records.atoms]
    if not any(letters):
        return chosen
    groups: dict[int, str] = {}
    order: list[int] = []
    for index, residue in enumerate(records.residues):
        first = next((letters[a] for a in residue.atoms if letters[a]), None)
        if index in groups or first is None:
            continue
        group = _group(draft, records, letters, index, first)
        letter = _best(records, letters, group, first)
        for member in group:
            groups[member] = letter
    order = sorted(groups)
    for index in order:
        _set(draft, records, letters, chosen, index, groups[index], set())
    return chosen


def _group(
    draft: Draft, records: Records, letters: list[tuple[str, ...]], index: int, wanted: tuple[str, ...]
) -> list[int]:
    found, stack = [index], [index]
    while stack:
        for a in records.residues[stack.pop()].atoms:
            if not set(wanted) <= set(letters[a]):
                continue
            for b in draft.neighbours[a]:
                home = draft.residue_of[b]
                if home not in found and letters[b] == wanted:
                    found.append(home)
                    stack.append(home)
    return found


def _best(records: Records, letters: list[tuple[str, ...]], group: list[int], wanted: tuple[str, ...]) -> str:
    sums: dict[str, list[float]] = {letter: [0.0, 0.0, 0.0] for letter in wanted}
    for index in group:
        for a in records.residues[index].atoms:
            for letter in wanted:
                if letter not in letters[a]:
                    break
                position = next(p for p in records.atoms[a].positions if p.alt_loc == letter)
                row = sums[letter]
                row[0] += position.occupancy
                row[1] += position.b_factor
                row[2] += 1
    return min(wanted, key=lambda x: (-sums[x][0] / (sums[x][2] or 1), sums[x][1] / (sums[x][2] or 1), x))


def _set(
    draft: Draft,
    records: Records,
    letters: list[tuple[str, ...]],
    chosen: list[int],
    index: int,
    letter: str,
    seen: set[int],
) -> None:
    seen.add(index)
    for a in records.residues[index].atoms:
        if letter not in letters[a]:
            continue
        chosen[a] = _place(records.atoms[a], letter)
        for b in draft.neighbours[a]:
            home = draft.residue_of[b]
            if home not in seen and letters[b] == letters[a]:
                _set(draft, records, letters, chosen, home, letter, seen)


def _place(atom: Atom, letter: str) -> int:
    return next(index for index, position in enumerate(atom.positions) if position.alt_loc == letter)

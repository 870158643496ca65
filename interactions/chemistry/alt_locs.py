"""One position for each atom with alternate ones: the best of its group of residues (chimerax rule 10.5 H)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interactions.chemistry.draft import Draft

Letters = dict[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Position:
    """One place of an atom, Å."""

    alt_loc: str
    xyz: tuple[float, float, float]
    occupancy: float
    b_factor: float
    serial: int


Alternates = Mapping[int, Sequence[Position]]


def choose_positions(draft: Draft, alternates: Alternates) -> dict[int, Position]:
    """The position of each atom that has an alt loc; ``alternates`` holds theirs in order of reading."""
    if not alternates:
        return {}
    letters: Letters = {a: tuple(sorted(p.alt_loc for p in found)) for a, found in alternates.items()}
    chosen = {a: found[-1] for a, found in alternates.items()}
    wanted: dict[int, str] = {}
    for index, residue in enumerate(draft.residues):
        first = next((letters[a] for a in residue.atoms if a in letters), None)
        if index in wanted or first is None:
            continue
        group = _group(draft, letters, index, first)
        wanted.update(dict.fromkeys(group, _best(draft, alternates, letters, group, first)))
    for index in sorted(wanted):
        _set(draft, alternates, letters, chosen, index, wanted[index])
    return chosen


def _group(draft: Draft, letters: Letters, index: int, wanted: tuple[str, ...]) -> list[int]:
    """Residues bonded through atoms that share the same letters."""
    found = {index: None}
    stack = [index]
    while stack:
        for a in draft.residues[stack.pop()].atoms:
            if not set(wanted) <= set(letters.get(a, ())):
                continue
            for b in draft.neighbours[a]:
                home = draft.residue_of[b]
                if home not in found and letters.get(b) == wanted:
                    found[home] = None
                    stack.append(home)
    return list(found)


def _best(draft: Draft, alternates: Alternates, letters: Letters, group: Sequence[int], wanted: tuple[str, ...]) -> str:
    """Highest mean occupancy, then lowest mean B, then alphabet."""
    positions: dict[str, list[Position]] = {letter: [] for letter in wanted}
    for index in group:
        for a in draft.residues[index].atoms:
            for letter in wanted if a in letters else ():
                if letter not in letters[a]:
                    break
                positions[letter].append(_at(alternates[a], letter))

    def rank(letter: str) -> tuple[float, float, str]:
        found = positions[letter]
        count = len(found) or 1
        return -sum(p.occupancy for p in found) / count, sum(p.b_factor for p in found) / count, letter

    return min(wanted, key=rank)


def _set(
    draft: Draft, alternates: Alternates, letters: Letters, chosen: dict[int, Position], index: int, letter: str
) -> None:
    """Move a residue's atoms to a letter, and those of residues bonded through atoms of the same letters."""
    seen = {index}
    stack = [index]
    while stack:
        for a in draft.residues[stack.pop()].atoms:
            if letter not in letters.get(a, ()):
                continue
            chosen[a] = _at(alternates[a], letter)
            for b in draft.neighbours[a]:
                home = draft.residue_of[b]
                if home not in seen and letters.get(b) == letters[a]:
                    seen.add(home)
                    stack.append(home)


def _at(positions: Sequence[Position], letter: str) -> Position:
    return next(position for position in positions if position.alt_loc == letter)

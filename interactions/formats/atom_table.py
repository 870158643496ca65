"""Atoms of a file as columns, with their alternate positions, on the way to a Structure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.alt_locs import Position
from interactions.chemistry.draft import Draft, DraftResidue, pairs
from interactions.chemistry.links import without_doubles
from interactions.places import Places
from interactions.structure import Floats, Ints, Structure


@dataclass(frozen=True)
class AtomLines:
    """The atom lines of a file, one row each; Å."""

    names: list[str]
    letters: list[str] | None  # alternate location of each, None where no line has one
    coordinates: Floats
    occupancies: Floats
    b_factors: Floats
    serials: Ints

    def position(self, row: int) -> Position:
        x, y, z = self.coordinates[row].tolist()
        letter = self.letters[row] if self.letters else ""
        return Position(
            letter, (x, y, z), float(self.occupancies[row]), float(self.b_factors[row]), int(self.serials[row])
        )


@dataclass(frozen=True)
class Merged:
    """First row of each atom, rows of those with alternate locations, residue of each."""

    rows: Ints
    alternates: dict[int, list[int]]
    residue_of: list[int]


def merge_alternates(lines: AtomLines, residues: Sequence[DraftResidue]) -> Merged:
    """Lines of one atom made one (rule 10.4); the residues' ranges of rows become ranges of atoms."""
    letters = lines.letters
    if letters is None:
        sizes = [len(residue.atoms) for residue in residues]
        return Merged(np.arange(len(lines.names)), {}, np.repeat(np.arange(len(residues)), sizes).tolist())
    kept: list[int] = []
    alternates: dict[int, list[int]] = {}
    residue_of: list[int] = []
    for index, residue in enumerate(residues):
        start, rows = len(kept), residue.atoms
        if any(letters[rows.start : rows.stop]):
            _merge_residue(lines.names, letters, rows, kept, alternates)
        else:
            kept.extend(rows)
        residue.atoms = range(start, len(kept))
        residue_of.extend([index] * len(residue.atoms))
    return Merged(np.array(kept, dtype=np.int64), alternates, residue_of)


def _merge_residue(
    names: list[str], letters: list[str], rows: range, kept: list[int], alternates: dict[int, list[int]]
) -> None:
    """A line with a letter whose name occurred just once so far is another position of that atom."""
    count: Counter[str] = Counter()
    first: dict[str, int] = {}
    for row in rows:
        name = names[row]
        if letters[row] and count[name] == 1:
            atom = first[name]
        else:
            atom = len(kept)
            kept.append(row)
            count[name] += 1
            first.setdefault(name, atom)
        if letters[row]:
            alternates.setdefault(atom, []).append(row)


@dataclass(frozen=True)
class AtomTable:
    """Atoms as columns of length n, each at its last-read position, and alternate positions apart."""

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
    label_chains: tuple[str, ...] = ()
    label_numbers: tuple[str, ...] = ()
    warnings: list[tuple[str, str]] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        lines: AtomLines,
        merged: Merged,
        residues: list[DraftResidue],
        elements: list[int],
        hetero: NDArray[np.bool_],
        charges: Ints,
    ) -> AtomTable:
        """``elements``, ``hetero`` and ``charges`` are those of the merged atoms."""
        last = merged.rows.copy()
        for atom, rows in merged.alternates.items():
            last[atom] = rows[-1]
        return cls(
            names=[lines.names[row] for row in merged.rows.tolist()],
            elements=elements,
            residue_of=merged.residue_of,
            hetero=hetero,
            coordinates=lines.coordinates[last],
            occupancies=lines.occupancies[merged.rows],
            serials=lines.serials[merged.rows],
            charges=charges,
            alternates={atom: [lines.position(row) for row in rows] for atom, rows in merged.alternates.items()},
            residues=residues,
        )

    def labelled(self, chains: Sequence[str], numbers: Sequence[str]) -> AtomTable:
        """With the label identifiers of each residue."""
        return replace(self, label_chains=tuple(chains), label_numbers=tuple(numbers))

    def draft(self) -> Draft:
        return Draft(self.names, self.elements, Places(self.coordinates), self.residue_of, self.residues)

    def structure(
        self,
        draft: Draft,
        chosen: Mapping[int, Position],
        *,
        name: str,
        format: str,
        digest: str,
    ) -> Structure:
        """The structure with the draft's bonds, its atoms at their chosen positions."""
        coordinates, occupancies, serials = self.coordinates.copy(), self.occupancies.copy(), self.serials.copy()
        alt_locs = [""] * len(self.names)
        for atom, position in chosen.items():
            coordinates[atom], occupancies[atom], serials[atom] = position.xyz, position.occupancy, position.serial
            alt_locs[atom] = position.alt_loc
        residues = self.residues
        structure = Structure(
            name=name,
            format=format,
            digest=digest,
            coordinates=coordinates,
            elements=np.array(self.elements, dtype=np.int64),
            atom_names=tuple(self.names),
            alt_locs=tuple(alt_locs),
            occupancies=occupancies,
            serials=serials,
            formal_charges=self.charges,
            hetero=self.hetero,
            residue_of=np.array(self.residue_of, dtype=np.int64),
            residue_names=tuple([residue.name for residue in residues]),
            chains=tuple([residue.chain for residue in residues]),
            residue_numbers=np.array([residue.number for residue in residues], dtype=np.int64),
            insertion_codes=tuple([residue.insertion_code for residue in residues]),
            bonds=draft.bonds(),
            missing_links=pairs(draft.missing),
            coordination=pairs(draft.coordination),
            label_chains=self.label_chains,
            label_numbers=self.label_numbers,
            warnings=tuple(self.warnings),
        )
        return without_doubles(structure)

"""Residues of a PDB file, and where chains start and end (chimerax rules 10.2 and 10.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from interactions.chemistry.draft import DraftResidue
from interactions.chemistry.residue_kinds import STANDARD

Key = tuple[str, int, str]


@dataclass(slots=True)
class Stretch:
    """Consecutive atom lines of one chain, number and name; ``names`` are those of their atoms."""

    name: str
    chain: str
    prefix: str  # a letter in column 21, which may belong to the chain
    number: int
    insertion_code: str
    hetero: bool
    first: int
    last: int
    after_ter: bool
    has_oxt: bool

    @property
    def key(self) -> Key:
        return self.chain, self.number, self.insertion_code


class ResidueReader:
    """Takes stretches in order; residues, starts and ends come out."""

    def __init__(self, modres: Mapping[Key, str], scop: bool) -> None:
        self.residues: list[DraftResidue] = []
        self.modres, self.scop = modres, scop
        self._stretch: Stretch | None = None
        self._prefixes: list[str] = []
        self._pending = True
        self._het_break = self._ter_het = False
        self._starts: list[int] = []
        self._ends: list[int] = []

    def feed(self, new: Stretch) -> None:
        before = self._stretch
        if new.after_ter or (before is not None and before.chain != new.chain):
            self._pending = True
            self._het_break = before is not None and before.chain == new.chain
            self._ter_het = new.hetero
        if before is not None and before.key == new.key and self._continues(before, new):
            residue = self.residues[-1]
            residue.atoms = range(residue.atoms[0], new.last)
            before.has_oxt |= new.has_oxt
            return
        self._new_residue(new, before)
        self._stretch = new

    @staticmethod
    def _continues(before: Stretch, new: Stretch) -> bool:
        """A HETATM line of another name stays in a standard residue."""
        return before.name == new.name or (new.hetero and before.name in STANDARD)

    def _new_residue(self, new: Stretch, before: Stretch | None) -> None:
        index = len(self.residues)
        parent = self.modres.get(new.key) if self.modres else None
        self.residues.append(
            DraftResidue(
                new.name,
                new.chain,
                new.number,
                range(new.first, new.last),
                new.hetero,
                parent=parent,
                insertion_code=new.insertion_code,
            )
        )
        self._prefixes.append(new.prefix)
        restarts = before is not None and new.number < before.number and before.has_oxt
        foreign = new.hetero and (self._het_break or (parent is None and not self.scop))
        if self._pending or foreign or restarts or (not new.hetero and self._ter_het):
            self._starts.append(index)
            if before is not None:
                self._ends.append(index - 1)
            self._pending = False
        elif not new.hetero and new.chain and before is not None:
            self._rejoin(new, before)
        if not new.hetero:
            self._ter_het = False

    def _rejoin(self, new: Stretch, before: Stretch) -> None:
        """A chain whose modified residues are HETATM is one chain all the same."""
        if before.name in STANDARD or before.key in self.modres:
            return
        while self._starts and self._ends:
            start, end = self.residues[self._starts[-1]], self.residues[self._ends[-1]]
            if start.chain != new.chain or start.standard or end.chain != new.chain:
                return
            self._starts.pop()
            self._ends.pop()

    def finish(self) -> list[DraftResidue]:
        self._ends.append(len(self.residues) - 1)
        for index in self._starts:
            self.residues[index].is_start = True
        for index in self._ends:
            self.residues[index].is_end = True
        self._name_long_chains()
        return self.residues

    def _name_long_chains(self) -> None:
        """One letter in column 21 all along a chain belongs to the chain's name, else to the residues' (10.1.4)."""
        bounds = [*sorted(set(self._starts) | {0}), len(self.residues)]
        for first, last in pairwise(bounds):
            letters = set(self._prefixes[first:last])
            whole = len(letters) == 1 and last - first > 1
            for index in range(first, last):
                prefix, residue = self._prefixes[index], self.residues[index]
                if prefix and whole:
                    residue.chain = prefix + residue.chain
                elif prefix:
                    residue.name += prefix

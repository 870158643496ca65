"""Residues of a PDB file, and where chains start and end (chimerax rules 10.2 and 10.3)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from interactions.chemistry.draft import DraftResidue, Key


class ResidueReader:
    """Takes stretches of atom lines of one chain, number and name in order; residues, starts and ends come out."""

    def __init__(self, modres: Mapping[Key, str], scop: bool) -> None:
        self.residues: list[DraftResidue] = []
        self.modres, self.scop = modres, scop
        self._prefixes: list[str] = []
        self._pending = True
        self._het_break = self._ter_het = self._has_oxt = False
        self._starts: list[int] = []
        self._ends: list[int] = []

    def feed(self, new: DraftResidue, prefix: str, *, after_ter: bool, has_oxt: bool) -> None:
        """``prefix``: a letter in column 21, which may belong to the chain."""
        before = self.residues[-1] if self.residues else None
        if after_ter or (before is not None and before.chain != new.chain):
            self._pending = True
            self._het_break = before is not None and before.chain == new.chain
            self._ter_het = new.hetero
        if before is not None and before.number == new.number and self._continues(before, new):
            before.atoms = range(before.atoms.start, new.atoms.stop)
            self._has_oxt |= has_oxt
            return
        self._add(new, before)
        self._prefixes.append(prefix)
        self._has_oxt = has_oxt

    @staticmethod
    def _continues(before: DraftResidue, new: DraftResidue) -> bool:
        """A HETATM line of another name stays in a standard residue."""
        named = before.name == new.name or (new.hetero and before.standard)
        return named and before.key == new.key

    def _add(self, new: DraftResidue, before: DraftResidue | None) -> None:
        index = len(self.residues)
        self.residues.append(new)
        new.parent = self.modres.get(new.key) if self.modres else None
        restarts = before is not None and new.number < before.number and self._has_oxt
        foreign = new.hetero and (self._het_break or (new.parent is None and not self.scop))
        if self._pending or foreign or restarts or (not new.hetero and self._ter_het):
            self._starts.append(index)
            if before is not None:
                self._ends.append(index - 1)
            self._pending = False
        elif not new.hetero and new.chain and before is not None:
            self._rejoin(new, before)
        if not new.hetero:
            self._ter_het = False

    def _rejoin(self, new: DraftResidue, before: DraftResidue) -> None:
        """A chain whose modified residues are HETATM is one chain all the same."""
        if before.standard or before.key in self.modres:
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

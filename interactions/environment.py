"""Environment: what all detectors look up of one complex, each fact once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from interactions.chemistry.hydrogens import NONE, Hydrogens, hydrogens_of
from interactions.chemistry.ligand_chemistry import LigandChemistry, ligand_chemistry
from interactions.complex import Complex
from interactions.contact import Atom
from interactions.criteria import Profile
from interactions.errors import ChemistryError
from interactions.ligands import is_solvent
from interactions.neighbours import Floats, nearest
from interactions.points import Point
from interactions.surroundings import Surroundings

__all__ = ["Atom", "Environment"]

# Å: no contact spans more; a water bridge has two steps.
HORIZON = 8.6
RING_NITROGENS = frozenset({"ND1", "NE2"})


class Environment:
    """A complex with caches. Receptor atoms are those of residues near the ligand."""

    def __init__(
        self, complex_: Complex, *, place: bool = True, told: frozenset[tuple[int, int]] = frozenset()
    ) -> None:
        """``place``: hydrogens that the file lacks are placed; else nothing but given ones is known.
        ``told``: histidines (model, residue) whose tautomer is taken from their types, hydrogens or not."""
        self.complex = complex_
        self.place_hydrogens = place
        self.told = told
        self.models = [Surroundings(chemistry) for chemistry in complex_.models]
        self._heavy: dict[Atom, list[Atom]] = {}
        self._hydrogens: dict[Atom, Hydrogens] = {}
        self.ligand_warnings: list[tuple[str, str]] = []
        self.memo: dict[tuple[str, bool], Any] = {}
        self.searches: dict[Profile, Any] = {}

    def place(self, atom: Atom) -> Point:
        return self.models[atom[0]].places[atom[1]]

    def element(self, atom: Atom) -> int:
        return self.models[atom[0]].elements[atom[1]]

    def kind(self, atom: Atom) -> str:
        """IDATM type."""
        return self.models[atom[0]].types[atom[1]]

    def kinds(self, atom: Atom) -> tuple[str, ...]:
        """IDATM types that an atom may have: both of a ring nitrogen of a histidine whose tautomer is not told."""
        return ("Npl", "N2") if self.is_open_histidine(atom) else (self.kind(atom),)

    def is_open_histidine(self, atom: Atom) -> bool:
        """A ring nitrogen of a histidine without ring hydrogens in the file."""
        if self.residue_name(atom) != "HIS" or self.atom_name(atom) not in RING_NITROGENS:
            return False
        if self.kind(atom) != "Npl" or self.residue(atom) in self.told:
            return False
        model, residue = self.residue(atom)
        structure = self.complex.models[model].structure
        ring = [a for a in structure.residue_atoms[residue] if structure.atom_names[a] in RING_NITROGENS]
        at = self.models[model]
        return len(ring) == 2 and all(at.types[a] == "Npl" and not self.hydrogens((model, a)).given for a in ring)

    def heavy(self, atom: Atom) -> list[Atom]:
        """Bonded heavy atoms."""
        found = self._heavy.get(atom)
        if found is None:
            found = self._heavy[atom] = [(atom[0], b) for b in self.models[atom[0]].heavy(atom[1])]
        return found

    def is_ligand(self, atom: Atom) -> bool:
        return bool(self.complex.ligand_masks[atom[0]][atom[1]])

    def residue(self, atom: Atom) -> tuple[int, int]:
        return atom[0], self.models[atom[0]].home[atom[1]]

    def residue_name(self, atom: Atom) -> str:
        model, residue = self.residue(atom)
        return self.complex.models[model].structure.residue_names[residue]

    def atom_name(self, atom: Atom) -> str:
        return self.complex.models[atom[0]].structure.atom_names[atom[1]]

    def is_solvent(self, atom: Atom) -> bool:
        return not self.is_ligand(atom) and is_solvent(self.residue_name(atom))

    def hydrogens(self, atom: Atom) -> Hydrogens:
        if atom not in self._hydrogens:
            found = hydrogens_of(self.models[atom[0]], atom[1])
            self._hydrogens[atom] = found if self.place_hydrogens or found.source == "given" else NONE
        return self._hydrogens[atom]

    def rank(self, atom: Atom) -> tuple[bool, int]:
        """Order of atoms in records: receptor before ligand, then file order."""
        return self.is_ligand(atom), atom[1]

    @cached_property
    def atoms(self) -> dict[bool, list[Atom]]:
        """Heavy atoms of the ligand and of the residues near it, in file order, solvent included."""
        return {side: [(m, a) for m, atoms in enumerate(self._near(side)) for a in atoms] for side in (True, False)}

    @cached_property
    def ligand_chemistry(self) -> LigandChemistry | None:
        """Bond orders and charges of the ligand; None where nothing fits. ``ligand_warnings`` then say why."""
        chemistry, mask = self.complex.models[-1], self.complex.ligand_masks[-1]
        try:
            found = ligand_chemistry(chemistry.structure, mask, smiles=self.complex.smiles, types=chemistry.types)
        except ChemistryError as error:
            self.ligand_warnings.append((error.code, error.message))
            return None
        self.ligand_warnings += found.warnings
        return found

    @cached_property
    def ligand_places(self) -> Floats:
        return np.concatenate(
            [c.structure.coordinates[m] for c, m in zip(self.complex.models, self.complex.ligand_masks, strict=True)]
        )

    def _near(self, ligand: bool) -> list[list[int]]:
        found = []
        for chemistry, mask in zip(self.complex.models, self.complex.ligand_masks, strict=True):
            structure = chemistry.structure
            wanted = (mask == ligand) & (structure.elements > 1)
            if not ligand and wanted.any():
                squared = nearest(structure.coordinates, self.ligand_places, HORIZON)
                homes = np.unique(structure.residue_of[np.isfinite(squared) & wanted])
                wanted &= np.isin(structure.residue_of, homes)
            found.append(np.flatnonzero(wanted).tolist())
        return found

    def places(self, atoms: list[Atom]) -> Floats:
        """Coordinates of some atoms, shape (n, 3)."""
        found = np.empty((len(atoms), 3))
        models = np.array([model for model, _ in atoms], dtype=np.int64)
        indices = np.array([index for _, index in atoms], dtype=np.int64)
        for number, chemistry in enumerate(self.complex.models):
            chosen = models == number
            found[chosen] = chemistry.structure.coordinates[indices[chosen]]
        return found

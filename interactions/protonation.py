"""Policies for hydrogens, and all of them before labelling: the receptor's by OpenMM, the ligand's by RDKit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from interactions.chemistry.added_atoms import Added, with_hydrogen_atoms
from interactions.chemistry.idatm import idatm_types
from interactions.chemistry.ligand_chemistry import ligand_chemistry, to_rdkit, with_hydrogens
from interactions.chemistry.openmm_hydrogens import Report, add_hydrogens
from interactions.complex import Chemistry, Complex
from interactions.environment import Environment
from interactions.errors import UnknownName
from interactions.structure import Structure

HYDROGENS = ("placed", "given", "openmm")


@dataclass(frozen=True, eq=False)
class Prepared:
    """A complex ready to be labelled under a hydrogen policy; ``record`` is what provenance says of added ones."""

    complex: Complex
    policy: str
    record: dict[str, Any]

    def environment(self) -> Environment:
        return Environment(self.complex, place=self.policy != "given")


def prepared(complex_: Complex, policy: str) -> Prepared:
    """``placed``: hydrogens of the file, others where geometry or a rotor puts them; ``given``: those of the file
    alone; ``openmm``: the receptor's by OpenMM at pH 7, the ligand's by RDKit, then as ``placed``.

    Raises UnknownName for another policy.
    """
    if policy not in HYDROGENS:
        raise UnknownName("hydrogens", policy, HYDROGENS)
    if policy != "openmm":
        return Prepared(complex_, policy, {})
    full, report = protonated(complex_)
    variants = [f"{residue} {variant}" for residue, variant in report.variants]
    return Prepared(full, policy, {"protonation": {"ph": 7.0, "added": report.added, "variants": variants}})


def protonated(complex_: Complex, *, ph: float = 7.0, seconds: float = 60.0) -> tuple[Complex, Report]:
    """The complex with hydrogens; its own atoms keep places and indices, types are perceived anew.

    Hydrogens of the files stay. Raises ChemistryError where OpenMM fails or takes longer than ``seconds``, or where
    the ligand's chemistry is not to be told.
    """
    structures = [chemistry.structure for chemistry in complex_.models]
    masks = list(complex_.ligand_masks)
    added = _of_ligand(complex_)
    structures[-1] = with_hydrogen_atoms(structures[-1], added)
    masks[-1] = np.append(masks[-1], np.ones(len(added), dtype=np.bool_))
    structures[0], report = add_hydrogens(structures[0], ph=ph, seconds=seconds)
    new = structures[0].bonds[len(structures[0].bonds) - report.added :, 0]
    masks[0] = np.append(masks[0], masks[0][new])
    models = tuple(_perceived(structure) for structure in structures)
    return replace(complex_, models=models, ligand_masks=tuple(masks)), report


def _of_ligand(complex_: Complex) -> list[Added]:
    """Hydrogens that the ligand's chemistry asks for and its file lacks, where RDKit places them."""
    chemistry, mask = complex_.models[-1], complex_.ligand_masks[-1]
    found = ligand_chemistry(chemistry.structure, mask, smiles=complex_.smiles, types=chemistry.types)
    molecule = with_hydrogens(to_rdkit(chemistry.structure, found))
    places = molecule.GetConformer().GetPositions().tolist()
    added = []
    for atom in list(molecule.GetAtoms())[len(found.atoms) :]:
        parent = found.atoms[atom.GetNeighbors()[0].GetIdx()]
        x, y, z = places[atom.GetIdx()]
        added.append((parent, f"H{chemistry.structure.atom_names[parent]}", (x, y, z)))
    return added


def _perceived(structure: Structure) -> Chemistry:
    return Chemistry(structure, idatm_types(structure))

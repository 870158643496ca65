"""Bond orders, aromaticity and charges of a ligand, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.components import component_index, is_placeholder
from interactions.chemistry.elements import SYMBOLS
from interactions.chemistry.idatm import idatm_types
from interactions.chemistry.ligand_frame import Frame, frame_of
from interactions.chemistry.ligand_orders import Sketch, Solved, solve
from interactions.chemistry.ligand_smiles import from_smiles
from interactions.chemistry.ligand_sources import from_components, from_file, from_geometry
from interactions.chemistry.rdkit_molecule import to_rdkit, with_hydrogens
from interactions.errors import ChemistryError
from interactions.structure import Structure

__all__ = ["LigandChemistry", "ligand_chemistry", "to_rdkit", "with_hydrogens"]

Warning_ = tuple[str, str]


@dataclass(frozen=True)
class LigandChemistry:
    """Chemistry of the ligand's atoms, and its ``source``: ``file``, ``smiles``, ``components`` or ``perceived``.

    ``atoms`` are indices of the structure, ascending. ``bonds`` are pairs of places in ``atoms``; ``bond_orders``
    (Kekulé: 1, 2 or 3; 0 is coordination of a metal) and ``aromatic`` (by RDKit's model, whatever the source) have
    their length. Per atom: ``charges``, ``missing_hydrogens`` (those that belong there and are not in the file) and
    ``open_valences`` (bonds to atoms that are not the ligand's). ``warnings`` are pairs of code and message.
    """

    atoms: tuple[int, ...]
    bonds: tuple[tuple[int, int], ...]
    bond_orders: tuple[int, ...]
    aromatic: tuple[bool, ...]
    charges: tuple[int, ...]
    missing_hydrogens: tuple[int, ...]
    open_valences: tuple[int, ...]
    source: str
    warnings: tuple[Warning_, ...] = ()

    @property
    def charge(self) -> int:
        """Net charge."""
        return sum(self.charges)


def ligand_chemistry(
    structure: Structure,
    ligand: NDArray[np.bool_],
    *,
    smiles: str | None = None,
    types: Sequence[str] | None = None,
) -> LigandChemistry:
    """Chemistry of the atoms that ``ligand`` (shape (n,)) marks, from the first of these sources that applies.

    The file's own bond orders (mol2, SDF); ``smiles``, matched on heavy atoms; the component dictionary, where the
    residue name and the heavy atoms match; perception (warning ``bond_orders_perceived``) from explicit hydrogens
    or, without them, from the IDATM ``types`` of all atoms of the structure, which are found where not given.
    Explicit hydrogens decide protonation and charges whatever the source.
    Raises ChemistryError naming the atom: code ``valence``, ``bond_order``, ``bond_orders``, ``smiles_mismatch`` or
    ``bad_smiles``.
    """
    frame = frame_of(structure, ligand)
    source, sketch, warnings = _sketch(frame, smiles, types)
    solved = solve(frame, sketch)
    chemistry = LigandChemistry(
        atoms=frame.atoms,
        bonds=solved.bonds,
        bond_orders=solved.orders,
        aromatic=(False,) * len(solved.bonds),
        charges=solved.charges,
        missing_hydrogens=solved.missing,
        open_valences=frame.outside,
        source=source,
        warnings=(*frame.warnings, *warnings, *_remarks(frame, sketch, solved, source)),
    )
    molecule = to_rdkit(structure, chemistry)
    return replace(chemistry, aromatic=tuple(bond.GetIsAromatic() for bond in molecule.GetBonds()))


def _sketch(frame: Frame, smiles: str | None, types: Sequence[str] | None) -> tuple[str, Sketch, list[Warning_]]:
    if frame.structure.bond_orders:
        return "file", from_file(frame), []
    if smiles is not None:
        return "smiles", from_smiles(frame, smiles), []
    found = _look_up(frame)
    if isinstance(found, Sketch):
        return "components", found, []
    if types is None:
        types = idatm_types(frame.structure)
    elif len(types) != len(frame.structure):
        raise ChemistryError(f"{len(types)} atom types, expected {len(frame.structure)}")
    message = f"{frame.structure.name}: bond orders and charges of the ligand are perceived from its geometry: {found}"
    return "perceived", from_geometry(frame, [types[a] for a in frame.atoms]), [("bond_orders_perceived", message)]


def _look_up(frame: Frame) -> Sketch | str:
    structure = frame.structure
    names = {structure.residue_names[int(structure.residue_of[a])] for a in frame.atoms}
    if unsaid := sorted(name for name in names if is_placeholder(name)):
        return f"the residue name {unsaid[0]!r} is a placeholder"
    index = component_index()
    if index is None:
        return "the component dictionary comes with biotite, which is not installed (extra: bench)"
    return from_components(frame, index)


def _remarks(frame: Frame, sketch: Sketch, solved: Solved, source: str) -> list[Warning_]:
    name = frame.structure.name
    remarks: list[Warning_] = []
    if frame.structure.format == "sdf" and sketch.charges != solved.charges:
        changed = [a for a in range(len(frame.atoms)) if sketch.charges[a] != solved.charges[a]]
        words = ", ".join(f"{frame.names[a]} {sketch.charges[a]:+d} to {solved.charges[a]:+d}" for a in changed[:8])
        remarks.append(("charges_repaired", f"{name}: charges that do not fit the bonds were changed: {words}"))
    if frame.hydrogens != "none" and (lacking := [a for a, count in enumerate(solved.missing) if count]):
        heavy = [frame.names[a] for a in lacking if frame.elements[a] != 6 or frame.hydrogens == "all"]
        if heavy:
            words = ", ".join(heavy[:8])
            remarks.append(("hydrogens_missing", f"{name}: the file lacks hydrogens of {words}"))
    if source != "components" and (metals := [a for a, q in enumerate(solved.charges) if not q and frame.metal(a)]):
        words = ", ".join(frame.names[a] for a in metals)
        remarks.append(("metal_charge_unknown", f"{name}: nothing tells the charge of {words}; 0 was taken"))
    if frame.hydrogens == "none" and source in ("file", "perceived") and any(solved.missing):
        charged = [f"{SYMBOLS[frame.elements[a]]} {frame.names[a]} {q:+d}" for a, q in enumerate(solved.charges) if q]
        words = ", ".join(charged[:8]) or "no charges"
        remarks.append(("protonation_assumed", f"{name}: the ligand has no hydrogens; assumed: {words}"))
    return remarks

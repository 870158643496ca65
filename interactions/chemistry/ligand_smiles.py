"""Sketch of a ligand's bond orders from a SMILES, matched on the heavy atoms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.ligand_frame import Frame
from interactions.chemistry.ligand_orders import Order, Sketch
from interactions.chemistry.ligand_sources import acidic_atoms, filled, limits_of
from interactions.errors import ChemistryError

_MOST_MATCHES = 1000


def from_smiles(frame: Frame, smiles: str) -> Sketch:
    """The orders of a SMILES matched on the heavy atoms, all of them.

    Raises ChemistryError: code ``bad_smiles`` where it cannot be read, ``smiles_mismatch`` where the heavy atoms
    are others or bonded otherwise.
    """
    template = _template(smiles)
    heavy = [a for a, element in enumerate(frame.elements) if element > 1]
    match = _best_match(frame, heavy, template)
    if match is None:
        raise ChemistryError(
            f"{frame.structure.name}: the SMILES has {template.GetNumAtoms()} heavy atoms that do not match the "
            f"ligand's {len(heavy)} and their bonds",
            code="smiles_mismatch",
        )
    orders: dict[tuple[int, int], Order] = {}
    for a, b in frame.bonds:
        if 1 in (frame.elements[a], frame.elements[b]):
            orders[a, b] = 1
        elif frame.metallic((a, b)):
            orders[a, b] = 0
    for bond in template.GetBonds():
        pair = (match[bond.GetBeginAtomIdx()], match[bond.GetEndAtomIdx()])
        orders[pair] = 0 if frame.metallic(pair) else int(bond.GetBondTypeAsDouble())
    charges, lacking = [0] * len(frame.atoms), [0] * len(frame.atoms)
    acidic = acidic_atoms(
        [
            (match[b.GetBeginAtomIdx()], match[b.GetEndAtomIdx()], int(b.GetBondTypeAsDouble()))
            for b in template.GetBonds()
        ],
        dict(enumerate(frame.elements)),
    )
    for atom, place in zip(template.GetAtoms(), match, strict=True):
        charges[place] = atom.GetFormalCharge()
        if filled(frame, frame.elements[place], place in acidic):
            lacking[place] = max(0, atom.GetTotalNumHs() - frame.outside[place] - frame.hydrogen_counts[place])
    bonds = tuple(orders)
    return Sketch(bonds, tuple(orders.values()), tuple(charges), tuple(lacking), {}, limits_of(frame, bonds))


def _template(smiles: str) -> Any:
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        template = Chem.MolFromSmiles(smiles)
    if template is None or not template.GetNumAtoms():
        raise ChemistryError(f"not a SMILES: {smiles!r}", code="bad_smiles")
    Chem.Kekulize(template, clearAromaticFlags=True)
    return template


def _best_match(frame: Frame, heavy: Sequence[int], template: Any) -> list[int] | None:
    """Atoms of the frame in the template's order: hydrogens agree best, then double bonds are shortest."""
    place = {atom: index for index, atom in enumerate(heavy)}
    inside = [bond for bond in frame.bonds if bond[0] in place and bond[1] in place and not frame.metallic(bond)]
    target = _plain([frame.elements[a] for a in heavy], [(place[a], place[b]) for a, b in inside])
    joined = [
        (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), bond.GetBondTypeAsDouble()) for bond in template.GetBonds()
    ]
    elements = [atom.GetAtomicNum() for atom in template.GetAtoms()]
    plain = [(a, b) for a, b, _ in joined if not {elements[a], elements[b]} & METALS]
    if sorted(elements) != sorted(frame.elements[a] for a in heavy) or len(plain) != len(inside):
        return None
    query = _plain(elements, plain)
    hydrogens = [atom.GetTotalNumHs() for atom in template.GetAtoms()]

    def score(match: Sequence[int]) -> tuple[int, float]:
        counts = frame.hydrogen_counts
        wrong = sum(abs(counts[heavy[m]] - wanted) for m, wanted in zip(match, hydrogens, strict=True))
        length = sum((order - 1) * frame.length((heavy[match[a]], heavy[match[b]])) for a, b, order in joined)
        return wrong, round(length, 6)

    matches = target.GetSubstructMatches(query, uniquify=False, maxMatches=_MOST_MATCHES)
    return [heavy[m] for m in min(matches, key=score)] if matches else None


def _plain(elements: Sequence[int], bonds: Sequence[tuple[int, int]]) -> Any:
    """A molecule of elements and single bonds alone."""
    from rdkit import Chem

    molecule = Chem.RWMol()
    for element in elements:
        atom = Chem.Atom(element)
        atom.SetNoImplicit(True)
        molecule.AddAtom(atom)
    for a, b in bonds:
        molecule.AddBond(a, b, Chem.BondType.SINGLE)
    return molecule.GetMol()

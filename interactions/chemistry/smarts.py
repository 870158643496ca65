"""Atoms that a SMARTS pattern of RDKit matches, one residue at a time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from interactions.chemistry.hydrogens import expected_hydrogens
from interactions.chemistry.ligand_chemistry import LigandChemistry
from interactions.chemistry.residue_orders import DOUBLE_BONDS
from interactions.chemistry.typed_orders import Bond, orders_and_charges
from interactions.surroundings import Surroundings

_HYDROGEN, _POLAR = 1, frozenset({7, 8, 16})
# Of a residue's atoms, numbered from 0: elements, bonds (first, second, order), charges, hydrogens not in the file.
Graph = tuple[tuple[int, ...], tuple[tuple[int, int, float], ...], tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=4096)
def matched(graph: Graph, pattern: str) -> frozenset[int]:
    """Atoms of a molecule that are the first atom of a match. Raises InputError (``bad_smarts``)."""
    found = _molecule(graph).GetSubstructMatches(_query(pattern), maxMatches=10_000, uniquify=False)
    return frozenset(int(match[0]) for match in found)


@lru_cache(maxsize=64)
def _query(pattern: str) -> Any:
    from rdkit import Chem, rdBase

    from interactions.errors import InputError

    with rdBase.BlockLogs():
        query = Chem.MolFromSmarts(pattern)
    if query is None:
        raise InputError(f"not a SMARTS pattern: {pattern!r}", code="bad_smarts")
    return query


def _molecule(graph: Graph) -> Any:
    from rdkit import Chem

    kind = Chem.BondType
    kinds = {1.0: kind.SINGLE, 1.5: kind.AROMATIC, 2.0: kind.DOUBLE, 3.0: kind.TRIPLE}
    elements, bonds, charges, hydrogens = graph
    molecule = Chem.RWMol()
    for element, charge, hydrogen in zip(elements, charges, hydrogens, strict=True):
        atom = Chem.Atom(element)
        atom.SetFormalCharge(charge)
        atom.SetNumExplicitHs(hydrogen)
        molecule.AddAtom(atom)
    for first, second, order in bonds:
        molecule.AddBond(first, second, kinds[order])
        if order == 1.5:
            for end in (first, second):
                molecule.GetAtomWithIdx(end).SetIsAromatic(True)
    # A residue with a valence that RDKit does not know still has atoms to match.
    molecule.UpdatePropertyCache(strict=False)
    flags = Chem.SanitizeFlags
    Chem.SanitizeMol(molecule, flags.SANITIZE_ALL ^ flags.SANITIZE_PROPERTIES, catchErrors=True)
    Chem.FastFindRings(molecule)
    return molecule


def matches(at: Surroundings, atom: int, pattern: str, ligand: LigandChemistry | None) -> bool:
    """Whether an atom is the first of a match in its own residue; ``ligand``: the chemistry of a ligand's atom."""
    residue = at.home[atom]
    if residue not in at.graphs:
        at.graphs[residue] = residue_graph(at, residue, ligand)
    graph, atoms = at.graphs[residue]
    return atoms.index(atom) in matched(graph, pattern)


def residue_graph(at: Surroundings, residue: int, ligand: LigandChemistry | None) -> tuple[Graph, tuple[int, ...]]:
    """A residue as a molecule of its own, each cut bond closed by a hydrogen, and its atoms.

    Bond orders of a ligand as its chemistry says, of standard residues by their atom names, of others by IDATM types.
    Polar atoms get the hydrogens that the file lacks, numbered after the atoms.
    """
    structure = at.chemistry.structure
    atoms = tuple(structure.residue_atoms[residue])
    place = {a: i for i, a in enumerate(atoms)}
    orders, charges = _known(ligand, set(atoms)) or _by_names(at, residue) or orders_and_charges(at, residue)
    bonds = [(place[a], place[b], order) for (a, b), order in orders.items()]
    elements = [at.elements[a] for a in atoms]
    for i, a in enumerate(atoms):
        for _ in range(expected_hydrogens(at, a) if at.elements[a] in _POLAR else 0):
            bonds.append((i, len(elements), 1.0))
            elements.append(_HYDROGEN)
    added = (0,) * (len(elements) - len(atoms))
    cut = tuple(sum(b not in place for b in at.neighbours[a]) for a in atoms)
    charged = tuple(charges.get(a, 0) for a in atoms)
    return (tuple(elements), tuple(sorted(bonds)), charged + added, cut + added), atoms


def _known(ligand: LigandChemistry | None, inside: set[int]) -> tuple[dict[Bond, float], dict[int, int]] | None:
    if ligand is None:
        return None
    orders = {}
    for (first, second), order in zip(ligand.bonds, ligand.bond_orders, strict=True):
        a, b = ligand.atoms[first], ligand.atoms[second]
        if a in inside and b in inside:
            orders[min(a, b), max(a, b)] = float(order or 1)
    return orders, dict(zip(ligand.atoms, ligand.charges, strict=True))


def _by_names(at: Surroundings, residue: int) -> tuple[dict[Bond, float], dict[int, int]] | None:
    """One Kekulé form of a standard residue; None for others."""
    structure = at.chemistry.structure
    doubles = _doubles(at, residue)
    names, atoms = structure.atom_names, structure.residue_atoms[residue]
    if doubles is None or len({names[a] for a in atoms}) < len(atoms):
        return None
    inside = set(atoms)
    orders = {
        (a, b): 2.0 if frozenset((names[a], names[b])) in doubles else 1.0
        for a in atoms
        for b in at.neighbours[a]
        if a < b and b in inside
    }
    valence = {a: float(sum(b not in inside for b in at.neighbours[a])) for a in atoms}
    for bond, order in orders.items():
        for end in bond:
            valence[end] += order
    charges = {a: 1 for a in atoms if at.elements[a] == 7 and valence[a] == 4}
    charges |= {a: -1 for a in atoms if names[a] in _ACID_OXYGENS and valence[a] == 1}
    return orders, charges


def _doubles(at: Surroundings, residue: int) -> frozenset[frozenset[str]] | None:
    """A histidine with its hydrogen on ND1 alone has the double bond at NE2."""
    structure = at.chemistry.structure
    name = structure.residue_names[residue]
    if name == "HIS":
        nitrogens = {structure.atom_names[a]: a for a in structure.residue_atoms[residue]}
        protonated = {n: n in nitrogens and len(at.neighbours[nitrogens[n]]) > 2 for n in ("ND1", "NE2")}
        name = "HID" if protonated["ND1"] and not protonated["NE2"] else name
    return DOUBLE_BONDS.get(name)


_ACID_OXYGENS = frozenset({"OD2", "OE2", "OXT", "OP2", "O2P", "OP3"})

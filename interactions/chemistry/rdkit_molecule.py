"""A ligand as an RDKit molecule: atoms in the file's order, with its coordinates, sanitised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interactions.chemistry.elements import SYMBOLS
from interactions.errors import ChemistryError
from interactions.structure import Structure

if TYPE_CHECKING:
    from interactions.chemistry.ligand_chemistry import LigandChemistry

INDEX = "structure_index"  # integer property of each atom of the file


def to_rdkit(structure: Structure, chemistry: LigandChemistry) -> Any:
    """Sanitised ``rdkit.Chem.Mol`` with one conformer (Å); atom i is ``chemistry.atoms[i]`` of the structure.

    Hydrogens are atoms where the file has them, else counts on their atoms. Bonds to metals are dative; a bond to
    an atom outside the ligand is an open valence. Raises ChemistryError (code ``valence``) naming the atom that
    RDKit cannot accept.
    """
    from rdkit import Chem, rdBase

    molecule = Chem.RWMol()
    for place in range(len(chemistry.atoms)):
        molecule.AddAtom(_atom(structure, chemistry, place))
    kinds = [Chem.BondType.DATIVE, Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE]
    for (a, b), order in zip(chemistry.bonds, chemistry.bond_orders, strict=True):
        if order == 0 and structure.elements[chemistry.atoms[a]] > structure.elements[chemistry.atoms[b]]:
            a, b = b, a  # a dative bond points to the metal, the heavier of the two
        molecule.AddBond(a, b, kinds[order])
    molecule.AddConformer(_conformer(structure, chemistry), assignId=True)
    try:
        with rdBase.BlockLogs():
            Chem.SanitizeMol(molecule)
    except Chem.MolSanitizeException as error:
        raise _refusal(structure, chemistry, error) from error
    return molecule.GetMol()


def with_hydrogens(molecule: Any) -> Any:
    """The molecule with its missing hydrogens as atoms at its end, placed by RDKit; adding twice changes nothing."""
    from rdkit import Chem

    return Chem.AddHs(molecule, addCoords=True)


def _atom(structure: Structure, chemistry: LigandChemistry, place: int) -> Any:
    from rdkit import Chem

    index = chemistry.atoms[place]
    atom = Chem.Atom(int(structure.elements[index]))
    atom.SetFormalCharge(chemistry.charges[place])
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(chemistry.missing_hydrogens[place])
    atom.SetNumRadicalElectrons(chemistry.open_valences[place])
    atom.SetIntProp(INDEX, index)
    atom.SetProp("atom_name", structure.atom_names[index])
    return atom


def _conformer(structure: Structure, chemistry: LigandChemistry) -> Any:
    from rdkit import Chem

    conformer = Chem.Conformer(len(chemistry.atoms))
    conformer.SetPositions(structure.coordinates[list(chemistry.atoms)].copy())
    conformer.Set3D(True)
    return conformer


def _refusal(structure: Structure, chemistry: LigandChemistry, error: Any) -> ChemistryError:
    cause = error.cause if hasattr(error, "cause") else error
    places = [cause.GetAtomIdx()] if hasattr(cause, "GetAtomIdx") else list(getattr(cause, "GetAtomIndices", tuple)())
    names = ", ".join(
        f"atom {chemistry.atoms[p] + 1} ({structure.atom_names[chemistry.atoms[p]]}, "
        f"{SYMBOLS[int(structure.elements[chemistry.atoms[p]])]})"
        for p in places[:5]
    )
    why = cause.Message() if hasattr(cause, "Message") else "its rings cannot be kekulised"
    return ChemistryError(f"{structure.name}: {names or 'the ligand'}: {why}", code="valence")

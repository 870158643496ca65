"""Ligand chemistry: hand-written molecules as files draw them, a hand-written dictionary, real complexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rdkit import Chem

from interactions.chemistry import ligand_chemistry as module
from interactions.chemistry.components import Component
from interactions.chemistry.elements import SYMBOLS, atomic_number
from interactions.chemistry.ligand_chemistry import LigandChemistry, ligand_chemistry, to_rdkit, with_hydrogens
from interactions.errors import ChemistryError
from interactions.formats import read
from interactions.structure import Structure

BIOTIN = "O=C([O-])CCCCC1SCC2NC(=O)NC21"
# 3wtj: the SDF file lacks two hydrogens of the thiazolidine and has one on a nitrogen that the mol2 file has not.
OTHER_HYDROGENS = {"3wtj"}


def structure_of(
    elements: Sequence[str],
    bonds: Iterable[tuple[int, int]],
    places: Sequence[Sequence[float]] | None = None,
    names: Sequence[str] | None = None,
    residue: str = "LIG",
) -> Structure:
    """A structure of one residue; without places the atoms stand on a helix."""
    n = len(elements)
    if places is None:
        places = [(1.2 * np.cos(i), 1.2 * np.sin(i), 0.5 * i) for i in range(n)]
    return Structure(
        name="hand-written", format="pdb", digest="", coordinates=np.array(places, dtype=np.float64),
        elements=np.array([atomic_number(e) for e in elements]),
        atom_names=tuple(names or [f"{e}{i}" for i, e in enumerate(elements, 1)]), alt_locs=("",) * n,
        occupancies=np.ones(n), serials=np.arange(1, n + 1), formal_charges=np.zeros(n, dtype=np.int64),
        hetero=np.ones(n, dtype=np.bool_), residue_of=np.zeros(n, dtype=np.int64), residue_names=(residue,),
        chains=("A",), residue_numbers=np.array([1]), insertion_codes=("",),
        bonds=np.array(list(bonds), dtype=np.int64).reshape(-1, 2),
    )  # fmt: skip


def drawn(atoms: str, bonds: str, charges: dict[int, int] | None = None) -> Structure:
    """A structure with bond orders: element symbols, and bonds as first-second:order, counted from 1."""
    rows = [(*map(int, pair.split("-")), order) for pair, order in (bond.split(":") for bond in bonds.split())]
    plain = structure_of(atoms.split(), [(a - 1, b - 1) for a, b, _ in rows])
    formal = np.zeros(len(plain), dtype=np.int64)
    for atom, charge in (charges or {}).items():
        formal[atom - 1] = charge
    return replace(plain, bond_orders=tuple(order for *_, order in rows), formal_charges=formal, format="sdf")


def every(structure: Structure) -> LigandChemistry:
    return ligand_chemistry(structure, np.ones(len(structure), dtype=np.bool_))


def smiles_of(structure: Structure, chemistry: LigandChemistry) -> str:
    return str(Chem.MolToSmiles(Chem.RemoveHs(to_rdkit(structure, chemistry))))


def codes(chemistry: LigandChemistry) -> set[str]:
    return {code for code, _ in chemistry.warnings}


RING = "1-2:ar 2-3:ar 3-4:ar 4-5:ar 5-6:ar 6-1:ar"
DRAWN = [
    ("acetate, both C–O delocalised", "C C O O H H H", "1-2:1 2-3:ar 2-4:ar 1-5:1 1-6:1 1-7:1", "CC(=O)[O-]"),
    ("acetate, one double", "C C O O H H H", "1-2:1 2-3:2 2-4:1 1-5:1 1-6:1 1-7:1", "CC(=O)[O-]"),
    ("acetate, both double", "C C O O H H H", "1-2:1 2-3:2 2-4:2 1-5:1 1-6:1 1-7:1", "CC(=O)[O-]"),
    ("acetate, none double", "C C O O H H H", "1-2:1 2-3:1 2-4:1 1-5:1 1-6:1 1-7:1", "CC(=O)[O-]"),
    ("acetic acid", "C C O O H H H H", "1-2:1 2-3:2 2-4:1 1-5:1 1-6:1 1-7:1 4-8:1", "CC(=O)O"),
    (
        "benzamidinium, C–N delocalised", "C C C C C C C N N H H H H H H H H H",
        f"{RING} 1-7:1 7-8:ar 7-9:ar 2-10:1 3-11:1 4-12:1 5-13:1 6-14:1 8-15:1 8-16:1 9-17:1 9-18:1",
        "NC(=[NH2+])c1ccccc1",
    ),
    (
        "benzamidinium, both C=N double", "C C C C C C C N N H H H H H H H H H",
        f"{RING} 1-7:1 7-8:2 7-9:2 2-10:1 3-11:1 4-12:1 5-13:1 6-14:1 8-15:1 8-16:1 9-17:1 9-18:1",
        "NC(=[NH2+])c1ccccc1",
    ),
    ("pyridine", "N C C C C C H H H H H", f"{RING} 2-7:1 3-8:1 4-9:1 5-10:1 6-11:1", "c1ccncc1"),
    ("pyridinium", "N C C C C C H H H H H H", f"{RING} 2-7:1 3-8:1 4-9:1 5-10:1 6-11:1 1-12:1", "c1cc[nH+]cc1"),
    ("pyridine, Kekulé", "N C C C C C H H H H H",
     "1-2:2 2-3:1 3-4:2 4-5:1 5-6:2 6-1:1 2-7:1 3-8:1 4-9:1 5-10:1 6-11:1", "c1ccncc1"),
    ("imidazole", "N C N C C H H H H", "1-2:ar 2-3:ar 3-4:ar 4-5:ar 5-1:ar 1-6:1 2-7:1 4-8:1 5-9:1", "c1c[nH]cn1"),
    ("imidazolium", "N C N C C H H H H H", "1-2:ar 2-3:ar 3-4:ar 4-5:ar 5-1:ar 1-6:1 2-7:1 4-8:1 5-9:1 3-10:1",
     "c1c[nH+]c[nH]1"),
    ("nitromethane, both double", "C N O O H H H", "1-2:1 2-3:2 2-4:2 1-5:1 1-6:1 1-7:1", "C[N+](=O)[O-]"),
    ("nitromethane, none double", "C N O O H H H", "1-2:1 2-3:1 2-4:1 1-5:1 1-6:1 1-7:1", "C[N+](=O)[O-]"),
    ("nitromethane, delocalised", "C N O O H H H", "1-2:1 2-3:ar 2-4:ar 1-5:1 1-6:1 1-7:1", "C[N+](=O)[O-]"),
    ("methyl phosphate", "C O P O O O H H H", "1-2:1 2-3:1 3-4:ar 3-5:ar 3-6:ar 1-7:1 1-8:1 1-9:1",
     "COP(=O)([O-])[O-]"),
    ("methyl phosphate, none double", "C O P O O O H H H", "1-2:1 2-3:1 3-4:1 3-5:1 3-6:1 1-7:1 1-8:1 1-9:1",
     "COP(=O)([O-])[O-]"),
    ("dimethyl sulfone", "C S C O O H H H H H H", "1-2:1 2-3:1 2-4:2 2-5:2 1-6:1 1-7:1 1-8:1 3-9:1 3-10:1 3-11:1",
     "CS(C)(=O)=O"),
    ("dimethyl sulfone, none double", "C S C O O H H H H H H",
     "1-2:1 2-3:1 2-4:1 2-5:1 1-6:1 1-7:1 1-8:1 3-9:1 3-10:1 3-11:1", "CS(C)(=O)=O"),
    ("methyl sulfonate", "C S O O O H H H", "1-2:1 2-3:ar 2-4:ar 2-5:ar 1-6:1 1-7:1 1-8:1", "CS(=O)(=O)[O-]"),
    ("methylammonium", "C N H H H H H H", "1-2:1 1-3:1 1-4:1 1-5:1 2-6:1 2-7:1 2-8:1", "C[NH3+]"),
    ("methyl azide", "C N N N H H H", "1-2:1 2-3:2 3-4:2 1-5:1 1-6:1 1-7:1", "CN=[N+]=[N-]"),
    ("acetate, no hydrogens", "C C O O", "1-2:1 2-3:ar 2-4:ar", "CC(=O)[O-]"),
    ("acetic acid, no hydrogens", "C C O O", "1-2:1 2-3:2 2-4:1", "CC(=O)O"),
    ("imidazole, no hydrogens", "N C N C C", "1-2:ar 2-3:ar 3-4:ar 4-5:ar 5-1:ar", "c1c[nH]cn1"),
    ("acetamide, polar hydrogens", "C C O N H H", "1-2:1 2-3:2 2-4:am 4-5:1 4-6:1", "CC(N)=O"),
]  # fmt: skip


@pytest.mark.parametrize(("atoms", "bonds", "expected"), [row[1:] for row in DRAWN], ids=[row[0] for row in DRAWN])
def test_what_files_draw(atoms: str, bonds: str, expected: str) -> None:
    structure = drawn(atoms, bonds)
    chemistry = every(structure)
    assert smiles_of(structure, chemistry) == Chem.CanonSmiles(expected)
    assert chemistry.source == "file"
    assert chemistry.charge == Chem.GetFormalCharge(Chem.MolFromSmiles(expected))


def test_a_charge_on_the_carbon_of_a_carboxylate_is_repaired_and_named() -> None:
    structure = drawn("C C O O H H H", "1-2:1 2-3:2 2-4:2 1-5:1 1-6:1 1-7:1", {2: -1})
    chemistry = every(structure)
    assert chemistry.charges[1] == 0
    assert sorted(chemistry.charges[2:4]) == [-1, 0]
    message = dict(chemistry.warnings)["charges_repaired"]
    assert "C2 -1 to +0" in message


def test_a_charge_of_the_file_counts_where_hydrogens_are_left_out() -> None:
    structure = drawn("C N", "1-2:1", {2: 1})
    assert smiles_of(structure, every(structure)) == "C[NH3+]"


def test_a_carbon_without_its_hydrogen_is_refused_by_name() -> None:
    with pytest.raises(ChemistryError, match=r"C1\).*bonded to C2, H5, H6") as caught:
        every(drawn("C C O O H H", "1-2:1 2-3:ar 2-4:ar 1-5:1 1-6:1"))
    assert caught.value.code == "valence"


def test_five_bonds_of_a_carbon_are_refused_by_name() -> None:
    with pytest.raises(ChemistryError, match="C1") as caught:
        every(drawn("C F F F F F", "1-2:1 1-3:1 1-4:1 1-5:1 1-6:1"))
    assert caught.value.code == "valence"


@pytest.mark.parametrize("order", ["5", "8", "un", "du"])
def test_a_query_bond_is_refused_by_name(order: str) -> None:
    with pytest.raises(ChemistryError, match=r"C1\): its bond to C2 has the order") as caught:
        every(drawn("C C", f"1-2:{order}"))
    assert caught.value.code == "bond_order"


def test_readers_keep_the_orders_and_without_drops_those_of_lost_atoms() -> None:
    text = "\n".join(
        [
            "@<TRIPOS>MOLECULE", "x", "4 3", "SMALL", "NO_CHARGES", "@<TRIPOS>ATOM",
            "1 C1 0 0 0 C.2", "2 O1 1 0 0 O.co2",
            "3 O2 0 1 0 O.co2", "4 H1 0 0 1 H", "@<TRIPOS>BOND", "1 1 2 ar", "2 1 3 AR", "3 1 4 1",
        ]
    )  # fmt: skip
    structure = read(text.encode(), "x.mol2")
    assert structure.bond_orders == ("ar", "ar", "1")
    assert structure.without([1]).bond_orders == ("ar", "1")
    assert smiles_of(structure, every(structure)) == "O=C[O-]"


SDF = """x


  5  4  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  5  0  1  0  3
    1.2000    0.0000    0.0000 O   0  0  0  1  0  1
   -1.2000    0.1000    0.0000 O   0  0  0  1  0  1
    0.0000    1.1000    0.0000 H   0  0  0  1  0  1
    9.0000    0.0000    0.0000 H   0  0  0  1  0  1
  1  2  4  0  0  2
  3  1  4  0  0  2
  1  4  1  0  0  2
  1  4  1  0  0  2
M  END
"""


def test_hydrogen_count_columns_and_bond_type_4_make_no_query() -> None:
    structure = read(SDF.encode(), "x.sdf")
    assert structure.bond_orders == ("ar", "ar", "1")
    chemistry = every(structure)
    molecule = to_rdkit(structure, chemistry)
    assert smiles_of(structure, chemistry) == "O=C[O-]"
    assert not any(atom.HasQuery() for atom in molecule.GetAtoms())
    assert "stray_hydrogens" in codes(chemistry)
    assert chemistry.atoms == (0, 1, 2, 3)


def ring(n: int, radius: float) -> list[tuple[float, float, float]]:
    return [(radius * np.cos(2 * np.pi * i / n), radius * np.sin(2 * np.pi * i / n), 0.0) for i in range(n)]


PYRIDINE = structure_of(["N", "C", "C", "C", "C", "C"], [(i, (i + 1) % 6) for i in range(6)], ring(6, 1.39))
ACETATE = structure_of(
    ["C", "C", "O", "O"], [(0, 1), (1, 2), (1, 3)], [(0, 0, 0), (1.52, 0, 0), (2.15, 1.08, 0), (2.15, -1.08, 0)]
)
BENZENE = structure_of(["C"] * 6, [(i, (i + 1) % 6) for i in range(6)], ring(6, 1.39))


@pytest.mark.parametrize(
    ("structure", "expected"), [(PYRIDINE, "c1ccncc1"), (ACETATE, "CC(=O)[O-]"), (BENZENE, "c1ccccc1")]
)
def test_geometry_alone(structure: Structure, expected: str) -> None:
    chemistry = every(structure)
    assert smiles_of(structure, chemistry) == expected
    assert chemistry.source == "perceived"
    assert {"bond_orders_perceived", "protonation_assumed"} <= codes(chemistry)
    assert "placeholder" in dict(chemistry.warnings)["bond_orders_perceived"]


def _component(name: str, smiles: str, leaving: Iterable[str] = ()) -> Component:
    """A component with the atoms of a SMILES, hydrogens too, named by element and count."""
    molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
    flags = [bond.GetIsAromatic() for bond in molecule.GetBonds()]
    Chem.Kekulize(molecule, clearAromaticFlags=True)
    names = tuple(f"{atom.GetSymbol()}{atom.GetIdx() + 1}" for atom in molecule.GetAtoms())
    return Component(
        name=name,
        names=names,
        elements=tuple(atom.GetAtomicNum() for atom in molecule.GetAtoms()),
        charges=tuple(atom.GetFormalCharge() for atom in molecule.GetAtoms()),
        leaving=tuple(atom in set(leaving) for atom in names),
        bonds=tuple(
            (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), int(bond.GetBondTypeAsDouble()), flag)
            for bond, flag in zip(molecule.GetBonds(), flags, strict=True)
        ),
    )


class Dictionary:
    def __init__(self, *components: Component) -> None:
        self.components = {component.name: component for component in components}

    def get(self, name: str) -> Component | None:
        return self.components.get(name)


@pytest.fixture
def dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Dictionary(
        _component("AC9", "CC(=O)O", leaving=["O4"]), _component("PY9", "n1ccccc1"), _component("LIG", "CCCC")
    )
    monkeypatch.setattr(module, "component_index", lambda: known)


def named(structure: Structure, residue: str) -> Structure:
    return replace(structure, residue_names=(residue,))


@pytest.mark.usefixtures("dictionary")
def test_the_dictionary_where_name_and_atoms_match() -> None:
    acid, pyridine = named(ACETATE, "AC9"), named(PYRIDINE, "PY9")
    assert [every(one).source for one in (acid, pyridine)] == ["components", "components"]
    assert smiles_of(acid, every(acid)) == "CC(=O)O"  # its charge is the dictionary's, not geometry's
    chemistry = every(pyridine)
    assert all(chemistry.aromatic)
    assert sorted(chemistry.bond_orders) == [1, 1, 1, 2, 2, 2]
    assert not chemistry.warnings


@pytest.mark.usefixtures("dictionary")
def test_hydrogens_of_the_file_decide_the_charge() -> None:
    carbon = [(-0.36, 1.03, 0.0), (-0.36, -0.51, 0.89), (-0.36, -0.51, -0.89)]
    places = [*ACETATE.coordinates.tolist(), *carbon]
    bonds = [*map(tuple, ACETATE.bonds.tolist()), (0, 4), (0, 5), (0, 6)]
    structure = structure_of(["C", "C", "O", "O", "H", "H", "H"], bonds, places, residue="AC9")
    chemistry = every(structure)
    assert chemistry.source == "components"
    assert smiles_of(structure, chemistry) == "CC(=O)[O-]"
    assert chemistry.charges[3] == -1  # O4, which has the hydrogen in the dictionary


@pytest.mark.usefixtures("dictionary")
def test_a_missing_leaving_atom_is_tolerated_another_is_not() -> None:
    acyl, other = named(ACETATE, "AC9").without([3]), named(ACETATE, "AC9").without([2])
    assert every(acyl).source == "components"
    assert smiles_of(acyl, every(acyl)) == "CC=O"
    chemistry = every(other)
    assert chemistry.source == "perceived"
    assert "the file has no O3" in dict(chemistry.warnings)["bond_orders_perceived"]


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("structure", "why"),
    [
        (named(PYRIDINE, "AC9"), "no such atom as N1"),
        (replace(named(ACETATE, "AC9"), atom_names=("C1", "C2", "O3", "O3")), "no such atom as O3"),
        (replace(named(ACETATE, "AC9"), elements=np.array([6, 6, 8, 16])), "no such atom as O4"),
        (replace(named(ACETATE, "AC9"), atom_names=("C2", "C1", "O3", "O4")), "Å apart"),
        (named(ACETATE, "XYZ"), "'XYZ' is not in the component dictionary"),
        (named(ACETATE, "LIG"), "'LIG' is a placeholder"),
        (named(ACETATE, "UNL"), "'UNL' is a placeholder"),
    ],
)
def test_a_name_whose_atoms_are_others_is_not_believed(structure: Structure, why: str) -> None:
    chemistry = every(structure)
    assert chemistry.source == "perceived"
    assert why in dict(chemistry.warnings)["bond_orders_perceived"]


def test_without_biotite_the_warning_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "component_index", lambda: None)
    chemistry = every(named(ACETATE, "ACT"))
    assert chemistry.source == "perceived"
    assert "biotite, which is not installed" in dict(chemistry.warnings)["bond_orders_perceived"]


def test_a_smiles_comes_before_the_dictionary_and_after_the_file() -> None:
    whole = np.ones(4, dtype=np.bool_)
    chemistry = ligand_chemistry(ACETATE, whole, smiles="OC(=O)C")
    assert chemistry.source == "smiles"
    assert smiles_of(ACETATE, chemistry) == "CC(=O)O"
    file = drawn("C C O O", "1-2:1 2-3:1 2-4:1")
    assert ligand_chemistry(file, whole, smiles="CC(=O)O").source == "file"


@pytest.mark.parametrize(
    ("smiles", "code"),
    [("CC(=O)N", "smiles_mismatch"), ("CC(=O)OC", "smiles_mismatch"), ("COC=O", "smiles_mismatch"),
     ("C1CC", "bad_smiles"), ("", "bad_smiles")],
)  # fmt: skip
def test_a_smiles_of_another_molecule(smiles: str, code: str) -> None:
    with pytest.raises(ChemistryError) as caught:
        ligand_chemistry(ACETATE, np.ones(4, dtype=np.bool_), smiles=smiles)
    assert caught.value.code == code


def test_a_bond_to_the_protein_is_an_open_valence() -> None:
    structure = structure_of(
        ["C", "C", "O", "S"],
        [(0, 1), (1, 2), (1, 3)],
        [(0, 0, 0), (1.52, 0, 0), (2.15, 1.05, 0), (2.4, -1.5, 0)],
    )
    ligand = np.array([True, True, True, False])
    chemistry = ligand_chemistry(structure, ligand, smiles="CC=O")
    assert chemistry.atoms == (0, 1, 2)
    assert chemistry.open_valences == (0, 1, 0)
    assert chemistry.missing_hydrogens == (3, 0, 0)
    assert with_hydrogens(to_rdkit(structure, chemistry)).GetNumAtoms() == 6


def test_a_metal_is_coordinated_not_bonded() -> None:
    structure = structure_of(["C", "C", "O", "O", "Zn"], [(0, 1), (1, 2), (1, 3), (2, 4)])
    chemistry = ligand_chemistry(structure, np.ones(5, dtype=np.bool_), smiles="CC(=O)[O-].[Zn+2]")
    assert chemistry.bond_orders[chemistry.bonds.index((2, 4))] == 0
    assert chemistry.charges[4] == 2
    assert chemistry.charge == 1


def test_molecules_keep_atoms_places_and_indices() -> None:
    chemistry = every(PYRIDINE)
    molecule = to_rdkit(PYRIDINE, chemistry)
    assert [atom.GetSymbol() for atom in molecule.GetAtoms()] == [SYMBOLS[e] for e in PYRIDINE.elements]
    assert [atom.GetIntProp("structure_index") for atom in molecule.GetAtoms()] == list(range(6))
    assert np.allclose(molecule.GetConformer().GetPositions(), PYRIDINE.coordinates)
    full = with_hydrogens(molecule)
    assert full.GetNumAtoms() == 11
    assert np.allclose(full.GetConformer().GetPositions()[:6], PYRIDINE.coordinates)
    assert with_hydrogens(full).GetNumAtoms() == 11
    places = full.GetConformer().GetPositions()
    ends = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in full.GetBonds()]
    lengths = [np.linalg.norm(places[one] - places[two]) for one, two in ends if two > 5]
    assert len(lengths) == 5
    assert all(1.0 < length < 1.15 for length in lengths)


def test_hydrogens_at_one_place_or_far_away_are_named() -> None:
    places = [(0, 0, 0), (1.4, 0, 0), (-0.5, 1, 0), (-0.5, 1, 0.1), (-0.5, -1, 0.3), (4.4, 0, 0)]
    structure = structure_of(["C", "O", "H", "H", "H", "H"], [(0, 1), (0, 2), (0, 3), (0, 4), (1, 5)], places)
    warnings = dict(every(structure).warnings)
    assert "H4 (atom 4)" in warnings["overlapping_hydrogens"]
    assert "H6 (atom 6)" in warnings["far_hydrogens"]


def test_biotin_of_the_example_by_its_hydrogens(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "component_index", lambda: None)
    structure = read(examples / "2izf_ligand.sdf")
    bare = replace(structure, bond_orders=())
    for one, source in ((structure, "file"), (bare, "perceived")):
        chemistry = every(one)
        assert chemistry.source == source
        assert smiles_of(one, chemistry) == Chem.CanonSmiles(BIOTIN)


def test_biotin_of_the_example_by_the_dictionary(examples: Path) -> None:
    pytest.importorskip("biotite", reason="the component dictionary comes with biotite (extra: bench)")
    from interactions.ligands import choose

    structure = read(examples / "2izf.pdb.gz")
    chemistry = ligand_chemistry(structure, choose(structure, "BTN:B:300"))
    assert chemistry.source == "components"
    assert smiles_of(structure, chemistry) == Chem.CanonSmiles(BIOTIN)
    assert not chemistry.warnings


def _ligands(reference: Path, kind: str) -> dict[str, Structure]:
    return {path.parent.name: read(path) for path in sorted(reference.glob(f"pdbbind/*/*_ligand.{kind}"))}


@pytest.mark.shared
def test_every_pdbbind_ligand_is_a_molecule_and_its_files_agree(reference: Path) -> None:
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for kind in ("mol2", "sdf"):
        for name, structure in _ligands(reference, kind).items():
            chemistry = every(structure)
            molecule = to_rdkit(structure, chemistry)
            assert not any(atom.HasQuery() or atom.GetNumRadicalElectrons() for atom in molecule.GetAtoms())
            assert with_hydrogens(molecule).GetNumAtoms() == len(structure)
            found.setdefault(name, {})[kind] = (smiles_of(structure, chemistry), chemistry.charge)
    assert [sum(kind in kinds for kinds in found.values()) for kind in ("mol2", "sdf")] == [64, 63]
    assert {name for name, kinds in found.items() if len(set(kinds.values())) > 1} == OTHER_HYDROGENS


@pytest.mark.shared
def test_geometry_and_hydrogens_tell_what_the_files_say(reference: Path) -> None:
    for name, structure in _ligands(reference, "mol2").items():
        bare = replace(structure, bond_orders=(), residue_names=("UNL",) * len(structure.residue_names))
        assert smiles_of(bare, every(bare)) == smiles_of(structure, every(structure)), name


@pytest.mark.shared
def test_atom_order_and_rigid_motion_change_nothing(reference: Path) -> None:
    random = np.random.default_rng(0)
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    for name in ("1c5z", "1o0h", "2pyy", "3coz"):
        structure = read(reference / "pdbbind" / name / f"{name}_ligand.mol2")
        order = random.permutation(len(structure))
        place = np.argsort(order)
        other = replace(
            structure,
            coordinates=structure.coordinates[order] @ turn + 7.0,
            elements=structure.elements[order],
            atom_names=tuple(structure.atom_names[a] for a in order),
            residue_of=structure.residue_of[order],
            bonds=place[structure.bonds],
        )
        one, two = every(structure), every(other)
        assert {structure.atom_names[a]: q for a, q in zip(one.atoms, one.charges, strict=True)} == {
            other.atom_names[a]: q for a, q in zip(two.atoms, two.charges, strict=True)
        }
        assert smiles_of(structure, one) == smiles_of(other, two)

"""The role of every polar heavy atom of standard residues, as bonded in a chain and without hydrogens in the file.

Table after the chemistry every textbook gives: D donates, A accepts, DA both, - neither.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from molecules import molecule, pair

from interactions.complex import Chemistry, Complex
from interactions.criteria import load
from interactions.detectors.hydrogen_bond import is_acceptor, is_donor, rules_of
from interactions.environment import Environment
from interactions.formats import read
from interactions.labelling import perceive

EXAMPLE = Path(__file__).parent.parent / "examples" / "2izf_receptor.pdb.gz"
BACKBONE = {"N": "D", "O": "A"}
SIDE_CHAINS: dict[str, dict[str, str]] = {
    "ALA": {},
    "ARG": {"NE": "D", "NH1": "D", "NH2": "D"},
    "ASN": {"OD1": "A", "ND2": "D"},
    "ASP": {"OD1": "A", "OD2": "A"},
    "GLN": {"OE1": "A", "NE2": "D"},
    "GLU": {"OE1": "A", "OE2": "A"},
    "GLY": {},
    "HIS": {"ND1": "DA", "NE2": "DA"},
    "ILE": {},
    "LEU": {},
    "LYS": {"NZ": "D"},
    "PHE": {},
    "SER": {"OG": "DA"},
    "THR": {"OG1": "DA"},
    "TRP": {"NE1": "D"},
    "TYR": {"OH": "DA"},
    "VAL": {},
}
# No heavy-atom hydrogens and no such residues in streptavidin: these by types alone, hand-placed below.
BY_TYPE = {
    "water O": ("HOH", [("O", "O3")], [], {"O": "DA"}),
    "HID": (
        "HID",
        [("ND1", "Npl"), ("CE1", "Car"), ("NE2", "N2"), ("CG", "Car"), ("CD2", "Car")],
        "ring",
        {"ND1": "D", "NE2": "A"},
    ),
    "HIE": (
        "HIE",
        [("ND1", "N2"), ("CE1", "Car"), ("NE2", "Npl"), ("CG", "Car"), ("CD2", "Car")],
        "ring",
        {"ND1": "A", "NE2": "D"},
    ),
    "HIP": (
        "HIP",
        [("ND1", "Npl"), ("CE1", "C2"), ("NE2", "Npl"), ("CG", "C2"), ("CD2", "C2")],
        "ring",
        {"ND1": "D", "NE2": "D"},
    ),
    "CYS": ("CYS", [("SG", "S3"), ("CB", "C3")], [("SG", "CB")], {"SG": "D"}),
    "CYX": ("CYX", [("SG", "S3"), ("CB", "C3"), ("S2", "S3")], [("SG", "CB"), ("SG", "S2")], {"SG": "-"}),
    "MET": ("MET", [("SD", "S3"), ("CG", "C3"), ("CE", "C3")], [("SD", "CG"), ("SD", "CE")], {"SD": "-"}),
    "pyridine": ("PYR", [("N1", "N2"), ("C2", "Car"), ("C6", "Car")], [("N1", "C2"), ("N1", "C6")], {"N1": "A"}),
    "nitrile": ("ACN", [("N", "N1"), ("C", "C1")], [("N", "C")], {"N": "A"}),
    "sulfone O": ("SUL", [("O1", "O2"), ("S", "Son")], [("O1", "S")], {"O1": "A"}),
    "phosphate O": ("PO4", [("O1", "O3-"), ("P", "Pac")], [("O1", "P")], {"O1": "A"}),
    "ether": ("DME", [("O", "O3"), ("C1", "C3"), ("C2", "C3")], [("O", "C1"), ("O", "C2")], {"O": "A"}),
    "tertiary amine": (
        "TMA",
        [("N", "N3"), ("C1", "C3"), ("C2", "C3"), ("C3", "C3")],
        [("N", "C1"), ("N", "C2"), ("N", "C3")],
        {"N": "A"},
    ),
    "quaternary ammonium": (
        "TEA",
        [("N", "N3+"), *((f"C{i}", "C3") for i in range(4))],
        [("N", f"C{i}") for i in range(4)],
        {"N": "-"},
    ),
}
NUCLEOTIDES = {
    "A": {"N1": "A", "N3": "A", "N7": "A", "N6": "D", "N9": "-"},
    "G": {"N1": "D", "N2": "D", "N3": "A", "N7": "A", "O6": "A", "N9": "-"},
    "C": {"N3": "A", "N4": "D", "O2": "A", "N1": "-"},
    "U": {"N3": "D", "O2": "A", "O4": "A", "N1": "-"},
}


def role(env: Environment, atom: tuple[int, int], criteria: str = "textbook") -> str:
    rules = rules_of(load(criteria))
    found = ("D" if is_donor(env, atom, rules) else "") + ("A" if is_acceptor(env, atom, rules) else "")
    return found or "-"


@cache
def bare_streptavidin() -> Environment:
    """The example's protein without its hydrogens."""
    structure = read(gzip.decompress(EXAMPLE.read_bytes()), "2izf")
    heavy = structure.without(np.flatnonzero(structure.elements == 1).tolist())
    masks = (np.zeros(len(heavy), dtype=np.bool_),)
    return Environment(Complex((perceive(heavy),), masks, "", ""))


@pytest.mark.parametrize("residue", SIDE_CHAINS)
def test_residues_of_a_protein_without_hydrogens(residue: str) -> None:
    env = bare_streptavidin()
    structure = env.complex.models[0].structure
    ends = {int(structure.residue_of[a]) for a in structure.missing_links.ravel()}
    inner = [
        r
        for r, name in enumerate(structure.residue_names)
        if name == residue and r not in ends and linked_on_both_sides(structure, r)
    ]
    assert inner or residue in ("CYS", "MET"), f"no {residue} inside the example"
    for index in inner:
        for a in structure.residue_atoms[index]:
            name = structure.atom_names[a]
            if structure.elements[a] in (7, 8, 16) and name != "OXT":
                expected = (BACKBONE | SIDE_CHAINS[residue])[name]
                assert role(env, (0, a)) == expected, f"{residue} {name}"


def linked_on_both_sides(structure: object, residue: int) -> bool:
    atoms = set(structure.residue_atoms[residue])  # type: ignore[attr-defined]
    outside = [b for a in atoms for b in structure.neighbours[a] if b not in atoms]  # type: ignore[attr-defined]
    return len(outside) == 2


def spread(names: list[tuple[str, str]], bonds: object) -> Chemistry:
    """Atoms on a circle; only types and bonds matter here."""
    places = [(1.2 * np.cos(t), 1.2 * np.sin(t), 0.0) for t in np.linspace(0, 5, len(names))]
    if bonds == "ring":
        order = ["CG", "ND1", "CE1", "NE2", "CD2"]
        bonds = list(zip(order, [*order[1:], order[0]], strict=True))
    return molecule([(n, k, p) for (n, k), p in zip(names, places, strict=True)], bonds, "X")  # type: ignore[arg-type]


@pytest.mark.parametrize("case", BY_TYPE)
def test_variants_and_groups_by_type(case: str) -> None:
    residue, atoms, bonds, expected = BY_TYPE[case]
    chemistry = spread(atoms, bonds)
    probe = molecule([("O", "O3", (30, 0, 0))], [], "LIG")
    env = Environment(pair(chemistry, probe))
    names = chemistry.structure.atom_names
    for name, roles in expected.items():
        criteria = "hbplus" if name in ("SG", "SD") else "textbook"
        found = role(env, (0, names.index(name)), criteria)
        if criteria == "hbplus":  # sulfur also accepts there
            assert ("D" in found) == ("D" in roles), f"{residue} {name}"
        else:
            assert found == roles, f"{residue} {name}"


@pytest.mark.shared
@pytest.mark.parametrize("base", NUCLEOTIDES)
def test_nucleotides_of_a_riboswitch(base: str, reference: Path) -> None:
    structure = read(gzip.decompress((reference / "wwpdb" / "4yb0.pdb.gz").read_bytes()), "4yb0")
    masks = (np.zeros(len(structure), dtype=np.bool_),)
    env = Environment(Complex((perceive(structure),), masks, "", ""))
    expected = NUCLEOTIDES[base] | {"OP1": "A", "OP2": "A", "O2'": "DA", "O4'": "A"}
    seen = 0
    for index, name in enumerate(structure.residue_names):
        if name == base and linked_on_both_sides(structure, index):
            for a in structure.residue_atoms[index]:
                if structure.atom_names[a] in expected:
                    assert role(env, (0, a)) == expected[structure.atom_names[a]], f"{base} {structure.atom_names[a]}"
                    seen += 1
    assert seen

"""Ligand choice: candidates, selectors, and errors that list what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from interactions.errors import LigandError
from interactions.formats import read
from interactions.ligands import candidates, choose, names_in
from interactions.structure import Structure

LINES = """\
ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00  0.00           N
ATOM      2  CA  GLY A   1       1.450   0.000   0.000  1.00  0.00           C
ATOM      3  C   GLY A   1       2.000   1.420   0.000  1.00  0.00           C
ATOM      4  N   GLY A   2       3.320   1.540   0.000  1.00  0.00           N
ATOM      5  CA  GLY A   2       3.970   2.840   0.000  1.00  0.00           C
ATOM      6  C   GLY A   2       5.480   2.700   0.000  1.00  0.00           C
TER
HETATM    7  C1  XYZ A  52A     20.000   0.000   0.000  1.00  0.00           C
HETATM    8  C1  XYZ A  -3      30.000   0.000   0.000  1.00  0.00           C
HETATM    9  C1  LIG     1      40.000   0.000   0.000  1.00  0.00           C
HETATM   10  N   GLN B 101      50.000   0.000   0.000  1.00  0.00           N
HETATM   11  CA  GLN B 101      51.450   0.000   0.000  1.00  0.00           C
HETATM   12  O   HOH A 200      60.000   0.000   0.000  1.00  0.00           O
HETATM   13 ZN    ZN A 201      70.000   0.000   0.000  1.00  0.00          ZN
HETATM   14  C1  GOL A 202      80.000   0.000   0.000  1.00  0.00           C
"""


@pytest.fixture
def structure() -> Structure:
    return read(LINES.encode(), "hand.pdb")


def chosen(structure: Structure, selector: str) -> list[int]:
    return (choose(structure, selector).nonzero()[0] + 1).tolist()


def test_candidates_are_neither_polymer_nor_solvent_nor_ion_nor_additive(structure: Structure) -> None:
    assert [choice.selector for choice in candidates(structure)] == ["XYZ:A:52A", "XYZ:A:-3", "LIG::1", "GLN:B:101"]


@pytest.mark.parametrize(
    ("selector", "atoms"),
    [
        ("XYZ:A:52A", [7]),
        ("XYZ:A:-3", [8]),
        ("LIG::1", [9]),
        ("LIG", [9]),
        ("GLN:B", [10, 11]),
        ("ZN", [13]),
        ("XYZ:A:52A,XYZ:A:-3", [7, 8]),
        ("B/", [10, 11]),
        ("A/1-2", [1, 2, 3, 4, 5, 6]),
        ("A/2", [4, 5, 6]),
        ("A/-3--3", [8]),
        ("/", [9]),
    ],
)
def test_selectors(structure: Structure, selector: str, atoms: list[int]) -> None:
    assert chosen(structure, selector) == atoms


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        (None, "ambiguous_ligand"),
        ("XYZ", "ambiguous_ligand"),
        ("XYZ:A:52", "unknown_ligand"),
        ("ABC", "unknown_ligand"),
    ],
)
def test_errors_list_the_candidates(structure: Structure, selector: str | None, code: str) -> None:
    with pytest.raises(LigandError, match="XYZ:A:52A, XYZ:A:-3") as caught:
        choose(structure, selector)
    assert caught.value.code == code


def test_no_candidate_is_an_error_that_says_why() -> None:
    polymer = read(LINES.split("TER")[0].encode(), "hand.pdb")
    with pytest.raises(LigandError) as caught:
        choose(polymer, None)
    assert caught.value.code == "no_ligand"


def test_the_one_candidate_is_the_ligand() -> None:
    lines = [line for line in LINES.splitlines() if "XYZ" not in line and "GLN" not in line]
    assert chosen(read("\n".join(lines).encode(), "hand.pdb"), "LIG") == [7]
    assert choose(read("\n".join(lines).encode(), "hand.pdb"), None).sum() == 1


def test_the_example_has_its_two_biotins(examples: Path) -> None:
    assert [choice.selector for choice in candidates(read(examples / "2izf.pdb.gz"))] == ["BTN:B:300", "BTN:D:301"]


def test_lists_do_not_overlap() -> None:
    lists = [names_in(name) for name in ("solvents", "ions", "additives")]
    assert sum(map(len, lists)) == len(frozenset().union(*lists))

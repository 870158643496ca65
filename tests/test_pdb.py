"""The PDB reader: hand-written records, and every neighbour set that ChimeraX recorded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from conftest import REFERENCE
from interactions.errors import InputError
from interactions.formats import read

TYPES = sorted((REFERENCE / "types").glob("*/*.json.gz")) or [Path("absent.json.gz")]

PEPTIDE = """\
ATOM      1  N   GLY A  -1       0.000   0.000   0.000  1.00  0.00           N
ATOM      2  CA  GLY A  -1       1.450   0.000   0.000  1.00  0.00           C
ATOM      3  C   GLY A  -1       2.000   1.420   0.000  1.00  0.00           C
ATOM      4  O   GLY A  -1       1.250   2.390   0.000  1.00  0.00           O
ATOM      5  N   GLY A  {number}   {x:8.3f}   1.540   0.000  1.00  0.00           N
ATOM      6  CA  GLY A  {number}   {x:8.3f}   3.000   0.000  1.00  0.00           C
"""


def peptide(number: str = " 0 ", x: float = 3.320) -> bytes:
    return PEPTIDE.format(number=number, x=x).encode()


def test_a_peptide_is_bonded_by_template_and_linked() -> None:
    structure = read(peptide(), "x")
    assert structure.residue_numbers.tolist() == [-1, 0]
    assert set(structure.neighbours[2]) == {1, 3, 4}
    assert structure.missing_links.tolist() == []


def test_insertion_codes_keep_residues_apart() -> None:
    structure = read(peptide("-1A"), "x")
    assert structure.residue_numbers.tolist() == [-1, -1]
    assert structure.insertion_codes == ("", "A")


def test_a_long_link_over_a_gap_is_missing_structure() -> None:
    structure = read(peptide(" 7 ", 5.000), "x")
    assert structure.missing_links.tolist() == [[2, 4]]
    assert 4 not in structure.neighbours[2]


def test_of_alternate_positions_the_better_occupied_stays() -> None:
    lines = (
        "ATOM      1  CA AGLY A   1       0.000   0.000   0.000  0.40  0.00           C",
        "ATOM      2  CA BGLY A   1       5.000   0.000   0.000  0.60  0.00           C",
    )
    structure = read("\n".join(lines).encode(), "x")
    assert structure.alt_locs == ("B",)
    assert structure.coordinates[0, 0] == 5.0


@pytest.mark.parametrize(("name", "element"), [("CA  ", 20), (" CA ", 6), ("BR1 ", 35), ("HG21", 1), ("1HB ", 1)])
def test_elements_come_from_names_where_the_column_is_missing(name: str, element: int) -> None:
    line = f"ATOM      1 {name} XYZ A   1       0.000   0.000   0.000"
    assert read(line.encode(), "x").elements.tolist() == [element]


@pytest.mark.parametrize("value", ["   nan", "   inf", "  1.x0"])
def test_a_bad_coordinate_names_line_and_atom(value: str) -> None:
    line = f"ATOM      1  CA  GLY A   1      {value}   0.000   0.000"
    with pytest.raises(InputError, match="line 1: atom CA") as caught:
        read(line.encode(), "x")
    assert caught.value.code == "bad_coordinates"


def test_a_file_without_atoms_says_so() -> None:
    with pytest.raises(InputError) as caught:
        read(b"HEADER    NOTHING\nEND\n", "x")
    assert caught.value.code == "no_atoms"


@pytest.mark.shared
@pytest.mark.parametrize("path", TYPES, ids=lambda path: path.name.split(".")[0])
def test_atoms_and_neighbours_equal_those_of_chimerax(path: Path) -> None:
    name = path.name.split(".")[0]
    file = f"pdbbind/{name}/{name}_pocket.pdb" if path.parent.name == "pdbbind" else f"wwpdb/{name}.pdb.gz"
    structure = read(REFERENCE / file)
    mine = [
        (
            structure.chains[residue],
            structure.residue_names[residue],
            int(structure.residue_numbers[residue]),
            structure.insertion_codes[residue],
            structure.atom_names[atom],
            sorted(structure.atom_names[other] for other in structure.neighbours[atom]),
        )
        for atom, residue in enumerate(structure.residue_of.tolist())
    ]
    rows = json.loads(gzip.decompress(path.read_bytes()))["atoms"]
    assert mine == [(*row[1:6], sorted(row[8])) for row in rows if row[0] == 1]

"""Models, alternate locations, assemblies: what stands in the file by hand is what is read, in PDB and mmCIF."""

from __future__ import annotations

import gzip
from pathlib import Path

import gemmi
import numpy as np
import pytest
from dataset_files import lines

from app.cli import main
from interactions.errors import InputError
from interactions.formats import read
from interactions.formats.selection import Selection, read_selected

ATOM = "HETATM{:5d}  O  {:1s}HOH A{:4d}    {:8.3f}{:8.3f}{:8.3f}  0.50 10.00           O\n"
MODELS = (
    "MODEL        1\n" + ATOM.format(1, " ", 1, 1, 0, 0) + "ENDMDL\n"
    "MODEL        3\n" + ATOM.format(1, " ", 1, 3, 0, 0) + ATOM.format(2, " ", 2, 9, 0, 0) + "ENDMDL\nEND\n"
)
LETTERS = ATOM.format(1, "A", 1, 1, 0, 0) + ATOM.format(2, "B", 1, 2, 0, 0) + ATOM.format(3, " ", 2, 9, 0, 0) + "END\n"


def forms(text: str) -> list[bytes]:
    """The file as PDB and as mmCIF."""
    return [text.encode(), gemmi.read_pdb_string(text).make_mmcif_document().as_string().encode()]


def x(data: bytes, selection: Selection) -> list[float]:
    return sorted(read_selected(data, "f", selection).coordinates[:, 0].tolist())


@pytest.mark.parametrize("data", forms(MODELS))
def test_a_model_by_its_number(data: bytes) -> None:
    assert x(data, Selection()) == [1.0]
    assert x(data, Selection(model=1)) == [1.0]
    assert x(data, Selection(model=3)) == [3.0, 9.0]
    with pytest.raises(InputError, match="no model 2") as caught:
        read_selected(data, "f", Selection(model=2))
    assert caught.value.code == "no_model"


@pytest.mark.parametrize("data", forms(LETTERS))
def test_an_alternate_location_by_its_letter(data: bytes) -> None:
    assert x(data, Selection(alt_loc="A")) == [1.0, 9.0]
    assert x(data, Selection(alt_loc="B")) == [2.0, 9.0]
    assert x(data, Selection(alt_loc="C")) == [9.0]


def test_only_structure_files(examples: Path) -> None:
    with pytest.raises(InputError, match="sdf has no models") as caught:
        read_selected((examples / "2izf_ligand.sdf").read_bytes(), "l.sdf", Selection(model=1))
    assert caught.value.code == "no_selection"


def test_an_assembly_holds_copies(examples: Path) -> None:
    data = gzip.decompress((examples / "2izf.pdb.gz").read_bytes())
    alone, whole = read(data, "f"), read_selected(data, "f", Selection(assembly="1"))
    # Streptavidin: two chains in the entry, four in the assembly (REMARK 350).
    assert (len(set(alone.chains)), len(set(whole.chains))) == (2, 4)
    biotin = [np.array(s.residue_of)[np.array(s.elements) == 16] for s in (alone, whole)]
    assert len(biotin[1]) == 2 * len(biotin[0])
    with pytest.raises(InputError, match="known: 1") as caught:
        read_selected(data, "f", Selection(assembly="2"))
    assert caught.value.code == "no_assembly"


def test_a_set_says_what_it_read(examples: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    arguments = ["build", str(examples / "2izf.pdb.gz"), "--out", str(out), "--tables", "hydrogen_bonds"]
    assert main([*arguments, "--assembly", "1"]) == 0
    rows = sorted(lines(out, "complexes"), key=lambda row: row["id"])
    assert [row["ligand_selector"] for row in rows] == ["BTN:B-2:300", "BTN:B:300", "BTN:D-2:301", "BTN:D:301"]
    assert {row["model_policy"] for row in rows} == {"first, assembly 1"}
    assert [row["hydrogen_bonds"] for row in rows] == [7, 7, 7, 7]
    assert main(["verify-dataset", str(out), "--source", str(examples / "2izf.pdb.gz")]) == 0
    assert main([*arguments[:3], str(tmp_path / "other"), "--model", "2"]) == 1

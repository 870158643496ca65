"""Prompts answered from text and structure: what is read, what is refused, on the example and on 5EY0."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Any

import pytest
from scenes import example, reference_scene

from interactions.errors import InputError
from interactions.labelling import load_complex
from interactions.questions.generate import generate
from interactions.questions.prompts import answer_prompt, answer_scene
from interactions.questions.scene import Scene

LOCATION = """Six views of the pocket of the protein (PDB ID: 5ey0) are given. Oxygen (O) is red, nitrogen (N) blue.
There is a hydrogen bond between the NZ atom of residue LYS 47 on chain A and ligand atom O1A.
Which command centers it?
A. move x 3, move y 5
B. move x 9, move y -5
C. move x 7, move y 5
D. move x 3, move y -5"""


@pytest.fixture
def biotin(examples: Path) -> Scene:
    return example(examples)


@pytest.fixture
def gtp(reference: Path) -> Scene:
    return reference_scene(reference, "5ey0")


def code(text: str, scene: Scene) -> str:
    with pytest.raises(InputError) as caught:
        answer_scene(text, scene)
    return caught.value.code


def test_all_bonds_of_a_pocket(biotin: Scene) -> None:
    found = answer_scene("List all hydrogen bonds between the pocket and the ligand of PDB 2IZF.", biotin)
    assert found.kind == "pocket_ligand"
    assert found.answer.split("; ")[0] == "ASN 23 ND2 B, O3"
    assert len(found.answer.split("; ")) == len(found.reasons) == 7
    assert "ASP 128 OD2 B, N1: bond by chimerax, 2.88 Å." in found.reasons


@pytest.mark.parametrize(
    "named", ["residue ASP 128", "Asp128", "ASP-128 of chain B", "residue 128 ASP", "residue name ASP, number 128"]
)
def test_the_bonds_of_one_residue(biotin: Scene, named: str) -> None:
    found = answer_scene(f"Does {named} have a hydrogen bond with the ligand? Answer No, or Yes: [bonds].", biotin)
    assert (found.kind, found.answer) == ("residue_ligand", "Yes: ASP OD2, N1")


def test_a_residue_without_bonds_says_how_far_it_is(biotin: Scene) -> None:
    found = answer_scene("Hydrogen bonds of residue TRP 79? Yes: … or No", biotin)
    assert found.answer == "No"
    assert "nearest atom" in found.reasons[0]


def test_another_number_is_another_residue(biotin: Scene) -> None:
    assert code("Hydrogen bonds of residue ASP 12? Yes: … or No", biotin) == "unknown_residue"
    assert code("Hydrogen bonds of residue ASP 1280? Yes: … or No", biotin) == "unknown_residue"
    assert code("Hydrogen bonds of ASP 128 and SER 45? Yes: … or No", biotin) == "ambiguous_residue"


@pytest.mark.parametrize("kind", ["residue_ligand", "interaction_location", "pocket_ligand"])
def test_our_own_prompts_are_answered(biotin: Scene, kind: str) -> None:
    for seed in range(12):
        record = generate(kind, [biotin], 0, seed)
        found = answer_scene(record["text"], biotin)
        assert (found.kind, found.answer) == (kind, record["answer"])
        assert found.reasons


@pytest.mark.parametrize("kind", ["translation", "rotation", "zooming", "rotation_rotation", "docking"])
def test_what_only_pictures_tell(biotin: Scene, kind: str) -> None:
    assert code(generate(kind, [biotin], 0, 1)["text"], biotin) == "needs_picture"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which command rotates image 1 into image 4?", "needs_picture"),
        ("Are there hydrogen bonds of the residue shown? Yes: … or No", "needs_picture"),
        ("What is the capital of France?", "unknown_prompt"),
        ("", "unknown_prompt"),
        ("All hydrogen bonds of the pocket of PDB ID 5EY0, please", "other_complex"),
        ("Bring the hydrogen bond of ASP 128 OD2 and N1 to the middle by move x, move y", "bad_options"),
        ("Hydrogen bond of ASP 128 OD2 and N1. A. move x 1, move y 1", "bad_options"),
        ("Hydrogen bond of ASP 128 OD2 and N1. A. move x 1, move y 1 A. move x 2, move y 1", "bad_options"),
        ("Hydrogen bond of ASP 128 and N1. A. move x 1, move y 1 B. move x 2, move y 1", "unknown_atom"),
        ("Hydrogen bond of ASP 128 OD2, OD1 and N2. A. move x 1, move y 1 B. move x 2, move y 1", "ambiguous_atom"),
        ("hydrogen bond " * 10000, "too_long"),
    ],
)  # fmt: skip
def test_what_is_refused(biotin: Scene, text: str, expected: str) -> None:
    assert code(text, biotin) == expected


def test_two_atoms_without_a_bond_have_a_place_too(biotin: Scene) -> None:
    text = "The hydrogen bond of ASP 128 CG and ligand O3: (A) move x 50, move y 50 (B) move x 0, move y 0"
    found = answer_scene(text, biotin)
    assert found.answer == "B"
    assert "no bond by chimerax" in found.reasons[0]


def test_a_complex_is_labelled_when_needed(examples: Path) -> None:
    receptor, ligand = ((examples / name).read_bytes() for name in ("2izf_receptor.pdb.gz", "2izf_ligand.sdf"))
    complex_ = load_complex(receptor, "receptor", ligand, "ligand")
    assert answer_prompt("Hydrogen bonds of SER 27: Yes or No?", complex_, id="2izf").answer == "Yes: SER OG, O3"


@pytest.mark.parametrize("text", ["A. move x 1, " * 4000, "LYS 47 " * 9000, "chain chain " * 5000, "residue " * 8000])
def test_long_texts_take_no_long_time(biotin: Scene, text: str) -> None:
    start = process_time()
    with pytest.raises(InputError):
        answer_scene(("hydrogen bond yes " + text)[: 1 << 16], biotin)
    assert process_time() - start < 2


@pytest.mark.shared
def test_the_published_location(gtp: Scene) -> None:
    found = answer_scene(LOCATION, gtp)
    assert found.answer == "C"
    assert "move x 7.23, move y 3.05" in found.reasons[1]


@pytest.mark.shared
def test_the_published_residue_and_pocket(gtp: Scene) -> None:
    found: Any = answer_scene("PDB ID: 5ey0. Hydrogen bonds of residue ARG 45 of chain A? No, or Yes: bonds", gtp)
    assert found.answer == "Yes: ARG NE, O2G; ARG NH2, O1B"
    assert len(answer_scene("All hydrogen bonds of 5ey0 (PDB)", gtp).answer.split("; ")) == 9

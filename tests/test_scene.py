"""What a scene holds, on hand-placed atoms: roles, distances of complementary atoms, pairs, content."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from molecules import molecule, pair

from interactions.complex import Chemistry
from interactions.errors import InputError
from interactions.labelling import label, load_complex
from interactions.pocket import PocketRule
from interactions.questions import QUESTIONS
from interactions.questions.generate import generate
from interactions.questions.polarity import polar_distance, roles_of
from interactions.questions.scene import Scene, scene_of
from interactions.questions.settings import BENCHMARK


def methanol(x: float, residue: str = "SER") -> Chemistry:
    """CH3OH without the methyl's hydrogens, its oxygen at (x, 0, 0), the hydroxyl's hydrogen towards -x."""
    atoms = [("OG", "O3", (x, 0.0, 0.0)), ("HG", "H", (x - 0.96, 0.0, 0.0)), ("CB", "C3", (x + 0.5, 1.35, 0.0))]
    return molecule(atoms, [("OG", "HG"), ("OG", "CB")], residue)


def carbonyl(x: float) -> Chemistry:
    atoms = [("O1", "O2", (x, 0.0, 0.0)), ("C1", "C2", (x - 1.2, 0.0, 0.0)), ("C2", "C3", (x - 2.0, 1.3, 0.0))]
    return molecule(atoms, [("O1", "C1"), ("C1", "C2")])


def scene(distance: float, rule: PocketRule | None = None) -> Scene:
    complex_ = pair(methanol(distance), carbonyl(0.0))
    return scene_of(complex_, label(complex_, id="made", pocket=rule))


def test_roles_by_element_and_hydrogens() -> None:
    hydroxyl = roles_of(methanol(0), np.arange(3))
    assert hydroxyl.gives.tolist() == [True, False, False]
    assert hydroxyl.accepts.tolist() == [True, False, False]
    oxygen = roles_of(carbonyl(0), np.arange(3))
    assert oxygen.gives.tolist() == [False, False, False]
    assert oxygen.accepts.tolist() == [True, False, False]


def test_without_hydrogens_the_type_leaves_room_for_one() -> None:
    amine = molecule([("N", "N3", (0, 0, 0)), ("C", "C3", (1.5, 0, 0))], [("N", "C")])
    pyridine = molecule(
        [("N", "N2", (0, 0, 0)), ("C1", "Car", (1, 1, 0)), ("C2", "Car", (1, -1, 0))], [("N", "C1"), ("N", "C2")]
    )
    assert roles_of(amine, np.arange(2)).gives.tolist() == [True, False]
    assert roles_of(amine, np.arange(2)).accepts.tolist() == [False, False]
    assert roles_of(pyridine, np.arange(3)).gives.tolist() == [False] * 3
    assert roles_of(pyridine, np.arange(3)).accepts.tolist() == [True, False, False]


def test_two_acceptors_are_not_complementary() -> None:
    one, other = carbonyl(0.0), carbonyl(5.0)
    roles = roles_of(one, np.arange(3)), roles_of(other, np.arange(3))
    assert polar_distance(one.structure.coordinates, roles[0], other.structure.coordinates, roles[1]) == np.inf


@pytest.mark.parametrize("distance", [2.8, 4.6, 6.0])
def test_the_distance_of_donor_and_acceptor(distance: float) -> None:
    residue = scene(distance).residues[0]
    assert (residue.text, residue.polar_distance) == ("SER 1 A", distance)
    assert residue.distance == pytest.approx(distance - 0.96)


def test_a_bond_is_a_pair_of_the_scene() -> None:
    assert [(b.atom, b.ligand_atom) for b in scene(2.8).bonds] == [("OG", "O1")]
    assert scene(4.6).bonds == ()


@pytest.mark.parametrize(("distance", "note"), [(2.8, "positive"), (4.6, "hard negative"), (6.0, "negative")])
def test_the_note_of_a_residue_question(distance: float, note: str) -> None:
    record = generate("residue_ligand", [scene(distance)], 0, 1)
    assert record["metadata"]["note"] == note
    assert record["answer"] == ("Yes: SER OG, O1" if note == "positive" else "No")
    assert record["metadata"]["pairs"] == 1


def test_no_bonds_is_an_answer_too() -> None:
    assert generate("pocket_ligand", [scene(6.0)], 0, 1)["answer"] == "No"
    assert QUESTIONS["interaction_location"].possible(scene(6.0), BENCHMARK) == 0


def test_a_pocket_that_holds_nothing_or_loses_a_bond() -> None:
    for distance, cutoff in ((30.0, 8.0), (2.8, 1.0)):
        with pytest.raises(InputError) as caught:
            scene(distance, PocketRule(cutoff=cutoff))
        assert caught.value.code == "bad_pocket"


def test_the_content_tells_places_not_orders() -> None:
    assert scene(4.6).content == scene(4.6).content
    assert scene(4.6).content != scene(4.61).content
    assert scene(4.6).content == scene(4.6001).content


@pytest.mark.shared
@pytest.mark.parametrize("kind", [kind for kind in QUESTIONS if kind != "translation_rotation"])
def test_pdb_and_mmcif_ask_the_same(reference: Path, kind: str) -> None:
    """But for the digest, which is of the bytes."""
    records = []
    for ending in ("pdb", "cif"):
        complex_ = load_complex((reference / "wwpdb" / f"3ptb.{ending}.gz").read_bytes(), f"3ptb.{ending}.gz")
        records.append(generate(kind, [scene_of(complex_, label(complex_, id="3ptb"))], 0, 1))
        records[-1]["metadata"].pop("digest")
    assert records[0] == records[1]

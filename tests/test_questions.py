"""The nine kinds on the example complex: each answer follows from the pictures' coordinates and the labels alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenes import deposited, example, reference_scene

from interactions.errors import InputError, UnknownName
from interactions.questions import QUESTIONS
from interactions.questions.answers import KINDS, TYPES, Bond, Bonds, Letter, Move, Roll, RollThenMove
from interactions.questions.generate import count, generate, in_order, question, solve_record
from interactions.questions.interaction_location import displacement
from interactions.questions.pictures import difference, front_camera, heavy_places
from interactions.questions.records import ask_of
from interactions.questions.scene import Scene, scene_of
from interactions.questions.settings import BENCHMARK, Settings
from interactions.questions.views import camera_from_screen, screen, turn
from interactions.questions.wording import bond_text
from interactions.serialise import dumps

Record = dict[str, Any]
WORKED = (
    "ARG 45 NH2 A, O1B", "ARG 45 NE A, O2G", "LYS 47 NZ A, O1A", "LYS 158 NZ A, O1G", "SER 43 OG A, O2B",
    "PHE 24 N A, O6", "ARG 44 N A, O3G", "VAL 22 O A, N1", "VAL 22 O A, N2",
)  # fmt: skip
PICTURE_CHOICES = ("translation_rotation", "rotation_rotation")


@pytest.fixture
def scenes(examples: Path) -> list[Scene]:
    return [example(examples), deposited(examples, "BTN:D:301", "2izf_D")]


def several(kind: str, scenes: list[Scene], most: int = 24, **options: Any) -> list[Record]:
    settings = Settings(**options)
    possible = QUESTIONS[kind].possible(scenes[0], settings)
    return [generate(kind, scenes, index, 11, settings) for index in range(min(most, possible))]


def without_answer(record: Record) -> Record:
    return {key: value for key, value in record.items() if key != "answer"}


def error_code(call: Any, *arguments: Any) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments)
    return caught.value.code


def test_the_kinds_are_those_of_the_contract() -> None:
    assert list(QUESTIONS) == [*KINDS]
    assert all(kind == module.KIND for kind, module in QUESTIONS.items())


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_is_solved_without_its_answer(scenes: list[Scene], kind: str) -> None:
    for record in several(kind, scenes):
        carried = json.loads(dumps(without_answer(record)))
        answer = solve_record(carried, scenes)
        assert isinstance(answer, TYPES[kind])
        assert QUESTIONS[kind].answer_text(answer) == record["answer"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_stored_answer_does_not_mislead(scenes: list[Scene], kind: str) -> None:
    record = generate(kind, scenes, 0, 5)
    assert QUESTIONS[kind].answer_text(solve_record({**record, "answer": "A"}, scenes)) == record["answer"]


@pytest.mark.parametrize("kind", KINDS)
def test_questions_are_distinct(scenes: list[Scene], kind: str) -> None:
    records = several(kind, scenes, most=1000)
    asked = {dumps([r["metadata"]["transforms"], r["metadata"]["subject"]]) for r in records}
    assert len(asked) == len({r["id"] for r in records}) == len(records)


@pytest.mark.parametrize("kind", KINDS)
def test_the_index_ends_where_no_more_is_possible(scenes: list[Scene], kind: str) -> None:
    possible = QUESTIONS[kind].possible(scenes[0], BENCHMARK)
    assert error_code(generate, kind, scenes, possible, 1) == "no_more_questions"
    assert error_code(generate, kind, scenes, -1, 1) == "no_more_questions"


def test_how_many_are_possible(scenes: list[Scene]) -> None:
    possible = {kind: module.possible(scenes[0], BENCHMARK) for kind, module in QUESTIONS.items()}
    assert possible["translation"] == 16
    assert possible["rotation"] == 36
    assert possible["zooming"] == 21
    assert possible["translation_rotation"] == 16 * 36
    assert possible["docking"] == 6 * 36
    assert possible["interaction_location"] == 7
    assert possible["pocket_ligand"] == 1


def test_how_many_the_benchmark_asks(scenes: list[Scene]) -> None:
    numbers = {kind: (count(kind, scenes[0], "train"), count(kind, scenes[0], "test")) for kind in KINDS}
    assert numbers == {
        "translation": (4, 2), "rotation": (6, 3), "zooming": (4, 2), "residue_ligand": (14, 14),
        "translation_rotation": (6, 3), "rotation_rotation": (6, 3), "docking": (6, 3),
        "interaction_location": (7, 7), "pocket_ligand": (1, 1),
    }  # fmt: skip
    with pytest.raises(UnknownName, match="train"):
        count("rotation", scenes[0], "validation")


@pytest.mark.parametrize(("kind", "axes"), [("translation", "xy"), ("rotation", "xyz"), ("docking", "xyz")])
def test_axes_come_in_turn(scenes: list[Scene], kind: str, axes: str) -> None:
    asked = [r["answer"].split()[1] for r in several(kind, scenes, most=2 * len(axes))]
    assert asked == list(axes) * 2


def test_the_seed_and_the_index_decide(scenes: list[Scene]) -> None:
    one, same = generate("rotation_rotation", scenes, 3, 7), generate("rotation_rotation", scenes, 3, 7)
    assert dumps(one) == dumps(same)
    assert generate("rotation_rotation", scenes, 3, 8)["id"] != one["id"]
    orders = {tuple(in_order("zooming", scenes[0], seed)) for seed in range(5)}
    assert len(orders) == 5


def test_another_process_asks_the_same(examples: Path, scenes: list[Scene]) -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests'); from pathlib import Path; from scenes import *;"
        "from interactions.questions.generate import generate; from interactions.serialise import dumps;"
        f"p = Path({str(examples)!r}); s = [example(p), deposited(p, 'BTN:D:301', '2izf_D')];"
        "sys.stdout.buffer.write(b'\\n'.join(dumps(generate(k, s, 2, 4)) for k in ('docking', 'translation_rotation')))"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=examples.parent, capture_output=True, check=True).stdout
    assert found.split(b"\n") == [dumps(generate(k, scenes, 2, 4)) for k in ("docking", "translation_rotation")]


def reordered(scene: Scene) -> Scene:
    """The scene with its atoms in reverse order, as another file might list them."""
    pocket, ligand = scene.pocket, scene.ligand
    last, end = len(pocket.names) - 1, len(ligand.names) - 1

    def back(atoms: Any) -> Any:
        return replace(
            atoms, coordinates=atoms.coordinates[::-1].copy(), elements=atoms.elements[::-1].copy(),
            names=atoms.names[::-1], residue_of=atoms.residue_of[::-1].copy(),
        )  # fmt: skip

    pairs = tuple(replace(p, pocket_atom=last - p.pocket_atom, ligand_atom=end - p.ligand_atom) for p in scene.pairs)
    return replace(scene, pocket=back(pocket), ligand=back(ligand), pairs=pairs)


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_atoms_changes_nothing(scenes: list[Scene], kind: str) -> None:
    other = [reordered(scenes[0]), scenes[1]]
    for index in range(min(3, QUESTIONS[kind].possible(scenes[0], BENCHMARK))):
        record = generate(kind, scenes, index, 9)
        assert generate(kind, other, index, 9) == record


def test_one_file_or_two_ask_the_same(examples: Path, scenes: list[Scene]) -> None:
    """But for the digest of the bytes, and for atoms that only one of the formats names."""
    one, two = deposited(examples, "BTN:B:300", "2izf"), scenes[0]
    for kind in ("translation", "rotation", "zooming", "docking", "rotation_rotation"):
        a, b = (generate(kind, [scene], 1, 3) for scene in (one, two))
        a["metadata"].pop("digest")
        b["metadata"].pop("digest")
        assert a == b


@pytest.mark.parametrize("kind", PICTURE_CHOICES)
def test_candidates_differ_in_the_picture(scenes: list[Scene], kind: str) -> None:
    for record in several(kind, scenes, most=60):
        ask = ask_of(record)
        scene = scenes[1] if record["metadata"]["target"] else scenes[0]
        assert record["metadata"]["candidates"] == ["A", "B", "C", "D"]
        places = [heavy_places(ask.picture(letter), scene) for letter in "ABCD"]
        gaps = [difference(a, b) for i, a in enumerate(places) for b in places[:i]]
        assert min(gaps) > 0.999  # the bound of 1 Å, to the record's six decimals


@pytest.mark.parametrize("kind", PICTURE_CHOICES)
def test_a_bound_that_no_decoy_meets_is_refused(scenes: list[Scene], kind: str) -> None:
    assert error_code(generate, kind, scenes, 0, 1, Settings(least_difference=1000.0)) == "no_decoy"


@pytest.mark.parametrize("kind", PICTURE_CHOICES)
def test_the_right_letter_is_evenly_spread(scenes: list[Scene], kind: str) -> None:
    letters = Counter(r["answer"] for r in several(kind, scenes, most=400))
    assert set(letters) == set("ABCD")
    assert all(abs(number - 100) < 40 for number in letters.values())  # 4.6 standard deviations


def test_options_of_a_location_are_all_combinations(scenes: list[Scene]) -> None:
    for seed in range(40):
        record = generate("interaction_location", scenes, seed % 7, seed)
        parts = [option.split(", ") for option in record["options"].values()]
        assert list(record["options"]) == list("ABCD")
        xs, ys = ({part[i] for part in parts} for i in (0, 1))
        assert len(xs) == len(ys) == 2
        assert {tuple(part) for part in parts} == {(x, y) for x in xs for y in ys}
        for numbers in (xs, ys):
            one, other = (int(text.split()[2]) for text in numbers)
            assert abs(one - other) >= 2


def test_the_location_that_is_right_centres_the_bond(scenes: list[Scene]) -> None:
    scene = scenes[0]
    for record in several("interaction_location", scenes):
        at = record["metadata"]["subject"]
        pair = next(p for p in scene.pairs if bond_text(scene.bond(p)) == bond_text(Bond(**at)))
        atoms = np.array([scene.pocket.coordinates[pair.pocket_atom], scene.ligand.coordinates[pair.ligand_atom]])
        x, y = (int(part.split()[-1]) for part in record["options"][record["answer"]].split(", "))
        middle = screen(front_camera(scene, BENCHMARK), atoms).mean(axis=0)
        assert abs(middle[0] + x) <= 0.5
        assert abs(middle[1] + y) <= 0.5


def test_residue_questions_cover_bonds_and_near_misses(scenes: list[Scene]) -> None:
    records = several("residue_ligand", scenes, most=14)
    assert Counter(r["metadata"]["note"] == "positive" for r in records) == {True: 7, False: 7}
    for record in records:
        assert (record["answer"] == "No") == (record["metadata"]["note"] != "positive")
    bound = next(r for r in records if r["metadata"]["subject"]["number"] == "128")
    assert bound["answer"].startswith("Yes: ASP OD2, ")


def test_hard_negatives_are_near_and_have_the_right_chemistry(scenes: list[Scene]) -> None:
    records = several("residue_ligand", scenes, most=100, negatives="hard")
    hard = [r for r in records if r["metadata"]["note"] != "positive"]
    assert hard
    assert {r["metadata"]["note"] for r in hard} == {"hard negative"}
    reach = {(r.name, r.number): r.polar_distance for r in scenes[0].residues}
    assert all(reach[at["residue"], at["number"]] <= 5.0 for at in (r["metadata"]["subject"] for r in hard))
    assert {r["answer"] for r in hard} == {"No"}
    assert QUESTIONS["residue_ligand"].possible(scenes[0], BENCHMARK) > len(records)


def test_more_negatives_for_each_positive(scenes: list[Scene]) -> None:
    for ratio, expected in ((0.0, (7, 0)), (0.5, (7, 4)), (2.0, (7, 14))):
        settings = Settings(negatives_per_positive=ratio)
        number = count("residue_ligand", scenes[0], "train", settings)
        notes = [generate("residue_ligand", scenes, i, 1, settings)["metadata"]["note"] for i in range(number)]
        assert (notes.count("positive"), len(notes) - notes.count("positive")) == expected


def test_docking_carries_the_ligand_towards_an_edge(scenes: list[Scene]) -> None:
    """At k = tan 15° the widest ligand atom would be at the edge of the view at the complex's mean depth."""
    scene = scenes[0]
    seen = screen(front_camera(scene, BENCHMARK), scene.points)
    ligand = seen[len(scene.pocket.names) :]
    right = -seen[:, 2].mean() * 0.25 - ligand[:, 0].max()
    left = seen[:, 2].mean() * 0.25 - ligand[:, 0].min()
    moves = {int(r["answer"].split()[-1]) for r in several("docking", scenes, most=300)}
    assert moves == {-(round(right) - slack) for slack in (0, 1, 2)} | {-(round(left) + slack) for slack in (0, 1, 2)}


def test_a_straight_ligand_cannot_be_docked_back(scenes: list[Scene]) -> None:
    ligand = scenes[0].ligand
    straight = replace(ligand, coordinates=np.outer(np.arange(len(ligand.names)), [1.0, 2.0, 0.5]))
    assert QUESTIONS["docking"].possible(replace(scenes[0], ligand=straight), BENCHMARK) == 0


def test_a_second_complex_is_needed(scenes: list[Scene]) -> None:
    assert error_code(generate, "translation_rotation", scenes[:1], 0, 1) == "no_target"
    assert error_code(generate, "translation_rotation", [scenes[0], scenes[0]], 0, 1) == "no_target"
    record = generate("translation_rotation", scenes, 0, 1)
    assert record["metadata"]["target"]["complex"] == "2izf_D"
    assert error_code(solve_record, record, scenes[:1]) == "other_complex"


def test_pictures_that_fit_no_step_are_refused(scenes: list[Scene]) -> None:
    record = generate("translation", scenes, 0, 1)
    turned = generate("rotation", scenes, 0, 1)["metadata"]["transforms"]
    record["metadata"]["transforms"] = turned
    assert error_code(solve_record, record, scenes) == "other_step"
    record["metadata"]["transforms"]["after"] = turned["front"]
    assert error_code(solve_record, record, scenes) == "not_one_step"


@pytest.mark.parametrize("kind", KINDS)
def test_every_prompt_states_its_facts(scenes: list[Scene], kind: str) -> None:
    record = generate(kind, scenes, 0, 2)
    text = record["text"]
    for fact in ("2izf", "#BF99F2", "#F2B366", "red", "blue", "gray", "ydrogens", "front", "left", "top", "Answer"):
        assert fact in text
    if kind not in ("residue_ligand", "pocket_ligand"):
        for fact in ("x points right", "y up", "towards you", "Å", "degrees", "right-handed"):
            assert fact in text
    else:
        assert all(name in text for name in ("back", "right", "bottom", "ChimeraX"))
    if record["options"]:
        assert all(f"{letter}. {option}" in text for letter, option in record["options"].items())
    assert kind in PICTURE_CHOICES or record["answer"] not in text or kind == "interaction_location"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("translation", "front left top after"),
        ("rotation", "front left top after"),
        ("zooming", "front left top after"),
        ("rotation_rotation", "front left top after A B C D"),
        ("residue_ligand", "front left top back right bottom"),
        ("interaction_location", "front left top back right bottom"),
        ("pocket_ligand", "front left top back right bottom"),
    ],
)
def test_the_pictures_of_a_question(scenes: list[Scene], kind: str, names: str) -> None:
    record = generate(kind, scenes, 0, 2)
    assert [image["name"] for image in record["images"]] == names.split()
    assert list(record["metadata"]["transforms"]) == names.split()


def test_docking_shows_each_side_alone_and_both(scenes: list[Scene]) -> None:
    shown = [(i["pocket"], i["ligand"]) for i in generate("docking", scenes, 0, 2)["images"]]
    assert shown == [(True, False)] * 3 + [(False, True)] * 3 + [(True, True)]


def test_the_ligand_placement_of_an_image(scenes: list[Scene]) -> None:
    identity = np.eye(4)[:3]
    for image in generate("rotation", scenes, 0, 2)["images"]:
        np.testing.assert_allclose(image["ligand_placement"], identity, atol=1e-5)
    moved = [i["ligand_placement"] for i in generate("docking", scenes, 0, 2)["images"]]
    assert moved[:3] == [None] * 3
    np.testing.assert_allclose(moved[3], moved[6], atol=1e-5)
    assert np.abs(np.array(moved[3]) - identity).max() > 1


def test_a_camera_from_elsewhere_asks_and_solves_alike(scenes: list[Scene]) -> None:
    scene = scenes[0]
    tilted = turn(turn(front_camera(scene, BENCHMARK), "x", 33), "y", -20)
    recorded = np.round(screen(tilted, scene.points), 3)
    camera = camera_from_screen(scene.points, recorded, tilted.centre, window=(640, 480))
    own = [replace(scene, camera=camera), scenes[1]]
    for kind in KINDS:
        record = generate(kind, own, 0, 6)
        assert QUESTIONS[kind].answer_text(solve_record(without_answer(record), own)) == record["answer"]
    assert generate("translation", own, 0, 6)["metadata"]["camera"]["window"] == [640, 480]


def test_other_bins(scenes: list[Scene]) -> None:
    settings = Settings(angles=(-40, -20, 20, 40), shifts=(-8, -3, 3, 8))
    answers = {generate("rotation", scenes, i, 1, settings)["answer"] for i in range(12)}
    assert answers == {f"roll {axis} {angle}" for axis in "xyz" for angle in (-40, -20, 20, 40)}
    for kind in ("rotation", *PICTURE_CHOICES):
        record = generate(kind, scenes, 0, 1, settings)
        assert record["metadata"]["settings"] == {"angles": [-40, -20, 20, 40], "shifts": [-8, -3, 3, 8]}
        assert QUESTIONS[kind].answer_text(solve_record(record, scenes)) == record["answer"]


@pytest.mark.parametrize(
    "options",
    [{"shifts": ()}, {"angles": (0, 15)}, {"angles": (15, 15)}, {"angles": (270,)}, {"schemes": ("sign",)},
     {"least_difference": 0.0}, {"negatives": "some"}, {"negatives_per_positive": -1.0}, {"docking_slacks": (-1,)}],
)  # fmt: skip
def test_settings_that_make_no_question(options: dict[str, Any]) -> None:
    assert error_code(lambda: Settings(**options)) == "bad_settings"


def test_unknown_kinds_and_seeds(scenes: list[Scene]) -> None:
    with pytest.raises(UnknownName, match="docking"):
        generate("dockings", scenes, 0, 1)
    assert error_code(generate, "docking", scenes, 0, -1) == "bad_seed"


def test_a_scene_leaves_water_out_and_keeps_hydrogens(scenes: list[Scene]) -> None:
    scene = scenes[0]
    assert not {"HOH", "WAT"} & {residue.name for residue in scene.residues}
    assert (scene.pocket.elements == 1).any()
    assert (scene.ligand.elements == 1).any()
    assert max(residue.distance for residue in scene.residues) <= 8
    assert len(scene.bonds) == 7


def test_a_failure_makes_no_scene() -> None:
    failed = {"id": "x", "status": "failed", "error": {"message": "no ligand"}}
    assert error_code(scene_of, None, failed) == "not_labelled"


# The published worked answers of 5EY0 (arXiv 2512.10867, Figures 9 to 17).


@pytest.fixture
def gtp(reference: Path) -> Scene:
    return reference_scene(reference, "5ey0")


@pytest.mark.shared
def test_worked_pocket_ligand(gtp: Scene) -> None:
    record = generate("pocket_ligand", [gtp], 0, 1)
    assert sorted(record["answer"].split("; ")) == sorted(WORKED)
    answer = solve_record(without_answer(record), [gtp])
    assert isinstance(answer, Bonds)
    assert sorted(map(bond_text, answer.bonds)) == sorted(WORKED)


@pytest.mark.shared
def test_worked_residue_ligand(gtp: Scene) -> None:
    possible = QUESTIONS["residue_ligand"].possible(gtp, BENCHMARK)
    records = [generate("residue_ligand", [gtp], i, 1) for i in range(possible)]
    answers = {r["metadata"]["subject"]["number"]: r["answer"] for r in records}
    assert answers["45"] == "Yes: ARG NE, O2G; ARG NH2, O1B"


@pytest.mark.shared
def test_worked_interaction_location(gtp: Scene) -> None:
    """x agrees. The paper prints y = 5, its pictures were made with another view: ChimeraX's first one gives 3."""
    records = [generate("interaction_location", [gtp], i, 1) for i in range(9)]
    asks = [ask_of(r) for r in records]
    ask = next(a for a in asks if a.subject == Bond("LYS", "47", "NZ", "A", "O1A"))
    x, y = displacement(ask, gtp)
    assert abs(x - 7) < 0.6
    assert (round(x, 2), round(y, 2)) == (7.23, 3.05)
    printed = ("move x 3, move y 5", "move x 9, move y -5", "move x 7, move y 5", "move x 3, move y -5")
    options = tuple(zip("ABCD", printed, strict=True))
    assert question(ask.kind).solve(replace(ask, options=options), gtp) == Letter("C")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("kind", "truth"),
    [
        ("translation", Move("x", 4)),
        ("rotation", Roll("y", 15)),
        ("zooming", Move("z", 40)),
        ("docking", RollThenMove(Roll("x", 75), Move("x", -14))),
    ],
)
def test_worked_transforms(gtp: Scene, kind: str, truth: Any) -> None:
    module = QUESTIONS[kind]
    asks = [
        module.ask(gtp, instance, np.random.default_rng(0), BENCHMARK)
        for stratum in module.instances(gtp, BENCHMARK)
        for instance in stratum
    ]
    ask = next(a for a in asks if a.answer == truth)
    assert module.solve(replace(ask, answer=None), gtp) == truth


@pytest.mark.shared
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_on_other_complexes(reference: Path, kind: str) -> None:
    scenes = [reference_scene(reference, name) for name in ("10gs", "1a30", "2wer", "3kr8", "5ey0")]
    for place, scene in enumerate(scenes):
        pool = [scene, *scenes[:place], *scenes[place + 1 :]]
        for index in range(min(8, QUESTIONS[kind].possible(scene, BENCHMARK))):
            record = generate(kind, pool, index, 3)
            answer = solve_record(without_answer(record), scenes)
            assert QUESTIONS[kind].answer_text(answer) == record["answer"]

"""Splits: whole groups in one split whatever the order of input; groups and leaks told by hand-made cases."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from rdkit import Chem

from app.asking import Source, split_of
from app.bulk import Task
from app.datasets.splits import (
    METHODS,
    Profile,
    assign,
    by_scaffold,
    by_sequence,
    clusters,
    leaks,
    profile_of,
    scaffold_of,
)
from interactions.errors import InputError

LETTERS = "ACDEFGHIKLMNPQRSTVWY"


def source(name: str, split: str | None = None) -> Source:
    return Source(name, Task(name, Path("r"), Path("l"), "chimerax"), None, split)


def changed(sequence: str, share: float, seed: int) -> str:
    """The sequence with this share of its letters changed, spread evenly."""
    rng, letters = Random(seed), list(sequence)
    for at in range(int(len(letters) * share)):
        place = int(at / share)
        letters[place] = rng.choice([one for one in LETTERS if one != letters[place]])
    return "".join(letters)


def protein(seed: int, length: int = 150) -> str:
    rng = Random(seed)
    return "".join(rng.choice(LETTERS) for _ in range(length))


@pytest.mark.parametrize(
    ("smiles", "scaffold"),
    [
        ("CCc1ccccc1O", "c1ccccc1"),
        ("c1ccc(CCC2CCCCC2)cc1", "c1ccc(CCC2CCCCC2)cc1"),
        ("CC(=O)O", "CC(=O)O"),  # no ring: itself
        ("C[C@H](N)c1ccccc1", "c1ccccc1"),
        ("C[C@H](N)C(=O)O", "CC(N)C(=O)O"),  # without stereochemistry
    ],
)
def test_scaffolds(smiles: str, scaffold: str) -> None:
    assert scaffold_of(Chem.MolFromSmiles(smiles)) == Chem.CanonSmiles(scaffold)


def test_sequences_cluster_by_identity() -> None:
    first, other = protein(1), protein(2)
    near, far = changed(first, 0.3, 3), changed(first, 0.9, 4)
    found = clusters([near, first, other, far, first[:120]])
    assert found[near] == found[first] == found[first[:120]]
    assert len({found[first], found[other], found[far]}) == 3


def test_the_order_of_input_does_not_matter() -> None:
    sequences = [changed(protein(seed), share, seed) for seed in range(8) for share in (0.1, 0.3, 0.5)]
    expected = clusters(sequences)
    for seed in range(3):
        Random(seed).shuffle(sequences)
        assert clusters(sequences) == expected


def profiles() -> list[Profile]:
    found = []
    for number in range(120):
        group = number % 12
        found.append(
            Profile(f"c{number:03d}", f"scaffold {group}", f"key {number // 2}", changed(protein(group), 0.2, number))
        )
    return found


@pytest.mark.parametrize("method", ["scaffold", "sequence"])
def test_no_group_stands_in_two_splits(method: str) -> None:
    known = profiles()
    sources = [source(one.id) for one in known]
    splits = assign(sources, method, known, 0.3)
    assert set(splits.values()) == {"train", "test"}
    groups = METHODS[method](known)
    assert len(set(groups.values())) == 12
    for group in set(groups.values()):
        assert len({splits[name] for name, own in groups.items() if own == group}) == 1
    kinds = {leak["kind"] for leak in leaks(known, splits)}
    assert method not in kinds
    assert "ligand" in kinds  # two complexes have each ligand, of different groups


def test_complexes_that_cannot_be_told_stand_alone() -> None:
    known = [Profile("a"), Profile("b")]
    assert by_scaffold(known) == by_sequence(known) == {"a": "a", "b": "b"}
    assert assign([source("a")], "complex", known, 0.1) == {"a": split_of("a", 0.1)}


def test_given_splits() -> None:
    found = [source("a", "train"), source("b", "validation"), source("c", "test")]
    assert assign(found, "given", [], 0.1) == {"a": "train", "b": "validation", "c": "test"}
    with pytest.raises(InputError, match="d: the split None") as caught:
        assign([*found, source("d")], "given", [], 0.1)
    assert caught.value.code == "no_split"


def test_leaks_name_what_is_shared() -> None:
    known = [
        Profile("a", "s", "k", "ACDEFGHIKL" * 3),
        Profile("b", "s", "m", "ACDEFGHIKL" * 3),
        Profile("c", "t", "n", ""),
    ]
    found = list(leaks(known, {"a": "train", "b": "test", "c": "test"}))
    assert [(leak["kind"], leak["complexes"]) for leak in found] == [("scaffold", ["a", "b"]), ("sequence", ["a", "b"])]
    assert list(leaks(known, {"a": "train", "b": "train", "c": "test"})) == []


def test_the_profile_of_biotin_in_streptavidin() -> None:
    folder = Path(__file__).parent.parent / "examples"
    task = Task("x", folder / "2izf_receptor.pdb.gz", folder / "2izf_ligand.sdf", "chimerax")
    profile = profile_of(Source("x", task, None))
    assert profile.ligand.startswith("YBJHBAHKTGYVGT")  # biotin, or biotinate: the last letter tells the charge
    assert profile.scaffold == Chem.CanonSmiles("O=C1NC2CSCC2N1")
    assert "GTWYNQLGSTFIVTAGADGALTGTYE" in profile.sequence

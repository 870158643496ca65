"""Poses: each the same as the pose loaded alone; a broken record is one failure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from dataset_files import lines

from app.bulk import read_file
from app.cli import main
from interactions.criteria import load
from interactions.errors import InputError
from interactions.formats import read
from interactions.formats.pose_reader import PoseReader
from interactions.labelling import label, load_complex
from interactions.poses import Pocket, label_poses


def moved_sdf(text: str, seed: int) -> str:
    """The first record of a V2000 file after a small rigid move about its centre."""
    lines = text.split("$$$$")[0].splitlines(keepends=True)
    rows = range(4, 4 + int(lines[3][:3]))
    places = np.array([[float(lines[i][k : k + 10]) for k in (0, 10, 20)] for i in rows])
    for i, (x, y, z) in zip(rows, _moved(places, seed).tolist(), strict=True):
        lines[i] = f"{x:10.4f}{y:10.4f}{z:10.4f}{lines[i][30:]}"
    return "".join(lines) + "$$$$\n"


def moved_mol2(text: str, seed: int) -> str:
    """The same of a mol2 molecule."""
    lines = text.splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.startswith("@<TRIPOS>ATOM")) + 1
    rows = range(start, next(i for i in range(start, len(lines)) if lines[i].startswith("@")))
    words = [lines[i].split() for i in rows]
    places = np.array([[float(word) for word in line[2:5]] for line in words])
    for i, line, place in zip(rows, words, _moved(places, seed).tolist(), strict=True):
        lines[i] = " ".join([*line[:2], *(f"{x:.4f}" for x in place), *line[5:]]) + "\n"
    return "".join(lines)


def _moved(places: np.ndarray, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    turn, upper = np.linalg.qr(np.eye(3) + 0.1 * rng.normal(size=(3, 3)))
    turn = turn * np.sign(np.diag(upper))
    centre = places.mean(axis=0)
    return (places - centre) @ turn.T + centre + 0.3 * rng.normal(size=3)


def assert_as_alone(receptor: Path, poses: list[str], name: str) -> int:
    pocket = Pocket(read(receptor.read_bytes(), receptor.name))
    found = list(label_poses(pocket, "".join(poses).encode(), name))
    assert [record["id"] for record in found] == [f"pose_{n:05d}" for n in range(1, len(poses) + 1)]
    for record, pose in zip(found, poses, strict=True):
        alone = label(load_complex(receptor.read_bytes(), receptor.name, pose.encode(), name))
        assert record["hydrogen_bonds"] == alone["hydrogen_bonds"]
        assert record["pocket_residues"] == alone["pocket_residues"]
    return len({str(record["hydrogen_bonds"]) for record in found})


def test_the_example(examples: Path) -> None:
    text = (examples / "2izf_ligand.sdf").read_text()
    different = assert_as_alone(
        examples / "2izf_receptor.pdb.gz", [moved_sdf(text, seed) for seed in range(5)], "p.sdf"
    )
    assert different == 5


def complexes(reference: Path) -> Iterator[Path]:
    yield from (folder for folder in sorted((reference / "pdbbind").iterdir()) if folder.is_dir())


@pytest.mark.shared
def test_every_pocket(reference: Path) -> None:
    different = 0
    for folder in complexes(reference):
        text = (folder / f"{folder.name}_ligand.mol2").read_text()
        poses = [text if text.endswith("\n") else f"{text}\n", *(moved_mol2(text, seed) for seed in range(3))]
        different += assert_as_alone(folder / f"{folder.name}_pocket.pdb", poses, "p.mol2")
    assert different > 150


def test_a_broken_record_is_one_failure(examples: Path) -> None:
    text = (examples / "2izf_ligand.sdf").read_text()
    good = [moved_sdf(text, seed) for seed in range(2)]
    x = text.splitlines()[4][:10]
    broken = (text.split("$$$$")[0] + "$$$$\n").replace(x, "       abc", 1)
    pocket = Pocket(read((examples / "2izf_receptor.pdb.gz").read_bytes(), "r.pdb"))
    found = list(label_poses(pocket, "".join([good[0], broken, good[1]]).encode(), "p.sdf"))
    assert [record["status"] for record in found] == ["ok", "failed", "ok"]
    assert found[1]["error"]["code"] == "bad_coordinates"
    assert "p.sdf: record 2: line 5" in found[1]["error"]["message"]
    assert found[2]["hydrogen_bonds"] == next(label_poses(pocket, good[1].encode(), "p.sdf"))["hydrogen_bonds"]


def test_a_set_of_poses(examples: Path, tmp_path: Path) -> None:
    text = (examples / "2izf_ligand.sdf").read_text()
    poses = [moved_sdf(text, seed) for seed in range(3)]
    broken = (text.split("$$$$")[0] + "$$$$\n").replace(text.splitlines()[4][:10], "       abc", 1)
    (tmp_path / "poses.sdf").write_text("".join([*poses, broken]))
    manifest = tmp_path / "list.csv"
    manifest.write_text(f"id,receptor,ligand\nx,{examples / '2izf_receptor.pdb.gz'},poses.sdf\n")
    out = tmp_path / "set"
    assert main(["build", str(manifest), "--out", str(out), "--poses", "--tables", "hydrogen_bonds"]) == 1
    rows = lines(out, "hydrogen_bonds")
    receptor = read_file(examples / "2izf_receptor.pdb.gz")
    for number, pose in enumerate(poses, 1):
        alone = label(load_complex(*receptor, pose.encode(), "p.sdf"))["hydrogen_bonds"]
        own = [row["distance_da"] for row in rows if row["id"] == f"x_pose_{number:05d}"]
        assert own == [bond["distance_da"] for bond in alone]
    assert [(row["id"], row["code"]) for row in lines(out, "failures")] == [("x_pose_00004", "bad_coordinates")]
    assert main(["verify-dataset", str(out), "--source", str(manifest)]) == 0


def test_what_cannot_be_poses(examples: Path) -> None:
    receptor = (examples / "2izf_receptor.pdb.gz").read_bytes()
    with pytest.raises(InputError, match="not of pdb"):
        list(label_poses(Pocket(read(receptor, "r.pdb")), receptor, "r.pdb"))
    with pytest.raises(InputError, match="not by plip"):
        Pocket(read(receptor, "r.pdb"), load("plip"))


@pytest.mark.parametrize("name", ["2izf_ligand.sdf", "2izf_ligand.mol2"])
def test_a_pose_read_after_another_is_what_it_is_alone(examples: Path, name: str) -> None:
    """Another charge, another element, an atom less: what is not the same molecule is read afresh."""
    sdf = (examples / "2izf_ligand.sdf").read_text().split("$$$$")[0]
    if name.endswith("sdf"):
        texts = [
            sdf,
            moved_sdf(sdf, 1),
            sdf.replace(" S  ", " O  ", 1),
            sdf.replace("M  END", "M  CHG  1   1   1\nM  END"),
        ]
    else:
        rows = ["1 C1 0.0 0.0 0.0 C.3 1 LIG 0.0", "2 O1 1.4 0.0 0.0 O.3 1 LIG 0.0"]
        head, tail = "@<TRIPOS>MOLECULE\nx\n 2 1 1\nSMALL\nNONE\n@<TRIPOS>ATOM\n", "\n@<TRIPOS>BOND\n1 1 2 1\n"
        one = head + "\n".join(rows) + tail
        texts = [one, moved_mol2(one, 1), one.replace("O.3", "S.3"), one.replace("1 1 2 1", "1 1 2 2"), one + "# x\n"]
    reader = PoseReader(name.rsplit(".")[1])
    for text in [*texts, *reversed(texts)]:
        alone, after = read(text.encode(), name), reader.read(text.encode(), name)
        for field in fields(alone):
            assert np.array_equal(getattr(alone, field.name), getattr(after, field.name)), field.name

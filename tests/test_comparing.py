"""Two label sets of the example pair by pair: strict and relaxed criteria, another profile, an outside table."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("compared")
    shutil.copy(Path(__file__).parent.parent / "examples" / "2izf.pdb.gz", at)
    for criteria in ("chimerax", "mdanalysis"):
        out = str(at / f"{criteria}.jsonl")
        assert main(["label", str(at / "2izf.pdb.gz"), "--out", out, "--criteria", criteria, "--jobs", "1"]) == 0
    return at


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[list[dict[str, Any]], str]:
    capsys.readouterr()
    assert main(["diff", *arguments]) == 0
    output = capsys.readouterr()
    return [json.loads(line) for line in output.out.splitlines()], output.err


def test_a_set_equals_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, told = rows(capsys, *[str(folder / "chimerax.jsonl")] * 2)
    assert found == []
    assert "2 complexes, 14 pairs in both, 0 only in A, 0 only in B, F1 1.0000" in told


def test_each_difference_names_its_limit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """mdanalysis wants D-A of at most 3 Å and D-H-A above 150°: three of biotin's seven bonds fall."""
    sets = [str(folder / f"{name}.jsonl") for name in ("chimerax", "mdanalysis")]
    found, _ = rows(capsys, *sets, "--source", str(folder / "2izf.pdb.gz"))
    lost = {row["pair"]: row["reason"] for row in found if row["id"] == "2izf_BTN_B_300" and row["only_in"] == "a"}
    assert set(lost) == {"ASN 23 ND2 B, O3", "SER 45 OG B, N2", "SER 88 OG B, O11"}
    assert "D–A 3.06 Å exceeds 3.00 Å by 0.06 Å" in lost["SER 45 OG B, N2"]
    assert "D–H–A 132.5° is below 150.0° by 17.5°" in lost["SER 88 OG B, O11"]


def test_an_outside_table(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tool.csv").write_text(
        "id,chain,residue_name,residue_number,atom_name,ligand_atom\n"
        "2izf_BTN_B_300,B,SER,27,OG,O3\n2izf_BTN_B_300,B,TRP,79,NE1,S1\n"
    )
    source = str(folder / "2izf.pdb.gz")
    found, _ = rows(capsys, str(folder / "chimerax.jsonl"), str(tmp_path / "tool.csv"), "--source", source)
    (extra,) = [row for row in found if row["only_in"] == "b"]
    assert extra["pair"] == "TRP 79 NE1 B, S1"
    assert "no bond" in extra["reason"]
    assert [row["id"] for row in found if row["pair"] is None] == ["2izf_BTN_D_301"]


def test_a_table_without_a_column_is_refused(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tool.csv").write_text("id,chain\nx,A\n")
    assert main(["diff", str(folder / "chimerax.jsonl"), str(tmp_path / "tool.csv")]) == 1
    assert "tool.csv: line 1: no columns atom_name" in capsys.readouterr().err

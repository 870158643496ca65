"""The commands ask, solve, score and report on the example complex: every kind, from files to the table."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.asking import split_of
from app.cli import main
from interactions.questions import QUESTIONS


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 2IZF, questions about both its ligands, and scripts of their pictures."""
    folder = tmp_path_factory.mktemp("asked")
    shutil.copy(Path(__file__).parent.parent / "examples" / "2izf.pdb.gz", folder)
    source, out = str(folder / "2izf.pdb.gz"), str(folder / "q.jsonl")
    assert main(["ask", "all", source, "--seed", "7", "--count", "2", "--out", out, "--pictures", str(folder)]) == 0
    return folder


def answers(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["solve", str(folder / "q.jsonl")]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def scored(folder: Path, given: list[dict[str, Any]], capsys: pytest.CaptureFixture[str], *more: str) -> list[Any]:
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    capsys.readouterr()
    assert main(["score", str(folder / "q.jsonl"), str(path), *more]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_kind_is_asked_about_every_ligand(asked: Path) -> None:
    records = lines(asked / "q.jsonl")
    assert {(record["complex"], record["kind"]) for record in records} == {
        (name, kind) for name in ("2izf_BTN_B_300", "2izf_BTN_D_301") for kind in QUESTIONS
    }
    assert len({record["id"] for record in records}) == len(records)
    assert {record["metadata"]["source"]["receptor"] for record in records} == {"2izf.pdb.gz"}


@pytest.mark.parametrize("metric", ["misi", "exact", "f1"])
def test_what_is_solved_scores_one(asked: Path, metric: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = scored(asked, answers(asked, capsys), capsys, "--metric", metric)
    assert {row["score"] for row in rows} == {1.0}
    assert {row["metric"] for row in rows} == {metric}


def test_the_stored_answer_is_not_read(asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without answers the questions are solved all the same."""
    shutil.copy(asked / "2izf.pdb.gz", tmp_path)
    source, out = str(tmp_path / "2izf.pdb.gz"), str(tmp_path / "q.jsonl")
    assert main(["ask", source, "--seed", "7", "--count", "2", "--out", out, "--no-answers"]) == 0
    assert {record["answer"] for record in lines(tmp_path / "q.jsonl")} == {None}
    assert answers(tmp_path, capsys) == answers(asked, capsys)


def test_the_same_seed_asks_the_same(asked: Path, tmp_path: Path) -> None:
    shutil.copy(asked / "2izf.pdb.gz", tmp_path)
    for seed, same in (("7", True), ("8", False)):
        assert (
            main(["ask", str(tmp_path / "2izf.pdb.gz"), "--seed", seed, "--count", "2", "--out", str(tmp_path / "q")])
            == 0
        )
        assert ((tmp_path / "q").read_bytes() == (asked / "q.jsonl").read_bytes()) is same


def test_a_wrong_pair_is_explained(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = next(r for r in lines(asked / "q.jsonl") if r["kind"] == "pocket_ligand" and "BTN_B" in r["complex"])
    given = [{"id": question["id"], "response": "SER 27 OG B, O3; SER 45 OG B, O3"}]
    row = next(row for row in scored(asked, given, capsys) if row["id"] == question["id"])
    assert row["score"] == 0.5
    said = json.dumps(row["detail"], ensure_ascii=False)
    assert "D–A 4.07 Å exceeds 3.57 Å by 0.50 Å" in said


def test_a_missing_answer_scores_zero(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {row["score"] for row in scored(asked, [], capsys)} == {0.0}


def test_the_report_has_the_floor_and_the_paper(
    asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = scored(asked, answers(asked, capsys), capsys)
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = str(tmp_path / "report")
    assert main(["report", str(tmp_path / "s.jsonl"), "--questions", str(asked / "q.jsonl"), "--out", out]) == 0
    names = {path.suffix for path in (tmp_path / "report").rglob("*") if path.is_file()}
    assert names >= {".md", ".json", ".html", ".svg"}
    assert main(["report", str(tmp_path / "s.jsonl")]) == 0
    text = capsys.readouterr().out
    assert "random answers" in text
    assert "GPT-4.1" in text


def test_scripts_draw_each_picture(asked: Path) -> None:
    """Every picture has a script of each program, which names the files and the picture that it saves."""
    record = next(r for r in lines(asked / "q.jsonl") if r["kind"] == "docking")
    for image in record["images"]:
        commands = (asked / record["id"] / f"{image['name']}.cxc").read_text()
        assert f'save "{image["name"]}.png" width 256 height 256' in commands
        assert 'open "../2izf.pdb.gz"' in commands
        assert "view matrix camera 1.000000,0.000000" in commands
        assert ("view matrix models #1," in commands) is image["pocket"]
        assert ("view matrix models #2," in commands) is image["ligand"]
        compile((asked / record["id"] / f"{image['name']}.py").read_text(), "script", "exec")
    whole = (asked / record["id"] / f"{record['images'][-1]['name']}.cxc").read_text()
    assert "#BF99F2" in whole
    assert "#F2B366" in whole
    assert "hide H" in whole


def test_splits_keep_complexes_together() -> None:
    names = [f"complex{i}" for i in range(2000)]
    share = sum(split_of(name, 0.1) == "test" for name in names) / len(names)
    assert 0.08 < share < 0.12
    assert {split_of(name, 1.0) for name in names} == {"test"}
    assert {split_of(name, 0.0) for name in names} == {"train"}


def test_a_prompt_is_answered_from_text_and_structure(
    asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complex_ = [str(asked / "2izf.pdb.gz"), "--ligand", "BTN:B:300", "--prompt", str(tmp_path / "prompt.txt")]
    by_kind = {record["kind"]: record for record in lines(asked / "q.jsonl") if "BTN_B" in record["complex"]}
    (tmp_path / "prompt.txt").write_text(by_kind["pocket_ligand"]["text"].replace("2izf_BTN_B_300", "2izf"))
    capsys.readouterr()
    assert main(["answer", *complex_]) == 0
    assert set(capsys.readouterr().out.strip().split("; ")) == set(by_kind["pocket_ligand"]["answer"].split("; "))
    (tmp_path / "prompt.txt").write_text(by_kind["rotation"]["text"])
    assert main(["answer", *complex_]) == 1
    assert "needs_picture" in capsys.readouterr().err


def test_bad_lines_are_named(asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "x", "response": "A"}\nnot json\n')
    assert main(["score", str(asked / "q.jsonl"), str(tmp_path / "a.jsonl")]) == 1
    assert "a.jsonl: line 2" in capsys.readouterr().err


def test_a_kind_that_is_not_there_is_wrong_usage(asked: Path, tmp_path: Path) -> None:
    assert main(["ask", "levitation", str(asked / "2izf.pdb.gz"), "--seed", "1", "--out", str(tmp_path / "q")]) == 2


def test_the_gallery_is_up_to_date() -> None:
    from app.gallery import gallery_markdown

    assert (Path(__file__).parent.parent / "docs" / "gallery.md").read_text("utf-8") == gallery_markdown()

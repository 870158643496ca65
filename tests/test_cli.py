"""The command line: exit statuses, streams and files."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
import shutil
import time
from pathlib import Path

import pytest
from bad_inputs import BAD, EMPTY_LIGAND

from app.cli import main


def pair(examples: Path) -> list[str]:
    return [str(examples / "2izf_receptor.pdb.gz"), str(examples / "2izf_ligand.sdf")]


def layout(folder: Path, examples: Path, name: str) -> Path:
    at = folder / name
    at.mkdir(parents=True)
    (at / f"{name}_protein.pdb").write_bytes(gzip.decompress((examples / "2izf_receptor.pdb.gz").read_bytes()))
    shutil.copy(examples / "2izf_ligand.sdf", at / f"{name}_ligand.sdf")
    return at


def test_table_and_json_count_the_same(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hbonds", *pair(examples)]) == 0
    table = capsys.readouterr().out
    assert main(["hbonds", *pair(examples), "--json"]) == 0
    bonds = json.loads(capsys.readouterr().out)["hydrogen_bonds"]
    assert f"{len(bonds)} hydrogen bonds" in table


def test_explain_names_limits(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    complex_ = [str(examples / "2izf.pdb.gz"), "--ligand", "BTN:B:300"]
    assert main(["explain", *complex_, "--atoms", "SER:B:45:OG", "N2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("N2 … SER 45 OG B: hydrogen bond, D–A 3.06 Å")
    assert main(["explain", *complex_, "--atoms", "SER:B:45:ZZ", "N2"]) == 1
    assert "unknown_atom" in capsys.readouterr().err


def test_all_criteria_as_a_table(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hbonds", *pair(examples), "--criteria", "all"]) == 0
    assert "100 %" in capsys.readouterr().out


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_reported(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, code = BAD[name]
    (tmp_path / "bad.pdb").write_bytes(data)
    assert main(["hbonds", str(tmp_path / "bad.pdb")]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert f"{code}:" in output.err


def test_wrong_ligands(examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hbonds", str(examples / "2izf.pdb.gz"), "--ligand", "ZZZ"]) == 1
    assert "unknown_ligand" in capsys.readouterr().err
    (tmp_path / "none.sdf").write_bytes(EMPTY_LIGAND)
    assert main(["hbonds", pair(examples)[0], str(tmp_path / "none.sdf")]) == 1
    assert main(["hbonds", str(tmp_path / "absent.pdb")]) == 1


def test_label_does_not_depend_on_jobs(examples: Path, tmp_path: Path) -> None:
    for name in ("b", "a"):
        layout(tmp_path / "set", examples, name)
    for jobs in ("1", "2"):
        assert main(["label", str(tmp_path / "set"), "--out", str(tmp_path / f"{jobs}.jsonl"), "--jobs", jobs]) == 0
    text = (tmp_path / "1.jsonl").read_bytes()
    assert text == (tmp_path / "2.jsonl").read_bytes()
    assert [json.loads(line)["id"] for line in text.splitlines()] == ["a", "b"]


def test_label_resumes(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app import bulk

    folder = layout(tmp_path, examples, "a")
    (task,) = bulk.collect([folder], "chimerax")
    row = {"key": task.key, "records": [{"id": "a", "status": "ok", "kept": True}]}
    (tmp_path / "out.jsonl.part").write_text(json.dumps(row) + '\n{"key": "cut o')
    monkeypatch.setattr(bulk, "run", lambda _: pytest.fail("was done already"))
    assert main(["label", str(folder), "--out", str(tmp_path / "out.jsonl")]) == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["kept"]
    assert not (tmp_path / "out.jsonl.part").exists()


def test_parquet_holds_what_json_lines_hold(examples: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    layout(tmp_path / "set", examples, "a")
    (layout(tmp_path / "set", examples, "b") / "b_ligand.sdf").write_bytes(EMPTY_LIGAND)
    for out in ("out.jsonl", "out.parquet"):
        assert main(["label", str(tmp_path / "set"), "--out", str(tmp_path / out), "--jobs", "1"]) == 1
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == ["a", "b"]
    assert rows[1]["error"] == records[1]["error"]
    for name in ("hydrogen_bonds", "pocket_residues", "ligand", "warnings"):
        assert rows[0][name] == records[0][name]
    assert json.loads(rows[0]["provenance"]) == records[0]["provenance"]
    assert [contact["kind"] for contact in rows[0]["contacts"]] == [c["kind"] for c in records[0]["contacts"]]


def test_a_failure_is_a_row(examples: Path, tmp_path: Path) -> None:
    (layout(tmp_path / "set", examples, "a") / "a_ligand.sdf").write_bytes(EMPTY_LIGAND)
    layout(tmp_path / "set", examples, "b")
    assert main(["label", str(tmp_path / "set"), "--out", str(tmp_path / "out.jsonl"), "--jobs", "1"]) == 1
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["id"], row["status"]) for row in rows] == [("a", "failed"), ("b", "ok")]


def test_a_dead_worker_is_one_failure(examples: Path, tmp_path: Path) -> None:
    from app import bulk

    tasks = bulk.collect([layout(tmp_path / "set", examples, name) for name in ("a", "b", "c")], "chimerax")
    deadly = dataclasses.replace(tasks[1], criteria=Deadly("chimerax"))
    results = dict(bulk._results([tasks[0], deadly, tasks[2]], 2))
    assert {task.id: records[0]["status"] for task, records in results.items()} == {"a": "ok", "b": "failed", "c": "ok"}
    assert results[deadly][0]["error"]["code"] == "worker_died"


def test_a_complex_that_hangs_is_one_failure(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app import bulk

    monkeypatch.setattr(bulk, "TASK_SECONDS", 8.0)
    tasks = bulk.collect([layout(tmp_path / "set", examples, name) for name in ("a", "b")], "chimerax")
    hanging = dataclasses.replace(tasks[0], criteria=Hanging("chimerax"))
    results = dict(bulk._results([hanging, tasks[1]], 2))
    assert results[hanging][0]["error"]["code"] == "timed_out"
    assert results[tasks[1]][0]["status"] == "ok"


class Hanging(str):
    """Criteria whose arrival never ends."""

    def __reduce__(self) -> tuple[object, tuple[float]]:
        return time.sleep, (600.0,)


class Deadly(str):
    """Criteria whose arrival kills the worker."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (9,)


@pytest.mark.parametrize("out", ["out.csv", "out.txt"])
def test_unknown_output_is_wrong_usage(out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["label", str(tmp_path), "--out", str(tmp_path / out)]) == 2
    assert out in capsys.readouterr().err


def test_nothing_to_label_is_wrong_usage(tmp_path: Path) -> None:
    assert main(["label", str(tmp_path), "--out", str(tmp_path / "out.jsonl")]) == 2


def test_unknown_criteria_lists_the_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["label", str(tmp_path), "--out", str(tmp_path / "out.jsonl"), "--criteria", "x"]) == 2
    assert "chimerax" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["nan", "-1", "inf", "wide"])
def test_a_wrong_tolerance_is_wrong_usage(value: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["hbonds", "x.pdb", f"--angle-slop={value}"])
    assert stopped.value.code == 2

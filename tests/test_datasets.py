"""Data sets: the same bytes whatever ran them, resumed after a kill, every failure once, loaded by the usual tools."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import gemmi
import pytest
from bad_inputs import BAD
from dataset_files import contents, lines

from app.bulk import Usage, collect
from app.cli import main
from app.datasets import build as building
from app.datasets.build import Parameters, build
from app.datasets.schema import TABLES, USUAL, columns
from app.datasets.tables import rows_of
from interactions.errors import InputError, UnknownName

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "set"
    assert main(["build", str(source), "--out", str(out), "--jobs", "1"]) == 1
    return out


@pytest.mark.parametrize("engine", ["2", "4", "dask"])
def test_whatever_runs_it_the_bytes_are_the_same(
    engine: str, source: Path, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del built
    monkeypatch.setattr(building, "BLOCK", 3)
    monkeypatch.setattr(building.blocks_of, "__defaults__", (3,))
    parameters = Parameters(test_share=0.3)
    build([source], tmp_path / "one", parameters)
    if engine == "dask":
        pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
        executor = building.dask_engine("local")
        try:
            build([source], tmp_path / "other", parameters, executor)
        finally:
            client = executor._client  # type: ignore[attr-defined]
            client.cluster.close()
            client.close()
    else:
        build([source], tmp_path / "other", parameters, jobs=int(engine))
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert len(list((tmp_path / "one" / "data" / "complexes").iterdir())) >= 4


def test_a_killed_run_goes_on(source: Path, built: Path, tmp_path: Path) -> None:
    """Killed after its first block; the next run makes the rest, and the bytes of a run that nothing stopped."""
    script = (
        "import sys; from pathlib import Path; from app.datasets import build as b\n"
        "b.blocks_of.__defaults__ = (2,)\n"
        "b.build([Path(sys.argv[1])], Path(sys.argv[2]), b.Parameters())\n"
    )
    out = tmp_path / "set"
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(source), str(out)], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not list(out.glob("parts/*/rows.json")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    waiting = {path.name: path.stat().st_mtime_ns for path in (out / "parts").iterdir() if "." not in path.name}
    if not (out / "manifest.json").exists():
        assert waiting
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", script, str(source), str(out)], cwd=ROOT, check=True, env=environment)
    whole = tmp_path / "whole"
    subprocess.run([sys.executable, "-c", script, str(source), str(whole)], cwd=ROOT, check=True)
    assert contents(out) == contents(whole)
    assert not (out / "parts").exists()
    del built


def test_each_failure_stands_once_with_its_reason(built: Path) -> None:
    rows = lines(built, "failures")
    assert [(row["id"], row["code"]) for row in rows] == [("c003", "no_atoms")]


def test_broken_files_of_every_kind(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, (data, _) in BAD.items():
        (folder / f"{name}.pdb").write_bytes(data)
    shutil.copy(ROOT / "examples" / "2izf.pdb.gz", folder)
    paths = sorted(folder.iterdir())
    manifest = build(paths, tmp_path / "set", Parameters())
    rows = lines(tmp_path / "set", "failures")
    assert {row["id"]: row["code"] for row in rows} == {name: code for name, (_, code) in BAD.items()}
    assert manifest["complexes"] == len(BAD) + 2
    assert manifest["rows"]["complexes"] == 2


def test_tables_hold_what_labels_hold(source: Path, built: Path) -> None:
    from app.asking import sources
    from app.datasets.build import record_of

    first = sources([source])[0]
    record = record_of(first, Parameters())
    rows = rows_of(record)
    assert len(rows["hydrogen_bonds"]) == len(record["hydrogen_bonds"]) > 0
    assert rows["complexes"][0]["contacts"] == len(rows["contacts"]) == len(record["contacts"])
    assert [row["distance_da"] for row in rows["hydrogen_bonds"]] == [
        b["distance_da"] for b in record["hydrogen_bonds"]
    ]
    assert rows["pocket_residues"][0]["distance"] == record["pocket_residues"][0]["distance"]
    del built


def parquet(built: Path, table: str) -> list[str]:
    return [str(path) for path in sorted((built / "data" / table).glob("*.parquet"))]


@pytest.mark.parametrize("table", USUAL)
def test_parquet_and_json_lines_are_twins(built: Path, table: str) -> None:
    import pyarrow.parquet as pq

    rows = [row for path in parquet(built, table) for row in pq.read_table(path).to_pylist()]
    assert rows == lines(built, table)
    assert all(list(row) == [name for name, _, _ in columns(table)] for row in rows)


def test_the_usual_tools_read_it(built: Path) -> None:
    duckdb, polars, pandas = (pytest.importorskip(name) for name in ("duckdb", "polars", "pandas"))
    files = parquet(built, "hydrogen_bonds")
    count = len(lines(built, "hydrogen_bonds"))
    assert duckdb.sql(f"select count(*) from read_parquet({files})").fetchall() == [(count,)]
    assert len(polars.read_parquet(files)) == count
    assert sum(len(pandas.read_parquet(file)) for file in files) == count


def test_hugging_face_loads_it_offline(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    datasets = pytest.importorskip("datasets")
    for table in ("complexes", "hydrogen_bonds", "failures"):
        loaded = datasets.load_dataset(str(built), table, cache_dir=str(tmp_path))
        assert sum(len(split) for split in loaded.values()) == len(lines(built, table))


def test_the_cards_name_every_table_and_column(built: Path) -> None:
    card = (built / "README.md").read_text()
    described = json.loads((built / "croissant.json").read_text())
    assert [one["@id"] for one in described["recordSet"]] == list(USUAL)
    for table in USUAL:
        assert f"- config_name: {table}" in card
        for name, _, _ in columns(table):
            assert f"| {name} |" in card
    assert "| distance_da | float64 | Å |" in card


def test_a_set_is_checked(source: Path, built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(built, copy)
    assert main(["verify-dataset", str(copy), "--source", str(source), "--sample", "4"]) == 0
    table = next((copy / "data" / "complexes").iterdir())
    table.write_bytes(table.read_bytes() + b"x")
    (copy / "jsonl" / "complexes" / "more.jsonl").write_text("{}")
    next((copy / "data" / "sites").iterdir()).unlink()
    capsys.readouterr()
    assert main(["verify-dataset", str(copy)]) == 1
    told = capsys.readouterr().out
    assert "changed" in told
    assert "missing" in told
    assert "more.jsonl: not in the manifest" in told


def test_labels_that_no_longer_follow_are_named(
    source: Path, built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "source"
    shutil.copytree(source, other)
    shutil.copy(other / "c005" / "c005_ligand.sdf", other / "c001" / "c001_ligand.sdf")
    capsys.readouterr()
    assert main(["verify-dataset", str(built), "--source", str(other)]) == 1
    told = capsys.readouterr().out
    assert "c001: the rows of hydrogen_bonds differ" in told
    assert "c002" not in told


def test_only_some_tables(source: Path, tmp_path: Path) -> None:
    build([source], tmp_path / "set", Parameters(tables=("hydrogen_bonds", "pocket_residues")))
    made = {path.name for path in (tmp_path / "set" / "data").iterdir()}
    assert made == {"complexes", "failures", "hydrogen_bonds", "pocket_residues"}
    with pytest.raises(UnknownName, match="hydrogen_bonds"):
        Parameters(tables=("bonds",))
    assert set(made) < set(TABLES)


def test_what_was_not_looked_for_is_no_zero(source: Path, tmp_path: Path) -> None:
    build([source], tmp_path / "some", Parameters(tables=("hydrogen_bonds", "near_misses")))
    assert {(row["contacts"], row["sites"], row["flags"]) for row in lines(tmp_path / "some", "complexes")} == {
        (None, None, None)
    }
    assert lines(tmp_path / "some", "near_misses")


def test_consensus_tells_who_accepts_each_pair(examples: Path, tmp_path: Path) -> None:
    entry = tmp_path / "2izf.pdb.gz"
    shutil.copy(examples / "2izf.pdb.gz", entry)
    build([entry], tmp_path / "set", Parameters(tables=("hydrogen_bonds", "consensus")))
    rows = {(row["id"], row["receptor"], row["ligand"]): row for row in lines(tmp_path / "set", "consensus")}
    row = rows["2izf_BTN_B_300", "TYR 43 B OH", "BTN 300 B O3"]
    assert {"chimerax", "plip", "baker_hubbard"} <= set(row["accepted_by"].split())
    taken = {key for key, row in rows.items() if "chimerax" in row["accepted_by"].split()}
    assert len(taken) == len(lines(tmp_path / "set", "hydrogen_bonds")) == 14


def test_files_of_one_name_have_their_format_in_the_id(examples: Path, tmp_path: Path) -> None:
    text = gzip.decompress((examples / "2izf.pdb.gz").read_bytes()).decode()
    (tmp_path / "x.pdb").write_text(text)
    (tmp_path / "x.cif").write_text(gemmi.read_pdb_string(text).make_mmcif_document().as_string())
    (tmp_path / "y.pdb").write_text(text)
    assert [task.id for task in collect([tmp_path], "chimerax")] == ["x_cif", "x_pdb", "y"]
    (tmp_path / "x.pdb.gz").write_bytes((examples / "2izf.pdb.gz").read_bytes())
    with pytest.raises(Usage, match="x_pdb"):
        collect([tmp_path], "chimerax")


def test_a_folder_of_something_else_is_left_alone(source: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("important")
    with pytest.raises(InputError) as caught:
        build([source], tmp_path, Parameters())
    assert caught.value.code == "not_a_dataset"
    assert (tmp_path / "thesis.txt").read_text() == "important"

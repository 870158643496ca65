"""Where complexes come from: folders of files, patterns, manifests; what is wrong with a row is told by its number."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dataset_files import lines

from app.asking import sources
from app.bulk import Usage
from app.cli import main

ROOT = Path(__file__).parent.parent
ENTRY = ROOT / "examples" / "2izf.pdb.gz"
IDS = ["2izf_BTN_B_300", "2izf_BTN_D_301"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of one entry, one packed, in folders of their own; and something that is no structure."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    shutil.copy(ENTRY, tmp_path / "deep" / "2izf.pdb.gz")
    (tmp_path / "deep" / "er" / "plain.pdb").write_bytes(gzip.decompress(ENTRY.read_bytes()))
    (tmp_path / "deep" / "notes.txt").write_text("no structure")
    return tmp_path


def ids(*paths: Path) -> list[str]:
    return [source.id for source in sources(list(paths))]


def test_a_folder_of_structure_files(folder: Path) -> None:
    assert ids(folder / "deep") == IDS


def test_patterns(folder: Path) -> None:
    assert ids(folder / "**" / "*.pdb*") == [*IDS, "plain_BTN_B_300", "plain_BTN_D_301"]
    assert ids(folder / "deep" / "*") == IDS
    for nothing in ("*.cif", "deep/*.txt"):
        with pytest.raises(Usage, match="no structure file"):
            ids(folder / nothing)
    with pytest.raises(Usage, match="neither a complex in PDBbind layout"):
        ids(folder)


def manifest(folder: Path, text: str) -> Path:
    path = folder / "list.csv"
    path.write_text(text)
    return path


def test_a_manifest_names_files_ligands_and_splits(folder: Path) -> None:
    path = manifest(
        folder,
        "id,receptor,ligand,selector,split\n"
        f"b,{ROOT}/examples/2izf_receptor.pdb.gz,{ROOT}/examples/2izf_ligand.sdf,,train\n"
        "a,deep/2izf.pdb.gz,,BTN:D:301,test\n",
    )
    first, second = sources([path])
    assert (first.id, first.selector, first.split, first.task.ligand) == ("a", "BTN:D:301", "test", None)
    assert (second.id, second.selector, second.split) == ("b", None, "train")
    assert first.load().selector == "BTN:D:301"
    assert int(second.load().ligand_masks[1].sum()) > 10
    table = folder / "list.parquet"
    rows = [{"id": "a", "receptor": "deep/2izf.pdb.gz", "selector": "BTN:D:301", "split": "test"}]
    pq.write_table(pa.Table.from_pylist(rows), table)
    assert [(one.id, one.selector, one.split) for one in sources([table])] == [("a", "BTN:D:301", "test")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no column 'id'"),
        ("id,ligand\na,b\n", "no column 'receptor'"),
        ("id,receptor,chain\na,b,c\n", "unknown columns 'chain'"),
        ("id,receptor\na,b\nc,\n", "row 2: no receptor"),
        ("id,receptor\na,b\na,c\n", "row 2: the id 'a' stands in row 1"),
        ("id,receptor\na,b,c\n", "row 1: 2 cells"),
        ("id,receptor\na\n", "row 1: 2 cells"),
        ('id,receptor\n"a,b\n', "not a CSV table"),
    ],
)
def test_what_is_wrong_with_a_manifest(folder: Path, text: str, told: str) -> None:
    with pytest.raises(Usage, match=told):
        sources([manifest(folder, text)])


def test_a_manifest_that_is_none(folder: Path) -> None:
    path = folder / "list.parquet"
    path.write_bytes(b"PAR1")
    with pytest.raises(Usage, match="not a Parquet table"):
        sources([path])
    path.unlink()
    pq.write_table(pa.table({"id": [1], "receptor": ["x"]}), path)
    with pytest.raises(Usage, match="row 1: id is 1"):
        sources([path])


def test_a_set_by_given_splits(folder: Path) -> None:
    path = manifest(
        folder,
        "id,receptor,selector,split\n"
        "one,deep/2izf.pdb.gz,BTN:B:300,validation\n"
        "gone,deep/nowhere.pdb,BTN:B:300,train\n"
        "two,deep/2izf.pdb.gz,BTN:D:301,test\n"
        "odd,deep/notes.txt,BTN:D:301,test\n",
    )
    out = folder / "set"
    assert main(["build", str(path), "--out", str(out), "--split", "given", "--tables", "hydrogen_bonds"]) == 1
    failed = {row["id"]: row["code"] for row in lines(out, "failures")}
    assert failed == {"gone": "unreadable_file", "odd": "unknown_format"}
    assert sorted(path.name for path in (out / "data" / "complexes").iterdir()) == [
        "test-00000-of-00001.parquet",
        "validation-00000-of-00001.parquet",
    ]
    manifest(folder, "id,receptor,selector\none,deep/2izf.pdb.gz,BTN:B:300\n")
    assert main(["build", str(path), "--out", str(folder / "other"), "--split", "given"]) == 1

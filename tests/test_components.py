"""Index of the component dictionary: built from a hand-written dictionary, read back, damaged, absent."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from app.cli import main
from interactions.chemistry import components
from interactions.chemistry.components import build_index, component_index, is_placeholder
from interactions.errors import ChemistryError

ATOMS = """AC9 C C 0 N; AC9 O O 0 N; AC9 OXT O 0 Y; AC9 CH3 C 0 N; AC9 HXT H 0 Y; AC9 H1 H 0 N; AC9 H2 H 0 N;
AC9 H3 H 0 N; PY9 N1 N 0 N; PY9 C2 C 0 N; PY9 C3 C 0 N; PY9 C4 C 0 N; PY9 C5 C 0 N; PY9 C6 C 0 N; PY9 H2 H 0 N;
PY9 H3 H 0 N; PY9 H4 H 0 N; PY9 H5 H 0 N; PY9 H6 H 0 N; LIG C1 C 0 N; ZN9 ZN ZN 2 N; A1BCD N' N 1 N"""
BONDS = """AC9 C O DOUB N; AC9 C OXT SING N; AC9 C CH3 SING N; AC9 OXT HXT SING N; AC9 CH3 H1 SING N;
AC9 CH3 H2 SING N; AC9 CH3 H3 SING N; PY9 N1 C2 DOUB Y; PY9 C2 C3 SING Y; PY9 C3 C4 DOUB Y; PY9 C4 C5 SING Y;
PY9 C5 C6 DOUB Y; PY9 C6 N1 SING Y; PY9 C2 H2 SING N; PY9 C3 H3 SING N; PY9 C4 H4 SING N; PY9 C5 H5 SING N;
PY9 C6 H6 SING N"""


class Column:
    def __init__(self, values: list[str]) -> None:
        self.values = values

    def as_array(self) -> Any:
        return np.array(self.values)


def _category(text: str, keys: str) -> dict[str, Column]:
    rows = [row.split() for row in text.split(";")]
    return {key: Column(list(column)) for key, column in zip(keys.split(), zip(*rows, strict=True), strict=True)}


@pytest.fixture
def dictionary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A dictionary of five components in place of biotite's, and an empty cache folder."""
    module = ModuleType("biotite.structure.info.ccd")
    module.get_ccd = lambda: {  # type: ignore[attr-defined]
        "chem_comp_atom": _category(ATOMS, "comp_id atom_id type_symbol charge pdbx_leaving_atom_flag"),
        "chem_comp_bond": _category(BONDS, "comp_id atom_id_1 atom_id_2 value_order pdbx_aromatic_flag"),
    }
    for name in ("biotite", "biotite.structure", "biotite.structure.info"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(components, "biotite_version", lambda: "0.0")
    monkeypatch.setenv("MISI_ORACLE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_components_come_back_as_they_were(dictionary: Path) -> None:
    index = component_index()
    assert index is not None
    assert len(index) == 5
    acid = index.get("AC9")
    assert acid is not None
    assert acid.names == ("C", "O", "OXT", "CH3", "HXT", "H1", "H2", "H3")
    assert acid.elements == (6, 8, 8, 6, 1, 1, 1, 1)
    assert acid.leaving == (False, False, True, False, True, False, False, False)
    assert acid.bonds[:3] == ((0, 1, 2, False), (0, 2, 1, False), (0, 3, 1, False))
    ring = index.get("PY9")
    assert ring is not None
    assert [(order, flag) for *_, order, flag in ring.bonds] == [(2, True), (1, True)] * 3 + [(1, False)] * 5
    zinc, long_name = index.get("ZN9"), index.get("A1BCD")
    assert zinc is not None
    assert (zinc.charges, zinc.bonds) == ((2,), ())
    assert long_name is not None
    assert long_name.names == ("N'",)
    assert list(dictionary.iterdir()) == [dictionary / "components-biotite-0.0.bin"]


@pytest.mark.parametrize("name", ["LIG", "MOL", "UNL", "UNK", "UNX", "DRG", "INH", "lig", ""])
@pytest.mark.usefixtures("dictionary")
def test_placeholders_are_never_looked_up(name: str) -> None:
    assert is_placeholder(name)
    index = component_index()
    assert index is not None
    assert index.get(name) is None


@pytest.mark.parametrize("name", ["A", "AC", "AC99", "ZZZ", "ac9", "PY9 ", "A1BCDEFGH"])
@pytest.mark.usefixtures("dictionary")
def test_a_name_that_is_not_there(name: str) -> None:
    index = component_index()
    assert index is not None
    assert index.get(name) is None


@pytest.mark.usefixtures("dictionary")
def test_the_index_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    component_index()
    monkeypatch.setattr(components, "_index_bytes", lambda _: pytest.fail("built again"))
    index = component_index()
    assert index is not None
    assert index.get("AC9") is not None


@pytest.mark.usefixtures("dictionary")
def test_progress_ends_with_all() -> None:
    seen: list[tuple[int, int]] = []
    build_index(lambda done, of: seen.append((done, of)))
    assert seen[-1] == (5, 5)


@pytest.mark.parametrize("damage", [b"", b"misi-components-1\n", b"nonsense" * 9])
@pytest.mark.usefixtures("dictionary")
def test_a_damaged_index_is_built_anew(damage: bytes) -> None:
    path = build_index()
    whole = path.read_bytes()
    for data in (damage, whole[:-1]):
        path.write_bytes(data)
        index = component_index()
        assert index is not None
        assert index.get("PY9") is not None
        assert path.read_bytes() == whole


def test_a_cache_that_cannot_be_written(dictionary: Path) -> None:
    dictionary.parent.mkdir(exist_ok=True)
    dictionary.write_text("a file where the folder should be")
    index = component_index()
    assert index is not None
    assert index.get("PY9") is not None
    assert component_index() is index
    components._in_memory.clear()


def test_without_biotite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(components, "biotite_version", lambda: None)
    monkeypatch.setenv("MISI_ORACLE_CACHE", str(tmp_path))
    assert component_index() is None
    with pytest.raises(ChemistryError) as caught:
        build_index()
    assert caught.value.code == "no_components"
    assert main(["components"]) == 1
    assert "no_components" in capsys.readouterr().err


@pytest.mark.usefixtures("dictionary")
def test_an_index_outlives_biotite(monkeypatch: pytest.MonkeyPatch) -> None:
    build_index()
    monkeypatch.setattr(components, "biotite_version", lambda: None)
    index = component_index()
    assert index is not None
    assert index.get("AC9") is not None


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MISI_ORACLE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert components.cache_folder() == tmp_path / "misi-oracle"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert components.cache_folder() == Path.home() / ".cache" / "misi-oracle"


def test_the_command_prints_the_path(dictionary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["components"]) == 0
    shown = capsys.readouterr()
    assert shown.out.strip() == str(dictionary / "components-biotite-0.0.bin")
    assert "5 of 5" in shown.err


def test_biotin_in_the_real_dictionary() -> None:
    pytest.importorskip("biotite", reason="the component dictionary comes with biotite (extra: bench)")
    index = component_index()
    assert index is not None
    biotin = index.get("BTN")
    assert biotin is not None
    elements = sorted(biotin.elements)
    assert [elements.count(number) for number in (6, 1, 7, 8, 16)] == [10, 16, 2, 3, 1]  # C10 H16 N2 O3 S
    doubles = {frozenset((biotin.names[a], biotin.names[b])) for a, b, order, _ in biotin.bonds if order == 2}
    assert doubles == {frozenset(("C11", "O11")), frozenset(("C3", "O3"))}

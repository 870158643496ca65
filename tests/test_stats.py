"""The report on a data set: counts known by hand, text of users that stays text, the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.datasets.build import Parameters, build
from app.datasets.report import html
from app.datasets.schema import columns
from app.datasets.statistics import statistics
from app.datasets.tables import write_table
from interactions.errors import InputError

BLANK: dict[str, Any] = {"s": "", "i": 0, "f": 0.0, "b": False}


def rows_of(table: str, *given: dict[str, Any]) -> list[dict[str, Any]]:
    blank = {name: None if null else BLANK[word] for name, word, null in columns(table)}
    return [blank | one for one in given]


@pytest.fixture
def by_hand(tmp_path: Path) -> Path:
    """Two complexes in train, one in test; four bonds; a failure with an id of a joker."""
    bonds = [
        {"distance_da": 2.8, "donor_residue_name": "SER", "strict": True},
        {"distance_da": 2.84, "donor_residue_name": "SER", "strict": True, "distance_ha": 1.9},
        {"distance_da": 2.9, "donor_residue_name": "LIG", "strict": False, "flags": "near_cutoff rotor"},
        {"distance_da": 4.7, "donor_residue_name": "LIG", "strict": False, "flags": "rotor"},
    ]
    tables = {
        ("complexes", "train"): [{"id": "a", "hydrogen_bonds": 4}, {"id": "b", "flags": "nqh_flip"}],
        ("complexes", "test"): [{"id": "c"}],
        ("hydrogen_bonds", "train"): bonds,
        ("failures", "train"): [{"id": "<script>alert(1)</script>", "code": "<b>no_atoms</b>"}],
    }
    counts: dict[str, int] = dict.fromkeys(("complexes", "hydrogen_bonds", "contacts", "failures"), 0)
    for (table, split), rows in tables.items():
        place = tmp_path / "data" / table / f"{split}-00000-of-00001.parquet"
        place.parent.mkdir(parents=True, exist_ok=True)
        write_table(table, rows_of(table, *rows), place)
        counts[table] += len(rows)
    manifest = {"version": "1", "parameters": {"criteria": "chimerax"}, "complexes": 4, "rows": counts, "files": {}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    return tmp_path


def counts(numbers: dict[str, Any], title: str) -> dict[str, int]:
    (found,) = (one["counts"] for one in numbers["counts"] if one["title"] == title)
    return dict(found)


def bins(numbers: dict[str, Any], title: str) -> dict[float, int]:
    (found,) = (one for one in numbers["histograms"] if one["title"] == title)
    return {one["from"]: one["count"] for one in found["bins"] if one["count"]}


def test_numbers_known_by_hand(by_hand: Path) -> None:
    numbers = statistics(by_hand)
    assert numbers["splits"]["complexes"] == {"test": 1, "train": 2}
    assert bins(numbers, "Distance donor to acceptor") == {2.8: 2, 2.9: 1, 4.5: 1}  # the last bin is open
    assert bins(numbers, "Hydrogen bonds of a complex") == {0.0: 2, 4.0: 1}
    (distances,) = (one for one in numbers["histograms"] if one["column"] == "distance_ha")
    assert (distances["values"], distances["missing"], distances["mean"]) == (1, 3, 1.9)
    assert counts(numbers, "Residues of donors") == {"LIG": 2, "SER": 2}
    assert counts(numbers, "Bonds that also hold without relaxation") == {"false": 2, "true": 2}
    assert counts(numbers, "What another reading of a bond could change") == {"rotor": 2, "near_cutoff": 1}
    assert counts(numbers, "Complexes with an ambiguity") == {"nqh_flip": 1, "not looked for": 2}
    assert counts(numbers, "Failures by reason") == {"<b>no_atoms</b>": 1}
    assert not any(one["table"] == "contacts" for one in numbers["counts"])


def test_the_page_stands_alone_and_text_stays_text(by_hand: Path) -> None:
    page = html(statistics(by_hand))
    assert "<script" not in page
    assert "<b>no_atoms" not in page
    assert "&lt;b&gt;no_atoms&lt;/b&gt;" in page
    assert page.count("<figure role=") == page.count("aria-label") == page.count("<svg") + page.count("<p>None.</p>")
    for outside in ("src=", "@import", "url(http", "<link"):
        assert outside not in page
    assert html(statistics(by_hand)) == page


def test_the_command(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build([source], tmp_path / "set", Parameters(tables=("hydrogen_bonds", "questions"), questions=1))
    out = tmp_path / "numbers.json"
    assert main(["stats", str(tmp_path / "set"), "--out", str(out)]) == 0
    numbers = json.loads(out.read_text())
    assert numbers["complexes"] == 10
    assert counts(numbers, "Failures by reason") == {"no_atoms": 1}
    assert sum(numbers["answers"]["translation"].values()) == 9
    assert main(["stats", str(tmp_path / "set"), "--out", str(tmp_path / "report.html")]) == 0
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")
    capsys.readouterr()
    assert main(["stats", str(tmp_path)]) == 1
    assert "not_a_dataset" in capsys.readouterr().err


def test_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        statistics(tmp_path)
    assert caught.value.code == "not_a_dataset"


def test_an_empty_data_set(by_hand: Path) -> None:
    manifest = json.loads((by_hand / "manifest.json").read_text())
    manifest["rows"] = dict.fromkeys(manifest["rows"], 0)
    (by_hand / "manifest.json").write_text(json.dumps(manifest))
    numbers = statistics(by_hand)
    assert (numbers["histograms"], numbers["counts"]) == ([], [])
    assert "<h2>Rows</h2>" in html(numbers)

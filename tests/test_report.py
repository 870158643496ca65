"""Reports: the paper's averages, floors, intervals and pages."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_answers import EXAMPLES, T1, T2, T4, T5, T7, T9

from interactions.errors import InputError, UnknownName
from interactions.questions.answers import KINDS, Bond, Bonds, Move
from interactions.questions.bootstrap import interval, resampled_means
from interactions.questions.columns import average
from interactions.questions.published import published_rows
from interactions.questions.report import Truths, build
from interactions.questions.report_pages import as_html, as_json, as_markdown, as_plots, write
from interactions.questions.scoring import truth_sizes, verify
from interactions.questions.wording import answer_text

ODD = {"GPT-4.1": 28.199, "Qwen3-VL-235B-A22B-thinking": 23.365}


def record(kind: str, response: str, truth: Any, number: int, metric: str = "misi") -> dict[str, Any]:
    ids = {"id": f"{kind}-{number}", "kind": kind, "complex": f"c{number % 7}", "truth_sizes": truth_sizes(truth)}
    return ids | verify(kind, response, truth, metric=metric)


def right_answers(count: int = 4) -> list[dict[str, Any]]:
    no = Bonds(frozenset())
    records = [record(k, answer_text(k, EXAMPLES[k]), EXAMPLES[k], n) for k in KINDS for n in range(count)]
    return records + [record(T4, "No", no, 100 + n) for n in range(count)]


def measured(report: dict[str, Any], table: int = 0) -> dict[str, Any]:
    row = report["tables"][table]["rows"][0]
    assert row["source"] == "measured"
    return dict(row)


# --- published numbers


def test_printed_averages_follow_from_their_columns_but_for_two() -> None:
    rows = published_rows("composite")
    assert len(rows) == 12
    for row in rows:
        follows = abs(row["average"] - row["printed_average"]) <= 0.02
        assert follows == (row["system"] not in ODD) == (not row["note"])
    assert {row["system"]: round(row["average"], 3) for row in rows if row["note"]} == pytest.approx(ODD, abs=1e-3)


def test_published_exact_matches() -> None:
    rows = {row["system"]: row for row in published_rows("exact")}
    assert rows["human"]["average"] == pytest.approx(76.25, abs=0.02)
    assert rows["Qwen2.5VL-7B-SFT"]["average"] == pytest.approx(57.56, abs=0.02)
    assert not any(row["note"] for row in rows.values())


def systems_on_steps(column: str, steps: int, full: int) -> int:
    """How many published scores are whole numbers of steps over all questions, or over 44 to 50 of the subset's 50."""
    found = 0
    for row in published_rows("composite"):
        value = row["columns"][column]
        counts = [full] if row["subset"] == "full" else range(44, 51)
        found += any(abs(value - 100 * round(value / 100 * n * steps) / (n * steps)) < 0.0051 for n in counts)
    return found


@pytest.mark.parametrize(("column", "scale", "full"), [("T1", 7, 980), ("T2", 11, 1470)])
def test_published_scores_tell_the_normaliser(column: str, scale: int, full: int) -> None:
    assert systems_on_steps(column, scale, full) == 12
    assert systems_on_steps(column, scale + 1, full) < 5


def test_the_average_needs_all_eight() -> None:
    columns: dict[str, float | None] = dict.fromkeys(("T1", "T2", "T3", "T4+", "T4-", "T7", "T8", "T9"), 50.0)
    assert average(columns | {"T5": 0.0, "T6": 0.0}) == 50
    assert average(columns | {"T1": 90.0}) == 55
    assert average(columns | {"T9": None}) is None


# --- measured rows


def test_right_answers_make_a_full_table() -> None:
    report = build(right_answers())
    for table in (0, 1):
        row = measured(report, table)
        assert (row["average"], set(row["columns"].values())) == (100, {100})
        assert list(row["columns"]) == report["columns"]
        assert row["intervals"]["average"] == [100, 100]
    assert set(report["counts"].values()) == {4}


def test_scores_are_means_of_columns() -> None:
    truth = Move("x", 4)
    records = [record(T1, f"move x {d}", truth, n) for n, d in enumerate((4, 4, 3, -4))]
    records += [record(T4, "No", EXAMPLES[T4], 9), record(T4, "No", Bonds(frozenset()), 10)]
    row = measured(build(records))
    assert row["columns"] == {"T1": round(100 * (2 + 6 / 7) / 4, 2), "T4+": 0, "T4-": 100}
    assert row["average"] is None
    assert measured(build(records), 1)["columns"] == {"T1": 50, "T4+": 0, "T4-": 100}


def test_unread_counts_as_nothing_and_unusable_not_at_all() -> None:
    records = [record(T5, "C", EXAMPLES[T5], 0), record(T5, "A or B", EXAMPLES[T5], 1)]
    records.append({**record(T5, "C", EXAMPLES[T5], 2), **verify(T5, "C", None)})
    report = build(records)
    assert (report["records"], report["not_read"], report["left_out"]) == (2, 1, 1)
    assert measured(report)["columns"] == {"T5": 50}


def test_breakdowns() -> None:
    one = Bonds(frozenset({Bond("SER", "1", "OG", "A", "O1")}))
    records = [record(T9, "SER 1 OG A, O1", one, n) for n in range(3)]
    records += [record(T9, "SER 1 OG A, O1", EXAMPLES[T9], 5), record(T2, "roll y 0", EXAMPLES[T2], 6)]
    parts = {(part["column"], part["by"]): part["bins"] for part in build(records)["breakdowns"]}
    assert parts == {
        ("T9", "number of bonds"): [
            {"value": 1, "count": 3, "score": 100, "exact": 100},
            {"value": 2, "count": 1, "score": 0, "exact": 0},
        ],
        ("T2", "angle"): [{"value": 15, "count": 1, "score": 90.91, "exact": 0}],
    }


def test_the_report_does_not_depend_on_the_order_of_records() -> None:
    records = right_answers() + [record(T1, f"move x {n}", EXAMPLES[T1], 50 + n) for n in range(5)]
    shuffled = random.Random(3).sample(records, len(records))
    assert as_json(build(records)) == as_json(build(shuffled))
    assert as_json(build(records, seed=1)) != as_json(build(records, seed=2))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"metric": "f1"}, InputError, "several metrics"),
        ({"mode": "lenient"}, InputError, "several modes"),
        ({"kind": "T1"}, UnknownName, "translation"),
        ({"kind": T4, "truth_sizes": {}}, InputError, "number of bonds"),
    ],
)
def test_bad_records(change: dict[str, Any], error: type[Exception], message: str) -> None:
    good = record(T1, "move x 4", EXAMPLES[T1], 0)
    with pytest.raises(error, match=message):
        build([good, good | change])


def test_missing_keys_and_no_records() -> None:
    with pytest.raises(InputError, match="lacks score, exact"):
        build([{"id": "1", "kind": T1}])
    with pytest.raises(InputError, match="no score record"):
        build([])


# --- intervals


def test_an_interval_of_independent_scores() -> None:
    scores = np.array([0.0, 1.0] * 200)
    drawn = resampled_means(scores, np.zeros(400, np.int64), np.arange(400), resamples=2000, seed=0)
    ends = interval(drawn[:, 0])
    assert ends is not None
    assert ends == pytest.approx([0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025], abs=0.006)


def test_answers_about_one_complex_count_as_one() -> None:
    scores, clusters = np.repeat([0.0, 1.0], 200), np.repeat(np.arange(4), 100)
    drawn = resampled_means(scores, np.zeros(400, np.int64), clusters, resamples=2000, seed=0)
    assert set(np.round(drawn[:, 0], 9)) == {0, 0.25, 0.5, 0.75, 1}


def test_too_few_resamples_give_no_interval() -> None:
    assert interval(np.array([np.nan, np.nan, 1.0])) is None


# --- floors


def test_floors_without_truths() -> None:
    rows = build(right_answers())["tables"][0]["rows"]
    drawn, constant = rows[1:3]
    assert (drawn["system"], constant["system"]) == ("random answers", "best constant answer")
    assert drawn["columns"] == {"T1": 27.9, "T2": 19.82, "T3": 4.76, "T5": 25, "T6": 25, "T8": 25}
    assert (constant["columns"]["T4+"], constant["columns"]["T4-"]) == (0, 100)
    assert (drawn["average"], constant["average"]) == (None, None)


def test_floors_with_truths() -> None:
    truths = Truths(
        {T7: [EXAMPLES[T7]], T9: [EXAMPLES[T9]], T4: [EXAMPLES[T4], Bonds(frozenset())]}, {T4: [2, 3], T9: [2]}
    )
    drawn, constant = build(right_answers(), truths=truths)["tables"][0]["rows"][1:3]
    # of four subsets of two pairs: none 0, each alone 1, both 1; of eight subsets of three pairs one is empty
    assert (drawn["columns"]["T4+"], drawn["columns"]["T4-"], drawn["columns"]["T9"]) == (75, 12.5, 75)
    assert (constant["columns"]["T7"], constant["columns"]["T9"]) == (100, 100)
    assert constant["average"] is not None
    assert "T7 roll x 75, move x -14" in constant["note"]


# --- pages


class Tags(HTMLParser):
    """Counts tags, and checks that each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name in ("src", "href") for name, _ in attrs)  # nothing from outside
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_pages(tmp_path: Path) -> None:
    report = build(right_answers(), system="a|b <model>\n*x*")
    names = [path.name for path in write(report, tmp_path)]
    assert names[:3] == ["report.md", "report.json", "report.html"]
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == report
    markdown = (tmp_path / "report.md").read_text("utf-8")
    rows = [line for line in markdown.splitlines() if line.startswith(("| GPT-4.1", "| a\\|b"))]
    assert {line.replace("\\|", "").count("|") for line in rows} == {14}
    assert all(f"]({name})" in markdown for name in names[3:])
    assert "GPT-4.1: the printed average 29.20 does not follow" in markdown
    assert "Qwen3-VL-235B-A22B-thinking: the printed average 23.34 does not follow" in markdown
    tags = Tags()
    tags.feed((tmp_path / "report.html").read_text("utf-8"))
    assert not tags.open
    assert (tags.seen.count("svg"), tags.seen.count("model")) == (len(names) - 3, 0)


def test_plots_are_the_same_each_time_and_well_formed() -> None:
    report = build(right_answers())
    plots = as_plots(report)
    assert plots == as_plots(json.loads(as_json(report)))
    assert {"misi.svg", "exact.svg", "t4-positive-by-number-of-bonds.svg", "t3-by-zoom-depth.svg"} <= set(plots)
    for text in plots.values():
        ElementTree.fromstring(text)
    assert plots["misi.svg"].count("<rect") == 10


def test_f1_reports_have_no_published_composite() -> None:
    records = [record(T1, "move x 4", EXAMPLES[T1], n, "f1") for n in range(3)]
    titles = {table["title"]: len(table["rows"]) for table in build(records)["tables"]}
    assert titles == {"F1 (bonds) and exact match": 3, "Exact match": 5}
    assert as_markdown(build(records)).count("GPT-4.1") == as_html(build(records)).count("GPT-4.1") == 1

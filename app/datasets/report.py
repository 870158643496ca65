"""The report on a data set: one page without anything from outside, each chart beside its numbers."""

from __future__ import annotations

import io
from html import escape
from typing import Any

from app.datasets.statistics import MOST

Record = dict[str, Any]

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { padding: 0.15rem 0.7rem; border-bottom: 1px solid #8886; text-align: right; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; background: #fff; border-radius: 4px; }
details { margin-bottom: 1.5rem; }
"""


def html(numbers: Record) -> str:
    """The page; the same numbers give the same bytes."""
    charts = [_histogram(one) for one in numbers["histograms"]] + [_counts(one) for one in numbers["counts"]]
    answers = [
        _counts({"title": f"Answers to {kind}", "counts": counts}) for kind, counts in numbers["answers"].items()
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Data set of labels</title>'
        f"<style>{STYLE}</style></head><body>\n<h1>Data set of labels</h1>\n"
        + _provenance(numbers)
        + _sizes(numbers)
        + "".join(charts + answers)
        + "</body></html>\n"
    )


def _provenance(numbers: Record) -> str:
    rows = [("version", numbers["version"]), ("complexes", numbers["complexes"]), *numbers["parameters"].items()]
    cells = [
        (name, ", ".join(value) if isinstance(value, list) else "" if value is None else value) for name, value in rows
    ]
    return "<h2>Provenance</h2>\n" + _table(("", ""), cells)


def _sizes(numbers: Record) -> str:
    splits = sorted({split for counts in numbers["splits"].values() for split in counts})
    rows = [
        (table, count, *(numbers["splits"].get(table, {}).get(split, 0) for split in splits))
        for table, count in numbers["rows"].items()
    ]
    return "<h2>Rows</h2>\n" + _table(("table", "rows", *splits), rows)


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    def line(cells: tuple[Any, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    top = line(head, "th") if any(head) else ""
    return f"<table>{top}{''.join(line(row, 'td') for row in rows)}</table>\n"


def _histogram(one: Record) -> str:
    unit = f" ({one['unit']})" if one["unit"] else ""
    told = [(name, one[name]) for name in ("values", "missing", "mean", "least", "most") if name in one]
    last = len(one["bins"]) - 1
    labels = [f"{each['from']:g}" + ("+" if at == last else "") for at, each in enumerate(one["bins"])]
    counts = [each["count"] for each in one["bins"]]
    rows = [(label, count) for label, count in zip(labels, counts, strict=True) if count]
    numbers = _table(("", ""), told) + _table((f"from{unit}", "rows"), rows)
    return _section(one["title"] + unit, _bars(labels, counts), numbers)


def _counts(one: Record) -> str:
    pairs = list(one["counts"].items())
    shown = pairs[:MOST]
    drawn = _bars([name for name, _ in shown], [count for _, count in shown]) if shown else "<p>None.</p>"
    return _section(one["title"], drawn, _table(("", "rows"), pairs))


def _section(title: str, chart: str, numbers: str) -> str:
    name = escape(title)
    return (
        f'<section><h2>{name}</h2>\n<figure role="img" aria-label="{name}: the numbers stand below">{chart}</figure>\n'
        f"<details><summary>Numbers</summary>{numbers}</details></section>\n"
    )


def _bars(labels: list[str], counts: list[int]) -> str:
    """A bar chart as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # Text stays text, and nothing of the moment or the machine gets in.
    with mpl.rc_context({"svg.hashsalt": "misi-oracle", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(9, 2.8), layout="constrained")
        axes = figure.add_subplot()
        axes.bar(range(len(counts)), counts, color="#3b6ea5")
        axes.set_xticks(range(len(labels)), [_plain(label) for label in labels], rotation=90, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


def _plain(label: str) -> str:
    """A label that matplotlib takes for no formula."""
    return (label if len(label) <= 24 else label[:23] + "…").replace("$", r"\$")

"""A report as Markdown, JSON and HTML, and its plots as SVG files beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import orjson

from interactions.questions.plots import breakdown_plot, table_plot
from interactions.questions.report import Report, Row

Cells = list[list[str]]

_STYLE = (
    "body{font-family:sans-serif;margin:2em;max-width:90em}table{border-collapse:collapse;margin:1em 0}"
    "td,th{border:1px solid #ccc;padding:.3em .6em;text-align:right}td:first-child,th:first-child{text-align:left}"
    "svg{max-width:100%;height:auto}"
)


def write(report: Report, folder: Path) -> list[Path]:
    """Writes report.md, report.json, report.html and the plots; the files, in order of writing."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "report.md": as_markdown(report),
        "report.json": as_json(report),
        "report.html": as_html(report),
        **as_plots(report),
    }
    for name, text in contents.items():
        (folder / name).write_text(text, "utf-8", newline="\n")
    return [folder / name for name in contents]


def as_json(report: Report) -> str:
    return orjson.dumps(report, option=orjson.OPT_INDENT_2).decode() + "\n"


def as_plots(report: Report) -> dict[str, str]:
    """SVG texts by file name: one for each table and each breakdown."""
    tables = {f"{table['metric']}.svg": table_plot(table) for table in report["tables"]}
    return tables | {f"{_slug(part)}.svg": breakdown_plot(part) for part in report["breakdowns"]}


def as_markdown(report: Report) -> str:
    """The report as Markdown; its pictures are the files of ``as_plots``."""
    parts = [f"# {_plain(_title(report))}", _summary(report)]
    for table in report["tables"]:
        parts += [f"## {table['title']}", _markdown_table(table_cells(report, table))]
        parts.append(f"![{table['title']}]({table['metric']}.svg)")
    parts += ["## Notes", "\n".join(f"- {_plain(note)}" for note in _notes(report))]
    for part in report["breakdowns"]:
        parts += [f"## {part['column']} by {part['by']}", _markdown_table(bin_cells(part))]
        parts.append(f"![{part['column']} by {part['by']}]({_slug(part)}.svg)")
    return "\n\n".join(parts) + "\n"


def as_html(report: Report) -> str:
    """The report as one page that needs no other file."""
    title = escape(_title(report))
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1><p>{escape(_summary(report))}</p>",
    ]
    for table in report["tables"]:
        parts += [f"<h2>{escape(table['title'])}</h2>", _html_table(table_cells(report, table)), table_plot(table)]
    parts += ["<h2>Notes</h2><ul>", *(f"<li>{escape(note)}</li>" for note in _notes(report)), "</ul>"]
    for part in report["breakdowns"]:
        parts += [f"<h2>{part['column']} by {part['by']}</h2>", _html_table(bin_cells(part)), breakdown_plot(part)]
    return "\n".join(parts) + "\n</body></html>\n"


def table_cells(report: Report, table: Row) -> Cells:
    """Header and rows: system, average, the paper's printed average, columns."""
    columns = report["columns"]
    rows = [["system", "average", "printed", *columns]]
    for row in table["rows"]:
        intervals = row.get("intervals", {})
        name = report["system"] if row["source"] == "measured" else row["system"]
        rows.append(
            [
                name + (f" ({row['subset']})" if row.get("subset") == "full" else ""),
                _number(row["average"], intervals.get("average")),
                _number(row.get("printed_average")) + ("*" if row["note"] and row.get("printed_average") else ""),
                *(_number(row["columns"].get(column), intervals.get(column)) for column in columns),
            ]
        )
    return rows


def bin_cells(part: Row) -> Cells:
    unit = f" ({part['unit']})" if part["unit"] else ""
    rows = [[f"{b['value']}", f"{b['count']}", f"{b['score']:.2f}", f"{b['exact']:.2f}"] for b in part["bins"]]
    return [[part["by"] + unit, "questions", "score", "exact"], *rows]


def _title(report: Report) -> str:
    return f"Report: {report['system']}"


def _summary(report: Report) -> str:
    return (
        f"{report['records']} answers scored ({report['mode']}, {report['metric']}), {report['not_read']} of them not "
        f"read; {report['left_out']} left out because their truth cannot be used. Numbers are percent."
    )


def _notes(report: Report) -> list[str]:
    constants = [row["note"] for row in report["tables"][0]["rows"] if row["source"] == "floor" and row["note"]]
    return [*report["notes"], *(f"Best constant answers: {text}." for text in constants)]


def _number(value: Any, ends: Sequence[float] | None = None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" + (f" [{ends[0]:.1f}, {ends[1]:.1f}]" if ends else "")


def _slug(part: Row) -> str:
    column = part["column"].replace("+", "-positive")
    return re.sub(r"[^a-z0-9]+", "-", f"{column} by {part['by']}".lower())


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_<>|\[\]])", r"\\\1", " ".join(text.split()))


def _markdown_table(cells: Cells) -> str:
    head, *rows = [[_plain(cell) for cell in row] for row in cells]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _html_table(cells: Cells) -> str:
    head, *rows = [[escape(cell) for cell in row] for row in cells]
    lines = ["".join(f"<th>{cell}</th>" for cell in head), *("".join(f"<td>{c}</td>" for c in row) for row in rows)]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"

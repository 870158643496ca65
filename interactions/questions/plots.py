"""Bar charts as SVG text: the same report gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

HEIGHT, BAR, GAP = 200, 34, 12  # px
_LEFT, _TOP, _BOTTOM = 44, 34, 58
_BLUE, _ORANGE = "#4477aa", "#ee7733"


class Bar(NamedTuple):
    """One bar: percent, the ends of its interval if there are any, and a mark to compare with (percent)."""

    label: str
    value: float
    ends: Sequence[float] | None = None
    mark: float | None = None
    note: str = ""


def bars(title: str, axis: str, values: Sequence[Bar]) -> str:
    """A bar chart from 0 to 100 %, self-contained, with a title for those who do not see it."""
    width = _LEFT + len(values) * (BAR + GAP) + GAP
    width = max(width, 360)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + _TOP + _BOTTOM}" role="img" '
        'font-family="sans-serif" font-size="11">',
        f"<title>{escape(title)}</title>",
        f'<text x="{_LEFT}" y="18" font-size="13">{escape(title)}</text>',
        *_grid(width),
        *(part for place, bar in enumerate(values) for part in _bar(place, bar)),
        f'<text x="{width / 2:g}" y="{HEIGHT + _TOP + _BOTTOM - 8}" text-anchor="middle">{escape(axis)}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def breakdown_plot(part: dict[str, Any]) -> str:
    """Score (bars) and exact match (marks) by one size of the truth."""
    unit = f" ({part['unit']})" if part["unit"] else ""
    values = [Bar(f"{b['value']}", b["score"], None, b["exact"], f"n={b['count']}") for b in part["bins"]]
    return bars(f"{part['column']} by {part['by']}: score (bars), exact match (marks), %", part["by"] + unit, values)


def table_plot(table: dict[str, Any]) -> str:
    """The measured row of a table with its intervals; marks are the floor of random answers."""
    measured, drawn = table["rows"][0], table["rows"][1]["columns"]
    values = [
        Bar(name, value, measured["intervals"].get(name), drawn.get(name))
        for name, value in measured["columns"].items()
    ]
    return bars(f"{table['title']}, % (marks: random answers)", "task", values)


def _height(value: float) -> float:
    return round(_TOP + HEIGHT * (1 - value / 100), 1)


def _grid(width: int) -> list[str]:
    lines = []
    for value in range(0, 101, 25):
        y = _height(value)
        lines.append(f'<line x1="{_LEFT}" x2="{width}" y1="{y}" y2="{y}" stroke="#cccccc"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{value}</text>')
    return lines


def _bar(place: int, bar: Bar) -> list[str]:
    x, y = _LEFT + GAP + place * (BAR + GAP), _height(bar.value)
    middle = x + BAR / 2
    parts = [
        f'<rect x="{x}" y="{y}" width="{BAR}" height="{round(_height(0) - y, 1)}" fill="{_BLUE}"/>',
        f'<text x="{middle:g}" y="{_height(0) + 14}" text-anchor="middle">{escape(bar.label)}</text>',
        f'<text x="{middle:g}" y="{_height(0) + 27}" text-anchor="middle" fill="#666666">{escape(bar.note)}</text>',
    ]
    if bar.ends:
        low, high = map(_height, bar.ends)
        parts.append(f'<line x1="{middle:g}" x2="{middle:g}" y1="{low}" y2="{high}" stroke="black" stroke-width="2"/>')
    if bar.mark is not None:
        mark = _height(bar.mark)
        parts.append(
            f'<line x1="{x - 3}" x2="{x + BAR + 3}" y1="{mark}" y2="{mark}" stroke="{_ORANGE}" stroke-width="3"/>'
        )
    return parts

"""All studies on one page: published points under what was measured, how many rows say what, every plot."""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from braid.explore.report.drawing import FAINT, Picture, thinned
from braid.explore.report.page import Section, folded, page, table

from braid_tools.comparison import Kind, Row, Verdict, summary

COUNTED = (Verdict.MATCH, Verdict.EXPLAINED, Verdict.DIFFERS, Verdict.TOO_SMALL, Verdict.NOT_MEASURED)
#: What does not count as a difference, and colours that any eye tells apart.
AGREES = (Verdict.MATCH, Verdict.EXPLAINED, Verdict.TOO_SMALL)
GOOD, WRONG = "#0072b2", "#d55e00"
MOST_MARKS = 150  # of a picture
MOST_RATIO = 30  # of a linear axis: greatest over least


@dataclass
class Reproduced:
    """What came of a study."""

    name: str
    rows: list[Row] = field(default_factory=list)
    plots: list[Path] = field(default_factory=list)
    error: str = ""  # why it ended early
    as_known: bool = False  # its own verdict


def counts(rows: Sequence[Row]) -> list[int]:
    """How many rows have each verdict, in the order of COUNTED."""
    found = Counter(row.verdict for row in rows)
    return [found[verdict] for verdict in COUNTED]


def _plot(file: Path) -> str:
    data = base64.b64encode(file.read_bytes()).decode()
    return (
        f'<figure tabindex="0"><figcaption>{escape(file.name)}</figcaption>'
        f'<img style="width:100%" alt="{escape(file.stem)}" src="data:image/png;base64,{data}"></figure>'
    )


def figures_of(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows that a picture can show: tests of published numbers, by figure and unit."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.kind == Kind.NUMBER and row.measured is not None and math.isfinite(row.measured):
            found.setdefault((row.figure, row.unit), []).append(row)
    return list(found.values())


def published_beside_measured(rows: Sequence[Row]) -> tuple[str, Picture]:
    """Rows of one figure and unit: what is published, with its tolerance, under what was measured."""
    picture = Picture(height=3.2)
    axes = picture.axes
    places = thinned(len(rows), MOST_MARKS)
    shown = [rows[place] for place in places]
    whiskers = [abs(row.published) * row.tolerance for row in shown]
    ends = [(row.published + (row.published if row.most is None else row.most)) / 2 for row in shown]
    axes.errorbar(places, ends, yerr=whiskers, linestyle="", color=FAINT, linewidth=1, capsize=2)
    [published] = axes.plot(
        places, ends, linestyle="", marker="s", markersize=7, color=FAINT, markerfacecolor="none", label="published"
    )
    picture.say(published, [f"{row.quantity}: published {row.published:.5g} {row.unit}" for row in shown])
    for good, colour, label in ((True, GOOD, "measured"), (False, WRONG, "measured, differs")):
        some = [(place, row) for place, row in zip(places, shown, strict=True) if (row.verdict in AGREES) == good]
        if not some:
            continue
        ys = [row.measured for _, row in some]
        marks = axes.plot([place for place, _ in some], ys, linestyle="", marker="o", color=colour, label=label)
        picture.say(marks[0], [_tip(row) for _, row in some])
    values = [value for row in shown for value in (row.published, row.measured) if value is not None]
    if min(values) > 0 and max(values) > MOST_RATIO * min(values):
        axes.set_yscale("log")
    axes.set_xlabel("row")
    axes.set_ylabel(rows[0].unit)
    axes.grid(axis="y")
    axes.legend()
    count = sum(row.verdict in AGREES for row in rows)
    left = "" if len(shown) == len(rows) else f"; {len(shown)} are drawn"
    return f"{rows[0].figure}: {count} of {len(rows)} published figures are met or explained{left}", picture


def _tip(row: Row) -> str:
    return f"{row.quantity}: measured {row.measured:.5g} {row.unit}, published {row.published:.5g}: {row.verdict.value}"


def _section(one: Reproduced) -> Section:
    section = Section(one.name, [published_beside_measured(rows) for rows in figures_of(one.rows)])
    if one.error:
        section.html.append(f"<p>ended early: {escape(one.error)}</p>")
    section.html += [f"<p>{escape(line)}</p>" for line in summary(one.rows)]
    if one.plots:
        section.html.append(f'<div class="figures">{"".join(map(_plot, one.plots))}</div>')
    head = ["figure", "quantity", "unit", "published", "measured", "ratio", "verdict"]
    rows = [[r.figure, r.quantity, r.unit, r.published, r.measured, r.ratio, r.verdict.value] for r in one.rows]
    marks = [row.verdict == Verdict.DIFFERS for row in one.rows]
    if rows:
        section.html.append(folded(f"{len(rows)} rows; those that differ are marked", table(head, rows, marks)))
    return section


def overview(all_of: Sequence[Reproduced], lead: str) -> str:
    """The page."""
    head = ["study", *(verdict.value for verdict in COUNTED), "as known"]
    lines = [[one.name, *counts(one.rows), "yes" if one.as_known else "no"] for one in all_of]
    first = Section("All studies", html=[table(head, lines, [not one.as_known for one in all_of])])
    return page("Published and measured", [lead], [first, *map(_section, all_of)])

"""All studies on one page: published beside measured, how many rows say what, every plot."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from braid.explore.report.page import Section, folded, page, table

from braid_tools.comparison import Row, Verdict, summary

COUNTED = (Verdict.MATCH, Verdict.EXPLAINED, Verdict.DIFFERS, Verdict.TOO_SMALL, Verdict.NOT_MEASURED)


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


def _section(one: Reproduced) -> Section:
    section = Section(one.name)
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

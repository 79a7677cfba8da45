"""What a page says of results: which sections, which runs in detail, which rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from braid.experiment import flat
from braid.explore.columns import usual_columns
from braid.explore.comparison import FIGURES, compare
from braid.explore.curves import Curve, curves
from braid.explore.database import FAILED, Row
from braid.explore.report import charts, maps, occupancy
from braid.explore.report.drawing import Picture, thinned
from braid.explore.report.page import Section, folded, note, page, table
from braid.explore.rows import Group, groups, in_order, name_of, verdict

MOST_ROWS = 300  # of a table
MOST_DETAILS = 4  # runs whose nodes and links are drawn
NAMED = "of"  # the column that says which file a row is from

#: A file's name, and its rows.
Input = tuple[str, list[Row]]


def _curves(inputs: Sequence[Input]) -> tuple[str | None, list[Curve]]:
    """The curves of all inputs; of several each has its file's name."""
    key, found = None, []
    for name, rows in inputs:
        own_key, own = curves(groups(rows))
        if key is None or own_key == key:
            key = own_key
            for curve in own:
                if len(inputs) > 1:
                    curve.name = name if curve.name == "latency" else f"{curve.name}, {name}"
            found += own
    return key, found


def _load(key: str | None, some: Sequence[Curve]) -> Section:
    section = Section("Latency and load")
    if key is None:
        return section
    drawn = [some[n] for n in thinned(len(some), charts.MOST_CURVES)]
    if any(group.value("latency") for curve in drawn for group in curve.groups):
        section.pictures.append(charts.latency_over_load(key, drawn))
    if any(group.value("accepted") for curve in drawn for group in curve.groups):
        section.pictures += [charts.accepted_over_load(key, drawn), charts.throughput(drawn)]
    if len(drawn) < len(some):
        section.html.append(note(f"{len(drawn)} of {len(some)} curves are drawn, evenly chosen."))
    longest = max((len(curve.xs) for curve in drawn), default=0)
    if longest > charts.MOST_POINTS:
        section.html.append(note(f"{charts.MOST_POINTS} of {longest} points of a curve are drawn, evenly chosen."))
    seeds = max((len(group.good) for curve in drawn for group in curve.groups), default=1)
    band = f"95 % intervals over {seeds} seeds" if seeds > 1 else "the runs' own 95 % intervals"
    section.html.append(
        note(f"Bands are {band}. Hollow marks are saturated: their latency is of delivered packets only.")
    )
    return section


def _details(inputs: Sequence[Input], some: Sequence[Curve]) -> list[tuple[str, Row]]:
    """The runs that are drawn one by one: of every curve the last that is carried, else the first run of each input."""
    found: list[tuple[str, Row]] = []
    for curve in some:
        carried = [(x, group) for x, group in zip(curve.xs, curve.groups, strict=True) if not group.saturated]
        if carried:
            x, group = carried[-1]
            found.append((f"{curve.name} at {x:g}", group.good[0]))
    if not found:
        for name, rows in inputs:
            for group in groups(rows):
                if group.good:
                    found.append((name_of(group.keys) or name, group.good[0]))
    return found


Make = Callable[[Row, str], tuple[str, Picture] | None]


def _each(title: str, details: Sequence[tuple[str, Row]], *makes: Make) -> Section:
    section = Section(title)
    for name, row in details[:MOST_DETAILS]:
        for make in makes:
            picture = make(row, name)
            if picture is not None:
                section.pictures.append(picture)
    if section.pictures and len(details) > MOST_DETAILS:
        section.html.append(note(f"{MOST_DETAILS} of {len(details)} are drawn."))
    return section


def _with_maps(title: str, details: Sequence[tuple[str, Row]], *makes: Any) -> Section:
    known = {id(row): maps.map_of(row) for _, row in details[:MOST_DETAILS]}

    def mapped(make: Any) -> Make:
        def of(row: Row, name: str) -> tuple[str, Picture] | None:
            place = known[id(row)]
            return None if place is None else make(row, place, name)

        return of

    return _each(title, details, *map(mapped, makes))


def _distance(row: Row, place: maps.Map, name: str) -> tuple[str, Picture] | None:
    return charts.by_distance(row, place.distances(), name)


def _compared(inputs: Sequence[Input]) -> Section:
    """Two inputs side by side."""
    section = Section("Side by side")
    if len(inputs) != 2:
        return section
    (name_a, a), (name_b, b) = inputs
    found = compare(a, b)
    differences = found.steady().differences(FIGURES)
    head = ["configuration", "figure", name_a, name_b, "change", ""]
    rows = [
        [name_of(d.pair.keys), d.figure, d.a, d.b, f"{100 * d.relative:+.2f} %", "differs" if d.significant else ""]
        for d in differences[:MOST_ROWS]
    ]
    if found.changed:
        keys = [[key, *(", ".join(map(str, values)) for values in both)] for key, both in found.changed.items()]
        section.html.append(table(["key", name_a, name_b], keys))
    if rows:
        section.html.append(table(head, rows, [d.significant for d in differences]))
        tests = " and ".join(sorted({pair.test for pair in found.pairs}))
        section.html.append(
            note(f"Marked: differs by more than chance explains, at 99.9 % over all rows ({tests}, Holm).")
        )
    return section


def _rows(inputs: Sequence[Input]) -> Section:
    section = Section("Figures")
    for name, rows in inputs:
        some = in_order(groups(rows))
        columns = usual_columns(some)
        keys = list(some[0].keys)
        body = [_line(some[n], keys, columns) for n in thinned(len(some), MOST_ROWS)]
        head = [*(key.partition(".")[2] for key in keys), "seeds", *columns, ""]
        left = f", {len(body)} of them shown" if len(body) < len(some) else ""
        section.html.append(folded(f"{name}: {len(some)} configurations{left}", table(head, body)))
    return section


def _line(group: Group, keys: Sequence[str], columns: Sequence[str]) -> list[Any]:
    figures = [str(group.value(column) or "") for column in columns]
    return [*(group.keys[key] for key in keys), len(group.good), *figures, verdict(group)]


def _failures(inputs: Sequence[Input]) -> Section:
    section = Section("Failed")
    failed = [row for _, rows in inputs for row in rows if row.status == FAILED]
    if failed:
        section.html.append(table(["why", "command"], [[row.message, row.command] for row in failed[:MOST_ROWS]]))
    return section


def _configuration(inputs: Sequence[Input]) -> Section:
    """Every key with its value; those that vary are marked."""
    section = Section("Configuration")
    known: dict[str, dict[str, None]] = {}
    for _, rows in inputs:
        for row in rows:
            for key, value in flat(row.configuration).items():
                known.setdefault(key, {})[json.dumps(value)] = None
    body = []
    for key, values in known.items():
        words = list(values)
        more = f", ... ({len(words)} values)" if len(words) > 8 else ""
        body.append([key, ", ".join(words[:8]) + more])
    marks = [len(values) > 1 for values in known.values()]
    section.html.append(
        folded("every key with its value; those that vary are marked", table(["key", "value"], body, marks))
    )
    return section


def _series(series: Sequence[tuple[str, list[dict[str, Any]]]]) -> Section:
    """What braid watch --series wrote."""
    section = Section("While it ran")
    for name, lines in series:
        section.pictures.append(charts.while_it_ran([lines[n] for n in thinned(len(lines), charts.MOST_POINTS)], name))
        if len(lines) > charts.MOST_POINTS:
            section.html.append(note(f"{name}: {charts.MOST_POINTS} of {len(lines)} looks are drawn, evenly chosen."))
    return section


def report(inputs: Sequence[Input], title: str, series: Sequence[tuple[str, list[dict[str, Any]]]] = ()) -> str:
    """The page of results, and of time series."""
    key, some = _curves(inputs)
    details = _details(inputs, some)
    count = sum(len(rows) for _, rows in inputs)
    failed = sum(row.status == FAILED for _, rows in inputs for row in rows)
    versions = sorted({row.version for _, rows in inputs for row in rows})
    names = ", ".join(name for name, _ in [*inputs, *series])
    lead = [f"{count} runs, {failed} failed; braid {', '.join(versions)}; {names}" if inputs else names]
    sections = [
        _load(key, some),
        _compared(inputs),
        _each("Fairness", details, charts.fairness),
        _with_maps("Links and buffers", details, maps.link_map, occupancy.occupancy_map),
        _each("Latency by class", details, charts.latency_by_class),
        _with_maps("Latency by distance", details, _distance),
        _each("Over time", details, charts.over_time),
        _series(series),
        _with_maps("Circuits", details, maps.circuits),
        _each("Set-up of circuits", details, charts.setup_steps),
        _rows(inputs),
        _failures(inputs),
        _configuration(inputs),
    ]
    return page(title, lead, sections)

"""Figures 2 to 20 of po2-message-scheduling, every number of its text, and what lies beyond the paper."""

from __future__ import annotations

from typing import Any

from braid_tools import plots
from braid_tools.papers.po2 import beyond, costs, deadlock, rows_alpha, rows_fifo, rows_ports, rows_round_robin
from braid_tools.papers.po2.points import (
    FIFO,
    FULL,
    LONG,
    QUICK,
    ROUND_ROBIN,
    ROUTINGS,
    SHORT,
    Point,
    Runs,
    paper_points,
)
from braid_tools.papers.po2.statements import NAMES
from braid_tools.study import Study

Curves = dict[str, tuple[list[float], list[float]]]
DETERMINISTIC, BEST, DEROUTING = ROUTINGS
PARTS = (rows_fifo, rows_alpha, rows_round_robin, rows_ports, costs)  # in the paper's order; then other readings


def over_load(runs: Runs, share: float, field: str, lines: dict[str, tuple[str, str | float]]) -> Curves:
    """Lines of a figure whose axis is the load: label -> (routing, scheduler)."""
    loads = runs.extent.loads if share == SHORT else runs.extent.loads_long
    return {
        label: (loads, [getattr(runs[Point(routing, scheduler, share, u)], field) for u in loads])
        for label, (routing, scheduler) in lines.items()
    }


def over_alpha(runs: Runs, share: float, fields: dict[str, str]) -> Curves:
    """Lines of a figure whose axis is alpha: a line for each routing and field (suffix of the label -> field)."""
    alphas = runs.extent.alphas if share == SHORT else runs.extent.alphas_long
    return {
        NAMES[r] + suffix: (alphas, [getattr(runs[Point(r, a, share)], field) for a in alphas])
        for r in ROUTINGS
        for suffix, field in fields.items()
    }


def figures(runs: Runs) -> dict[str, tuple[str, str, Curves]]:
    """Figure -> (axis of x, axis of y, lines)."""
    fifo = {NAMES[r]: (r, FIFO) for r in ROUTINGS}
    message, packet, per_cent = "message latency / packets, cycles", "packet latency, cycles", "utilization, %"
    load, alpha = "load u", "alpha"
    result: dict[str, tuple[str, str, Curves]] = {}
    for share, first in ((SHORT, 2), (LONG, 5)):
        result[f"{first}"] = (load, message, over_load(runs, share, "all", fifo))
        result[f"{first + 1}"] = (load, packet, over_load(runs, share, "packet", fifo))
        ports = over_load(runs, share, "pe_port", {f"{n}, PE": at for n, at in fifo.items()})
        ports |= over_load(runs, share, "internal", {f"{n}, internal": at for n, at in fifo.items()})
        result[f"{first + 2}"] = (load, per_cent, ports)
    for number, routing, field in (("8", DETERMINISTIC, "short"), ("9", DETERMINISTIC, "long"),
                                   ("10", BEST, "short"), ("11", DEROUTING, "short")):  # fmt: skip
        lines = {f"alpha = {a:g}": (routing, a) for a in runs.extent.alpha_curves}
        result[number] = (load, f"{field} messages, {NAMES[routing]}", over_load(runs, SHORT, field, lines))
    result["12"] = (alpha, message, over_alpha(runs, SHORT, {"": "all"}))
    result["13"] = (
        alpha,
        "one-packet messages",
        over_alpha(runs, SHORT, {", message": "one", ", packet": "one_packet"}),
    )
    result["14"] = (alpha, message, over_alpha(runs, LONG, {"": "all"}))
    result["15"] = (alpha, "short messages", over_alpha(runs, LONG, {"": "short"}))
    shares = [runs[Point(BEST, FIFO, share)].long_packet_share for share in (SHORT, LONG)]
    short_shares = [100 - share for share in shares]
    result["16"] = ("long messages, %", "packets, %", {"long": ([10, 80], shares), "short": ([10, 80], short_shares)})
    turn = {f"{NAMES[r]}, round robin": (r, ROUND_ROBIN) for r in ROUTINGS}
    result["17"] = (load, message, over_load(runs, SHORT, "all", turn | {f"{n}, FIFO": at for n, at in fifo.items()}))
    eight = {f"{NAMES[r]}, alpha = 8": (r, 8.0) for r in ROUTINGS}
    result["18"] = (load, "short messages", over_load(runs, SHORT, "short", turn | eight))
    result["19"] = (load, message, over_load(runs, SHORT, "all", turn | eight))
    ten = {f"{NAMES[r]}, alpha = 10": (r, 10.0) for r in ROUTINGS}
    result["20"] = (load, message, over_load(runs, LONG, "all", turn | ten))
    return result


def points_of(shown: dict[str, tuple[str, str, Curves]]) -> list[dict[str, Any]]:
    """Every point of every figure."""
    return [
        {"figure": number, "line": line, "x_axis": x_axis, "x": x, "y_axis": y_axis, "y": round(y, 3)}
        for number, (x_axis, y_axis, curves) in shown.items()
        for line, (xs, ys) in curves.items()
        for x, y in zip(xs, ys, strict=True)
    ]


def reproduce(study: Study) -> None:
    """Every row; not quick: figures.csv with every point of every figure, and the tables of what lies beyond."""
    runs = Runs(study, QUICK if study.quick else FULL)
    runs.prepare(paper_points(runs.extent))
    rows = [row for part in PARTS for row in part.rows(runs)] + beyond.closed_forms(runs, study)
    deadlocks = deadlock.deadlock(study)
    study.compare(rows + deadlock.rows(deadlocks))
    plots.compared(study.folder / "ports.png", rows_ports.panels(runs))
    if study.quick:
        print("Figures and what goes beyond the paper: only without --quick")
        return
    shown = figures(runs)
    plots.panels(study.folder / "figures.png", {f"figure {n}": panel for n, panel in shown.items()})
    cost_rows = costs.table(runs)
    plots.panels(study.folder / "costs.png", costs.panels(cost_rows))
    tables = {
        "costs": lambda: cost_rows,
        "deadlock": lambda: deadlocks,
        "figures": lambda: points_of(shown),
        "networks": lambda: beyond.other_networks(study, runs),
        "best_alpha": lambda: beyond.best_alpha(runs),
    }
    for name, table in tables.items():
        entries = table()
        study.table(f"{name}.csv", list(entries[0]), (entry.values() for entry in entries))
    print(f"Beside comparison.csv: figures.png, costs.png, {', '.join(f'{name}.csv' for name in tables)}")

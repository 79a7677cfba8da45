"""Figures 2 to 20 of po2-message-scheduling, every number of its text, and what lies beyond the paper."""

from __future__ import annotations

import sys
from pathlib import Path

from braid_tools import plots, po2_beyond, po2_deadlock, po2_rows_alpha, po2_rows_fifo, po2_rows_round_robin
from braid_tools.comparison import write
from braid_tools.po2_statements import NAMES
from braid_tools.po2_study import FIFO, FULL, LONG, QUICK, ROUND_ROBIN, ROUTINGS, SHORT, Point, Study, paper_points
from braid_tools.program import ROOT

Curves = dict[str, tuple[list[float], list[float]]]
DETERMINISTIC, BEST, DEROUTING = ROUTINGS
PARTS = (po2_rows_fifo, po2_rows_alpha, po2_rows_round_robin)  # in the paper's order


def over_load(study: Study, share: float, field: str, lines: dict[str, tuple[str, str | float]]) -> Curves:
    """Lines of a figure whose axis is the load: label -> (routing, scheduler)."""
    loads = study.extent.loads if share == SHORT else study.extent.loads_long
    return {
        label: (loads, [getattr(study[Point(routing, scheduler, share, u)], field) for u in loads])
        for label, (routing, scheduler) in lines.items()
    }


def over_alpha(study: Study, share: float, fields: dict[str, str]) -> Curves:
    """Lines of a figure whose axis is alpha: a line for each routing and field (suffix of the label -> field)."""
    alphas = study.extent.alphas if share == SHORT else study.extent.alphas_long
    return {
        NAMES[r] + suffix: (alphas, [getattr(study[Point(r, a, share)], field) for a in alphas])
        for r in ROUTINGS
        for suffix, field in fields.items()
    }


def figures(study: Study) -> dict[str, tuple[str, str, Curves]]:
    """Figure -> (axis of x, axis of y, lines)."""
    fifo = {NAMES[r]: (r, FIFO) for r in ROUTINGS}
    message, packet, per_cent = "message latency / packets, cycles", "packet latency, cycles", "utilization, %"
    load, alpha = "load u", "alpha"
    result: dict[str, tuple[str, str, Curves]] = {}
    for share, first in ((SHORT, 2), (LONG, 5)):
        result[f"{first}"] = (load, message, over_load(study, share, "all", fifo))
        result[f"{first + 1}"] = (load, packet, over_load(study, share, "packet", fifo))
        ports = over_load(study, share, "pe_port", {f"{n}, PE": at for n, at in fifo.items()})
        ports |= over_load(study, share, "internal", {f"{n}, internal": at for n, at in fifo.items()})
        result[f"{first + 2}"] = (load, per_cent, ports)
    for number, routing, field in (("8", DETERMINISTIC, "short"), ("9", DETERMINISTIC, "long"),
                                   ("10", BEST, "short"), ("11", DEROUTING, "short")):  # fmt: skip
        lines = {f"alpha = {a:g}": (routing, a) for a in study.extent.alpha_curves}
        result[number] = (load, f"{field} messages, {NAMES[routing]}", over_load(study, SHORT, field, lines))
    result["12"] = (alpha, message, over_alpha(study, SHORT, {"": "all"}))
    result["13"] = (
        alpha,
        "one-packet messages",
        over_alpha(study, SHORT, {", message": "one", ", packet": "one_packet"}),
    )
    result["14"] = (alpha, message, over_alpha(study, LONG, {"": "all"}))
    result["15"] = (alpha, "short messages", over_alpha(study, LONG, {"": "short"}))
    shares = [study[Point(BEST, FIFO, share)].long_packet_share for share in (SHORT, LONG)]
    short_shares = [100 - share for share in shares]
    result["16"] = ("long messages, %", "packets, %", {"long": ([10, 80], shares), "short": ([10, 80], short_shares)})
    turn = {f"{NAMES[r]}, round robin": (r, ROUND_ROBIN) for r in ROUTINGS}
    result["17"] = (load, message, over_load(study, SHORT, "all", turn | {f"{n}, FIFO": at for n, at in fifo.items()}))
    eight = {f"{NAMES[r]}, alpha = 8": (r, 8.0) for r in ROUTINGS}
    result["18"] = (load, "short messages", over_load(study, SHORT, "short", turn | eight))
    result["19"] = (load, message, over_load(study, SHORT, "all", turn | eight))
    ten = {f"{NAMES[r]}, alpha = 10": (r, 10.0) for r in ROUTINGS}
    result["20"] = (load, message, over_load(study, LONG, "all", turn | ten))
    return result


def write_points(path: Path, shown: dict[str, tuple[str, str, Curves]]) -> None:
    """figures.csv: every point of every figure."""
    rows = [
        {"figure": number, "line": line, "x_axis": x_axis, "x": x, "y_axis": y_axis, "y": round(y, 3)}
        for number, (x_axis, y_axis, curves) in shown.items()
        for line, (xs, ys) in curves.items()
        for x, y in zip(xs, ys, strict=True)
    ]
    po2_beyond.write_table(path, rows)


def main(quick: bool) -> int:
    """Writes results/po2; fails if a row differs without a cause."""
    out = ROOT / "results" / "po2"
    out.mkdir(parents=True, exist_ok=True)
    study = Study(QUICK if quick else FULL, out / "runs")
    study.run(paper_points(study.extent))
    rows = [row for part in PARTS for row in part.rows(study)] + po2_beyond.closed_forms(study, out, quick)
    deadlocks = po2_deadlock.deadlock(quick)
    po2_beyond.write_table(out / "deadlock.csv", deadlocks)
    rows += po2_deadlock.rows(deadlocks)
    write(out / "comparison.csv", rows)
    shown = figures(study)
    write_points(out / "figures.csv", shown)
    plots.panels(out / "figures.png", {f"figure {n}": panel for n, panel in shown.items()})
    po2_beyond.write_table(out / "networks.csv", po2_beyond.other_networks(study, quick))
    po2_beyond.write_table(out / "best_alpha.csv", po2_beyond.best_alpha(study, quick))
    differing = [row for row in rows if row.verdict == "differs"]
    for row in differing:
        print(f"{row.figure}: {row.quantity}: {row.measured:.4g}, published {row.published:.4g}", file=sys.stderr)
    explained = sum(row.verdict == "explained" for row in rows)
    print(f"{len(rows)} rows in results/po2/comparison.csv: {explained} explained, {len(differing)} differ")
    print("Also there: figures.csv, figures.png, best_alpha.csv, networks.csv, deadlock.csv")
    return 1 if differing else 0

"""Rows for the other reading of section 2, "each port uses a FIFO discipline": nobody passes a refused packet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from braid_tools.comparison import Row
from braid_tools.papers.po2.points import ROUTINGS, Figures, Point, Runs
from braid_tools.papers.po2.rows_fifo import POINTS, UTILIZATIONS
from braid_tools.papers.po2.statements import BEST, DETERMINISTIC, NAMES, order_beyond_noise
from braid_tools.plots import Compared, Series

HEAD_OF_LINE = (("po2.port_discipline", "head_of_line"),)
READING = "ports first in, first out"


def at(point: Point) -> Point:
    """The point under this reading."""
    return replace(point, extra=HEAD_OF_LINE)


def points() -> list[Point]:
    """What the rows need."""
    needed = [Point(routing) for routing in ROUTINGS]
    return [at(point) for point in (*needed, Point(DETERMINISTIC, 4.0))]


def rows(runs: Runs) -> list[Row]:
    """The figures by which the readings are told apart. Not figure 15's: derouting deadlocks there (docs/po2.md)."""
    runs.prepare(points())
    found = []
    for routing, (pe_port, internal) in UTILIZATIONS.items():
        measured, name = runs[at(Point(routing))], NAMES[routing]
        found += [
            Row("figure 4", f"PE port utilization, {name}, u = 0.67, {READING}", "%", pe_port, measured.pe_port,
                POINTS / pe_port, "refused packets hold younger ones back: docs/po2.md"),
            Row("figure 4", f"internal utilization, {name}, u = 0.67, {READING}", "%", internal, measured.internal,
                POINTS / internal, "refused packets hold younger ones back: docs/po2.md"),
        ]  # fmt: skip
    fifo, alpha = runs[at(Point(DETERMINISTIC))], runs[at(Point(DETERMINISTIC, 4.0))]
    found += [
        Row("figure 8", f"alpha = 4: gain over FIFO, short messages, deterministic, {READING}", "factor", 5,
            fifo.short / alpha.short, 0.2, "neither reading gets there: docs/po2.md"),
        Row("section 4", f"alpha = 4: gain over FIFO, all messages, deterministic, {READING}", "factor", 3,
            fifo.all / alpha.all, 0.2),
    ]  # fmt: skip
    pair = [runs[at(Point(routing))] for routing in (DETERMINISTIC, BEST)]
    what = f"packet latency, u = 0.67, {READING}: deterministic < best paths"
    found.append(order_beyond_noise("figure 3", what, lambda f: f.packet, lambda f: f.packet_noise, pair))
    return found


def panels(runs: Runs) -> list[Compared]:
    """ports.png: utilizations beside the published ones, and latencies, in both readings; FIFO, u = 0.67."""
    passed = [runs[Point(routing)] for routing in ROUTINGS]
    strict = [runs[at(Point(routing))] for routing in ROUTINGS]
    printed = list(zip(*(UTILIZATIONS[routing] for routing in ROUTINGS), strict=True))

    def panel(title: str, unit: str, of: Callable[[Figures], float], published: list[float]) -> Compared:
        both = (
            Series("a refused packet is passed", "pass_refused", list(map(of, passed)), published=published),
            Series("strictly first in, first out", "head_of_line", list(map(of, strict)), published=published),
        )
        return Compared(title, unit, [NAMES[routing] for routing in ROUTINGS], list(both))

    return [
        panel("Strict ports make a node's port wait more", "PE port utilization, %", lambda f: f.pe_port, printed[0]),
        panel("and links, most where ways are many", "internal utilization, %", lambda f: f.internal, printed[1]),
        panel("Messages wait longer", "message latency / packets, cycles", lambda f: f.all, []),
        panel("and packets, in figure 3's order", "packet latency, cycles", lambda f: f.packet, []),
    ]

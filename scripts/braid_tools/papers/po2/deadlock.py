"""Deadlock of po2's pools: overload, small pools, a large network; what avoiding it costs."""

from __future__ import annotations

from typing import Any

from braid_tools.comparison import Row
from braid_tools.papers.po2.points import (
    EXPERIMENT,
    FIFO,
    FULL_LOAD_FLITS,
    LONG,
    ROUTINGS,
    SHORT,
    Point,
    Settings,
    figures,
)
from braid_tools.papers.po2.statements import NAMES, holds, order
from braid_tools.program import BraidError, Results, Run
from braid_tools.study import Study

Table = list[dict[str, Any]]
NONE, ESCAPE = "none", "up_down_escape"
AGE = 500000  # a part of the network can deadlock while the rest moves on
POOLS = (5, 7, 9, 11, 13)


def overload(cycles: int) -> Settings:
    """A run of so many cycles that is not drained; no packet may be in the network for AGE cycles."""
    return (
        ("simulation.max_packet_age_cycles", AGE),
        ("simulation.max_warmup_cycles", 200000),
        ("simulation.measure_cycles", cycles),
        ("simulation.max_drain_cycles", 0),
    )


def pool(buffers: int, avoidance: str, *, backpressure: bool = True) -> Settings:
    """Keys of the pool."""
    return (
        ("po2.buffers", buffers),
        ("po2.avoidance", avoidance),
        ("po2.reject_same_message", backpressure),
    )


def cases(quick: bool) -> list[Point]:
    """Every run of deadlock.csv; quick: those on E6 that rows need."""
    large = (("topology.edge", 20), *overload(600000))
    points = [] if quick else avoided(large)
    for routing in ROUTINGS:
        if not quick:
            points.append(Point(routing, FIFO, SHORT, 0.5, pool(20, NONE) + large))
        for share in (SHORT, LONG):
            points += [
                Point(routing, FIFO, share, 1.1, pool(b, NONE) + overload(1000000 if quick else 3000000)) for b in POOLS
            ]
    return points


def avoided(large: Settings) -> list[Point]:
    """With avoidance and, where that runs, without."""
    loaded = overload(10000000)
    settled = overload(500000)
    drained = (("simulation.max_warmup_cycles", 200000),)
    any_age: Settings = (("simulation.max_packet_age_cycles", 0),)  # slow on E20
    points = []
    for routing in ROUTINGS:
        points.append(Point(routing, FIFO, SHORT, 0.5, pool(20, ESCAPE) + large + any_age))
        for avoidance in (NONE, ESCAPE):
            points += [Point(routing, FIFO, SHORT, 1.1, pool(b, avoidance) + loaded) for b in (20, 5)]
            points.append(Point(routing, FIFO, SHORT, 0.67, pool(20, avoidance) + drained))
            points.append(Point(routing, FIFO, SHORT, 0.85, pool(20, avoidance, backpressure=False) + settled))
    return points


def deadlock(study: Study) -> Table:
    """How every case ended."""
    points = cases(study.quick)
    outcomes = study.outcomes(Run(f"{point}", EXPERIMENT, point.settings()) for point in points)
    return [case(point) | ended(outcome) for point, outcome in zip(points, outcomes, strict=True)]


def case(point: Point) -> dict[str, Any]:
    """What deadlock.csv says of a case before it has run."""
    extra = dict(point.extra)
    what = {"edge": extra.get("topology.edge", 6), "load_u": point.load, "long_share": point.long_share}
    what |= {"buffers": extra["po2.buffers"], "avoidance": extra["po2.avoidance"], "routing": point.routing}
    what |= {"backpressure": extra["po2.reject_same_message"]}
    return what | {"cycles": extra.get("simulation.measure_cycles", 0)}


def ended(outcome: Results | BraidError) -> dict[str, Any]:
    """How a run ended: its counts of packets (conservation is braid's own check), or the watchdog's words."""
    counts = ("packets_created", "packets_delivered", "packets_in_flight")
    if isinstance(outcome, BraidError):
        said = str(outcome).partition("braid: ")[2].splitlines()
        row = {"ended": "; ".join(line.rstrip(":") for line in said[:2]), "accepted_u": "", "message_latency": ""}
        return row | dict.fromkeys((*counts, "escapes"), "")
    accepted = outcome["classes"][0]["accepted_flits_per_node_cycle"]["mean"] / FULL_LOAD_FLITS
    row = {"ended": f"{outcome['cycles']} cycles, nothing lost", "accepted_u": round(accepted, 4)}
    row |= {"message_latency": "" if outcome["saturated"] else round(figures(outcome).all, 1)}
    row |= {key: outcome["conservation"][key] for key in counts}
    return row | {"escapes": round(outcome["router_per_cycle"]["escapes"] * outcome["measured_cycles"])}


def rows(table: Table) -> list[Row]:
    """Sections 3, 4 and 6: adaptivity "raises the likelihood of interconnect saturation and deadlock"."""
    result = []
    for share, figure in ((SHORT, "section 3"), (LONG, "section 4")):
        smallest = [smallest_pool(table, routing, share) for routing in ROUTINGS]
        what = f"smallest pool of {POOLS} that did not deadlock at u = 1.1, {100 * share:.0f} % long: "
        what += " < ".join(NAMES[r] for r in ROUTINGS)
        result.append(order(figure, what, smallest))
    large = {row["routing"]: row for row in table if row["edge"] == 20 and row["avoidance"] == NONE}
    if not large:
        return result  # quick
    dead = [NAMES[r] for r in ROUTINGS if not large[r]["accepted_u"]]
    what = (
        f"E20, u = 0.5, 20 buffers: derouting deadlocks and best paths do not (deadlocked: {', '.join(dead) or 'none'})"
    )
    result.append(holds("section 6", what, true=NAMES[ROUTINGS[2]] in dead and NAMES[ROUTINGS[1]] not in dead))
    return result


def smallest_pool(table: Table, routing: str, share: float) -> int:
    """Of POOLS, the first from which on no pool deadlocked."""
    runs = [
        row
        for row in table
        if row["edge"] == 6 and row["load_u"] == 1.1 and row["avoidance"] == NONE
        if row["routing"] == routing and row["long_share"] == share
    ]
    dead = [row["buffers"] for row in runs if not row["accepted_u"]]
    return next((b for b in POOLS if b > max(dead, default=0)), 20)

"""Rows for sections 5 and 6 of po2-message-scheduling: round robin, figures 17 to 20, and the conclusion."""

from __future__ import annotations

from braid_tools.comparison import Row
from braid_tools.papers.po2.points import (
    FIFO,
    FRONT,
    LONG,
    ROUND_ROBIN,
    ROUTINGS,
    SHORT,
    SHORTEST,
    Figures,
    Point,
    Runs,
)
from braid_tools.papers.po2.statements import BEST, DEROUTING, NAMES, at_every_load, order, spread

NO_BETTER = "does not improve throughput"
ONE_PACKET = (("traffic.max_flits", 1), ("traffic.long_fraction", 0.0))


def against_fifo(runs: Runs) -> list[Row]:
    """Figure 17, and the uniform traffic of one-packet messages that round robin is likened to."""
    rows = []
    for routing in ROUTINGS:
        what = f"round robin beats FIFO at every load, {NAMES[routing]}"
        rows.append(
            at_every_load(
                "figure 17",
                what,
                runs.extent.loads,
                lambda u, r=routing: [runs[Point(r, s, SHORT, u)].all for s in (ROUND_ROBIN, FIFO)],
            )
        )
    for u in sorted({0.67, runs.extent.loads[-1]}):
        turn = spread([runs[Point(r, ROUND_ROBIN, SHORT, u)].all for r in ROUTINGS])
        rows.append(Row("figure 17", f"round robin: slowest routing over fastest, u = {u:g}", "factor", 1, turn, 0.15))
    uniform = [Point(r, FIFO, 0.0, 0.67, ONE_PACKET) for r in ROUTINGS]
    runs.prepare(uniform)
    alike = spread([runs[point].all for point in uniform])
    rows.append(
        Row("section 5", "one-packet messages only, FIFO: slowest routing over fastest", "factor", 1, alike, 0.1)
    )
    for routing in ROUTINGS:
        one = [runs[Point(routing, s)].one for s in (ROUND_ROBIN, FIFO)]
        rows.append(order("section 5", f"one-packet messages, {NAMES[routing]}: round robin < FIFO", one))
    return rows


def against_alpha(runs: Runs) -> list[Row]:
    """Figures 18 to 20."""
    rows = []
    loads = runs.extent.loads
    for routing in ROUTINGS:
        turn, eight = runs[Point(routing, ROUND_ROBIN)], runs[Point(routing, 8.0)]
        for figure, who, of in (("figure 18", "short", lambda f: f.short), ("figure 19", "all", lambda f: f.all)):
            what = f"{who} messages, {NAMES[routing]}: alpha = 8 < round robin"
            rows.append(order(figure, what, [of(eight), of(turn)]))
        factors = [
            runs[Point(routing, ROUND_ROBIN, SHORT, u)].all / runs[Point(routing, 8.0, SHORT, u)].all
            for u in (loads[0], 0.67)
        ]
        what = f"round robin over alpha = 8 grows with the queue, {NAMES[routing]}: u = {loads[0]:g} < u = 0.67"
        limit = turn.all / runs[Point(routing, SHORTEST)].all
        note = f"the longer the queue, the more alpha = 8 counts age; over alpha = infinity {limit:.2f} at u = 0.67"
        rows.append(order("section 5", what, factors, note))
    return rows + figure_20(runs)


def figure_20(runs: Runs) -> list[Row]:
    """80 % long: alpha = 10 "slightly better" under derouting, "slightly worse" under best paths, and why."""
    turn = {r: runs[Point(r, ROUND_ROBIN, LONG)] for r in ROUTINGS}
    ten = {r: runs[Point(r, 10.0, LONG)] for r in ROUTINGS}
    rows = [
        order("figure 20", "80 % long, derouting: alpha = 10 < round robin", [ten[DEROUTING].all, turn[DEROUTING].all]),
        order("figure 20", "80 % long, best paths: round robin < alpha = 10", [turn[BEST].all, ten[BEST].all]),
    ]
    for routing in (DEROUTING, BEST):
        near = ten[routing].all / turn[routing].all
        what = f"80 % long, {NAMES[routing]}: alpha = 10 over round robin"
        rows.append(Row("figure 20", what, "factor", 1, near, 0.15, quote="slightly"))
    waiting = [100 * at[BEST].pe_waiting for at in (turn, ten)]
    what = "80 % long, best paths, busy waiting of the PE port: round robin < alpha = 10, %"
    rows.append(order("figure 20", what, waiting))
    alike = [runs[Point(r, 8.0)].all / runs[Point(r, ROUND_ROBIN)].all for r in ROUTINGS]
    alike += [ten[r].all / turn[r].all for r in ROUTINGS]
    note = (
        "the text compares derouting and best paths only: these give "
        f"{max(ten[r].all / turn[r].all for r in (BEST, DEROUTING)):.2f} at most; deterministic, 80 % long, alpha 10: "
        f"the PE port waits busily for {100 * ten[ROUTINGS[0]].pe_waiting:.0f} % of the time, "
        f"under round robin for {100 * turn[ROUTINGS[0]].pe_waiting:.0f} %"
    )
    quote = "in general either better or very similar"
    what = "alpha over round robin, worst of six"
    rows.append(Row("section 5", what, "factor", 1, max(alike), 0.15, note, at_most=True, quote=quote))
    return rows


def at_front(runs: Runs) -> list[Row]:
    """The variant that inserts at the front: "go out immediately", "still suffer", "starve"."""
    runs.prepare(Point(r, FRONT) for r in ROUTINGS)
    rows = []
    for routing in ROUTINGS:
        front, turn = runs[Point(routing, FRONT)], runs[Point(routing, ROUND_ROBIN)]
        limit = runs[Point(routing, SHORTEST)]
        name = NAMES[routing]
        rows += [
            order("section 5", f"one-packet messages, {name}: at the front < round robin", [front.one, turn.one]),
            order("section 5", f"two to five packets, {name}: alpha = infinity < at the front",
                  [two_to_five(limit), two_to_five(front)]),
            order("section 5", f"long messages, {name}: round robin < at the front", [turn.long, front.long]),
        ]  # fmt: skip
    return rows


def two_to_five(figures: Figures) -> float:
    """Latency over packets of short messages that are not of one packet, mean over messages."""
    kept = [e for e in figures.raw["messages"]["by_length"] if 2 <= e["packets"] <= 5]
    total = sum(e["latency_mean_cycles"] / e["packets"] * e["messages"] for e in kept)
    return total / sum(e["messages"] for e in kept)


def throughput(runs: Runs) -> list[Row]:
    """Abstract and section 6: with many short messages adaptive routing does not improve throughput either."""
    overload = (("simulation.max_drain_cycles", 0),)
    schedulers = {"round robin": ROUND_ROBIN, "alpha = 8": 8.0, "FIFO": FIFO}
    runs.prepare(Point(r, s, SHORT, 1.1, overload) for r in ROUTINGS for s in schedulers.values())
    accepted = {name: [runs[Point(r, s, SHORT, 1.1, overload)].accepted for r in ROUTINGS]
                for name, s in schedulers.items()}  # fmt: skip
    note = "queues grow without bound, and a newcomer's clock with them: alpha = 8 is FIFO then; accepted under FIFO "
    note += ", ".join(f"{a:.2f}" for a in accepted["FIFO"])
    rows = []
    for name in ("round robin", "alpha = 8"):
        numbers = ", ".join(f"{a:.3f}" for a in accepted[name])
        what = f"accepted at u = 1.1, {name} ({numbers}): most over least of three routings"
        rows.append(Row("abstract", what, "factor", 1, spread(accepted[name]), 0.05, note, quote=NO_BETTER))
    return rows


def more_deroutes(runs: Runs) -> list[Row]:
    """Section 6: "internal port utilization rises as derouting frequency increases", which loads large networks."""
    points = [Point(DEROUTING, FIFO, SHORT, 0.67, (("routing.max_deroutes", most),)) for most in (0, 1, 2, 3)]
    runs.prepare(points)
    rise = [runs[point].internal for point in points]
    return [order("section 6", "internal utilization with at most 0, 1, 2, 3 deroutes, %", rise)]


def without_backpressure(runs: Runs) -> list[Row]:
    """Section 6: without backpressure alpha scheduling may beat round robin by "up to two times"."""
    # Without backpressure the pools of 20 deadlock at high loads.
    extra = (("po2.reject_same_message", False), ("po2.avoidance", "up_down_escape"))
    loads = (0.67, 0.75, 0.85)
    alphas = {"8": 8.0, "infinity": SHORTEST}
    runs.prepare(Point(BEST, s, SHORT, u, extra) for s in (ROUND_ROBIN, *alphas.values()) for u in loads)
    factors = {
        name: [runs[Point(BEST, ROUND_ROBIN, SHORT, u, extra)].all / runs[Point(BEST, a, SHORT, u, extra)].all
               for u in loads]
        for name, a in alphas.items()
    }  # fmt: skip
    measured = "; ".join(f"alpha = {name}: " + ", ".join(f"{f:.2f}" for f in of) for name, of in factors.items())
    what = f"round robin over alpha without backpressure, most; best paths, u = 0.67, 0.75, 0.85, {measured}"
    return [Row("section 6", what, "factor", 2, max(factors["infinity"]), 0.25)]


def rows(runs: Runs) -> list[Row]:
    """Sections 5 and 6."""
    conclusion = throughput(runs) + more_deroutes(runs) + without_backpressure(runs)
    return against_fifo(runs) + against_alpha(runs) + at_front(runs) + conclusion

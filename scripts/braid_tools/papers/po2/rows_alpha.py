"""Rows for section 4 of po2-message-scheduling: alpha scheduling, figures 8 to 15."""

from __future__ import annotations

from braid_tools.comparison import Row
from braid_tools.papers.po2.points import LONG, ROUTINGS, SHORT, SHORTEST, Point, Runs
from braid_tools.papers.po2.statements import BEST, DEROUTING, DETERMINISTIC, NAMES, gain, holds, order, spread


def gains(runs: Runs) -> list[Row]:
    """ "Two to three times", "a factor of five", "very small"."""
    short = gain(runs, DETERMINISTIC, 4.0, lambda f: f.short)
    one = gain(runs, DETERMINISTIC, 4.0, lambda f: f.one)
    eight, limit = (gain(runs, DETERMINISTIC, a, lambda f: f.short) for a in (8.0, SHORTEST))
    note = (
        f"a larger alpha gets there: alpha = 8 gains {eight:.2f}, infinity {limit:.2f}; "
        f"messages of one packet gain {one:.2f} with alpha = 4; readings that were tried: docs/po2.md"
    )
    four, derouting = runs[Point(DETERMINISTIC, 4.0)], runs[Point(DEROUTING)]
    fifo = runs[Point(DETERMINISTIC)]
    return [
        *(Row("abstract", f"alpha = 4: gain over FIFO, {NAMES[r]}", "factor", 2, gain(runs, r, 4.0, lambda f: f.all),
              0.0, most=3, quote="two to three times") for r in ROUTINGS),
        Row("abstract", "alpha = 8: gain over FIFO, least of three routings", "factor", 2,
            min(gain(runs, r, 8.0, lambda f: f.all) for r in ROUTINGS), 0.0625, most=3, quote="two to three times"),
        Row("figure 12", "alpha = 4: gain over FIFO, all messages, deterministic", "factor", 3,
            gain(runs, DETERMINISTIC, 4.0, lambda f: f.all), 0.17),
        Row("figure 8", "alpha = 4: gain over FIFO, short messages, deterministic", "factor", 5, short, 0.17, note),
        Row("figure 9", "alpha = 4: long messages over FIFO's (\"very small\")", "factor", 1,
            four.long / fifo.long, 0.25, quote="very small"),
        order("figure 9", "long messages, deterministic: FIFO < alpha = 4", [fifo.long, four.long]),
        order("section 4", "packets wait in the queue, deterministic: alpha = 4 < FIFO, cycles",
              [four.queue, fifo.queue]),
        holds("figure 8", "alpha = 4, deterministic, beats derouting under FIFO", true=four.all < derouting.all),
        order("section 4", "... with less use of the links: deterministic, alpha = 4 < derouting, FIFO, %",
              [four.internal, derouting.internal]),
    ]  # fmt: skip


def tuning(runs: Runs) -> list[Row]:
    """What alpha does: figures 8 to 13."""
    rows = []
    for routing, figure in ((DETERMINISTIC, "figure 8"), (BEST, "figure 10"), (DEROUTING, "figure 11")):
        values = [runs[Point(routing, a)].short for a in sorted(runs.extent.alpha_curves, reverse=True)]
        rows.append(order(figure, f"short messages, {NAMES[routing]}: latency falls as alpha grows", values))
    falling = sorted(runs.extent.alphas, reverse=True)
    for routing in ROUTINGS:
        values = [runs[Point(routing, a)].all for a in (SHORTEST, *falling)]
        what = f"all messages, {NAMES[routing]}: larger alpha, better average; alpha = infinity is the best"
        rows.append(order("section 4", what, values))
    for routing in ROUTINGS:
        values = [runs[Point(routing, a)].long for a in (0.0, 1.0, 4.0) if a in runs.extent.alphas]
        rows.append(order("section 4", f"long messages, {NAMES[routing]}: smaller alpha, less delay", values))
    for routing in ROUTINGS:
        optimal = runs[Point(routing, 8.0)].short / runs[Point(routing, SHORTEST)].short
        what = f"short messages, {NAMES[routing]}: alpha = 8 over the optimum, alpha = infinity"
        note = f"under FIFO the factor is {runs[Point(routing)].short / runs[Point(routing, SHORTEST)].short:.1f}"
        rows.append(Row("section 4", what, "factor", 1, optimal, 0.25, note, quote="close to"))
    at_eight = [runs[Point(r, 8.0)].all for r in ROUTINGS]
    rows.append(Row("figure 12", "alpha = 8: slowest routing over fastest", "factor", 1, spread(at_eight), 0.4))
    for routing in ROUTINGS:
        flat = [runs[Point(routing, a)].one_packet for a in runs.extent.alphas]
        what = f"packet latency of one-packet messages, highest over lowest alpha's, {NAMES[routing]}"
        rows.append(Row("figure 13", what, "factor", 1, spread(flat), 0.03))
        fifo, eight = runs[Point(routing)], runs[Point(routing, 8.0)]
        waiting = 1 - (fifo.one_packet - eight.one_packet) / (fifo.one - eight.one)
        what = (
            f"one-packet messages, alpha = 8, {NAMES[routing]}: share of the gain that is less waiting to be inserted"
        )
        rows.append(Row("figure 13", what, "factor", 1, waiting, 0.03))
    return rows


def long_workload(runs: Runs) -> list[Row]:
    """80 % long messages: figures 14 and 15."""
    overall = {share: gain(runs, DETERMINISTIC, 8.0, lambda f: f.all, share) for share in (SHORT, LONG)}
    what = f"alpha = 8 gains less with 80 % long ({overall[LONG]:.2f}) than with 10 % ({overall[SHORT]:.2f})"
    rows = [holds("figure 14", what, true=overall[LONG] < overall[SHORT])]
    for a in runs.extent.alphas_long:
        values = [runs[Point(r, a, LONG)].all for r in (DEROUTING, BEST, DETERMINISTIC)]
        rows.append(order("figure 14", f"alpha = {a:g}, 80 % long: derouting < best paths < deterministic", values))
    for routing in ROUTINGS:
        better = gain(runs, routing, 8.0, lambda f: f.short, LONG)
        what = f"short messages, 80 % long, {NAMES[routing]}: alpha = 8 gains ({better:.2f})"
        rows.append(holds("figure 15", what, true=better > 1))
    return rows + figure_15(runs)


def figure_15(runs: Runs) -> list[Row]:
    """Best paths beat derouting for short messages "with an alpha of 8 or more"."""
    limit = {r: runs[Point(r, SHORTEST, LONG)] for r in (BEST, DEROUTING)}
    note = (
        "derouting waits less at the PE port and is slower inside, which counts only once short messages hardly wait: "
        f"alpha = infinity gives best paths {limit[BEST].short:.0f}, derouting {limit[DEROUTING].short:.0f}; "
        f"messages of one packet {limit[BEST].one:.0f}, {limit[DEROUTING].one:.0f}; "
        "readings that were tried: docs/po2.md"
    )
    rows = []
    for a in (8.0, 10.0):
        values = [runs[Point(r, a, LONG)].short for r in (BEST, DEROUTING)]
        what = f"short messages, 80 % long, alpha = {a:g}: best paths < derouting"
        rows.append(order("figure 15", what, values, note))
    values = [limit[r].one for r in (BEST, DEROUTING)]
    what = "messages of one packet, 80 % long, alpha = infinity: best paths < derouting"
    rows.append(order("figure 15", what, values))
    return rows


def rows(runs: Runs) -> list[Row]:
    """Section 4."""
    return gains(runs) + tuning(runs) + long_workload(runs)

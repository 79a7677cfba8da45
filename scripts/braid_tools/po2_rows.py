"""The paper's numbers and comparisons (po2-message-scheduling) beside Braid's: the rows of comparison.csv."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from braid_tools.comparison import Row
from braid_tools.po2_study import FIFO, LONG, ROUND_ROBIN, ROUTINGS, SHORT, SHORTEST, Figures, Point, Study

DETERMINISTIC, BEST, DEROUTING = ROUTINGS
POINTS = 3.0  # per cent of time: how far a utilization may be off
UTILIZATIONS = {  # figure 4 and its text, at 67 % load: PE port, internal port
    DETERMINISTIC: (77, 47),
    BEST: (73, 54),
    DEROUTING: (69, 67),
}
NAMES = {DETERMINISTIC: "deterministic", BEST: "best paths", DEROUTING: "derouting"}


def holds(figure: str, statement: str, *, true: bool, note: str = "") -> Row:
    """A comparison in words: published 1, measured 1 if it holds."""
    return Row(figure, statement, "holds", 1, int(true), 0.0, note)


def order(figure: str, what: str, values: list[float], note: str = "") -> Row:
    """The values ascend strictly; the row says what they are."""
    numbers = " < ".join(f"{value:.0f}" for value in values)
    true = all(a < b for a, b in pairwise(values))
    return holds(figure, f"{what} ({numbers})", true=true, note=note)


def workload(study: Study) -> list[Row]:
    """Section 3 and figure 16."""
    short, long = study[Point(BEST)], study[Point(BEST, FIFO, LONG)]
    tolerance = 0.02
    return [
        Row("section 2", "nodes of E3", "nodes", 19, 3 * 3 * 2 + 1, 0),
        Row(
            "section 2", "nodes of E6", "nodes", 91, len(short.raw["classes"][0]["injected_flits_per_cycle_by_node"]), 0
        ),
        Row("section 3", "mean length, 10 % long", "packets", 5.2, short.mean_packets, tolerance),
        Row("figure 16", "packets of long messages, 10 % long", "%", 48, short.long_packet_share, tolerance),
        Row("figure 16", "packets of short messages, 10 % long", "%", 52, 100 - short.long_packet_share, tolerance),
        Row("figure 16", "packets of long messages, 80 % long", "%", 97, long.long_packet_share, 0.01),
        Row("figure 16", "packets of short messages, 80 % long", "%", 3, 100 - long.long_packet_share, 0.1),
    ]


def fifo(study: Study) -> list[Row]:
    """Section 3: figures 2 to 7."""
    rows = []
    for routing, (pe_port, internal) in UTILIZATIONS.items():
        measured, name = study[Point(routing)], NAMES[routing]
        rows += [
            Row("figure 4", f"PE port utilization, {name}, u = 0.67", "%", pe_port, measured.pe_port, POINTS / pe_port),
            Row(
                "figure 4",
                f"internal utilization, {name}, u = 0.67",
                "%",
                internal,
                measured.internal,
                POINTS / internal,
            ),
        ]
    for share, message, packet in ((SHORT, "figure 2", "figure 3"), (LONG, "figure 5", "figure 6")):
        at = {routing: study[Point(routing, FIFO, share)] for routing in ROUTINGS}
        latencies = [at[r].all for r in (DEROUTING, BEST, DETERMINISTIC)]
        rows.append(order(message, "message latency: derouting < best paths < deterministic", latencies))
        latencies = [at[r].packet for r in (DETERMINISTIC, BEST, DEROUTING)]
        rows.append(order(packet, "packet latency: deterministic < best paths < derouting", latencies))
    ten, eighty = study[Point(DEROUTING)], study[Point(DEROUTING, FIFO, LONG)]
    rows.append(order("figure 7", "derouting, 80 % long: PE port < internal, %", [eighty.pe_port, eighty.internal]))
    gap = [ten.internal - ten.pe_port, eighty.internal - eighty.pe_port]
    rows.append(order("figure 7", "internal over PE port, derouting: 10 % long < 80 % long, points", gap))
    for share, figure in ((SHORT, "figure 4"), (LONG, "figure 7")):
        uses = [study[Point(r, FIFO, share)].internal for r in (DETERMINISTIC, BEST, DEROUTING)]
        rows.append(order(figure, "internal utilization: deterministic < best paths < derouting, %", uses))
    return rows


def gain(study: Study, routing: str, alpha: float, of: Callable[[Figures], float], share: float = SHORT) -> float:
    """Latency under FIFO over that under alpha scheduling."""
    return of(study[Point(routing, FIFO, share)]) / of(study[Point(routing, alpha, share)])


def alpha(study: Study) -> list[Row]:
    """Section 4: figures 8 to 15."""
    four = gain(study, DETERMINISTIC, 4.0, lambda f: f.all)
    short = gain(study, DETERMINISTIC, 4.0, lambda f: f.short)
    one = gain(study, DETERMINISTIC, 4.0, lambda f: f.one)
    long_more = 1 / gain(study, DETERMINISTIC, 4.0, lambda f: f.long)
    eight, limit = (gain(study, DETERMINISTIC, a, lambda f: f.short) for a in (8.0, SHORTEST))
    note = (
        f"a larger alpha gets there: alpha = 8 gains {eight:.2f}, infinity {limit:.2f}; "
        f"messages of one packet gain {one:.2f} with alpha = 4"
    )
    rows = [
        Row("figure 12", "alpha = 4: gain over FIFO, all messages, deterministic", "factor", 3, four, 0.17),
        Row("figure 8", "alpha = 4: gain over FIFO, short messages, deterministic", "factor", 5, short, 0.17, note),
        Row("figure 9", "alpha = 4: long messages over FIFO's (\"very small\")", "factor", 1, long_more, 0.25),
        Row("abstract", "gain of alpha scheduling (8) over FIFO, least (2 to 3)", "factor", 2.5,
            min(gain(study, r, 8.0, lambda f: f.all) for r in ROUTINGS), 0.25),
        holds("figure 8", "alpha = 4, deterministic, beats derouting under FIFO",
              true=study[Point(DETERMINISTIC, 4.0)].all < study[Point(DEROUTING)].all),
    ]  # fmt: skip
    for routing, figure in ((DETERMINISTIC, "figure 8"), (BEST, "figure 10"), (DEROUTING, "figure 11")):
        values = [study[Point(routing, a)].short for a in sorted(study.extent.alpha_curves, reverse=True)]
        rows.append(order(figure, f"short messages, {NAMES[routing]}: latency falls as alpha grows", values))
    at_eight = [study[Point(r, 8.0)].all for r in ROUTINGS]
    spread = max(at_eight) / min(at_eight)
    rows.append(Row("figure 12", "alpha = 8: slowest routing over fastest", "factor", 1, spread, 0.4))
    for routing in ROUTINGS:
        flat = [study[Point(routing, a)].one_packet for a in study.extent.alphas]
        quantity = f"packet latency of one-packet messages, highest over lowest alpha's, {NAMES[routing]}"
        rows.append(Row("figure 13", quantity, "factor", 1, max(flat) / min(flat), 0.03))
    overall = {share: gain(study, DETERMINISTIC, 8.0, lambda f: f.all, share) for share in (SHORT, LONG)}
    what = f"alpha = 8 gains less with 80 % long ({overall[LONG]:.2f}) than with 10 % ({overall[SHORT]:.2f})"
    rows.append(holds("figure 14", what, true=overall[LONG] < overall[SHORT]))
    for a in study.extent.alphas_long:
        values = [study[Point(r, a, LONG)].all for r in (DEROUTING, BEST, DETERMINISTIC)]
        rows.append(order("figure 14", f"alpha = {a:g}, 80 % long: derouting < best paths < deterministic", values))
    for routing in ROUTINGS:
        better = gain(study, routing, 8.0, lambda f: f.short, LONG)
        rows.append(
            holds(
                "figure 15",
                f"short messages, 80 % long, {NAMES[routing]}: alpha = 8 gains ({better:.2f})",
                true=better > 1,
            )
        )
    return rows + figure_15(study)


def figure_15(study: Study) -> list[Row]:
    """Best paths beat derouting for short messages "with an alpha of 8 or more"."""
    limit = {r: study[Point(r, SHORTEST, LONG)] for r in (BEST, DEROUTING)}
    note = (
        "derouting waits less at the PE port and is slower inside, which counts only once short messages hardly wait: "
        f"alpha = infinity gives best paths {limit[BEST].short:.0f}, derouting {limit[DEROUTING].short:.0f}; "
        f"messages of one packet {limit[BEST].one:.0f}, {limit[DEROUTING].one:.0f}"
    )
    rows = []
    for a in (8.0, 10.0):
        values = [study[Point(r, a, LONG)].short for r in (BEST, DEROUTING)]
        rows.append(
            order("figure 15", f"short messages, 80 % long, alpha = {a:g}: best paths < derouting", values, note)
        )
    values = [limit[r].one for r in (BEST, DEROUTING)]
    rows.append(
        order("figure 15", "messages of one packet, 80 % long, alpha = infinity: best paths < derouting", values)
    )
    return rows


def round_robin(study: Study) -> list[Row]:
    """Section 5: figures 17 to 20."""
    rows = []
    for routing in ROUTINGS:
        pairs = [(study[Point(routing, ROUND_ROBIN, SHORT, u)].all, study[Point(routing, FIFO, SHORT, u)].all)
                 for u in study.extent.loads]  # fmt: skip
        rows.append(
            holds(
                "figure 17",
                f"round robin beats FIFO at every load, {NAMES[routing]}",
                true=all(a < b for a, b in pairs),
            )
        )
    spread = [study[Point(r, ROUND_ROBIN)].all for r in ROUTINGS]
    rows.append(
        Row(
            "figure 17",
            "round robin: slowest routing over fastest, u = 0.67",
            "factor",
            1,
            max(spread) / min(spread),
            0.15,
        )
    )
    for routing in ROUTINGS:
        turn, eight = study[Point(routing, ROUND_ROBIN)], study[Point(routing, 8.0)]
        rows.append(
            order("figure 18", f"short messages, {NAMES[routing]}: alpha = 8 < round robin", [eight.short, turn.short])
        )
        rows.append(
            order("figure 19", f"all messages, {NAMES[routing]}: alpha = 8 < round robin", [eight.all, turn.all])
        )
    turn = {r: study[Point(r, ROUND_ROBIN, LONG)].all for r in (BEST, DEROUTING)}
    ten = {r: study[Point(r, 10.0, LONG)].all for r in (BEST, DEROUTING)}
    rows.append(order("figure 20", "80 % long, derouting: alpha = 10 < round robin", [ten[DEROUTING], turn[DEROUTING]]))
    rows.append(order("figure 20", "80 % long, best paths: round robin < alpha = 10", [turn[BEST], ten[BEST]]))
    return rows + without_backpressure(study)


def without_backpressure(study: Study) -> list[Row]:
    """Conclusion: without backpressure alpha scheduling may beat round robin by "up to two times"."""
    # Without backpressure the pools of 20 deadlock at high loads.
    extra = (("po2.reject_same_message", False), ("po2.avoidance", "up_down_escape"))
    loads = (0.67, 0.75, 0.85)
    study.run(Point(BEST, s, SHORT, u, extra) for s in (ROUND_ROBIN, 8.0) for u in loads)
    factors = [
        study[Point(BEST, ROUND_ROBIN, SHORT, u, extra)].all / study[Point(BEST, 8.0, SHORT, u, extra)].all
        for u in loads
    ]
    with_rule = study[Point(BEST, ROUND_ROBIN)].all / study[Point(BEST, 8.0)].all
    measured = ", ".join(f"{factor:.2f}" for factor in factors)
    note = f'best paths, u = 0.67, 0.75, 0.85: {measured} (with backpressure {with_rule:.2f}); "up to" cites [CR94]'
    return [
        Row("section 6", "round robin over alpha = 8 without backpressure, most", "factor", 2, max(factors), 0.25, note)
    ]


def all_rows(study: Study) -> list[Row]:
    """Every row, in the paper's order."""
    return workload(study) + fifo(study) + alpha(study) + round_robin(study)

"""Rows for sections II.B and IV of sat-fairness: 64 nodes, delays, intervals, k = l, larger networks."""

from __future__ import annotations

from dataclasses import replace

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.sat.points import (
    ADAPTIVE,
    EXPERIMENT,
    FLITS,
    LEVELS,
    NONE,
    PATTERNS,
    STATIC,
    THROUGHPUT,
    ByPoint,
    Point,
    Windows,
    measure,
    ring,
    spread,
)
from braid_tools.program import Results, Run
from braid_tools.study import Study

DELAYS = {NONE: 551, ring(8, 8): 226, ring(12, 12): 297, ring(16, 16): 321}
CLOSED_FORM_K = [2, 4, 8, 12, 14, 15, 16, 20]
EQUAL = [ring(8, 8), ring(12, 12), ring(16, 16)]
SHUFFLES = [NONE, ring(12, 12), ring(16, 16), ring(12, 16), ring(12, 24)]


def points_of_64() -> list[Point]:
    """Figures 3, 4 and 5 and the delays."""
    points = [Point(64, p, NONE, r) for p in PATTERNS.values() for r in (STATIC, ADAPTIVE)]
    points += [Point(64, p, policy, r) for p in PATTERNS.values() for r in (STATIC, ADAPTIVE) for policy in EQUAL]
    points += [Point(64, "shuffle", policy) for policy in SHUFFLES]
    points += [Point(64, p, policy) for p in ("uniform", "hot_region") for policy in (ring(12, 16), ring(12, 24))]
    return points + [Point(64, "butterfly", ring(k, k), ADAPTIVE, "saturated") for k in CLOSED_FORM_K]


def spread_explained(point: Point, result: Results, results: ByPoint) -> Explanation:
    """Why minimum and maximum differ by 1 % or more though k = l: what sources' own chance gives without SAT where the
    network holds nobody back, else up to four rounds."""
    free = results.get(replace(point, policy=NONE))
    if free is not None and point.pattern == "butterfly":
        chance = relative_spread(free)
        return Explanation("the network holds nobody back: the sources' own chance, without SAT", chance, chance / 2)
    round_ = point.policy.k * FLITS / result["measured_cycles"] / spread(result)["mean"]
    why = f"{point.policy.k} packets a round: the counts of two nodes differ by up to two rounds at either end"
    return Explanation(why, 2 * round_, 2 * round_)


def relative_spread(result: Results) -> float:
    """Of the nodes that send: (max - min) / mean."""
    s = spread(result)
    return (s["max"] - s["min"]) / s["mean"]


def equal_rows(results: ByPoint) -> list[Row]:
    """k = l: minimum and maximum differ by less than 1 % (section II.B)."""
    rows = []
    for point, result in results.items():
        if not point.policy.carrier or point.policy.l != point.policy.k or point.process == "saturated":
            continue
        relative = relative_spread(result)
        where = f"{point.nodes} nodes, {point.policy.name}, {point.pattern}, {point.routing}"
        quantity = f"(max - min)/mean, {where} ({result['measured_cycles']} cycles)"
        explanation = spread_explained(point, result, results)
        rows.append(Row("Section II.B", quantity, "1", 0.01, relative, 0.0, explanation=explanation, at_most=True))
    return rows


def closed_form_rows(results: ByPoint) -> list[Row]:
    """A saturated source whose packets meet nobody's sends k packets in an interval, or all the time."""
    interval = 232
    rows = []
    for k in CLOSED_FORM_K:
        measured = spread(results[Point(64, "butterfly", ring(k, k), ADAPTIVE, "saturated")])["mean"]
        expected = min(1.0, FLITS * k / interval)
        quantity = f"closed form: saturated source, butterfly, l = k = {k}"
        rows.append(Row("Section II.B", quantity, THROUGHPUT, expected, measured, 0.001))
    return rows


def text_rows(results: ByPoint) -> list[Row]:
    """Throughputs in the text on 64 nodes, and the ratios of section IV.D."""
    at = lambda pattern, policy=NONE: spread(results[Point(64, pattern, policy)])  # noqa: E731
    least = lambda pattern: at(pattern)["min"] / at(pattern)["mean"]  # noqa: E731
    far = results[Point(64, "hot_region")]["classes"][0]["injected_flits_per_cycle_by_node"][16:]
    near = 0.08
    return [
        Row("Fig. 3", "butterfly, average", THROUGHPUT, 0.95, at("butterfly")["mean"], near),
        Row("Fig. 3", "hot region, minimum over average", "1", 0.65, least("hot_region"), near),
        Row("Fig. 3", "transpose, minimum over average", "1", 0.89, least("bit_transpose"), near),
        Row("Fig. 5(b)", "hot region, none, nodes 16 to 63", THROUGHPUT, 0.16, sum(far) / len(far), near),
        Row("Fig. 5(b)", "hot region, l12k12, minimum", THROUGHPUT, 0.22, at("hot_region", ring(12, 12))["min"], near),
        Row("Fig. 5(b)", "hot region, l12k24, minimum", THROUGHPUT, 0.19, at("hot_region", ring(12, 24))["min"], near),
        Row("Fig. 5(c)", "shuffle, l12k12, every node", THROUGHPUT, 0.57, at("shuffle", ring(12, 12))["mean"], near),
        Row("Fig. 5(c)", "shuffle, l16k16, every node", THROUGHPUT, 0.57, at("shuffle", ring(16, 16))["mean"], near),
    ]  # fmt: skip


def delay_of(result: Results) -> float:
    """Mean cycles from creation to delivery."""
    return result["classes"][0]["packet_latency_cycles"]["mean"]


def delay_rows(results: ByPoint) -> list[Row]:
    """Section IV.B: mean delay of uniform traffic under static routing, from creation to delivery."""
    rows = []
    for policy, published in DELAYS.items():
        result = results[Point(64, "uniform", policy, STATIC)]
        total, queue = delay_of(result), result["classes"][0]["queue_latency_mean_cycles"]
        note = (
            f"{total:.0f} cycles from creation, {total - queue:.0f} from the head's departure through the gate; the "
            "published figure lies between, as with a queue behind the gate (next rows)"
        )
        rows.append(Row("Section IV.B", f"delay, uniform, static, {policy.name}", "cycles", published, total, 0.05,
                        note if policy.carrier else ""))  # fmt: skip
    order = [row.measured for row in sorted(rows, key=lambda row: row.published)]
    in_order = float(order == sorted(order))
    rows.append(Row("Section IV.B", "delays in the published order (1: yes)", "1", 1, in_order, 0.0))
    return rows


def second_reading_rows(study: Study, windows: Windows) -> list[Row]:
    """The same delays with another place for the gate: a packet before it, a queue like any other behind it."""
    points = [Point(64, "uniform", policy, STATIC, source_packets=5, behind_gate=4) for policy in DELAYS]
    results = measure(study, points, windows)
    rows = []
    for point in points:
        quantity = (
            f"delay, uniform, static, {point.policy.name}, second reading: sources of 5 packets, 4 behind the gate"
        )
        note = "" if point.policy.carrier else "three packets fewer wait at each source than in the first reading"
        published = DELAYS[point.policy]
        rows.append(Row("Section IV.B", quantity, "cycles", published, delay_of(results[point]), 0.05, note))
    return rows


def interval_rows(study: Study) -> list[Row]:
    """Zero-load intervals: H(n) + N over the ring, 2n + 1 over the spanning tree."""
    published = {("ring", 64): 232, ("ring", 256): 936, ("ring", 1024): 3752,
                 ("spanning_tree", 256): 9, ("spanning_tree", 1024): 11}  # fmt: skip
    runs = [
        Run(f"{carrier} {nodes}", EXPERIMENT, {
            "topology.levels": LEVELS[nodes], "sat.carrier": carrier, "traffic.rate_flits_per_node_cycle": 0,
            "simulation.min_warmup_cycles": 0, "simulation.max_warmup_cycles": 0, "simulation.measure_cycles": 20000,
        })
        for carrier, nodes in published
    ]  # fmt: skip
    rows = []
    for ((carrier, nodes), cycles), result in zip(published.items(), study.run(runs), strict=True):
        interval = result["fairness"]["interval_cycles"]
        for which in ("min", "max"):
            quantity = f"zero-load interval, {carrier}, {nodes} nodes, {which} over all stations"
            rows.append(Row("Section II.B", quantity, "cycles", cycles, interval[which], 0.0))
    return rows


def large_points(nodes: int) -> list[Point]:
    """What section IV.D says of larger networks beside Table I."""
    if nodes == 256:
        return [Point(256, "butterfly"), Point(256, "bit_reversal"), Point(256, "butterfly", ring(48, 64))]
    return [Point(1024, "butterfly", ring(192, 256))]


def large_rows(nodes: int, results: ByPoint) -> list[Row]:
    """Section IV.D."""
    mean = lambda p: spread(results[p])["mean"]  # noqa: E731
    ratio = lambda p: spread(results[p])["min"] / mean(p)  # noqa: E731
    figure = "Section IV.D"
    if nodes == 1024:
        hot, butterfly = Point(1024, "hot_region"), Point(1024, "butterfly", ring(192, 256))
        return [
            Row(figure, "1024 nodes, hot region, minimum over average", "1", 0.57, ratio(hot), 0.08),
            Row(figure, "1024 nodes, butterfly, l192k256, average", THROUGHPUT, 0.94, mean(butterfly), 0.04),
        ]
    hot = spread(results[Point(256, "hot_region")])
    reversal = Point(256, "bit_reversal")
    fair = Point(256, "butterfly", ring(48, 64))
    note = (
        f"bit reversal moves {mean(reversal):.3f}, no node less than {spread(results[reversal])['min']:.3f}; 0.13 is "
        f"the minimum under hot region ({hot['min']:.3f} here, 0.126 in Table I)"
    )
    return [
        Row(figure, "256 nodes, transpose, minimum over average", "1", 0.77, ratio(Point(256, "bit_transpose")), 0.08),
        Row(figure, "256 nodes, butterfly, none, average", THROUGHPUT, 0.94, mean(Point(256, "butterfly")), 0.02),
        Row(figure, "256 nodes, butterfly, l48k64, average", THROUGHPUT, 0.95, mean(fair), 0.02),
        Row(figure, "256 nodes, bit reversal, none, average", THROUGHPUT, 0.13, mean(reversal), 0.02, note),
    ]  # fmt: skip

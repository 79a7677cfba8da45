"""Sentences of sections III.B and IV.A to IV.C of sat-fairness that have no number; the window of section III.B,
once."""

from __future__ import annotations

import math
from typing import Any

from braid_tools.comparison import Explanation, Kind, Row
from braid_tools.papers.sat.points import (
    ADAPTIVE,
    FLITS,
    LEVELS,
    NONE,
    PATTERNS,
    STATIC,
    THROUGHPUT,
    ByPoint,
    Point,
    Policy,
    Windows,
    measure,
    ring,
    spread,
)
from braid_tools.papers.sat.table import FIGURES, TOLERANCE, published_cell
from braid_tools.program import ROOT, Results, Run
from braid_tools.study import Study

UNBALANCED = [name for name in PATTERNS if name not in ("uniform", "butterfly")]
INTERVAL = 232  # of the signal that nobody holds
LIGHT = (0.1, 0.3)  # flits/node/cycle: low and medium
CAREFUL = ring(12, 12)
THRESHOLDS = range(2, 21, 2)
BOUNDED = [ring(12, 16), ring(12, 24)]
MESH = ROOT / "tb" / "experiments" / "mesh_uniform.toml"


def threshold_points() -> list[Point]:
    """k = l from 2 to 20."""
    return [Point(64, "uniform", ring(k, k)) for k in THRESHOLDS]


def light_points() -> list[Point]:
    """Below saturation, with and without SAT; sources hold what they have."""
    return [Point(64, "uniform", policy, rate=rate, source_packets=0) for policy in (NONE, CAREFUL) for rate in LIGHT]


def word_points() -> list[Point]:
    """What these rows need beside figures 3 to 5."""
    bounded = [
        Point(64, PATTERNS[p], policy) for p in ("uniform", "hot region", "perfect shuffle") for policy in BOUNDED
    ]
    return threshold_points() + light_points() + bounded


def unfairness(result: Results) -> float:
    """(max - min) / mean of the nodes that send."""
    s = spread(result)
    return (s["max"] - s["min"]) / s["mean"]


def behind(result: Results) -> float:
    """How far the least is behind the average: (mean - min) / mean. Section III.B: "Fairness is achieved when the
    minimum node throughput is not far from the network average"."""
    s = spread(result)
    return (s["mean"] - s["min"]) / s["mean"]


MEASURES = {"minimum behind the average": behind, "range over the average": unfairness}


def less(figure: str, quote: str, what: str, pair: tuple[float, float], note: str = "") -> Row:
    """That of two figures the first one is less."""
    found = f"{what} ({pair[0]:.3f}, {pair[1]:.3f})"
    return Row(figure, found, "holds", 1, int(pair[0] < pair[1]), 0.0, note, quote=quote)


def light_rows(results: ByPoint) -> list[Row]:
    """Section III.B: "the SAT protocol will not introduce penalties at low and medium loads"."""
    rows = []
    for rate in LIGHT:
        free, fair = (
            results[Point(64, "uniform", policy, rate=rate, source_packets=0)]["classes"][0]
            for policy in (NONE, CAREFUL)
        )
        for what, key in (("latency", "packet_latency_cycles"), ("accepted load", "accepted_flits_per_node_cycle")):
            quantity = f"{what} with l12k12 over that without SAT, uniform, {rate:g} {THROUGHPUT}"
            rows.append(
                Row("Section III.B", quantity, "factor", 1, fair[key]["mean"] / free[key]["mean"], 0.01,
                    quote="will not introduce penalties at low and medium loads")
            )  # fmt: skip
    return rows


def threshold_rows(results: ByPoint) -> list[Row]:
    """Section IV.B: l from 2 to 20. What a node may send in a round bounds its rate until the network does."""
    at = {k: spread(results[Point(64, "uniform", ring(k, k))])["mean"] for k in THRESHOLDS}
    rows = [
        Row("Section IV.B", f"closed form: uniform, l = k = {k}, k packets a round of {INTERVAL} cycles", THROUGHPUT,
            k * FLITS / INTERVAL, at[k], 0.02)
        for k in THRESHOLDS
        if k * FLITS / INTERVAL < 0.9 * max(at.values())
    ]  # fmt: skip
    covered = [mean for k, mean in at.items() if k >= 14]
    what = "uniform, l = k = 14 to 20, which cover the interval: largest over smallest average"
    rows.append(Row("Section IV.B", what, "factor", 1, max(covered) / min(covered), 0.02,
                    quote="there is little difference in network performance"))  # fmt: skip
    return rows


def adaptive_rows(results: ByPoint) -> list[Row]:
    """Section IV.A: where the network is unfair. The paper's measure is the minimum; the range is beside it."""
    rows = []
    for name in UNBALANCED:
        adaptive, static = (results[Point(64, PATTERNS[name], NONE, routing)] for routing in (ADAPTIVE, STATIC))
        for measure_name, of in MEASURES.items():
            what = f"{name}, {measure_name}: adaptive < static"
            note = ""
            if name == "perfect shuffle" and of is behind:
                note = "adaptive routing moves more, and what it adds goes to nodes that were ahead"
            pair = of(adaptive), of(static)
            rows.append(less("Section IV.A", "Adaptive routing reduces unfairness", what, pair, note))
        what = f"{name}, adaptive, range over the average: more than a tenth"
        quote = "there are still significant differences between maximum and minimum node throughput"
        rows.append(less("Section IV.A", quote, what, (0.1, unfairness(adaptive))))
    return rows


def bound_rows(results: ByPoint) -> list[Row]:
    """Section IV.C: k > l "limits the differences between minimum and maximum throughput to the ratio k:l"."""
    rows = []
    for policy in BOUNDED:
        for name in ("uniform", "hot region", "perfect shuffle"):
            s = spread(results[Point(64, PATTERNS[name], policy)])
            what = f"{name}, {policy.name}, maximum over minimum: k : l at most"
            # A node is somewhere in its round at either end of the window.
            rows.append(
                Row("Section IV.C", what, "factor", policy.k / policy.l, s["max"] / s["min"], 0.02, at_most=True,
                    quote="limits the differences between minimum and maximum throughput to the ratio k:l")
            )  # fmt: skip
    return rows


def mesh_run(pattern: str, windows: Windows) -> Run:
    """An 8x8 mesh of the tree's routers, X first, as full as the tree."""
    settings: dict[str, Any] = {
        "router.architecture": "virtual_cut_through",
        "router.vcs": 1,
        "router.queue_packets": 4,
        "router.credit_delay_cycles": 1,
        "interface.source_queue_packets": 8,
        "interface.fairness": "none",
        "traffic.flits": FLITS,
        "traffic.rate_flits_per_node_cycle": 1.0,
        "simulation.min_warmup_cycles": windows.warmup,
        "simulation.max_warmup_cycles": windows.warmup,
        "simulation.measure_cycles": windows.measured[64],
        "simulation.max_drain_cycles": 0,
    }
    run = Point(64, pattern, Policy()).run(windows.warmup, windows.measured[64])
    patterns = {key: value for key, value in run.settings.items() if key.startswith("traffic.") and "rate" not in key}
    return Run(f"8x8 mesh, {pattern}", MESH, settings | patterns)


def mesh_rows(study: Study, windows: Windows, results: ByPoint) -> list[Row]:
    """Section IV.A: the mesh of the paper's reference 6, which is not ours to see, stands for itself as 8x8."""
    names = ["uniform", "hot region", "transpose"]
    meshes = study.run([mesh_run(PATTERNS[name], windows) for name in names])
    rows = []
    for name, mesh in zip(names, meshes, strict=True):
        tree = results[Point(64, PATTERNS[name])]
        for measure_name, of in MEASURES.items():
            what = f"{name}, {measure_name}: tree < 8x8 mesh"
            quote = "Compared with the mesh [6], the fat-tree network is more fair"
            note = ""
            if name == "hot region" and of is unfairness:
                note = "nodes in the hot region send to their neighbours: on the tree they get 4 times what others get"
            rows.append(less("Section IV.A", quote, what, (of(tree), of(mesh)), note))
    return rows


BATCHES = 5
STEADY = ("uniform", "hot region", "transpose")
STABLE = 0.05  # relative; the paper has no figure


def batch_cycles(nodes: int, throughput: float) -> int:
    """How long 10 N^2 packets take to be delivered, in whole hundreds."""
    return math.ceil(10 * nodes * FLITS / throughput / 100) * 100


def batch_run(point: Point, throughput: float, windows: Windows) -> Run:
    """The window of section III.B: five batches, each in the results."""
    cycles = batch_cycles(point.nodes, throughput)
    run = point.run(windows.warmup, BATCHES * cycles)
    return run.with_({"simulation.batch_cycles": cycles, "results.batches": True})


def batch_rows_of(point: Point, here: Results, other: Results) -> list[Row]:
    """A run of five batches; another one of the same point over the window of the other rows."""
    packets = here["classes"][0]["batches"]["packets"]
    mean = sum(packets) / len(packets)
    where = f"{point.nodes} nodes, {point.pattern}, five batches of 10 N^2 packets"
    quote = "to verify that results are stable over time"
    uneven = (max(packets) - min(packets)) / mean
    rows = [
        Row("Section III.B", f"{where}: range of packets over their mean", "1", STABLE, uneven, 0.0, at_most=True,
            quote=quote),
        Row("Section III.B", f"{where}: mean packets over 10 N^2", "1", 1, mean / (10 * point.nodes**2), 0.02,
            stated_kind=Kind.INPUT),
    ]  # fmt: skip
    return rows + drift_rows(point, here, other, where)


def drift_rows(point: Point, here: Results, other: Results, where: str) -> list[Row]:
    """The nodes' throughput in the paper's window beside Table I, and over that in the window of the other rows."""
    published, rows = published_cell(point), []
    for i, (key, name) in enumerate(FIGURES):
        long, short = spread(here)[key], spread(other)[key]
        cause = None
        if published:
            tolerance = TOLERANCE[point.nodes][i]
            rows.append(Row("Table I", f"{where}: {name} of nodes", THROUGHPUT, published[i], long, tolerance))
            why = "the figure drifts with the window: in the paper's it is the published one"
            cause = Explanation(why, published[i] / short, TOLERANCE[point.nodes][0])
        what = f"{where}: {name} of nodes over that in the window of the other rows"
        rows.append(Row("Section III.B", what, "factor", 1, long / short, 0.03, explanation=cause,
                        stated_kind=Kind.OWN))  # fmt: skip
    return rows


def batch_rows(study: Study, windows: Windows, results: ByPoint) -> list[Row]:
    """Section III.B: five batches of 10 N^2 delivered packets; of all sizes that `results` has, quickly of 64 nodes: on
    256 they take a fifth of the study's time."""
    points = [p for n in LEVELS for name in STEADY if (p := Point(n, PATTERNS[name])) in results]
    points = [p for p in points if p.nodes <= 64 or not study.quick]
    points.sort(key=lambda p: -p.nodes)
    loads = [results[p]["classes"][0]["accepted_flits_per_node_cycle"]["mean"] for p in points]
    runs = study.run([batch_run(p, load, windows) for p, load in zip(points, loads, strict=True)])
    found = zip(points, runs, strict=True)
    return [row for point, run in found for row in batch_rows_of(point, run, results[point])]


def rows(study: Study, windows: Windows, results: ByPoint) -> list[Row]:
    """In the paper's order; `results` has figures 3 to 5, and the larger networks of Table I where they are run."""
    results = results | measure(study, [p for p in word_points() if p not in results], windows)
    found = light_rows(results) + batch_rows(study, windows, results)
    found += adaptive_rows(results) + mesh_rows(study, windows, results)
    return found + threshold_rows(results) + bound_rows(results)

"""Sentences of sections III.B, IV.A to IV.C of sat-fairness that have no number, on 64 nodes."""

from __future__ import annotations

from typing import Any

from braid_tools.comparison import Row
from braid_tools.papers.sat.points import (
    ADAPTIVE,
    FLITS,
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


def holds(figure: str, statement: str, *, true: bool) -> Row:
    """A comparison in words."""
    return Row(figure, statement, "holds", 1, int(true), 0.0)


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
    """Section IV.A: "adaptive routing reduces unfairness but there are still significant differences"."""
    rows = []
    for name in UNBALANCED:
        free = [unfairness(results[Point(64, PATTERNS[name], NONE, routing)]) for routing in (ADAPTIVE, STATIC)]
        what = f"{name}, (max - min) / mean: adaptive < static ({free[0]:.2f}, {free[1]:.2f})"
        rows.append(holds("Fig. 3", what, true=free[0] < free[1]))
    return rows


def bound_rows(results: ByPoint) -> list[Row]:
    """Section IV.C: k > l "limits the differences between minimum and maximum throughput to the ratio k:l"."""
    rows = []
    for policy in BOUNDED:
        for name in ("uniform", "hot region", "perfect shuffle"):
            s = spread(results[Point(64, PATTERNS[name], policy)])
            what = f"{name}, {policy.name}, maximum over minimum: k : l at most"
            rows.append(
                Row("Section IV.C", what, "factor", policy.k / policy.l, s["max"] / s["min"], 0.02, at_most=True)
            )
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
    """Section IV.A: "Compared with the mesh, the fat-tree network is more fair"."""
    names = ["uniform", "hot region", "transpose"]
    meshes = study.run([mesh_run(PATTERNS[name], windows) for name in names])
    rows = []
    for name, mesh in zip(names, meshes, strict=True):
        both = [unfairness(results[Point(64, PATTERNS[name])]), unfairness(mesh)]
        what = f"{name}, (max - min) / mean: tree < 8x8 mesh ({both[0]:.2f}, {both[1]:.2f})"
        rows.append(holds("Section IV.A", what, true=both[0] < both[1]))
    return rows


def rows(study: Study, windows: Windows, results: ByPoint) -> list[Row]:
    """In the paper's order; `results` has figures 3 to 5 and is completed by what is missing."""
    results = results | measure(study, [p for p in word_points() if p not in results], windows)
    found = light_rows(results) + adaptive_rows(results) + mesh_rows(study, windows, results)
    return found + threshold_rows(results) + bound_rows(results)

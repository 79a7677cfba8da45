"""SAT beyond the paper: diamond rings, mesh and torus, PO2, 4096 nodes, thresholds that the line finds itself."""

from __future__ import annotations

from typing import Any

from braid_tools.papers.sat.points import (
    FULL,
    PATTERNS,
    ByPoint,
    Point,
    Policy,
    diamond,
    measure,
    pattern_settings,
    spread,
)
from braid_tools.papers.sat.table import TABLE_PATTERNS
from braid_tools.program import ROOT, Results, Run
from braid_tools.study import Study

EXPERIMENTS = ROOT / "tb" / "experiments"
FULL_LOAD = {
    "interface.source_queue_packets": 8,
    "traffic.rate_flits_per_node_cycle": 1.0,
    "simulation.max_drain_cycles": 0,
}
LINES = {"none": {"interface.fairness": "none"}} | {
    f"{carrier} l{k}k{k}": {"interface.fairness": "sat", "sat.carrier": carrier, "sat.l": k, "sat.k": k}
    for carrier, k in (("ring", 2), ("ring", 8), ("spanning_tree", 2),
                       ("diamond_ring", 2), ("diamond_ring", 4), ("diamond_ring", 8))
}  # fmt: skip


def diamond_points() -> list[Point]:
    """Table I's networks and patterns with the line over a diamond ring."""
    return [
        Point(nodes, PATTERNS[pattern], diamond(k, k))
        for nodes in (256, 1024)
        for k in (4, 8)
        for pattern in TABLE_PATTERNS
    ]


def grids(warmup: int, cycles: int) -> list[Run]:
    """8x8 mesh and torus, hybrid (4-flit packets) and virtual cut-through (16-flit packets)."""
    window = {
        "simulation.min_warmup_cycles": warmup,
        "simulation.max_warmup_cycles": warmup,
        "simulation.measure_cycles": cycles,
    }
    cut_through = {
        "router.architecture": "virtual_cut_through",
        "router.vcs": 1,
        "router.credit_delay_cycles": 1,
        "traffic.flits": 16,
    }
    runs = []
    for kind in ("mesh", "torus"):
        for family, router in (("hybrid", {}), ("virtual cut-through", cut_through)):
            bubble = {"routing.bubble": kind == "torus" and family != "hybrid"}
            for pattern in ("uniform", "hot_region"):
                for line, sat in LINES.items():
                    keys = {"topology.kind": kind, **pattern_settings(pattern)}
                    name = f"8x8 {kind}, {family}, {pattern}, {line}"
                    settings = FULL_LOAD | keys | router | bubble | sat | window
                    runs.append(Run(name, EXPERIMENTS / "mesh_uniform.toml", settings))
    return runs


# Cycles before and while measuring with thresholds that the line finds: a decision takes four rounds.
AUTO_WINDOWS = {
    (256, "ring"): (50_000, 400_000),
    (256, "spanning_tree"): (50_000, 400_000),
    (256, "diamond_ring"): (50_000, 400_000),
    (1024, "ring"): (400_000, 400_000),
    (1024, "spanning_tree"): (50_000, 200_000),
}


def automatic() -> dict[Point, Run]:
    """256 and 1024 nodes with thresholds that the line finds itself, from l = k = 4."""
    runs = {}
    for (nodes, carrier), (warmup, cycles) in AUTO_WINDOWS.items():
        for pattern in ("uniform", "hot_region", "bit_transpose"):
            point = Point(nodes, pattern, Policy(carrier, 4, 4, "sat_auto"))
            run = point.run(warmup, cycles)
            name = f"{nodes} nodes, {pattern}, {point.policy.name}"
            runs[point] = Run(name, run.experiment, run.settings)
    return runs


def by_hand(point: Point, results: ByPoint) -> float:
    """The best average that rows with l = k reach on the same network and carrier."""
    return max(
        spread(result)["mean"]
        for p, result in results.items()
        if (p.nodes, p.pattern, p.routing, p.process) == (point.nodes, point.pattern, "tree_adaptive", "bernoulli")
        and p.policy.carrier == point.policy.carrier
        and p.policy.l == p.policy.k
    )


def large_trees() -> list[Run]:
    """4096 nodes with the spanning tree."""
    runs = []
    for pattern in ("uniform", "hot_region", "bit_transpose"):
        for policy in (Policy(), Policy("spanning_tree", 2, 2), Policy("spanning_tree", 4, 4)):
            run = Point(4096, pattern, policy).run(10_000, FULL.measured[4096])
            runs.append(Run(f"4-ary 6-tree, {pattern}, {policy.name}", run.experiment, run.settings))
    return runs


def hexagonal() -> list[Run]:
    """PO2's wrapped hexagonal mesh of 91 nodes at a tenth above full load."""
    overload = {"traffic.rate_flits_per_node_cycle": 0.419, "simulation.max_drain_cycles": 0}
    policies = [Policy(), Policy("ring", 16, 16), Policy("ring", 32, 32), Policy("spanning_tree", 16, 16),
                diamond(16, 16), Policy("ring", 16, 16, "sat_auto")]  # fmt: skip
    runs = []
    for policy in policies:
        line: dict[str, Any] = {"interface.fairness": policy.fairness if policy.carrier else "none"}
        if policy.carrier:
            line |= {"sat.carrier": policy.carrier, "sat.l": policy.l, "sat.k": policy.k}
        runs.append(Run(f"PO2, 91 nodes, {policy.name}", EXPERIMENTS / "po2_hexagonal.toml", overload | line))
    return runs


def row(run: Run, result: Results, hand: float | str = "") -> list[object]:
    """What beyond.csv says of a run."""
    s = spread(result)
    line: list[object] = ["", "", "", ""]
    if "fairness" in result:
        f = result["fairness"]
        line = [f["l"], f["k"], f["unheld_interval_cycles"], f["interval_cycles"]["mean"]]
    return [run.name, result["measured_cycles"], s["mean"], s["min"], s["max"], s["jain_index"], *line, hand]


COLUMNS = ["run", "measured_cycles", "mean_flits_per_node_cycle", "min", "max", "jain_index", "l", "k",
           "unheld_interval_cycles", "mean_interval_cycles", "best_mean_with_l_k_by_hand"]  # fmt: skip


def tabulate(study: Study, results: ByPoint) -> None:
    """Writes beyond.csv. `results`: of Table I's points."""
    over_diamonds = measure(study, diamond_points(), FULL)
    auto = automatic()
    hands = {run.name: by_hand(point, results | over_diamonds) for point, run in auto.items()}
    runs = [*reversed(auto.values()), *large_trees(), *hexagonal(), *grids(20_000, 100_000)]
    outcomes = [
        (Run(f"{point.nodes} nodes, {point.pattern}, {point.policy.name}", EXPERIMENTS), result)
        for point, result in over_diamonds.items()
    ] + list(zip(runs, study.run(runs), strict=True))
    study.table("beyond.csv", COLUMNS, [row(run, result, hands.get(run.name, "")) for run, result in outcomes])

"""SAT where the paper has not tried it: mesh and torus under both router families, 4096 nodes, automatic thresholds."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from braid_tools.program import ROOT, Run, run_all
from braid_tools.sat_points import FULL, Point, Policy, spread

EXPERIMENTS = ROOT / "tb" / "experiments"
FULL_LOAD = {
    "interface.source_queue_packets": 8,
    "traffic.rate_flits_per_node_cycle": 1.0,
    "traffic.hot_fraction": 0.25,
    "simulation.max_drain_cycles": 0,
}
LINES = {"none": {"interface.fairness": "none"}} | {
    f"{carrier} l{k}k{k}": {"interface.fairness": "sat", "sat.carrier": carrier, "sat.l": k, "sat.k": k}
    for carrier, k in (("ring", 2), ("ring", 8), ("spanning_tree", 2))
}


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
                    keys = {"topology.kind": kind, "traffic.pattern": pattern}
                    name = f"8x8 {kind}, {family}, {pattern}, {line}"
                    settings = FULL_LOAD | keys | router | bubble | sat | window
                    runs.append(Run(name, EXPERIMENTS / "mesh_uniform.toml", settings))
    return runs


def trees() -> list[Run]:
    """4096 nodes with the spanning tree; 256 and 1024 nodes with thresholds that the line finds itself."""
    runs = []
    for nodes in (256, 1024):
        for pattern in ("uniform", "hot_region", "bit_transpose"):
            for carrier in ("ring", "spanning_tree"):
                policy = Policy(carrier, 4, 4, "sat_auto")
                run = Point(nodes, pattern, policy).run(50_000 if nodes == 256 else 100_000, FULL.measured[nodes])
                runs.append(Run(f"{nodes} nodes, {pattern}, {policy.name}", run.experiment, run.settings))
    for pattern in ("uniform", "hot_region", "bit_transpose"):
        for policy in (Policy(), Policy("spanning_tree", 2, 2), Policy("spanning_tree", 4, 4)):
            run = Point(4096, pattern, policy).run(10_000, FULL.measured[4096])
            runs.append(Run(f"4-ary 6-tree, {pattern}, {policy.name}", run.experiment, run.settings))
    return runs


def row(run: Run, result: dict[str, Any]) -> list[object]:
    """What beyond.csv says of a run."""
    s = spread(result)
    line: list[object] = ["", "", "", ""]
    if "fairness" in result:
        f = result["fairness"]
        line = [f["l"], f["k"], f["unheld_interval_cycles"], f["interval_cycles"]["mean"]]
    return [run.name, result["measured_cycles"], s["mean"], s["min"], s["max"], s["jain_index"], *line]


def main(out: Path) -> None:
    """Writes beyond.csv."""
    runs = trees() + grids(20_000, 100_000)
    results = run_all(runs)
    with (out / "beyond.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["run", "measured_cycles", "mean_flits_per_node_cycle", "min", "max", "jain_index", "l", "k",
                       "unheld_interval_cycles", "mean_interval_cycles"])  # fmt: skip
        for run, result in zip(runs, results, strict=True):
            rows.writerow(row(run, result))

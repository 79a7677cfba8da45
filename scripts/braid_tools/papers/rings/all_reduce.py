"""All-reduces over the links of rings and trees (beyond the paper): a mesh, a torus, a k-ary n-tree and a hexagonal
mesh of about 64 nodes, the same bytes for every scheme: n - 1 values up, n - 1 results down."""

from __future__ import annotations

from typing import Any

from braid_tools import plots
from braid_tools.program import ROOT, Run
from braid_tools.study import Study

EXPERIMENT = ROOT / "tb" / "experiments" / "broadcast.toml"
GRID = {"topology.width": 8, "topology.height": 8}
NETWORKS: dict[str, dict[str, Any]] = {
    "8x8 mesh": GRID,
    "8x8 torus": {**GRID, "topology.kind": "torus"},
    "4-ary 3-tree": {
        "topology.kind": "k_ary_n_tree", "topology.arity": 4, "topology.levels": 3,
        "routing.algorithm": "tree_by_destination",
    },
    "hexagonal mesh of 61": {
        "topology.kind": "hexagonal", "topology.edge": 5, "routing.algorithm": "table",
    },
}  # fmt: skip
SCHEMES: dict[str, dict[str, Any]] = {
    "ring, arity 2": {"broadcast.scheme": "diamond_ring", "broadcast.arity": 2},
    "ring, arity 4": {"broadcast.scheme": "diamond_ring", "broadcast.arity": 4},
    "ring, arity 4, annealed": {
        "broadcast.scheme": "diamond_ring", "broadcast.arity": 4, "broadcast.placement": "annealed",
    },
    "tree, arity 2": {"broadcast.scheme": "balanced_tree", "broadcast.arity": 2},
    "tree, arity 4": {"broadcast.scheme": "balanced_tree", "broadcast.arity": 4},
    "spanning tree": {"broadcast.scheme": "spanning_tree"},
}  # fmt: skip
FLITS = (1, 4, 16, 64, 256)
# A processor that hardly costs anything, so that the network is what differs; values are combined as they come.
COSTS = {"receive": 5, "event": 1, "send": 5, "settle": 0, "after": 0}


def run_of(network: str, scheme: str, flits: int) -> Run:
    """One point."""
    settings = {"broadcast.operation": "all_reduce", "broadcast.flits": flits, "broadcast.gap_cycles": 100,
                "simulation.measure_cycles": 200_000, **NETWORKS[network], **SCHEMES[scheme]}  # fmt: skip
    settings |= {f"broadcast.{name}_cycles": cycles for name, cycles in COSTS.items()}
    return Run(f"all-reduce {network} {scheme} {flits}", EXPERIMENT, settings)


def compared(study: Study) -> None:
    """all_reduce.csv and all_reduce.png."""
    points = [(n, s, f) for n in NETWORKS for s in SCHEMES for f in FLITS]
    latency = {}
    lines = []
    for point, result in zip(points, study.run([run_of(*p) for p in points]), strict=True):
        figures = result["broadcast"]
        latency[point] = figures["latency_cycles"]["p50"]
        lines.append([*point, figures["longest_path"], figures["messages"], figures["completed"], latency[point]])
    study.table("all_reduce.csv", ["network", "scheme", "flits", "path", "messages", "completed", "cycles"], lines)
    plots.panels(
        study.folder / "all_reduce.png",
        {
            n: (
                "flits of a value",
                "cycles",
                {s: ([float(f) for f in FLITS], [latency[n, s, f] for f in FLITS]) for s in SCHEMES},
            )
            for n in NETWORKS
        },
    )

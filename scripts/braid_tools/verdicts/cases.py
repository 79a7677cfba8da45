"""Small networks of every family, as sources of packets one at a time or in bursts, open and closed loop."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, replace
from typing import Any

from braid_tools.program import ROOT, Results, Run, run

FOLDER = ROOT / "tb" / "experiments"
SMALL = {"topology.width": 4, "topology.height": 4}
BURSTS = {"traffic.process": "on_off", "traffic.on_cycles": 20, "traffic.off_cycles": 20}
REPLIES = {"traffic.request_reply": True, "traffic.reply_flits": 4}
LOOP = REPLIES | {"traffic.name": "loads", "traffic.outstanding": 8}
CUT_THROUGH = SMALL | {
    "topology.kind": "mesh",
    "interface.fairness": "none",
    "routing.algorithm": "x_first",
    "traffic.pattern": "transpose",
}
IDEAL_HOT = SMALL | {
    "router.architecture": "ideal",
    "traffic.pattern": "hot_spot",
    "traffic.hot_nodes": [5],
    "traffic.hot_fraction": 0.1,
}
LONGER_WINDOW = 160_000  # of packets of 16 flits: as many packets as others' windows hold
LONG_WINDOW = 200_000  # of packets of 512 flits
LONGEST_WINDOW = 3_200_000  # of packets that take 420 cycles each, and messages of up to 25 of them
LONGER = 10  # windows of the truth
NEAR = 1.06  # as near as single windows come to the knee
KNOWN_TO = 1 / 300  # of the knee


@dataclass(frozen=True)
class Case:
    """A network under a kind of traffic; its load is the rate, whose knee lies between `low` and `high`."""

    name: str
    experiment: str
    low: float
    high: float
    settings: dict[str, Any] = field(default_factory=dict)
    window: int = 40_000

    def at(self, rate: float, seed: int = 1, longer: int = 1) -> Run:
        """A run of it, over as many windows."""
        batch = max(500, self.window // 40)
        settings = self.settings | {
            "traffic.rate_flits_per_node_cycle": f"{rate:.6f}",
            "experiment.seed": seed,
            "simulation.batch_cycles": batch,
            "simulation.min_warmup_cycles": batch,
            "simulation.max_warmup_cycles": 2 * self.window,
            "simulation.measure_cycles": self.window * longer,
            "simulation.max_drain_cycles": self.window,
        }
        return Run(f"{self.name} at {rate:.4f}", FOLDER / f"{self.experiment}.toml", settings)


def both(name: str, experiment: str, low: float, high: float, settings: dict[str, Any]) -> list[Case]:
    """Packet by packet, and in bursts."""
    return [
        Case(f"{name}, bernoulli", experiment, low, high, settings | {"traffic.process": "bernoulli"}),
        Case(f"{name}, bursts", experiment, low, high, settings | BURSTS),
    ]


def cases() -> list[Case]:
    """All of them. In Myrinet's the seed draws the network, too."""
    tree = {"topology.kind": "k_ary_n_tree", "topology.arity": 2, "topology.levels": 4}
    tree |= {"routing.algorithm": "tree_by_destination"}
    torus = SMALL | {"traffic.request_reply": False, "traffic.pattern": "uniform"}
    return [
        *both("mesh", "mesh_uniform", 0.5, 0.99, SMALL),
        *both("mesh, requests and replies", "mesh_uniform", 0.2, 0.5, SMALL | REPLIES),
        *both("mesh, eight requests of a node under way", "mesh_uniform", 0.05, 0.5, SMALL | LOOP),
        *both("mesh, adaptive, transpose", "mesh_adaptive", 0.4, 0.99, SMALL | {"traffic.pattern": "transpose"}),
        *both("torus", "torus_tornado", 0.4, 0.9, torus),
        *both("tree", "mesh_uniform", 0.5, 0.95, tree),
        *(
            replace(case, window=LONGER_WINDOW)
            for case in [
                *both("cut-through mesh, transpose", "tree_sat", 0.15, 0.6, CUT_THROUGH),
                *both("cut-through mesh, requests and replies", "tree_sat", 0.1, 0.6, CUT_THROUGH | REPLIES),
            ]
        ),
        *both("ideal, hot spot", "mesh_uniform", 0.2, 0.6, IDEAL_HOT),
        *(replace(case, window=LONG_WINDOW) for case in both("myrinet", "irregular", 0.05, 0.3, {})),
        Case("po2", "po2_hexagonal", 0.15, 0.4, {"topology.edge": 3}, LONGEST_WINDOW),
    ]


def parser_of(what: str) -> argparse.ArgumentParser:
    """Words of both tools: which cases, and how much of their windows."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--only", default="", help="cases whose names hold this")
    parser.add_argument("--window", type=float, default=1.0, metavar="SHARE", help="of each case's window")
    return parser


def chosen(words: argparse.Namespace) -> list[Case]:
    """The cases that the words ask for, their windows as long as these say."""
    return [replace(c, window=round(c.window * words.window)) for c in cases() if words.only in c.name]


def shortfall(results: Results) -> float:
    """Offered less accepted, of the offered: of everything that was made and delivered in the window. A source without
    room makes nothing; there what it would have made counts."""
    kinds = results["classes"]
    offered = sum(
        c["saturation"]["demanded"] if "saturation" in c else c["offered_flits_per_node_cycle"] for c in kinds
    )
    return (offered - sum(c["accepted_flits_per_node_cycle"]["mean"] for c in kinds)) / offered


def over(case: Case, rate: float, longer: int = LONGER) -> bool:
    """The truth: over a window ten times as long, more than a 200th of the load stays behind."""
    return shortfall(run(case.at(rate, longer=longer))) > 1 / 200


def bisected(case: Case, low: float, high: float, to: float, longer: int) -> float:
    """The load between them beyond which that is so."""
    while high - low > low * to:
        middle = (low + high) / 2
        low, high = (low, middle) if over(case, middle, longer) else (middle, high)
    return (low + high) / 2


def knee(case: Case) -> float:
    """Of all loads, to a 300th. Single windows say about where to look."""
    about = bisected(case, case.low, case.high, 1 / 50, 1)
    low, high = max(case.low, about / NEAR), min(case.high, about * NEAR)
    found = bisected(case, low, high, KNOWN_TO, LONGER)
    if found < low * (1 + KNOWN_TO):
        return bisected(case, case.low, low * (1 + KNOWN_TO), KNOWN_TO, LONGER)
    if found > high * (1 - KNOWN_TO):
        return bisected(case, high * (1 - KNOWN_TO), case.high, KNOWN_TO, LONGER)
    return found

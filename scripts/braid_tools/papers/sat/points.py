"""The operating points of sat-fairness, as runs of braid: which network, which pattern, which SAT line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from braid_tools.program import ROOT, Results, Run
from braid_tools.study import Study

BIT_PERMUTATIONS = ("bit_complement", "bit_reversal", "bit_transpose", "shuffle", "butterfly")
EXPERIMENT = ROOT / "tb" / "experiments" / "tree_sat.toml"
LEVELS = {64: 3, 256: 4, 1024: 5, 4096: 6}
FLITS = 16
THROUGHPUT = "flits/node/cycle"
STATIC, ADAPTIVE = "tree_by_source", "tree_adaptive"
PATTERNS = {
    "uniform": "uniform",
    "hot region": "hot_region",
    "transpose": "bit_transpose",
    "butterfly": "butterfly",
    "bit reversal": "bit_reversal",
    "perfect shuffle": "shuffle",
}


@dataclass(frozen=True)
class Policy:
    """A SAT line, or none."""

    carrier: str = ""
    l: int = 0  # noqa: E741 - the paper's name
    k: int = 0
    fairness: str = "sat"

    @property
    def name(self) -> str:
        """As Table I has it; "auto" where the line finds l = k."""
        if self.fairness == "sat_auto":
            return f"auto over {self.carrier}"
        prefix = {"": "", "ring": "", "spanning_tree": "SS-", "diamond_ring": "DR-", "control_packet": "CP-"}[
            self.carrier
        ]
        return f"{prefix}l{self.l}k{self.k}" if self.carrier else "none"


NONE = Policy()


def ring(l: int, k: int) -> Policy:  # noqa: E741
    """SAT over the Hamiltonian ring."""
    return Policy("ring", l, k)


def tree(l: int, k: int) -> Policy:  # noqa: E741
    """SAT over the spanning tree ("SS")."""
    return Policy("spanning_tree", l, k)


def diamond(l: int, k: int) -> Policy:  # noqa: E741
    """SAT over a diamond ring of arity 4 ("DR"), which is beyond the paper."""
    return Policy("diamond_ring", l, k)


def pattern_settings(pattern: str) -> dict[str, Any]:
    """A pattern as section III.B has it: a quarter of all packets to the hot region, silent fixed points."""
    settings: dict[str, Any] = {"traffic.pattern": pattern}
    if pattern == "hot_region":
        settings["traffic.hot_fraction"] = 0.25
    elif pattern in BIT_PERMUTATIONS:
        settings["traffic.silent_fixed_points"] = True
    return settings


@dataclass(frozen=True)
class Point:
    """One run at full load."""

    nodes: int
    pattern: str
    policy: Policy = NONE
    routing: str = "tree_adaptive"
    process: str = "bernoulli"
    rate: float = 1.0
    source_packets: int = 8  # in the source's queue
    behind_gate: int = 0  # ... of these between gate and link

    def run(self, warmup: int, cycles: int) -> Run:
        """The run; `cycles` are measured after `warmup`."""
        settings: dict[str, Any] = {
            "experiment.name": f"{self.nodes} {self.pattern} {self.policy.name}".replace(" ", "_"),
            "topology.levels": LEVELS[self.nodes],
            "routing.algorithm": self.routing,
            "interface.source_queue_packets": self.source_packets,
            "interface.fairness": self.policy.fairness if self.policy.carrier else "none",
            **pattern_settings(self.pattern),
            "traffic.process": self.process,
            "traffic.rate_flits_per_node_cycle": self.rate,
            "simulation.min_warmup_cycles": warmup,
            "simulation.max_warmup_cycles": warmup,
            "simulation.measure_cycles": cycles,
        }
        if self.policy.carrier:
            settings["interface.behind_gate_packets"] = self.behind_gate
            settings |= {"sat.carrier": self.policy.carrier, "sat.l": self.policy.l, "sat.k": self.policy.k}
        return Run(f"{self}", EXPERIMENT, settings)


@dataclass(frozen=True)
class Windows:
    """Cycles of warm-up, and measured cycles by number of nodes."""

    warmup: int
    measured: dict[int, int]


# Section III.B: 50,000 cycles, then five batches of 10 N^2 packets, 800 N cycles over the throughput; we measure less.
FULL = Windows(50_000, {64: 200_000, 256: 400_000, 1024: 200_000, 4096: 20_000})
QUICK = Windows(20_000, {64: 150_000, 256: 120_000})

# Flits/node/cycle that a fair network moves at least: how long a round of k packets takes.
SLOWEST = {"hot_region": 0.19}
SLOWEST_ELSE = 0.45


def fair_cycles(point: Point) -> int:
    """What it takes to see that minimum and maximum agree within 1 % where l = k over the ring; 0 elsewhere.

    Every node that has packets sends k a round. At any moment the counts of two nodes differ by at most 2 k: one has
    had the signal in this round, the other has not, and either is somewhere in its k packets. Over a window they differ
    by at most 4 k, 1 % of 400 rounds.
    """
    policy = point.policy
    if policy.carrier != "ring" or policy.l != policy.k or point.process == "saturated":
        return 0
    round_ = policy.k * FLITS / SLOWEST.get(point.pattern, SLOWEST_ELSE)
    return math.ceil(400 * round_ / 10_000) * 10_000


ByPoint = dict[Point, Results]


def measure(
    study: Study, points: Iterable[Point], windows: Windows, at_least: Callable[[Point], int] = lambda point: 0
) -> ByPoint:
    """The results of every point, the longest runs first; `at_least`: cycles to measure."""

    def cycles(point: Point) -> int:
        return max(windows.measured[point.nodes], at_least(point))

    ordered = sorted(set(points), key=lambda p: (-p.nodes * cycles(p), str(p)))
    runs = [p.run(windows.warmup, cycles(p)) for p in ordered]
    return dict(zip(ordered, study.run(runs), strict=True))


def spread(result: Results) -> dict[str, float]:
    """Flits/cycle injected by the nodes that send: min, mean, max, jain_index."""
    return result["classes"][0]["injection_spread_flits_per_cycle"]

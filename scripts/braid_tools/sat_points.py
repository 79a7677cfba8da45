"""The operating points of sat-fairness, as runs of braid: which network, which pattern, which SAT line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from braid_tools.program import ROOT, Run, run_all

EXPERIMENT = ROOT / "tb" / "experiments" / "tree_sat.toml"
LEVELS = {64: 3, 256: 4, 1024: 5, 4096: 6}
FLITS = 16


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
        prefix = {"": "", "ring": "", "spanning_tree": "SS-"}[self.carrier]
        return f"{prefix}l{self.l}k{self.k}" if self.carrier else "none"


NONE = Policy()


@dataclass(frozen=True)
class Point:
    """One run at full load."""

    nodes: int
    pattern: str
    policy: Policy = NONE
    routing: str = "tree_adaptive"
    process: str = "bernoulli"
    rate: float = 1.0

    def run(self, warmup: int, cycles: int) -> Run:
        """The run; `cycles` are measured after `warmup`."""
        settings: dict[str, Any] = {
            "experiment.name": f"{self.nodes} {self.pattern} {self.policy.name}".replace(" ", "_"),
            "topology.levels": LEVELS[self.nodes],
            "routing.algorithm": self.routing,
            "interface.fairness": self.policy.fairness if self.policy.carrier else "none",
            "traffic.pattern": self.pattern,
            "traffic.process": self.process,
            "traffic.rate_flits_per_node_cycle": self.rate,
            "simulation.min_warmup_cycles": warmup,
            "simulation.max_warmup_cycles": warmup,
            "simulation.measure_cycles": cycles,
        }
        if self.policy.carrier:
            settings |= {"sat.carrier": self.policy.carrier, "sat.l": self.policy.l, "sat.k": self.policy.k}
        return Run(f"{self}", EXPERIMENT, settings)


@dataclass(frozen=True)
class Windows:
    """Cycles of warm-up, and measured cycles by number of nodes."""

    warmup: int
    measured: dict[int, int]


# Section III.B: 50,000 cycles, then five batches of 10 N^2 packets. Packets a cycle are about N/32, so 1600 N cycles;
# at 1024 and 4096 nodes we measure less.
FULL = Windows(50_000, {64: 200_000, 256: 400_000, 1024: 200_000, 4096: 20_000})
QUICK = Windows(20_000, {64: 200_000, 256: 200_000})


def measure(points: list[Point], windows: Windows) -> dict[Point, dict[str, Any]]:
    """The results of every point, the longest runs first."""
    ordered = sorted(set(points), key=lambda p: (-p.nodes, str(p)))
    runs = [p.run(windows.warmup, windows.measured[p.nodes]) for p in ordered]
    return dict(zip(ordered, run_all(runs), strict=True))


def spread(result: dict[str, Any]) -> dict[str, float]:
    """Flits/cycle injected by the nodes that send: min, mean, max, jain_index."""
    return result["classes"][0]["injection_spread_flits_per_cycle"]

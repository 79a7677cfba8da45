"""The points of Figures 2 to 5 as runs of braid: a machine, a variant, an arity; one broadcast, or a burst of 128."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from braid_tools.papers.rings.platforms import Costs, Platform
from braid_tools.program import ROOT, Results, Run
from braid_tools.study import Study

EXPERIMENT = ROOT / "tb" / "experiments" / "broadcast.toml"
BURST = 128
BURSTS = (1, 2, 4, 8, 16, 32, 64, BURST)
SCHEMES = {"DR": "diamond_ring", "SDR": "diamond_ring", "BT": "balanced_tree", "LT": "logp_tree"}
VARIANTS = ("DR", "SDR", "BT")
ARITIES = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Point:
    """A variant of the benchmark on a machine. LT: the asymmetric tree that is optimal for the machine's costs in the
    LogP model; it has no arity (0)."""

    platform: str
    variant: str
    arity: int
    costs: Costs
    companion: bool = False
    merged: bool = False
    root: int = 0
    burst: int = BURST
    added: bool = False  # the contamination that only adds

    def settings(self, wire: int) -> dict[str, Any]:
        """Braid's keys, those of the network left out. `wire`: cycles of a message, for the LogP model, where a child
        knows a send, a wire and a receipt after its parent, the next child a send later."""
        keys: dict[str, Any] = {
            "broadcast.scheme": SCHEMES[self.variant],
            "broadcast.sequenced": self.variant == "SDR",
            "broadcast.root": self.root,
        }
        if self.variant == "LT":
            costs = {"latency": self.costs.send + wire + self.costs.receive, "overhead": 0, "gap": self.costs.send}
            keys |= {f"broadcast.logp_{name}_cycles": cycles for name, cycles in costs.items()}
        else:
            keys["broadcast.arity"] = self.arity
        if SCHEMES[self.variant] == "diamond_ring":
            keys |= {"broadcast.companion": self.companion, "broadcast.merge_parallel": self.merged}
            keys["broadcast.contamination"] = "add" if self.added else "add_or_remove"
        return keys | self.costs.settings()


@dataclass(frozen=True)
class Measured:
    """What the figures show, in the paper's units."""

    latency: float  # us, of one broadcast on idle nodes
    throughput: float  # a us, of a burst, its fill included
    path: int  # messages one after the other
    messages: int


def run_of(point: Point, burst: int, platform: Platform, network: dict[str, Any]) -> Run:
    """One burst from a cold start."""
    enough = math.ceil(platform.burst_cycles * max(burst / BURST, 0.5))
    cycles = {
        "simulation.min_warmup_cycles": 0,
        "simulation.max_warmup_cycles": 0,
        "simulation.batch_cycles": enough,
        "simulation.measure_cycles": enough,
        "broadcast.burst": burst,
        "broadcast.gap_cycles": 10 * enough,
    }
    return Run(f"{point}, burst {burst}", EXPERIMENT, {**network, **point.settings(platform.wire_cycles), **cycles})


def measured(one: Results, burst: Results, cycles_a_us: int) -> Measured:
    """Figures of a broadcast by itself and of a burst."""
    single, many = one["broadcast"], burst["broadcast"]
    if many["burst_cycles"]["count"] != 1 or many["refused"]:
        raise RuntimeError(f"a burst that did not complete: {many}")
    return Measured(
        latency=single["latency_cycles"]["p50"] / cycles_a_us,
        throughput=many["burst_broadcasts_per_kilocycle"] * cycles_a_us / 1000,
        path=single["longest_path"],
        messages=single["messages"],
    )


class Runs:
    """Figures by point; each point runs when it is first asked for."""

    def __init__(self, study: Study, platforms: Iterable[Platform]) -> None:
        self._study = study
        self._machines = {p.name: (p, p.network_settings(study.folder)) for p in platforms}
        self._measured: dict[Point, Measured] = {}

    def prepare(self, points: Iterable[Point]) -> None:
        """Runs the points that have not run yet, side by side."""
        new = [point for point in dict.fromkeys(points) if point not in self._measured]
        jobs = [run_of(p, burst, *self._machines[p.platform]) for p in new for burst in (1, p.burst)]
        results = self._study.run(jobs)
        for i, point in enumerate(new):
            platform, _ = self._machines[point.platform]
            self._measured[point] = measured(results[2 * i], results[2 * i + 1], platform.cycles_a_us)

    def __getitem__(self, point: Point) -> Measured:
        """The figures of a point."""
        self.prepare([point])
        return self._measured[point]


def figure_points(platform: Platform, costs: Costs) -> list[Point]:
    """Every point of the machine's figure; its companions and merged parallel edges, rings with further positions
    only, and the LogP-optimal tree."""
    points = [Point(platform.name, variant, k, costs) for variant in VARIANTS for k in ARITIES]
    rings = [point for point in points if point.variant == "DR"]
    points += [
        replace(p, companion=c, merged=m) for p in rings for c, m in ((True, False), (False, True), (True, True))
    ]
    return [*points, *(replace(p, added=True) for p in rings), Point(platform.name, "LT", 0, costs)]


def largest(runs: Runs, point: Point) -> float:
    """ "Largest observed throughput", bursts of "up to 128" (section 4 and Figure 5)."""
    points = [replace(point, burst=burst) for burst in BURSTS]
    runs.prepare(points)
    return max(runs[p].throughput for p in points)

"""Points of po2-message-scheduling: one run of tb/experiments/po2_hexagonal.toml each, and what is read from it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from braid_tools.program import ROOT, Run
from braid_tools.study import Study

EXPERIMENT = ROOT / "tb" / "experiments" / "po2_hexagonal.toml"
PACKET_FLITS = 160
FULL_LOAD_CYCLES = 420  # a node's port is busy for 240 + 180 cycles for each packet it sends (and takes)
FULL_LOAD_FLITS = PACKET_FLITS / FULL_LOAD_CYCLES
ROUTINGS = ["deterministic", "best_paths", "derouting"]
SHORT, LONG = 0.1, 0.8  # share of long messages in the two workloads
FIFO, ROUND_ROBIN, FRONT, SHORTEST = "fifo", "round_robin", "round_robin_front", "shortest_first"
Settings = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Point:
    """Routing, scheduler (a name or an alpha), share of long messages, load u, and other keys."""

    routing: str
    scheduler: str | float = FIFO
    long_share: float = SHORT
    load: float = 0.67
    extra: Settings = ()

    def settings(self) -> dict[str, Any]:
        """Braid's keys."""
        alpha = {} if isinstance(self.scheduler, str) else {"message.alpha": self.scheduler}
        return {
            "routing.algorithm": self.routing,
            "interface.scheduler": self.scheduler if isinstance(self.scheduler, str) else "alpha",
            **alpha,
            "traffic.long_fraction": self.long_share,
            "traffic.rate_flits_per_node_cycle": self.load * FULL_LOAD_FLITS,
            **dict(self.extra),
        }


IDLE = Point("best_paths", FIFO, SHORT, 0.002, (("simulation.measure_cycles", 20000000),))  # few packets a cycle


@dataclass(frozen=True)
class Figures:
    """Latencies in cycles (of messages: over their packets), utilizations in per cent, port times as shares."""

    all: float
    short: float
    long: float
    one: float  # messages of one packet
    one_packet: float  # their packets, from the injection on
    packet: float
    packet_noise: float  # half of the 95 % confidence interval
    queue: float  # of packets, before the injection
    hops: float
    nodes: int
    pe_busy: float
    pe_waiting: float  # idle though wanted: busy waiting
    link_busy: float
    pe_port: float
    internal: float
    long_packet_share: float
    mean_packets: float
    accepted: float
    raw: dict[str, Any]


def figures(result: dict[str, Any]) -> Figures:
    """What is read from a run's results."""
    lengths = result["messages"]["by_length"]
    longest = max(entry["packets"] for entry in lengths)

    def mean(key: str, keep: Iterable[dict[str, Any]], *, over_packets: bool = True) -> float:
        kept = list(keep)
        count = sum(entry["messages"] for entry in kept)
        total = sum(e[key] * e["messages"] / (e["packets"] if over_packets else 1) for e in kept)
        return total / count if count else math.nan

    latency = "latency_mean_cycles"
    one = [entry for entry in lengths if entry["packets"] == 1]
    packets = sum(entry["messages"] * entry["packets"] for entry in lengths)
    use = result.get("router_per_cycle", {})
    busy, waiting, link = (use.get(key, math.nan) for key in ("pe_port_busy", "pe_port_waiting", "link_busy"))
    packet_class = result["classes"][0]
    return Figures(
        all=mean(latency, lengths),
        short=mean(latency, (entry for entry in lengths if entry["packets"] < longest)),
        long=mean(latency, (entry for entry in lengths if entry["packets"] == longest)),
        one=mean(latency, one),
        one_packet=mean("network_latency_mean_cycles", one),
        packet=packet_class["network_latency_cycles"]["mean"],
        packet_noise=packet_class["network_latency_cycles"]["half_width_95"],
        queue=packet_class["queue_latency_mean_cycles"],
        hops=packet_class["hops_mean_links"],
        nodes=len(packet_class["injected_packets_by_node"]),
        pe_busy=busy,
        pe_waiting=waiting,
        link_busy=link,
        pe_port=100 * (busy + waiting),
        internal=100 * (link + use.get("link_waiting", math.nan)),
        long_packet_share=100 * sum(e["messages"] * longest for e in lengths if e["packets"] == longest) / packets,
        mean_packets=packets / sum(entry["messages"] for entry in lengths),
        accepted=packet_class["accepted_flits_per_node_cycle"]["mean"] / FULL_LOAD_FLITS,
        raw=result,
    )


@dataclass(frozen=True)
class Extent:
    """How much is run: the axes of the figures and the length of a run."""

    loads: list[float]
    loads_long: list[float]
    alphas: list[float]
    alphas_long: list[float]
    alpha_curves: list[float]
    whole_figures: bool  # every point of every figure, not only those that rows need
    warmup_cycles: int
    measure_cycles: int

    def cycles(self) -> dict[str, Any]:
        """Braid's keys."""
        return {
            "simulation.min_warmup_cycles": self.warmup_cycles,
            "simulation.max_warmup_cycles": self.warmup_cycles,
            "simulation.measure_cycles": self.measure_cycles,
        }


FULL = Extent(
    loads=[0.2, 0.3, 0.4, 0.5, 0.6, 0.67, 0.7, 0.75],
    loads_long=[0.2, 0.4, 0.5, 0.6, 0.67, 0.7],
    alphas=[0.0, 0.5, 1.0, 2.0, 4.0, 6.0, 8.0],
    alphas_long=[0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0],
    alpha_curves=[0.0, 1.0, 2.0, 4.0],
    whole_figures=True,
    warmup_cycles=400000,
    measure_cycles=3000000,
)
QUICK = Extent(
    loads=[0.4, 0.67],
    loads_long=[0.4, 0.67],
    alphas=[0.0, 4.0, 8.0],
    alphas_long=[0.0, 4.0, 8.0, 10.0],
    alpha_curves=[0.0, 4.0],
    whole_figures=False,
    warmup_cycles=100000,
    measure_cycles=500000,
)


def large(extent: Extent) -> Settings:
    """E20, 1141 nodes: a third of the cycles."""
    return (
        ("topology.edge", 20),
        ("simulation.min_warmup_cycles", extent.warmup_cycles // 2),
        ("simulation.max_warmup_cycles", extent.warmup_cycles // 2),
        ("simulation.measure_cycles", extent.measure_cycles // 150000 * 50000),
    )


class Runs:
    """Figures by point; each point runs when it is first asked for."""

    def __init__(self, study: Study, extent: Extent) -> None:
        self.extent = extent
        self._study = study
        self._figures: dict[Point, Figures] = {}

    def prepare(self, points: Iterable[Point]) -> None:
        """Runs the points that have not run yet, side by side."""
        new = [point for point in dict.fromkeys(points) if point not in self._figures]
        jobs = [Run(str(point), EXPERIMENT, {**self.extent.cycles(), **point.settings()}) for point in new]
        self._figures |= dict(zip(new, map(figures, self._study.run(jobs)), strict=True))

    def __getitem__(self, point: Point) -> Figures:
        """The figures of a point."""
        self.prepare([point])
        return self._figures[point]


def paper_points(extent: Extent) -> list[Point]:
    """Every point of figures 2 to 20 that rows need, or that the figures show."""
    points = []
    for routing in ROUTINGS:
        for load in extent.loads:
            schedulers = [FIFO, ROUND_ROBIN, 8.0, *(extent.alpha_curves if extent.whole_figures else [])]
            points += [Point(routing, scheduler, SHORT, load) for scheduler in schedulers]
        for load in extent.loads_long:
            schedulers = [FIFO, *([ROUND_ROBIN, 10.0] if extent.whole_figures else [])]
            points += [Point(routing, scheduler, LONG, load) for scheduler in schedulers]
        points += [Point(routing, ROUND_ROBIN, LONG)]
        points += [Point(routing, alpha, SHORT) for alpha in extent.alphas]
        points += [Point(routing, alpha, LONG) for alpha in extent.alphas_long]
        points += [Point(routing, SHORTEST)]
    return points + [Point(routing, SHORTEST, LONG) for routing in ROUTINGS[1:]]

"""Coherence-like packets beside stream programs: what they pay, and what the streams do.

tentacle-routing leaves what streams do not use of a link to packets and measures streams alone. Here every node asks
others for what is in their memory while the program runs: a request of one flit, uniform over the other nodes, answered
by five flits (a cache line with its header), COHERENCE flits a node and cycle together.
Three runs of each: packets alone, streams alone, both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from braid_tools.papers.tentacle import remedies, throughputs
from braid_tools.papers.tentacle.networks import ADAPTIVE, NETWORKS, REFERENCE, throughput
from braid_tools.papers.tentacle.points import Ports, Setting, Windows, run_of
from braid_tools.papers.tentacle.programs import Program, program
from braid_tools.papers.tentacle.throughputs import MAIN, TENTACLE
from braid_tools.program import ROOT, Results, Run
from braid_tools.study import Study

COHERENCE = 0.1  # flits/node/cycle, requests and replies together
REQUEST_FLITS, REPLY_FLITS = 1, 5
PACKETS_ALONE = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
WINDOWS = Windows(20_000, 20_000, 20, ())  # while queues fill at first, sources without input hold their links
LOADS = (0.25, 0.5, 0.8, 1.0)  # of the programs, in what a network of one-cycle links carries
ROOM = 4  # of a consumer, over that of a producer: a source that runs ahead is held back, no program waits for ever
BANDWIDTHS = (4, 1)  # 1: streams and packets share a node's one port
ADAPTIVE_PACKETS = "tentacle, packets adaptive"
STREAMS_ON = {  # network -> that of points.run_of, keys that go over it
    TENTACLE: (TENTACLE, {}),
    ADAPTIVE_PACKETS: (TENTACLE, ADAPTIVE),
    REFERENCE: (REFERENCE, {}),
}

TRAFFIC = {
    "traffic.pattern": "uniform_without_self",
    "traffic.rate_flits_per_node_cycle": float(f"{COHERENCE * REQUEST_FLITS / (REQUEST_FLITS + REPLY_FLITS):.6g}"),
    "traffic.length": "fixed",
    "traffic.flits": REQUEST_FLITS,
    "traffic.request_reply": True,
    "traffic.reply_flits": REPLY_FLITS,
}


@dataclass(frozen=True)
class Case:
    """A program whose circuits stand, as it is laid out for them, on one network at one load."""

    setting: Setting
    network: str
    load: float


@dataclass(frozen=True)
class Beside:
    """Of one case: the streams without and with packets (iterations/kilocycle), the packets (cycles)."""

    case: Case
    streams_alone: float
    streams: float
    alone: dict[str, float]  # mean and p99
    packets: dict[str, float]
    saturated: bool  # packets were still under way at the drain limit
    accepted: float  # of packets, flits/node/cycle
    squeeze: float  # of the streams alone: see squeeze()

    @property
    def keeps_up(self) -> bool:
        """All packets born while measuring arrived, and as many in that time as are sent."""
        return not self.saturated and self.accepted >= 0.95 * COHERENCE

    @property
    def settled(self) -> bool:
        """Nor are there more, left over from the warm-up, in which sources without input fill their queues first."""
        return self.keeps_up and self.accepted <= 1.04 * COHERENCE

    @property
    def streams_ratio(self) -> float:
        """What is left of the streams' throughput."""
        return self.streams / self.streams_alone

    def slower(self, what: str) -> float:
        """Latency beside streams over latency alone; `what`: mean or p99."""
        return self.packets[what] / self.alone[what]


def packets_alone(size: int, bandwidth: int, algorithm: dict[str, Any]) -> Run:
    """The packets on an empty network."""
    mesh = {"topology.width": size, "topology.height": size, "topology.local_ports": bandwidth}
    window = {"simulation.min_warmup_cycles": WINDOWS.warmup, "simulation.measure_cycles": WINDOWS.measured}
    return Run(f"packets alone, {size}x{size}", PACKETS_ALONE, {**mesh, **window, **algorithm, **TRAFFIC})


def runs_of(case: Case, p: Program) -> tuple[Run, Run, Run]:
    """Packets alone, streams alone, both."""
    network, keys = STREAMS_ON[case.network]
    streams = run_of((case.setting, network, case.load), p, WINDOWS)
    room = {"interface.receive_queue_items": ROOM * streams.settings["interface.stream_queue_items"]}
    if network == TENTACLE:
        keys = {**room, **keys}
    window = {"simulation.max_warmup_cycles": WINDOWS.warmup}  # the same cycles of a program with packets and without
    streams = replace(streams, settings={**streams.settings, **window, **keys})
    both = Run(f"{streams.name} with packets", streams.experiment, {**streams.settings, **TRAFFIC})
    algorithm = {k: v for k, v in {**NETWORKS[network], **keys}.items() if k == "routing.algorithm"}
    return packets_alone(case.setting.size, case.setting.bandwidth, algorithm), streams, both


def latency(result: Results) -> dict[str, float]:
    """Mean and 99th percentile of the packets' latency, cycles."""
    (packets,) = (c for c in result["classes"] if c["name"] == "packets")
    distribution = packets["packet_latency_distribution_cycles"]
    none = math.inf  # of a run in which no packet born while measuring arrived
    return {what: none if distribution[what] is None else distribution[what] for what in ("mean", "p99")}


def accepted(result: Results) -> float:
    """Of packets, flits/node/cycle."""
    (packets,) = (c for c in result["classes"] if c["name"] == "packets")
    return packets["accepted_flits_per_node_cycle"]["mean"]


STEPS = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}
ONWARD = {"east": ("east", "north", "south"), "west": ("west", "north", "south"), "north": ("north",),
          "south": ("south",)}  # fmt: skip


def squeeze(result: Results, case: Case) -> float:
    """The most that circuits take, flits/cycle together, of two links that packets take one after the other (X first),
    or of a node's links into or out of the network. A packet crosses a router in a cycle in which circuits use neither
    the link it came by nor the one it goes on. From 1 on there need not be any: an actor hands on what it took in a
    while ago, so one may be busy when the other is not."""
    used = {(link["router"], link["port"]): link.get("circuit_flits_per_cycle", 0.0) for link in result["links"]}
    carried = program(case.setting.graph, case.setting.size).node_items() * throughput(result) / 1000
    most = max(carried / case.setting.bandwidth, *used.values())
    for (router, port), flits in used.items():
        x, y = map(int, router.split(","))
        dx, dy = STEPS[port]
        onward = (used.get((f"{x + dx},{y + dy}", out), 0.0) for out in ONWARD[port])
        most = max([most, *(flits + more for more in onward if flits and more)])
    return most


def busiest_link(size: int) -> float:
    """Flits/cycle of packets alone on the busiest link, in the middle of a row of k routers: each of k / 2 nodes sends
    half of its packets across, and X-first lets all of them cross in its own row; more as none goes to itself."""
    nodes = size * size
    return COHERENCE * size / 4 * nodes / (nodes - 1)


def zero_load(size: int) -> float:
    """Mean latency of requests and replies, cycles, that nothing holds up: 3 + 5 R + (L - 1) over R routers
    (docs/router.md), destinations uniform over the other nodes."""
    nodes = range(size * size)
    links = [abs(a % size - b % size) + abs(a // size - b // size) for a in nodes for b in nodes if a != b]
    routers = 1 + sum(links) / len(links)
    return 3 + 5 * routers + ((REQUEST_FLITS - 1) + (REPLY_FLITS - 1)) / 2


def standing(study: Study, benchmarks: Iterable[str], sizes: Iterable[int]) -> list[tuple[Setting, Program]]:
    """The programs with circuits, on the graph and tiles that the first remedy gave; and the program as MIT has it,
    whose bound sets the load."""
    settings = throughputs.settings_of(study, MAIN, benchmarks, sizes)
    result = []
    for setting, tried in remedies.try_all(study, settings).items():
        remedy = remedies.stands(tried)
        graph = remedies.placed(study, setting, remedy, tried[remedy]) if remedy is not None else None
        if graph is not None:
            result.append((replace(setting, graph=graph), program(setting.graph, setting.size)))
    return result


def cases(found: list[tuple[Setting, Program]]) -> Iterator[tuple[Case, Program]]:
    """Every program on every network, load and node bandwidth."""
    for bandwidth in BANDWIDTHS:
        for setting, p in found:
            for network in STREAMS_ON:
                for load in LOADS:
                    yield Case(replace(setting, ports=Ports(bandwidth)), network, load), p


def fell_back(result: Results) -> bool:
    """Did a run that should have circuits have none?"""
    return bool(result.get("setup", {}).get("fell_back_to_packets"))


def measure(study: Study, found: list[tuple[Setting, Program]]) -> list[Beside]:
    """All cases whose circuits stand; with one port a node some do not."""
    wanted = list(cases(found))
    runs = [run for case, p in wanted for run in runs_of(case, p)]
    results = iter(study.run(runs))
    measured = []
    for case, _ in wanted:
        alone, streams, both = (next(results) for _ in range(3))
        if not fell_back(streams):
            measured.append(
                Beside(case, throughput(streams), throughput(both), latency(alone), latency(both), both["saturated"],
                       accepted(both), squeeze(streams, case))
            )  # fmt: skip
    return measured


COLUMNS = ["bandwidth", "size", "benchmark", "network", "load", "streams alone", "streams", "ratio"]
COLUMNS += ["mean alone", "mean", "p99 alone", "p99", "accepted", "saturated", "squeeze"]


def table(measured: list[Beside]) -> list[list[object]]:
    """beside.csv."""
    lines: list[list[object]] = []
    for b in measured:
        s = b.case.setting
        head = [s.bandwidth, s.size, s.benchmark, b.case.network, b.case.load]
        rates = [f"{b.streams_alone:.4f}", f"{b.streams:.4f}", f"{b.streams_ratio:.4f}"]
        cycles = [f"{v:.2f}" for what in ("mean", "p99") for v in (b.alone[what], b.packets[what])]
        lines.append([*head, *rates, *cycles, f"{b.accepted:.4f}", int(b.saturated), f"{b.squeeze:.3f}"])
    return lines

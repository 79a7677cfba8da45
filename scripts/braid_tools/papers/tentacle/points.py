"""The operating points of tentacle-routing as runs of braid: which program on which network, and how fast it computes.

Computation is swept as the paper does, by the scaling factor. `load` is what a point asks of the network: iterations
that the busiest actor could compute over those that a network of one-cycle links could carry (Program.bound); 1 is
where the ideal network turns from one bottleneck to the other. A network's saturation throughput is the most that it
carries at any load (section 4.3): a coarse sweep, then finer around its best.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.networks import EXPERIMENT, NETWORKS, throughput
from braid_tools.papers.tentacle.programs import Program
from braid_tools.papers.tentacle.published import TOKEN_CYCLES
from braid_tools.program import Results, Run
from braid_tools.study import Study

LOADS = (0.25, 0.4, 0.6, 0.8, 1.0, 1.25, 100.0)
AXES_LOADS = (0.25, 0.4, 0.6, 0.8, 1.0)  # of readings other than the main one, not refined
QUICK_LOADS = (0.35, 0.6, 0.85, 1.1, 4.0)
RETRIES = 200  # further orders of the streams
OF_CIRCUITS = ("tentacle", "ideal")  # networks; the others are of packets
FINER = (1.1, 1.2)  # times the best load of the sweep, unless that is the last


@dataclass(frozen=True)
class Windows:
    """Cycles before and while measuring (a program with long iterations is measured for `iterations` at least), and
    the loads of a sweep, refined around its best or not."""

    warmup: int
    measured: int
    iterations: int
    loads: tuple[float, ...]
    refined: bool = False


FULL = Windows(10_000, 100_000, 8, LOADS, refined=True)  # the paper's
QUICK = Windows(4_000, 8_000, 3, QUICK_LOADS)
AXES = Windows(5_000, 12_000, 4, AXES_LOADS)


@dataclass(frozen=True)
class Ports:
    """Flits a cycle that a node sends, and takes, of circuits and on the ideal network, each through a local port of
    its own. Packets have as many, or `packets` of them: the same local ports served less often
    (interface.packet_injection_flits), or (`one_queue`) the only ones that such a node has."""

    circuits: int
    packets: int = 0  # 0: as many
    one_queue: bool = False

    @property
    def name(self) -> str:
        """As rows say it."""
        if not self.packets:
            return str(self.circuits)
        queue = ", one queue a node" if self.one_queue else ""
        return f"{self.circuits}, of packets {self.packets}{queue}"

    def of(self, network: str) -> int:
        """A network's."""
        return self.packets if self.packets and network not in OF_CIRCUITS else self.circuits

    def keys(self, network: str) -> dict[str, Any]:
        """Braid's."""
        if self.one_queue or self.of(network) == self.circuits:
            return {"topology.local_ports": self.of(network)}
        bound = {f"interface.packet_{way}_flits": self.packets for way in ("injection", "ejection")}
        return {"topology.local_ports": self.circuits, **bound}


@dataclass(frozen=True)
class Setting:
    """A program on a mesh whose nodes have so much bandwidth; `graph` is the file."""

    benchmark: str
    size: int
    graph: Path
    ports: Ports = Ports(4)
    vcs: int = 4

    @property
    def bandwidth(self) -> int:
        """Of circuits, and of the ideal network."""
        return self.ports.circuits


Point = tuple[Setting, str, float]  # network, load
Curves = dict[tuple[Setting, str], dict[float, Results]]


def queue_items(program: Program) -> int:
    """Room at a producer: two firings of what its streams together push in a steady state, at least Braid's default."""
    pushed: dict[str, float] = defaultdict(float)
    for stream in program.streams:
        pushed[stream.source] += stream.items
    return int(max(64, 2 * max(pushed.values()) + 16))


def circuit_keys(setting: Setting) -> dict[str, Any]:
    """For the set-up: a lane for each of four circuits at a node, orders to try, the pace of Table 3's token."""
    lanes = max(1, 4 // setting.bandwidth)
    return {"router.circuit_lanes": lanes, "setup.retries": RETRIES, "setup.token_cycles": TOKEN_CYCLES}


def run_of(point: Point, program: Program, windows: Windows) -> Run:
    """The run of a point."""
    setting, network, load = point
    bound = program.bound(setting.ports.of(network))
    busiest = max(program.work.values())
    iteration = bound * max(1.0, 1 / load)
    measured = max(windows.measured, 1000 * round(windows.iterations * iteration / 1000))
    keys = {
        **NETWORKS[network],
        "topology.width": setting.size,
        "topology.height": setting.size,
        **setting.ports.keys(network),
        "router.vcs": setting.vcs,
        "stream.graph": setting.graph,
        "stream.computation_scaling": float(f"{bound / (load * busiest):.6g}"),
        "interface.stream_queue_items": queue_items(program),
        "simulation.min_warmup_cycles": windows.warmup,
        "simulation.max_warmup_cycles": max(50_000, windows.warmup, 1000 * round(40 * iteration / 1000)),
        "simulation.measure_cycles": measured,
    }
    if network == "tentacle":
        keys |= circuit_keys(setting)
    return Run(f"{setting.benchmark} {setting.size}x{setting.size} {network} at {load:g}", EXPERIMENT, keys)


def sweep(
    study: Study, wanted: Iterable[tuple[Setting, str]], programs: dict[Setting, Program], windows: Windows
) -> Curves:
    """Results by load of every setting and network: the coarse sweep, and finer points around the best of each."""
    wanted = list(dict.fromkeys(wanted))
    curves: Curves = {key: {} for key in wanted}

    def measure(points: list[Point]) -> None:
        runs = [run_of(p, programs[p[0]], windows) for p in points]
        for (setting, network, load), result in zip(points, study.run(runs), strict=True):
            curves[setting, network][load] = result

    measure([(*key, load) for key in wanted for load in windows.loads])
    if windows.refined:
        best = {key: best_load(curves[key]) for key in wanted}
        measure([(*key, float(f"{b * f:.4g}")) for key, b in best.items() if b < windows.loads[-1] for f in FINER])
    return curves


def best_load(curve: dict[float, Results]) -> float:
    """Where the network carries most; of equals the lowest."""
    return max(sorted(curve), key=lambda load: throughput(curve[load]))


def saturation(curve: dict[float, Results]) -> float:
    """Iterations/kilocycle at best."""
    return throughput(curve[best_load(curve)])

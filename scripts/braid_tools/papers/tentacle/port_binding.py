"""When a circuit gets its local port, where a node moves fewer flits a cycle than it has circuits: at its set-up, for
good (lanes of a port, router.circuit_lanes), or flit by flit, whichever of the node's circuits has one. For the second
each circuit has a port of its own, of which a node serves so many in a cycle (interface.circuit_injection_flits)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

from braid_tools.comparison import Row
from braid_tools.papers.tentacle.networks import throughput
from braid_tools.papers.tentacle.points import Setting, Windows, run_of, saturation
from braid_tools.papers.tentacle.programs import program
from braid_tools.papers.tentacle.readings import remedied
from braid_tools.papers.tentacle.throughputs import IDEAL, TENTACLE, Measured
from braid_tools.study import Study

MOST_CIRCUITS = 4  # that start, or end, at a node: its tile's links
NEAR_IDEAL = {4: 0.03, 6: 0.05}  # what Braid sets itself (docs/tentacle.md)


def when_used(bandwidth: int) -> dict[str, Any]:
    """Keys of nodes that have a port for each circuit and serve so many of them in a cycle."""
    served = {f"interface.circuit_{way}_flits": bandwidth for way in ("injection", "ejection")}
    return {"topology.local_ports": MOST_CIRCUITS, "router.circuit_lanes": 1, **served}


@dataclass(frozen=True)
class Binding:
    """One program on its circuits' graph and tiles: iterations/kilocycle at best."""

    benchmark: str
    size: int
    at_set_up: float
    when_used: float
    ideal: float

    @property
    def behind(self) -> float:
        """The ideal network over circuits bound when used."""
        return self.ideal / self.when_used

    @property
    def gain(self) -> float:
        """Of binding when used."""
        return self.when_used / self.at_set_up


def bindings(study: Study, m: Measured, windows: Windows) -> list[Binding]:
    """Of every program whose circuits stand in a reading, at the loads of its own sweep."""
    settings: list[Setting] = [remedied(m, b, size) for size in m.circuits for b in m.circuits[size]]
    jobs = [
        run_of((s, TENTACLE, load), program(s.graph, s.size), windows).with_(
            when_used(s.bandwidth)
            | {"stream.computation_scaling": result["configuration"]["stream"]["computation_scaling"]}
        )
        for s in settings
        for load, result in m.curves[s, TENTACLE].items()
    ]
    done = iter(study.run(jobs))
    return [
        Binding(s.benchmark, s.size, saturation(m.curves[s, TENTACLE]),
                max(throughput(next(done)) for _ in m.curves[s, TENTACLE]), saturation(m.curves[s, IDEAL]))
        for s in settings
    ]  # fmt: skip


def rows(found: list[Binding], reading: str) -> Iterator[Row]:
    """The program that gains most by binding when used, beside the ideal network; every program, beside circuits bound
    at set-up and, as a mean, beside the ideal network."""
    for size in dict.fromkeys(b.size for b in found):
        of = [b for b in found if b.size == size]
        at = f"{len(of)} programs, {size}x{size}, {reading}"
        most = max(of, key=lambda b: b.gain)
        yield Row("beyond the paper", f"ideal over circuits bound to a port when used, the one of {at} that gains most "
                  "by that", "1", 1, most.behind, NEAR_IDEAL[size],
                  f"{most.benchmark}: {most.gain:.2f} times circuits bound at set-up")  # fmt: skip
        yield Row("beyond the paper", f"circuits bound at set-up over those bound when used, the fastest of {at}", "1",
                  1, max(1 / b.gain for b in of), 0.02, at_most=True)  # fmt: skip
        behind = ", ".join(f"{b.benchmark} {b.behind:.2f}" for b in of if b.behind > 1 + NEAR_IDEAL[size])
        yield Row("beyond the paper", f"ideal over circuits bound to a port when used, geometric mean of {at}", "1", 1,
                  geometric_mean([b.behind for b in of]), NEAR_IDEAL[size], behind)  # fmt: skip


COLUMNS = ["graphs", "benchmark", "size", "port at set-up", "port when used", "ideal"]


def table(found: list[Binding], graphs: str) -> list[list[object]]:
    """port_binding.csv: a line a program."""
    return [[graphs, b.benchmark, b.size, f"{b.at_set_up:.4f}", f"{b.when_used:.4f}", f"{b.ideal:.4f}"] for b in found]

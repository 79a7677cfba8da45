"""What the paper leaves beside distributed set-up and circuits (tentacle-routing, sections 2.2 and 3): paths found by a
program that sees the whole network, and source-routed packets over disjoint paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

from braid_tools.comparison import Row
from braid_tools.papers.tentacle.networks import PUSH_X, throughput
from braid_tools.papers.tentacle.points import Windows, run_of
from braid_tools.papers.tentacle.programs import program
from braid_tools.papers.tentacle.readings import remedied
from braid_tools.papers.tentacle.throughputs import TENTACLE, Measured
from braid_tools.program import Results, Run
from braid_tools.study import Study

BY_ROUTERS, INSTALLED, PACKETS = (
    "circuits, found by routers",
    "circuits, found in software",
    "packets on disjoint paths",
)
FINDER = "exact"
LOADS = 3  # of a program that are looked at
NEAR = 0.05  # "not expected to make a big difference in performance"


@dataclass(frozen=True)
class Alternatives:
    """One program on the graph and tiles on which its circuits stand: each where it carries most, of the loads at which
    circuits do (how actors' firings fall together may halve the throughput at one of them)."""

    benchmark: str
    size: int
    results: dict[str, Results]

    def over_circuits(self, which: str) -> float:
        """Throughput."""
        return throughput(self.results[which]) / throughput(self.results[BY_ROUTERS])

    def cycles(self, which: str) -> int:
        """Of the set-up, all streams and orders."""
        return self.results[which]["setup"]["total_cycles"]

    def expected_cycles(self) -> int:
        """Of installing what the program has found: 4 h + 1 cycles and the token's, of each stream."""
        token = self.results[INSTALLED]["configuration"]["setup"]["token_cycles"]
        circuits = self.results[INSTALLED]["setup"]["circuits"]
        return sum(4 * (len(c["path"]) - 1) + 1 + token for c in circuits)


def alternatives(study: Study, m: Measured, windows: Windows) -> list[Alternatives]:
    """Of every program whose circuits stand."""
    wanted = [(b, size, remedied(m, b, size)) for size in m.circuits for b in m.circuits[size]]
    jobs: list[Run] = []
    for _, _, setting in wanted:
        p = program(setting.graph, setting.size)
        curve = m.curves[setting, TENTACLE]
        for load in best_loads(curve):
            # As fast as there: a load is of the program without the remedy's splitters and joiners.
            scaling = curve[load]["configuration"]["stream"]["computation_scaling"]
            circuits, packets = (
                run_of((setting, network, load), p, windows).with_({"stream.computation_scaling": scaling})
                for network in (TENTACLE, PUSH_X)
            )
            found: dict[str, Any] = {"routing.algorithm": "disjoint_paths", "routing.finder": FINDER}
            jobs += [circuits.with_({"setup.paths": FINDER}), packets.with_(found)]
    done = iter(study.run(jobs))
    made = []
    for b, size, setting in wanted:
        curve = m.curves[setting, TENTACLE]
        pairs = [(next(done), next(done)) for _ in best_loads(curve)]
        installed, packets = (max(of, key=throughput) for of in zip(*pairs, strict=True))
        best = max(curve.values(), key=throughput)
        made.append(Alternatives(b, size, {BY_ROUTERS: best, INSTALLED: installed, PACKETS: packets}))
    return made


def best_loads(curve: dict[float, Results]) -> list[float]:
    """The few where a network carries most."""
    return sorted(curve, key=lambda load: throughput(curve[load]), reverse=True)[:LOADS]


def rows(found: list[Alternatives], reading: str) -> Iterator[Row]:
    """Beside what sections 2.2 and 3 say of them."""
    for size in dict.fromkeys(a.size for a in found):
        of = [a for a in found if a.size == size]
        at = f"{len(of)} programs, {size}x{size}, {reading}"
        for which in (PACKETS, INSTALLED):
            ratios = [a.over_circuits(which) for a in of]
            furthest = max(ratios, key=lambda r: abs(r - 1))
            yield Row("Section 3", f"{which} over {BY_ROUTERS}, geometric mean of {at}", "1", 1, geometric_mean(ratios),
                      NEAR, quote="not expected to make a big difference")  # fmt: skip
            yield Row("Section 3", f"{which} over {BY_ROUTERS}, the furthest of {at}", "1", 1, furthest, 2 * NEAR,
                      quote="not expected to make a big difference")  # fmt: skip
        installed, derived = (
            sum(f(a) for a in of) for f in (lambda a: a.cycles(INSTALLED), Alternatives.expected_cycles)
        )
        yield Row(
            "beyond the paper", f"set-up of paths found in software, cycles of {at}", "cycles", derived, installed, 0.0
        )
        searched = sum(a.cycles(BY_ROUTERS) for a in of)
        yield Row("beyond the paper", f"set-up in software over that by routers, cycles of {at}", "1", 1,
                  installed / searched, 0.0, at_most=True)  # fmt: skip


COLUMNS = [
    "graphs",
    "benchmark",
    "size",
    "streams",
    *(f"{w}: iterations/kilocycle" for w in (BY_ROUTERS, INSTALLED, PACKETS)),
]
COLUMNS += ["set-up by routers, cycles", "orders", "set-up in software, cycles"]


def table(found: list[Alternatives], graphs: str) -> list[list[object]]:
    """switching.csv: a line a program."""
    return [
        [graphs, a.benchmark, a.size, len(a.results[BY_ROUTERS]["setup"]["circuits"]),
         *(f"{throughput(a.results[w]):.4f}" for w in (BY_ROUTERS, INSTALLED, PACKETS)), a.cycles(BY_ROUTERS),
         a.results[BY_ROUTERS]["setup"]["orders_tried"], a.cycles(INSTALLED)]
        for a in found
    ]  # fmt: skip

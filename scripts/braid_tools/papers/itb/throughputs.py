"""Throughputs of all networks that the tables need, and ratios of them, averaged over topologies."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, replace

from braid_tools.papers.itb.points import (
    BALANCED,
    BMAX,
    BNUMBERED,
    LATENCY_LIMIT,
    UD,
    Network,
    Routing,
    Traffic,
    Window,
    measure,
    sample_of,
)
from braid_tools.papers.itb.search import Sample, Search, search_all
from braid_tools.study import Study

# Where the first topology's search begins, flits/cycle/host; the other topologies' begins at what the first one gave.
GUESSES = {16: 0.1, 32: 0.08, 64: 0.06}
NEAR = 1.15  # how far off the other topologies are taken to be
ByNetwork = dict[Network, float]


@dataclass(frozen=True)
class Mean:
    """Of several topologies."""

    mean: float
    deviation: float  # of the sample
    topologies: int

    def __str__(self) -> str:
        """As rows say it."""
        return f"{self.topologies} topologies, deviation {self.deviation:.3g}"


def mean_of(values: Iterable[float]) -> Mean:
    """Mean and standard deviation."""
    values = list(values)
    return Mean(statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0, len(values))


def ratio(of: ByNetwork, a: Routing, b: Routing, switches: int, traffic: Traffic) -> Mean:
    """a / b of each topology, averaged."""
    return mean_of(ratios(of, a, b, switches, traffic).values())


def ratios(of: ByNetwork, a: Routing, b: Routing, switches: int, traffic: Traffic) -> dict[int, float]:
    """Topology's number -> a / b."""
    return {
        n.instance: value / of[replace(n, routing=b)]
        for n, value in of.items()
        if (n.switches, n.routing, n.traffic) == (switches, a, traffic)
    }


def first_guess(network: Network) -> float:
    """From the published factors, roughly; a hot host takes a flit a cycle from all."""
    routing = replace(network.routing, name=network.routing.name.split(" ")[0], per="router_pair")
    factor = {UD: 0.6, BALANCED: 1.0, BNUMBERED: 1.3, BMAX: 1.3}.get(routing, 0.9)
    return GUESSES[network.switches] * factor * (0.5 if network.traffic.pattern == "hot_spot" else 1.0)


def find_throughputs(
    study: Study, networks: Iterable[Network], window: Window
) -> tuple[ByNetwork, dict[Network, list[Sample]]]:
    """Throughputs in flits/cycle/host, and every run that led to them."""

    def samples(wanted: list[tuple[Network, float]]) -> list[Sample]:
        results = measure(study, wanted, window)
        return [sample_of(load, r) for (_, load), r in zip(wanted, results, strict=True)]

    networks = list(dict.fromkeys(networks))
    first = {n: Search(LATENCY_LIMIT, first_guess(n)) for n in networks if n.instance == 0}
    found = search_all(first, samples)
    others = {n: Search(LATENCY_LIMIT, found[replace(n, instance=0)], NEAR) for n in networks if n.instance > 0}
    found |= search_all(others, samples)
    return found, {n: s.samples for n, s in (first | others).items()}

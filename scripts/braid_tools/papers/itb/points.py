"""The operating points of in-transit-buffers as runs of braid: which network, which paths, which traffic."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from braid_tools.papers.itb.search import Sample
from braid_tools.program import ROOT, Results, Run
from braid_tools.study import Study

EXPERIMENT = ROOT / "tb" / "experiments" / "irregular.toml"  # lengths: bimodal, 30 % long
CYCLE_NS = 6.25
HOSTS = 4  # a switch
LATENCY_LIMIT = 3200  # cycles, 20 us
LOW_LOAD = 0.004  # flits/cycle/host, of Tables 2 and 4
HIGHER_LOAD = 0.006  # where up*/down* on 64 switches begins to wait; no less "low" than LOW_LOAD
PER_NS_AND_SWITCH = HOSTS / CYCLE_NS
HOT_FRACTION = {16: 0.2, 32: 0.15, 64: 0.05}


@dataclass(frozen=True)
class Routing:
    """A routing of the paper: how paths are computed, where packets rest."""

    name: str
    paths: str
    in_transit: str
    per: str = "router_pair"  # who has a path of its own


UD = Routing("UD", "up_down", "none")
SMART = Routing("SMART", "smart", "none")
FEEDBACK = Routing("SMART with feedback", "smart_feedback", "none")  # the other reading of SMART
BSMART = Routing("BSMART", "balanced_lp", "minimum")
RANDOM = Routing("RANDOM", "random", "minimum")
BALANCED = Routing("BALANCED", "balanced", "minimum")  # BMIN is the same
BNUMBERED = Routing("BNUMBERED", "balanced", "numbered")
BMAX = Routing("BMAX", "balanced", "every_switch")


def with_violations(routing: Routing) -> Routing:
    """Its second reading: a packet rests wherever its path breaks the rule of up*/down*."""
    return replace(routing, name=f"{routing.name} (up*/down* violations)", in_transit="up_down")


@dataclass(frozen=True)
class Traffic:
    """Where messages go and how long they are: 32, 512, 1024, or "bimodal"."""

    pattern: str = "uniform"
    flits: int | str = 512
    radius: int | None = None  # of local traffic, in links

    @property
    def mean_flits(self) -> float:
        """Of a message."""
        return 0.7 * 32 + 0.3 * 512 if self.flits == "bimodal" else float(self.flits)

    @property
    def name(self) -> str:
        """As rows say it."""
        radius = "" if self.radius is None else f" (radius {self.radius})"
        length = "bimodal" if self.flits == "bimodal" else f"{self.flits} bytes"
        return f"{self.pattern.replace('_', ' ')}{radius}, {length}"

    def settings(self, switches: int, instance: int) -> dict[str, Any]:
        """Braid's keys. The hot host is another one in every topology."""
        keys: dict[str, Any] = {"traffic.pattern": self.pattern}
        if self.pattern in ("hot_spot", "combined"):
            hot = random.Random(f"{switches} {instance}").randrange(HOSTS * switches)
            keys |= {"traffic.hot_nodes": [hot], "traffic.hot_fraction": HOT_FRACTION[switches]}
        if self.pattern in ("bit_reversal", "combined"):
            keys["traffic.silent_fixed_points"] = True
        if self.radius is not None:
            keys["traffic.local_radius"] = self.radius
        short, long = (32, 512) if self.flits == "bimodal" else (self.flits, self.flits)
        return keys | {"traffic.short_flits": short, "traffic.long_flits": long}


@dataclass(frozen=True)
class Network:
    """One of the random topologies of a size, with its routing and traffic."""

    switches: int
    instance: int
    routing: Routing
    traffic: Traffic = Traffic()


@dataclass(frozen=True)
class Window:
    """Cycles before and while measuring; at a low load as many as `messages` take, all hosts together."""

    warmup: int
    measured: int
    drain: int
    messages: int


FULL = Window(40_000, 240_000, 10_000, 4_000)
QUICK = Window(20_000, 60_000, 10_000, 300)


def run_of(network: Network, load: float, window: Window, cycles: int = 0) -> Run:
    """The run at a load in flits/cycle/host; `cycles` to measure, if not the window's."""
    own_paths = {} if network.routing.per == "router_pair" else {"routing.paths_per": network.routing.per}
    settings = {
        "topology.switches": network.switches,
        "topology.instance": network.instance,
        "routing.paths": network.routing.paths,
        "routing.in_transit": network.routing.in_transit,
        **own_paths,
        **network.traffic.settings(network.switches, network.instance),
        "traffic.rate_flits_per_node_cycle": load,
        "simulation.min_warmup_cycles": window.warmup,
        "simulation.max_warmup_cycles": window.warmup,
        "simulation.measure_cycles": cycles or window.measured,
        "simulation.max_drain_cycles": window.drain,
    }
    n = network
    return Run(f"{n.switches}/{n.instance} {n.routing.name} {n.traffic.name} {load:g}", EXPERIMENT, settings)


def sample_of(load: float, result: Results) -> Sample:
    """What the search needs of a run: flits/cycle/host, cycles from creation to the tail's delivery."""
    packets = result["classes"][0]
    return Sample(load, packets["packet_latency_cycles"]["mean"], packets["accepted_flits_per_node_cycle"]["mean"])


def measure(study: Study, wanted: Iterable[tuple[Network, float]], window: Window, cycles: int = 0) -> list[Results]:
    """The results of networks at loads, in the order given; the largest networks run first."""
    wanted = list(wanted)
    order = sorted(range(len(wanted)), key=lambda i: -wanted[i][0].switches * wanted[i][1])
    results = study.run([run_of(*wanted[i], window, cycles) for i in order])
    return [result for _, result in sorted(zip(order, results, strict=True), key=lambda pair: pair[0])]


def low_load_cycles(network: Network, window: Window, load: float = LOW_LOAD) -> int:
    """As long as the window's messages take at the load, in whole batches of 10,000."""
    cycles = window.messages * network.traffic.mean_flits / (load * HOSTS * network.switches)
    return math.ceil(cycles / 10_000) * 10_000


def low_load_latencies(
    study: Study, networks: Iterable[Network], window: Window, load: float = LOW_LOAD
) -> dict[Network, float]:
    """Mean latency in cycles where hardly any two messages meet."""
    networks = list(dict.fromkeys(networks))
    runs = [run_of(n, load, window, low_load_cycles(n, window, load)) for n in networks]
    return {n: sample_of(load, r).latency for n, r in zip(networks, study.run(runs), strict=True)}

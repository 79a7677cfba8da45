"""What is combined: each cell is a network of one paper without and with a mechanism of another, and the figures for
which the mechanism is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import braid
from braid.explore.rows import figures_of

from braid_tools.program import ROOT

EXPERIMENTS = ROOT / "tb" / "experiments"
RATE = "traffic.rate_flits_per_node_cycle"
SEEDS = 5
MANY = 20  # where networks differ much
#: Figures, and how they are said.
FAIRNESS = "packets.injection_spread_flits_per_cycle.jain_index"
ACCEPTED = "packets.accepted_flits_per_node_cycle"
SHORT = "latency of messages of one packet"
ALL = "messages.normalized_latency_cycles"
STREAM = "stream.iterations_per_kilocycle"
BROADCASTS = "broadcast.broadcasts_per_kilocycle"
BROADCAST = "broadcast.latency_cycles.mean"
UNITS = {
    FAIRNESS: "Jain's index of what nodes send",
    ACCEPTED: "accepted, flits/node/cycle",
    SHORT: "latency of messages of one packet, cycles",
    ALL: "latency by packet of the message, cycles",
    STREAM: "iterations of the program in 1000 cycles",
    BROADCASTS: "broadcasts in 1000 cycles",
    BROADCAST: "latency of a broadcast, cycles",
}

LOWER_IS_BETTER = (SHORT, ALL, BROADCAST)
SHORT_UNITS = {
    FAIRNESS: "Jain's index",
    ACCEPTED: "accepted load",
    SHORT: "latency, short messages",
    ALL: "latency by packet",
    STREAM: "stream program's rate",
    BROADCASTS: "broadcasts",
    BROADCAST: "latency of a broadcast",
}


@dataclass(frozen=True)
class Network:
    """An experiment as a paper has it, without the mechanism. `by_seed`: a key that takes another value for each seed,
    so that intervals are over networks, too."""

    name: str
    short: str
    file: str
    settings: Mapping[str, Any]
    by_seed: str = ""
    seeds: int = SEEDS

    def experiment(self, seed: int, more: Mapping[str, Any], cycles: Mapping[str, Any]) -> braid.Experiment:
        """With a mechanism's settings, and a window's where it is not the network's own."""
        drawn = {self.by_seed: seed - 1} if self.by_seed else {}
        settings = {**self.settings, **drawn, **more, **cycles, "experiment.seed": seed}
        return braid.Experiment(EXPERIMENTS / self.file).with_(settings)


def window(warmup: int, measured: int) -> dict[str, Any]:
    """Without a drain: sources never stop."""
    return {
        "simulation.min_warmup_cycles": warmup,
        "simulation.max_warmup_cycles": warmup,
        "simulation.measure_cycles": measured,
        "simulation.max_drain_cycles": 0,
    }


HEXAGON = Network(
    "wrapped hexagon, PO2, 91 nodes, a tenth above full load",
    "wrapped hexagon",
    "po2_hexagonal.toml",
    {RATE: 0.419, "simulation.batch_cycles": 10_000, **window(50_000, 300_000)},
)
IRREGULAR = Network(
    "irregular network of 16 switches, 64 nodes, above saturation",
    "irregular",
    "irregular.toml",
    {RATE: 0.3, "simulation.batch_cycles": 10_000, **window(50_000, 300_000)},
    by_seed="topology.instance",
)
TREE = Network(
    "4-ary 3-tree, 64 nodes, half of the packets in messages of 25",
    "4-ary 3-tree",
    "tree_sat.toml",
    {
        "interface.fairness": "none",
        "interface.source_queue_packets": 0,
        "interface.scheduler": "fifo",
        "message.packet_flits": 16,
        "traffic.pattern": "uniform_without_self",
        "traffic.length": "bursty",
        "traffic.min_flits": 1,
        "traffic.max_flits": 5,
        "traffic.long_flits": 25,
        "traffic.long_fraction": 0.1,
        RATE: 0.3,
        **window(20_000, 200_000),
        "simulation.max_drain_cycles": 50_000,
    },
)
#: Broadcasts of 64 flits by units that need a cycle for a message, so that the network is what takes time.
RING = {"broadcast.scheme": "diamond_ring", "broadcast.arity": 4, "broadcast.flits": 64, "traffic.length": "fixed"}
UP_DOWN = {"routing.paths": "up_down", "routing.in_transit": "none"}
BURSTS = Network(
    "diamond ring over an irregular network of 16 switches, bursts of 16 broadcasts",
    "irregular, bursts",
    "irregular.toml",
    {**RING, "broadcast.burst": 16, RATE: 0.0, **window(20_000, 300_000)},
    by_seed="topology.instance",
    seeds=MANY,
)
BESIDE = Network(
    "diamond ring over an irregular network of 16 switches, packets at 0.05 flits/node/cycle beside it",
    "irregular, packets beside",
    "irregular.toml",
    {**RING, "traffic.flits": 64, RATE: 0.05, **window(20_000, 300_000)},
    by_seed="topology.instance",
    seeds=MANY,
)
MIXED = Network(
    "FM radio on circuits of a 4x4 mesh, packets at full load beside them",
    "mesh with circuits",
    "mixed.toml",
    {RATE: 1.0, "interface.source_queue_packets": 8, **window(20_000, 100_000)},
)


def sat(carrier: str, threshold: int) -> dict[str, Any]:
    """A SAT line with l = k."""
    return {"interface.fairness": "sat", "sat.carrier": carrier, "sat.l": threshold, "sat.k": threshold}


@dataclass(frozen=True)
class Combination:
    """A network with a mechanism. `before`: what stands in the mechanism's place otherwise."""

    mechanism: str
    network: Network
    after: Mapping[str, Any]
    figures: tuple[str, ...]
    before: Mapping[str, Any] = field(default_factory=dict)


CARRIERS = {"ring": "a ring", "spanning_tree": "a spanning tree", "diamond_ring": "a diamond ring"}


def combinations() -> list[Combination]:
    """All, in the order of the table."""
    fair = (FAIRNESS, ACCEPTED)
    found = [
        Combination(f"SAT over {words}, l = k = {k}", network, sat(carrier, k), fair)
        for network, k in ((HEXAGON, 16), (IRREGULAR, 4))
        for carrier, words in CARRIERS.items()
    ]
    alpha = {"interface.scheduler": "alpha", "message.alpha": 8.0}
    found.append(Combination("alpha scheduling, alpha = 8, for first in first out", TREE, alpha, (SHORT, ALL)))
    in_transit = {"routing.paths": "balanced", "routing.in_transit": "minimum"}
    found += [
        Combination("in-transit buffers and balanced paths, for up/down", network, in_transit, figures, UP_DOWN)
        for network, figures in ((BURSTS, (BROADCASTS,)), (BESIDE, (BROADCASTS, BROADCAST)))
    ]
    found.append(
        Combination("SAT over a spanning tree, l = k = 2", MIXED, sat("spanning_tree", 2), (FAIRNESS, ACCEPTED, STREAM))
    )
    return found


def value(results: Mapping[str, Any], figure: str) -> float:
    """A figure of a run."""
    if figure == SHORT:
        [one] = [row for row in results["messages"]["by_length"] if row["packets"] == 1]
        return float(one["latency_mean_cycles"])
    return float(figures_of(results)[figure])

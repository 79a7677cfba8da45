"""What SAT costs as a small control packet (section II.A) in place of wires: 64 nodes as a mesh of hybrid routers and
as a 4-ary 3-tree, at full load, over the thresholds k = l. Rows, and control_packet.png."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from braid import plot

from braid_tools.comparison import Kind, Row
from braid_tools.papers.sat.points import EXPERIMENT, NONE, Policy, Windows, pattern_settings, spread
from braid_tools.program import ROOT, Results, Run
from braid_tools.study import Study

CARRIERS = {"ring": "ring of wires", "control_packet": "control packet"}
WINDOW = Windows(20_000, {64: 100_000})
FULL_LOAD = {
    "interface.source_queue_packets": 8,
    "traffic.rate_flits_per_node_cycle": 1.0,
    "simulation.min_warmup_cycles": WINDOW.warmup,
    "simulation.max_warmup_cycles": WINDOW.warmup,
    "simulation.measure_cycles": WINDOW.measured[64],
    "simulation.max_drain_cycles": 0,
}


@dataclass(frozen=True)
class Network:
    """One of the two, with the interval of the signal in an idle network by carrier, in closed form: wires take a cycle
    and the station one; the packet its route and two cycles at each node (docs/sat-fairness.md)."""

    name: str
    experiment: Path
    flits: int  # of a packet
    idle: dict[str, int] = field(hash=False)
    thresholds: tuple[int, ...]


MESH = Network(
    "8x8 mesh",
    ROOT / "tb" / "experiments" / "mesh_uniform.toml",
    4,
    {"ring": 128, "control_packet": 960},
    (8, 16, 32, 64, 128),
)
TREE = Network("4-ary 3-tree", EXPERIMENT, 16, {"ring": 232, "control_packet": 296}, (2, 4, 8, 16, 32, 64))
PATTERNS = {"uniform": "uniform", "hot region": "hot_region"}
Where = tuple[Network, str]  # and its pattern, by the paper's name
Found = dict[Where, dict[Policy, Results]]


def policies(network: Network) -> list[Policy]:
    """None, then every carrier at every threshold."""
    return [NONE, *(Policy(carrier, k, k) for carrier in CARRIERS for k in network.thresholds)]


def run_of(where: Where, policy: Policy) -> Run:
    """A point."""
    network, pattern = where
    line: dict[str, Any] = {"interface.fairness": policy.fairness if policy.carrier else "none"}
    if policy.carrier:
        line |= {"sat.carrier": policy.carrier, "sat.l": policy.l, "sat.k": policy.k}
    name = f"{network.name}, {pattern}, {policy.name}"
    return Run(name, network.experiment, FULL_LOAD | pattern_settings(PATTERNS[pattern]) | line)


def measure(study: Study) -> Found:
    """Every point; quickly uniform traffic only."""
    patterns = ["uniform"] if study.quick else list(PATTERNS)
    points = [((network, pattern), policy) for network in (MESH, TREE) for pattern in patterns
              for policy in policies(network)]  # fmt: skip
    found: Found = {}
    for (where, policy), result in zip(points, study.run([run_of(*point) for point in points]), strict=True):
        found.setdefault(where, {})[policy] = result
    return found


def apart(network: Network, policy: Policy, result: Results) -> float:
    """How far the packets of two nodes are apart at most, over 4 k: a node is anywhere in its round at either end."""
    s = spread(result)
    packets = (s["max"] - s["min"]) * result["measured_cycles"] / network.flits
    return packets / (4 * policy.k)


def rows(found: Found) -> list[Row]:
    """The packet is as fair as wires, and bounds a node's rate as they do: k packets an interval."""
    made = []
    for (network, pattern), results in found.items():
        where = f"{network.name}, {pattern}"
        for carrier, name in CARRIERS.items():
            of = {p: r for p, r in results.items() if p.carrier == carrier}
            worst = max(apart(network, p, r) for p, r in of.items())
            what = f"{where}, {name}: packets of two nodes apart over 4 k, largest of all thresholds"
            made.append(Row("Section II.A", what, "1", 1, worst, 0.0, at_most=True, stated_kind=Kind.OWN))
            least = Policy(carrier, network.thresholds[0], network.thresholds[0])
            bound = least.k * network.flits / of[least]["fairness"]["interval_cycles"]["mean"]
            rate = spread(of[least])["mean"]
            what = f"closed form: {where}, {name}, l = k = {least.k}: rate over k packets an interval"
            made.append(Row("Section II.A", what, "1", 1, rate / bound, 0.02))
            idle = f"{where}, {name}, l = k = {least.k}: interval over an idle network's, 1 to 1.25"
            longer = of[least]["fairness"]["interval_cycles"]["mean"] / network.idle[carrier]
            made.append(Row("Section II.A", idle, "1", 1, longer, 0.0, most=1.25, stated_kind=Kind.OWN))
    return made


def curves(of: dict[Policy, Results], carrier: str) -> Iterator[tuple[int, dict[str, float], float]]:
    """Of a carrier: k, the nodes' rates, the mean interval in cycles."""
    for policy, result in of.items():
        if policy.carrier == carrier:
            yield policy.k, spread(result), result["fairness"]["interval_cycles"]["mean"]


def draw(path: Path, found: Found) -> None:
    """Rates over k, with the least and the most of the nodes; below the interval."""
    figure, all_axes = plt.subplots(2, len(found), figsize=(4.4 * len(found), 6.4), squeeze=False)
    for (network, pattern), above, below in zip(found, *all_axes, strict=True):
        of = found[network, pattern]
        free = spread(of[NONE])
        look = plot.style("none")["color"]
        above.axhline(free["mean"], color=look, linewidth=1, label="without SAT (band: all nodes)")
        above.axhspan(free["min"], free["max"], color=look, alpha=0.12, linewidth=0)
        for carrier, name in CARRIERS.items():
            draw_carrier(above, below, list(curves(of, carrier)), network, carrier, name)
        above.set_title(f"{network.name}, {pattern}", fontsize=10)
        above.set_ylim(0, 1.05 * free["max"])
        below.set_ylim(bottom=0)
        for axes in (above, below):
            axes.set_xscale("log", base=2)
            axes.set_xticks(network.thresholds, [str(k) for k in network.thresholds])
            axes.minorticks_off()
            axes.grid(alpha=0.3)
        below.set_xlabel("l = k, packets a round")
    all_axes[0][0].set_ylabel("flits/node/cycle")
    all_axes[1][0].set_ylabel("interval of the signal, cycles")
    handles, labels = all_axes[0][0].get_legend_handles_labels()
    in_rows = 1 if len(found) > 2 else 2  # as wide as the panels
    columns = -(-len(labels) // in_rows)
    figure.legend(handles, labels, loc="lower center", ncols=columns, fontsize=9, frameon=False)
    figure.suptitle(
        "A control packet is as fair as wires, but its rounds are longer, so the same throughput takes a larger k"
    )
    figure.tight_layout(rect=(0, 0.04 * in_rows, 1, 1))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_carrier(
    above: plt.Axes,
    below: plt.Axes,
    points: list[tuple[int, dict[str, float], float]],
    network: Network,
    carrier: str,
    name: str,
) -> None:
    """A carrier's two lines, and dotted what an idle network bounds both to."""
    ks, rates, intervals = (list(column) for column in zip(*points, strict=True))
    look = plot.style(carrier)
    ends = [[r["mean"] - r["min"] for r in rates], [r["max"] - r["mean"] for r in rates]]
    above.errorbar(ks, [r["mean"] for r in rates], ends, capsize=3, label=name, **look)
    between = [ks[0] * (ks[-1] / ks[0]) ** (i / 100) for i in range(101)]
    bound = [k * network.flits / network.idle[carrier] for k in between]
    above.plot(between, bound, ":", color=look["color"], label=f"{name}, an idle network's interval")
    below.plot(ks, intervals, **look)
    below.axhline(network.idle[carrier], linestyle=":", color=look["color"])

"""Plots of sat-fairness. Every function writes one picture."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from braid_tools.comparison import Row
from braid_tools.papers.sat.points import NONE, ByPoint, Point, Policy, spread

ROUTINGS = {"static": "tree_by_source", "adaptive": "tree_adaptive"}
UNIT = "flits/cycle injected by a node"


def _save(figure: plt.Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def shares(path: Path, measured: dict[str, dict[str, list[float]]]) -> None:
    """Figure 1: which part of node 7's link nodes 0 to 6 get, by network and policy."""
    figure, all_axes = plt.subplots(1, len(measured), figsize=(11, 3.6), sharey=True)
    for axes, (network, policies) in zip(all_axes, measured.items(), strict=True):
        for i, (name, values) in enumerate(policies.items()):
            places = [node + 0.16 * i - 0.32 for node in range(len(values))]
            axes.bar(places, values, 0.15, label="without SAT" if name == "none" else name)
        axes.axhline(1 / 7, color="k", linewidth=0.6, linestyle=":")
        axes.set_title(network)
        axes.set_xlabel("node that sends to node 7 (dotted: a seventh)")
        axes.grid(alpha=0.3, axis="y")
    all_axes[0].set_ylabel("share of node 7's link")
    all_axes[0].legend()
    _save(figure, path)


def ranges(path: Path, patterns: dict[str, str], results: ByPoint) -> None:
    """Figure 3: minimum, average and maximum of the nodes' throughput without SAT."""
    figure, axes = plt.subplots(figsize=(8, 4))
    for i, (name, routing) in enumerate(ROUTINGS.items()):
        values = [spread(results[Point(64, p, NONE, routing)]) for p in patterns.values()]
        places = [x + 0.3 * i - 0.15 for x in range(len(values))]
        below = [v["mean"] - v["min"] for v in values]
        above = [v["max"] - v["mean"] for v in values]
        axes.errorbar(places, [v["mean"] for v in values], yerr=[below, above], fmt="os"[i], capsize=5, label=name)
    axes.set_xticks(range(len(patterns)), list(patterns))
    axes.set_ylabel(UNIT)
    axes.set_ylim(0, 1)
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)


def averages(path: Path, patterns: dict[str, str], results: ByPoint) -> None:
    """Figure 4: average (bars) and minimum (marks) for k = l."""
    policies = [NONE, *(Policy("ring", k, k) for k in (8, 12, 16))]
    figure, all_axes = plt.subplots(1, 2, figsize=(12, 4), sharey=True)
    for axes, (name, routing) in zip(all_axes, ROUTINGS.items(), strict=True):
        for i, policy in enumerate(policies):
            values = [spread(results[Point(64, p, policy, routing)]) for p in patterns.values()]
            places = [x + 0.2 * i - 0.3 for x in range(len(values))]
            axes.bar(places, [v["mean"] for v in values], 0.18, label=policy.name)
            axes.plot(places, [v["min"] for v in values], "k_", markersize=7)
        axes.set_xticks(range(len(patterns)), list(patterns), fontsize=8)
        axes.set_title(name)
        axes.grid(alpha=0.3, axis="y")
    all_axes[0].set_ylabel(UNIT)
    all_axes[0].legend()
    _save(figure, path)


def distributions(path: Path, results: ByPoint) -> None:
    """Figure 5: every node's throughput on the adaptive network."""
    panels = {
        "(a) uniform": ("uniform", [(12, 12), (12, 16), (12, 24)]),
        "(b) hot region": ("hot_region", [(12, 12), (12, 16), (12, 24)]),
        "(c) perfect shuffle": ("shuffle", [(12, 12), (16, 16), (12, 16), (12, 24)]),
    }
    figure, all_axes = plt.subplots(1, 3, figsize=(15, 4))
    for axes, (title, (pattern, thresholds)) in zip(all_axes, panels.items(), strict=True):
        for policy in [NONE, *(Policy("ring", *lk) for lk in thresholds)]:
            rates = results[Point(64, pattern, policy)]["classes"][0]["injected_flits_per_cycle_by_node"]
            axes.plot([r if r > 0 else None for r in rates], ".-", linewidth=0.8, label=policy.name)
        axes.set_title(title)
        axes.set_xlabel("node")
        axes.set_ylim(0, 1)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    all_axes[0].set_ylabel(UNIT)
    _save(figure, path)


def table(path: Path, rows: list[Row]) -> None:
    """Table I: every measured figure over the published one, with its tolerance."""
    figure, axes = plt.subplots(figsize=(12, 4))
    tolerances = [row.tolerance for row in rows]
    axes.errorbar(range(len(rows)), [1.0] * len(rows), yerr=tolerances, fmt="none", color="#bbbbbb")
    for kind, colour in (("average", "C0"), ("minimum", "C1"), ("maximum", "C2")):
        places = [i for i, row in enumerate(rows) if f", {kind} " in row.quantity]
        axes.plot(places, [rows[i].ratio for i in places], ".", color=colour, label=kind)
    axes.set_xlabel("cell of Table I, row by row")
    axes.set_ylabel("measured / published")
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)

"""Plots. Every function writes one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

STYLES = ["s--", "D--", "s-", "D-", "o-", "k:"]


def throughput(path: Path, scaling: list[float], curves: dict[str, list[float]]) -> None:
    """Iterations per kilocycle of each network against the normalized computation scaling factor."""
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for (network, values), style in zip(curves.items(), STYLES, strict=False):
        axes.plot(scaling, values, style, label=network, markersize=4)
    axes.set_xscale("log")
    axes.set_xlabel("computation scaling factor (1: every network is bound by computation)")
    axes.set_ylabel("iterations / 1000 cycles")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def link_maps(path: Path, paths: dict[str, Any]) -> None:
    """Streams on each link under packet routing, beside the circuits: one arrow a direction, labelled with its load."""
    maps = [("X-first: streams a link", paths["stream_loads"])]
    if "circuit_loads" in paths:
        maps.append(("tentacle: disjoint circuits", paths["circuit_loads"]))
    figure, all_axes = plt.subplots(1, len(maps), figsize=(5.2 * len(maps), 5.2), squeeze=False)
    most = max(link["load"] for _, links in maps for link in links)
    for axes, (title, links) in zip(all_axes[0], maps, strict=True):
        _draw_map(axes, links, most)
        for actor in paths["actors"]:
            x, y = _place_of_node(actor["node"], links)
            axes.text(x, y, actor["name"].replace("_", "\n"), ha="center", va="center", fontsize=6)
        axes.set_title(title, pad=12)
    figure.savefig(path, dpi=130, bbox_inches="tight")
    plt.close(figure)


def _place(router: str) -> tuple[int, int]:
    x, y = router.split(",")
    return int(x), int(y)


def _place_of_node(node: int, links: list[dict[str, Any]]) -> tuple[int, int]:
    width = 1 + max(_place(link["router"])[0] for link in links)
    return node % width, node // width


def _draw_map(axes: plt.Axes, links: list[dict[str, Any]], most: float) -> None:
    colours = plt.get_cmap("viridis_r")
    for link in links:
        (x0, y0), (x1, y1) = _place(link["router"]), _place(link["to"])
        dx, dy = x1 - x0, y1 - y0
        side = 0.09  # the two directions of a link lie side by side
        start = (x0 + 0.3 * dx - side * dy, y0 + 0.3 * dy + side * dx)
        end = (x0 + 0.7 * dx - side * dy, y0 + 0.7 * dy + side * dx)
        colour = colours(link["load"] / most) if link["load"] else "#dddddd"
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 1 + 1.5 * link["load"]}
        axes.annotate("", xy=end, xytext=start, arrowprops=arrow)
        if link["load"]:
            middle = ((start[0] + end[0]) / 2 - 0.9 * side * dy, (start[1] + end[1]) / 2 + 0.9 * side * dx)
            axes.text(*middle, f"{link['load']:g}", ha="center", va="center", fontsize=7)
    places = sorted({_place(link["router"]) for link in links})
    for x, y in places:
        axes.add_patch(plt.Rectangle((x - 0.28, y - 0.28), 0.56, 0.56, fill=False, color="#888888"))
    axes.set_xlim(-0.6, max(x for x, _ in places) + 0.6)
    axes.set_ylim(-0.6, max(y for _, y in places) + 0.6)
    axes.set_aspect("equal")
    axes.axis("off")


PANELS_A_ROW = 7


def curves_against_reference(path: Path, panels: dict[str, list[dict[str, float]]]) -> None:
    """Latency against load: reference points and Braid's line, a panel a configuration."""
    columns = min(len(panels), PANELS_A_ROW)
    lines = -(-len(panels) // columns)
    figure, all_axes = plt.subplots(lines, columns, figsize=(3.4 * columns, 3.4 * lines), squeeze=False)
    for axes in all_axes.flat[len(panels) :]:
        axes.axis("off")
    for axes, (title, rows) in zip(all_axes.flat, panels.items(), strict=False):
        load = [row["load"] for row in rows]
        axes.plot(load, [row["braid"] for row in rows], "-", label="Braid")
        axes.plot(load, [row["reference"] for row in rows], "o", label="BookSim 2", markersize=4)
        axes.set_ylim(0, 4 * rows[0]["reference"])
        axes.set_title(title, fontsize=7)
        axes.set_xlabel("flits/node/cycle", fontsize=8)
        axes.grid(alpha=0.3)
    for first in all_axes[:, 0]:
        first.set_ylabel("packet latency, cycles")
    all_axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def scatter(path: Path, x_label: str, y_label: str, points: dict[str, tuple[list[float], list[float]]]) -> None:
    """Points of several kinds."""
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for (label, (xs, ys)), marker in zip(points.items(), "osD^", strict=False):
        axes.plot(xs, ys, marker, label=label, markersize=5, alpha=0.7)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def growth(path: Path, x_label: str, y_label: str, lines: dict[str, tuple[list[float], list[float]]]) -> None:
    """Lines of which a slope is a power: both axes logarithmic, x in powers of two."""
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for i, (label, (xs, ys)) in enumerate(lines.items()):
        axes.plot(xs, ys, STYLES[i % len(STYLES)], label=label, markersize=4)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({x for xs, _ in lines.values() for x in xs})
    axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def panels(path: Path, shown: dict[str, tuple[str, str, dict[str, tuple[list[float], list[float]]]]]) -> None:
    """A panel for each title: (label of x, label of y, lines)."""
    columns = 4
    height = -(-len(shown) // columns)
    figure, all_axes = plt.subplots(height, columns, figsize=(4.2 * columns, 3.3 * height), squeeze=False)
    for axes in all_axes.flat[len(shown) :]:
        axes.axis("off")
    for axes, (title, (x_label, y_label, lines)) in zip(all_axes.flat, shown.items(), strict=False):
        for i, (label, (xs, ys)) in enumerate(lines.items()):
            axes.plot(xs, ys, STYLES[i % len(STYLES)], label=label, markersize=3, linewidth=1)
        axes.set_ylim(bottom=0)
        axes.set_title(title, fontsize=8)
        axes.set_xlabel(x_label, fontsize=7)
        axes.set_ylabel(y_label, fontsize=7)
        axes.tick_params(labelsize=6)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=5)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)

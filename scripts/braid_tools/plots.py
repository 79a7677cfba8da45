"""Plots. Every function writes one picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib
from braid import plot

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


@dataclass(frozen=True)
class Series:
    """What a policy gave at each place: a value, or none; half of its bar, if it has one; what a paper prints."""

    label: str
    policy: str  # decides colour and mark, as in every plot
    values: list[float | None]
    spread: list[float] = field(default_factory=list)
    published: list[float | None] = field(default_factory=list)
    hollow: bool = False  # of two readings of one policy the one that is drawn so


@dataclass(frozen=True)
class Compared:
    """A panel: series side by side at each place."""

    title: str
    unit: str
    places: list[str]
    series: list[Series]


DODGE, MOST_DODGE = 0.75, 0.25  # of the way from place to place: for all series, and from one to the next
PUBLISHED = "#777777"


def compared(path: Path, panels: list[Compared]) -> None:
    """A panel beside the other; published values as grey dashes behind the marks that they belong to."""
    figure, all_axes = plt.subplots(1, len(panels), figsize=(4.6 * len(panels), 4.4), squeeze=False)
    for axes, panel in zip(all_axes[0], panels, strict=True):
        draw_compared(axes, panel)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_compared(axes: plt.Axes, panel: Compared) -> None:
    """A panel of compared()."""
    step = min(MOST_DODGE, DODGE / len(panel.series))
    width = min(24.0, 240 * step / len(panel.places))  # of a dash, in points: no wider than from mark to mark
    named = False
    for i, series in enumerate(panel.series):
        aside = step * (i - (len(panel.series) - 1) / 2)
        at = [place + aside for place in range(len(panel.places))]
        published = [(x, y) for x, y in zip(at, series.published, strict=False) if y is not None]
        if published:
            dash = {"color": PUBLISHED, "marker": "_", "markersize": width, "markeredgewidth": 2.5, "linestyle": ""}
            axes.plot(*zip(*published, strict=True), label="" if named else "published", zorder=1, **dash)
            named = True
        found = [(x, y, s) for x, y, s in zip(at, series.values, series.spread or [0.0] * len(at), strict=True)
                 if y is not None]  # fmt: skip
        xs, ys, spread = (list(column) for column in zip(*found, strict=True))
        face = {"markerfacecolor": "white"} if series.hollow else {}
        axes.errorbar(xs, ys, spread if any(spread) else None, linestyle="", capsize=3, markersize=7,
                      label=series.label, **plot.style(series.policy), **face)  # fmt: skip
    axes.set_xticks(range(len(panel.places)), panel.places)
    axes.set_xlim(-0.6, len(panel.places) - 0.4)
    axes.set_ylim(0, 1.05 * axes.get_ylim()[1])
    axes.set_title(panel.title, fontsize=9)
    axes.set_ylabel(panel.unit)
    axes.grid(alpha=0.3, axis="y")
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=2, markerscale=0.7, frameon=False)

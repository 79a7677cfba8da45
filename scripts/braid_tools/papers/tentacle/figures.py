"""Figures 3 to 5 of tentacle-routing. Every function writes one picture."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from braid_tools.papers.tentacle.networks import NETWORKS, throughput
from braid_tools.papers.tentacle.programs import Program
from braid_tools.papers.tentacle.published import FIGURE_3
from braid_tools.papers.tentacle.throughputs import Measured
from braid_tools.plots import STYLES


def _save(figure: plt.Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def link_loads(path: Path, programs: dict[tuple[str, int], Program]) -> None:
    """Figure 3: streams on each link under X-first, the most loaded first."""
    figure, all_axes = plt.subplots(1, 2, figsize=(10, 3.6))
    for axes, size in zip(all_axes, (4, 6), strict=True):
        for benchmark in FIGURE_3:
            if (benchmark, size) in programs:
                loads = sorted(programs[benchmark, size].loads().values(), reverse=True)
                axes.step(range(len(loads)), loads, where="post", label=benchmark)
        axes.axhline(1, color="#888888", linewidth=0.7)
        axes.set_title(f"{size}x{size}")
        axes.set_xlabel("link, the most loaded first")
        axes.grid(alpha=0.3)
    all_axes[0].set_ylabel("streams")
    all_axes[0].legend(fontsize=8)
    _save(figure, path)


def curves(path: Path, measured: list[Measured], size: int = 4) -> None:
    """Figure 4: iterations/kilocycle over the computation scaling factor, 1 where the network of one-cycle links turns
    from one bottleneck to the other; a row a reading, a column a program."""
    figure, all_axes = plt.subplots(len(measured), len(FIGURE_3), figsize=(16, 3.4 * len(measured)), squeeze=False)
    for row, m in zip(all_axes, measured, strict=True):
        for axes, benchmark in zip(row, FIGURE_3, strict=True):
            setting = next((s for s in m.throughputs if (s.benchmark, s.size) == (benchmark, size)), None)
            if setting is None:
                axes.axis("off")
                continue
            for network, style in zip(NETWORKS, STYLES, strict=True):
                curve = sorted((1 / load, throughput(r)) for load, r in m.curves.get((setting, network), {}).items())
                if curve:
                    axes.plot(*zip(*curve, strict=True), style, label=network, markersize=3, linewidth=1)
            axes.set_xscale("log")
            axes.set_ylim(bottom=0)
            axes.set_title(f"{benchmark}, {m.reading.name}", fontsize=8)
            axes.tick_params(labelsize=6)
            axes.grid(alpha=0.3)
    all_axes[0][0].legend(fontsize=6)
    all_axes[-1][0].set_xlabel("computation scaling factor", fontsize=8)
    all_axes[0][0].set_ylabel("iterations / 1000 cycles", fontsize=8)
    _save(figure, path)


def bars(path: Path, m: Measured, programs: dict[tuple[str, int], Program]) -> None:
    """Figure 5: saturation throughput to push-adaptive's, programs in the order of contention, then both means."""
    figure, all_axes = plt.subplots(2, 1, figsize=(13, 7))
    for axes, size in zip(all_axes, (4, 6), strict=True):
        names = sorted(m.benchmarks(size), key=lambda b: max(programs[b, size].loads().values()))
        if not names:
            continue
        shown = [n for n in NETWORKS if n in m.of(names[0], size)]
        for i, network in enumerate(shown):
            heights = [m.ratio(b, size, network) for b in names]
            heights += [m.mean_ratio(size, network, high=True), m.mean_ratio(size, network)]
            axes.bar([x + 0.13 * (i - 2.5) for x in range(len(heights))], heights, 0.12, label=network)
        axes.axhline(1, color="#888888", linewidth=0.7)
        axes.set_xticks(range(len(names) + 2), [*names, "mean, high", "mean, all"], fontsize=8)
        axes.set_title(f"{size}x{size}, {m.reading.name}: throughput to push, adaptive", fontsize=9)
        axes.grid(alpha=0.3, axis="y")
    all_axes[0].legend(fontsize=7, ncol=3)
    _save(figure, path)

"""Curves and pictures of docs/recipes/topologies.md, chiplets.md and elevators.md: `python -m
braid_tools.topology_figures [FOLDER]` writes them, docs/images by default, and prints the curves' points."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import braid
from braid.experiment import Experiment

from braid_tools.program import ROOT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Curves = Mapping[str, Experiment]

SHORT = {"vcs": 4, "simulation__measure_cycles": 8000}
CHAIN_LOADS = (0.02, 0.04, 0.06, 0.08, 0.1, 0.14, 0.18, 0.2, 0.22)
CHAINS = {
    "joints of 1 cycle: a mesh of 16x4": braid.chiplet_chain(4, 4, 4, joint_latency=1, **SHORT),
    "joints of 4 cycles": braid.chiplet_chain(4, 4, 4, joint_latency=4, **SHORT),
    "joints of 16 cycles": braid.chiplet_chain(4, 4, 4, joint_latency=16, **SHORT),
    "16 cycles, rows 0 and 2 joined": braid.chiplet_chain(4, 4, 4, joint_latency=16, joined_rows=[0, 2], **SHORT),
    "16 cycles, row 1 joined": braid.chiplet_chain(4, 4, 4, joint_latency=16, joined_rows=[1], **SHORT),
}
CUBE_LOADS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
CUBES = {
    f"verticals of {cycles} cycle{'s' if cycles > 1 else ''}": braid.cube(
        4, 4, 4, topology__link_latencies=[1, 1, cycles], **SHORT
    )
    for cycles in (1, 3, 8)
}
ELEVATOR_LOADS = (0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.4)
FOUR, TWO = [(1, 0), (3, 1), (0, 2), (2, 3)], [(1, 1), (2, 1)]
STACK = {"routing": "elevator_first", **SHORT}
STACKS = {
    "16 elevators": braid.cube(4, 4, 4, **STACK),
    "4 elevators, nearest": braid.cube(4, 4, 4, elevators=FOUR, **STACK),
    "4 elevators, on the way": braid.cube(4, 4, 4, elevators=FOUR, routing__elevator="on_the_way", **STACK),
    "2 elevators": braid.cube(4, 4, 4, elevators=TWO, **STACK),
}
DRAGONFLY_LOADS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
DRAGONFLIES = {
    f"{algorithm}, {pattern}": braid.dragonfly(4, 2, 2, routing=algorithm, pattern=pattern, **SHORT | {"vcs": 6})
    for pattern in ("uniform", "next_group")
    for algorithm in ("dragonfly_minimal", "ugal")
}


def draw_curves(axes: Axes, curves: Curves, loads: Sequence[float]) -> None:
    """Mean latency of the runs that did not saturate, against offered load."""
    for (name, experiment), mark in zip(curves.items(), "os^Dv", strict=False):
        runs = braid.run_many([experiment.with_(traffic__rate_flits_per_node_cycle=load) for load in loads])
        points = [(load, run) for load, run in zip(loads, runs, strict=True) if isinstance(run, braid.Result)]
        for load, run in points:
            told = (
                f"saturated, accepts {float(run.accepted):.3f}" if run.saturated else f"{run.latency.mean:.1f} cycles"
            )
            print(f"{name}, load {load}: {told}")
        steady = [(load, run.latency.mean) for load, run in points if not run.saturated]
        axes.plot([load for load, _ in steady], [mean for _, mean in steady], marker=mark, markersize=4, label=name)
    axes.set(xlabel="offered load [flits/node/cycle]", ylabel="packet latency [cycles]")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")


def draw(file: Path, columns: Sequence[tuple[str, Curves, Sequence[float], str, float]], upright: bool) -> None:
    """Of each network its curves and, of the curve that is named, the loads of its links at one load."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    shape = (2, len(columns))
    size = (8.5, 8.6) if upright else (6.0 * len(columns), 9.6)
    figure, axes = plt.subplots(*shape, figsize=size, squeeze=False, layout="constrained", height_ratios=(1, 0.9))
    for column, (title, curves, loads, drawn, load) in enumerate(columns):
        draw_curves(axes[0][column], curves, loads)
        axes[0][column].set_title(title)
        run = braid.run(curves[drawn].with_(traffic__rate_flits_per_node_cycle=load))
        braid.plot.link_map(run, axes=axes[1][column])
        axes[1][column].set_title(f"{drawn}, load {load}")
    figure.savefig(file, dpi=110)
    print(file)


def main(words: Sequence[str]) -> int:
    """Entry point."""
    folder = Path(words[0]) if words else ROOT / "docs" / "images"
    chain = ("4 chiplets of 4x4, uniform traffic", CHAINS, CHAIN_LOADS, "16 cycles, rows 0 and 2 joined", 0.06)
    draw(folder / "chiplet-chain.png", [chain], upright=True)
    stack = ("3D mesh 4x4x4, uniform traffic", STACKS, ELEVATOR_LOADS, "4 elevators, nearest", 0.1)
    draw(folder / "elevators.png", [stack], upright=True)
    cube = ("3D mesh 4x4x4, uniform traffic", CUBES, CUBE_LOADS, "verticals of 3 cycles", 0.2)
    dragonfly = ("dragonfly, a = 4, p = 2, h = 2", DRAGONFLIES, DRAGONFLY_LOADS, "ugal, next_group", 0.2)
    draw(folder / "cube-dragonfly.png", [cube, dragonfly], upright=False)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

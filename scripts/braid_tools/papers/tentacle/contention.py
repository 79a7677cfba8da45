"""Tentacle routing against packets on layouts of more and more contention (paper: tentacle-routing, section 4.3).

The annealer lays FM radio out so well that X-first puts two streams on a link at most. This study walks away from its
layouts, one move of an actor at a time, towards as much contention as it can find among layouts that still have
disjoint circuits, and compares the networks on each level on the way.
"""

from __future__ import annotations

from pathlib import Path
from statistics import geometric_mean

from braid_tools import plots
from braid_tools.comparison import Row
from braid_tools.papers.tentacle.layouts import GRAPH, Contention, walk
from braid_tools.papers.tentacle.networks import ADAPTIVE, EXPERIMENT, PACKET, throughput
from braid_tools.program import Run, in_parallel
from braid_tools.study import Study

NETWORKS = {"tentacle": {}, "push, X-first": PACKET, "push, adaptive": {**PACKET, **ADAPTIVE}}
SCALING = 0.0005  # bound by communication on every network


def levels(study: Study) -> list[tuple[Contention, Path]]:
    """The layouts of several walks, the least contention first."""
    walks, steps = (2, 60) if study.quick else (8, 4000)
    met = in_parallel(lambda seed: walked(study, seed, steps), range(1, walks + 1))
    return sorted(level for one in met for level in one)


def walked(study: Study, seed: int, steps: int) -> list[tuple[Contention, Path]]:
    """A walk, or what is kept of it."""

    def make() -> list[tuple[int, int, str]]:
        met = walk(seed, steps, study.folder)
        return [(level.streams, level.items, path.read_text()) for level, path in met.items()]

    found = []
    for streams, items, text in study.kept(f"walk {seed}, {steps} steps", [EXPERIMENT, GRAPH], make):
        path = study.folder / f"walk{seed}_{streams}_{items}.toml"
        path.write_text(text)
        found.append((Contention(streams, items), path))
    return found


def statement(study: Study) -> list[Row]:
    """layouts.csv; the row says that tentacle routing is slower than packets on no layout."""
    met = levels(study)
    jobs = [
        Run(f"{path.stem} {network}", EXPERIMENT, {**keys, "stream.graph": path, "stream.computation_scaling": SCALING})
        for _, path in met
        for network, keys in NETWORKS.items()
    ]
    results = iter(study.run(jobs))
    rows = [(level, path.stem, *(throughput(next(results)) for _ in NETWORKS)) for level, path in met]
    columns = ["layout", "streams_on_link", "items_on_link", *NETWORKS, "gain_over_adaptive"]
    table = [[name, c.streams, c.items, *values, f"{values[0] / values[2]:.3f}"] for c, name, *values in rows]
    study.table("layouts.csv", columns, table)
    lines = {network: ([c.items for c, *_ in rows], [row[2 + i] for row in rows]) for i, network in enumerate(NETWORKS)}
    axes = ("items on the most loaded link, X-first", "iterations / 1000 cycles")
    plots.scatter(study.folder / "layouts.png", *axes, lines)
    for streams in sorted({c.streams for c, *_ in rows}):
        gains = [tentacle / adaptive for c, _, tentacle, _, adaptive in rows if c.streams == streams]
        print(f"{streams} streams on a link: {len(gains)} layouts, gain over adaptive {geometric_mean(gains):.2f}")
    slower = sum(tentacle < max(packets) for _, _, tentacle, *packets in rows)
    what = f"tentacle routing at least as fast as packets on every layout ({len(rows)} layouts, {slower} slower)"
    return [Row("section 4.3", what, "holds", 1, int(not slower), 0.0)]

"""Tentacle routing against packets on layouts of more and more contention (paper: tentacle-routing, section 4.3).

The annealer lays FM radio out so well that X-first puts two streams on a link at most. This study walks away from its
layouts, one move of an actor at a time, towards as much contention as it can find among layouts that still have
disjoint circuits, and compares the networks on each level on the way.
"""

from __future__ import annotations

import csv
import json
import random
import re
import sys
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

from braid_tools import plots
from braid_tools.main_job import ADAPTIVE, EXPERIMENT, PACKET, throughput
from braid_tools.program import ROOT, Run, braid, processors, run_all

GRAPH = ROOT / "traffic" / "graphs" / "fm_radio_4x4.toml"
WIDTH = 4
NETWORKS = {"tentacle": {}, "push, X-first": PACKET, "push, adaptive": {**PACKET, **ADAPTIVE}}
SCALING = 0.0005  # bound by communication on every network

Layout = dict[str, int]  # actor -> node


@dataclass(frozen=True, order=True)
class Contention:
    """Of the most loaded link under X-first: streams, and items in a steady state of the program."""

    streams: int
    items: int

    @property
    def score(self) -> float:
        """What a walk climbs: five items count like one stream more."""
        return self.streams + self.items / 5


def contention(layout: Layout, edges: list[dict]) -> Contention:
    """In FM radio every actor fires once in a steady state, so an edge carries `push` items."""
    streams: Counter[tuple[int, int]] = Counter()
    items: Counter[tuple[int, int]] = Counter()
    for edge in edges:
        here, there = layout[edge["from"]], layout[edge["to"]]
        while here != there:
            dx, dy = there % WIDTH - here % WIDTH, there // WIDTH - here // WIDTH
            step = (dx > 0) - (dx < 0) if dx else WIDTH * ((dy > 0) - (dy < 0))
            streams[here, here + step] += 1
            items[here, here + step] += edge.get("push", 1)
            here += step
    return Contention(max(streams.values()), max(items.values()))


def write_layout(layout: Layout, path: Path) -> None:
    """The stream graph with every actor on its tile."""
    path.write_text(re.sub(r'name = "(\w+)".*\nwork', lambda m: tile_line(m, layout), GRAPH.read_text()))


def tile_line(match: re.Match[str], layout: Layout) -> str:
    """An actor's first lines with its tile in between."""
    return f'name = "{match[1]}"\ntile = {layout[match[1]]}\nwork'


def paths(directory: Path, name: str, settings: dict) -> dict:
    """What `braid paths` says of a layout or seed."""
    out = directory / f"{name}.json"
    braid("paths", EXPERIMENT, *Run(name, EXPERIMENT, settings).arguments(), "--json", out)
    return json.loads(out.read_text())


def moved(layout: Layout, rng: random.Random) -> Layout:
    """One actor on another tile; whoever is there takes its place."""
    actor, tile = rng.choice(sorted(layout)), rng.randrange(WIDTH * WIDTH)
    return {a: layout[actor] if t == tile else tile if a == actor else t for a, t in layout.items()}


def walk(seed: int, steps: int, directory: Path) -> dict[Contention, Path]:
    """Layouts with disjoint circuits, the first met at each level of contention."""
    edges = tomllib.loads(GRAPH.read_text())["edge"]
    rng = random.Random(seed)
    start = paths(directory, f"walk{seed}", {"experiment.seed": seed})
    layout = {actor["name"]: actor["node"] for actor in start["actors"]}
    here = contention(layout, edges)
    met: dict[Contention, Path] = {}
    for _ in range(steps):
        if here not in met:
            met[here] = directory / f"walk{seed}_{here.streams}_{here.items}.toml"
            write_layout(layout, met[here])
        trial = moved(layout, rng)
        there = contention(trial, edges)
        if there.score < here.score:
            continue
        write_layout(trial, directory / f"walk{seed}.toml")
        found = paths(directory, f"walk{seed}", {"stream.graph": directory / f"walk{seed}.toml"})
        if not found["setup"]["fell_back_to_packets"]:
            layout, here = trial, there
    return met


def main(quick: bool) -> int:
    """Writes results/tentacle."""
    directory = ROOT / "results" / "tentacle"
    directory.mkdir(parents=True, exist_ok=True)
    walks, steps = (2, 60) if quick else (8, 4000)
    with ThreadPoolExecutor(processors()) as pool:
        met = list(pool.map(lambda seed: walk(seed, steps, directory), range(1, walks + 1)))
    levels = sorted((level, path) for one in met for level, path in one.items())
    jobs = [
        Run(f"{path.stem} {network}", EXPERIMENT, {**keys, "stream.graph": path, "stream.computation_scaling": SCALING})
        for _, path in levels
        for network, keys in NETWORKS.items()
    ]
    results = iter(run_all(jobs))
    rows = [(level, path.stem, *(throughput(next(results)) for _ in NETWORKS)) for level, path in levels]
    with (directory / "layouts.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["layout", "streams_on_link", "items_on_link", *NETWORKS, "gain_over_adaptive"])
        out.writerows([name, c.streams, c.items, *values, f"{values[0] / values[2]:.3f}"] for c, name, *values in rows)
    lines = {network: ([c.items for c, *_ in rows], [row[2 + i] for row in rows]) for i, network in enumerate(NETWORKS)}
    plots.scatter(
        directory / "layouts.png", "items on the most loaded link, X-first", "iterations / 1000 cycles", lines
    )
    for streams in sorted({c.streams for c, *_ in rows}):
        gains = [tentacle / adaptive for c, _, tentacle, _, adaptive in rows if c.streams == streams]
        print(f"{streams} streams on a link: {len(gains)} layouts, gain over adaptive {geometric_mean(gains):.2f}")
    slower = sum(tentacle < max(packets) for _, _, tentacle, *packets in rows)
    print(f"results/tentacle/layouts.csv: {len(rows)} layouts, tentacle routing slower than packets on {slower}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main("--quick" in sys.argv))

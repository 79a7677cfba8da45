"""Layouts of FM radio, how much contention they have, and walks among them towards more."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from braid_tools.papers.tentacle.networks import EXPERIMENT
from braid_tools.program import ROOT, Run, braid

GRAPH = ROOT / "traffic" / "graphs" / "fm_radio_4x4.toml"
WIDTH = 4

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

"""The table of docs/streams.md, "Against MIT's compiler": partitions of the nine benchmarks.

actors, work of the busiest over the mean, items on the network in a steady state of the program.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.networks import GRAPHS
from braid_tools.papers.tentacle.programs import program
from braid_tools.papers.tentacle.published import BENCHMARKS, SIZES
from braid_tools.program import ROOT, braid, in_parallel

PROGRAMS = ROOT / "traffic" / "streams" / "programs"
PARTITIONS = ("dynamic_programming", "greedy")


@cache
def sources() -> dict[str, Path]:
    """Benchmark -> its program; file names have the words apart."""
    return {path.stem.replace("_", ""): path for path in PROGRAMS.glob("*.str")}


@cache
def partition(benchmark: str, tiles: int, name: str, *settings: str) -> dict[str, Any]:
    """What `braid partition` says."""
    words = [word for setting in settings for word in ("--set", setting)]
    file = sources()[benchmark.lower()]
    arguments = ["--tiles", str(tiles), "--partition", name, *words, "--json", "-", "--quiet"]
    return json.loads(braid("partition", file, *arguments))


def cell(actors: int, busiest: float, all_work: float, items: float) -> str:
    """As the table has it."""
    return f"{actors}, {busiest * actors / all_work:.2f}, {items:.0f}"


def own_cell(benchmark: str, tiles: int, name: str) -> str:
    """Of Braid's partition."""
    found = partition(benchmark, tiles, name)
    return cell(len(found["actors"]), found["bottleneck_work"], found["total_work"], found["items"])


def mit_cell(benchmark: str, size: int) -> str:
    """Of MIT's."""
    p = program(GRAPHS / f"{benchmark}_{size}x{size}.toml", size)
    return cell(len(p.work), max(p.work.values()), sum(p.work.values()), sum(s.items for s in p.streams))


def table() -> list[str]:
    """Its rows, in Markdown."""
    jobs = [(b, size * size, name) for b in BENCHMARKS for size in SIZES for name in PARTITIONS]
    in_parallel(lambda job: partition(*job), jobs)
    return [
        f"| {b} | {size * size} | {mit_cell(b, size)} | "
        + " | ".join(own_cell(b, size * size, name) for name in PARTITIONS)
        + " |"
        for b in BENCHMARKS
        for size in SIZES
    ]


def figures() -> dict[str, str]:
    """Those of the text below it."""
    tde = partition("TDE", 36, PARTITIONS[0])
    folded = partition("FMRadio", 36, PARTITIONS[0], 'stream.joiners="folded"')
    return {
        "tde_source_percent": f"{100 * tde['bottleneck_work'] / tde['total_work']:.1f}",
        "fm_radio_folded_cycles": str(folded["bottleneck_work"]),
        "fm_radio_cycles": str(partition("FMRadio", 36, PARTITIONS[0])["bottleneck_work"]),
    }

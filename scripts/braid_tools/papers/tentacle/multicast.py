"""Circuits that fork (`stream.multicast`) on the nine programs: where circuits stand with trees and do not without,
what the set-up takes, how many links circuits hold, and what the program reaches.

python -m braid_tools.papers.tentacle.multicast [--quick] writes multicast.csv into results/tentacle. Graphs: MIT's on
its tiles, as they are; Braid's by the one command without remedies; and Braid's with what `stream.remedies` finds,
packets no candidate. Throughput in iterations a kilocycle of MIT's graphs, in steady states of the program of Braid's;
where circuits do not stand it is that of packets, as the program goes on with them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.one_command import PROGRAMS, WINDOW, words
from braid_tools.program import ROOT, braid, in_parallel
from braid_tools.study import Study

GRAPHS = Path(__file__).parent / "graphs"
SIZES = (4, 6)
SCALING = 0.001  # cycles per unit of work: the network limits
COLUMNS = ["graphs", "program", "size", "streams", "branches"]
FIGURES = ["stands", "remedy", "orders", "setup_cycles", "links", "throughput", "injected_per_delivered"]
COLUMNS += [f"{figure}_{way}" for way in ("none", "routers") for figure in FIGURES]


def links(setup: dict[str, Any]) -> int:
    """That circuits hold: a path's last step leads to its node."""
    return sum(len(c["path"]) - 1 - c.get("shared_links", 0) for c in setup["circuits"])


def figures(run: dict[str, Any]) -> list[object]:
    """Of one run."""
    stream, setup = run["stream"], run.get("setup", {"circuits": [], "fell_back_to_packets": True})
    reached = stream.get("program_steady_states_per_kilocycle", stream["iterations_per_kilocycle"])["mean"]
    stands = not setup["fell_back_to_packets"]
    flits = run["conservation"]
    injected = flits["flits_injected"] / max(1, flits["flits_delivered"])
    remedy = stream.get("remedy", {}).get("taken", "")
    return [
        stands,
        remedy,
        setup.get("orders_tried", ""),
        setup.get("total_cycles", ""),
        links(setup),
        reached,
        injected,
    ]


def settings(size: int, multicast: str) -> dict[str, Any]:
    """Of all runs."""
    return WINDOW | {
        "topology.width": size,
        "topology.height": size,
        "stream.computation_scaling": SCALING,
        "stream.multicast": multicast,
    }


def both(size: int, given: dict[str, Any], *run: str | Path) -> list[dict[str, Any]]:
    """Results without trees and with."""
    return [
        json.loads(braid("run", *run, "--quiet", "--json", "-", *words(settings(size, multicast) | given)))
        for multicast in ("none", "routers")
    ]


def mits(program: str, size: int) -> list[object]:
    """A line of MIT's graphs, whose actors have their tiles."""
    graph = GRAPHS / f"{program}_{size}x{size}.toml"
    given = {"stream.graph": str(graph), "interface.switching": "circuit", "interface.stream_queue_items": 0}
    return ["MIT's", program, size, *line(both(size, given, ROOT / "tb/experiments/fm_radio.toml"))]


def ours(program: Path, size: int, *, remedies: bool) -> list[object]:
    """A line of Braid's partition."""
    given = {"stream.remedies": True, "stream.or_packets": False} if remedies else {"stream.remedies": False}
    runs = both(size, given, program, "--network", "tentacle")
    return ["Braid's, remedies" if remedies else "Braid's", program.stem, size, *line(runs)]


def line(runs: list[dict[str, Any]]) -> list[object]:
    """Counts of streams, and the figures of both runs."""
    branches = sum("shared_links" in c for c in runs[1].get("setup", {"circuits": []})["circuits"])
    return [len(runs[0]["stream"]["edges"]), branches, *(value for run in runs for value in figures(run))]


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="4x4 only, no remedies")
    quick = parser.parse_args().quick
    study = Study("tentacle", quick=quick)
    names = sorted({file.stem.rsplit("_", 1)[0] for file in GRAPHS.glob("*.toml")})
    jobs = []
    for size in SIZES[: 1 if quick else 2]:
        jobs += [lambda p=p, size=size: mits(p, size) for p in names]
        for remedies in (False,) if quick else (False, True):
            jobs += [
                lambda p=p, size=size, r=remedies: ours(p, size, remedies=r) for p in sorted(PROGRAMS.glob("*.str"))
            ]
    study.table("multicast.csv", COLUMNS, in_parallel(lambda job: job(), jobs))
    print("multicast.csv in results/tentacle")
    return 0


if __name__ == "__main__":
    sys.exit(main())

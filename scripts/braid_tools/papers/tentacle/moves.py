"""How long streams stand still when their circuits move while the program runs (setup.reroute, docs/setup.md): the nine
benchmarks on 4x4, with the first of the study's remedies with which all circuits stand, packets beside them. Prints the
table of docs/setup.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.networks import EXPERIMENT
from braid_tools.papers.tentacle.points import queue_items
from braid_tools.papers.tentacle.programs import program, write_variant
from braid_tools.papers.tentacle.remedies import REMEDIES, Remedy
from braid_tools.program import ROOT, BraidError, Results, Run, braid, run

GRAPHS = ROOT / "scripts" / "braid_tools" / "papers" / "tentacle" / "graphs"
AVOIDED = {"each": {"setup.avoid_links": "1,1.east"}, "all": {}}
BEGIN, EVERY = 4000, 8000  # cycles
KEYS = {
    "setup.retries": 200,
    "simulation.min_warmup_cycles": 3000,
    "simulation.max_warmup_cycles": 3000,
    "simulation.measure_cycles": 60_000,
    "traffic.rate_flits_per_node_cycle": 0.1,
}


@dataclass(frozen=True)
class Circuits:
    """A benchmark with the first remedy with which all its circuits stand."""

    graph: Path
    remedy: Remedy

    def keys(self) -> dict[str, Any]:
        """Braid's."""
        room = queue_items(program(GRAPHS / self.graph.name, 4))
        return KEYS | self.remedy.keys() | {"stream.graph": self.graph, "interface.stream_queue_items": room}

    def stand(self) -> bool:
        """Does the network's set-up find all of them?"""
        try:
            arguments = Run("", EXPERIMENT, self.keys()).arguments()
            found = json.loads(braid("paths", EXPERIMENT, *arguments, "--quiet", "--json", "-"))
        except BraidError:  # an actor that cannot be bounded so
            return False
        return not found["setup"]["fell_back_to_packets"]


def standing(graph: Path, folder: Path) -> Circuits | None:
    """Of a benchmark; a layout of Braid's own is of a graph without tiles, in the folder. None: none does."""
    for remedy in REMEDIES:
        of = write_variant(graph, folder / graph.name, keep_tiles=False) if remedy.own_layout else graph
        circuits = Circuits(of, remedy)
        if circuits.stand():
            return circuits
    return None


def results_of(circuits: Circuits, moves: dict[str, Any]) -> Results:
    """One run."""
    results = run(Run("", EXPERIMENT, circuits.keys() | moves))
    if not results["conservation"]["holds"]:
        raise SystemExit(f"{circuits.graph.stem}: conservation does not hold")
    return results


def row(graph: Path, folder: Path) -> str:
    """One benchmark."""
    circuits = standing(graph, folder)
    name = graph.stem.removesuffix("_4x4")
    if circuits is None:
        return f"| {name} | no remedy has all circuits stand |" + " |" * 7
    still = results_of(circuits, {})
    remedy = circuits.remedy
    streams = str(remedy.degree or "any") + (", own layout" if remedy.own_layout else "")
    cells = [name, streams, str(len(still["stream"]["edges"]))]
    for how in ("each", "all"):
        moves = {"setup.reroute": how, "setup.reroute_at_cycle": BEGIN, "setup.reroute_every_cycles": EVERY}
        moved = results_of(circuits, moves | AVOIDED[how])
        r = moved["reroutes"]
        cells.append(f"{r['min_standstill_cycles']} / {r['mean_standstill_cycles']:.1f} / {r['max_standstill_cycles']}")
        cells.append(f"{r['on_avoided_links']} of {r['moves']}")
        speed = [x["stream"]["iterations_per_kilocycle"]["mean"] for x in (moved, still)]
        cells.append(f"{100 * (speed[0] / speed[1] - 1):+.1f} %")
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    """Prints the table."""
    print("| | streams an actor | streams | each: standstill | on avoided links | throughput ", end="")
    print("| all: standstill | on avoided links | throughput |")
    print("|---|" + "---|" * 8)
    with tempfile.TemporaryDirectory() as folder:
        for graph in sorted(GRAPHS.glob("*_4x4.toml")):
            print(row(graph, Path(folder)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How long streams stand still when their circuits move while the program runs (setup.reroute, docs/setup.md): the nine
benchmarks on 4x4, circuits on MIT's tiles with at most so many streams an actor as they need to stand, packets beside
them. Prints the table of docs/setup.md; refuses a run whose log says that a stream is not whole and in order.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from braid_tools.account.log import Log
from braid_tools.account.moves import check_moves
from braid_tools.papers.tentacle.networks import EXPERIMENT
from braid_tools.papers.tentacle.points import queue_items
from braid_tools.papers.tentacle.programs import program
from braid_tools.program import ROOT, BraidError, Results, Run, braid

GRAPHS = ROOT / "scripts" / "braid_tools" / "papers" / "tentacle" / "graphs"
DEGREES = (0, 4, 3, 2)  # most streams an actor; 0: any number
AVOIDED = "1,1.east 2,2.north"
BEGIN, EVERY = 4000, 8000  # cycles
KEYS = {
    "setup.retries": 200,
    "simulation.min_warmup_cycles": 3000,
    "simulation.max_warmup_cycles": 3000,
    "simulation.measure_cycles": 60_000,
    "traffic.rate_flits_per_node_cycle": 0.1,
    "stream.disjoint_weight": 200,
}


def keys_of(graph: Path, degree: int) -> dict[str, Any]:
    """Of one benchmark."""
    room = queue_items(program(graph, 4))
    return KEYS | {"stream.graph": graph, "stream.degree": degree, "interface.stream_queue_items": room}


def degree_of(graph: Path) -> int | None:
    """The first degree with which all circuits stand."""
    for degree in DEGREES:
        try:
            arguments = Run("", EXPERIMENT, keys_of(graph, degree)).arguments()
            found = json.loads(braid("paths", EXPERIMENT, *arguments, "--quiet", "--json", "-"))
        except BraidError:
            continue
        if not found["setup"]["fell_back_to_packets"]:
            return degree
    return None


def results_of(graph: Path, degree: int, moves: dict[str, Any]) -> Results:
    """One run; its log is checked and thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        log, out = Path(folder, "log.csv"), Path(folder, "results.json")
        arguments = Run("", EXPERIMENT, keys_of(graph, degree) | moves).arguments()
        braid("run", EXPERIMENT, *arguments, "--quiet", "--log", log, "--json", out)
        results: Results = json.loads(out.read_text())
        complaints = check_moves(Log(log), results) if moves else []
    if complaints or not results["conservation"]["holds"]:
        raise SystemExit(f"{graph.stem}: " + "; ".join(complaints or ["conservation does not hold"]))
    return results


def row(graph: Path) -> str:
    """One benchmark."""
    name = graph.stem.removesuffix("_4x4")
    degree = degree_of(graph)
    if degree is None:
        return f"| {name} | - | | | | | |"
    still = results_of(graph, degree, {})
    cells = [name, str(degree or "any"), str(len(still["stream"]["edges"]))]
    for how in ("each", "all"):
        moves = {"setup.reroute": how, "setup.reroute_at_cycle": BEGIN, "setup.reroute_every_cycles": EVERY}
        moved = results_of(graph, degree, moves | {"setup.avoid_links": AVOIDED})
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
    for graph in sorted(GRAPHS.glob("*_4x4.toml")):
        print(row(graph), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

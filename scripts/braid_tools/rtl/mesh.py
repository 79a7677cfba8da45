"""hw/mesh.sv beside Braid's model: the same packets in the same cycles, and each has to arrive in the same cycle.

The model runs first (`braid run --log`). Its log says which packets were made, when, and whether a circuit carried
them; the Verilated mesh (tb/mesh) is driven with this list at its nodes' pins. It prints when each packet has arrived
whole, and when set-up was done. Every difference is one line; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from braid_tools.program import BRAID, ROOT

TB = ROOT / "build" / "release" / "tb"
EXPERIMENTS = ROOT / "tb" / "experiments"
GRAPHS = ROOT / "traffic" / "graphs"


@dataclass(frozen=True)
class Case:
    """A mesh of tb/mesh/CMakeLists.txt, and what goes over it."""

    mesh: str
    what: str
    experiment: str
    settings: dict[str, Any]


@dataclass
class Account:
    """What the model's run says."""

    streams: list[tuple[int, int]]  # source and destination, in the order in which circuits are searched
    set_up: tuple[int, bool] | None  # cycle in which it ended; do all circuits stand?
    packets: list[str] = field(default_factory=list)  # lines for the bench, ID is the line
    arrivals: dict[int, int] = field(default_factory=dict)  # ID -> cycle
    on_circuits: int = 0  # of those


SHAPE = {"router.vcs": 2, "router.buffer_depth": 4}  # as tb/mesh/CMakeLists.txt has them
LANES = {"interface.switching": "circuit", "router.circuit_lanes": 2, "interface.receive_queue_items": 0}
# FM radio's streams find no disjoint paths with one local port a tile, split-join's do; the former's set-up fails.
GRAPH = {2: "split_join", 4: "pipeline"}


def cases() -> list[Case]:
    """Packets, circuits and both."""
    found = []
    for size in (2, 4):
        shape = {"topology.width": size, "topology.height": size, "topology.local_ports": 1} | SHAPE
        streams = LANES | {"stream.graph": GRAPHS / f"{GRAPH[size]}.toml", "stream.computation_scaling": 3}
        packets = {"traffic.rate_flits_per_node_cycle": 0.3}
        none = {"traffic.rate_flits_per_node_cycle": 0}
        some = {"traffic.rate_flits_per_node_cycle": 0.15}
        found += [
            Case(f"{size}x{size}", "packets", "mesh_uniform", shape | packets),
            Case(f"{size}x{size}", "circuits", "mixed", shape | streams | none),
            Case(f"{size}x{size}", "both", "mixed", shape | streams | some),
        ]
    return found


def simulate(case: Case, cycles: int, seed: int, folder: Path) -> Account:
    """The model's run."""
    log, results = folder / "log.csv", folder / "results.json"
    settings = {
        **case.settings,
        "experiment.seed": seed,
        "simulation.min_warmup_cycles": 100,
        "simulation.max_warmup_cycles": 100,
        "simulation.measure_cycles": cycles,
        "log.path": "false",
    }
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    experiment = EXPERIMENTS / f"{case.experiment}.toml"
    command = [BRAID, "run", experiment, "--quiet", "--log", log, "--json", results, *words]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{case.mesh} {case.what}: {done.stdout}{done.stderr}")
    return account(json.loads(results.read_text()), log)


def account(results: dict[str, Any], log: Path) -> Account:
    """Of the results and the packet log."""
    edges = results["stream"]["edges"] if "stream" in results else []
    # The token passes the nodes in the order of their numbers.
    order = sorted(range(len(edges)), key=lambda i: edges[i]["source_node"])
    place = {stream: at for at, stream in enumerate(order)}
    found = Account([(edges[i]["source_node"], edges[i]["destination_node"]) for i in order], None)
    if "setup" in results:
        found.set_up = results["setup"]["total_cycles"], not results["setup"]["fell_back_to_packets"]
    with log.open(newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            if row["kind"] == "circuit":
                line = f"circuit {number} {row['created']} {place[int(row['stream'])]} {row['flits']}"
            else:
                line = f"packet {number} {row['created']} {row['source']} {row['destination']} {row['flits']}"
            found.packets.append(line)
            if row["delivered"]:
                found.arrivals[number] = int(row["delivered"])
                found.on_circuits += row["kind"] == "circuit"
    return found


def differences(model: Account, bench: Path) -> Iterator[str]:
    """What the mesh does otherwise, the earliest first."""
    until = max(model.arrivals.values(), default=0)
    lines = [f"until {until}", *(f"stream {source} {destination}" for source, destination in model.streams)]
    text = "\n".join([*lines, *model.packets, ""])
    done = subprocess.run([bench], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield done.stderr.strip() or f"{bench.name} ended with {done.returncode}"
        return
    rows = [line.split() for line in done.stdout.splitlines()]
    set_up = [(int(row[1]), row[2] == "1") for row in rows if row[0] == "setup"]
    if set_up != ([model.set_up] if model.set_up else []):
        yield f"set-up: {set_up}, the model {model.set_up}"
    arrivals = {int(row[0]): int(row[1]) for row in rows if row[0] != "setup"}
    wrong = [n for n in model.arrivals.keys() | arrivals.keys() if model.arrivals.get(n) != arrivals.get(n)]
    for n in sorted(wrong, key=lambda n: min(model.arrivals.get(n, until), arrivals.get(n, until))):
        yield f"`{model.packets[n]}` arrives in cycle {arrivals.get(n)}, the model's in {model.arrivals.get(n)}"


def passes(case: Case, cycles: int, seed: int, tb: Path) -> bool:
    """Runs a case and prints what came out."""
    with tempfile.TemporaryDirectory() as folder:
        model = simulate(case, cycles, seed, Path(folder))
    wrong = list(differences(model, tb / f"braid_mesh_{case.mesh}"))
    packets = len(model.arrivals) - model.on_circuits
    print(
        f"{case.mesh} {case.what}: {len(model.streams)} circuits, {packets} packets and "
        f"{model.on_circuits} on circuits arrived in {max(model.arrivals.values(), default=0)} cycles: "
        f"{len(wrong)} differences",
        flush=True,
    )
    print("\n".join(f"  {line}" for line in wrong[:5]), end="\n" if wrong else "")
    enough = (case.what == "circuits" or packets > 50) and (case.what == "packets" or model.on_circuits > 20)
    if not enough:
        print("  hardly anything arrived: that shows nothing")
    return enough and not wrong


def main() -> int:
    """Exit status 1 if a packet arrives in another cycle than the model's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=2000, help="measured cycles of each case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose name contains this, as in '4x4 both'")
    parser.add_argument("--tb", type=Path, default=TB, help="folder of the Verilated meshes")
    arguments = parser.parse_args()
    chosen = [case for case in cases() if arguments.only in f"{case.mesh} {case.what}"]
    passed = [passes(case, arguments.cycles, arguments.seed, arguments.tb.resolve()) for case in chosen]
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if passed and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

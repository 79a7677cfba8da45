"""How long a stream program stands still when one of its actors moves to another tile while it runs (a section
[change], docs/stream-changes.md), and when its rate holds again (section 4.4 of the paper): the nine programs, cut for
16 tiles of a 6x6 mesh, on circuits and on packets. Prints the table of the page.

python -m braid_tools.papers.tentacle.migrations [PROGRAM ...] writes migrations.csv into results/tentacle.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.one_command import PROGRAMS, words
from braid_tools.program import ROOT, braid

SIZE, TILES = 6, 16
MIGRATE = 20_000  # cycle
WINDOW = 1000  # cycles: of the rate
NETWORKS = {"circuits": "tentacle", "packets": "push_adaptive"}
BURST = {"router.circuit_burst_flits": 8}  # or streams left on packets starve behind circuits that never rest
KEYS = {
    "stream.computation_scaling": 0.001,  # the network is the bottleneck
    "simulation.min_warmup_cycles": 10_000,
    "simulation.max_warmup_cycles": 10_000,
    "simulation.batch_cycles": 5000,
    "simulation.measure_cycles": 60_000,
}


@dataclass(frozen=True)
class Row:
    """One program on one network."""

    program: str
    network: str
    actor: str
    from_node: int
    to_node: int
    streams: int
    circuits: int
    on_packets: int
    state_flits: int
    standstill_cycles: int
    moving_cycles: int  # of its state
    items_before: int
    least_items: int | None
    cycles_until_rate_holds: int | None
    lost_items: int


def distance(a: int, b: int) -> int:
    """Links between two tiles."""
    return abs(a % SIZE - b % SIZE) + abs(a // SIZE - b // SIZE)


def moves(actors: list[dict[str, Any]]) -> tuple[str, int]:
    """The actor in the middle of the program, and the free tile nearest to it."""
    taken = {actor["node"] for actor in actors}
    actor = actors[len(actors) // 2]
    free = [tile for tile in range(SIZE * SIZE) if tile not in taken]
    return actor["name"], min(free, key=lambda tile: (distance(tile, actor["node"]), tile))


def row(program: Path, network: str, folder: Path) -> Row:
    """Lays the program out, runs it once, and once more with an actor that moves."""
    plan = folder / f"{program.stem}_{network}.toml"
    cut = {"stream.tiles": TILES, "stream.computation_scaling": KEYS["stream.computation_scaling"]}
    command = (program, "--mesh", f"{SIZE}x{SIZE}", "--network", NETWORKS[network], "--quiet")
    found = json.loads(braid("paths", *command, *words(cut), "--toml", plan, "--json", "-"))
    name, tile = moves(found["stream"]["actors"] if "stream" in found else found["actors"])
    change = {"change.migrate": f"{name}@{tile}", "change.migrate_at_cycle": MIGRATE}
    change |= {"change.rate_window_cycles": WINDOW}
    results = json.loads(
        braid(
            "run",
            *command,
            "--plan",
            plan,
            *words(KEYS | change | (BURST if network == "circuits" else {})),
            "--json",
            "-",
        )
    )
    if not results["conservation"]["holds"]:
        raise SystemExit(f"{program.stem}: conservation does not hold")
    changes = results["stream"]["changes"]
    moved = changes["list"][0]
    same = {field.name: moved.get(field.name) for field in fields(Row) if field.name in moved}
    optional = {key: moved.get(key) for key in ("least_items", "cycles_until_rate_holds")}
    return Row(
        **same
        | optional
        | {
            "program": program.stem,
            "network": network,
            "streams": len(moved["streams"]),
            "moving_cycles": moved["moved_cycle"] - moved["empty_cycle"],
            "lost_items": changes["lost_items"],
        }
    )


def line(of: Row) -> str:
    """Of the page's table."""
    until = "-" if of.cycles_until_rate_holds is None else f"{of.cycles_until_rate_holds:,}"
    share = f"{100 * (of.least_items or 0) / of.items_before:.0f} %"
    ways = f"{of.circuits} / {of.on_packets}"
    figures = [f"{of.standstill_cycles:,}", f"{of.moving_cycles:,}", f"{of.state_flits:,}", ways, share, until]
    return "| " + " | ".join([of.program, of.network, of.actor, *figures, str(of.lost_items)]) + " |"


def main() -> int:
    """Entry point."""
    names = sys.argv[1:] or [program.stem for program in sorted(PROGRAMS.glob("*.str"))]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for network in NETWORKS:
                rows.append(row(PROGRAMS / f"{name}.str", network, Path(folder)))
                print(line(rows[-1]), flush=True)
    out = ROOT / "results" / "tentacle" / "migrations.csv"
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([field.name for field in fields(Row)])
        writer.writerows(astuple(of) for of in rows)
    return 1 if any(of.lost_items for of in rows) else 0


if __name__ == "__main__":
    sys.exit(main())

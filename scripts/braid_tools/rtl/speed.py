"""Speed of an 8x8 mesh in RTL beside the modelled mesh in both schedules: medians of cycles per processor second.

Rounds over all rows alternate, so that other work on the machine meets all alike. The packet hashes must be equal.
Usage: python -m braid_tools.rtl.speed [ROUNDS]
"""

from __future__ import annotations

import os
import statistics
import sys
from dataclasses import dataclass

from braid_tools import program
from braid_tools.program import ROOT
from braid_tools.rtl.points import build

EXPERIMENT = ROOT / "tb" / "experiments" / "mesh_uniform.toml"


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    implementation: str
    schedule: str
    measured_cycles: int


ROWS = [
    Row("model", "static", 400000),
    Row("model", "process_per_stage", 20000),
    Row("rtl", "static", 20000),
    Row("rtl", "process_per_stage", 20000),
    Row("lockstep", "static", 20000),
]


def run(row: Row) -> tuple[float, str]:
    """(cycles per second of processor time, packet hash); elaboration and warm-up are included."""
    settings = {
        "router.implementation": row.implementation,
        "simulation.schedule": row.schedule,
        "simulation.measure_cycles": row.measured_cycles,
    }
    before = os.times()
    results = program.run(program.Run("speed", EXPERIMENT, settings))
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    return results["cycles"] / seconds, results["packet_hash"]


def main() -> int:
    """Prints the table; exit status 1 if packets differ."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else 5
    build(["mesh_packet"])
    speeds: dict[Row, list[float]] = {row: [] for row in ROWS}
    hashes = {run(Row("model", "static", 20000))[1]}
    for _ in range(rounds):
        for row in ROWS:
            speed, packet_hash = run(row)
            speeds[row].append(speed)
            if row.measured_cycles == 20000:
                hashes.add(packet_hash)
    print("| routers | schedule | cycles/s |\n|---|---|---|")
    for row, values in speeds.items():
        print(f"| {row.implementation} | {row.schedule} | {statistics.median(values):,.0f} |")
    print(f"packet hashes: {'equal' if len(hashes) == 1 else 'DIFFERENT'}")
    return 0 if len(hashes) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())

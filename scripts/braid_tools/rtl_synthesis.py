"""Synthesis of the router with Yosys: gates, flip-flops and logic depth at several parameter points, each as a hybrid
and as a packet-only router of otherwise equal parameters: what circuits cost. Generic gates, no technology.

Usage: python -m braid_tools.rtl_synthesis   writes results/rtl/synthesis.csv and prints a table in Markdown
"""

from __future__ import annotations

import csv
import re
import sys

from braid_tools.program import ROOT
from braid_tools.rtl_formal import yosys

HW = ROOT / "hw"
POINTS = [
    {"Ports": 5, "Vcs": 2, "Depth": 4, "FlitWidth": 32},
    {"Ports": 5, "Vcs": 4, "Depth": 4, "FlitWidth": 64},
    {"Ports": 5, "Vcs": 4, "Depth": 8, "FlitWidth": 64},
    {"Ports": 7, "Vcs": 2, "Depth": 4, "FlitWidth": 64},
]


def synthesize(point: dict, circuits: int) -> dict[str, int]:
    """Cells without flip-flops, flip-flops, and the longest path in two-input gates."""
    parameters = " ".join(f"-G{name}={value}" for name, value in {**point, "Circuits": circuits}.items())
    left_out = ("router_pkg.sv", "hybrid_router_probe.sv")
    sources = [HW / "router_pkg.sv", *sorted(p for p in HW.glob("*.sv") if p.name not in left_out)]
    done = yosys(
        f"read_slang --top hybrid_router -I {HW} {parameters} {' '.join(map(str, sources))}",
        "synth -flatten -top hybrid_router",
        "abc -g AND,OR,XOR,MUX,NAND,NOR",
        "opt_clean -purge",
        "stat",
        "ltp -noff",
    )
    if done.returncode != 0:
        sys.exit((done.stdout + done.stderr)[-2000:])
    stat = done.stdout[done.stdout.rindex("Printing statistics") :]
    counts = {
        name: int(number) for number, name in re.findall(r"^\s+(\d+)\s+(?:\S+\s+)?(\$_\w+_)\s*$", stat, re.MULTILINE)
    }
    flip_flops = sum(number for name, number in counts.items() if "DFF" in name or "LATCH" in name)
    path = re.search(r"Longest topological path in \S+ \(length=(\d+)\)", stat)
    return {"cells": sum(counts.values()) - flip_flops, "flip_flops": flip_flops, "depth": int(path[1]) if path else 0}


def main() -> int:
    """All points, twice each."""
    out = ROOT / "results" / "rtl"
    out.mkdir(parents=True, exist_ok=True)
    print(
        "| ports | VCs | depth | flit bits | gates, packet | gates, hybrid | | flip-flops, packet | hybrid |"
        " | logic depth, packet | hybrid |"
    )
    print("|" + "---|" * 11)
    with (out / "synthesis.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*POINTS[0], "circuits", "gates", "flip_flops", "logic_depth"])
        for point in POINTS:
            packet, hybrid = synthesize(point, 0), synthesize(point, 1)
            for circuits, result in ((0, packet), (1, hybrid)):
                rows.writerow([*point.values(), circuits, *result.values()])
            file.flush()
            more = {key: f"+{100 * (hybrid[key] / packet[key] - 1):.0f} %" for key in ("cells", "flip_flops")}
            print(
                f"| {' | '.join(map(str, point.values()))} | {packet['cells']} | {hybrid['cells']} | {more['cells']} | "
                f"{packet['flip_flops']} | {hybrid['flip_flops']} | {more['flip_flops']} | {packet['depth']} | "
                f"{hybrid['depth']} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""scripts/synthesis: what the router costs in hardware, with circuits and without, and what stands around it in a mesh
(Yosys; two-input gates, no library).

Writes docs/synthesis.md. `--check` synthesizes the smallest points again and compares them with the page.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pyosys import libyosys

from braid_tools.program import ROOT, processors
from braid_tools.rtl.files import HW, modules

PAGE = ROOT / "docs" / "synthesis.md"
HEADER = """# What circuits cost in hardware

`scripts/synthesis` synthesizes `hw/hybrid_router.sv` with Yosys at several parameter points, once with circuits
(set-up unit, circuit table, circuit lane of 5 flits a port) and once as a plain packet router (`Circuits = 0`). Cells
are two-input gates, inverters and multiplexers as `abc -g AND,OR,XOR,MUX,NAND,NOR` maps them, without a library;
buffers are flip-flops, since no memory is inferred. Depth is the longest path between registers in such cells. X first,
round robin.

VA's credit sums and the comparisons of ports are trees, a round-robin grant is a prefix of ORs, and where a dimension
order leaves one candidate (5 ports) nothing is summed or compared. As chains, built everywhere, the first point had
10,332 and 12,952 gates and depths of 116 and 111, so that what circuits cost in depth could not be seen.

| ports | VCs | flits a VC | flit bits | | gates | flip-flops | depth |
|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Point:
    """Parameters of hybrid_router."""

    ports: int
    vcs: int
    depth: int
    flit_width: int

    def options(self, circuits: bool) -> str:
        """As read_slang takes them."""
        values = {"Ports": self.ports, "Vcs": self.vcs, "Depth": self.depth, "FlitWidth": self.flit_width}
        return " ".join(f"-G {k}={v}" for k, v in {**values, "Circuits": int(circuits)}.items())


@dataclass(frozen=True)
class Part:
    """A module around the router, at the smallest point of it."""

    what: str
    top: str
    options: str  # as read_slang takes them


SMALL = "-G Vcs=2 -G Depth=4 -G FlitWidth=32"
PARTS = [
    Part("interface, packets only", "network_interface", f"{SMALL} -G Circuits=0"),
    Part("interface, hybrid", "network_interface", SMALL),
    Part("sequencer, 4 circuits of 4 nodes", "setup_sequencer", "-G Streams=4 -G Nodes=4"),
    Part("sequencer, 16 circuits of 16 nodes", "setup_sequencer", "-G Streams=16 -G Nodes=16"),
]
LINES = [
    Part("SAT station, 8 bits", "sat_station", "-G CountWidth=8"),
    Part("SAT station, 16 bits", "sat_station", "-G CountWidth=16"),
    Part("event line's unit: 2 wires in, 2 out", "event_line", "-G In=2 -G AtOnce=1 -G WhenDone=1"),
    Part("4 events under way", "event_line", "-G In=2 -G AtOnce=1 -G WhenDone=1 -G Most=4"),
    Part("5 wires in, 5 out (arity 4)", "event_line", "-G In=5 -G AtOnce=4 -G WhenDone=1"),
]
LINES_HEADER = """
## What fairness and an event line cost a node

A station of the SAT line (`hw/sat_station.sv`), whose wire is a register for each cycle beside it, and a unit of an
event line (`hw/event_line.sv`), as the diamond ring has them.

| what | gates | flip-flops | depth |
|---|---|---|---|
"""
PARTS_HEADER = """
## What stands around the router

Of `hw/mesh.sv`, by the same means, with routers of the first point above (2 VCs of 4 flits, 32 bits): a node's
interface, with buffers of the same depth for what comes and queues of 2 flits for what goes, and the one sequencer of
the network.

| what | gates | flip-flops | depth |
|---|---|---|---|
"""
POINTS = [Point(5, 2, 4, 32), Point(5, 4, 8, 32), Point(5, 4, 8, 64), Point(5, 8, 4, 64), Point(7, 4, 8, 64)]


@dataclass(frozen=True)
class Cost:
    """Of one router."""

    gates: int
    flip_flops: int
    depth: int


def synthesize(point: Point, circuits: bool) -> Cost:
    """A router."""
    return cost("hybrid_router", point.options(circuits))


def part_row(part: Part) -> str:
    """A line of the second table."""
    found = cost(part.top, part.options)
    return f"| {part.what} | {found.gates:,} | {found.flip_flops:,} | {found.depth} |\n"


def cost(top: str, options: str) -> Cost:
    """Runs Yosys on one module."""
    design = libyosys.Design()
    with tempfile.TemporaryDirectory() as folder:
        stat, path = Path(folder, "stat.json"), Path(folder, "path.txt")
        sources = " ".join(str(f) for f in modules())
        for command in (
            f"tee -q -o {folder}/read.txt read_slang -I {HW} --top {top} {options} {sources}",
            f"tee -q -o {folder}/synth.txt synth -flatten -noabc -top {top}",
            f"tee -q -o {folder}/abc.txt abc -g AND,OR,XOR,MUX,NAND,NOR",
            "opt_clean -purge",
            f"tee -q -o {stat} stat -json",
            f"tee -q -o {path} ltp -noff",
        ):
            libyosys.run_pass(command, design)
        cells = json.loads(stat.read_text()[stat.read_text().index("{") :])["design"]["num_cells_by_type"]
        flip_flops = sum(n for kind, n in cells.items() if "DFF" in kind)
        longest = re.search(r"length=(\d+)", path.read_text())
        assert longest is not None, "yosys gave no path length"
        return Cost(sum(cells.values()) - flip_flops, flip_flops, int(longest[1]))


def rows(point: Point, packets: Cost, hybrid: Cost) -> str:
    """The three lines of a point in the table."""

    def more(a: int, b: int) -> str:
        return f"{100 * (b - a) / a:+.0f} %"

    lead = f"| {point.ports} | {point.vcs} | {point.depth} | {point.flit_width} "
    return (
        f"{lead}| packets only | {packets.gates:,} | {packets.flip_flops:,} | {packets.depth} |\n"
        f"| | | | | hybrid | {hybrid.gates:,} | {hybrid.flip_flops:,} | {hybrid.depth} |\n"
        f"| | | | | circuits cost | {more(packets.gates, hybrid.gates)} "
        f"| {more(packets.flip_flops, hybrid.flip_flops)} | {hybrid.depth - packets.depth:+d} |\n"
    )


def main() -> int:
    """Entry point of scripts/synthesis."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    points = POINTS[:1] if parser.parse_args().check else POINTS
    # A process each: what ABC finds depends on the numbers that Yosys has given out before.
    with ProcessPoolExecutor(processors(), max_tasks_per_child=1) as pool:
        around = [pool.submit(part_row, part) for part in PARTS]
        lines = [pool.submit(part_row, part) for part in LINES]
        jobs = {(p, c): pool.submit(synthesize, p, c) for p in points for c in (False, True)}
        table = "".join(rows(p, jobs[p, False].result(), jobs[p, True].result()) for p in points)
        parts_table = "".join(row.result() for row in around)
        lines_table = "".join(row.result() for row in lines)
    page = PAGE.read_text()
    if points == POINTS:
        PAGE.write_text(HEADER + table + PARTS_HEADER + parts_table + LINES_HEADER + lines_table)
    elif any(rows not in page for rows in (table, parts_table, lines_table)):
        print(
            f"{PAGE.name} is out of date: run scripts/synthesis. Now:\n{table}{parts_table}{lines_table}",
            file=sys.stderr,
        )
        return 1
    print(table + parts_table + lines_table, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())

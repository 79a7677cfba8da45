"""docs/synthesis.md from synthesis.json, which scripts/synthesis writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from braid_tools.program import ROOT

PAGE = ROOT / "docs" / "synthesis.md"
RECORD = Path(__file__).with_name("synthesis.json")


@dataclass(frozen=True)
class Part:
    """A module at one parameter point."""

    what: str  # its place in the tables
    top: str
    options: str  # as read_slang takes them


@dataclass(frozen=True)
class Point:
    """Parameters of hybrid_router."""

    ports: int
    vcs: int
    depth: int
    flit_width: int

    def part(self, circuits: bool) -> Part:
        """With circuits or without."""
        values = {"Ports": self.ports, "Vcs": self.vcs, "Depth": self.depth, "FlitWidth": self.flit_width}
        options = " ".join(f"-G {k}={v}" for k, v in {**values, "Circuits": int(circuits)}.items())
        name = f"router {self.ports} {self.vcs} {self.depth} {self.flit_width}"
        return Part(f"{name}, {KINDS[circuits]}", "hybrid_router", options)


@dataclass(frozen=True)
class Cost:
    """Of one module."""

    gates: int
    flip_flops: int
    depth: int  # longest path, from wherever
    inputs: dict[str, int] = field(default_factory=dict)  # by input pin, of routers only
    registers: int = 0  # longest path from registers, of routers only
    older: str = ""  # of which RTL, where a later one has not been synthesized


Record = dict[str, Cost]  # by Part.what
KINDS = ("packets only", "hybrid")
POINTS = [Point(5, 2, 4, 32), Point(5, 4, 8, 32), Point(5, 4, 8, 64), Point(5, 8, 4, 64), Point(7, 4, 8, 64)]
ISLIP = [("iSLIP", 1), ("iSLIP, 2 iterations", 2)]
SMALL = "-G Vcs=2 -G Depth=4 -G FlitWidth=32"
AROUND = [
    Part("interface, packets only", "network_interface", f"{SMALL} -G Circuits=0"),
    Part("interface, hybrid", "network_interface", SMALL),
    Part("sequencer, 4 circuits of 4 nodes", "setup_sequencer", "-G Streams=4 -G Nodes=4"),
    Part("sequencer, 16 circuits of 16 nodes", "setup_sequencer", "-G Streams=16 -G Nodes=16"),
    Part("mesh 2x2, packets only", "mesh", f"{SMALL} -G Columns=2 -G Rows=2 -G Circuits=0"),
    Part("mesh 2x2, hybrid", "mesh", f"{SMALL} -G Columns=2 -G Rows=2"),
]
LINES = [
    Part("SAT station, 8 bits", "sat_station", "-G CountWidth=8"),
    Part("SAT station, 16 bits", "sat_station", "-G CountWidth=16"),
    Part("event line's unit: 2 wires in, 2 out", "event_line", "-G In=2 -G AtOnce=1 -G WhenDone=1"),
    Part("4 events under way", "event_line", "-G In=2 -G AtOnce=1 -G WhenDone=1 -G Most=4"),
    Part("5 wires in, 5 out (arity 4)", "event_line", "-G In=5 -G AtOnce=4 -G WhenDone=1"),
]
ALLOCATORS = [
    Part("SA, separable", "switch_allocator", ""),
    *(Part(f"SA, {k}", "islip_switch_allocator", f"-G Iterations={n}") for k, n in ISLIP),
    Part("VA, separable", "vc_allocator", ""),
    Part("VA, separable, one candidate port", "vc_allocator", "-G OneCandidate=1"),
    *(Part(f"VA, {k}", "islip_vc_allocator", f"-G Iterations={n}") for k, n in ISLIP),
]
PARTS = [*(point.part(c) for point in POINTS for c in (False, True)), *AROUND, *LINES, *ALLOCATORS]
SMALLEST = [*(POINTS[0].part(c) for c in (False, True)), *(p for p in AROUND if p.top != "mesh"), *LINES]

ROUTER_TEXT = """# What circuits cost in hardware

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
PINS_TEXT = """
## Depth from each input

Cells on the longest path from a pin to the next register or output, packets only / hybrid. Without circuits a flit goes
from its link into a register and nothing is in between; with them it may cross in the cycle in which it comes, so that
what circuits cost is on the link's wires: their cycle has these cells in it beside the wire. `link_*` is the deepest
pin of that prefix, and so on; pins of the table lead nowhere under X first, those of circuits nowhere without them. The
last row is the longest path between registers.

"""
AROUND_TEXT = """
## What stands around the router

Of `hw/mesh.sv`, by the same means, with routers of the first point above (2 VCs of 4 flits, 32 bits): a node's
interface, with buffers of the same depth for what comes and queues of 2 flits for what goes, the one sequencer of
the network, and the whole mesh of 2x2 routers. In that, each router has two neighbours and knows its place: what
serves the other two links is gone, so it is smaller than four routers of the table above.

| what | gates | flip-flops | depth |
|---|---|---|---|
"""
LINES_TEXT = """
## What fairness and an event line cost a node

A station of the SAT line (`hw/sat_station.sv`), whose wire is a register for each cycle beside it, and a unit of an
event line (`hw/event_line.sv`), as the diamond ring has them.

| what | gates | flip-flops | depth |
|---|---|---|---|
"""
ALLOCATORS_TEXT = """
## What iSLIP costs

VA and SA by themselves, for 5 ports of 4 VCs of 8 flits, with round-robin arbiters. Separable, an input asks for one
output; by iSLIP it asks for all, and one iteration more is both arbiters once again behind the first, in the same
cycle. VA by iSLIP has an arbiter among 20 for each of 20 output VCs and of 20 input VCs, but sums no credits and
compares no ports, which separable VA does where a head has several candidate ports.

| what | gates | flip-flops | depth |
|---|---|---|---|
"""


def read() -> Record:
    """What the last runs found."""
    return {what: Cost(**cost) for what, cost in json.loads(RECORD.read_text()).items()}


def write(record: Record) -> None:
    """In the order of the tables."""
    RECORD.write_text(json.dumps({p.what: asdict(record[p.what]) for p in PARTS if p.what in record}, indent=1) + "\n")


def depth_of(found: Cost) -> str:
    """With a star where it is of another RTL."""
    return f"{found.depth}{' *' if found.older else ''}"


def router_rows(point: Point, packets: Cost, hybrid: Cost) -> str:
    """The three lines of a point."""

    def more(a: int, b: int) -> str:
        return f"{100 * (b - a) / a:+.0f} %"

    costs = (
        f"{more(packets.gates, hybrid.gates)} | {more(packets.flip_flops, hybrid.flip_flops)} "
        f"| {hybrid.depth - packets.depth:+d} |"
    )
    if packets.older != hybrid.older:
        costs = "? | ? | ? |"
    lead = f"| {point.ports} | {point.vcs} | {point.depth} | {point.flit_width} "
    return (
        f"{lead}| packets only | {packets.gates:,} | {packets.flip_flops:,} | {depth_of(packets)} |\n"
        f"| | | | | hybrid | {hybrid.gates:,} | {hybrid.flip_flops:,} | {depth_of(hybrid)} |\n"
        f"| | | | | circuits cost | {costs}\n"
    )


def star(record: Record) -> str:
    """What it means, if there is one."""
    older = sorted({cost.older for cost in record.values() if cost.older})
    return f"\n\\* {', '.join(older)}; not synthesized again yet.\n" if older else ""


def part_row(part: Part, found: Cost) -> str:
    """A line of the other tables."""
    return f"| {part.what} | {found.gates:,} | {found.flip_flops:,} | {found.depth} |\n"


def grouped(inputs: dict[str, int]) -> dict[str, int]:
    """Pins by their first word where several have it: the deepest."""
    words = [name.split("_")[0] for name in inputs]
    found: dict[str, int] = {}
    for (name, depth), word in zip(inputs.items(), words, strict=True):
        key = f"{word}_*" if words.count(word) > 1 and len(word) > 1 else name
        found[key] = max(found.get(key, 0), depth)
    return found


def pin_table(record: Record) -> Iterator[str]:
    """Lines: a row a pin, a column a point."""
    points = [p for p in POINTS if all(record[p.part(c).what].inputs for c in (False, True))]
    both = [[record[point.part(c).what] for c in (False, True)] for point in points]
    heads = [f"{p.ports} ports, {p.vcs} x {p.depth} x {p.flit_width}" for p in points]
    yield f"| from | {' | '.join(heads)} |"
    yield "|---" * (len(heads) + 1) + "|"
    pins = [[grouped(cost.inputs) for cost in costs] for costs in both]
    for pin in pins[0][0]:
        yield f"| `{pin}` | {' | '.join(f'{a[pin]} / {b[pin]}' for a, b in pins)} |"
    yield f"| registers | {' | '.join(f'{a.registers} / {b.registers}' for a, b in both)} |"


def page(record: Record) -> str:
    """The whole page."""
    row: Callable[[Part], str] = lambda part: part_row(part, record[part.what])  # noqa: E731
    routers = (router_rows(p, *(record[p.part(c).what] for c in (False, True))) for p in POINTS)
    tables = [ROUTER_TEXT, *routers, star(record), PINS_TEXT, "\n".join(pin_table(record)), "\n"]
    tables += [AROUND_TEXT, *map(row, AROUND), LINES_TEXT, *map(row, LINES)]
    return "".join([*tables, ALLOCATORS_TEXT, *map(row, ALLOCATORS)])

"""Rows of Tables 2 and 3, Figure 3 and section 4 of tentacle-routing."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import geometric_mean, mean
from typing import Any

from braid_tools.comparison import Row
from braid_tools.papers.tentacle.ahead import Ahead, pull_ahead
from braid_tools.papers.tentacle.networks import PUSH_X, REFERENCE
from braid_tools.papers.tentacle.programs import Program
from braid_tools.papers.tentacle.published import (
    BENCHMARKS,
    FIGURE_3,
    HIGH,
    LOW,
    TICK_CYCLES,
    TICK_OVERHEAD_PERCENT,
    TOKEN_CYCLES,
    TOTALS_MEAN,
    SetUp,
    published_class,
    published_set_up,
)
from braid_tools.papers.tentacle.remedies import ALL, Remedy, Tried, stands
from braid_tools.papers.tentacle.throughputs import SAME_IDEAL, TENTACLE, Measured

Programs = dict[tuple[str, int], Program]
PUSH_ADAPTIVE = REFERENCE
NEAR_IDEAL = 0.1  # of tentacle on the same graph, where what its remedy joins is what is slow


def class_of(p: Program) -> str:
    """High: X-first puts more than one stream on some link (Table 2's reason in section 4.1)."""
    return HIGH if max(p.loads().values()) > 1 + 1e-9 else LOW


def where(benchmark: str, size: int) -> str:
    """Of a row."""
    return f"{benchmark}, {size}x{size}"


def another_partition(p: Program, benchmark: str, size: int, graphs: str) -> str:
    """The explanation of what a layout decides, where Table 3 shows that the authors' program had other streams."""
    slots = published_set_up(benchmark, size).slots
    if len(p.streams) == slots:
        return ""
    return (
        f"{graphs.removesuffix('graphs')}partition has {len(p.tiles)} actors and {len(p.streams)} streams, "
        f"Table 3 {slots} slots of {TOKEN_CYCLES} cycles: the authors had another partition"
    )


def load_rows(programs: Programs, graphs: str) -> list[Row]:
    """Figure 3: the most loaded link of four programs on 4x4."""
    rows = []
    for benchmark, published in FIGURE_3.items():
        p = programs.get((benchmark, 4))
        if p is None:
            continue
        loads = p.loads()
        note = another_partition(p, benchmark, 4, graphs)
        rows.append(Row("Fig. 3", f"most streams on a link, {where(benchmark, 4)}, {graphs}", "streams",
                        published, max(loads.values()), 0.0, note))  # fmt: skip
    return rows


def class_rows(programs: Programs, graphs: str) -> list[Row]:
    """Table 2: 1 for high contention."""
    rows = []
    for (benchmark, size), p in programs.items():
        loads = p.loads()
        most = max(loads.values())
        over = sum(load > 1 + 1e-9 for load in loads.values())
        note = another_partition(p, benchmark, size, graphs)
        if note:
            note = f"{most:g} streams on the most loaded link, {over} links with more than one; {note}"
        published = float(published_class(benchmark, size) == HIGH)
        rows.append(Row("Table 2", f"high contention, {where(benchmark, size)}, {graphs}", "1", published,
                        float(class_of(p) == HIGH), 0.0, note))  # fmt: skip
    return rows


def slower_note(m: Measured, size: int, worse: list[str]) -> str:
    """Holds where the ideal network is no faster on the graph with splitters, joiners and relays."""
    if any(m.ratio(b, size, SAME_IDEAL, TENTACLE) > 1 + NEAR_IDEAL for b in worse):
        return ""
    said = [
        f"{b} {m.ratio(b, size, TENTACLE):.2f}, ideal on that graph {m.ratio(b, size, SAME_IDEAL):.2f}" for b in worse
    ]
    return f"{'; '.join(said)}: the streams that its remedy joins are the bottleneck, not routing" if worse else ""


def order_rows(m: Measured, size: int, programs: Programs, causes: Iterable[Ahead] = ()) -> list[Row]:
    """Section 4.2: what holds between the networks, 1: it does. `causes`: why pull is faster where it is."""
    names = m.benchmarks(size)
    low = [b for b in names if class_of(programs[b, size]) == LOW]
    slower = pull_ahead(m, size)
    why = {(c.benchmark, c.push_network): c.note for c in causes if c.size == size}
    notes = [why.get(key, "") for key in slower]
    apart = [b for b in low if abs(m.ratio(b, size, TENTACLE, PUSH_X) - 1) > 0.02]
    over_x = m.mean_ratio(size, PUSH_ADAPTIVE, PUSH_X, high=True)
    worse = [b for b in names if m.ratio(b, size, TENTACLE) < 0.98]
    at = f"{size}x{size}, {m.reading.name}"
    return [
        Row("Section 4.2", f"push at least as fast as pull (within 1 %), same routing, every program, {at}", "1", 1,
            float(not slower), 0.0, "; ".join(notes) if all(notes) else ""),
        Row("Section 4.2", f"low contention: tentacle and push, X-first, within 2 %, {at}", "1", 1,
            float(not apart), 0.0, f"not {', '.join(apart)}" if apart else ""),
        Row("Section 4.2", f"adaptive over X-first, high contention: a marginal help, {at}", "1", 1.1, over_x, 0.12,
            "adaptive routing sends packets of a stream over several links", quote="marginal"),
        Row("Section 4.2", f"tentacle no slower than push-adaptive, every program, {at}", "1", 1,
            float(not worse), 0.0, slower_note(m, size, worse)),
    ]  # fmt: skip


def another_layout(published: SetUp, cycles: int) -> str:
    """Why set-ups of the same streams take other times: a path of h links takes 4 h + 1 cycles (docs/setup.md), so the
    sum says how many links the paths have beyond one each. Holds where the published sum has that form."""
    links = (published.average * published.slots - 5 * published.slots) / 4
    if abs(links - round(links)) > 0.05:
        return ""
    here = (cycles - 5 * published.slots) / 4
    return f"the same streams on another layout: {round(links)} links more than one a stream there, {here:g} here"


def set_up_rows(tried: dict[tuple[str, int], Tried], graphs: str) -> list[Row]:
    """Table 3. Where no remedy stands there is nothing to measure: 0."""
    rows = []
    for (benchmark, size), found in tried.items():
        published, remedy = published_set_up(benchmark, size), stands(found)
        if remedy is None:
            note = f"no circuits for all streams under any of {len(found)} remedies (remedies.csv)"
            rows.append(
                Row("Table 3", f"set-up, circuits stand, {where(benchmark, size)}, {graphs}", "1", 1, 0, 0.0, note)
            )
            continue
        setup = found[remedy]["setup"]
        times = [c["setup_cycles"] for c in setup["circuits"]]
        note = another_layout(published, sum(times))
        if len(times) != published.slots:
            note = (
                f"{len(times)} streams here (remedy: {remedy.name}; {setup['orders_tried']} orders tried), "
                f"{published.slots} slots there: another partition and layout"
            )
        quantities = {
            "shortest": (published.least, min(times), 0.0),
            "longest": (published.most, max(times), 0.25),
            "average": (published.average, sum(times) / len(times), 0.15),
            "total, a token of 100 cycles": (published.total, setup["total_cycles"], 0.1),
        }
        for name, (p, measured, tolerance) in quantities.items():
            quantity = f"set-up, {name}, {where(benchmark, size)}, {graphs}"
            rows.append(Row("Table 3", quantity, "cycles", p, measured, tolerance, note))
    return rows


def overhead_rows(tried: dict[tuple[str, int], Tried], graphs: str) -> list[Row]:
    """Section 4.4: a set-up every tick of 10 ms takes no more than 1.5 us at 2 GHz, of programs whose circuits stand as
    they are in the first order. And, of all that stand, the averages under Table 3."""
    rows = []
    standing = {key: found[remedy]["setup"] for key, found in tried.items() if (remedy := stands(found)) is not None}
    first = [
        s["total_cycles"] for key, s in standing.items() if stands(tried[key]) == ALL[0] and s["orders_tried"] == 1
    ]
    if first:
        quantity = f"overhead of a set-up a tick of 10 ms, {len(first)} programs in their first order, {graphs}"
        rows.append(Row("Section 4.4", quantity, "%", TICK_OVERHEAD_PERCENT, 100 * max(first) / TICK_CYCLES, 0.25,
                        at_most=True))  # fmt: skip
    for size, published in TOTALS_MEAN.items():
        totals = [s["total_cycles"] for (_, of), s in standing.items() if of == size]
        orders = mean(s["orders_tried"] for (_, of), s in standing.items() if of == size) if totals else 0
        if len({b for b, of in tried if of == size}) < len(BENCHMARKS):
            continue  # a quick run
        note = (
            f"{len(totals)} programs stand, {orders:.1f} orders of the streams on average: other partitions and layouts"
        )
        rows.append(Row("Table 3", f"set-up, average of totals, {size}x{size}, {graphs}", "cycles", published,
                        mean(totals), 0.1, note))  # fmt: skip
    return rows


def by_remedy_rows(tried: dict[tuple[str, int], Tried], graphs: str) -> list[Row]:
    """Table 3 by remedy: the shortest, and geometric means of average and total, of programs whose circuits stand."""
    standing: dict[Remedy, list[tuple[SetUp, dict[str, Any]]]] = {}
    for (benchmark, size), found in tried.items():
        remedy = stands(found)
        if remedy is not None:
            standing.setdefault(remedy, []).append((published_set_up(benchmark, size), found[remedy]["setup"]))
    rows = []
    for remedy in sorted(standing, key=ALL.index):
        pairs = standing[remedy]
        least = min(c["setup_cycles"] for _, setup in pairs for c in setup["circuits"])
        average = geometric_mean([mean(c["setup_cycles"] for c in setup["circuits"]) for _, setup in pairs])
        total = geometric_mean([setup["total_cycles"] for _, setup in pairs])
        average_there = geometric_mean([p.average for p, _ in pairs])
        total_there = geometric_mean([p.total for p, _ in pairs])
        orders = geometric_mean([setup["orders_tried"] for _, setup in pairs])
        note = f"{orders:.1f} orders of the streams tried, other partitions and layouts than the paper's"
        at = f"remedy: {remedy.name}; geometric mean of {len(pairs)}; {graphs}"
        rows += [
            Row("Table 3", f"set-up, shortest, {at}", "cycles", 5, least, 0.0),
            Row("Table 3", f"set-up, average, {at}", "cycles", average_there, average, 0.15, note),
            Row("Table 3", f"set-up, total, {at}", "cycles", total_there, total, 0.1, note),
        ]
    return rows

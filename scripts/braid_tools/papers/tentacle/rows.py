"""Rows of Tables 2 and 3, Figure 3 and section 4 of tentacle-routing."""

from __future__ import annotations

from collections.abc import Iterable

from braid_tools.comparison import Row
from braid_tools.papers.tentacle.programs import Program
from braid_tools.papers.tentacle.published import (
    FIGURE_3,
    FROM_IDEAL,
    GAIN_ALL,
    GAIN_HIGH,
    HIGH,
    LOW,
    TOKEN_CYCLES,
    published_class,
    published_set_up,
)
from braid_tools.papers.tentacle.remedies import Tried, stands
from braid_tools.papers.tentacle.throughputs import IDEAL, TENTACLE, Measured

Programs = dict[tuple[str, int], Program]
PUSH_X, PUSH_ADAPTIVE, PULL_X, PULL_ADAPTIVE = "push, X-first", "push, adaptive", "pull, X-first", "pull, adaptive"
GAIN_TOLERANCE = 0.1


def class_of(p: Program) -> str:
    """High: X-first puts more than one stream on some link (Table 2's reason in section 4.1)."""
    return HIGH if max(p.loads().values()) > 1 + 1e-9 else LOW


def where(benchmark: str, size: int) -> str:
    """Of a row."""
    return f"{benchmark}, {size}x{size}"


def load_rows(programs: Programs) -> list[Row]:
    """Figure 3: the most loaded link of four programs on 4x4."""
    rows = []
    for benchmark, published in FIGURE_3.items():
        p = programs.get((benchmark, 4))
        if p is None:
            continue
        loads = p.loads()
        note = (
            f"of MIT's partition with {len(p.tiles)} actors and {len(p.streams)} streams; Table 3 counts "
            f"{published_set_up(benchmark, 4).slots} slots, so the authors' partition is another one"
        )
        rows.append(Row("Fig. 3", f"most streams on a link, {where(benchmark, 4)}", "streams", published,
                        max(loads.values()), 0.0, note))  # fmt: skip
    return rows


def class_rows(programs: Programs) -> list[Row]:
    """Table 2: 1 for high contention."""
    rows = []
    for (benchmark, size), p in programs.items():
        loads = p.loads()
        most = max(loads.values())
        over = sum(load > 1 + 1e-9 for load in loads.values())
        slots, streams = published_set_up(benchmark, size).slots, len(p.streams)
        note = (
            f"MIT's layout: {most:g} streams on the most loaded link, {over} links with more than one; its partition "
            f"has {streams} streams, Table 3 {slots} slots of {TOKEN_CYCLES} cycles"
        )
        published = float(published_class(benchmark, size) == HIGH)
        rows.append(Row("Table 2", f"high contention, {where(benchmark, size)}", "1", published,
                        float(class_of(p) == HIGH), 0.0, note))  # fmt: skip
    return rows


def gain_note(m: Measured, size: int, *, high: bool, fits: Iterable[tuple[str, float]]) -> str:
    """Why a gain is not the published one: what no routing can exceed, and the readings beside it."""
    best = m.mean_ratio(size, IDEAL, high=high)
    others = "; ".join(f"{name} {ratio:.2f}" for name, ratio in fits)
    said = f"at {m.reading.name} the ideal network itself is {best:.2f} times as fast as push-adaptive"
    return f"{said}; ideal over push-adaptive in other readings: {others}" if others else said


def gain_rows(m: Measured, size: int, others: Iterable[Measured] = ()) -> list[Row]:
    """Section 4.3: geometric means."""
    rows = []
    for high, published in ((True, GAIN_HIGH[size]), (False, GAIN_ALL[size])):
        what = "high-contention" if high else "all"
        fits = [(o.reading.name, o.mean_ratio(size, IDEAL, high=high)) for o in others if o.reading != m.reading]
        note = gain_note(m, size, high=high, fits=fits)
        quantity = f"tentacle over push-adaptive, {what}, {size}x{size}, {m.reading.name}"
        measured = m.mean_ratio(size, TENTACLE, high=high)
        rows.append(Row("Section 4.3", quantity, "1", published, measured, GAIN_TOLERANCE, note))
    quantity = f"ideal over tentacle, all, {size}x{size}, {m.reading.name}"
    fell = [b for b in m.benchmarks(size) if m.ratio(b, size, TENTACLE) == 1 < 0.99 * m.ratio(b, size, IDEAL)]
    note = f"without circuits, or no faster with them than push-adaptive: {', '.join(fell) or 'none'}"
    measured = m.mean_ratio(size, IDEAL, TENTACLE)
    return [*rows, Row("Section 4.3", quantity, "1", 1 + FROM_IDEAL[size], measured, 0.05, note)]


def order_rows(m: Measured, size: int, programs: Programs) -> list[Row]:
    """Section 4.2: what holds between the networks, 1: it does."""
    names = m.benchmarks(size)
    low = [b for b in names if class_of(programs[b, size]) == LOW]
    slower = [
        b for b in names if m.ratio(b, size, PUSH_X, PULL_X) < 1 or m.ratio(b, size, PUSH_ADAPTIVE, PULL_ADAPTIVE) < 1
    ]
    apart = [b for b in low if abs(m.ratio(b, size, TENTACLE, PUSH_X) - 1) > 0.02]
    over_x = m.mean_ratio(size, PUSH_ADAPTIVE, PUSH_X, high=True)
    worse = [b for b in names if m.ratio(b, size, TENTACLE) < 0.98]
    at = f"{size}x{size}, {m.reading.name}"
    return [
        Row("Section 4.2", f"push at least as fast as pull, same routing, every program, {at}", "1", 1,
            float(not slower), 0.0, f"not {', '.join(slower)}" if slower else ""),
        Row("Section 4.2", f"low contention: tentacle and push, X-first, within 2 %, {at}", "1", 1,
            float(not apart), 0.0, f"not {', '.join(apart)}" if apart else ""),
        Row("Section 4.2", f"adaptive over X-first, high contention: a marginal help, {at}", "1", 1.1, over_x, 0.12,
            f"geometric mean {over_x:.2f}; adaptive routing sends packets of a stream over several links"),
        Row("Section 4.2", f"tentacle no slower than push-adaptive, every program, {at}", "1", 1,
            float(not worse), 0.0, f"slower: {', '.join(worse)}" if worse else ""),
    ]  # fmt: skip


def set_up_rows(tried: dict[tuple[str, int], Tried]) -> list[Row]:
    """Table 3. Where no remedy stands there is nothing to measure: 0."""
    rows = []
    for (benchmark, size), found in tried.items():
        published, remedy = published_set_up(benchmark, size), stands(found)
        if remedy is None:
            note = f"no circuits for all streams under any of {len(found)} remedies (remedies.csv)"
            rows.append(Row("Table 3", f"set-up, circuits stand, {where(benchmark, size)}", "1", 1, 0, 0.0, note))
            continue
        setup = found[remedy]
        times = [c["setup_cycles"] for c in setup["circuits"]]
        note = (
            f"{len(times)} streams (remedy: {remedy.name}; {setup['orders_tried']} orders tried), the paper's average "
            f"and total are those of another partition ({published.slots} slots)"
        )
        quantities = {
            "shortest": (published.least, min(times), 0.0),
            "longest": (published.most, max(times), 0.25),
            "average": (published.average, sum(times) / len(times), 0.15),
            "total, a token of 100 cycles": (published.total, setup["total_cycles"], 0.1),
        }
        for name, (p, measured, tolerance) in quantities.items():
            quantity = f"set-up, {name}, {where(benchmark, size)}"
            rows.append(Row("Table 3", quantity, "cycles", p, measured, tolerance, note))
    return rows

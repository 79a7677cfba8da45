"""Rows and summary of coherence-like packets beside stream programs (beyond_packets.py measures)."""

from __future__ import annotations

import math
from statistics import geometric_mean

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.tentacle.beyond_packets import (
    ADAPTIVE_PACKETS,
    BANDWIDTHS,
    COHERENCE,
    LOADS,
    STREAMS_ON,
    Beside,
    busiest_link,
    zero_load,
)
from braid_tools.papers.tentacle.networks import REFERENCE
from braid_tools.papers.tentacle.throughputs import TENTACLE


def at(bandwidth: int, load: float) -> str:
    """Of a row."""
    return f"{COHERENCE:g} flits/node/cycle of packets, node bandwidth {bandwidth}, streams at load {load:g}"


def alike(measured: list[Beside], network: str, bandwidth: int, load: float) -> list[Beside]:
    """All programs of one network, node bandwidth and load."""
    return [b for b in measured
            if (b.case.network, b.case.setting.bandwidth, b.case.load) == (network, bandwidth, load)]  # fmt: skip


def kept(some: list[Beside]) -> float:
    """What is left of the streams' throughput, geometric mean."""
    return mean_of([b.streams_ratio for b in some])


def mean_of(ratios: list[float]) -> float:
    """Geometric; of none no figure that any row would pass with."""
    return geometric_mean(ratios) if ratios else math.nan


def alone_rows(measured: list[Beside]) -> list[Row]:
    """Packets on an empty network beside the closed form; at a tenth of what a link carries they hardly meet."""
    rows = []
    for size in sorted({b.case.setting.size for b in measured}):
        mean = next(b.alone["mean"] for b in measured if (b.case.setting.size, b.case.setting.bandwidth) == (size, 4))
        rows.append(Row("beyond the paper", f"packets alone, {size}x{size}: mean latency and 3 + 5 R + L - 1", "cycles",
                        zero_load(size), mean, 0.05))  # fmt: skip
    return rows


def stream_rows(measured: list[Beside], bandwidth: int) -> list[Row]:
    """What packets cost the streams: nothing on circuits, which go first, and less than pushed packets."""
    rows = []
    for load in LOADS:
        circuits, pushed = (alike(measured, network, bandwidth, load) for network in (TENTACLE, REFERENCE))
        rows += [
            Row("beyond the paper", f"streams on circuits, beside packets over alone, the least of {len(circuits)} "
                f"programs, {at(bandwidth, load)}", "1", 1, min(b.streams_ratio for b in circuits), 0.0),
            Row("beyond the paper", "streams pushed on adaptive packets, beside packets over alone, no more than on "
                f"circuits, {at(bandwidth, load)}", "1", kept(circuits), kept(pushed), 0.01, at_most=True),
        ]  # fmt: skip
    return rows


def keeping_rows(measured: list[Beside], bandwidth: int) -> list[Row]:
    """Beside how many programs all packets arrive. The explanation where it is not all of them is also a bound: none
    starve where circuits leave what the packets need."""
    rows = []
    for network in STREAMS_ON:
        for load in LOADS:
            some = alike(measured, network, bandwidth, load)
            starved = [b for b in some if not b.keeps_up]
            names = ", ".join(f"{b.case.setting.benchmark} {b.case.setting.size}x{b.case.setting.size}"
                              for b in starved)  # fmt: skip
            least = min((b.squeeze for b in starved), default=1.0)
            may_starve = sum(b.squeeze + busiest_link(b.case.setting.size) >= 1 for b in some)
            why = (
                f"not {names}: circuits go first whenever they have a flit, and there take {least:.2f} flits/cycle or "
                "more of two links that packets cross one after the other, or of a node's; the packets need up to "
                f"{busiest_link(4):.2f} (4x4) and {busiest_link(6):.2f} (6x6)"
            )
            rows.append(Row("beyond the paper", f"programs beside which all packets arrive, {network}, "
                            f"{at(bandwidth, load)}", "programs", len(some), len(some) - len(starved), 0.0,
                            explanation=Explanation(why, len(some) - may_starve / 2, may_starve / 2)))  # fmt: skip
    return rows


def latency_rows(measured: list[Beside], bandwidth: int) -> list[Row]:
    """What packets pay beside circuits, over what they pay beside pushed streams, programs where all is settled."""
    rows = []
    for load in LOADS[:2]:
        pairs = [(c, p) for c in alike(measured, ADAPTIVE_PACKETS, bandwidth, load) if c.settled
                 for p in alike(measured, REFERENCE, bandwidth, load) if p.case.setting == c.case.setting]  # fmt: skip
        for what in ("mean", "p99"):
            circuits = mean_of([c.slower(what) for c, _ in pairs])
            pushed = mean_of([p.slower(what) for _, p in pairs])
            streams = kept([c for c, _ in pairs])
            note = (
                f"circuits always go first: the streams keep {streams:.3f} of their throughput (pushed: "
                f"{kept([p for _, p in pairs]):.3f}), the packets wait"
            )
            rows.append(Row("beyond the paper", f"adaptive packets beside circuits, latency over alone: {what}, no "
                            f"more than beside pushed streams, {len(pairs)} programs, {at(bandwidth, load)}", "1",
                            pushed, circuits, 0.1, note, at_most=True))  # fmt: skip
    return rows


def rows(measured: list[Beside]) -> list[Row]:
    """All of this file."""
    by_bandwidth = (stream_rows, keeping_rows, latency_rows)
    return alone_rows(measured) + [row for b in BANDWIDTHS for of in by_bandwidth for row in of(measured, b)]


def summary(measured: list[Beside]) -> list[list[object]]:
    """packets.csv: a line a network, node bandwidth and load, geometric means; latencies where all is settled."""
    lines: list[list[object]] = []
    for bandwidth in BANDWIDTHS:
        for network in STREAMS_ON:
            for load in LOADS:
                some = alike(measured, network, bandwidth, load)
                up = [b for b in some if b.settled]
                worst = min(b.streams_ratio for b in some)
                line = [bandwidth, network, load, len(some), f"{kept(some):.3f}", f"{worst:.3f}"]
                line += [sum(b.keeps_up for b in some), len(up)]
                for what in ("mean", "p99"):
                    ratios = [b.slower(what) for b in up]
                    line += [f"{geometric_mean(ratios):.2f}", f"{max(ratios):.1f}"] if ratios else ["", ""]
                lines.append(line)
    return lines


SUMMARY = ["bandwidth", "network", "load", "programs", "streams kept", "worst", "packets keep up", "settled"]
SUMMARY += ["mean over alone", "worst", "p99 over alone", "worst"]

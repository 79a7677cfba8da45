"""What the paper leaves open, read in every way: whose graphs on which layout, what a stream carries, whether joiners
are actors, how much of a node's bandwidth packets have. Which reading is nearest to the published gains, how far each
is, and what speaks against it (paper: tentacle-routing, section 4.3).

Distances are natural logarithms of measured over published, so that half and twice are as far. Of pull the paper prints
no figure, only that it is slower than push: it is as far as it is faster.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import geometric_mean

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.tentacle.networks import REFERENCE, throughput
from braid_tools.papers.tentacle.points import Ports, Setting, Windows, best_load, run_of
from braid_tools.papers.tentacle.programs import program
from braid_tools.papers.tentacle.published import FROM_IDEAL, GAIN_ALL, GAIN_HIGH, SIZES, high_of
from braid_tools.papers.tentacle.throughputs import (
    BRAIDS,
    EQUAL_STREAMS,
    FOR_PATHS,
    IDEAL,
    MITS,
    OWN_RATES,
    READING,
    SAME_IDEAL,
    TENTACLE,
    Measured,
    Reading,
)
from braid_tools.study import Study

PULL = "pull, adaptive"
NETWORKS = (PULL, REFERENCE, TENTACLE, IDEAL)
ONE_PORT, ONE_QUEUE, ONE_OF_TWO = Ports(4, 1), Ports(4, 1, one_queue=True), Ports(2, 1, one_queue=True)
GRID = tuple(
    Reading(rates, ports, graphs, folded=folded)
    for graphs in (MITS, BRAIDS, FOR_PATHS)
    for rates in (EQUAL_STREAMS, OWN_RATES)
    for folded in ((False, True) if graphs == MITS else (False,))
    for ports in (ONE_QUEUE, ONE_PORT, ONE_OF_TWO, Ports(4), Ports(2), Ports(1))
)
# The paper's packet routers are PopNet's: what a node sends goes in by one physical port, from one queue.
POPNETS = Reading(EQUAL_STREAMS, ONE_QUEUE)
QUICK_GRID = (Reading(EQUAL_STREAMS, ONE_PORT), POPNETS)
HIGH, ALL, LOW = "high", "all", "low"
HEADLINE_TOLERANCE = 0.1


def published(size: int, which: str, network: str) -> float:
    """Over push-adaptive, geometric mean; of pull at most 1. That of the low-contention programs is what the other two
    leave: 1.008 and 1.011, as section 4.3 says that tentacle routing gains nothing there."""
    if network == PULL:
        return 1.0
    if which == LOW:
        high, every = (published(size, w, network) for w in (HIGH, ALL))
        names = len(high_of(size))
        return (every**9 / high**names) ** (1 / (9 - names))
    gain = (GAIN_HIGH if which == HIGH else GAIN_ALL)[size]
    return gain * (1 + FROM_IDEAL[size]) if network == IDEAL else gain


def gain(m: Measured, size: int, which: str, network: str) -> float:
    """Measured, the same."""
    names = [b for b in m.benchmarks(size) if which == ALL or (b in high_of(size)) == (which == HIGH)]
    return m.mean_of(names, size, network, REFERENCE)


@dataclass(frozen=True)
class Cell:
    """A mesh, a class of programs and a network of one reading."""

    size: int
    which: str
    network: str
    measured: float

    @property
    def published(self) -> float:
        """Of the paper."""
        return published(self.size, self.which, self.network)

    @property
    def distance(self) -> float:
        """As one number, 0 where it is what the paper says."""
        away = math.log(self.measured / self.published)
        return max(0.0, away) if self.network == PULL else away


def cells(m: Measured, sizes: Iterable[int] = SIZES) -> list[Cell]:
    """mesh x {high, all} x {tentacle, ideal, pull}."""
    networks = [n for n in (TENTACLE, IDEAL, PULL) if n in next(iter(m.throughputs.values()))]
    return [
        Cell(size, which, network, gain(m, size, which, network))
        for size in sizes
        for which in (HIGH, ALL)
        for network in networks
    ]


def distance(m: Measured, sizes: Iterable[int] = SIZES) -> float:
    """Of a reading from all that is published: root of the mean square of its cells'."""
    of = [cell.distance for cell in cells(m, sizes)]
    return math.sqrt(sum(d * d for d in of) / len(of))


def nearest(measured: Sequence[Measured], sizes: Iterable[int] = SIZES) -> Measured:
    """The reading that is least far; of equals the first."""
    sizes = list(sizes)
    return min(measured, key=lambda m: distance(m, sizes))


def against(m: Measured, size: int) -> list[str]:
    """What speaks against a reading by itself, however near its means are: programs that the paper calls
    low-contention and that gain, and high-contention ones that gain nothing (their bars in Figure 5 are above 1: the
    text of section 4.3 has the best improvements there)."""
    ratios = {b: m.ratio(b, size, TENTACLE) for b in m.benchmarks(size)}
    high = high_of(size)
    gains = [f"{b} is low and gains {r:.2f}" for b, r in ratios.items() if b not in high and r > 1 + HEADLINE_TOLERANCE]
    loses = [f"{b} loses, {r:.2f}" for b, r in ratios.items() if r < 1 - HEADLINE_TOLERANCE]
    nothing = [f"{b} is high and gains nothing, {ratios[b]:.2f}" for b in high if b in ratios and
               1 - HEADLINE_TOLERANCE <= ratios[b] <= 1.02]  # fmt: skip
    return gains + nothing + loses


def table(measured: Iterable[Measured], sizes: Iterable[int] = SIZES) -> list[list[object]]:
    """distances.csv: a line a cell, behind it the reading's own distance."""
    sizes = list(sizes)
    lines: list[list[object]] = []
    for m in measured:
        whole = distance(m, sizes)
        for c in cells(m, sizes):
            lines.append(
                [*m.reading.columns, c.size, c.which, c.network, f"{c.published:.3f}", f"{c.measured:.3f}",
                 f"{c.distance:+.3f}", f"{whole:.3f}"]
            )  # fmt: skip
    return lines


COLUMNS = [*READING, "size", "programs", "network", "published", "to push, adaptive", "distance", "of the reading"]


def falsified(measured: Iterable[Measured], sizes: Iterable[int] = SIZES) -> list[list[object]]:
    """against.csv: what Figure 5 would have to show, were a reading the paper's. A line a program and mesh."""
    lines: list[list[object]] = []
    for m in measured:
        for size in sizes:
            for b in m.benchmarks(size):
                bar, best = m.ratio(b, size, TENTACLE), m.ratio(b, size, IDEAL)
                stands = b in m.circuits[size]
                which = HIGH if b in high_of(size) else LOW
                lines.append([*m.reading.columns, size, b, which, f"{bar:.3f}", f"{best:.3f}", stands])
    return lines


AGAINST = [*READING, "size", "benchmark", "published class", "bar of tentacle", "bar of ideal", "circuits stand"]


def least_gain(m: Measured, size: int, which: str) -> tuple[float, str]:
    """What tentacle gains if its circuits are the ideal network of their graph, programs without circuits run as
    push-adaptive, and a remedy costs what it costs the ideal network: measured on the ideal network and on packets
    alone, so that a fault in circuits cannot be in it."""
    names = [b for b in m.benchmarks(size) if which == ALL or b in high_of(size)]
    stand = [b for b in names if b in m.circuits[size]]
    fell = [b for b in names if b not in stand]
    value = m.mean_of(stand, size, SAME_IDEAL, REFERENCE) ** (len(stand) / len(names)) if stand else 1.0
    cost = [f"{b} {r:.2f}" for b in stand if abs((r := m.ratio(b, size, SAME_IDEAL, IDEAL)) - 1) > HEADLINE_TOLERANCE]
    return value, (
        f"{', '.join(fell) or 'none'} without circuits; remedies leave of ideal: {', '.join(cost) or 'all'}; "
        f"ideal on the programs' own graphs gains {m.mean_of(names, size, IDEAL, REFERENCE):.2f}"
    )


def headline_rows(m: Measured, sizes: Iterable[int] = SIZES) -> list[Row]:
    """The four published gains beside one reading, each with what the ideal network and packets predict of it, and the
    low-contention programs' mean, which the paper's four figures imply."""
    rows = []
    for size in sizes:
        at = f"{size}x{size}, {m.reading.name}"
        for which in (HIGH, ALL):
            predicted, why = least_gain(m, size, which)
            what = "high-contention" if which == HIGH else "all"
            said = "; ".join(against(m, size))
            explanation = Explanation(why + (f"; {said}" if said else ""), predicted, HEADLINE_TOLERANCE * predicted)
            rows.append(Row("Section 4.3", f"tentacle over push-adaptive, {what}, {at}", "1",
                            published(size, which, TENTACLE), gain(m, size, which, TENTACLE), HEADLINE_TOLERANCE,
                            explanation=explanation, no_effect=1))  # fmt: skip
            rows.append(Row("Section 4.3", f"ideal over push-adaptive, {what}, {at}", "1",
                            published(size, which, IDEAL), gain(m, size, which, IDEAL), HEADLINE_TOLERANCE,
                            no_effect=1))  # fmt: skip
        rows.append(Row("Section 4.3", f"tentacle over push-adaptive, low-contention (implied by the others), {at}",
                        "1", published(size, LOW, TENTACLE), gain(m, size, LOW, TENTACLE), HEADLINE_TOLERANCE,
                        "; ".join(against(m, size))))  # fmt: skip
    return rows


def pushed_rows(m: Measured, sizes: Iterable[int] = SIZES) -> list[Row]:
    """Section 4: push-based communication without disjoint paths loses 37 % against tentacle routing. Which mean it is
    of is not said: the four published gains are losses of 35, 22, 46 and 29 %, of all programs on both meshes 26, of
    the high-contention ones 41 (geometric means)."""
    loss = 1 - 1 / geometric_mean([gain(m, size, HIGH, TENTACLE) for size in sizes])
    of = geometric_mean([least_gain(m, size, HIGH)[0] for size in sizes])
    paper = 1 - 1 / geometric_mean([GAIN_HIGH[size] for size in sizes])
    why = f"its own gains make it {100 * paper:.0f} %; here as the ideal network's on the graphs with circuits"
    explanation = Explanation(why, 1 - 1 / of, HEADLINE_TOLERANCE * (1 - 1 / of) + 0.01)
    quantity = f"push without disjoint paths loses, high-contention, both meshes, {m.reading.name}"
    return [Row("Section 4", quantity, "1", 0.37, loss, 0.15, explanation=explanation, no_effect=0)]


def single_vc_rows(study: Study, m: Measured, windows: Windows) -> list[Row]:
    """Section 3: circuits need a single virtual channel, half the buffers or less. Each program's circuits again, where
    they carry most, with one VC a port instead of four."""
    points = [(remedied(m, b, size), TENTACLE) for size in m.circuits for b in m.circuits[size]]
    loads = [best_load(m.curves[key]) for key in points]
    runs = [  # as fast as there: a load is of the program without the remedy's splitters and joiners
        run_of((replace(setting, vcs=1), network, load), program(setting.graph, setting.size), windows).with_(
            {
                "stream.computation_scaling": m.curves[setting, network][load]["configuration"]["stream"][
                    "computation_scaling"
                ]
            }
        )
        for (setting, network), load in zip(points, loads, strict=True)
    ]
    ratios = {
        setting: throughput(one) / throughput(m.curves[setting, network][load])
        for one, (setting, network), load in zip(study.run(runs), points, loads, strict=True)
    }
    rows = []
    for size in m.circuits:
        of = [ratio for setting, ratio in ratios.items() if setting.size == size]
        if of:
            quantity = (
                f"circuits with one VC over those with four, the slowest of {len(of)}, {size}x{size}, {m.reading.name}"
            )
            rows.append(Row("Section 3", quantity, "1", 1, min(of), 0.01, quote="requires a single virtual channel"))
    return rows


def remedied(m: Measured, benchmark: str, size: int) -> Setting:
    """The program with the graph that its circuits run on: one of its own, where a remedy made it."""
    of = [s for s, n in m.curves if n == TENTACLE and (s.benchmark, s.size) == (benchmark, size)]
    return next((s for s in of if s not in m.throughputs), of[0])


def quick_rows(m: Measured, size: int) -> list[Row]:
    """What holds of every program in a reading with packets' bandwidth apart: tentacle routing is the ideal network of
    its own graph, for circuits have what the ideal network has, and packets with a quarter of it are no faster."""
    behind = m.mean_of(m.circuits[size], size, SAME_IDEAL, TENTACLE)
    gained = min(m.ratio(b, size, IDEAL) for b in m.benchmarks(size))
    at = f"{size}x{size}, {m.reading.name}"
    return [
        Row("beyond the paper", f"ideal over tentacle on the same graph and tiles, {at}", "1", 1.03, behind, 0.0,
            at_most=True),
        Row("beyond the paper", f"push-adaptive over ideal, the program that gains least, {at}", "1", 1, 1 / gained,
            0.01, at_most=True),
    ]  # fmt: skip

"""What links carry and how long they are stopped: Figures 6 and 8 of in-transit-buffers."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace

from braid_tools.comparison import Row
from braid_tools.papers.itb.points import (
    BALANCED,
    BMAX,
    BNUMBERED,
    BSMART,
    PER_NS_AND_SWITCH,
    RANDOM,
    SMART,
    UD,
    Network,
    Routing,
    Traffic,
    Window,
    measure,
)
from braid_tools.papers.itb.tables import UNIFORM
from braid_tools.papers.itb.throughputs import ByNetwork, mean_of
from braid_tools.program import Results
from braid_tools.study import Study

SWITCHES = 32
FIGURE_6 = (UD, SMART, BSMART, RANDOM, BALANCED)
FIGURE_8 = (BALANCED, BNUMBERED, BMAX)
FIGURE_8_LOAD = 0.066 / PER_NS_AND_SWITCH
# The most stopped of 128 links is a maximum, which a short run's noise raises: BNUMBERED's (mean of ten topologies) is
# 16.5 % of 60,000 cycles, 12.0 % of 240,000, 10.8 % of 960,000, 10.3 % of 2,400,000.
FIGURE_8_CYCLES = 2_400_000
SIMILAR = 0.15  # of two figures that the paper calls similar


@dataclass(frozen=True)
class Links:
    """One network's links between switches, each way apart, in ascending order; in per cent of the time."""

    used: list[float]
    stopped: list[float]

    @property
    def unevenness(self) -> float:
        """Standard deviation over mean of what they carry."""
        return statistics.pstdev(self.used) / statistics.fmean(self.used)


def links_of(result: Results) -> Links:
    """From a run's results."""
    links = result["links"]
    return Links(
        sorted(100 * link["packet_flits_per_cycle"] for link in links),
        sorted(100 * link["stopped"] for link in links),
    )


def percentile(ascending: list[float], share: float) -> float:
    """The least value that is not below that share of all."""
    return ascending[max(0, -(-round(share * len(ascending) * 1000) // 1000) - 1)]


ByRouting = dict[Routing, list[Links]]  # a topology each


def measure_links(study: Study, wanted: list[tuple[Network, float]], window: Window) -> ByRouting:
    """Links of networks at loads."""
    found: ByRouting = {}
    for (network, _), result in zip(wanted, measure(study, wanted, window), strict=True):
        found.setdefault(network.routing, []).append(links_of(result))
    return found


def at_saturation(
    study: Study,
    throughputs: ByNetwork,
    topologies: int,
    window: Window,
    routings: tuple[Routing, ...] = FIGURE_6,
) -> ByRouting:
    """Figure 6: each routing at its own throughput."""
    networks = [Network(SWITCHES, i, r, UNIFORM) for r in routings for i in range(topologies)]
    return measure_links(study, [(n, throughputs[n]) for n in networks], window)


def at_one_load(study: Study, topologies: int, window: Window) -> ByRouting:
    """Figure 8: all at the same load, for FIGURE_8_CYCLES."""
    window = replace(window, measured=FIGURE_8_CYCLES)
    networks = [Network(SWITCHES, i, r, Traffic()) for r in FIGURE_8 for i in range(topologies)]
    return measure_links(study, [(n, FIGURE_8_LOAD) for n in networks], window)


def utilization_rows(found: ByRouting) -> list[Row]:
    """Section 4.2.1 of Figure 6: BSMART and BALANCED are most even, RANDOM worse; SMART similar to BSMART."""
    uneven = {r: mean_of(links.unevenness for links in found[r]) for r in FIGURE_6}
    figures = ", ".join(f"{r.name} {m.mean:.2f}" for r, m in uneven.items())
    statements = {
        "BALANCED and BSMART balance better than RANDOM": max(uneven[BALANCED].mean, uneven[BSMART].mean)
        < uneven[RANDOM].mean,
        "RANDOM balances better than UD": uneven[RANDOM].mean < uneven[UD].mean,
    }
    what = "deviation over mean of the links' utilization"
    rows = [
        Row("Figure 6", f"{text} (1: yes; {what}: {figures})", "holds", 1, float(true), 0.0)
        for text, true in statements.items()
    ]
    text = f"BSMART balances better than BALANCED (1: yes; {what}: {figures})"
    better = float(uneven[BSMART].mean < uneven[BALANCED].mean)
    rows.append(Row("Figure 6", text, "holds", 1, better, 0.0, quote="with some advantage of BSMART"))
    similar = uneven[SMART].mean / uneven[BSMART].mean
    quote = "SMART routing achieves a load balancing similar to the one obtained by the BSMART"
    rows.append(Row("Figure 6", f"{what}, SMART over BSMART ({figures})", "factor", 1, similar, SIMILAR, quote=quote))
    return rows


def stopped_rows(found: ByRouting) -> list[Row]:
    """Figure 8: some links of BMIN above 10 %, BNUMBERED's below, 95 % of BMAX's below 7 %."""
    bmin = mean_of(links.stopped[-1] for links in found[BALANCED])
    statement = f"a link of BMIN is stopped more than 10 % of the time (1: yes; {bmin.mean:.1f} %; {bmin})"
    return [
        Row("Figure 8", statement, "holds", 1, float(bmin.mean > 10), 0.0),
        at_most("BNUMBERED, stopped time of the most stopped link", 10, found[BNUMBERED], 1.0),
        at_most("BMAX, stopped time that 95 % of links are below", 7, found[BMAX], 0.95),
    ]


def at_most(what: str, bound: float, found: list[Links], share: float) -> Row:
    """That share of links is stopped at most so long. Said of one topology, measured over several."""
    stopped = [percentile(links.stopped, share) for links in found]
    mean, within = mean_of(stopped), sum(value <= bound for value in stopped)
    note = f"one topology; ours go from {min(stopped):.1f} to {max(stopped):.1f} %, {within} of {len(stopped)} within"
    text = f"{what} ({mean})"
    return Row("Figure 8", text, "%", bound, mean.mean, 0.0, note, at_most=True)

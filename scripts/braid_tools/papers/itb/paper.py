"""Figures 5 to 8 and Tables 1 to 4 of in-transit-buffers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from braid_tools import plots
from braid_tools.comparison import Row
from braid_tools.papers.itb import links, node_pairs, other_patterns, smart, statements
from braid_tools.papers.itb.placements import placement_rows
from braid_tools.papers.itb.points import (
    BALANCED,
    BMAX,
    BNUMBERED,
    CYCLE_NS,
    FULL,
    HIGHER_LOAD,
    LATENCY_LIMIT,
    PER_NS_AND_SWITCH,
    QUICK,
    RANDOM,
    SMART,
    UD,
    Network,
    Routing,
    Traffic,
    Window,
    low_load_latencies,
    measure,
    sample_of,
)
from braid_tools.papers.itb.readings import (
    PAIR_COLUMNS,
    PLACEMENTS,
    Measured,
    at_violations,
    latency_reasons,
    others,
    table_of,
    tally,
    throughput_reasons,
    to_neighbours,
)
from braid_tools.papers.itb.search import Sample
from braid_tools.papers.itb.survival import survival_rows
from braid_tools.papers.itb.tables import (
    SIZES,
    UNIFORM,
    Cell,
    latency_cells,
    latency_rows,
    networks_of,
    throughput_cells,
    throughput_rows,
)
from braid_tools.papers.itb.throughputs import ByNetwork, find_throughputs
from braid_tools.study import Study

CURVE = (0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 1.03)  # loads of a curve, over its throughput
FIGURE_7 = (UD, SMART, BALANCED, BNUMBERED, BMAX)
QUICK_ROUTINGS = {UD, RANDOM, BALANCED, BNUMBERED, BMAX}
Curves = dict[str, tuple[list[float], list[float]]]
Panels = dict[str, tuple[str, str, Curves]]


@dataclass(frozen=True)
class Extent:
    """How much is run."""

    window: Window
    topologies: int
    quick: bool

    def keep(self, cells: Iterable[Cell]) -> list[Cell]:
        """Quickly: 16 switches, uniform or local, no linear program, latencies of 32 bytes only."""
        return [cell for cell in cells if not self.quick or is_quick(*cell)]


def is_quick(table: str, a: Routing, b: Routing, switches: int, traffic: Traffic, published: float) -> bool:
    """Is the cell one of those that CI takes?"""
    flits = 32 if table in ("Table 2", "Table 4") else 512
    own_traffic = traffic in (Traffic("uniform", flits), Traffic("local", flits))
    return {a, b} <= QUICK_ROUTINGS and switches == 16 and own_traffic


def curves(study: Study, throughputs: ByNetwork, routings: tuple[Routing, ...], window: Window) -> Panels:
    """Figures 5 and 7 on the first topology of each size: latency over accepted traffic, in the paper's units."""
    panels: Panels = {}
    for switches in SIZES:
        networks = [n for r in routings if (n := Network(switches, 0, r, UNIFORM)) in throughputs]
        wanted = [(n, float(f"{share * throughputs[n]:.4g}")) for n in networks for share in CURVE]
        lines: dict[str, list[Sample]] = {n.routing.name: [] for n in networks}
        for (network, load), result in zip(wanted, measure(study, wanted, window), strict=True):
            lines[network.routing.name].append(sample_of(load, result))
        panels[f"{switches} switches"] = ("flits/ns/switch", "message latency, us", in_paper_units(lines))
    return panels


def in_paper_units(lines: dict[str, list[Sample]]) -> Curves:
    """Flits/ns/switch and microseconds; what is far beyond the limit is off the picture."""
    shown = {name: [s for s in samples if s.latency < 2 * LATENCY_LIMIT] for name, samples in lines.items()}
    return {
        name: ([PER_NS_AND_SWITCH * s.accepted for s in samples], [s.latency * CYCLE_NS / 1000 for s in samples])
        for name, samples in shown.items()
    }


def sorted_links(used: links.ByRouting, stopped: links.ByRouting) -> Panels:
    """Figures 6 and 8 on the first topology."""

    def ranked(values: list[float]) -> tuple[list[float], list[float]]:
        return [float(i) for i in range(len(values))], values

    of = "link, by rank"
    return {
        "figure 6": (of, "utilization, %", {r.name: ranked(found[0].used) for r, found in used.items()}),
        "figure 8": (of, "stopped, %", {r.name: ranked(found[0].stopped) for r, found in stopped.items()}),
    }


def runs_of(samples: dict[Network, list[Sample]], throughputs: ByNetwork) -> Iterator[list[object]]:
    """throughputs.csv, a line a network, in the paper's units."""
    for n, found in samples.items():
        yield [n.switches, n.instance, n.routing.name, n.traffic.name, len(found), throughputs[n] * PER_NS_AND_SWITCH]


def tables(study: Study, extent: Extent) -> tuple[list[Row], ByNetwork]:
    """Rows of Tables 1 to 4, and all throughputs."""
    factors, penalties = extent.keep(throughput_cells()), extent.keep(latency_cells())
    read_otherwise = [to_neighbours] if extent.quick else [at_violations, to_neighbours]
    asked = factors + others(factors, *read_otherwise)
    throughputs, samples = find_throughputs(study, networks_of(asked, extent.topologies), extent.window)
    columns = ["switches", "topology", "routing", "traffic", "runs", "flits/ns/switch"]
    study.table("throughputs.csv", columns, runs_of(samples, throughputs))
    asked = penalties if extent.quick else penalties + others(penalties, at_violations)
    latencies = low_load_latencies(study, networks_of(asked, extent.topologies), extent.window)
    first = Measured(factors, throughput_rows(factors, throughputs), throughputs)
    low = Measured(penalties, latency_rows(penalties, latencies), latencies)
    if extent.quick:
        return first.with_readings(throughput_reasons(throughputs)[0]) + low.rows, throughputs
    pairs = [*first.pairs(), *low.pairs()]
    study.table("readings.csv", [*PAIR_COLUMNS, *PLACEMENTS], table_of(pairs))
    print(tally(pairs))
    higher = low_load_latencies(study, networks_of(penalties, extent.topologies), extent.window, HIGHER_LOAD)
    rows = first.with_readings(*throughput_reasons(throughputs))
    rows += statements.second_rows(first.cells, first.rows, throughputs)
    return rows + low.with_readings(*latency_reasons(latencies, higher)), throughputs


def beyond_tables(study: Study, extent: Extent, throughputs: ByNetwork) -> list[Row]:
    """Rows of the text; Figures 5 to 8."""
    used = links.at_saturation(study, throughputs, extent.topologies, extent.window)
    stopped = links.at_one_load(study, extent.topologies, extent.window)
    plots.panels(study.folder / "fig5.png", curves(study, throughputs, links.FIGURE_6, extent.window))
    plots.panels(study.folder / "fig7.png", curves(study, throughputs, FIGURE_7, extent.window))
    plots.panels(study.folder / "fig6_fig8.png", sorted_links(used, stopped))
    in_transit = statements.in_transit(study, extent.topologies, extent.window)
    rows = statements.one_topology_rows(throughputs) + links.utilization_rows(used) + links.stopped_rows(stopped)
    rows += survival_rows(study, throughputs, extent.topologies)
    return rows + statements.in_transit_rows(in_transit)


def reproduce(study: Study) -> None:
    """Every row; figures and what is larger than 16 switches only in full."""
    extent = Extent(QUICK, 5, quick=True) if study.quick else Extent(FULL, 10, quick=False)
    rows, throughputs = tables(study, extent)
    if extent.quick:
        print("32 and 64 switches, other patterns, links and pictures: only without --quick")
    else:
        rows += beyond_tables(study, extent, throughputs)
        rows += other_patterns.rows(study, SIZES, extent.topologies, extent.window)
    rows += smart.rows(study, extent.topologies, extent.window, quick=extent.quick)
    rows += node_pairs.rows(study, extent.topologies, extent.window, quick=extent.quick)
    study.compare(rows + placement_rows(study, SIZES[: 1 if extent.quick else 3], extent.topologies))

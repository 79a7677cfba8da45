"""SMART in two readings of section 3, "the smart-routing algorithm has some feedback between both stages".

Dependencies removed once and paths balanced once ("smart", the rows of Tables 1 to 4), and with feedback
("smart_feedback"). What the paper publishes of SMART is compared with both, and smart.csv says which is nearer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from braid_tools.comparison import Row
from braid_tools.papers.itb.links import SIMILAR, at_saturation
from braid_tools.papers.itb.node_pairs import evenness
from braid_tools.papers.itb.points import BSMART, FEEDBACK, RANDOM, SMART, Network, Routing, Window, low_load_latencies
from braid_tools.papers.itb.readings import PAIR_COLUMNS, Pair, table_of, tally
from braid_tools.papers.itb.tables import (
    UNIFORM,
    Cell,
    latency_cells,
    latency_rows,
    networks_of,
    throughput_cells,
    throughput_rows,
)
from braid_tools.papers.itb.throughputs import ByNetwork, Mean, find_throughputs, mean_of, ratio
from braid_tools.study import Study

READINGS = (SMART, FEEDBACK)
RANDOM_IS_NEAR = (
    "our RANDOM is nearer to BALANCED than the paper's, whose Table 1 has BALANCED/RANDOM 1.21 on 16 switches"
)
LONGER = "paths without feedback are longer, 2.15 links on 16 switches and 2.10 with it: docs/in-transit-buffers.md"
BOTH_BALANCE = "both routing algorithms use the same traffic balancing algorithm"
# Figure 5(a), and (b): what SMART's throughput is beside RANDOM's.
BESIDE_RANDOM = {
    16: ("above", "the SMART routing in the 16-switch network that outperforms the RANDOM routing"),
    32: ("below", "the routing algorithms that do not use in-transit buffers (UD and SMART) obtain the worst results"),
}


def in_reading(cells: list[Cell], routing: Routing) -> list[Cell]:
    """The same figures of another SMART."""
    return [(table, a, routing, *of) for table, a, _, *of in cells]


def cells_of_smart(*, quick: bool) -> tuple[list[Cell], list[Cell]]:
    """Published throughputs and latencies over SMART; quickly of 16 switches, uniform, 512 and 32 bytes."""
    throughputs = [cell for cell in throughput_cells() if cell[2] == SMART]
    latencies = [cell for cell in latency_cells() if cell[2] == SMART]
    if not quick:
        return throughputs, latencies
    return (
        [cell for cell in throughputs if cell[3] == 16 and cell[4] == UNIFORM],
        [cell for cell in latencies if cell[3] == 16 and cell[4].flits == 32],
    )


def random_rows(throughputs: ByNetwork, switches: int) -> list[Row]:
    """Section 4.2.1 of Figure 5, which prints no number of SMART's."""
    order, quote = BESIDE_RANDOM[switches]
    rows = []
    for routing in READINGS:
        factor = ratio(throughputs, routing, RANDOM, switches, UNIFORM)
        holds = factor.mean > 1 if order == "above" else factor.mean < 1
        what = f"throughput {routing.name}, {switches} switches, {UNIFORM.name}: {order} RANDOM's"
        text = f"{what} ({factor.mean:.2f} of it; {factor})"
        rows.append(Row("Figure 5", text, "holds", 1, float(holds), 0.0, RANDOM_IS_NEAR, quote=quote))
    return rows


def even_rows(even: dict[Routing, Mean], switches: int) -> list[Row]:
    """Of paths on links, as they are computed: SMART over BSMART, whose balancing is the same."""
    rows = []
    for routing in READINGS:
        what = f"{switches} switches, {routing.name} over BSMART: deviation over mean of paths on links"
        found = f"({even[routing].mean:.3f} and {even[BSMART].mean:.3f}; {even[routing]})"
        similar = even[routing].mean / even[BSMART].mean
        rows.append(Row("Section 4.2.1", f"{what} {found}", "factor", 1, similar, SIMILAR, quote=BOTH_BALANCE))
    return rows


def utilization_row(study: Study, throughputs: ByNetwork, topologies: int, window: Window) -> Row:
    """Figure 6 with feedback; links.utilization_rows has it without."""
    used = at_saturation(study, throughputs, topologies, window, (FEEDBACK, BSMART))
    uneven = {r: mean_of(links.unevenness for links in found) for r, found in used.items()}
    figures = ", ".join(f"{r.name} {m.mean:.2f}" for r, m in uneven.items())
    what = f"deviation over mean of the links' utilization, {FEEDBACK.name} over BSMART ({figures})"
    similar = uneven[FEEDBACK].mean / uneven[BSMART].mean
    quote = "SMART routing achieves a load balancing similar to the one obtained by the BSMART"
    return Row("Figure 6", what, "factor", 1, similar, SIMILAR, quote=quote)


def paired(first: list[Row], second: list[Row]) -> Iterator[Pair]:
    """The rows of a reading with what the other one gives."""
    for row, other in zip(first, second, strict=True):
        yield Pair(row, other.measured)


def rows(study: Study, topologies: int, window: Window, *, quick: bool) -> list[Row]:
    """With feedback; quickly without it as well, where Tables 1 to 4 have no rows of SMART. Writes smart.csv."""
    sizes = (16,) if quick else (16, 32)
    factors, penalties = cells_of_smart(quick=quick)
    asked = [cell for routing in READINGS for cell in in_reading(factors, routing)]
    beside = (RANDOM,) if quick else (RANDOM, BSMART)
    networks = networks_of(asked, topologies)
    networks += [Network(s, i, r, UNIFORM) for s in sizes for r in beside for i in range(topologies)]
    throughputs, _ = find_throughputs(study, networks, window)
    low = [cell for routing in READINGS for cell in in_reading(penalties, routing)]
    latencies = low_load_latencies(study, networks_of(low, topologies), window)
    found = {
        routing: throughput_rows(in_reading(factors, routing), throughputs)
        + [
            replace(row, note=LONGER if routing == SMART else "")
            for row in latency_rows(in_reading(penalties, routing), latencies)
        ]
        for routing in READINGS
    }
    pairs = list(paired(found[SMART], found[FEEDBACK]))
    names = (SMART.paths, FEEDBACK.paths)
    study.table("smart.csv", [*PAIR_COLUMNS, *names], table_of(pairs))
    print(f"SMART: {tally(pairs, names)}")
    kept = [row for routing in READINGS if quick or routing == FEEDBACK for row in found[routing]]
    for switches in sizes:
        kept += random_rows(throughputs, switches)
        kept += even_rows(evenness(study, switches, topologies, (*READINGS, BSMART)), switches)
    return kept if quick else [*kept, utilization_row(study, throughputs, topologies, window)]

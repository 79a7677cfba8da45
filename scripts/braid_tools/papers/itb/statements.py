"""Numbers in the text of in-transit-buffers, section 4, and other readings of what it leaves open."""

from __future__ import annotations

from dataclasses import replace

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.itb.points import (
    BALANCED,
    BMAX,
    BNUMBERED,
    BSMART,
    LOW_LOAD,
    RANDOM,
    UD,
    Network,
    Routing,
    Traffic,
    Window,
    low_load_cycles,
    run_of,
    with_violations,
)
from braid_tools.papers.itb.readings import at_violations, to_neighbours
from braid_tools.papers.itb.tables import TABLE_1, TABLE_1_COLUMNS, UNIFORM, Cell, throughput_rows
from braid_tools.papers.itb.throughputs import ByNetwork, Mean, mean_of, ratios
from braid_tools.program import Results
from braid_tools.study import Study

SHOWN = ((BALANCED, UD), (BNUMBERED, BALANCED))  # second readings that are rows of comparison.csv
FIGURE_5B = 1.3
NEAR = 0.08
IN_TRANSIT = {BALANCED: 0.38, BSMART: 0.32}  # in-transit buffers a message, 32 switches


def second_rows(cells: list[Cell], rows: list[Row], throughputs: ByNetwork) -> list[Row]:
    """The other reading of "minimum number of ITBs" where it weighs most, and local traffic that is local; within the
    tolerance of the row whose figure they read otherwise. readings.csv has all of Tables 1 to 4."""
    found = []
    for cell, row in zip(cells, rows, strict=True):
        if other := to_neighbours(cell) or (at_violations(cell) if cell[1:3] in SHOWN and cell[4] == UNIFORM else None):
            [measured] = throughput_rows([other], throughputs)
            found.append(replace(measured, quantity=f"second reading: {measured.quantity}", tolerance=row.tolerance))
    return found


def one_topology_rows(throughputs: ByNetwork) -> list[Row]:
    """Figure 5(b): BALANCED and BSMART over RANDOM on one topology of 32 switches, 1.3.

    Table 1 has the paper's mean over topologies for the same pairs, which is what a mean of ours is to be.
    """
    over_random = TABLE_1["uniform", 32][TABLE_1_COLUMNS.index(RANDOM)]
    over_bsmart = TABLE_1["uniform", 32][TABLE_1_COLUMNS.index(BSMART)]
    rows = []
    for routing, mean in ((BALANCED, over_random), (BSMART, over_random / over_bsmart)):
        of = ratios(throughputs, routing, RANDOM, 32, UNIFORM).values()
        factor = mean_of(of)
        found = f"{factor}, {min(of):.2f} to {max(of):.2f}"
        quantity = f"throughput {routing.name}/RANDOM, 32 switches, {UNIFORM.name} ({found})"
        why = "Figure 5(b) is of one topology, ours the mean of several, as Table 1's is for this pair"
        explanation = Explanation(why, mean, NEAR * mean)
        rows.append(Row("Figure 5(b)", quantity, "1", FIGURE_5B, factor.mean, NEAR, explanation=explanation))
    return rows


def in_transit_per_message(network: Network, result: Results) -> float:
    """In-transit buffers that a message rests in, on average."""
    messages = result["classes"][0]["accepted_flits_per_node_cycle"]["mean"] / network.traffic.mean_flits
    return result["in_transit"]["reinjections_per_node_cycle"] / messages


def in_transit(study: Study, topologies: int, window: Window) -> dict[Routing, Mean]:
    """In-transit buffers a message of 32 bytes on 32 switches."""
    routings = [BALANCED, BSMART, with_violations(BALANCED), with_violations(BSMART), BNUMBERED, BMAX]
    networks = [Network(32, i, r, Traffic("uniform", 32)) for r in routings for i in range(topologies)]
    runs = [run_of(n, LOW_LOAD, window, low_load_cycles(n, window)) for n in networks]
    found: dict[Routing, list[float]] = {r: [] for r in routings}
    for network, result in zip(networks, study.run(runs), strict=True):
        found[network.routing].append(in_transit_per_message(network, result))
    return {r: mean_of(values) for r, values in found.items()}


def in_transit_rows(found: dict[Routing, Mean]) -> list[Row]:
    """Section 4.2.1: 0.38 and 0.32; section 4.2.2: BNUMBERED uses half of BMAX's."""
    rows = []
    for routing, published in IN_TRANSIT.items():
        first, second = found[routing], found[with_violations(routing)]
        quantity = f"in-transit buffers a message, {routing.name}, 32 switches"
        note = (
            f"a set of cycle breakers found by a search needs {first.mean:.2f}, a rest at every violation of up*/down* "
            f"{second.mean:.2f}: how near to the least the paper's placement comes is not said"
        )
        rows += [
            Row("Section 4.2.1", f"{quantity} ({first})", "1", published, first.mean, 0.1, note),
            Row("Section 4.2.1", f"second reading: {quantity} ({second})", "1", published, second.mean, 0.1, note),
        ]
    half = found[BNUMBERED].mean / found[BMAX].mean
    return [*rows, Row("Section 4.2.2", "in-transit buffers, BNUMBERED/BMAX, 32 switches", "1", 0.5, half, 0.15)]

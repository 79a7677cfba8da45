"""Numbers in the text of in-transit-buffers, section 4, and other readings of what it leaves open."""

from __future__ import annotations

from dataclasses import replace

from braid_tools.comparison import Row
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
from braid_tools.papers.itb.tables import SIZES, TABLE_1, TABLE_3, UNIFORM, Cell, throughput_rows
from braid_tools.papers.itb.throughputs import ByNetwork, Mean, mean_of, ratio, ratios
from braid_tools.program import Results
from braid_tools.study import Study

BALANCED_2 = with_violations(BALANCED)
NEAR = Traffic("local", radius=1)
IN_TRANSIT = {BALANCED: 0.38, BSMART: 0.32}  # in-transit buffers a message, 32 switches


def other_cells() -> list[Cell]:
    """The other reading of "minimum number of ITBs", and local traffic that is local."""
    cells: list[Cell] = []
    for switches in SIZES:
        cells.append(("Table 1", BALANCED_2, UD, switches, UNIFORM, TABLE_1["uniform", switches][0]))
        cells.append(("Table 3", BNUMBERED, BALANCED_2, switches, UNIFORM, TABLE_3[switches][2]))
        cells.append(("Table 1", BALANCED, UD, switches, NEAR, TABLE_1["local", switches][0]))
    return cells


def other_rows(cells: list[Cell], throughputs: ByNetwork) -> list[Row]:
    """Marked as such; what they are not equal to they explain."""
    note = "another reading than the row of the same figure above"
    rows = throughput_rows(cells, throughputs)
    return [replace(row, quantity=f"second reading: {row.quantity}", note=note) for row in rows]


def with_local_notes(rows: list[Row], throughputs: ByNetwork) -> list[Row]:
    """Says why local traffic differs: what five switches reach, and what the factor is where traffic is local."""
    explained = []
    for row in rows:
        size = next((n for n in SIZES if f", {n} switches, local," in row.quantity), None)
        if size is not None and row.verdict == "differs":
            far, near = (ratio(throughputs, BALANCED, UD, size, traffic).mean for traffic in (UNIFORM, NEAR))
            note = (
                f"five switches reach nearly every host of {size} switches, so the load is uniform traffic's, where "
                f"BALANCED/UD is {far:.2f}; to the next switches only (second reading) it is {near:.2f}"
            )
            row = replace(row, note=note)
        explained.append(row)
    return explained


def one_topology_rows(throughputs: ByNetwork) -> list[Row]:
    """Figure 5(b): BALANCED and BSMART over RANDOM on the paper's topology of 32 switches, 1.3."""
    rows = []
    for routing in (BALANCED, BSMART):
        of = ratios(throughputs, routing, RANDOM, 32, UNIFORM)
        note = f"one topology of the paper's; ours go from {min(of.values()):.2f} to {max(of.values()):.2f}"
        factor = mean_of(of.values())
        quantity = f"throughput {routing.name}/RANDOM, 32 switches, {UNIFORM.name} ({factor})"
        inside = min(of.values()) <= 1.3 <= max(of.values())
        rows.append(Row("Figure 5(b)", quantity, "1", 1.3, factor.mean, 0.08, note if inside else ""))
    return rows


def in_transit_per_message(network: Network, result: Results) -> float:
    """In-transit buffers that a message rests in, on average."""
    messages = result["classes"][0]["accepted_flits_per_node_cycle"]["mean"] / network.traffic.mean_flits
    return result["in_transit"]["reinjections_per_node_cycle"] / messages


def in_transit(study: Study, topologies: int, window: Window) -> dict[Routing, Mean]:
    """In-transit buffers a message of 32 bytes on 32 switches."""
    routings = [BALANCED, BSMART, BALANCED_2, with_violations(BSMART), BNUMBERED, BMAX]
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
        what = f"in-transit buffers a message, {routing.name}, 32 switches"
        note = (
            f"a nearly minimal set of cycle breakers needs {first.mean:.2f}; resting at each violation of up*/down* "
            f"takes {second.mean:.2f} (next row), which the published number therefore seems to be"
        )
        rows.append(Row("Section 4.2.1", f"{what} ({first})", "1", published, first.mean, 0.1, note))
        rows.append(Row("Section 4.2.1", f"second reading: {what} ({second})", "1", published, second.mean, 0.1))
    half = found[BNUMBERED].mean / found[BMAX].mean
    return [*rows, Row("Section 4.2.2", "in-transit buffers, BNUMBERED/BMAX, 32 switches", "1", 0.5, half, 0.15)]

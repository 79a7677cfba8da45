"""A path for each pair of hosts (sections 3.1 and 4.1: "one entry for every possible destination") beside one for each
pair of switches: how evenly links are used, and what becomes of BALANCED and BSMART over RANDOM."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from braid_tools import plots
from braid_tools.comparison import Kind, Row
from braid_tools.papers.itb.node_pairs_figure import Evenness, panels
from braid_tools.papers.itb.points import BALANCED, BSMART, QUICK, RANDOM, Network, Routing, Window, run_of
from braid_tools.papers.itb.statements import FIGURE_5B
from braid_tools.papers.itb.statements import NEAR as FIGURE_5B_NEAR
from braid_tools.papers.itb.tables import TABLE_1, TABLE_1_COLUMNS, UNIFORM
from braid_tools.papers.itb.throughputs import ByNetwork, Mean, find_throughputs, mean_of, ratio
from braid_tools.program import Run, braid, in_parallel
from braid_tools.study import Study

ROUTINGS = (RANDOM, BALANCED, BSMART)
# Those of Table 1 and of Figure 5(b); of two that are nearly equal absolute.
TOLERANCES = {"BALANCED/RANDOM": 0.15, "BALANCED/BSMART": 0.06, "BSMART/RANDOM": FIGURE_5B_NEAR}


def of_hosts(routing: Routing) -> Routing:
    """The routing with a path for each pair of hosts."""
    return replace(routing, name=f"{routing.name} (pairs of hosts)", per="node_pair")


def unevenness(run: Run) -> float:
    """Deviation over mean of the number of paths on a link."""
    text = braid("paths", run.experiment, *run.arguments(), "--check", "--quiet", "--json", "-")
    check = json.loads(text)["path_check"]
    return check["paths_per_link_deviation"] / check["paths_per_link_mean"]


def evenness(study: Study, switches: int, topologies: int, routings: Iterable[Routing]) -> dict[Routing, Mean]:
    """Of each routing, over topologies; kept."""
    asked = [Network(switches, i, r) for r in routings for i in range(topologies)]

    def one(network: Network) -> float:
        run = run_of(network, 0.01, QUICK)
        name = f"unevenness {switches} {network.instance} {network.routing.paths} {network.routing.per}"
        return study.kept(name, [run.experiment], lambda: unevenness(run))

    values = dict(zip(asked, in_parallel(one, asked), strict=True))
    return {r: mean_of(v for n, v in values.items() if n.routing == r) for r in {n.routing: 0 for n in asked}}


def even_rows(found: dict[Routing, Mean], switches: int) -> list[Row]:
    """Links are no less evenly used where each pair of hosts has its own path; most of all by RANDOM."""
    rows = []
    for routing in {r for r in found if r.per == "router_pair"}:
        switch, host = found[routing].mean, found[of_hosts(routing)].mean
        what = f"{switches} switches, {routing.name}, deviation over mean of paths on links: pairs of hosts < switches"
        text = f"{what} ({host:.3f}, {switch:.3f})"
        rows.append(Row("Section 3.1", text, "holds", 1, float(host < switch), 0.0, stated_kind=Kind.OWN))
    return sorted(rows, key=lambda row: row.key)


def reading(routing: Routing) -> str:
    """Which of the two it is, as rows say it."""
    return "a path a pair of switches" if routing.per == "router_pair" else "second reading, a path a pair of hosts"


def factor_row(throughputs: ByNetwork, a: Routing, b: Routing, switches: int, *, published: float) -> Row:
    """Of Table 1; BSMART over RANDOM is not printed there, but its two factors are."""
    factor = ratio(throughputs, a, b, switches, UNIFORM)
    names = f"{a.name.split()[0]}/{b.name.split()[0]}"
    what = f"{reading(a)}: throughput {names}, {switches} switches, {UNIFORM.name} ({factor})"
    tolerance = TOLERANCES[names] / (published if names == "BALANCED/BSMART" else 1)
    return Row("Table 1", what, "1", round(published, 4), factor.mean, round(tolerance, 4), no_effect=1)


def factor_rows(throughputs: ByNetwork, sizes: Iterable[int]) -> list[Row]:
    """BALANCED over RANDOM and BSMART, BSMART over RANDOM in both readings; both over RANDOM in Figure 5(b)."""
    rows = []
    for switches in sizes:
        published = dict(zip(TABLE_1_COLUMNS, TABLE_1["uniform", switches], strict=True))
        rows.append(
            factor_row(throughputs, of_hosts(BALANCED), of_hosts(RANDOM), switches, published=published[RANDOM])
        )
        if switches == 64:  # where the paper has no linear program
            continue
        bsmart = published[BSMART]
        rows.append(factor_row(throughputs, of_hosts(BALANCED), of_hosts(BSMART), switches, published=bsmart))
        over_random = published[RANDOM] / bsmart
        rows.append(factor_row(throughputs, BSMART, RANDOM, switches, published=over_random))
        rows.append(factor_row(throughputs, of_hosts(BSMART), of_hosts(RANDOM), switches, published=over_random))
        if switches == 32:
            rows += [figure_5b_row(throughputs, routing) for routing in (BALANCED, BSMART)]
    return rows


def figure_5b_row(throughputs: ByNetwork, routing: Routing) -> Row:
    """On 32 switches."""
    factor = ratio(throughputs, of_hosts(routing), of_hosts(RANDOM), 32, UNIFORM)
    what = f"{reading(of_hosts(routing))}: throughput {routing.name}/RANDOM, 32 switches ({factor})"
    return Row("Figure 5(b)", what, "1", FIGURE_5B, factor.mean, FIGURE_5B_NEAR)


def rows(study: Study, topologies: int, window: Window, *, quick: bool) -> list[Row]:
    """Quickly: 16 switches. Draws node_pairs.png."""
    sizes = (16,) if quick else (16, 32, 64)
    networks, found = [], []
    even: Evenness = {}
    for switches in sizes:
        routings = [r for r in ROUTINGS if r != BSMART or switches < 64]
        both = [*routings, *map(of_hosts, routings)]
        networks += [Network(switches, i, r, UNIFORM) for r in both for i in range(topologies)]
        even[switches] = evenness(study, switches, topologies, both)
        found += even_rows(even[switches], switches)
    throughputs, _ = find_throughputs(study, networks, window)
    pictured = panels(even, throughputs, {r: of_hosts(r) for r in ROUTINGS})
    plots.compared(study.folder / "node_pairs.png", pictured)
    return found + factor_rows(throughputs, sizes)

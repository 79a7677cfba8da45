"""A path for each pair of hosts (sections 3.1 and 4.1: "one entry for every possible destination") beside one for each
pair of switches: how evenly links are used, and what becomes of BALANCED and BSMART over RANDOM."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from braid_tools.comparison import Kind, Row
from braid_tools.papers.itb.points import BALANCED, BSMART, QUICK, RANDOM, Network, Routing, Window, run_of
from braid_tools.papers.itb.statements import FIGURE_5B
from braid_tools.papers.itb.statements import NEAR as FIGURE_5B_NEAR
from braid_tools.papers.itb.tables import TABLE_1, TABLE_1_COLUMNS, UNIFORM, throughput_tolerance
from braid_tools.papers.itb.throughputs import ByNetwork, Mean, find_throughputs, mean_of, ratio
from braid_tools.program import Run, braid, in_parallel
from braid_tools.study import Study

ROUTINGS = (RANDOM, BALANCED, BSMART)


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


def factor_rows(throughputs: ByNetwork, sizes: Iterable[int], *, with_lp: bool) -> list[Row]:
    """BALANCED over RANDOM and over BSMART in Table 1, both over RANDOM in Figure 5(b)."""
    rows = []
    balanced, bsmart, random = of_hosts(BALANCED), of_hosts(BSMART), of_hosts(RANDOM)
    for switches in sizes:
        cells = [(random, RANDOM)] + ([(bsmart, BSMART)] if with_lp and switches < 64 else [])
        for other, column in cells:
            published = TABLE_1["uniform", switches][TABLE_1_COLUMNS.index(column)]
            factor = ratio(throughputs, balanced, other, switches, UNIFORM)
            what = f"second reading, a path a pair of hosts: throughput BALANCED/{column.name}, {switches} switches"
            tolerance = throughput_tolerance(BALANCED, column, "uniform", published)
            rows.append(
                Row("Table 1", f"{what} ({factor})", "1", published, factor.mean, round(tolerance, 4), no_effect=1)
            )
        if switches == 32:
            for routing in (balanced, bsmart) if with_lp else (balanced,):
                factor = ratio(throughputs, routing, random, switches, UNIFORM)
                what = f"second reading, a path a pair of hosts: throughput {routing.name.split()[0]}/RANDOM"
                rows.append(
                    Row("Figure 5(b)", f"{what}, 32 switches ({factor})", "1", FIGURE_5B, factor.mean, FIGURE_5B_NEAR)
                )
    return rows


def rows(study: Study, topologies: int, window: Window, *, quick: bool) -> list[Row]:
    """Quickly: 16 switches, no linear program."""
    sizes = (16,) if quick else (16, 32, 64)
    networks, found = [], []
    for switches in sizes:
        routings = [r for r in ROUTINGS if r != BSMART or (not quick and switches < 64)]
        networks += [Network(switches, i, of_hosts(r), UNIFORM) for r in routings for i in range(topologies)]
        found += even_rows(evenness(study, switches, topologies, [*routings, *map(of_hosts, routings)]), switches)
    throughputs, _ = find_throughputs(study, networks, window)
    return found + factor_rows(throughputs, sizes, with_lp=not quick)

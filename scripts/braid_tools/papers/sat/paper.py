"""Figures 1 and 3 to 5, Table I and the delays of sat-fairness (throughput fairness on k-ary n-trees)."""

from __future__ import annotations

from collections.abc import Iterator

from braid_tools.papers.sat import beyond, control_packet, figure1, plots, rows, words
from braid_tools.papers.sat.points import FULL, PATTERNS, QUICK, ByPoint, Point, fair_cycles, measure, spread
from braid_tools.papers.sat.table import table_points, table_rows
from braid_tools.program import Results
from braid_tools.study import Study

COLUMNS = [
    "nodes",
    "pattern",
    "policy",
    "routing",
    "process",
    "measured_cycles",
    "jain_index",
    "packets of node 0",
    "...",
]


def injections(results: list[tuple[Point, Results]]) -> Iterator[list[object]]:
    """injection.csv: packets injected by every node, a row a run."""
    for p, result in results:
        run = [p.nodes, p.pattern, p.policy.name, p.routing, p.process, result["measured_cycles"]]
        yield [*run, spread(result)["jain_index"], *result["classes"][0]["injected_packets_by_node"]]


def draw(study: Study, results: ByPoint, shares: figure1.Shares) -> None:
    """The paper's figures and its table."""
    plots.shares(study.folder / "fig1.png", shares)
    plots.ranges(study.folder / "fig3.png", PATTERNS, results)
    plots.averages(study.folder / "fig4.png", PATTERNS, results)
    plots.distributions(study.folder / "fig5.png", results)
    plots.table(study.folder / "table1.png", [row for row in study.rows if row.figure == "Table I"])


def reproduce(study: Study) -> None:
    """Every row; of 1024 nodes and of what goes beyond the paper only in full."""
    windows = QUICK if study.quick else FULL
    sizes = [256] if study.quick else [256, 1024]
    points = rows.points_of_64() + [p for n in sizes for p in table_points(n) + rows.large_points(n)]
    results = measure(study, points, windows)
    fair = {p for p in points if fair_cycles(p) > windows.measured[p.nodes] and not study.quick}
    shares = figure1.measure_shares(study)
    longer = measure(study, fair, windows, fair_cycles)
    found = figure1.rows(shares) + rows.interval_rows(study) + rows.closed_form_rows(results) + rows.text_rows(results)
    found += rows.delay_rows(results) + rows.second_reading_rows(study, windows)
    for nodes in sizes:
        found += table_rows(nodes, results) + rows.large_rows(nodes, results)
    found += words.rows(study, windows, results)
    carried = control_packet.measure(study)
    found += control_packet.rows(carried)
    study.compare(found + rows.equal_rows(results | longer))
    study.table("injection.csv", COLUMNS, injections([*results.items(), *longer.items()]))
    draw(study, results, shares)
    control_packet.draw(study.folder / "control_packet.png", carried)
    if study.quick:
        print("1024 nodes and what goes beyond the paper: only without --quick")
    else:
        beyond.tabulate(study, results)

"""What `scripts/reproduce itb` says of rows that differ: other readings, each measured, inside the row's tolerance."""

import pytest
from braid_tools.comparison import Row
from braid_tools.papers.itb import links, readings, statements
from braid_tools.papers.itb.points import (
    BALANCED,
    BMAX,
    BNUMBERED,
    BSMART,
    RANDOM,
    SMART,
    UD,
    Network,
    Traffic,
    with_violations,
)
from braid_tools.papers.itb.readings import Measured, Pair, Reason, at_violations, over_up_down, to_neighbours
from braid_tools.papers.itb.tables import NEAR, UNIFORM, latency_rows, throughput_rows
from braid_tools.papers.itb.throughputs import ByNetwork, mean_of

LOCAL = Traffic("local")
SHORT = Traffic("uniform", 32)


def of(traffic: Traffic, **factors: float) -> ByNetwork:
    """One topology of 32 switches; V is BALANCED with rests at violations."""
    routings = {"V": with_violations(BALANCED)} | {r.name: r for r in (BALANCED, BSMART, RANDOM, SMART, UD, BNUMBERED)}
    return {Network(32, 0, routings[name], traffic): value for name, value in factors.items()}


def test_violations_replace_what_asks_for_the_minimum_only() -> None:
    cell = at_violations(("Table 1", BALANCED, RANDOM, 32, UNIFORM, 1.18))
    assert cell[1:3] == (with_violations(BALANCED), with_violations(RANDOM))
    assert at_violations(("Table 3", BNUMBERED, BALANCED, 32, UNIFORM, 1.27))[1] == BNUMBERED
    assert at_violations(("Table 3", BNUMBERED, BMAX, 32, UNIFORM, 0.99)) is None


def test_local_traffic_is_read_as_neighbours_over_routings_without_rests() -> None:
    assert to_neighbours(("Table 1", BALANCED, SMART, 32, LOCAL, 1.1))[4] == NEAR
    assert to_neighbours(("Table 1", BALANCED, RANDOM, 32, LOCAL, 1.04)) is None
    assert to_neighbours(("Table 1", BALANCED, UD, 32, UNIFORM, 1.99)) is None


@pytest.mark.parametrize(("second", "verdict"), [(1.6, "differs"), (1.7, "explained"), (2.2, "explained")])
def test_a_row_is_explained_by_a_reading_inside_its_tolerance(second: float, verdict: str) -> None:
    cells = [("Table 1", BALANCED, UD, 32, UNIFORM, 1.99)]
    found = of(UNIFORM, BALANCED=1.5, V=second, UD=1.0)
    measured = Measured(cells, throughput_rows(cells, found), found)
    [row] = measured.explained(*readings.throughput_reasons(found))
    assert row.verdict == verdict
    assert (f"{second:.3f}" in row.note) == (verdict == "explained")


def test_a_row_that_matches_has_no_note() -> None:
    cells = [("Table 1", BALANCED, UD, 32, UNIFORM, 1.99)]
    found = of(UNIFORM, BALANCED=2.0, V=2.0, UD=1.0)
    [row] = Measured(cells, throughput_rows(cells, found), found).explained(*readings.throughput_reasons(found))
    assert (row.verdict, row.note) == ("match", "")


def test_latencies_over_smart_are_explained_over_up_down_or_by_the_load() -> None:
    cells = [("Table 4", BNUMBERED, SMART, 32, SHORT, 46.74)]
    low = of(SHORT, BNUMBERED=1.44, SMART=1.03, UD=1.0)
    measured = Measured(cells, latency_rows(cells, low), low)
    [row] = measured.explained(*readings.latency_reasons(low, of(SHORT, BNUMBERED=1.2, SMART=1.0)))
    assert row.verdict == "explained"
    assert "1.030 of UD's" in row.note
    assert "this row is: 1.440" in row.note
    low = of(SHORT, BNUMBERED=1.3, SMART=1.0, UD=1.0)
    measured = Measured(cells, latency_rows(cells, low), low)
    [row] = measured.explained(*readings.latency_reasons(low, of(SHORT, BNUMBERED=1.5, SMART=1.0)))
    assert "at 0.006 flits/cycle/host it is: 1.500" in row.note
    [row] = measured.explained(*readings.latency_reasons(low, of(SHORT, BNUMBERED=1.3, SMART=1.0)))
    assert row.verdict == "differs"


def test_the_first_reason_that_holds_is_given() -> None:
    cell = ("Table 1", BALANCED, UD, 32, UNIFORM, 2.0)
    row = Row("Table 1", "", "1", 2.0, 1.0, 0.1)
    wrong, right = of(UNIFORM, BALANCED=1.0, UD=1.0), of(UNIFORM, BALANCED=2.0, UD=1.0)
    reasons = [Reason(name, lambda c: c, where) for name, where in (("a", wrong), ("b", right), ("c", right))]
    assert readings.first_note(reasons, cell, row).startswith("b: 2.000")
    assert over_up_down(cell) is None


def test_of_bit_reversal_the_median_counts_too() -> None:
    reversal = Traffic("bit_reversal")
    cells = [("Table 1", BALANCED, SMART, 16, reversal, 0.93)]
    found = {Network(16, i, BALANCED, reversal): factor for i, factor in enumerate((0.9, 1.1, 2.0))}
    found |= {Network(16, i, SMART, reversal): 1.0 for i in range(3)}
    [row] = Measured(cells, throughput_rows(cells, found), found).explained(*readings.throughput_reasons(found))
    assert row.verdict == "explained"
    assert row.note.endswith("the median is: 1.100 (3 topologies, 0.90 to 2.00)")
    assert readings.of_reversal(("Table 1", BALANCED, SMART, 16, UNIFORM, 1.12)) is None


def test_readings_are_compared_in_tolerances_and_without_local_traffic() -> None:
    cells = [("Table 1", BALANCED, UD, 32, UNIFORM, 2.0), ("Table 1", BALANCED, UD, 32, LOCAL, 1.04)]
    found = of(UNIFORM, BALANCED=2.15, V=1.4, UD=1.0) | of(LOCAL, BALANCED=2.0, V=2.0, UD=1.0)
    [pair] = Measured(cells, throughput_rows(cells, found), found).pairs()
    assert pair.off == (pytest.approx(0.5), pytest.approx(2.0))
    text = readings.tally([pair])
    assert 'of 1 figures of Tables 1 to 4, "minimum" is closer in 1, outside the tolerance in 0, 0.50' in text
    assert '"up_down" is closer in 0, outside the tolerance in 1, 2.00' in text
    assert next(readings.table_of([Pair(pair.row, 1.4)]))[-1] == 1.4


def test_second_readings_keep_the_tolerance_of_the_row() -> None:
    cells = [("Table 3", BNUMBERED, BALANCED, 32, UNIFORM, 1.27), ("Table 3", BNUMBERED, UD, 32, UNIFORM, 2.51)]
    found = of(UNIFORM, BNUMBERED=1.4, BALANCED=1.1, V=1.0, UD=0.5)
    [row] = statements.second_rows(cells, throughput_rows(cells, found), found)
    assert row.quantity.startswith("second reading: throughput BNUMBERED/BALANCED (up*/down* violations)")
    assert (row.tolerance, row.measured, row.verdict) == (0.08, 1.4, "differs")


def test_a_bound_on_one_topology_is_explained_if_some_of_ours_keep_it() -> None:
    found = [links.Links([], [1.0, stopped]) for stopped in (9.0, 14.0)]
    row = links.at_most("most", 10, found, 1.0)
    assert (row.measured, row.verdict) == (11.5, "explained")
    assert "from 9.0 to 14.0 %, 1 of 2 within" in row.note
    assert links.at_most("most", 8, found, 1.0).verdict == "differs"
    assert links.at_most("half", 1, found, 0.5).verdict == "match"


@pytest.mark.parametrize(("best", "verdict"), [(1.1, "differs"), (1.3, "explained")])
def test_one_topology_is_as_far_above_the_mean_as_one_of_ours(best: float, verdict: str) -> None:
    found: ByNetwork = {}
    for instance, factor in enumerate((1.0, best)):
        found |= {Network(32, instance, RANDOM): 1.0}
        found |= {Network(32, instance, routing): factor for routing in (BALANCED, BSMART)}
    assert statements.one_topology_rows(found)[0].verdict == verdict


def test_the_number_of_rests_lies_between_the_readings() -> None:
    first, second = mean_of([0.25]), mean_of([0.36])
    found = {BALANCED: first, BSMART: first, BNUMBERED: first, BMAX: second}
    found |= {with_violations(r): second for r in (BALANCED, BSMART)}
    verdicts = [row.verdict for row in statements.in_transit_rows(found)]
    assert verdicts == ["explained", "match", "explained", "explained", "differs"]
    found[with_violations(BSMART)] = first
    assert [row.verdict for row in statements.in_transit_rows(found)][2:4] == ["differs", "differs"]

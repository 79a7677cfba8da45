"""What `scripts/reproduce itb` says of rows that differ: other readings, each measured, inside the row's tolerance."""

import pytest
from braid_tools.comparison import Verdict
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
from braid_tools.papers.itb.readings import Measured, Pair, at_violations, to_neighbours
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


@pytest.mark.parametrize(("second", "verdict"), [(1.6, Verdict.DIFFERS), (1.7, Verdict.MATCH), (2.2, Verdict.MATCH)])
def test_a_row_that_differs_has_its_other_readings_beside_it(second: float, verdict: Verdict) -> None:
    cells = [("Table 1", BALANCED, UD, 32, UNIFORM, 1.99)]
    found = of(UNIFORM, BALANCED=1.5, V=second, UD=1.0)
    measured = Measured(cells, throughput_rows(cells, found), found)
    own, other = measured.with_readings(*readings.throughput_reasons(found))
    assert (own.verdict, own.measured) == (Verdict.DIFFERS, 1.5)
    assert (other.verdict, other.measured, other.tolerance) == (verdict, second, own.tolerance)
    assert other.quantity == f"read as rests at violations: {own.quantity}"


def test_a_row_that_matches_has_no_other_reading() -> None:
    cells = [("Table 1", BALANCED, UD, 32, UNIFORM, 1.99)]
    found = of(UNIFORM, BALANCED=2.0, V=2.0, UD=1.0)
    [row] = Measured(cells, throughput_rows(cells, found), found).with_readings(*readings.throughput_reasons(found))
    assert row.verdict == Verdict.MATCH


def test_no_other_routing_stands_for_smart() -> None:
    cells = [("Table 4", BNUMBERED, SMART, 32, SHORT, 46.74)]
    low = of(SHORT, BNUMBERED=1.44, SMART=1.03, UD=1.0)
    measured = Measured(cells, latency_rows(cells, low), low)
    own, higher = measured.with_readings(*readings.latency_reasons(low, of(SHORT, BNUMBERED=1.45, SMART=1.0)))
    assert own.verdict == Verdict.DIFFERS
    assert higher.quantity.startswith("read as at 0.006 flits/cycle/host: ")
    assert (higher.measured, higher.verdict) == (1.45, Verdict.MATCH)


def test_an_effect_within_the_tolerance_is_too_small_to_test() -> None:
    cells = [("Table 1", BALANCED, RANDOM, 32, UNIFORM, 1.12)]
    found = of(UNIFORM, BALANCED=1.1, RANDOM=1.0)
    assert throughput_rows(cells, found)[0].verdict == Verdict.TOO_SMALL
    far = of(UNIFORM, BALANCED=1.4, RANDOM=1.0)
    assert throughput_rows(cells, far)[0].verdict == Verdict.DIFFERS
    assert throughput_rows([("Table 1", BALANCED, RANDOM, 32, UNIFORM, 1.2)], found)[0].verdict == Verdict.MATCH


def test_of_bit_reversal_the_median_counts_too() -> None:
    reversal = Traffic("bit_reversal")
    cells = [("Table 1", BALANCED, SMART, 16, reversal, 0.93)]
    found = {Network(16, i, BALANCED, reversal): factor for i, factor in enumerate((0.9, 1.1, 2.0))}
    found |= {Network(16, i, SMART, reversal): 1.0 for i in range(3)}
    rows = Measured(cells, throughput_rows(cells, found), found).with_readings(*readings.throughput_reasons(found)[:2])
    assert [row.verdict for row in rows] == [Verdict.DIFFERS, Verdict.TOO_SMALL]
    assert rows[1].measured == 1.1
    assert rows[1].note.endswith("(3 topologies, 0.90 to 2.00)")
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
    assert (row.tolerance, row.measured, row.verdict) == (0.08, 1.4, Verdict.DIFFERS)


def test_a_bound_on_one_topology_is_held_against_the_mean_of_ours() -> None:
    found = [links.Links([], [1.0, stopped]) for stopped in (9.0, 14.0)]
    row = links.at_most("most", 10, found, 1.0)
    assert (row.measured, row.verdict) == (11.5, Verdict.DIFFERS)
    assert "from 9.0 to 14.0 %, 1 of 2 within" in row.note
    assert links.at_most("half", 1, found, 0.5).verdict == Verdict.MATCH


@pytest.mark.parametrize(
    ("factor", "verdict"), [(1.3, Verdict.MATCH), (1.17, Verdict.EXPLAINED), (1.0, Verdict.DIFFERS)]
)
def test_a_mean_of_ours_is_the_papers_mean_and_not_its_best_topology(factor: float, verdict: Verdict) -> None:
    found: ByNetwork = {Network(32, 0, RANDOM): 1.0}
    found |= {Network(32, 0, routing): factor for routing in (BALANCED, BSMART)}
    assert statements.one_topology_rows(found)[0].verdict == verdict


def test_rests_a_message_are_near_the_papers_in_neither_reading() -> None:
    first, second = mean_of([0.25]), mean_of([0.36])
    found = {BALANCED: first, BSMART: first, BNUMBERED: first, BMAX: second}
    found |= {with_violations(r): second for r in (BALANCED, BSMART)}
    verdicts = [row.verdict for row in statements.in_transit_rows(found)]
    assert verdicts == [Verdict.DIFFERS, Verdict.MATCH, *[Verdict.DIFFERS] * 3]

"""SMART with its feedback beside SMART without: rows that tell what holds from what does not, and which is nearer."""

import pytest
from braid_tools.comparison import Row, Verdict
from braid_tools.papers.itb import smart
from braid_tools.papers.itb.points import BALANCED, BNUMBERED, BSMART, FEEDBACK, QUICK, RANDOM, SMART, Network, run_of
from braid_tools.papers.itb.readings import tally
from braid_tools.papers.itb.tables import UNIFORM, throughput_rows
from braid_tools.papers.itb.throughputs import ByNetwork, mean_of


def verdicts(rows: list[Row]) -> list[Verdict]:
    return [row.verdict for row in rows]


def over_random(without: float, with_feedback: float, switches: int) -> ByNetwork:
    """Two topologies."""
    values = {SMART: without, FEEDBACK: with_feedback, RANDOM: 1.0}
    return {Network(switches, i, r, UNIFORM): 0.05 * v for r, v in values.items() for i in range(2)}


def test_runs_differ_in_the_computation_only() -> None:
    one, other = (run_of(Network(16, 0, r), 0.1, QUICK) for r in smart.READINGS)
    assert other.settings == one.settings | {"routing.paths": "smart_feedback"}


@pytest.mark.parametrize(("quick", "counts"), [(True, (2, 2)), (False, (12, 12))])
def test_every_published_figure_of_smart_is_read_again(quick: bool, counts: tuple[int, int]) -> None:
    cells = smart.cells_of_smart(quick=quick)
    assert tuple(map(len, cells)) == counts
    for of in cells:
        again = smart.in_reading(of, FEEDBACK)
        assert {cell[1] for cell in again} == {BALANCED, BNUMBERED}
        assert [(c[0], c[1], *c[3:]) for c in again] == [(c[0], c[1], *c[3:]) for c in of]
        assert {cell[2] for cell in again} == {FEEDBACK}


@pytest.mark.parametrize(
    ("factors", "switches", "expected"),
    [
        ((1.08, 1.1), 16, [Verdict.MATCH, Verdict.MATCH]),
        ((1.08, 0.99), 16, [Verdict.MATCH, Verdict.DIFFERS]),
        ((0.99, 1.08), 16, [Verdict.DIFFERS, Verdict.MATCH]),
        ((0.89, 1.01), 32, [Verdict.MATCH, Verdict.DIFFERS]),
        ((1.01, 0.89), 32, [Verdict.DIFFERS, Verdict.MATCH]),
    ],
)
def test_the_order_beside_random_is_another_on_32_switches(
    factors: tuple[float, float], switches: int, expected: list[Verdict]
) -> None:
    rows = smart.random_rows(over_random(*factors, switches), switches)
    assert verdicts(rows) == expected
    assert len({row.key for row in rows}) == 2
    assert all(row.quote for row in rows)


@pytest.mark.parametrize(("feedback", "expected"), [(0.2, Verdict.MATCH), (0.16, Verdict.DIFFERS), (0.24, "differs")])
def test_links_are_similar_to_those_of_bsmart_or_not(feedback: float, expected: Verdict) -> None:
    even = {SMART: mean_of([0.2]), BSMART: mean_of([0.2]), FEEDBACK: mean_of([feedback])}
    assert verdicts(smart.even_rows(even, 16)) == [Verdict.MATCH, expected]


def test_the_nearer_reading_is_told() -> None:
    cells = [("Table 1", BALANCED, SMART, 32, UNIFORM, 1.33)]
    found = {Network(32, 0, r, UNIFORM): v for r, v in ((BALANCED, 1.33), (SMART, 1.25), (FEEDBACK, 1.0))}
    rows = [throughput_rows(smart.in_reading(cells, r), found) for r in smart.READINGS]
    assert len({row.key for of in rows for row in of}) == 2
    [pair] = smart.paired(*rows)
    assert pair.off == pytest.approx(((1.33 - 1.33 / 1.25) / 0.1995, 0), abs=1e-3)
    text = tally([pair], ("smart", "smart_feedback"))
    assert '"smart" is closer in 0, outside the tolerance in 1' in text
    assert '"smart_feedback" is closer in 1, outside the tolerance in 0' in text

"""A path for each pair of hosts: rows that tell what holds from what does not."""

import pytest
from braid_tools.comparison import Row, Verdict
from braid_tools.papers.itb import node_pairs, node_pairs_figure
from braid_tools.papers.itb.node_pairs import ROUTINGS, of_hosts
from braid_tools.papers.itb.points import BALANCED, BSMART, QUICK, RANDOM, Network, run_of
from braid_tools.papers.itb.tables import UNIFORM
from braid_tools.papers.itb.throughputs import ByNetwork, mean_of


def measured(balanced: float, bsmart: float, switch: float, switches: int = 16) -> ByNetwork:
    """Two topologies: BALANCED and BSMART over RANDOM by pairs of hosts, BSMART over it by pairs of switches."""
    values = {of_hosts(BALANCED): balanced, of_hosts(BSMART): bsmart, of_hosts(RANDOM): 1.0, BSMART: switch}
    values |= {RANDOM: 1.0, BALANCED: 1.0}
    return {Network(switches, i, r, UNIFORM): 0.05 * value for r, value in values.items() for i in range(2)}


def verdicts(rows: list[Row]) -> list[Verdict]:
    return [row.verdict for row in rows]


PUBLISHED = (1.21, 1.21 / 1.03, 1.21 / 1.03)  # of 16 switches


@pytest.mark.parametrize(
    ("factors", "differing"),
    [
        (PUBLISHED, set()),
        ((1.5, 1.5 / 1.03, PUBLISHED[2]), {0, 3}),
        ((1.21, 1.0, PUBLISHED[2]), {1, 3}),
        ((1.21, PUBLISHED[1], 1.0), {2}),
    ],
)
def test_each_factor_is_compared_with_its_own(factors: tuple[float, float, float], differing: set[int]) -> None:
    """BALANCED over RANDOM and BSMART by hosts, BSMART over RANDOM by switches and by hosts."""
    rows = node_pairs.factor_rows(measured(*factors), (16,))
    assert len({row.key for row in rows}) == 4
    assert {i for i, verdict in enumerate(verdicts(rows)) if verdict == Verdict.DIFFERS} == differing
    assert ["second reading" in row.quantity for row in rows] == [True, True, False, True]


def test_figure_5b_has_both_on_32_switches_only() -> None:
    rows = node_pairs.factor_rows(measured(1.3, 1.3, 1.3, 32), (32,))
    figure = [row for row in rows if row.figure == "Figure 5(b)"]
    assert verdicts(figure) == [Verdict.MATCH] * 2
    assert not [r for r in node_pairs.factor_rows(measured(1, 1, 1), (16,)) if r.figure == "Figure 5(b)"]


def test_64_switches_have_no_linear_program() -> None:
    found = {n: v for n, v in measured(1.16, 1, 1, 64).items() if n.routing.paths != BSMART.paths}
    [row] = node_pairs.factor_rows(found, (64,))
    assert row.published == 1.16
    assert row.measured == pytest.approx(1.16)


@pytest.mark.parametrize(("hosts", "holds"), [(0.2, True), (0.3, False), (0.4, False)])
def test_links_are_more_even_or_not(hosts: float, holds: bool) -> None:
    even = {r: mean_of([0.3]) for r in ROUTINGS} | {of_hosts(r): mean_of([hosts]) for r in ROUTINGS}
    rows = node_pairs.even_rows(even, 16)
    assert verdicts(rows) == [Verdict.MATCH if holds else Verdict.DIFFERS] * 3


def test_runs_say_whose_paths_they_take() -> None:
    by_switch, by_host = (run_of(Network(16, 0, r), 0.1, QUICK) for r in (RANDOM, of_hosts(RANDOM)))
    assert by_host.settings == by_switch.settings | {"routing.paths_per": "node_pair"}


def test_the_picture_has_both_readings_of_each_routing_beside_table_1() -> None:
    even = {s: {r: mean_of([0.3]) for r in ROUTINGS} for s in (16, 64)}
    even[16] |= {of_hosts(r): mean_of([0.2, 0.3]) for r in ROUTINGS}
    even[64] = {r: m for r in (RANDOM, BALANCED) for r, m in ((r, mean_of([0.3])), (of_hosts(r), mean_of([0.2])))}
    throughputs = measured(1.2, 1.1, 1.05) | {
        n: v for n, v in measured(1.15, 1, 1, 64).items() if n.routing.paths != BSMART.paths
    }
    left, right = node_pairs_figure.panels(even, throughputs, {r: of_hosts(r) for r in ROUTINGS})
    assert left.places == right.places == ["16 switches", "64 switches"]
    assert [(s.policy, s.hollow) for s in left.series] == [(r.paths, h) for r in ROUTINGS for h in (True, False)]
    assert left.series[1].values == pytest.approx([0.25, 0.2])
    assert left.series[1].spread == pytest.approx([0.05 * 2**0.5, 0])
    assert left.series[5].values == [0.25, None], "no linear program on 64 switches"
    balanced, bsmart = right.series[1], right.series[3]
    assert balanced.values == pytest.approx([1.2, 1.15])
    assert balanced.published == [1.21, 1.16]
    assert (bsmart.values[0], bsmart.published) == (pytest.approx(1.1), [pytest.approx(1.21 / 1.03), None])

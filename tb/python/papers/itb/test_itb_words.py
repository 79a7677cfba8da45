"""Sentences of sections 4.2.1 and 4.2.2 of in-transit-buffers: rows that tell what holds from what does not."""

from collections.abc import Iterable

import pytest
from braid_tools.comparison import Kind, Row, Verdict
from braid_tools.papers.itb import links, other_patterns
from braid_tools.papers.itb.links import Links
from braid_tools.papers.itb.points import BALANCED, BNUMBERED, BSMART, RANDOM, SMART, UD, Network, Routing, Traffic
from braid_tools.papers.itb.tables import UNIFORM
from braid_tools.papers.itb.throughputs import ByNetwork


def found(factors: dict[Traffic, float], other: Routing) -> ByNetwork:
    """Two topologies of 16 switches; BNUMBERED has so many times the other's throughput."""
    return {
        Network(16, i, routing, traffic): 0.05 * (factor if routing == BNUMBERED else 1.0)
        for i in range(2)
        for traffic, factor in factors.items()
        for routing in (BNUMBERED, other)
    }


def factors(uniform: float, others: float, local: float) -> dict[Traffic, float]:
    return (
        {UNIFORM: uniform} | dict.fromkeys(other_patterns.OTHERS, others) | dict.fromkeys(other_patterns.LOCAL, local)
    )


def differing(rows: Iterable[Row]) -> int:
    return sum(row.verdict == Verdict.DIFFERS for row in rows)


@pytest.mark.parametrize(
    ("uniform", "others", "local", "differ"),
    [
        (1.3, 1.2, 1.0, 0),
        (1.3, 1.2, 0.97, 2),  # decreased under local traffic, in both readings of it
        (1.3, 1.01, 1.0, 3),  # not noticeable
        (1.3, 1.4, 1.0, 3),  # not lower
        (1.3, 1.4, 0.9, 5),
    ],
)
def test_improvements_are_lower_noticeable_and_none_is_a_loss(
    uniform: float, others: float, local: float, differ: int
) -> None:
    throughputs = found(factors(uniform, others, local), BALANCED)
    rows = other_patterns.improvement_rows(throughputs, 16, BALANCED)
    assert len(rows) == 8
    assert len({row.key for row in rows}) == 8
    assert {row.kind for row in rows} == {Kind.SENTENCE}
    assert all(row.quote for row in rows)
    assert differing(rows) == differ


@pytest.mark.parametrize(
    ("balanced", "numbered", "differ"), [(1.5, 1.8, 0), (1.8, 1.5, 1), (0.9, 1.5, 1), (1.5, 0.9, 1)]
)
def test_long_messages_keep_the_order(balanced: float, numbered: float, differ: int) -> None:
    values = {UD: 1.0, BALANCED: balanced, BNUMBERED: numbered}
    throughputs = {Network(16, 0, r, other_patterns.LONG): v for r, v in values.items()}
    rows = other_patterns.long_rows(throughputs, 16)
    assert [row.kind for row in rows] == [Kind.OWN]
    assert differing(rows) == differ


def test_networks_are_those_of_the_rows() -> None:
    networks = other_patterns.pattern_networks(16, 2)
    throughputs = dict.fromkeys(networks, 0.05)
    for other in other_patterns.COMPARED:
        other_patterns.improvement_rows(throughputs, 16, other)
    other_patterns.long_rows(throughputs, 16)
    assert len(networks) == len(set(networks)) == 2 * 3 * 7


def balance(**deviations: float) -> links.ByRouting:
    """Links of which half are so far above the mean, half below."""
    routings = {r.name: r for r in (UD, SMART, BSMART, RANDOM, BALANCED)}
    return {routings[name]: [Links([1 - d, 1 + d], [])] for name, d in deviations.items()}


def test_balance_of_figure_6() -> None:
    good = links.utilization_rows(balance(UD=0.6, SMART=0.21, BSMART=0.2, RANDOM=0.4, BALANCED=0.22))
    assert len(good) == 4
    assert differing(good) == 0
    assert [row.quote != "" for row in good] == [False, False, True, True]
    far = links.utilization_rows(balance(UD=0.6, SMART=0.25, BSMART=0.2, RANDOM=0.4, BALANCED=0.19))
    assert [row.verdict for row in far[2:]] == [Verdict.DIFFERS, Verdict.DIFFERS], "BSMART is not best, SMART not near"
    even = links.utilization_rows(balance(UD=0.6, SMART=0.16, BSMART=0.2, RANDOM=0.4, BALANCED=0.22))
    assert even[3].verdict == Verdict.DIFFERS, "much better is not similar"

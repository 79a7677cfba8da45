"""Sentences of sat-fairness without numbers: rows that tell what holds from what does not."""

from typing import Any

import pytest
from braid_tools.comparison import Kind, Row, Verdict
from braid_tools.papers.sat import words
from braid_tools.papers.sat.points import ADAPTIVE, NONE, PATTERNS, STATIC, ByPoint, Point, ring
from braid_tools.papers.sat.table import published_cell


def result(least: float, mean: float, most: float, **more: Any) -> dict[str, Any]:
    spread = {"min": least, "mean": mean, "max": most, "jain_index": 1.0}
    return {"classes": [{"injection_spread_flits_per_cycle": spread} | more]}


def free(adaptive: tuple[float, float, float], static: tuple[float, float, float]) -> ByPoint:
    """Every unbalanced pattern without SAT."""
    both = {ADAPTIVE: adaptive, STATIC: static}
    return {
        Point(64, PATTERNS[name], NONE, routing): result(*figures)
        for name in words.UNBALANCED
        for routing, figures in both.items()
    }


def verdicts(rows: list[Row]) -> set[Verdict]:
    return {row.verdict for row in rows}


def test_adaptive_routing_is_fairer_only_if_both_minimum_and_range_are_nearer() -> None:
    good = words.adaptive_rows(free((0.4, 0.5, 0.6), (0.3, 0.5, 0.7)))
    assert len(good) == 3 * len(words.UNBALANCED)
    assert verdicts(good) == {Verdict.MATCH}
    assert {row.kind for row in good} == {Kind.SENTENCE}
    assert all(row.quote for row in good)
    bad = words.adaptive_rows(free((0.3, 0.5, 0.7), (0.4, 0.5, 0.6)))
    assert [row.verdict for row in bad].count(Verdict.DIFFERS) == 2 * len(words.UNBALANCED)


def test_differences_under_adaptive_routing_are_significant_from_a_tenth_on() -> None:
    small = words.adaptive_rows(free((0.48, 0.5, 0.529), (0.3, 0.5, 0.7)))
    assert [row.verdict for row in small].count(Verdict.DIFFERS) == len(words.UNBALANCED)


def light(latency: float, accepted: float) -> ByPoint:
    figures = {
        NONE: {"packet_latency_cycles": {"mean": 30.0}, "accepted_flits_per_node_cycle": {"mean": 0.1}},
        words.CAREFUL: {
            "packet_latency_cycles": {"mean": 30.0 * latency},
            "accepted_flits_per_node_cycle": {"mean": 0.1 * accepted},
        },
    }
    return {p: {"classes": [figures[p.policy]]} for p in words.light_points()}


@pytest.mark.parametrize(
    ("latency", "accepted", "differ"), [(1.0, 1.0, 0), (1.02, 1.0, 2), (1.0, 0.98, 2), (1.009, 0.991, 0)]
)
def test_no_penalty_means_the_same_within_a_hundredth(latency: float, accepted: float, differ: int) -> None:
    rows = words.light_rows(light(latency, accepted))
    assert len(rows) == 4
    assert sum(row.verdict == Verdict.DIFFERS for row in rows) == differ


def thresholds(mean_of: dict[int, float]) -> ByPoint:
    return {Point(64, "uniform", ring(k, k)): result(m, m, m) for k, m in mean_of.items()}


def test_thresholds_bound_the_rate_until_the_network_does() -> None:
    good = {k: min(0.58, 16 * k / 232) for k in words.THRESHOLDS}
    rows = words.threshold_rows(thresholds(good))
    assert [row.published for row in rows[:-1]] == pytest.approx([16 * k / 232 for k in (2, 4, 6)])
    assert verdicts(rows) == {Verdict.MATCH}
    slow = thresholds(good | {4: 0.26})
    assert [row.verdict for row in words.threshold_rows(slow)].count(Verdict.DIFFERS) == 1
    uneven = thresholds(good | {20: 0.55})
    assert words.threshold_rows(uneven)[-1].verdict == Verdict.DIFFERS


def test_k_over_l_bounds_the_spread() -> None:
    def found(most: float) -> list[Row]:
        points = [p for p in words.word_points() if p.policy in words.BOUNDED]
        return words.bound_rows({p: result(0.3, 0.35, 0.3 * most * p.policy.k / p.policy.l) for p in points})

    assert len(found(1.0)) == 6
    assert verdicts(found(1.0)) == {Verdict.MATCH}
    assert verdicts(found(1.03)) == {Verdict.DIFFERS}


def batches(packets: list[int], mean: float = 0.5) -> dict[str, Any]:
    return result(mean, mean, mean, batches={"packets": packets})


def test_five_batches_are_stable_and_as_long_as_the_paper_has_them() -> None:
    point = Point(64, "uniform")
    expected = 10 * 64**2
    rows = words.batch_rows_of(point, batches([expected] * 5), result(0.5, 0.5, 0.5))
    assert verdicts(rows) == {Verdict.MATCH}
    assert [row.kind for row in rows] == [Kind.SENTENCE, Kind.INPUT, Kind.OWN, Kind.OWN, Kind.OWN]
    drifting = words.batch_rows_of(point, batches([expected, expected, expected, expected, 2 * expected]), batches([1]))
    assert [row.verdict for row in drifting[:2]] == [Verdict.DIFFERS] * 2
    other = words.batch_rows_of(point, batches([expected] * 5, 0.6), result(0.5, 0.5, 0.5))
    assert [row.verdict for row in other[2:]] == [Verdict.DIFFERS] * 3
    assert words.batch_cycles(64, 0.58) >= 10 * 64**2 * 16 / (64 * 0.58) > words.batch_cycles(64, 0.58) - 100


TRANSPOSE = Point(1024, PATTERNS["transpose"], NONE)
PUBLISHED = (0.362, 0.446, 0.702)  # Table I, 1024 nodes, transpose, without SAT: minimum, average, maximum
SHORT = (0.348, 0.455, 0.759)  # as a window of 200,000 cycles has them
DRIFT = "maximum of nodes over that in the window of the other rows"


def of_nodes(long: tuple[float, ...], short: tuple[float, ...], point: Point = TRANSPOSE) -> dict[str, Row]:
    """The nodes' rows in the paper's own window, by the last words of their name."""
    batches = {"packets": [10 * point.nodes**2] * 5}
    rows = words.batch_rows_of(point, result(*long, batches=batches), result(*short))
    return {row.quantity.partition("packets: ")[2]: row for row in rows if "of nodes" in row.quantity}


def test_the_paper_prints_some_cells() -> None:
    assert published_cell(TRANSPOSE) == (0.446, 0.362, 0.702)
    assert not published_cell(Point(64, PATTERNS["transpose"], NONE))  # Table I begins at 256 nodes
    assert not published_cell(Point(1024, PATTERNS["transpose"], ring(3, 5)))
    assert not published_cell(Point(1024, PATTERNS["butterfly"], NONE))
    assert not published_cell(Point(1024, PATTERNS["transpose"], NONE, STATIC))


def test_the_published_figures_match_in_either_window() -> None:
    assert verdicts(list(of_nodes(PUBLISHED, PUBLISHED).values())) == {Verdict.MATCH}


def test_a_drift_to_the_published_figure_is_explained_and_no_other() -> None:
    assert of_nodes(PUBLISHED, SHORT)[DRIFT].verdict == Verdict.EXPLAINED
    assert of_nodes(PUBLISHED, SHORT)["maximum of nodes"].verdict == Verdict.MATCH  # and not that of the short window
    away = of_nodes((0.362, 0.446, 0.759 * 1.05), SHORT)  # nearly as far from the other window, the other way
    assert away[DRIFT].verdict == Verdict.DIFFERS
    assert away["maximum of nodes"].verdict == Verdict.DIFFERS


@pytest.mark.parametrize("most", [0.5, 0.702, 0.9])
def test_a_band_does_not_come_from_what_is_measured(most: float) -> None:
    cause = of_nodes((0.362, 0.446, most), SHORT)[DRIFT].explanation
    assert cause is not None
    assert cause.predicted == pytest.approx(0.702 / 0.759)
    assert cause.band == 0.04


def test_a_network_that_table_1_has_not_drifts_without_excuse() -> None:
    found = list(of_nodes((0.4, 0.5, 0.9), (0.4, 0.5, 0.8), Point(64, PATTERNS["transpose"], NONE)).values())
    assert len(found) == 3
    assert [row.verdict for row in found].count(Verdict.DIFFERS) == 1

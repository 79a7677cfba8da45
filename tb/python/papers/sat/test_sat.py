"""The operating points of sat-fairness: windows, and what stands beside thresholds that the line finds."""

from typing import Any

import pytest
from braid_tools.papers.sat import beyond, figure1, rows
from braid_tools.papers.sat.points import FLITS, NONE, Point, Policy, fair_cycles
from braid_tools.papers.sat.table import table_points

SLOW = Point(1024, "hot_region", Policy("ring", 192, 192))


def result(mean: float) -> dict[str, Any]:
    spread = {"min": mean, "mean": mean, "max": mean, "jain_index": 1.0}
    return {"classes": [{"injection_spread_flits_per_cycle": spread}]}


def test_equal_thresholds_over_the_ring_get_400_rounds() -> None:
    for point in table_points(1024) + table_points(256) + rows.points_of_64():
        cycles = fair_cycles(point)
        if point.policy.carrier != "ring" or point.policy.l != point.policy.k or point.process == "saturated":
            assert cycles == 0
        else:
            least = 0.19 if point.pattern == "hot_region" else 0.45
            assert cycles * least / FLITS >= 400 * point.policy.k
            assert cycles % 10_000 == 0
    assert fair_cycles(SLOW) > 6_000_000


def test_by_hand_takes_the_best_row_with_equal_thresholds() -> None:
    results = {
        Point(256, "uniform", NONE): result(0.9),
        Point(256, "uniform", Policy("ring", 32, 32)): result(0.4),
        Point(256, "uniform", Policy("ring", 48, 48)): result(0.5),
        Point(256, "uniform", Policy("ring", 48, 64)): result(0.6),
        Point(256, "uniform", Policy("spanning_tree", 2, 2)): result(0.7),
        Point(256, "hot_region", Policy("ring", 48, 48)): result(0.8),
    }
    assert beyond.by_hand(Point(256, "uniform", Policy("ring", 4, 4, "sat_auto")), results) == 0.5


def test_a_wide_spread_is_explained_by_rounds_only_as_far_as_rounds_reach() -> None:
    outcome = result(0.2) | {"measured_cycles": 3_072_000}  # 200 rounds of 192 packets: two ends are 2 %
    explanation = rows.spread_explained(SLOW, outcome, {})
    assert "192 packets a round" in explanation.why
    assert explanation.holds(0.0199)
    assert not explanation.holds(0.0201)


def test_what_no_network_holds_back_spreads_as_it_does_without_sat() -> None:
    point = Point(64, "butterfly", Policy("ring", 12, 12))
    free = {
        "classes": [{"injection_spread_flits_per_cycle": {"min": 0.90, "mean": 0.95, "max": 0.92, "jain_index": 1}}]
    }
    explanation = rows.spread_explained(
        point, result(0.95) | {"measured_cycles": 10**6}, {Point(64, "butterfly"): free}
    )
    assert explanation.holds(0.02)
    assert not explanation.holds(0.04)
    assert not explanation.holds(0.005)


def test_figure_1_shares_are_all_of_the_last_link_and_tell_networks_and_lines_apart() -> None:
    for network, published in figure1.SHARES.items():
        assert sum(published) == pytest.approx(1)
        measured = {policy.name: [1 / 7] * 7 for policy in figure1.FAIR}
        measured |= {"none": published, figure1.FAVOURED.name: [0.125] * 6 + [0.25]}
        rows_found = figure1.rows_of(network, measured)
        assert {row.verdict for row in rows_found} == {"match"}
        measured |= {"none": [1 / 7] * 7}
        wrong = [row for row in figure1.rows_of(network, measured) if row.verdict == "differs"]
        assert len(wrong) == 7
    unfair = {policy.name: [0.14] * 6 + [0.16] for policy in figure1.FAIR}
    measured = {"none": figure1.SHARES["2-ary 3-tree"], figure1.FAVOURED.name: [1 / 7] * 7} | unfair
    assert sum(row.verdict == "differs" for row in figure1.rows_of("2-ary 3-tree", measured)) == 7

"""The tools that hold verdicts and intervals to the truth: their tables, and quick versions of both."""

import pytest
from braid_tools.program import run
from braid_tools.verdicts import coverage, saturation
from braid_tools.verdicts.cases import Case, cases, knee, over


def judged(truth: bool, says: bool, old: bool = False) -> saturation.Judged:
    return saturation.Judged("a case", 0.4, 0.9, truth, says, old, "none")


def test_confusion_counts_each_kind_of_answer() -> None:
    rows = [judged(False, False), judged(True, True), judged(True, True), judged(False, True), judged(True, False)]
    assert saturation.confusion(rows) == [1, 2, 1, 1]
    assert saturation.confusion(rows, old=True) == [2, 0, 0, 3]


def test_points_are_two_hundred_at_least_of_every_family() -> None:
    names = [case.name for case in cases()]
    assert len(names) * len(saturation.AT) >= 200
    for family in ("mesh", "torus", "tree", "cut-through", "ideal", "myrinet", "po2"):
        assert any(name.startswith(family) for name in names)
    assert sum("bursts" in name for name in names) >= len(names) // 2 - 1


@pytest.fixture(scope="module")
def small() -> Case:
    """Of one case, a window that takes no time."""
    case = next(case for case in cases() if case.name == "mesh, eight requests of a node under way, bernoulli")
    return Case(case.name, case.experiment, case.low, case.high, case.settings, window=4000)


def test_a_loop_far_below_and_far_beyond_its_knee_is_judged_rightly(small: Case) -> None:
    for rate, truth in ((0.1, False), (0.9, True)):
        assert over(small, rate) is truth
        assert run(small.at(rate))["saturated"] is truth


def test_an_interval_that_misses_the_truth_counts_as_missed() -> None:
    row = coverage.Covered("a case", 0.9, "mean", 20.0, printed=39, held=35)
    row.add((19.0, 20.0))
    assert (row.printed, row.held) == (40, 36)
    assert row.good(40)
    row.held = 35
    assert not row.good(40)
    row.add((20.5, 30.0))
    row.add(None)
    assert (row.printed, row.held, row.unreliable) == (41, 35, 1)


def test_intervals_are_those_that_are_printed(small: Case) -> None:
    """Plain batch means of two batches: 10 and 20, t of one degree of freedom 12.7 times 5."""
    job = small.at(0.1, longer=4).with_(coverage.BATCHES)
    [one, *_] = run(job)["classes"]
    low, high = coverage.mean_interval(one) or pytest.fail("no interval far below the knee")
    assert (high + low) / 2 == pytest.approx(one["packet_latency_cycles"]["mean"])
    assert (high - low) / 2 == pytest.approx(one["packet_latency_cycles"]["half_width_95"])
    median = coverage.percentile_interval(one, "p50") or pytest.fail("nor of the median")
    assert median[0] <= one["packet_latency_distribution_cycles"]["p50"] <= median[1]
    one["packet_latency_percentile_intervals_cycles"]["p50_low"] = None
    assert coverage.percentile_interval(one, "p50") is None
    two = one | {"batches": {"latency_sum_cycles": [20, 0, 40], "packets": [2, 0, 2]}}
    two["packet_latency_cycles"] = {"mean": 15.0, "half_width_95": None}
    assert coverage.mean_interval(two) is None
    assert coverage.plain_interval(two) == pytest.approx((15 - 12.7062 * 5, 15 + 12.7062 * 5), abs=1e-3)


def test_the_knee_is_where_long_windows_have_it(small: Case) -> None:
    found = knee(small)
    assert not over(small, 0.97 * found)
    assert over(small, 1.03 * found)

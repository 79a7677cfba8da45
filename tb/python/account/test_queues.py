"""How well a window knows the wait in a queue: the account's formula by hand, and against queues that are simulated."""

import math

import numpy as np
import pytest
from braid_tools.account.queues import Queue, least, unknown, width

NORMAL = 1.959963984540054


def test_width_by_hand() -> None:
    """Six cycles at a quarter idle: variance 3 over the drift squared, 48 cycles, of which 9600 hold 200."""
    assert width(6, 0.25, 9600) == pytest.approx(NORMAL * 0.1)
    assert width(0, 0.0, 9600) == 0
    assert width(6, 0.0, 9600) == math.inf


@pytest.mark.parametrize(("load", "cycles", "less"), [(0.8, 20_000, 0.7), (0.9, 40_000, 0.85)])
def test_width_of_simulated_queues(load: float, cycles: int, less: float) -> None:
    """Packets of four cycles that come by chance, 400 windows: means scatter as the formula says, which holds for heavy
    traffic: below it is a little too small."""
    random = np.random.default_rng(32)
    means = []
    for _ in range(400):
        steps = (random.random(cycles + 4000) < load / 4) * 4.0 - 1.0
        backlog = np.cumsum(steps)
        backlog -= np.minimum(np.minimum.accumulate(backlog), 0)
        means.append(backlog[4000:].mean())
    seen = np.std(means, ddof=1) / np.mean(means)
    said = width(float(np.mean(means)), 1 - load, cycles) / NORMAL
    assert less < said / seen < 1.1


def test_relaxation_times() -> None:
    assert Queue(1, NORMAL * 0.1).times() == pytest.approx(200)
    assert Queue(1, 0).times() == math.inf
    assert Queue(1, math.inf).times() == 0


def test_least_adds_up_and_counts_what_stands_behind_a_port() -> None:
    """As HeavyTraffic.WhatWaitsAtSourcesStandsBehindTheFullestPort."""
    assert least([Queue(10, 0.088)], []) == 0
    assert least([Queue(10, 0.088)], [Queue(4, 0.277), Queue(0.9, 0.01)]) == pytest.approx(14 * 0.277)
    assert least([Queue(10, 0.2), Queue(5, 0.3)], []) == pytest.approx(3.5)


def test_unknown_asks_for_queues_that_matter() -> None:
    """1.96 sqrt(2 / 50) is 0.392."""
    assert unknown([Queue(20, 0.393)], 60)
    assert not unknown([Queue(20, 0.391)], 60)
    assert not unknown([Queue(20, 0.393)], 1001)
    assert unknown([Queue(10, 0.4), Queue(10, 0.6)], 999)

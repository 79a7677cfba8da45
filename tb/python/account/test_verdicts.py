"""The account's own arithmetic of verdicts, by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from braid_tools.account.verdicts import Batches, slope
from braid_tools.student import student_t


def of(*samples: int) -> Batches:
    """Batches of one sample each."""
    return Batches([Fraction(s) for s in samples], [1] * len(samples))


def test_batches_grow_until_they_pass() -> None:
    assert len(of(*[1, -1] * 4).means) == 8
    fours = [1 if i // 4 % 2 == 0 else -1 for i in range(16)]
    grown = of(*fours, -4)  # the last one of three: -2; all less -1/8, squared: 10.875; products of neighbours 1.984375
    rest = 1.984375 / 10.875
    assert len(grown.means) == 8
    assert grown.standard_error() == pytest.approx(math.sqrt(10.875 / 56 * (1 + rest) / (1 - rest)))
    assert not of(*range(40)).reliable
    assert of(*range(7)).reliable


def test_the_slope_is_that_of_the_backlogs() -> None:
    steps = [Fraction(10)] * 4 + [Fraction(-35)]
    assert slope(steps) == Fraction(125, 35)


def test_student_t_of_any_probability() -> None:
    """Abramowitz and Stegun, table 26.10."""
    assert student_t(7, 0.8) == pytest.approx(1.415, abs=5e-4)
    assert student_t(3, 0.95) == pytest.approx(3.182, abs=5e-4)
    assert student_t(1, 0.5) == pytest.approx(1.0)

"""Rows of the paper's own window, five batches of 10 N^2 packets: Table I in it, and how a shorter window drifts."""

from __future__ import annotations

from typing import Any

import pytest
from braid_tools.papers.sat.points import NONE, PATTERNS, Point, ring
from braid_tools.papers.sat.table import published_cell
from braid_tools.papers.sat.words import batch_rows_of

TRANSPOSE = Point(1024, PATTERNS["transpose"], NONE)
PUBLISHED = (0.446, 0.362, 0.702)  # Table I, 1024 nodes, transpose, without SAT: average, minimum, maximum


def result(mean: float, least: float, most: float) -> dict[str, Any]:
    """Of a run whose nodes move that much, in flits/node/cycle."""
    spread = {"mean": mean, "min": least, "max": most}
    packets = [10 * TRANSPOSE.nodes**2] * 5
    return {"classes": [{"injection_spread_flits_per_cycle": spread, "batches": {"packets": packets}}]}


def verdicts(long: tuple[float, ...], short: tuple[float, ...], point: Point = TRANSPOSE) -> dict[str, str]:
    """Of the nodes' rows, by the last words of their name."""
    rows = batch_rows_of(point, result(*long), result(*short))
    return {row.quantity.partition("packets: ")[2]: row.verdict for row in rows if "of nodes" in row.quantity}


def test_the_paper_prints_some_cells() -> None:
    assert published_cell(TRANSPOSE) == PUBLISHED
    assert published_cell(Point(64, PATTERNS["transpose"], NONE)) is None  # Table I begins at 256 nodes
    assert published_cell(Point(1024, PATTERNS["transpose"], ring(3, 5))) is None
    assert published_cell(Point(1024, PATTERNS["butterfly"], NONE)) is None


def test_the_published_figures_match_in_either_window() -> None:
    assert set(verdicts(PUBLISHED, PUBLISHED).values()) == {"match"}


def test_a_drift_to_the_published_figure_is_explained_and_no_other() -> None:
    short = (0.455, 0.348, 0.759)
    drift = "maximum of nodes over that in the window of the other rows"
    assert verdicts(PUBLISHED, short)[drift] == "explained"
    away = (0.446, 0.362, 0.759 * 1.05)  # as far from the other window, the other way
    assert verdicts(away, short)[drift] == "differs"
    assert verdicts(away, short)["maximum of nodes"] == "differs"


def test_a_band_does_not_come_from_what_is_measured() -> None:
    for most in (0.5, 0.702, 0.9):
        rows = batch_rows_of(TRANSPOSE, result(0.446, 0.362, most), result(0.455, 0.348, 0.759))
        cause = rows[-1].explanation
        assert cause is not None
        assert cause.predicted == pytest.approx(0.702 / 0.759)
        assert cause.band == 0.04


def test_a_network_that_table_1_has_not_drifts_without_excuse() -> None:
    small = Point(64, PATTERNS["transpose"], NONE)
    found = verdicts((0.5, 0.4, 0.9), (0.5, 0.4, 0.8), small)
    assert len(found) == 3
    assert list(found.values()).count("differs") == 1

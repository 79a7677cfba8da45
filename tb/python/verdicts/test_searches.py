"""Searches of braid sweep: on curves known exactly, on a small mesh beside a dense sweep, and what is recorded."""

from dataclasses import replace
from pathlib import Path

import braid
import pytest
from braid.explore import search
from braid.explore.database import DONE
from braid.explore.database import Row as Stored
from braid.explore.interpolation import interpolated
from braid.explore.rows import Group
from braid.explore.search import Search
from braid_tools.verdicts import searches
from braid_tools.verdicts.searches import LOADS, MOST_RUNS, Case, Row

SATURATION = 0.41


def queue(cost: float, power: float, load: float) -> float:
    """Latency that grows as a power of what is left to saturation."""
    return 30 + cost * load / max(SATURATION - load, 1e-6) ** power


def search_of(cost: float, power: float) -> Search:
    """Of runs whose figures are exact."""

    def measure(load: float) -> Group:
        one = {
            "name": "packets",
            "packet_latency_cycles": {"mean": queue(cost, power, load), "half_width_95": 0.1},
            "accepted_flits_per_node_cycle": {"mean": min(load, SATURATION), "half_width_95": 0.001},
        }
        results = {"saturated": load >= SATURATION, "classes": [one]}
        return Group({}, [Stored(str(load), 1, "1", DONE, "", "", {}, {}, results, 0.0, "", "")])

    return Search(measure, 0.05, 1.0)


def worst(cost: float, power: float) -> float:
    """Of a curve of twelve loads."""
    found = search_of(cost, power).curve(MOST_RUNS)
    assert len(found.groups) == MOST_RUNS
    xs, ys = found.curve()
    loads = [xs[0] + (xs[-1] - xs[0]) * (n + 0.5) / LOADS for n in range(LOADS)]
    return max(abs(interpolated(xs, ys, load) / queue(cost, power, load) - 1) for load in loads)


@pytest.mark.parametrize("cost", [0.05, 0.3, 1.0, 3.0])
@pytest.mark.parametrize(("power", "most"), [(0.5, 0.005), (1.0, 0.007), (1.5, 0.013)])
def test_twelve_loads_draw_a_known_curve(cost: float, power: float, most: float) -> None:
    assert worst(cost, power) < most


def test_loads_gather_where_latency_rises_not_where_loads_are_wide() -> None:
    """By width alone the last gap before saturation stays open: the bend of this curve is 1.1 % off then."""
    assert worst(0.05, 1.5) < 0.004


@pytest.mark.parametrize(("cost", "power"), [(0.05, 0.5), (3.0, 1.5)])
def test_saturation_is_bracketed_to_one_per_cent(cost: float, power: float) -> None:
    found = search_of(cost, power).saturation()
    assert found.carried is not None and found.saturated is not None
    assert found.carried < SATURATION <= found.saturated
    assert found.saturated - found.carried <= 0.01 * found.saturated
    assert len(found.groups) <= MOST_RUNS


@pytest.fixture(scope="module")
def small() -> Case:
    """Windows that take no time, and latencies as noisy as they make them."""
    experiment = braid.mesh(4, 4, vcs=4, simulation__measure_cycles=12_000)
    return Case("4x4", experiment, (1,), 20_000, (0.05, 0.8), {"saturation": 0.02, "curve": 0.03})


def test_a_small_mesh_is_searched_as_the_full_form_searches(small: Case, tmp_path: Path) -> None:
    saturation, curve = searches.measured(small, tmp_path / "s.sqlite")
    assert saturation.good, saturation.said
    assert curve.good, curve.said
    assert (saturation.search, curve.search) == ("saturation", "curve")
    assert 0.6 < saturation.dense < 0.8
    assert 20 < curve.known <= curve.loads == LOADS
    assert curve.dense_half_width is not None
    assert curve.dense_half_width <= 0.02 * curve.dense
    assert curve.apart == pytest.approx(abs(curve.found / curve.dense - 1))
    again = searches.measured(small, tmp_path / "s.sqlite")
    assert again == [saturation, curve]


def test_a_search_that_stops_early_fails(small: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TOLERANCE", 0.3)
    saturation, _ = searches.measured(small, tmp_path / "s.sqlite")
    assert not saturation.good
    assert "expected 2% in 12 loads at most" in saturation.said


def row(kind: str = "saturation", seed: int = 1, apart: float = 0.004, runs: int = 9) -> Row:
    half = 0.5 if kind == "curve" else None
    most = searches.MOST_APART[kind]
    return Row("8x8", kind, seed, runs, 0.4, 0.4, 0.4, half, apart, most, loads=40, known=38, apart_elsewhere=0.09)


def test_what_is_too_far_or_too_dear_is_not_good() -> None:
    assert row().good
    assert not row(apart=0.011).good
    assert not row(runs=13).good
    assert row("curve", apart=0.019).good
    assert not row("curve", apart=0.021).good


def test_rows_are_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row(), row("curve", apart=0.012, runs=12), row(seed=2, apart=0.0061, runs=10)]
    searches.write(tmp_path / "new" / "s.csv", rows)
    assert searches.read(tmp_path / "new" / "s.csv") == rows
    first = (tmp_path / "new" / "s.csv").read_text().splitlines()[0]
    assert first.startswith("# braid ") and first.endswith(searches.COMMAND)
    monkeypatch.setattr(searches, "KEPT", tmp_path / "new" / "s.csv")
    assert searches.figures() == {
        "seeds": "2",
        "saturation_apart": "0.6",
        "saturation_runs": "10",
        "saturation_known": "38",
        "saturation_loads": "40",
        "saturation_elsewhere": "9.0",
        "curve_apart": "1.2",
        "curve_runs": "12",
        "curve_known": "38",
        "curve_loads": "40",
        "curve_elsewhere": "9.0",
    }


def test_a_latency_is_known_if_its_interval_is_narrow() -> None:
    for half, known in ((1.9, True), (2.1, False), (None, False)):
        assert searches.is_known(braid.Estimate(100.0, half, "cycles")) is known


def test_what_is_recorded_is_a_full_run_and_good() -> None:
    rows = searches.read(searches.KEPT)
    case = searches.full()
    assert [(one.mesh, one.search, one.seed) for one in rows] == [
        (case.name, kind, seed) for seed in case.seeds for kind in ("saturation", "curve")
    ]
    assert all(one.known >= 0.9 * one.loads for one in rows), "nearly everywhere"
    assert all(one.good and one.most_apart == case.most_apart[one.search] for one in rows)
    assert not replace(rows[0], apart=1.0).good

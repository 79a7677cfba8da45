"""The mechanisms of the papers on each other's networks: what a gain is, what is kept, small runs of some cells."""

from pathlib import Path
from typing import Any

import braid
import pytest
from braid.errors import BraidError
from braid.explore.database import DONE, FAILED, Row
from braid_tools.combining import table
from braid_tools.combining.cells import (
    FAIRNESS,
    MIXED,
    SHORT,
    STREAM,
    TREE,
    UNITS,
    Combination,
    combinations,
    value,
    window,
)
from braid_tools.combining.table import Cell

SHORT_WINDOW = {**window(2_000, 12_000), "simulation.batch_cycles": 1000}


def row(jain: float, status: str = DONE) -> Row:
    """A run with a figure."""
    results: dict[str, Any] = {
        "classes": [{"name": "packets", "injection_spread_flits_per_cycle": {"jain_index": jain}}]
    }
    return Row("key", 1, "1", status, "locked up", "braid run x", {}, {}, results, 0.0, "", "")


ONE = Combination("SAT", MIXED, {"interface.fairness": "sat"}, (FAIRNESS,))


def test_a_gain_is_the_mean_of_the_seeds_own_gains() -> None:
    [cell] = table.cells(ONE, [row(0.5), row(0.8), row(0.75), row(0.88)])
    assert (cell.seeds, cell.before, cell.after) == (2, pytest.approx(0.65), pytest.approx(0.815))
    assert cell.gain == pytest.approx((0.5 + 0.1) / 2), "each seed beside itself"
    assert cell.half_width_95 == pytest.approx(12.706 * 0.2, rel=1e-3), "Student's t of one degree of freedom"
    assert cell.says == "no difference beyond chance"


@pytest.mark.parametrize(
    ("gain", "half", "says"),
    [(0.2, 0.1, "more"), (-0.2, 0.1, "less"), (0.1, 0.1, "no difference beyond chance")],
)
def test_what_a_cell_says(gain: float, half: float, says: str) -> None:
    assert Cell("a", "b", FAIRNESS, 5, 1.0, 1.0 + gain, gain, half).says == says


def test_less_latency_is_better() -> None:
    for figure, gain, better in (
        (FAIRNESS, 0.1, True),
        (FAIRNESS, -0.1, False),
        (SHORT, 0.1, False),
        (SHORT, -0.1, True),
    ):
        assert Cell("a", "b", figure, 5, 1.0, 1.0, gain, 0.0).is_better is better


def test_a_run_that_fails_is_named() -> None:
    with pytest.raises(BraidError, match=r"SAT, FM radio .*: locked up"):
        table.cells(ONE, [row(0.5), row(0.8, FAILED)])


def test_each_mechanism_meets_a_network_that_is_not_its_papers() -> None:
    """The five of issue 34, every carrier of the line among them; their experiments are accepted as they stand."""
    all_of = combinations()
    met = {(one.mechanism.partition(" ")[0], one.network.experiment(1, {}, {})["topology.kind"]) for one in all_of}
    assert met == {
        ("SAT", "hexagonal"),
        ("SAT", "irregular"),
        ("SAT", "mesh"),
        ("alpha", "k_ary_n_tree"),
        ("in-transit", "irregular"),
    }
    assert len({(one.mechanism, one.network.name) for one in all_of}) == len(all_of)
    assert {figure for one in all_of for figure in one.figures} <= set(UNITS)
    for one in all_of:
        before, *_, after = table.points(one, 2, {})
        assert before.experiment["experiment.seed"] == 1
        assert after.experiment["experiment.seed"] == 2
        assert all(after.experiment[key] == wanted for key, wanted in one.after.items())
        assert before.experiment.configuration != one.network.experiment(1, one.after, {}).configuration


def test_networks_by_seed_are_others() -> None:
    one = next(one for one in combinations() if one.network.by_seed)
    assert [point.experiment["topology.instance"] for point in table.points(one, 3, {})] == [0, 1, 2] * 2


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> list[Cell]:
    """Two of them, in windows that take no time."""
    some = [one for one in combinations() if one.network in (MIXED, TREE)]
    return table.measured(some, tmp_path_factory.mktemp("c") / "runs.sqlite", 2, SHORT_WINDOW)


def test_small_runs_show_what_the_mechanisms_are_for(small: list[Cell]) -> None:
    by_figure = {cell.figure: cell for cell in small}
    assert by_figure[FAIRNESS].after > 0.99 > by_figure[FAIRNESS].before
    assert by_figure[STREAM].gain == pytest.approx(0, abs=0.02), "circuits do not feel the line"
    assert by_figure[SHORT].gain < -0.1, "short messages are let past long ones"


def test_a_cell_is_what_its_runs_say(small: list[Cell]) -> None:
    cell = next(cell for cell in small if cell.figure == SHORT)
    one = next(one for one in combinations() if one.network is TREE)
    own = [
        value(braid.run(TREE.experiment(seed, settings, SHORT_WINDOW)).to_dict(), SHORT)
        for settings in (one.before, one.after)
        for seed in (1, 2)
    ]
    assert (cell.before, cell.after) == (pytest.approx(sum(own[:2]) / 2), pytest.approx(sum(own[2:]) / 2))


def test_cells_are_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [
        Cell("SAT", "hexagon", FAIRNESS, 5, 0.5, 0.75, 0.5, 0.01),
        Cell("SAT", "hexagon", SHORT, 5, 400.0, 300.0, -0.25, 0.125),
        Cell("alpha", "hexagon", SHORT, 5, 400.0, 300.0, -0.25, 0.125),
    ]
    table.write(tmp_path / "new" / "c.csv", kept)
    assert table.read(tmp_path / "new" / "c.csv") == kept
    first = (tmp_path / "new" / "c.csv").read_text().splitlines()[0]
    assert first.startswith("# braid ") and first.endswith(table.COMMAND)
    monkeypatch.setattr(table, "KEPT", tmp_path / "new" / "c.csv")
    assert table.table() == [
        f"| hexagon | SAT | {UNITS[FAIRNESS]} | 0.5 | 0.75 | +50.0 ± 1.0 % | 5 |",
        f"|  |  | {UNITS[SHORT]} | 400 | 300 | -25.0 ± 12.5 % | 5 |",
        f"|  | alpha | {UNITS[SHORT]} | 400 | 300 | -25.0 ± 12.5 % | 5 |",
    ]


def test_a_picture_of_all_cells(tmp_path: Path) -> None:
    found = [
        Cell(one.mechanism, one.network.name, figure, 5, 1.0, 1.1, 0.1, half)
        for one in combinations()
        for figure, half in zip(one.figures, (0.05, 0.2, 0.05), strict=False)
    ]
    table.picture(found, tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes()[:4] == b"\x89PNG"


def test_what_is_recorded_has_every_cell_once() -> None:
    recorded = [(cell.mechanism, cell.network, cell.figure, cell.seeds) for cell in table.read(table.KEPT)]
    wanted = [
        (one.mechanism, one.network.name, figure, one.network.seeds) for one in combinations() for figure in one.figures
    ]
    assert recorded == wanted

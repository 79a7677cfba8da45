"""A sweep on dask.distributed whose worker and whose scheduler are killed: nothing that was finished is lost."""

from dataclasses import replace
from pathlib import Path

import pytest
from braid_tools.verdicts import killed
from braid_tools.verdicts.killed import Outcome
from small_mesh import Braid

pytest.importorskip("distributed")
POINTS = 30


def test_worker_and_scheduler_are_killed(tmp_path: Path) -> None:
    """The small form of `python -m braid_tools.verdicts.killed`."""
    stopped, outcome = killed.measured(tmp_path, POINTS, 60_000)
    assert stopped.status == 1, "the command that lost its scheduler says so"
    assert stopped.said.startswith("braid: dask at tcp://127.0.0.1:")
    kept = outcome.kept_when_scheduler_killed
    assert stopped.said.endswith("; the same command goes on from there")
    assert f"{kept} of {POINTS} points are in {tmp_path / 'killed.sqlite'}" in stopped.said
    assert POINTS // 3 <= outcome.kept_when_worker_killed < kept < POINTS
    assert (outcome.points, outcome.run_again, outcome.differing) == (POINTS, 0, 0)
    assert outcome.good
    assert 0 < outcome.busy <= 1.05
    assert outcome.of_ideal is None and outcome.local_of_ideal is None


def test_what_is_lost_run_again_or_changed_is_counted(tmp_path: Path, mesh: Path, braid_here: Braid) -> None:
    words = ["sweep", mesh, "--vary", "traffic.rate_flits_per_node_cycle=0.1,0.2,0.3", "--plot", "-"]
    braid_here(*words, "--store", "s.sqlite")
    whole = killed.rows_in(tmp_path / "s.sqlite")
    first, second, third = whole
    assert killed.compared(whole, whole, whole) == (0, 0)
    slower = replace(whole[first], seconds=9.0, results={**(whole[first].results or {}), "wall_seconds": 9.0})
    assert killed.compared({}, {**whole, first: slower}, whole) == (0, 0), "how long it took is no figure"
    again = {**whole, first: replace(whole[first], finished="later")}
    assert killed.compared({first: whole[first]}, again, whole) == (1, 0)
    lost = {first: whole[first], second: whole[second]}
    assert killed.compared({third: whole[third]}, lost, whole) == (1, 1)
    other = replace(whole[third], results={**(whole[third].results or {}), "packet_hash": "0"})
    assert killed.compared({}, {**whole, third: other}, whole) == (0, 1)


def test_an_outcome_is_good_only_if_it_was_killed_and_nothing_lost() -> None:
    good = Outcome(30, 2, 10, 20, 0, 0, 9.0, 0.95, None, None)
    assert good.good
    for wrong in (
        {"run_again": 1},
        {"differing": 1},
        {"kept_when_worker_killed": 0},
        {"kept_when_scheduler_killed": 30},
    ):
        assert not replace(good, **wrong).good


def test_a_scheduler_that_ends_at_once_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(killed.sys, "executable", "/bin/false")
    with pytest.raises(killed.program.BraidError, match="the scheduler ended"):
        killed.Cluster(tmp_path)


def test_bare_programs_are_the_points(tmp_path: Path, mesh: Path, braid_here: Braid) -> None:
    braid_here(
        "sweep", mesh, "--vary", "traffic.rate_flits_per_node_cycle=0.1,0.2", "--plot", "-", "--store", "s.sqlite"
    )
    assert killed.bare_seconds(tmp_path, killed.rows_in(tmp_path / "s.sqlite").values(), 500) > 0


def test_nobody_answers(mesh: Path, braid_here: Braid) -> None:
    done = braid_here("sweep", mesh, "--scheduler", "tcp://127.0.0.1:9", "--plot", "-", status=1)
    assert "nobody answers there" in done.stderr
    assert braid_here("sweep", mesh, "--scheduler", "nonsense://x", "--plot", "-", status=2).stderr.count("\n") == 1

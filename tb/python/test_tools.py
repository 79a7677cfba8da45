"""The Python tools: pure functions on made-up input."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from braid_tools import check_folders, comparison, gates, main_job, po2_statements, rtl_lockstep, tentacle
from braid_tools.program import ROOT, Run


def test_settings_become_options() -> None:
    run = Run("r", Path("e.toml"), {"a.b": True, "c.d": 0.5, "e.f": "x"})
    assert run.arguments() == ["--set", "a.b=true", "--set", "c.d=0.5", "--set", "e.f=x"]


def test_six_networks_times_scalings() -> None:
    assert len(main_job.jobs([1, 2])) == 12
    assert main_job.REFERENCE in main_job.NETWORKS


def test_normalized_scaling_is_one_where_all_are_bound_by_computation() -> None:
    curves = {"slow": [50.0, 50.0, 40.0, 20.0], "ideal": [100.0, 80.0, 40.0, 20.0]}
    assert main_job.normalized([1, 2, 4, 8], curves) == [0.25, 0.5, 1.0, 2.0]


def test_verdicts() -> None:
    def row(measured: float, note: str = "") -> str:
        return comparison.Row("f", "q", "u", 100.0, measured, 0.05, note).verdict

    assert row(104.9) == "match"
    assert row(106.0) == "differs"
    assert row(106.0, "because") == "explained"


def test_comparison_keeps_every_row(tmp_path: Path) -> None:
    rows = [comparison.Row("f", "q", "u", 1.0, 2.0, 0.1), comparison.Row("f", "p", "u", 1.0, 1.0, 0.1)]
    comparison.write(tmp_path / "c.csv", rows)
    lines = (tmp_path / "c.csv").read_text().splitlines()
    assert lines[0] == "figure,quantity,unit,published,measured,ratio,tolerance,verdict,note"
    assert [line.split(",")[7] for line in lines[1:]] == ["differs", "match"]


def test_order_in_words_shows_its_values() -> None:
    row = po2_statements.order("figure 1", "a < b < c", [99.6, 100.4, 200.0])
    assert (row.quantity, row.verdict) == ("a < b < c (100 < 100 < 200)", "match")
    assert po2_statements.order("figure 1", "a < b", [2.0, 2.0]).quantity == "a < b (2 < 2)"
    assert po2_statements.order("figure 1", "a < b", [2.0, 2.0]).verdict == "differs"


def test_order_may_fall_by_noise_only() -> None:
    def row(values: list[float], noise: float) -> po2_statements.Row:
        points = [SimpleNamespace(value=value) for value in values]
        return po2_statements.order_beyond_noise("f", "a < b", lambda f: f.value, lambda _: noise, points)

    assert row([1.0, 2.0], 5.0).verdict == "match"
    assert row([2.0, 1.9], 0.1).verdict == "explained"
    assert row([2.0, 1.7], 0.1).verdict == "differs"
    assert row([2.0, 1.9, 1.0], 0.1).verdict == "differs"


def test_order_at_every_load_names_where_it_fails() -> None:
    values = {0.2: [1.0, 2.0], 0.4: [4.0, 3.0]}
    row = po2_statements.at_every_load("figure 1", "a < b", [0.2, 0.4], values.__getitem__)
    assert (row.quantity, row.verdict) == ("a < b, u = 0.2 to 0.4; not at u = 0.4: 4, 3", "differs")
    assert po2_statements.at_every_load("figure 1", "a < b", [0.2], values.__getitem__).verdict == "match"


def write_include(root: Path, folder: str, included: str) -> None:
    (root / folder).mkdir(parents=True, exist_ok=True)
    (root / folder / "planted.cpp").write_text(f'#include "{included}/some.h"\n#include <vector>\n')


def test_folder_check_finds_an_arrow_down(tmp_path: Path) -> None:
    write_include(tmp_path, "routing/base", "models/engine")
    write_include(tmp_path, "models/fabric", "routing/base")
    assert check_folders.violations(tmp_path) == [
        "routing/base/planted.cpp includes models/engine/some.h: routing/base may not use models/engine"
    ]
    assert check_folders.violations(ROOT) == []


@pytest.mark.parametrize("folder", [f for f, used in check_folders.MAY_USE.items() if used])
def test_folder_check_finds_a_circle_in_each_folder(tmp_path: Path, folder: str) -> None:
    other = next(f for f in check_folders.MAY_USE[folder] if f != folder)
    write_include(tmp_path, folder, other if folder != "tb" else "models/engine")
    write_include(tmp_path, other if folder != "tb" else "models/engine", folder)
    assert any(line.startswith("circle of folders: ") for line in check_folders.violations(tmp_path))


def test_folder_check_knows_no_family_that_uses_a_family(tmp_path: Path) -> None:
    write_include(tmp_path, "models/families/po2", "models/families/hybrid")
    assert len(check_folders.violations(tmp_path)) == 1


def test_counts() -> None:
    assert gates.ctest_counts("98% tests passed, 4 tests failed out of 194") == (190, 4)
    assert gates.ctest_counts("no summary") == (0, 1)
    assert gates.pytest_counts("...\n5 passed, 1 failed in 0.1s") == (5, 1)


def test_lockstep_stops_at_the_first_point_that_differs(tmp_path: Path) -> None:
    program = tmp_path / "lockstep"
    program.write_text(
        """#!/bin/sh
        echo "$2 ran"; echo "cover probes 5"; echo "$*" >> $0.log
        [ $2 != bad ] || { echo "cycle 7 differs" >&2; exit 1; }
        """
    )
    program.chmod(0o755)
    runs = rtl_lockstep.Runs(program, tmp_path, seed=3)
    for point in ("good", "bad", "never"):
        runs.run(point, 100)
    assert (runs.failed, runs.cycles, runs.cover["probes"]) == (1, 100, 10)
    log = (tmp_path / "lockstep.log").read_text().splitlines()
    assert log == [
        f"--point {point} --cycles 100 --seed 3 --cover --wave {tmp_path}/lockstep_{point}.fst"
        for point in ("good", "bad")
    ]


def test_contention_counts_streams_and_items_of_the_most_loaded_link() -> None:
    layout = {"a": 0, "b": 2, "c": 6, "d": 9}
    edges = [{"from": "a", "to": "b", "push": 4}, {"from": "a", "to": "c"}, {"from": "d", "to": "b", "push": 5}]
    # X first: a to b and a to c share 0 -> 1 -> 2; d goes 9 -> 10 -> 6 -> 2 alone.
    assert tentacle.contention(layout, edges) == tentacle.Contention(streams=2, items=5)


def test_a_move_is_a_swap_or_takes_a_free_tile() -> None:
    layout = {"a": 0, "b": 1, "c": 2}
    rng = tentacle.random.Random(1)
    for _ in range(200):
        layout = tentacle.moved(layout, rng)
        assert len(set(layout.values())) == 3

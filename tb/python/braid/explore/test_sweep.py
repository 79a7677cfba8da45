"""braid sweep and braid.sweep: points, store, failures, interrupts, searches, results."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import braid
import pytest
from braid.explore import sweep_command
from braid.explore.database import Database, Row
from braid.explore.rows import figures_of
from braid_tools.program import BRAID, ROOT, bare_environment
from small_mesh import MESH, RATE, Braid, environment


def rows_in(store: Path) -> list[tuple[object, ...]]:
    with Database(store, must_exist=True) as kept:
        return [(row.varied[RATE], row.seed, row.status, (row.results or {}).get("packet_hash")) for row in kept]


def test_a_sweep_prints_a_table_and_writes_a_plot_and_a_store(mesh: Path, braid_here: Braid) -> None:
    done = braid_here("sweep", mesh, "--vary", f"{RATE}=0.1:0.2:0.1", "--vary", "router.vcs=1,2", "--seeds", 2)
    lines = [line.split() for line in done.stdout.splitlines()]
    usual = ["vcs", "rate_flits_per_node_cycle", "seeds", "offered", "accepted", "latency"]
    assert lines[0] == [*usual, "energy.pj_per_flit", "area.um2"]
    assert [line[:3] for line in lines[2:6]] == [
        ["1", "0.1", "2"],
        ["1", "0.2", "2"],
        ["2", "0.1", "2"],
        ["2", "0.2", "2"],
    ]
    assert done.stdout.splitlines()[-1] == "store: mesh.sqlite; plot: mesh.png"
    assert mesh.with_suffix(".png").read_bytes()[:4] == b"\x89PNG"
    with Database(mesh.with_suffix(".sqlite"), must_exist=True) as kept:
        rows = list(kept)
    assert len(rows) == 8
    one = next(row for row in rows if row.varied == {RATE: 0.2, "router.vcs": 1} and row.seed == 2)
    own = braid.run(braid.Experiment(mesh).with_(router__vcs=1, experiment__seed=2, **{RATE.replace(".", "__"): 0.2}))
    assert one.results is not None
    assert one.results["packet_hash"] == own.packet_hash
    assert one.configuration == own.to_dict()["configuration"]


def test_what_designs_cost_stands_beside_them(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    """Where one is larger than another; over loads alone it would be the same in every line. A study chooses."""

    def table(*words: object) -> list[list[str]]:
        lines = braid_here(*words).stdout.splitlines()
        return [line.split() for line in lines if line.strip() and not line.startswith(("-", "─", " ─"))]

    head, one, two, *_ = table("sweep", mesh, "--vary", "router.vcs=1,2", "--plot", "-")
    assert head[-2:] == ["energy.pj_per_flit", "area.um2"]
    with Database(tmp_path / "mesh.sqlite") as kept:
        figures = {row.varied["router.vcs"]: figures_of(row.results or {}) for row in kept}
    for line, vcs in ((one, 1), (two, 2)):
        assert line[0] == str(vcs)
        assert line[-2:] == [f"{figures[vcs][name]:.5g}" for name in ("energy.pj_per_flit", "area.um2")]
    assert table("results", "mesh.sqlite")[:3] == [head, one, two]
    head, *_ = table("results", "mesh.sqlite", "--columns", "area.um2")
    assert head == ["vcs", "area.um2"]
    head, *_ = table("sweep", mesh, "--vary", f"{RATE}=0.1,0.2", "--store", "loads.sqlite", "--plot", "-")
    assert head[-1] == "latency"
    study = tmp_path / "study.toml"
    study.write_text('experiment = "mesh.toml"\ncolumns = ["energy.power_mw", "hops"]\n[vary]\nrouter.vcs = [1, 2]\n')
    head, *_ = table("sweep", study, "--store", "mesh.sqlite", "--plot", "-")
    assert head == ["vcs", "energy.power_mw", "hops"]
    head, *_ = table("sweep", study, "--store", "mesh.sqlite", "--plot", "-", "--columns", "hops, area.um2")
    assert head == ["vcs", "hops", "area.um2"], "the command line goes before the study"
    wrong = braid_here("sweep", study, "--store", "none.sqlite", "--columns", "hoops", status=2).stderr
    assert wrong == 'braid: --columns: no figure is called "hoops" (did you mean "hops"?)\n'
    study.write_text(study.read_text().replace("hops", "hoops"))
    wrong = braid_here("sweep", study, "--store", "none.sqlite", status=2).stderr
    assert wrong == 'braid: study.toml:2:1: no figure is called "hoops" (did you mean "hops"?)\n'.replace(
        "study.toml", str(study)
    )
    assert not (tmp_path / "none.sqlite").exists(), "nothing was begun"


def test_the_command_of_a_row_gives_its_figures(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    braid_here("sweep", mesh.name, "--vary", f"{RATE}=0.15", "--vary", "routing.algorithm=y_first", "--plot", "-")
    with Database(tmp_path / "mesh.sqlite", must_exist=True) as kept:
        [row] = kept
    path = f"{BRAID.absolute().parent}:{os.environ['PATH']}"
    again = subprocess.run(
        f"{row.command} --quiet --json -",
        shell=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
    )
    assert json.loads(again.stdout)["packet_hash"] == row.results["packet_hash"]


def test_what_is_stored_does_not_run_again(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    braid_here("sweep", mesh, "--vary", f"{RATE}=0.1", "--plot", "-")
    [(*_, hash_of_first)] = rows_in(tmp_path / "mesh.sqlite")
    with sqlite3.connect(tmp_path / "mesh.sqlite") as c:
        c.execute("UPDATE points SET host = 'somewhere else'")
    braid_here("sweep", mesh, "--vary", f"{RATE}=0.1,0.2", "--plot", "-")
    with Database(tmp_path / "mesh.sqlite") as kept:
        assert [row.host == "somewhere else" for row in kept] == [True, False]
    mesh.write_text(MESH.replace("vcs = 2", "vcs = 3"))
    braid_here("sweep", mesh, "--vary", f"{RATE}=0.1", "--plot", "-")
    assert len(rows_in(tmp_path / "mesh.sqlite")) == 3, "another configuration is another point"
    assert hash_of_first


def test_a_point_that_fails_keeps_why_and_how(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    """A torus without an escape would lock up: Braid refuses it, and runs the others."""
    vary = [
        "--vary",
        "topology.kind=mesh,torus",
        "--vary",
        "router.vcs=1",
        "--vary",
        "routing.algorithm=minimal_adaptive,x_first",
    ]
    done = braid_here("sweep", mesh, *vary, "--plot", "-")
    assert "failed: " in done.stderr
    results = braid_here("results", "mesh.sqlite", "--where", 'status == "failed"')
    assert "needs router.vcs >= " in results.stdout
    assert "--set 'topology.kind=\"torus\"'" in results.stdout
    with Database(tmp_path / "mesh.sqlite") as kept:
        before = {row.key: row.finished + str(row.seconds) for row in kept}
    braid_here("sweep", mesh, *vary, "--plot", "-", "--retry-failed")
    with Database(tmp_path / "mesh.sqlite") as kept:
        changed = {row.status for row in kept if before[row.key] != row.finished + str(row.seconds)}
    assert changed == {"failed"}, "points that were good did not run again"


def test_limits_of_a_point(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    long = ["--set", "simulation.measure_cycles=1000000000", "--plot", "-"]
    done = braid_here("sweep", mesh, *long, "--time-limit", 0.5, status=1)
    assert "took more than 0.5 s (--time-limit)" in done.stderr
    done = braid_here("sweep", mesh, "--set", "topology.width=400", "--memory-limit", 60, "--plot", "-", status=1)
    assert "--memory-limit 60" in done.stderr


def test_a_point_stored_a_moment_before_the_interrupt_is_told(
    mesh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stores = Database.keep

    def stores_then_interrupted(kept: Database, row: Row) -> None:
        stores(kept, row)
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Database, "keep", stores_then_interrupted)
    line = [mesh.name, "--vary", f"{RATE}=0.1:0.3:0.1", "--plot", "-", "--workers", "1", "--quiet"]
    assert sweep_command.main(line) == 130
    assert "interrupted: 1 of 3 points are in mesh.sqlite" in capsys.readouterr().err


def test_an_interrupt_leaves_a_store_that_goes_on(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    mesh.write_text(MESH.replace("measure_cycles = 2000", "measure_cycles = 60000"))
    words = ["sweep", mesh.name, "--vary", f"{RATE}=0.05:0.2:0.01", "--plot", "-", "--workers", "2"]
    process = subprocess.Popen(
        [str(BRAID.absolute()), *words], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    )
    store = tmp_path / "mesh.sqlite"
    try:
        end = time.monotonic() + 30
        while time.monotonic() < end and (not store.exists() or not stored(store)):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    kept = rows_in(store)
    assert 0 < len(kept) < 16
    assert {status for *_, status, _ in kept} == {"done"}
    assert f"interrupted: {len(kept)} of 16 points are in mesh.sqlite" in errors
    mesh.write_text(MESH)
    braid_here("sweep", mesh.name, *words[2:], "--set", "simulation.measure_cycles=60000")
    assert rows_in(store)[: len(kept)] == kept
    assert len(rows_in(store)) == 16


def stored(store: Path) -> int:
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as c:
            return c.execute("SELECT count(*) FROM points").fetchone()[0]
    except sqlite3.Error:
        return 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--vary", "router.vcz=1,2"], 'unknown key in [router] "vcz" (did you mean "vcs"?)'),
        (["--vary", "router.vcs=9:1:1"], "--vary router.vcs: 9:1:1 is empty"),
        (["--vary", "vcs=1"], "--vary vcs=1: expected section.key="),
        (["--vary", "router.vcs=1", "--vary", "router.vcs=2"], "router.vcs varies twice"),
        (["--only", "router.vcz > 1"], 'nothing is called "router.vcz"'),
        (["--seeds", "0"], "expected a whole number from 1 on"),
        (["--sedes", "2"], "unrecognized arguments: --sedes 2"),
        (["--workers", "1", "--scheduler", "tcp://127.0.0.1:1"], "expected one of the two"),
        (["--saturation", "--points", "3"], "expected one of the two searches"),
        (["--store", "mesh.toml"], "mesh.toml: is no store of results"),
        (["--set", "router.vcs"], "expected section.key=value"),
    ],
)
def test_bad_input_is_one_line_and_loses_nothing(
    mesh: Path, braid_here: Braid, tmp_path: Path, words: list[str], message: str
) -> None:
    done = braid_here("sweep", mesh, *words, "--plot", "-", status=2)
    assert done.stdout == ""
    assert done.stderr.startswith("braid: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert mesh.read_text() == MESH
    with sqlite3.connect(tmp_path / "mesh.sqlite") as c:
        assert c.execute("SELECT count(*) FROM sqlite_master WHERE name = 'x'").fetchone()[0] == 0


def test_a_file_that_is_not_there(braid_here: Braid) -> None:
    assert "nowhere.toml: cannot be read" in braid_here("sweep", "nowhere.toml", status=2).stderr


def test_from_python_it_is_a_table(mesh: Path, tmp_path: Path) -> None:
    table = braid.sweep(mesh, {RATE: [0.1, 0.2]}, seeds=2, store=tmp_path / "s.sqlite", progress=False)
    assert list(table[RATE]) == [0.1, 0.1, 0.2, 0.2]
    assert list(table["seed"]) == [1, 2, 1, 2]
    own = braid.run(braid.Experiment(mesh).with_({RATE: 0.2}))
    assert table["latency"][2] == own.latency
    assert table["latency.half_width_95"][2] == own.latency.half_width
    again = braid.sweep(mesh, {RATE: [0.1, 0.2]}, seeds=2, store=tmp_path / "s.sqlite", progress=False)
    assert again.equals(table)


def test_a_table_has_every_figure_of_a_result(mesh: Path) -> None:
    result = braid.run(mesh)
    series = result.to_series().to_dict()
    figures = figures_of(result.to_dict())
    missing = set(series) - set(figures)
    assert not missing
    assert {name: figures[name] for name in series} == pytest.approx(series, nan_ok=True)


def test_saturation_is_found_by_the_runs_own_verdict(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    words = ["--vary", f"{RATE}=0.05:1:0.05", "--vary", "router.vcs=1,2"]
    done = braid_here("sweep", mesh, *words, "--saturation", "--plot", "-")
    assert "do not say `saturated`" in done.stdout, "the definition is printed"
    assert "bisection" in done.stdout
    table = braid.sweep(
        mesh, {RATE: "0.05:1:0.05", "router.vcs": [1, 2]}, saturation=True, store=tmp_path / "mesh.sqlite"
    )
    assert list(table["router.vcs"]) == [1, 2]
    assert table["saturation"][0] < table["saturation"][1]
    for _, found in table.iterrows():
        assert 0 < found["saturated"] - found["carried"] <= 0.01 * found["saturated"]
        assert found["knee"] < found["carried"]
        at = {RATE.replace(".", "__"): found["carried"], "router__vcs": int(found["router.vcs"])}
        assert not braid.run(braid.Experiment(mesh).with_(**at)).saturated
        at[RATE.replace(".", "__")] = found["saturated"]
        assert braid.run(braid.Experiment(mesh).with_(**at)).saturated


def test_adaptive_points_lie_where_the_curve_bends(mesh: Path) -> None:
    table = braid.sweep(mesh, {RATE: [0.02, 1.0]}, points=10, progress=False)
    good = sorted(table[RATE][~table["saturated"]])
    assert len(table) == 10
    assert len(good) >= 6
    assert good[-1] - good[-2] < (good[-1] - good[0]) / 8


def test_results_are_filtered_and_exported(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    braid_here("sweep", mesh, "--vary", f"{RATE}=0.1,0.2", "--seeds", 2, "--plot", "-")
    done = braid_here("results", "mesh.sqlite", "--where", f"{RATE} > 0.15 and seed == 2", "--columns", "hops,latency")
    assert done.stdout.splitlines()[0].split() == ["rate_flits_per_node_cycle", "hops", "latency"]
    assert "1 results of 1 configurations, 0 failed" in done.stdout
    csv = braid_here("results", "mesh.sqlite", "--csv", "-").stdout.splitlines()
    assert len(csv) == 5
    assert csv[0].startswith(f"{RATE},seed,status,")
    rows = json.loads(braid_here("results", "mesh.sqlite", "--json", "-", "--where", "seed == 1").stdout)
    assert [row[RATE] for row in rows] == [0.1, 0.2]
    braid_here("results", "mesh.sqlite", "--parquet", "all.parquet", "--quiet")
    import pandas as pd

    assert len(pd.read_parquet(tmp_path / "all.parquet")) == 4
    assert "holds for none" in braid_here("results", "mesh.sqlite", "--where", "seed == 9").stdout
    wrong = braid_here("results", "mesh.sqlite", "--columns", "latenzy", status=2)
    assert 'no figure is called "latenzy" (did you mean "latency"?)' in wrong.stderr
    assert "expected a store of braid sweep" in braid_here("results", mesh, status=2).stderr


def test_an_option_is_declared_once(braid_here: Braid) -> None:
    """The program's table, which completion and the manual have, and the parsers of Python name the same options."""
    from importlib import import_module

    from braid.explore.command_line import COMMANDS

    of_all = {line.split("\t")[0] for line in braid_here("complete-words", "nothing", "--").stdout.splitlines()}
    manual = braid_here("--help").stdout
    for command, module in COMMANDS.items():
        parser = import_module(module).arguments()
        known = {o for action in parser._actions for o in action.option_strings if o.startswith("--")}
        offered = {line.split("\t")[0] for line in braid_here("complete-words", command, "--").stdout.splitlines()}
        assert offered - of_all == known - of_all, command
        assert f"braid {command} " in manual
        help_text = braid_here(command, "--help").stdout
        assert all(option in help_text for option in known)
    words = {line.split("\t")[0] for line in braid_here("complete-words", "").stdout.splitlines()}
    assert set(COMMANDS) <= words


def test_a_command_behind_its_options(mesh: Path, braid_here: Braid) -> None:
    done = braid_here("--quiet", "sweep", mesh, status=2)
    assert done.stderr == "braid: expected the command first, its options behind it; see braid --help\n"


def test_without_the_package_it_says_what_is_missing(mesh: Path, tmp_path: Path) -> None:
    """The program alone, where no Python package lies beside it."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "braid"
    program.write_bytes(BRAID.read_bytes())
    program.chmod(0o755)
    env = bare_environment() | {"BRAID_PYTHON": "/usr/bin/python3"}
    done = subprocess.run([program, "sweep", mesh], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("braid: sweep needs the Python package braid: pip install braid-interconnect")
    done = subprocess.run(
        [program, "sweep", mesh], capture_output=True, text=True, env={**env, "BRAID_PYTHON": "/none"}, cwd=tmp_path
    )
    assert done.returncode == 1
    assert (
        done.stderr == "braid: sweep is a command of Python, and /none cannot be started: No such file or directory\n"
    )


def test_points_run_by_the_program_that_was_started(mesh: Path, tmp_path: Path) -> None:
    """Of a source tree with another build, whose Python is the one of .venv."""
    program = tmp_path / "build" / "other" / "braid"
    program.parent.mkdir(parents=True)
    program.write_bytes(BRAID.read_bytes())
    program.chmod(0o755)
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").write_text(
        f'#!/bin/sh\necho the own Python >&2\nexec {sys.executable} "$@"\n'
    )
    (tmp_path / ".venv" / "bin" / "python").chmod(0o755)
    done = subprocess.run(
        [program, "sweep", mesh, "--plot", "-"],
        capture_output=True,
        text=True,
        env=bare_environment() | {"PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "the own Python\n")
    assert stored(tmp_path / "mesh.sqlite") == 1

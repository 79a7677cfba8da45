"""braid.run and run_many: the program's figures, with units and intervals, here and side by side."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import braid
import pytest
from braid import native
from braid.running import run_by_program
from braid_tools.program import ROOT

SHORT = {"simulation__measure_cycles": 2000, "simulation__batch_cycles": 500, "simulation__min_warmup_cycles": 500}
EXPERIMENTS = ROOT / "tb" / "experiments"


def small(rate: float = 0.2, **more: object) -> braid.Experiment:
    return braid.mesh(4, 4, rate=rate, **SHORT, **more)


def without_time(result: braid.Result) -> dict[str, object]:
    return {name: value for name, value in result.to_dict().items() if name != "wall_seconds"}


@pytest.mark.parametrize("name", ["mesh_adaptive", "fm_radio", "irregular", "tree_sat", "broadcast"])
def test_a_run_in_this_process_has_the_programs_figures(name: str) -> None:
    shorter = {"simulation.measure_cycles": 2000, "simulation.batch_cycles": 1000, "simulation.max_warmup_cycles": 3000}
    experiment = braid.Experiment(EXPERIMENTS / f"{name}.toml").with_(shorter | {"simulation.min_warmup_cycles": 1000})
    assert without_time(braid.run(experiment)) == without_time(run_by_program(experiment))


def test_two_runs_in_a_process_do_not_meet() -> None:
    first, second = braid.run(small()), braid.run(small(0.4))
    assert first.packet_hash != second.packet_hash
    assert braid.run(small()).packet_hash == first.packet_hash


def test_figures_have_unit_and_interval() -> None:
    result = braid.run(small())
    low, high = result.latency.interval
    assert low < result.latency.mean < high
    assert (low + high) / 2 == pytest.approx(result.latency.mean)
    assert result.latency.unit == "cycles"
    assert result.accepted.unit == result.offered.unit == "flits/node/cycle"
    assert str(result.latency).endswith(" cycles")
    assert result.latency == result["classes"][0]["packet_latency_cycles"] == result.classes[0].packet_latency
    assert result.classes[0].packet_latency_distribution.p99.unit == "cycles"
    assert result.conservation.holds is True
    assert "creation to delivery" in result.classes[0].meaning("packet_latency_cycles")
    with pytest.raises(AttributeError, match="no figure is called latencies"):
        _ = result.latencies


def test_a_result_is_a_table_in_a_terminal_and_in_a_notebook() -> None:
    result = braid.run(small())
    assert repr(result).splitlines()[0] == "mesh_4x4: steady"
    assert f"packets.packet_latency_cycles {result.latency}" in " ".join(repr(result).split())
    assert result._repr_html_().count("<tr") == sum(1 for _ in result.rows()) + 1
    assert pickle.loads(pickle.dumps(result)).latency == result.latency


def test_what_needs_systemc_runs_by_the_program() -> None:
    modules = small().with_(simulation__schedule="process_per_stage")
    assert braid.run(modules).packet_hash == braid.run(small()).packet_hash


def test_a_deadlock_has_its_result() -> None:
    with pytest.raises(braid.DeadlockError, match="deadlock") as caught:
        braid.run(EXPERIMENTS / "deadlock.toml")
    assert caught.value.result.verdict.what == "deadlock"


def test_an_experiment_that_cannot_work_is_refused_with_its_place() -> None:
    with pytest.raises(braid.InputError, match="nothing to send"):
        braid.run({"topology": {"width": 2}})
    with pytest.raises(braid.InputError, match=r"needs router\.vcs >= 3"):
        braid.run(braid.torus(4, 4, routing="minimal_adaptive", vcs=1, rate=0.1))


def test_many_runs_are_a_table(tmp_path: Path) -> None:
    rates = [0.05, 0.1, 0.2]
    results = braid.run_many([small(rate) for rate in rates], store=tmp_path)
    table = results.to_pandas()
    assert list(table["traffic.rate_flits_per_node_cycle"]) == rates
    assert list(table["packets.packet_latency_cycles"]) == [r.latency.mean for r in results]
    assert results[1].packet_hash == braid.run(small(0.1)).packet_hash
    assert len(list(tmp_path.glob("*.json"))) == 3


def test_what_is_stored_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    braid.run_many([small(0.1)], store=tmp_path)
    started = []
    monkeypatch.setattr(braid.running, "run_by_program", lambda e: started.append(e) or run_by_program(e))
    assert len(braid.run_many([small(0.1), small(0.2), small(0.1)], store=tmp_path)) == 3
    assert [e["traffic.rate_flits_per_node_cycle"] for e in started] == [0.2]
    braid.run_many([small(0.1).with_(experiment__seed=2)], store=tmp_path)
    assert len(started) == 2, "another seed is another run"


def test_one_that_braid_refuses_leaves_the_others(tmp_path: Path) -> None:
    bad = {"topology": {"width": 2, "height": 2}}
    results = braid.run_many([small(0.1), bad], progress=False)
    assert isinstance(results[1], braid.Failure)
    assert isinstance(results[1].error, braid.InputError)
    assert results[0].packet_hash
    assert "nothing to send" in results.to_pandas()["error"][1]


LONG = """
import braid, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests in the background has it ignored
print("begins", flush=True)
try:
    long = braid.mesh(8, 8, rate=0.3, simulation__measure_cycles=10**9)
    modules = long.with_(simulation__schedule='process_per_stage')
    {call}
except KeyboardInterrupt:
    sys.exit(7)
"""


def children_in(folder: Path) -> list[int]:
    """Processes of the program that run in this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "comm").read_text() == "braid\n" and (process / "cwd").resolve() == folder.resolve():
                found.append(int(process.name))
        except OSError:
            pass  # it has ended, or is somebody else's
    return found


def started(call: str, folder: Path) -> subprocess.Popen[str]:
    """A process that has begun with the call."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    command = [sys.executable, "-c", LONG.format(call=call)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder)
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    return process


def ended(process: subprocess.Popen[str], folder: Path) -> None:
    """Whatever has happened, nothing runs on."""
    process.kill()
    process.wait()
    for child in children_in(folder):
        os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize(
    ("call", "has_children"),
    [
        ("braid.run(long)", False),
        ("braid.run_many([long] * 3)", True),
        ("braid.run(modules)", True),
        ("braid.Network(long).step(10**12)", False),
    ],
)
def test_an_interrupt_ends_runs_cleanly(call: str, has_children: bool, tmp_path: Path) -> None:
    process = started(call, tmp_path)
    try:
        time.sleep(1.5)
        assert bool(children_in(tmp_path)) == has_children
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 7
        assert children_in(tmp_path) == []
        assert not list(tmp_path.iterdir())
    finally:
        ended(process, tmp_path)


def soon(holds: Callable[[], bool]) -> bool:
    """Does it hold within twenty seconds?"""
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


@pytest.mark.parametrize("call", ["braid.run(modules)", "braid.run_many([long] * 3)"])
def test_a_process_that_is_killed_leaves_no_file_and_no_run(call: str, tmp_path: Path) -> None:
    """The experiment of a run by the program is in no file, and the program ends with whoever waits for it."""
    process = started(call, tmp_path)
    try:
        assert soon(lambda: bool(children_in(tmp_path)))
        process.kill()
        process.wait()
        assert soon(lambda: not children_in(tmp_path))
        assert not list(tmp_path.iterdir())
    finally:
        ended(process, tmp_path)


@pytest.mark.parametrize("waited_for", [False, True])
def test_a_program_whose_starter_has_ended_before_it_begins_ends(waited_for: bool, tmp_path: Path) -> None:
    """Killed between the start of a run and the run's wish to be told; nobody may have waited for it yet."""
    starter = subprocess.Popen(["sleep", "60"])
    starter.kill()
    os.waitid(os.P_PID, starter.pid, os.WEXITED | os.WNOWAIT)
    if waited_for:
        starter.wait()
    command = [native.program(), "list", "topologies"]
    done = subprocess.run(command, env={**os.environ, "BRAID_STARTED_BY": str(starter.pid)}, capture_output=True)
    starter.wait()
    assert done.returncode == 130
    assert done.stdout == b""


def test_the_module_is_the_program() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    done = subprocess.run([sys.executable, "-m", "braid", "--version"], capture_output=True, text=True, env=environment)
    assert done.stdout == "braid 0.1.0\n"


def test_results_of_the_program_are_read(tmp_path: Path) -> None:
    text = json.dumps(braid.run(small()).to_dict())
    assert braid.Result.from_json(text).latency.unit == "cycles"

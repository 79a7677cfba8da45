"""`braid run --seeds N`: each seed's figures are those of a run of its own, intervals are Student's over the seeds."""

import json
import math
import os
import signal
import statistics
import subprocess
import time
from pathlib import Path

import pytest
from braid_tools.program import BRAID, ROOT, braid

MESH = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
SHORT = ["--set", "topology.width=3", "--set", "topology.height=3", "--set", "simulation.measure_cycles=2000"]
T_OF_THREE = 3.182446305  # exceeded by |T| of three degrees of freedom in 5 % of all cases


def test_intervals_are_over_the_runs_of_the_seeds(tmp_path: Path) -> None:
    told = tmp_path / "seeds.json"
    braid("run", MESH, *SHORT, "--seeds", "4", "--quiet", "--json", told)
    document = json.loads(told.read_text())
    first = document["seeds"][0]
    assert document["seeds"] == [first, first + 1, first + 2, first + 3]
    latencies, percentiles = [], []
    for seed in document["seeds"]:
        alone = tmp_path / f"{seed}.json"
        braid("run", MESH, *SHORT, "--set", f"experiment.seed={seed}", "--quiet", "--json", alone)
        packets = json.loads(alone.read_text())["classes"][0]
        latencies.append(packets["packet_latency_cycles"]["mean"])
        percentiles.append(packets["packet_latency_distribution_cycles"]["p99"])
    for figure, values in (
        ("classes[packets].packet_latency_cycles", latencies),
        ("classes[packets].packet_latency_distribution_cycles.p99", percentiles),
    ):
        over = document["figures"][figure]
        assert over["values"] == values
        assert over["mean"] == pytest.approx(statistics.fmean(values))
        assert over["half_width_95"] == pytest.approx(T_OF_THREE * statistics.stdev(values) / math.sqrt(4))
    assert "wall_seconds" not in document["figures"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seeds", "1"], "--seeds 1: expected integer, 2 to 100000"),
        (["--seeds", "2", "--draw", "x.svg"], "each seed would write --draw x.svg"),
        (["--seeds", "2", "--set", "experiment.seed=5"], "each seed would have experiment.seed=5"),
        (["--seeds", "2", "--log", "x.csv"], 'each seed would have log.file="x.csv"; expected without'),
        (["--seeds", "2", "--trace", "x.vcd"], 'each seed would have trace.file="x.vcd"; expected without'),
        (["--seeds", "2", "--watch", "source=1"], 'each seed would have watch.what="source=1"; expected without'),
        (["--seeds", "2", "--checkpoint", "x"], 'each seed would have checkpoint.file="x"; expected without'),
        (["--seeds", "2", "--from", "x"], 'each seed would have checkpoint.from="x"; expected without'),
    ],
)
def test_what_seeds_cannot_share_is_refused(arguments: list[str], says: str, tmp_path: Path) -> None:
    command = [str(BRAID.absolute()), "run", str(MESH), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert says in done.stderr
    assert not list(tmp_path.iterdir())


def test_standard_input_is_read_once() -> None:
    command = [str(BRAID.absolute()), "run", "-", "--seeds", "2"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "braid: --seeds: standard input is read once; expected an experiment's file\n"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(BRAID.absolute()), "run", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "200"})


#: Its warm-up ends before it is steady, under every seed; --strict is about that.
UNSTEADY = [*SHORT, "--set", "simulation.max_warmup_cycles=2000"]


def test_the_table_says_what_the_document_says(tmp_path: Path) -> None:
    """Load, latency and percentiles of each class; each warning with the number of seeds under which it came."""
    told = tmp_path / "seeds.json"
    done = run(MESH, *UNSTEADY, "--seeds", "3", "--json", told)
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(told.read_text())
    assert document["saturated"] == [False] * 3
    assert [len({w["code"] for w in warnings}) for warnings in document["warnings"]] == [
        len(warnings) for warnings in document["warnings"]
    ], "each once"
    count: dict[str, int] = {}
    for warnings in document["warnings"]:
        for warning in warnings:
            name = f"{warning['code']} ({warning['place']})"
            count[name] = count.get(name, 0) + 1
    assert count["unsteady (run)"] == 3
    lines = done.stdout.splitlines()
    assert lines[0] == "mesh_uniform: 3 seeds"
    assert lines[1 : 1 + len(count)] == [f"{name} under {times} seeds" for name, times in sorted(count.items())]
    figures = document["figures"]
    shown = [
        name
        for name in sorted(figures)
        if name.startswith("classes[") and any(word in name for word in ("accepted_flits", "offered_flits", "latency"))
    ]
    assert lines[1 + len(count) :] == [
        f"  {name:<62} {figures[name]['mean']:.6g} ± {figures[name]['half_width_95']:.3g}" for name in shown
    ]
    assert any(name.endswith(".p99_9") for name in shown)


def test_every_number_of_a_run_is_a_figure(tmp_path: Path) -> None:
    """But those by link or node, those that all seeds have alike, and intervals within a run."""
    told, alone = tmp_path / "seeds.json", tmp_path / "alone.json"
    assert run(MESH, *SHORT, "--seeds", "2", "--quiet", "--json", told).stdout == ""
    document = json.loads(told.read_text())
    first = document["seeds"][0]
    braid("run", MESH, *SHORT, "--set", f"experiment.seed={first}", "--quiet", "--json", alone)
    of_run = json.loads(alone.read_text())
    assert document["configuration"] == of_run["configuration"]

    def numbers(value: object, path: str) -> dict[str, float]:
        if isinstance(value, bool) or not isinstance(value, int | float | dict | list):
            return {}
        if isinstance(value, int | float):
            return {path: value}
        if isinstance(value, list):
            named = value if all(isinstance(one, dict) and "name" in one for one in value) else []
            return {k: v for one in named for k, v in numbers(one, f"{path}[{one['name']}]").items()}
        if "half_width_95" in value:
            return {path: value["mean"]}
        left_out = "configuration", "links", "node_links", "seed", "schema", "wall_seconds"
        left_out += ("packet_latency_percentile_intervals_cycles",)
        return {
            k: v
            for key, inner in value.items()
            if key not in left_out
            for k, v in numbers(inner, f"{path}.{key}" if path else key).items()
        }

    expected = numbers(of_run, "")
    assert len(expected) > 40
    assert {name: figure["values"][0] for name, figure in document["figures"].items()} == expected


def test_two_values_have_the_interval_of_one_degree_of_freedom(tmp_path: Path) -> None:
    told = tmp_path / "seeds.json"
    run(MESH, *SHORT, "--seeds", "2", "--quiet", "--json", told)
    for figure in json.loads(told.read_text())["figures"].values():
        a, b = figure["values"]
        assert figure["mean"] == pytest.approx((a + b) / 2)
        assert figure["half_width_95"] == pytest.approx(12.7062047364 * abs(a - b) / 2)


def test_strict_is_about_the_runs(tmp_path: Path) -> None:
    assert run(MESH, *UNSTEADY, "--seeds", "2", "--quiet").returncode == 0
    assert run(MESH, *UNSTEADY, "--seeds", "2", "--quiet", "--strict").returncode == 4
    saturated = [*SHORT, "--set", "simulation.max_drain_cycles=0"]
    done = run(MESH, *saturated, "--seeds", "2")
    assert done.stdout.startswith("mesh_uniform: 2 seeds, 2 saturated\n")


def test_the_first_run_that_fails_is_named() -> None:
    """A deadlock ends a run with 3; its seed is the experiment's own."""
    done = run(ROOT / "tb" / "experiments" / "deadlock.toml", "--seeds", "2", "--quiet")
    assert (done.returncode, done.stdout) == (1, "")
    seed = done.stderr.split("under seed ")[1].split()[0]
    assert done.stderr == (
        f"braid: --seeds: the run under seed {seed} ended with status 3; braid run --set experiment.seed={seed} "
        "says why\n"
    )


def test_bad_input_of_a_run_is_bad_input() -> None:
    refused = ["--set", 'simulation.engine="planes"', "--set", "router.buffer_bypass=true"]
    alone = run(MESH, *refused, "--quiet")
    done = run(MESH, *refused, "--seeds", "2", "--quiet")
    assert (alone.returncode, done.returncode, done.stdout) == (2, 2, "")
    assert "ended with status 2; braid run --set experiment.seed=" in done.stderr


def children(process: int) -> list[int]:
    """Of its only thread."""
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def ended(process: int) -> bool:
    """Is it gone, or waited for by nobody any more?"""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_an_interrupt_leaves_neither_runs_nor_a_folder(sent: signal.Signals, tmp_path: Path) -> None:
    """It reaches the program alone, not the runs that this started."""
    command = [str(BRAID.absolute()), "run", str(MESH), "--seeds", "4", "--quiet"]
    command += ["--set", "simulation.measure_cycles=1000000000"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=os.environ | {"TMPDIR": str(tmp_path)}, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not (runs := children(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert runs
    assert list(tmp_path.glob("braid-seeds-*"))
    process.send_signal(sent)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    if sent != signal.SIGKILL:  # which nobody can tidy up after
        assert process.returncode == 130
        assert "interrupted" in errors
        assert not list(tmp_path.iterdir())
    while not all(ended(run) for run in runs) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert all(ended(run) for run in runs)


def test_a_stream_program_keeps_its_mesh_and_its_network(tmp_path: Path) -> None:
    told, program = tmp_path / "seeds.json", ROOT / "traffic" / "streams" / "programs" / "fm_radio.str"
    short = ["--set", "simulation.until=iterations 2", "--set", "simulation.max_warmup_cycles=1000", "--mesh", "5x3"]
    done = run(program, *short, "--network", "push_x_first", "--seeds", "2", "--quiet", "--json", told)
    assert (done.returncode, done.stderr) == (0, "")
    configuration = json.loads(told.read_text())["configuration"]
    assert (configuration["topology"]["width"], configuration["topology"]["height"]) == (5, 3)
    assert configuration["interface"]["switching"] == "packet"

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
        (["--seeds", "2", "--log", "x.csv"], "each seed would"),
    ],
)
def test_what_seeds_cannot_share_is_refused(arguments: list[str], says: str, tmp_path: Path) -> None:
    command = [str(BRAID.absolute()), "run", str(MESH), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert says in done.stderr
    assert not list(tmp_path.iterdir())


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

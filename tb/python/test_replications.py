"""`braid run --seeds N`: each seed's figures are those of a run of its own, intervals are Student's over the seeds."""

import json
import math
import statistics
import subprocess
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

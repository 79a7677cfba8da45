"""The progress bar: what it says of how far a run is, on a terminal and nowhere else."""

import os
import re
import subprocess
import time
from itertools import pairwise
from pathlib import Path

import pytest
from braid_tools.program import BRAID, ROOT

MESH = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
CYCLES = 3_000_000
RUN = [
    "run", str(MESH), "--set", "topology.width=2", "--set", "topology.height=2",
    "--set", "simulation.max_warmup_cycles=1000", "--set", f"simulation.measure_cycles={CYCLES}",
]  # fmt: skip
BAR = re.compile(r"^(.{8,}) \[(#*)(\.*)\] ([ \d]{3}) %  (\S+) (\d+)  (\d+) s left \x1b\[K$")


def on_a_terminal(folder: Path, *words: str) -> tuple[list[str], float]:
    """What was written between returns to the beginning of the line, and how long it took."""
    begin = time.monotonic()
    command = " ".join([str(BRAID.absolute()), *words])
    done = subprocess.run(
        ["script", "-qec", command, "/dev/null"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        check=False, env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    assert done.returncode == 0
    return re.split("[\r\n]+", done.stdout.decode()), time.monotonic() - begin


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], float]:
    return on_a_terminal(tmp_path_factory.mktemp("bar"), *RUN)


def test_a_bar_is_as_long_as_what_is_done(written: tuple[list[str], float]) -> None:
    """32 signs; what is left takes as long as what was done, in proportion."""
    lines, took = written
    bars = [found for found in map(BAR.match, lines) if found]
    measure = [bar for bar in bars if bar[1].strip() == "measure"]
    assert len(measure) >= 2
    for bar in measure:
        assert bar[1] == "measure ", "eight columns"
        assert bar[5] == "cycle"
        assert len(bar[2]) + len(bar[3]) == 32
        cycle, percent = int(bar[6]), int(bar[4])
        assert abs(percent - 100 * cycle / CYCLES) < 0.6
        done = cycle / CYCLES
        assert len(bar[2]) in (int(32 * (done - 0.001)), int(32 * done))
        assert int(bar[7]) <= took * (1 - done) / done + 0.5
    cycles = [int(bar[6]) for bar in measure]
    assert all(a < b for a, b in pairwise(cycles))
    assert cycles[-1] <= CYCLES + 1000


def test_a_bar_is_gone_at_the_end(written: tuple[list[str], float]) -> None:
    lines, _ = written
    last = max(i for i, line in enumerate(lines) if BAR.match(line))
    assert lines[last + 1] == "\x1b[Kmesh_uniform", "an empty line first, then the table"
    assert not any("\x1b" in line for line in lines[last + 2 :])


def test_nobody_knows_how_long_a_network_takes_to_make(written: tuple[list[str], float]) -> None:
    lines, _ = written
    first = min(i for i, line in enumerate(lines) if BAR.match(line))
    assert "network \x1b[K" in lines[:first]
    assert lines[first - 1] == "\x1b[K", "that is gone, too"


def test_whoever_is_quiet_or_no_terminal_has_no_bar(tmp_path: Path) -> None:
    short = [*RUN[:-1], "simulation.measure_cycles=1000"]
    lines, _ = on_a_terminal(tmp_path, *short, "--quiet")
    assert not [line for line in lines if "\x1b" in line or "%" in line]
    done = subprocess.run([BRAID, *short], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout

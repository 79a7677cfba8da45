"""A run that goes on from a checkpoint, in a process of its own, gives what the run gives that was never interrupted: every
figure and every line of the packet log, for each golden experiment (tb/golden/experiments.toml)."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from braid_tools.gates.golden import CIRCUITS, GOLDEN, differences, normal, runs, without_rtl
from braid_tools.program import BRAID, Run

JOBS = [job for job in runs() if not job.name.startswith(CIRCUITS)]
LATER = ("checkpoint", "log")  # sections of the configuration that the golden results do not have


def braid_in(folder: Path, job: Run, *arguments: str) -> tuple[int, str]:
    """Runs it there, with a packet log; its status and what it says."""
    folder.mkdir()
    words = ["run", job.experiment, *job.arguments(), "--quiet", "--json", "results.json", "--log", "log.csv"]
    done = subprocess.run([BRAID, *words, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def results(folder: Path) -> dict[str, Any]:
    found = normal(json.loads((folder / "results.json").read_text()))
    for section in LATER:
        found["configuration"].pop(section, None)
    return found


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_a_run_goes_on_as_if_it_had_never_stopped(job: Run, tmp_path: Path) -> None:
    if "router.implementation" in job.settings and without_rtl():
        pytest.skip("built without the RTL")
    file = str(tmp_path / "warm.ckpt")
    status, said = braid_in(tmp_path / "first", job, "--checkpoint", file)
    if "not yet in checkpoints" in said or "has no checkpoint()" in said:
        pytest.skip(said)
    assert status == 0, said
    assert not list(differences(json.loads((GOLDEN / f"{job.name}.json").read_text()), results(tmp_path / "first")))
    status, said = braid_in(tmp_path / "second", job, "--from", file)
    assert status == 0, said
    assert not list(differences(results(tmp_path / "first"), results(tmp_path / "second")))
    logs = [(tmp_path / folder / "log.csv").read_bytes() for folder in ("first", "second")]
    assert logs[0] == logs[1]

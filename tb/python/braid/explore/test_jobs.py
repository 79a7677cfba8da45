"""Points on jobs of Slurm and LSF, and on Kubernetes: what is refused, the script of a job, and a sweep whose `sbatch`
starts the job on this machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from braid.explore.jobs import SYSTEMS
from small_mesh import RATE, Braid, environment

VARY = ("--vary", f"{RATE}=0.05,0.1", "--plot", "-")

# What a user has in ~/.config/dask/jobqueue.yaml.
SETTINGS = """
jobqueue:
  slurm: {cores: 2, memory: 4GB, queue: long}
  lsf: {cores: 2, memory: 4GB, queue: long, use-stdin: true, lsf-units: mb}
"""
SCRIPT = """
import sys
from braid.explore.jobs import SYSTEMS
cluster = SYSTEMS[sys.argv[1]].make("--" + sys.argv[1])
print(cluster.job_script())
cluster.close()
"""

# As Slurm's, it has the script when it returns, for that is removed then.
SBATCH = """#!/bin/sh
echo "$1" >> {folder}/submitted
cp "$1" {folder}/script.sh
setsid sh {folder}/script.sh > {folder}/job.log 2>&1 &
echo $! >> {folder}/jobs
echo "Submitted batch job $!"
"""


@pytest.mark.parametrize("system", list(SYSTEMS))
def test_without_the_package_it_says_how_to_get_it(
    mesh: Path, braid_here: Braid, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setitem(sys.modules, SYSTEMS[system].module.split(".")[0], None)
    done = braid_here("sweep", mesh, *VARY, f"--{system}", 2, status=1)
    package = "dask-kubernetes" if system == "kubernetes" else "dask-jobqueue"
    assert done.stderr == f"braid: --{system} needs {package}: pip install 'braid-interconnect[cluster]'\n"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--slurm", "2", "--scheduler", "tcp://x:1"), "--slurm and --scheduler: expected one of the two"),
        (("--slurm", "2", "--lsf", "2"), "--slurm and --lsf: expected one of the two"),
        (("--lsf", "2", "--workers", "1"), "--workers is of this machine, --lsf has its own: expected one of the two"),
    ],
)
def test_there_is_one_place_where_points_run(mesh: Path, braid_here: Braid, words: tuple[str, ...], text: str) -> None:
    assert braid_here("sweep", mesh, *VARY, *words, status=2).stderr == f"braid: {text}\n"


def command(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, text: str = "#!/bin/sh\n") -> None:
    """A command of the batch system."""
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_machine_that_submits_no_jobs(mesh: Path, braid_here: Braid, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dask_jobqueue")
    monkeypatch.setenv("PATH", "/nowhere")
    done = braid_here("sweep", mesh, *VARY, "--slurm", 2, status=1)
    assert done.stderr == "braid: --slurm: there is no command sbatch here: expected a machine that submits jobs\n"


def test_what_a_job_needs_is_asked_for(
    mesh: Path, braid_here: Braid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("dask_jobqueue")
    command(tmp_path, "sbatch", monkeypatch)
    done = braid_here("sweep", mesh, *VARY, "--slurm", 2, status=2)
    assert done.stderr.count("\n") == 1
    assert "cores" in done.stderr
    assert done.stderr.endswith("expected in ~/.config/dask/jobqueue.yaml\n")


@pytest.mark.parametrize(
    ("system", "submit", "line"), [("slurm", "sbatch", "#SBATCH -p long"), ("lsf", "bsub", "#BSUB -q long")]
)
def test_the_script_of_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, submit: str, line: str
) -> None:
    pytest.importorskip("dask_jobqueue")
    command(tmp_path, submit, monkeypatch)
    (tmp_path / "jobqueue.yaml").write_text(SETTINGS)
    path = f"{environment()['PYTHONPATH']}:{os.environ.get('PYTHONPATH', '')}"
    variables = {**environment(), "PYTHONPATH": path, "DASK_CONFIG": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, system], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    script = done.stdout.splitlines()
    assert line in script
    assert [word for word in script if word.startswith(f"{sys.executable} -m distributed.cli.dask_worker tcp://")]


def test_a_sweep_whose_points_run_in_jobs(
    mesh: Path, braid_here: Braid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("dask_jobqueue")
    import dask

    command(tmp_path, "sbatch", monkeypatch, SBATCH.format(folder=tmp_path))
    command(tmp_path, "scancel", monkeypatch, "#!/bin/sh\nkill -- -$1 2> /dev/null\nexit 0\n")
    monkeypatch.setenv("PYTHONPATH", f"{environment()['PYTHONPATH']}:{os.environ.get('PYTHONPATH', '')}")
    settings = {"cores": 1, "processes": 1, "memory": "1GB", "interface": "lo", "local-directory": str(tmp_path)}
    with dask.config.set({f"jobqueue.slurm.{key}": value for key, value in settings.items()}):
        done = braid_here("sweep", mesh, *VARY, "--slurm", 1)
    assert len((tmp_path / "submitted").read_text().splitlines()) == 1
    assert [row.split()[0] for row in done.stdout.splitlines() if row.strip().startswith("0.")] == ["0.05", "0.1"]

"""A sweep on dask.distributed whose worker and whose scheduler are killed: nothing that was finished is lost."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from braid.explore.database import Database
from braid_tools.program import BRAID
from small_mesh import MESH, RATE, Braid, environment

pytest.importorskip("distributed")
POINTS = 30


def until(condition: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


def finished(store: Path) -> int:
    if not store.is_file() or not store.stat().st_size:
        return 0
    with Database(store) as kept:
        return len(kept)


class Cluster:
    """A scheduler and workers of one process each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._all: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", self.file, "--host", "127.0.0.1")
        until(lambda: self.file.is_file() and self.file.read_text().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]

    def worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def _start(self, what: str, *words: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, words), "--no-dashboard"]
        log = (self._folder / f"{what}{len(self._all)}.log").open("wb")
        process = subprocess.Popen(command, env=environment(), cwd=self._folder, stdout=log, stderr=log)
        self._all.append(process)
        return process

    def end(self) -> None:
        for process in self._all:
            process.kill()
            process.wait()


@pytest.fixture
def clusters(tmp_path: Path) -> Iterator[list[Cluster]]:
    started: list[Cluster] = []
    yield started
    for cluster in started:
        cluster.end()


def test_worker_and_scheduler_are_killed(
    mesh: Path, braid_here: Braid, tmp_path: Path, clusters: list[Cluster]
) -> None:
    mesh.write_text(MESH.replace("measure_cycles = 2000", "measure_cycles = 60000"))
    vary = ["--vary", f"{RATE}=0.01:0.3:0.01", "--plot", "-"]
    words = [str(BRAID.absolute()), "sweep", mesh.name, *vary, "--scheduler"]
    store = tmp_path / "mesh.sqlite"
    clusters.append(Cluster(tmp_path))
    first, _ = clusters[0].worker(), clusters[0].worker()
    sweep = subprocess.Popen(
        [*words, clusters[0].address], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    )
    until(lambda: finished(store) >= 4)
    first.send_signal(signal.SIGKILL)
    at = finished(store)
    until(lambda: finished(store) >= at + 4)
    clusters[0].scheduler.send_signal(signal.SIGKILL)
    _, errors = sweep.communicate(timeout=120)
    assert sweep.returncode == 1, errors
    kept = finished(store)
    assert 8 <= kept < POINTS
    last = errors.strip().splitlines()[-1]
    assert last.startswith(f"braid: dask at {clusters[0].address} is lost")
    assert f"{kept} of {POINTS} points are in mesh.sqlite; the same command goes on from there" in last
    with Database(store) as rows:
        before = {row.key: row.finished for row in rows}
    clusters.append(Cluster(tmp_path))
    clusters[1].worker()
    braid_here("sweep", mesh.name, *vary, "--scheduler", clusters[1].address)
    braid_here("sweep", mesh.name, *vary, "--store", "whole.sqlite")
    with Database(store) as rows, Database(tmp_path / "whole.sqlite") as whole:
        resumed = {row.key: row for row in rows}
        assert all(resumed[key].finished == time for key, time in before.items())
        assert {key: (row.status, (row.results or {})["packet_hash"]) for key, row in resumed.items()} == {
            row.key: (row.status, (row.results or {})["packet_hash"]) for row in whole
        }
    assert len(resumed) == POINTS


def test_nobody_answers(mesh: Path, braid_here: Braid) -> None:
    done = braid_here("sweep", mesh, "--scheduler", "tcp://127.0.0.1:9", "--plot", "-", status=1)
    assert "nobody answers there" in done.stderr
    assert braid_here("sweep", mesh, "--scheduler", "nonsense://x", "--plot", "-", status=2).stderr.count("\n") == 1

"""A study on two local workers of dask.distributed whose worker is killed, then its scheduler, and that is resumed: is
its table that of a run that nobody disturbed? And how busy are the workers of the undisturbed one?

`busy`: the seconds of all points over workers times the time from the command's start to its end. That is how much of
the workers the sweep uses, whatever else the machine does. `--efficiency` also runs the same points as bare programs,
as many at once as there are workers, with nothing around them: `of_ideal` is their time over the sweep's. (The time on
one worker over that on two says as much of the machine as of the sweep: two programs at once take longer each.)

Usage: python -m braid_tools.verdicts.killed [--points N] [--efficiency] [--record]"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from braid.explore.database import Database, Row

from braid_tools import program, recorded

KEPT = program.ROOT / "docs" / "results" / "killed.csv"  # of the last full run that was recorded
COMMAND = "python -m braid_tools.verdicts.killed --efficiency --record"
POINTS = 500
CYCLES = 200_000
WORKERS = 2
MOST_WAIT = 3600.0  # seconds, for anything
STUDY = """experiment = "mesh.toml"
seeds = {seeds}
[set]
simulation.measure_cycles = {cycles}
[vary]
traffic.rate_flits_per_node_cycle = {loads}
"""
MESH = """[experiment]
name = "killed"
[topology]
kind = "mesh"
width = 4
height = 4
"""
SEEDS = 5


def until(condition: Callable[[], bool], seconds: float = MOST_WAIT) -> None:
    """Waits. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"nothing after {seconds:g} s")
        time.sleep(0.02)


def environment() -> dict[str, str]:
    """Of the program and of workers: this Python and this package."""
    where = os.pathsep.join([str(program.ROOT / "scripts"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "BRAID_PYTHON": sys.executable, "PYTHONPATH": where}


def write_study(folder: Path, points: int, cycles: int) -> Path:
    """`points` in all, a multiple of SEEDS, of a small mesh below saturation."""
    (folder / "mesh.toml").write_text(MESH)
    loads = [round(0.01 + 0.4 * n * SEEDS / points, 6) for n in range(points // SEEDS)]
    study = folder / "study.toml"
    study.write_text(STUDY.format(seeds=SEEDS, cycles=cycles, loads=loads))
    return study


class Cluster:
    """A scheduler and workers of one process each, all of them of this machine; ends with the `with` block."""

    def __init__(self, folder: Path) -> None:
        """Starts them, and waits until the scheduler has an address."""
        self._folder = folder
        self._all: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", self.file, "--host", "127.0.0.1")
        until(self._has_address, 120)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self._start("worker", self.address, "--nthreads", "1", "--no-nanny") for _ in range(WORKERS)]

    def _start(self, what: str, *words: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, words), "--no-dashboard"]
        log = (self._folder / f"{what}{len(self._all)}.log").open("wb")
        process = subprocess.Popen(command, env=environment(), cwd=self._folder, stdout=log, stderr=log)
        self._all.append(process)
        return process

    def _has_address(self) -> bool:
        if self.scheduler.poll() is not None:
            said = (self._folder / "scheduler0.log").read_text(errors="replace").strip()
            raise program.BraidError(f"the scheduler ended: {said}", self.scheduler.returncode)
        return self.file.is_file() and self.file.read_text().endswith("}")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Ends what still runs."""
        for process in self._all:
            process.kill()
            process.wait()


def rows_in(store: Path) -> dict[str, Row]:
    """By key; of a store that is not there yet none."""
    if not store.is_file() or not store.stat().st_size:
        return {}
    with Database(store) as kept:
        return {row.key: row for row in kept}


def bare_seconds(folder: Path, rows: Collection[Row], cycles: int) -> float:
    """What the points take as programs alone, WORKERS of them at a time."""

    def run(row: Row) -> None:
        keys = {**row.varied, "simulation.measure_cycles": cycles, "experiment.seed": row.seed}
        command = [str(program.BRAID.absolute()), "run", "mesh.toml", "--quiet", "--json", "-"]
        command += [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
        subprocess.run(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, check=True)

    begin = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as executor:
        list(executor.map(run, rows))
    return time.monotonic() - begin


def sweep(study: Path, store: Path, *workers: str) -> subprocess.Popen[str]:
    """The command, begun."""
    words = ["sweep", study, "--store", store, "--plot", "-", "--quiet", *workers]
    command = [str(program.BRAID.absolute()), *map(str, words)]
    return subprocess.Popen(command, cwd=study.parent, env=environment(), stderr=subprocess.PIPE, text=True)


def seconds_of(process: Callable[[], subprocess.Popen[str]]) -> float:
    """From the command's start to its end. Raises BraidError."""
    begin = time.monotonic()
    sweeping = process()
    _, errors = sweeping.communicate(timeout=MOST_WAIT)
    if sweeping.returncode != 0:
        raise program.BraidError(errors.strip(), sweeping.returncode)
    return time.monotonic() - begin


def undisturbed(study: Path, store: Path) -> float:
    """Runs the study on a cluster; its seconds. Raises BraidError."""
    with Cluster(study.parent) as cluster:
        return seconds_of(lambda: sweep(study, store, "--scheduler", cluster.address))


@dataclass(frozen=True)
class Interrupted:
    """A sweep whose worker was killed, then its scheduler."""

    at_worker: int  # points in the store when the worker was killed
    at_scheduler: int  # when the command had ended, without a scheduler
    status: int
    said: str  # the command's last line


def interrupted(study: Path, store: Path, points: int) -> Interrupted:
    """Kills a worker after a third of the points, the scheduler after two thirds."""
    with Cluster(study.parent) as cluster:
        process = sweep(study, store, "--scheduler", cluster.address)
        until(lambda: len(rows_in(store)) >= points // 3)
        cluster.workers[0].send_signal(signal.SIGKILL)
        at_worker = len(rows_in(store))
        until(lambda: len(rows_in(store)) >= 2 * points // 3)
        cluster.scheduler.send_signal(signal.SIGKILL)
        _, errors = process.communicate(timeout=MOST_WAIT)
    lines = errors.strip().splitlines()
    return Interrupted(at_worker, len(rows_in(store)), process.returncode, lines[-1] if lines else "")


def figures(row: Row) -> Any:
    """What must not depend on who ran a point, and when."""
    results = {name: value for name, value in (row.results or {}).items() if name != "wall_seconds"}
    return row.seed, row.status, row.message, row.configuration, row.varied, results


@dataclass(frozen=True)
class Outcome:
    """What became of a study."""

    points: int
    workers: int
    kept_when_worker_killed: int
    kept_when_scheduler_killed: int
    run_again: int  # points that had ended and ran once more
    differing: int  # rows that are not those of the undisturbed run, one too many or too few included
    seconds: float  # of the undisturbed run
    busy: float
    of_ideal: float | None  # time of the bare programs over `seconds`; None: not measured
    local_of_ideal: float | None  # and over those of the sweep on as many processes of this machine, without a cluster

    @property
    def good(self) -> bool:
        """Killed in the middle, and nothing lost."""
        killed = 0 < self.kept_when_worker_killed < self.kept_when_scheduler_killed < self.points
        return killed and self.run_again == 0 and self.differing == 0


def compared(before: dict[str, Row], resumed: dict[str, Row], whole: dict[str, Row]) -> tuple[int, int]:
    """Points that ran once more, and rows that differ."""
    again = sum(resumed[key].finished != row.finished for key, row in before.items() if key in resumed)
    again += sum(key not in resumed for key in before)
    both = resumed.keys() | whole.keys()
    differing = sum(
        key not in resumed or key not in whole or figures(resumed[key]) != figures(whole[key]) for key in both
    )
    return again, differing


def measured(folder: Path, points: int, cycles: int, *, efficiency: bool = False) -> tuple[Interrupted, Outcome]:
    """All of it, in an empty folder."""
    study = write_study(folder, points, cycles)
    seconds = undisturbed(study, folder / "whole.sqlite")
    whole = rows_in(folder / "whole.sqlite")
    bare = bare_seconds(folder, whole.values(), cycles) if efficiency else None
    local = seconds_of(lambda: sweep(study, folder / "local.sqlite", "--workers", str(WORKERS))) if efficiency else None
    stopped = interrupted(study, folder / "killed.sqlite", points)
    before = rows_in(folder / "killed.sqlite")
    undisturbed(study, folder / "killed.sqlite")
    again, differing = compared(before, rows_in(folder / "killed.sqlite"), whole)
    busy = sum(row.seconds for row in whole.values()) / (WORKERS * seconds)
    outcome = Outcome(
        points=len(whole),
        workers=WORKERS,
        kept_when_worker_killed=stopped.at_worker,
        kept_when_scheduler_killed=stopped.at_scheduler,
        run_again=again,
        differing=differing,
        seconds=seconds,
        busy=busy,
        of_ideal=None if bare is None else bare / seconds,
        local_of_ideal=None if local is None or bare is None else bare / local,
    )
    return stopped, outcome


def write(path: Path, outcome: Outcome) -> None:
    """With version, date and command in a line of its own."""
    recorded.write(path, [outcome], COMMAND, digits=4)


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=POINTS, help=f"of the study, a multiple of {SEEDS}")
    parser.add_argument("--cycles", type=int, default=CYCLES, help="measured cycles of a point")
    parser.add_argument("--efficiency", action="store_true", help="run the points as bare programs as well")
    parser.add_argument("--record", action="store_true", help="write the figures of a full run into docs/results")
    words = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # schedulers and workers end with it
    if words.points < 6 * SEEDS or words.points % SEEDS:
        parser.error(f"--points {words.points}: expected a multiple of {SEEDS} from {6 * SEEDS} on")
    if words.record and (words.points, words.cycles, words.efficiency) != (POINTS, CYCLES, True):
        parser.error(f"--record: expected {POINTS} points of {CYCLES} cycles, with --efficiency")
    with tempfile.TemporaryDirectory() as folder:
        stopped, outcome = measured(Path(folder), words.points, words.cycles, efficiency=words.efficiency)
    print(f"the killed sweep ended with status {stopped.status}: {stopped.said}")
    print("\n".join(f"{name}: {value}" for name, value in asdict(outcome).items()))
    if words.record:
        write(KEPT, outcome)
    return 0 if outcome.good else 1


if __name__ == "__main__":
    sys.exit(main())

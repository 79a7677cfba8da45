"""A sweep: a plan, a store, workers. `braid.sweep` is `sweep` of this module; the command `braid sweep` is in
sweep_command."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from braid.errors import InputError
from braid.experiment import Experiment
from braid.explore.database import Database
from braid.explore.plan import Plan, plan_of
from braid.explore.point import NO_LIMITS, Limits
from braid.explore.rows import frame
from braid.explore.runner import Counts, Runner
from braid.explore.searching import adaptive, all_rows, saturation_and_knee, summary_rows
from braid.explore.study_file import is_study, read_toml, study_plan
from braid.explore.workers import workers
from braid.running import experiment_of, shows_bar

if TYPE_CHECKING:
    import pandas


class Bar:
    """Points done, rate, time left and failures, on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (
            TextColumn("sweep"),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f} points"),
            TextColumn("{task.fields[rate]}"),
            TextColumn("[red]{task.fields[failed]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("", total=0, rate="", failed="")

    def __call__(self, counts: Counts) -> None:
        """Shows how far it is."""
        elapsed = self._progress.tasks[0].elapsed or 0.0
        rate = f"{counts.done / elapsed:.2g}/s" if counts.done and elapsed else ""
        failed = f"{counts.failed} failed" if counts.failed else ""
        done = counts.found + counts.done
        self._progress.update(self._task, total=counts.wanted, completed=done, rate=rate, failed=failed)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While the sweep runs."""
        with self._progress:
            yield


@contextmanager
def runner(
    store: Database,
    *,
    scheduler: str | None = None,
    count: int | None = None,
    jobs: Mapping[str, int | None] | None = None,
    limits: Limits = NO_LIMITS,
    retry: bool = False,
    progress: bool | None = None,
) -> Iterator[Runner]:
    """What runs points. Whatever ends the block, nothing runs on, and the store is whole."""
    bar = Bar() if shows_bar(progress) else None
    with workers(scheduler, count, jobs) as some:
        one = Runner(store, some, limits, retry=retry, told=bar or (lambda _: None))
        try:
            if bar is None:
                yield one
            else:
                with bar.shown():
                    yield one
        except BaseException:
            one.stop()
            raise


def plan_for(
    what: Experiment | str | os.PathLike[str] | dict[str, Any],
    vary: Mapping[str, Any] | None = None,
    linked: Sequence[Mapping[str, Any]] = (),
    only: Iterable[str] = (),
    seeds: int | None = None,
    settings: Mapping[str, Any] | None = None,
    plugins: Sequence[str] = (),
    where: str = "vary",
) -> Plan:
    """The plan of an experiment or of a study file, with more keys that vary."""
    if isinstance(what, (str, os.PathLike)) and is_study(read_toml(Path(what))[1]):
        plan = study_plan(Path(what), plugins)
    elif plugins:
        plan = Plan([Experiment(what, plugins=plugins)])  # type: ignore[arg-type]
    else:
        plan = Plan([experiment_of(what)])
    experiments = [one.with_(settings) if settings else one for one in plan.experiments]
    more = plan_of(experiments, vary, linked, only, where=where)
    return Plan(experiments, [*plan.axes, *more.axes], [*plan.only, *more.only], plan.seeds if seeds is None else seeds)


def sweep(
    what: Experiment | str | os.PathLike[str] | dict[str, Any],
    vary: Mapping[str, Any] | None = None,
    *,
    seeds: int | None = None,
    linked: Sequence[Mapping[str, Any]] = (),
    only: Iterable[str] = (),
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    jobs: Mapping[str, int | None] | None = None,
    saturation: bool = False,
    points: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    retry_failed: bool = False,
    progress: bool | None = None,
) -> pandas.DataFrame:
    """Runs an experiment, or a study file, at every point and returns a table: a row a point with the keys that vary,
    `seed`, `status`, `message`, and every figure (`latency`, `latency.half_width_95`, `accepted`, ...).

    vary: {"traffic.rate_flits_per_node_cycle": "0.05:0.5:0.05", "routing.algorithm": ["x_first", "odd_even"]}
    linked: tables of keys whose lists go together; only: conditions, "router.vcs >= 2"; seeds: runs of each.
    store: a file that keeps every point; called again, only what is missing runs. Without: memory.
    saturation: in place of a range of loads, finds where each choice of the other keys saturates: a row a choice
    (`saturation`, `carried`, `saturated`, `accepted`, `knee`; braid.explore.search.DEFINITION says what they are).
    points: so many loads for each curve, where it bends.
    workers: at once; scheduler: of dask.distributed, "tcp://HOST:PORT"; jobs: {"slurm": 20}, {"lsf": 20} or
    {"kubernetes": 20}.
    time_limit (seconds), memory_limit (MiB): of each point. retry_failed: points that failed run again.

    Raises InputError, BraidError where the workers are lost.
    """
    if isinstance(vary, str):
        raise InputError(f"vary = {vary!r}: expected a dictionary of keys and their values")
    plan = plan_for(what, vary, linked, only, seeds)
    limits = Limits(time_limit, memory_limit)
    file = None if store is None else Path(store)
    with (
        Database(file) as kept,
        runner(
            kept,
            scheduler=scheduler,
            count=workers,
            jobs=jobs,
            limits=limits,
            retry=retry_failed,
            progress=progress,
        ) as run,
    ):
        return _table(plan, run, saturation=saturation, points=points)


def _table(plan: Plan, run: Runner, *, saturation: bool, points: int | None) -> pandas.DataFrame:
    if saturation:
        import pandas as pd

        return pd.DataFrame(summary_rows(saturation_and_knee(plan, run)))
    return frame(all_rows(adaptive(plan, run, points)) if points is not None else run.rows(plan.points()))

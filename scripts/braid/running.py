"""Runs: one in this process, several side by side by the program.

One run goes through the library in this process: no process to start, a progress bar, and an interrupt that is heard
ten
times a second. What needs SystemC (simulation.schedule = "process_per_stage", RTL, TLM sockets) goes to the program,
with the
same figures. Several runs are one process each: they use all processors whatever the interpreter's lock does, and one
that fails takes no other along.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from braid import native
from braid.child import Group
from braid.errors import BraidError, DeadlockError, InputError
from braid.experiment import Experiment
from braid.results import Failure, Result, Results
from braid.store import Store

OnProgress = Callable[[int, int, str, str], None]


def processors() -> int:
    """As many as this process may use (`taskset` sets which)."""
    return len(os.sched_getaffinity(0))


def experiment_of(what: Experiment | str | os.PathLike[str] | dict[str, Any]) -> Experiment:
    """An experiment, of a file, a dictionary or itself."""
    if isinstance(what, Experiment):
        return what
    return Experiment.from_dict(what) if isinstance(what, dict) else Experiment(what)


def shows_bar(progress: bool | None) -> bool:
    """Is there a bar? None: on a terminal and in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules if progress is None else progress


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description:<12}"),
        BarColumn(),
        TextColumn("{task.fields[counts]}"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True)


def _run_here(core: Any, experiment: Experiment, progress: bool | None) -> Result:
    def go(told: OnProgress | None) -> tuple[str, str]:
        return core.run(experiment.text, experiment.file, experiment.arguments, told)

    if not shows_bar(progress):
        text, deadlock = go(None)
    else:
        with _bar() as bar:
            task = bar.add_task("elaborate", total=None, counts="")

            def told(done: int, of: int, phase: str, counts: str) -> None:
                bar.update(task, description=phase, completed=done, total=of or None, counts=f"{done} {counts}s")

            text, deadlock = go(told)
    result = Result.from_json(text, experiment)
    if deadlock:
        raise DeadlockError(deadlock, result)
    return result


def run_by_program(experiment: Experiment) -> Result:
    """One run by the program `braid`, whatever it needs."""
    return Result.from_json(experiment.run_program("run", "--quiet", "--json", "-"), experiment)


def run(what: Experiment | str | os.PathLike[str] | dict[str, Any], *, progress: bool | None = None) -> Result:
    """Runs an experiment from warm-up to drain and returns its figures.

    what: an Experiment, the name of a file, or a dictionary of sections.
    progress: a bar with the time left; None: on a terminal and in a notebook.

    Ctrl-C ends the run with KeyboardInterrupt; nothing of it is left. Raises InputError, DeadlockError.
    """
    experiment = experiment_of(what)
    core = native.core()
    if core is None or experiment.plugins:
        return run_by_program(experiment)
    try:
        return _run_here(core, experiment, progress)
    except InputError:
        return run_by_program(experiment)


def _one(experiment: Experiment, store: Store | None) -> Result:
    kept = store.find(experiment) if store else None
    if kept is not None:
        return Result.from_json(kept, experiment)
    try:
        result = run_by_program(experiment)
    except BraidError as e:
        return Failure(e, experiment)
    if store:
        store.keep(experiment, json.dumps(result.to_dict()))
    return result


def run_many(
    experiments: Iterable[Experiment | str | os.PathLike[str] | dict[str, Any]],
    *,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Results:
    """Runs experiments side by side, a process each, as many at once as there are processors (or `workers`).

    store: a folder that keeps the result of every run under a hash of all that decides it. A run that is there is not
    run again, so a call that was broken off goes on where it was.

    Returns the results in the order given, a Failure in the place of a run that Braid refused; .to_pandas() is a table.
    """
    all_of = [experiment_of(what) for what in experiments]
    kept = None if store is None else Store(Path(store))
    bar = _bar() if shows_bar(progress) else nullcontext()
    children = Group()
    with ThreadPoolExecutor(workers or processors(), initializer=children.join) as pool, bar:
        futures: list[Future[Result]] = [pool.submit(_one, experiment, kept) for experiment in all_of]
        try:
            _wait(futures, bar)
        except BaseException:
            for future in futures:
                future.cancel()
            children.interrupt()
            raise
    return Results(future.result() for future in futures)


def _wait(futures: list[Future[Result]], bar: Any) -> None:
    task = None if isinstance(bar, nullcontext) else bar.add_task("runs", total=len(futures), counts="")
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        if task is not None and done:
            bar.update(
                task, completed=len(futures) - len(waiting), counts=f"{len(futures) - len(waiting)}/{len(futures)}"
            )

"""braid sweep: many runs of one command line, a table and a plot."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from braid.errors import BraidError, InputError
from braid.explore.columns import columns_of, usual_columns
from braid.explore.command_line import INTERRUPTED, Arguments, positive, printed, seconds, settings_of
from braid.explore.database import FAILED, Database, Row
from braid.explore.jobs import SYSTEMS
from braid.explore.picture import draw
from braid.explore.plan import Plan
from braid.explore.point import Limits
from braid.explore.rows import groups, in_order, plain_table, table
from braid.explore.runner import Runner
from braid.explore.search import DEFINITION
from braid.explore.searching import adaptive, all_rows, bounds, saturation_and_knee, summary_rows
from braid.explore.study_file import study_columns
from braid.explore.sweep import plan_for, runner
from braid.explore.vary import varied

SHOWN_FAILURES = 5


def arguments() -> Arguments:
    """The options of the command; what each means is in the program's table (tb/braid/python_commands.cpp)."""
    parser = Arguments("sweep")
    parser.add_argument("experiment", metavar="EXPERIMENT.toml")
    add = parser.add_argument
    for name in ("vary", "only", "set", "plugin"):
        add(f"--{name}", action="append", default=[])
    for name in ("seeds", "workers", "points", "memory-limit", *SYSTEMS):
        add(f"--{name}", type=positive)
    for name in ("store", "plot", "csv"):
        add(f"--{name}", type=Path)
    for name in ("scheduler", "columns"):
        add(f"--{name}")
    add("--time-limit", type=seconds)
    for name in ("saturation", "retry-failed"):
        add(f"--{name}", action="store_true")
    add("--quiet", "-q", action="store_true")
    return parser


def _vary(texts: list[str]) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    for text in texts:
        key, values = varied(text)
        if key in keys:
            raise InputError(f"--vary {text}: {key} varies twice: expected one list of its values")
        keys[key] = values
    return keys


def plan_from(words: argparse.Namespace) -> Plan:
    """What the command line asks for."""
    settings = settings_of(words.set)
    return plan_for(words.experiment, _vary(words.vary), (), words.only, words.seeds, settings, words.plugin, "--vary")


def _told_of_failures(rows: list[Row]) -> None:
    failed = [row for row in rows if row.status == FAILED]
    for row in failed[:SHOWN_FAILURES]:
        print(f"braid: failed: {row.message}\n  {row.command}", file=sys.stderr)
    if len(failed) > SHOWN_FAILURES:
        print(f"braid: {len(failed) - SHOWN_FAILURES} more failed: braid results lists them", file=sys.stderr)


def _plotted(rows: list[Row], file: Path, *, asked: bool) -> str:
    """Writes the plot; where it goes, or why there is none."""
    try:
        draw(groups(rows), file)
    except BraidError as e:
        if asked:
            raise
        return f"no plot: {e}"
    return f"plot: {file}"


def _show(rows: list[Row], words: argparse.Namespace, store: Path, columns: list[str]) -> None:
    """Table, plot, rows. `columns`: those that somebody chose; none: the usual ones."""
    some = in_order(groups(rows))
    if not words.quiet and not words.saturation:
        printed(table(some, columns or usual_columns(some)))
    if words.csv is not None:
        from braid.explore.rows import frame

        frame(rows).to_csv(sys.stdout if str(words.csv) == "-" else words.csv, index=False)
    said = f"store: {store}"
    if words.plot is None or str(words.plot) != "-":
        file = words.plot or store.with_suffix(".png")
        said += f"; {_plotted(rows, file, asked=words.plot is not None)}"
    if not words.quiet:
        print(said)


def _rows(plan: Plan, run: Runner, words: argparse.Namespace) -> list[Row]:
    """Runs what is asked for; of a search prints what it has found."""
    if words.saturation:
        found = saturation_and_knee(plan, run)
        printed(plain_table(summary_rows(found)))
        print(DEFINITION)
        return all_rows(found)
    if words.points is not None:
        return all_rows(adaptive(plan, run, words.points))
    return run.rows(plan.points())


def _check(words: argparse.Namespace, plan: Plan) -> None:
    """Before anything runs: what does not go together, keys that nobody knows."""
    if words.saturation and words.points is not None:
        raise InputError("--saturation and --points: expected one of the two searches")
    if words.saturation or words.points is not None:
        bounds(plan)[0].points()
    else:
        plan.points()


def main(line: list[str]) -> int:
    """Entry point; the words behind `braid sweep`."""
    words = arguments().parsed(line)
    plan = plan_from(words)
    columns = columns_of(words.columns or "", "--columns") or study_columns(Path(words.experiment))
    _check(words, plan)
    store = words.store or Path(Path(words.experiment).stem + ".sqlite")
    limits = Limits(words.time_limit, words.memory_limit)
    progress = False if words.quiet else None
    jobs = {name: getattr(words, name) for name in SYSTEMS}
    where = {"scheduler": words.scheduler, "count": words.workers, "jobs": jobs}
    with Database(store) as kept:
        run: Runner | None = None
        try:
            with runner(kept, **where, limits=limits, retry=words.retry_failed, progress=progress) as run:
                rows = _rows(plan, run, words)
        except KeyboardInterrupt:
            print(f"braid: interrupted{_how_far(run)}", file=sys.stderr)
            return INTERRUPTED
        except BraidError as e:
            raise BraidError(f"{e}{_how_far(run)}", e.status) from None
        _told_of_failures(rows)
        _show(rows, words, store, columns)
    return 1 if all(row.status == FAILED for row in rows) else 0


def _how_far(run: Runner | None) -> str:
    return f": {run.how_far()}" if run is not None and run.counts.wanted else ""

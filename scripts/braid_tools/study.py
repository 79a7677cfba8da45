"""A study regenerates the figures of a paper, of a peer or of the main job."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from braid_tools import known, program
from braid_tools.comparison import Row, summary, survivors, with_seeds, write
from braid_tools.digest import digest
from braid_tools.program import WATCHDOG, BraidError, Results, Run

RESULTS = program.ROOT / "results"
SEEDS_APART = 1000  # studies count through their own seeds from 1


class Study:
    """Runs, tables and verdict. Everything is in `folder`, results/NAME.

    A run is kept in runs/ under a hash of its configuration, of the files that this names, and of the program: a study
    that was broken off goes on where it was, and what has not changed does not run again. Runs differ in nothing but
    their configuration, the seed included, so what is kept is what another run would give.
    """

    def __init__(self, name: str, *, quick: bool = False, results: Path = RESULTS, seed: int = 0) -> None:
        self.name = name
        self.quick = quick  # shorter runs and fewer, as CI takes them
        self.seed = seed  # added to that of each run, in thousands: 0, as the rows have it, or another draw of all
        self.folder = results / name
        self.kept_rows = program.ROOT / "docs" / "results" / f"{name}.csv"  # of the last full run that was recorded
        self.rows: list[Row] = []
        self._pages: list[str] = []  # tables that pages read
        self._runs = self.folder / "runs"
        self._version = ""  # of the program, when the first run is asked for
        self._runs.mkdir(parents=True, exist_ok=True)

    def run(self, jobs: Iterable[Run]) -> list[Results]:
        """The results of all jobs, in the order given, run in that order as many at once as there are processors.
        Raises BraidError with the name of the first that fails."""
        results = []
        for outcome in self.outcomes(jobs):
            if isinstance(outcome, BraidError):
                raise outcome
            results.append(outcome)
        return results

    def outcomes(self, jobs: Iterable[Run]) -> list[Results | BraidError]:
        """As run(), for studies of deadlock: what the watchdog says of a run that it ended is an outcome as well."""
        jobs = [self._seeded(job) for job in jobs]
        keys = [self._key(job) for job in jobs]
        new = {key: job for key, job in zip(keys, jobs, strict=True) if not self._file(key).exists()}
        with _progress(self.name, len(new)) as advance:

            def make(item: tuple[str, Run]) -> None:
                self._make(*item)
                advance()

            program.in_parallel(make, new.items())
        return [self._read(key) for key in keys]

    def kept(self, key: str, files: Iterable[Path], make: Callable[[], Any]) -> Any:
        """What make() gives, a value for JSON, kept as runs are: under a hash of the program, the key and the files."""
        key += f" seed {self.seed}" if self.seed else ""
        path = self._file(digest(self._program().encode(), key.encode(), *(file.read_bytes() for file in files)))
        if not path.exists():
            part = _part(path)
            part.write_text(json.dumps(make()))
            part.replace(path)
        return json.loads(path.read_text())

    def compare(self, rows: list[Row]) -> None:
        """Writes comparison.csv: published figures beside measured ones."""
        self.rows = rows
        write(self.folder / "comparison.csv", rows)

    def over_seeds(self, others: Iterable[Study]) -> None:
        """Writes comparison.csv again with what other draws of the same study have measured."""
        self.compare(with_seeds(self.rows, [other.rows for other in others]))

    def another(self, seed: int) -> Study:
        """The same study with other seeds, in a folder of its own."""
        return Study(self.name, quick=self.quick, results=self.folder / "seeds" / str(seed), seed=seed)

    def table(
        self, file: str, columns: Sequence[str], rows: Iterable[Iterable[object]], *, for_pages: bool = False
    ) -> None:
        """Writes another CSV file. `for_pages`: of a full run that is recorded it goes into docs/results as well."""
        self._pages += [file] * for_pages
        with (self.folder / file).open("w", newline="") as text:
            out = csv.writer(text)
            out.writerow(columns)
            out.writerows(rows)

    def verdict(self) -> int:
        """The last lines of a study: what is not as known, what any value would pass, then how many rows say what. Exit
        status 1 if there is such a thing, or no row."""
        wrong = known.complaints(self.rows, known.read(known.file_of(self.name)), quick=self.quick)
        wrong += [f"passes with {row.measured}: {row.key}" for row in survivors(self.rows)]
        print("".join(f"{line}\n" for line in wrong), end="", file=sys.stderr)
        print(f"{len(self.rows)} rows in results/{self.name}/comparison.csv")
        print("".join(f"  {line}\n" for line in summary(self.rows)), end="")
        return 1 if wrong or not self.rows else 0

    def record(self) -> None:
        """Writes down what differs in this run as known (differs.csv); of a full run all rows, in docs/results."""
        known.record(known.file_of(self.name), self.rows, quick=self.quick)
        if self.quick:
            return
        self.kept_rows.parent.mkdir(exist_ok=True)
        version = program.braid("--version").strip()
        made = f"{version}, {datetime.now(tz=UTC):%Y-%m-%d}, scripts/reproduce {self.name}"
        write(self.kept_rows, self.rows, made)
        for file in self._pages:
            kept = self.kept_rows.with_name(f"{self.name}_{file}")
            kept.write_bytes(f"# {made}\r\n".encode() + (self.folder / file).read_bytes())

    def _program(self) -> str:
        self._version = self._version or digest(program.BRAID.read_bytes())
        return self._version

    def _seeded(self, job: Run) -> Run:
        if not self.seed:
            return job
        own = job.configuration().get("experiment", {}).get("seed", 1)
        return replace(job, settings=job.settings | {"experiment.seed": own + SEEDS_APART * self.seed})

    def _key(self, job: Run) -> str:
        """What the outcome of a run depends on."""
        configuration = json.dumps(job.configuration(), sort_keys=True, default=str)
        return digest(self._program().encode(), configuration.encode(), *(file.read_bytes() for file in job.files()))

    def _file(self, key: str) -> Path:
        return self._runs / f"{key}.json"

    def _make(self, key: str, job: Run) -> None:
        """Runs a job and keeps what came out, whole or not at all."""
        try:
            kept = {"run": job.name, "results": program.run(job)}
        except BraidError as error:
            if error.status != WATCHDOG:
                raise
            kept = {"run": job.name, "ended": str(error)}
        part = _part(self._file(key))
        part.write_text(json.dumps(kept))
        part.replace(self._file(key))

    def _read(self, key: str) -> Results | BraidError:
        kept = json.loads(self._file(key).read_text())
        return kept["results"] if "results" in kept else BraidError(kept["ended"], WATCHDOG)


def _part(path: Path) -> Path:
    """Where a file is written before it is whole, by one process and no other."""
    return path.with_suffix(f".{os.getpid()}.part")


@contextmanager
def _progress(title: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar with the time that is left, on a terminal; gives what moves it on by one."""
    columns = [TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, transient=True, disable=not total or not sys.stdout.isatty()) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)

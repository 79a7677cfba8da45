"""One point of a sweep as a process of its own: what runs on a worker."""

from __future__ import annotations

import platform
import shlex
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from braid.child import TookTooLongError, answer_of
from braid.experiment import Experiment
from braid.store import program_hash

BAD_INPUT, DEADLOCK = 2, 3  # exit statuses of the program


@dataclass(frozen=True)
class Limits:
    """Of each point; None: none."""

    seconds: float | None = None
    megabytes: int | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Task:
    """What a worker needs to know of a point: words behind `braid`, standard input, folder."""

    words: tuple[str, ...]
    text: str | None
    folder: str
    limits: Limits
    program: str  # its hash

    @classmethod
    def of(cls, experiment: Experiment, limits: Limits) -> Task:
        """Of a point, in this folder."""
        words, text = experiment.command_line("run", "--quiet", "--json", "-")
        return cls(tuple(map(str, words)), text, str(Path.cwd()), limits, program_hash())


def command_of(experiment: Experiment) -> str:
    """A line for the shell that runs a point by itself and prints its figures."""
    words, text = experiment.command_line("run")
    line = shlex.join(["braid", *map(str, words)])
    return line if text is None else f"{line} < {shlex.quote(experiment.file)}"


@dataclass(frozen=True)
class Outcome:
    """What a worker answers: the text of the results, or why there are none."""

    results: str | None
    message: str
    seconds: float
    host: str


def _why(status: int, errors: str, limits: Limits) -> str:
    """Of a run that failed: one line."""
    lines = [line.removeprefix("braid: ") for line in errors.strip().splitlines()]
    last = lines[-1] if lines else ""
    if status < 0:
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
        return f"ended by signal {name}" + (f": {last}" if last else "")
    said = last or f"braid ended with status {status}"
    refused = status in (BAD_INPUT, DEADLOCK)  # whatever the limit
    return said if limits.megabytes is None or refused else f"{said} (--memory-limit {limits.megabytes})"


def perform(task: Task) -> Outcome:
    """Runs a point by the program."""
    begin = time.monotonic()
    if program_hash() != task.program:
        return Outcome(None, f"{platform.node()} has another build of braid: expected the same everywhere", 0, "")
    limits = task.limits
    try:
        status, output, errors = answer_of(
            *task.words, cwd=Path(task.folder), text=task.text, seconds=limits.seconds, megabytes=limits.megabytes
        )
    except TookTooLongError:
        status, output, errors = 1, "", f"took more than {limits.seconds:g} s (--time-limit)"
    message = "" if status == 0 else _why(status, errors, limits)
    return Outcome(output or None, message, time.monotonic() - begin, platform.node())

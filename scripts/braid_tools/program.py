"""Runs of the braid program."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BRAID = Path(os.environ.get("BRAID_PROGRAM", ROOT / "build" / "release" / "braid"))


def processors() -> int:
    """As many as this process may use (`taskset` sets which)."""
    return len(os.sched_getaffinity(0))


class BraidError(RuntimeError):
    """braid said no; the message is its own line."""


@dataclass(frozen=True)
class Run:
    """One run: an experiment file and the keys that differ from it ("section.key" -> value)."""

    name: str
    experiment: Path
    settings: dict[str, Any] = field(default_factory=dict)

    def arguments(self) -> list[str]:
        """The settings as --set options."""
        result = []
        for key, value in self.settings.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            result += ["--set", f"{key}={text}"]
        return result


def braid(*arguments: str | Path) -> str:
    """Runs braid and returns its standard output. Raises BraidError with its message."""
    done = subprocess.run([str(BRAID), *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BraidError(done.stderr.strip() or f"braid ended with status {done.returncode}")
    return done.stdout


def run(job: Run) -> dict[str, Any]:
    """The results of one run, as docs/results.schema.json describes them."""
    try:
        return json.loads(braid("run", job.experiment, *job.arguments(), "--quiet", "--json", "-"))
    except BraidError as e:
        raise BraidError(f"{job.name}: {e}") from None


def run_all(jobs: Iterable[Run], done: Callable[[Run], None] = lambda job: None) -> list[dict[str, Any]]:
    """All runs, in the order given, as many at once as this process may use processors (`taskset` sets which). Calls
    done(job) after each."""

    def one(job: Run) -> dict[str, Any]:
        result = run(job)
        done(job)
        return result

    with ThreadPoolExecutor(processors()) as pool:
        return list(pool.map(one, jobs))

"""Runs of the braid program, by `import braid`: what studies add to it are names and whole settings."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from braid import native, processors
from braid.child import answer_of
from braid.errors import BraidError
from braid.experiment import each_section

__all__ = [
    "BRAID",
    "ROOT",
    "BraidError",
    "Results",
    "Run",
    "bare_environment",
    "braid",
    "circuits",
    "in_parallel",
    "processors",
    "run",
    "run_all",
]

ROOT = Path(__file__).resolve().parents[2]
BRAID = native.program_place()
WATCHDOG = 3  # braid's exit status when its watchdog ended a run: deadlock or livelock

Results = dict[str, Any]
Item, Result = TypeVar("Item"), TypeVar("Result")


def bare_environment() -> dict[str, str]:
    """The environment without what tells a program where its package is; a seeded fault that is switched on stays."""
    told = ("BRAID_PROGRAM", "BRAID_PYTHON", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if name not in told}


def in_parallel(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """function(item) of each, in the order given, as many at once as there are processors."""
    with ThreadPoolExecutor(processors()) as pool:
        return list(pool.map(function, items))


@dataclass(frozen=True)
class Run:
    """One run: an experiment file and the keys that differ from it ("section.key" -> value)."""

    name: str
    experiment: Path
    settings: dict[str, Any] = field(default_factory=dict)

    def with_(self, settings: dict[str, Any]) -> Run:
        """The same with other settings."""
        return replace(self, settings=self.settings | settings)

    def arguments(self) -> list[str]:
        """The settings as --set options."""
        result = []
        for key, value in self.settings.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            result += ["--set", f"{key}={text}"]
        return result

    def configuration(self) -> dict[str, dict[str, Any]]:
        """Every key that the file or a setting gives, by section."""
        sections = tomllib.loads(self.experiment.read_text())
        for key, value in self.settings.items():
            section, name = key.split(".", 1)
            sections.setdefault(section, {})[name] = value
        return sections

    def files(self) -> list[Path]:
        """The files that the configuration names, from the experiment's folder."""
        values = [value for keys in each_section(self.configuration()) for value in keys.values()]
        found = [self.experiment.parent / value for value in values if isinstance(value, (str, Path)) and value]
        return [path for path in found if path.is_file()]


def braid(*arguments: str | Path) -> str:
    """Runs braid and returns its standard output. Raises BraidError with its message."""
    status, output, errors = answer_of(*arguments, program=BRAID)
    if status != 0:
        raise BraidError(errors.strip() or f"braid ended with status {status}", status)
    return output


def run(job: Run) -> Results:
    """The results of one run, as docs/results.schema.json describes them."""
    try:
        return json.loads(braid("run", job.experiment, *job.arguments(), "--quiet", "--json", "-"))
    except BraidError as e:
        raise BraidError(f"{job.name}: {e}", e.status) from None


def circuits(job: Run) -> Results:
    """What `braid circuits` says of an experiment's streams."""
    try:
        return json.loads(braid("circuits", job.experiment, *job.arguments(), "--quiet", "--json", "-"))
    except BraidError as e:
        raise BraidError(f"{job.name}: {e}", e.status) from None


def run_all(jobs: Iterable[Run]) -> list[Results]:
    """All runs, side by side, in the order given."""
    return in_parallel(run, jobs)

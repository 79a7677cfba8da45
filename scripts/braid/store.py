"""Results kept on disk, each under a hash of all that decides it."""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path

from braid import native
from braid.experiment import Experiment


@lru_cache(maxsize=1)
def program_hash() -> str:
    """Of the program that runs."""
    return hashlib.sha256(native.program().read_bytes()).hexdigest()


@lru_cache(maxsize=64)
def _file_hash(path: Path, changed_ns: int, size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def key_of(experiment: Experiment) -> str:
    """A hash of all that decides the figures: program, every key with its value (the seed is one), files that they
    name."""
    parts = [program_hash(), json.dumps(experiment.configuration, sort_keys=True)]
    for path in experiment.files():
        state = path.stat()
        parts.append(_file_hash(path, state.st_mtime_ns, state.st_size))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


class Store:
    """A folder of results. Two processes may use it at once: a result appears whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _file(self, experiment: Experiment) -> Path:
        return self._folder / f"{key_of(experiment)}.json"

    def find(self, experiment: Experiment) -> str | None:
        """The result's text, if it is there."""
        path = self._file(experiment)
        return path.read_text() if path.is_file() else None

    def keep(self, experiment: Experiment, text: str) -> None:
        """Writes it."""
        path = self._file(experiment)
        unfinished = path.with_suffix(f".{os.getpid()}.unfinished")
        unfinished.write_text(text)
        unfinished.replace(path)

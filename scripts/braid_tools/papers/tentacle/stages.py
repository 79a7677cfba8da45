"""What the stages of a study cost in processor time, for the machine may be shared. Runs kept from before cost none."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager


def processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


class Stages:
    """A line of cost.csv for each stage: processor seconds, seconds."""

    COLUMNS = ("stage", "processor seconds", "seconds")

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, str]] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts what the block takes, and says it."""
        used, began = processor_seconds(), time.monotonic()
        yield
        self.lines.append((name, f"{processor_seconds() - used:.1f}", f"{time.monotonic() - began:.1f}"))
        print(f"{name}: {self.lines[-1][1]} s of a processor, {self.lines[-1][2]} s", flush=True)

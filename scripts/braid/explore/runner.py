"""Runs points that the store does not have, and keeps what comes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from queue import Empty, SimpleQueue

from braid.child import output_of
from braid.errors import BraidError
from braid.explore.database import DONE, FAILED, Database, Row
from braid.explore.plan import Point
from braid.explore.point import Limits, Outcome, Task, command_of, perform
from braid.explore.workers import Workers
from braid.store import key_of


@lru_cache(maxsize=1)
def version() -> str:
    """Of the program."""
    return output_of("--version").strip().removeprefix("braid ")


class Stopped(Exception):  # noqa: N818
    """Somebody has ended the sweep."""


@dataclass
class Counts:
    """How far a sweep is."""

    wanted: int = 0
    found: int = 0  # in the store
    done: int = 0  # now
    failed: int = 0  # now, or found so in the store


class Runner:
    """Points become rows of the store. Several threads may ask at once."""

    def __init__(
        self,
        store: Database,
        workers: Workers,
        limits: Limits,
        *,
        retry: bool = False,
        told: Callable[[Counts], None] = lambda _: None,
    ) -> None:
        self.counts = Counts()
        self._asked: set[str] = set()
        self._store = store
        self._workers = workers
        self._limits = limits
        self._retry = retry
        self._told = told
        self._stop = threading.Event()
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Whoever waits gets Stopped; nothing begins any more."""
        self._stop.set()

    def how_far(self) -> str:
        """Asked of the store itself: what was stored a moment before an interrupt may not be counted yet."""
        rows = [self._store.find(key) for key in self._asked]
        there = sum(row is not None and self._counts_as_ended(row) for row in rows)
        return f"{there} of {len(rows)} points are in {self._store.file}; the same command goes on from there"

    def rows(self, points: Sequence[Point]) -> list[Row]:
        """The rows of points, in the order given. Raises Stopped; BraidError where the workers are lost."""
        keys = [key_of(point.experiment) for point in points]
        self._asked.update(keys)
        self._count(wanted=len(points))
        rows: dict[str, Row] = {}
        waiting: dict[str, Point] = {}
        for key, point in zip(keys, points, strict=True):
            kept = self._store.find(key)
            if kept is not None and self._counts_as_ended(kept):
                rows[key] = kept
                self._count(found=1, failed=int(kept.status == FAILED))
            else:
                waiting[key] = point
        self._count(wanted=-(len(points) - len(rows) - len(waiting)))  # twice the same
        self._gather(waiting, rows)
        return [rows[key] for key in keys]

    def _counts_as_ended(self, row: Row) -> bool:
        return row.status == DONE or not self._retry

    def _gather(self, waiting: dict[str, Point], rows: dict[str, Row]) -> None:
        ended: SimpleQueue[str] = SimpleQueue()
        futures: dict[str, Future[Outcome]] = {}
        try:
            for key, point in waiting.items():
                futures[key] = self._workers.executor.submit(perform, Task.of(point.experiment, self._limits))
                futures[key].add_done_callback(lambda _, key=key: ended.put(key))
            for _ in futures:
                key = self._next(ended)
                rows[key] = self._kept(key, waiting[key], _outcome(futures[key], self._workers.name))
        except BaseException:
            for future in futures.values():
                future.cancel()
            raise

    def _next(self, ended: SimpleQueue[str]) -> str:
        while True:
            if self._stop.is_set():
                raise Stopped
            try:
                key = ended.get(timeout=0.2)
            except Empty:
                continue
            if not self._stop.is_set():  # else it may have been ended
                return key

    def _kept(self, key: str, point: Point, outcome: Outcome) -> Row:
        results = json.loads(outcome.results) if outcome.results else None
        row = Row(
            key=key,
            seed=point.seed,
            version=version(),
            status=FAILED if outcome.message else DONE,
            message=outcome.message,
            command=command_of(point.experiment),
            configuration=results["configuration"] if results else point.experiment.configuration,
            varied=point.settings,
            results=results,
            seconds=outcome.seconds,
            host=outcome.host,
            finished=f"{datetime.now(tz=UTC):%Y-%m-%d %H:%M:%S}",
        )
        self._store.keep(row)
        self._count(done=1, failed=int(row.status == FAILED))
        return row

    def _count(self, **more: int) -> None:
        with self._lock:
            for name, number in more.items():
                setattr(self.counts, name, getattr(self.counts, name) + number)
        self._told(self.counts)


def _outcome(future: Future[Outcome], workers: str) -> Outcome:
    try:
        return future.result()
    except CancelledError:
        raise BraidError(f"{workers} is lost") from None
    except BraidError as e:
        return Outcome(None, str(e), 0.0, "")
    except Exception as e:  # dask: the point took several workers along
        if type(e).__name__ == "KilledWorker":
            return Outcome(None, f"its worker was killed again and again: {str(e).splitlines()[0]}", 0.0, "")
        raise BraidError(f"{workers} is lost: {e}") from None

"""Who runs points: processes of this machine, or the workers of a cluster of dask.distributed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from braid.child import Group
from braid.errors import BraidError, InputError
from braid.running import processors


class Workers(Protocol):
    """An executor, and how what runs on it is ended."""

    executor: Executor
    name: str

    def interrupt(self) -> None:
        """Ends what runs."""


class Local:
    """Threads that wait for a process each."""

    def __init__(self, count: int) -> None:
        self._children = Group()
        self.executor: Executor = ThreadPoolExecutor(count, initializer=self._children.join)
        self.name = f"{count} processes of this machine"

    def interrupt(self) -> None:
        """Ends the processes."""
        self._children.interrupt()

    def close(self) -> None:
        """When all is done."""
        self.executor.shutdown(wait=True, cancel_futures=True)


class Dask:
    """The workers of a scheduler of dask.distributed."""

    def __init__(self, client: Any, name: str) -> None:
        self.name = name
        self._client = client
        # A task that a worker did not survive is tried on others, three times (dask's allowed-failures).
        self.executor: Executor = client.get_executor(pure=False)

    @classmethod
    def at(cls, address: str) -> Dask:
        """Of one that runs. Raises InputError, BraidError where nobody answers."""
        try:
            from distributed import Client
        except ModuleNotFoundError:
            raise BraidError(
                "--scheduler needs dask.distributed: pip install 'braid-interconnect[explore]', here and on the workers"
            ) from None
        try:
            return cls(Client(address, timeout="10s", set_as_default=False), f"dask at {address}")
        except ValueError as e:
            raise InputError(f"--scheduler {address}: {e}; expected tcp://HOST:PORT") from None
        except (OSError, TimeoutError):
            raise BraidError(f"--scheduler {address}: nobody answers there: start one by dask scheduler") from None

    def interrupt(self) -> None:
        """Points that have not begun do not begin; those that run end by themselves, and nobody waits for them."""

    def close(self) -> None:
        """Leaves the cluster as it was."""
        self._client.close(timeout=2)


@contextmanager
def workers(
    scheduler: str | None, count: int | None, jobs: Mapping[str, int | None] | None = None
) -> Iterator[Workers]:
    """Workers for a sweep: of the scheduler, or so many jobs of a system, else of this machine, `count` at once."""
    wanted = {name: number for name, number in (jobs or {}).items() if number is not None}
    chosen = [f"--{name}" for name in wanted] + ["--scheduler"] * (scheduler is not None)
    if chosen and count is not None:
        raise InputError(f"--workers is of this machine, {chosen[0]} has its own: expected one of the two")
    if len(chosen) > 1:
        raise InputError(f"{chosen[0]} and {chosen[1]}: expected one of the two")
    if count is not None and count < 1:
        raise InputError(f"--workers {count}: expected 1 or more")
    if wanted:
        from braid.explore.jobs import Jobs

        [(system, number)] = wanted.items()
        some: Any = Jobs(system, number)
    else:
        some = Dask.at(scheduler) if scheduler is not None else Local(count or processors())
    try:
        yield some
    except BaseException:
        some.interrupt()
        raise
    finally:
        some.close()

"""Who runs points: processes of this machine, or the workers of a cluster of dask.distributed."""

from __future__ import annotations

from collections.abc import Iterator
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

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ModuleNotFoundError:
            raise BraidError(
                "--scheduler needs dask.distributed: pip install 'braid-interconnect[explore]', here and on the workers"
            ) from None
        self.name = f"dask at {address}"
        try:
            self._client: Any = Client(address, timeout="10s", set_as_default=False)
        except ValueError as e:
            raise InputError(f"--scheduler {address}: {e}; expected tcp://HOST:PORT") from None
        except (OSError, TimeoutError):
            raise BraidError(f"--scheduler {address}: nobody answers there: start one by dask scheduler") from None
        # A task that a worker did not survive is tried on others, three times (dask's allowed-failures).
        self.executor: Executor = self._client.get_executor(pure=False)

    def interrupt(self) -> None:
        """Points that have not begun do not begin; those that run end by themselves, and nobody waits for them."""

    def close(self) -> None:
        """Leaves the cluster as it was."""
        self._client.close(timeout=2)


@contextmanager
def workers(scheduler: str | None, count: int | None) -> Iterator[Workers]:
    """Workers for a sweep: of the scheduler, else of this machine, `count` at once."""
    if scheduler is not None and count is not None:
        raise InputError("--workers is of this machine, --scheduler has its own: expected one of the two")
    if count is not None and count < 1:
        raise InputError(f"--workers {count}: expected 1 or more")
    some = Dask(scheduler) if scheduler is not None else Local(count or processors())
    try:
        yield some
    except BaseException:
        some.interrupt()
        raise
    finally:
        some.close()

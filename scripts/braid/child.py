"""The program as a child process."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import threading
from pathlib import Path

from braid import native
from braid.errors import BraidError, error_of


class Group:
    """The children of several threads, so that one interrupt ends them all."""

    _of_thread = threading.local()

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()

    def join(self) -> None:
        """Children that this thread starts from now on belong to it."""
        Group._of_thread.group = self

    @classmethod
    def of_thread(cls) -> Group:
        """The group of this thread."""
        return getattr(cls._of_thread, "group", None) or Group()

    def add(self, process: subprocess.Popen[str]) -> None:
        """It runs."""
        with self._lock:
            self._running.add(process)

    def remove(self, process: subprocess.Popen[str]) -> None:
        """It has ended."""
        with self._lock:
            self._running.discard(process)

    def interrupt(self) -> None:
        """Tells all that run to end."""
        with self._lock:
            for process in self._running:
                process.send_signal(signal.SIGINT)


class TookTooLongError(BraidError):
    """The program was ended, for its time was over."""


def _ended(process: subprocess.Popen[str], text: str | None, seconds: float | None) -> tuple[str, str]:
    """What it wrote; `text`: its standard input. An interrupt goes on to the program, which puts away what it began."""
    try:
        return process.communicate(text, seconds)
    except BaseException as e:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if isinstance(e, subprocess.TimeoutExpired):
            raise TookTooLongError(f"braid took more than {seconds:g} s") from None
        raise


def answer_of(
    *arguments: str | Path,
    cwd: Path | None = None,
    program: Path | None = None,
    text: str | None = None,
    seconds: float | None = None,
    megabytes: int | None = None,
) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of `braid ARGUMENTS`; `program`: another build's; `text`: its
    standard input. `seconds`, `megabytes`: what it may take; TookTooLongError beyond the first."""
    command = [str(program or native.program()), *map(str, arguments)]
    pipe = subprocess.PIPE
    group = Group.of_thread()
    with subprocess.Popen(
        command,
        stdin=pipe if text is not None else None,
        stdout=pipe,
        stderr=pipe,
        text=True,
        cwd=cwd,
        start_new_session=True,
        env={**os.environ, "BRAID_STARTED_BY": str(os.getpid())},  # it ends with this process, even if this is killed
    ) as process:
        group.add(process)
        if megabytes is not None:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        try:
            output, errors = _ended(process, text, seconds)
        finally:
            group.remove(process)
    return process.returncode, output, errors


def output_of(*arguments: str | Path, cwd: Path | None = None, text: str | None = None) -> str:
    """With `text` as standard input: what `braid ARGUMENTS` prints. Raises BraidError, InputError, DeadlockError."""
    status, output, errors = answer_of(*arguments, cwd=cwd, text=text)
    if status != 0:
        raise error_of(status, errors)
    return output

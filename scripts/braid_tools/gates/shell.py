"""Commands with a time limit that leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass
class Outcome:
    """What became of a command: "" (good), "failed" or "timeout"."""

    how: str
    output: str
    seconds: float


def sh(
    command: Iterable[object],
    cwd: Path,
    limit: float | None = None,
    log: IO[bytes] | int = subprocess.PIPE,
    **environment: str,
) -> Outcome:
    """Runs a command in a session of its own, so that what it leaves behind ends with it. Its output goes to `log`, or
    else is taken."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    how = ""
    try:
        output, _ = process.communicate(timeout=limit)
        how = "" if process.returncode == 0 else "failed"
    except subprocess.TimeoutExpired:
        how = "timeout"
    finally:  # also when the user breaks off
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    if how == "timeout":
        output, _ = process.communicate()
    return Outcome(how, (output or b"").decode(errors="replace"), time.monotonic() - begin)

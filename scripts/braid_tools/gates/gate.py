"""A gate is a command that must succeed, and how many tests its output counts."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable

from braid_tools.program import ROOT

CTEST_TOTAL = re.compile(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)")
OWN_TOTAL = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
PYTEST_COUNT = re.compile(r"(\d+) (passed|failed|error)")


def ctest_counts(output: str) -> tuple[int, int]:
    """(passed, failed) from ctest's own summary."""
    found = CTEST_TOTAL.search(output)
    return (int(found[3]) - int(found[2]), int(found[2])) if found else (0, 1)


def own_counts(output: str) -> tuple[int, int]:
    """(passed, failed) from a last line "N passed, N failed"."""
    found = OWN_TOTAL.findall(output)
    return (int(found[-1][0]), int(found[-1][1])) if found else (0, 1)


def pytest_counts(output: str) -> tuple[int, int]:
    """(passed, failed) from pytest's own summary."""
    counts = {"passed": 0, "failed": 0, "error": 0}
    for number, what in PYTEST_COUNT.findall(output.strip().splitlines()[-1] if output.strip() else ""):
        counts[what] += int(number)
    return counts["passed"], counts["failed"] + counts["error"]


class Gates:
    """Runs commands, counts what passed and stops at the first that fails."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.scratch = tempfile.TemporaryDirectory(prefix="braid-test-")  # of the tests' files; goes with this object
        places = {"TMPDIR": self.scratch.name, "TEST_TMPDIR": self.scratch.name + "/"}
        self.environment = {**os.environ, **places, "PYTHONPATH": str(ROOT / "scripts")}

    def run(self, title: str, *command: object, count: Callable[[str], tuple[int, int]] | None = None) -> None:
        """One gate. Without `count` it counts as one test."""
        if self.failed:
            return
        print(f"== {title}", flush=True)
        begin = time.monotonic()
        done = subprocess.run(
            [str(part) for part in command],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        passed, failed = count(done.stdout) if count else (int(done.returncode == 0), int(done.returncode != 0))
        if done.returncode != 0 and not failed:
            failed = 1
        if failed:
            print(done.stdout)
        self.passed += passed
        self.failed += failed
        print(f"   {passed} passed, {failed} failed, {time.monotonic() - begin:.1f} s", flush=True)

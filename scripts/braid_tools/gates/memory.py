"""Test cases under valgrind, one process a case: `python -m braid_tools.gates.memory FILTER`, a filter of GoogleTest's.
An access to memory that is not there, or a decision by what was never written, fails the case."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from braid_tools.program import ROOT

TESTS = ROOT / "build" / "release" / "tb" / "braid_models_test"
#: A jump of the stack pointer by more is another thread's stack: those of SystemC's threads are 320 KB, on the heap.
VALGRIND = [
    "valgrind",
    "-q",
    "--max-stackframe=150000",
    "--error-exitcode=99",
    f"--suppressions={Path(__file__).with_name('valgrind.supp')}",
]


def cases(wanted: str) -> list[str]:
    """The names of the cases that the filter lets through."""
    command = [TESTS, "--gtest_list_tests", f"--gtest_filter={wanted}"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names, suite = [], ""
    for line in lines:
        if line.startswith("  "):
            names.append(suite + line.split()[0])
        elif line.endswith("."):
            suite = line
    return names


def main() -> int:
    """Entry point."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else "*"
    names = cases(wanted)
    bad = []
    for name in names:
        run = subprocess.run([*VALGRIND, TESTS, f"--gtest_filter={name}"], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            bad.append(name)
            print(f"{name}: status {run.returncode}\n{run.stderr}")
    print(f"{len(names)} cases under valgrind, {len(bad)} bad")
    return 1 if bad or not names else 0


if __name__ == "__main__":
    sys.exit(main())

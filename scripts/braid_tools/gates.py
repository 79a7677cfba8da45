"""scripts/test: every gate and every fast test, one after the other, with a total at the end."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from braid_tools.program import ROOT, processors

BIN = ROOT / ".venv" / "bin"
CTEST_TOTAL = re.compile(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)")
OWN_TOTAL = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
PYTEST_COUNT = re.compile(r"(\d+) (passed|failed|error)")


def sources(*suffixes: str) -> list[str]:
    """Source files with these suffixes, relative to the root."""
    folders = ("routing", "traffic", "models", "tb")
    found = [p for f in folders for p in sorted((ROOT / f).rglob("*")) if p.suffix in suffixes]
    return [str(p.relative_to(ROOT)) for p in found]


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


def ctest(preset: str) -> list[object]:
    """ctest over a preset's build."""
    jobs = processors()
    return ["ctest", "--test-dir", f"build/{preset}", "-j", jobs, "--output-on-failure", "--no-tests=error"]


def main() -> int:
    """Entry point of scripts/test."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fast", choices=["yes", "no"], default="no")
    thorough = parser.parse_args().fast == "no"
    gates = Gates()
    ruff = [BIN / "ruff", "--config", "scripts/ruff.toml"]
    gates.run("clang-format", BIN / "clang-format", "--dry-run", "--Werror", *sources(".h", ".cpp"))
    gates.run("ruff", *ruff[:1], "check", *ruff[1:], "scripts", "tb/python", "tb/cocotb")
    gates.run("ruff format", *ruff[:1], "format", "--check", *ruff[1:], "scripts", "tb/python", "tb/cocotb")
    gates.run("folder dependencies", sys.executable, "-m", "braid_tools.check_folders")
    gates.run("list of seeded faults", sys.executable, "-m", "braid_tools.mutation", "--check")
    gates.run("RTL by Verilator, slang and Verible", sys.executable, "-m", "braid_tools.rtl_lint", count=own_counts)
    gates.run("words of RTL and C++", sys.executable, "-m", "braid_tools.rtl_words", "--check")
    gates.run("proofs of the RTL", sys.executable, "-m", "braid_tools.formal", count=own_counts)
    gates.run("RTL under cocotb", sys.executable, "-m", "braid_tools.cocotb_smoke", count=own_counts)
    gates.run("build, warnings are errors", "scripts/build", "release")
    gates.run("unit, exact-cycle, closed-form and program tests", *ctest("release"), count=ctest_counts)
    gates.run("golden results", sys.executable, "-m", "braid_tools.golden", count=own_counts)
    gates.run("Python and example tests", sys.executable, "-m", "pytest", "-q", "tb/python", count=pytest_counts)
    gates.run("curves of BookSim 2", sys.executable, "-m", "braid_tools.reproduce", "booksim", "--quick")
    gates.run("layouts of tentacle-routing", sys.executable, "-m", "braid_tools.reproduce", "tentacle", "--quick")
    gates.run("figures of sat-fairness", sys.executable, "-m", "braid_tools.reproduce", "sat", "--quick")
    gates.run("figures of po2-message-scheduling", sys.executable, "-m", "braid_tools.reproduce", "po2", "--quick")
    gates.run("the main job", sys.executable, "-m", "braid_tools.main_job", "--quick")
    if thorough:
        gates.run("clang-tidy", sys.executable, "-m", "braid_tools.tidy")
        gates.run("build with AddressSanitizer and UndefinedBehaviorSanitizer", "scripts/build", "asan")
        gates.run("tests with sanitizers", *ctest("asan"), count=ctest_counts)
    print(f"{gates.passed} passed, {gates.failed} failed")
    return 1 if gates.failed else 0


if __name__ == "__main__":
    sys.exit(main())

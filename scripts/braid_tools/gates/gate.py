"""A gate is a command that must succeed, and how many tests its output counts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

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


#: Which commands write JUnit XML themselves, a test case each: those that are counted so, by this option.
JUNIT_OPTION = {ctest_counts: "--output-junit", pytest_counts: "--junitxml"}


def write_junit(file: Path, title: str, output: str, *, failed: int, seconds: float) -> None:
    """JUnit XML of a gate that is one command: one test case, with what it printed if it failed."""
    numbers = {"tests": "1", "failures": str(int(failed > 0)), "errors": "0", "time": f"{seconds:.3f}"}
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(suites, "testsuite", {"name": title, **numbers})
    attributes = {"name": title, "classname": "scripts.test", "time": numbers["time"]}
    case = ElementTree.SubElement(suite, "testcase", attributes)
    if failed:
        text = "".join(c if c in "\t\n" or " " <= c < "\ud800" else "?" for c in output)  # what XML may hold
        ElementTree.SubElement(case, "failure", {"message": f"{title}: {failed} failed"}).text = text
    ElementTree.ElementTree(suites).write(file, encoding="utf-8", xml_declaration=True)


class Gates:
    """Runs commands, counts what passed and stops at the first that fails. Writes JUnit XML to `junit`, a file a gate
    that ran; what is there from before goes."""

    def __init__(self, junit: Path = ROOT / "results" / "junit") -> None:
        self.passed = 0
        self.failed = 0
        self.junit = junit
        shutil.rmtree(junit, ignore_errors=True)
        junit.mkdir(parents=True)
        self.scratch = tempfile.TemporaryDirectory(prefix="braid-test-")  # of the tests' files; goes with this object
        places = {"TMPDIR": self.scratch.name, "TEST_TMPDIR": self.scratch.name + "/"}
        self.environment = {**os.environ, **places, "PYTHONPATH": str(ROOT / "scripts")}

    def run(self, title: str, *command: object, count: Callable[[str], tuple[int, int]] | None = None) -> None:
        """One gate. Without `count` it counts as one test."""
        if self.failed:
            return
        print(f"== {title}", flush=True)
        file = self.junit / (re.sub(r"\W+", "_", title.lower()) + ".xml")
        own_junit = [JUNIT_OPTION[count], file] if count in JUNIT_OPTION else []
        begin = time.monotonic()
        done = subprocess.run(
            [str(part) for part in [*command, *own_junit]],
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
        seconds = time.monotonic() - begin
        if not file.exists():  # also of a ctest or pytest that did not come that far
            write_junit(file, title, done.stdout, failed=failed, seconds=seconds)
        print(f"   {passed} passed, {failed} failed, {seconds:.1f} s", flush=True)

"""A gate is a command that must succeed, and how many tests its output counts."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
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


def case_counts(output: str) -> tuple[int, int]:
    """The same, of a program of test cases (tb/tests/support/each_case.cpp)."""
    return own_counts(output)


def pytest_counts(output: str) -> tuple[int, int]:
    """(passed, failed) from pytest's own summary."""
    counts = {"passed": 0, "failed": 0, "error": 0}
    for number, what in PYTEST_COUNT.findall(output.strip().splitlines()[-1] if output.strip() else ""):
        counts[what] += int(number)
    return counts["passed"], counts["failed"] + counts["error"]


#: Which commands write JUnit XML themselves, a test case each: those that are counted so, by this option.
JUNIT_OPTION = {ctest_counts: "--output-junit", case_counts: "--output-junit", pytest_counts: "--junitxml"}


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


@dataclass(frozen=True)
class Gate:
    """A command that must succeed. Without `count` it counts as one test. It waits for the gates titled in `after`."""

    title: str
    command: tuple[object, ...]
    count: Callable[[str], tuple[int, int]] | None = None
    after: tuple[str, ...] = ()


class Gates:
    """Runs gates, two at a time, and counts what passed and failed. A gate that waits for one that failed is not run,
    and neither are those behind it; all others are, so that one run says all that is wrong. Writes JUnit XML to
    `junit`, a file a gate that ran; what is there from before goes."""

    LANES = 2  # nearly every gate is parallel within itself; a second one fills what the first leaves idle

    def __init__(self, junit: Path = ROOT / "results" / "junit") -> None:
        self.passed = 0
        self.failed = 0
        self.processor_seconds = 0.0
        self.ended = False  # by an interrupt
        self.junit = junit
        shutil.rmtree(junit, ignore_errors=True)
        junit.mkdir(parents=True)
        self.scratch = tempfile.TemporaryDirectory(prefix="braid-test-")  # of the tests' files; goes with this object
        places = {"TMPDIR": self.scratch.name, "TEST_TMPDIR": self.scratch.name + "/"}
        self.environment = {**os.environ, **places, "PYTHONPATH": str(ROOT / "scripts")}
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()

    def run(self, gates: Iterable[Gate]) -> None:
        """Runs the gates: of those whose `after` have passed, the first in the order given. ValueError where one waits
        for a title that no gate has, or two wait for each other."""
        waiting = list(gates)
        TopologicalSorter({gate.title: gate.after for gate in waiting}).prepare()
        if unknown := {title for gate in waiting for title in gate.after} - {gate.title for gate in waiting}:
            raise ValueError(f"no gate is called {unknown.pop()!r}")
        done: set[str] = set()
        missing: set[str] = set()  # failed, or not run for what failed
        with ThreadPoolExecutor(self.LANES) as lanes, self._ending_all():
            under_way: dict[Future[bool], str] = {}
            while under_way or waiting:
                waiting = self._without(waiting, missing)
                ready = [gate for gate in waiting if done.issuperset(gate.after)]
                for gate in ready[: self.LANES - len(under_way)]:
                    waiting.remove(gate)
                    under_way[lanes.submit(self._run, gate)] = gate.title
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    title = under_way.pop(future)
                    (done if future.result() else missing).add(title)

    def _without(self, waiting: list[Gate], missing: set[str]) -> list[Gate]:
        """Those that may still run. The others join the missing ones, each with a line that says why."""
        for gate in waiting:
            if lost := missing.intersection(gate.after):
                missing.add(gate.title)
                print(f"== {gate.title}\n   not run, for it needs: {', '.join(sorted(lost))}", flush=True)
        kept = [gate for gate in waiting if gate.title not in missing]
        return kept if len(kept) == len(waiting) else self._without(kept, missing)

    @contextlib.contextmanager
    def _ending_all(self) -> Iterator[None]:
        """Whatever runs is ended when the block is left by an exception, as Ctrl-C is."""
        try:
            yield
        except BaseException:
            with self._lock:
                self.failed += 1
                self.ended = True
                self._end_all()
            raise

    def _end_all(self) -> None:
        for process in self._running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)

    def _run(self, gate: Gate) -> bool:
        """Whether it passed."""
        file = self.junit / (re.sub(r"\W+", "_", gate.title.lower()) + ".xml")
        own_junit = [JUNIT_OPTION[gate.count], file] if gate.count in JUNIT_OPTION else []
        begin = time.monotonic()
        status, output, processor = self._output([str(part) for part in [*gate.command, *own_junit]])
        seconds = time.monotonic() - begin
        with self._lock:
            if self.ended:
                return False
            passed, failed = gate.count(output) if gate.count else (int(status == 0), int(status != 0))
            if status != 0 and not failed:
                failed = 1
            print(f"== {gate.title}")
            if failed:
                print(output)
            took = f"{seconds:.1f} s, {processor:.1f} s of processors"
            print(f"   {passed} passed, {failed} failed, {took}", flush=True)
            self.passed += passed
            self.failed += failed
            self.processor_seconds += processor
            if not file.exists():  # also of a ctest or pytest that did not come that far
                write_junit(file, gate.title, output, failed=failed, seconds=seconds)
            return not failed

    def _output(self, command: list[str]) -> tuple[int, str, float]:
        """Exit status, output and processor seconds of a command, in a session of its own: it ends whole when the run
        is interrupted."""
        with self._lock:
            if self.ended:
                return 1, "", 0.0
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            self._running.add(process)
        with process.stdout as text:
            output = text.read()
        _, status, usage = os.wait4(process.pid, 0)
        with self._lock:
            self._running.discard(process)
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, output, usage.ru_utime + usage.ru_stime

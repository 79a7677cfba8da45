"""Runs faults that are together in one program: each is switched on for the tests that pass it, until one fails."""

from __future__ import annotations

import argparse
import queue
import sys
import threading
import time
from collections.abc import Callable

from braid_tools.gates.mutation import record
from braid_tools.gates.mutation.faults import Fault
from braid_tools.gates.mutation.rows import COLUMNS, Row, Sheets, neighbours
from braid_tools.gates.mutation.shared import Evidence, Shared, hash_of
from braid_tools.gates.mutation.together import Reaching, Together
from braid_tools.gates.mutation.worker import WORK
from braid_tools.program import ROOT, processors

#: Seconds of tests that a fault has in the first round: what they do not catch waits until all others had theirs.
FIRST_ROUND = 60.0
#: Between two writes of what has been measured so far.
SECONDS_TO_KEEP = 30.0
#: Stages of tests, one after the other: files of tests in Python are slow to measure, and few faults need them.
STAGES = (("tests", "golden"), ("python",))


def in_threads(jobs: int, work: Callable[[str], None]) -> None:
    """work(name of a scratch folder) in so many threads; the first error ends the program."""
    problems: list[BaseException] = []

    def guarded(name: str) -> None:
        try:
            work(name)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=guarded, args=(f"tmp{n}",), daemon=True) for n in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        sys.exit(f"mutation: {problems[0]!r}")


def taken_from(line: queue.SimpleQueue[Reaching]) -> Reaching | None:
    """The next one, or None."""
    try:
        return line.get_nowait()
    except queue.Empty:
        return None


def measured(together: Together, jobs: int, stages: tuple[str, ...]) -> None:
    """Every test of these stages once without any fault, unless that is known."""
    known = together.remembered()
    line: queue.SimpleQueue[Reaching] = queue.SimpleQueue()
    for test in together.list_tests():
        if test.stage in stages and test.name not in known:
            line.put(test)
    if line.empty():
        return
    left_out = known - {t.name for t in together.tests}
    lock = threading.Lock()
    kept = begin = time.monotonic()

    def work(name: str) -> None:
        nonlocal kept
        while (test := taken_from(line)) is not None:
            good = together.measure(test, name)
            with lock:
                if good:
                    together.tests.append(test)
                else:
                    left_out.add(test.name)
                if time.monotonic() - kept > SECONDS_TO_KEEP:
                    together.remember(left_out)
                    kept = time.monotonic()

    in_threads(jobs, work)
    together.remember(left_out)
    total = sum(t.seconds for t in together.tests)
    print(
        f"{len(together.tests)} tests, {total:.0f} s of them one after the other, in {time.monotonic() - begin:.0f} s",
        flush=True,
    )


class Switching:
    """The faults of one program, and what became of each."""

    def __init__(self, together: Together, near: list[Fault], rows: Sheets, evidence: Evidence, end: float) -> None:
        self.together, self.near, self.rows, self.evidence, self.end = together, near, rows, evidence, end
        self.shared = Shared()
        self.catchers = record.catchers(record.PLACE)  # by the name of a fault
        self.lock = threading.Lock()
        self.stages: tuple[str, ...] = ()  # whose tests run
        self.waiting: list[tuple[int, list[Reaching] | None, float]] = []  # (fault, tests to run, seconds so far)
        self.later: list[tuple[int, list[Reaching] | None, float]] = []
        self.survived: list[tuple[int, float]] = []  # all tests of the stages so far

    def order(self, number: int) -> list[Reaching]:
        """The tests of this stage that pass a fault: what caught it when faults were recorded, those that caught one
        near it, then the quickest."""
        fault = self.together.numbers[number]
        first = [self.catchers.get(fault.name, ""), *neighbours(fault, self.near, self.rows.rows)]
        tests = [t for t in self.together.tests if number in t.reached and t.stage in self.stages]
        return sorted(tests, key=lambda t: (first.index(t.name) if t.name in first else len(first), t.seconds))

    def row(self, number: int, caught_by: str, how: str, stage: str, seconds: float) -> None:
        """Writes down what became of a fault."""
        fault = self.together.numbers[number]
        key = [hash_of(fault, (ROOT / fault.file).read_text()), self.evidence.of(caught_by)]
        cells = [fault.name, fault.what, fault.file, caught_by, how, stage, f"{seconds:.1f}", "0.0", *key]
        row: Row = dict(zip(COLUMNS, cells, strict=True))
        self.rows.add(row)
        self.shared.add(row)

    def one(self, number: int, tests: list[Reaching], seconds: float, budget: float, scratch: str) -> None:
        """Runs a fault's tests until one fails or the time of this round is over."""
        begin = time.monotonic()
        for at, test in enumerate(tests):
            so_far = time.monotonic() - begin
            if so_far > budget or time.monotonic() > self.end:
                with self.lock:
                    self.later.append((number, tests[at:], seconds + so_far))
                return
            done = self.together.run(test, scratch, BRAID_SEEDED=str(number))
            if done.how:
                return self.row(number, test.name, done.how, test.stage, seconds + time.monotonic() - begin)
        with self.lock:
            self.survived.append((number, seconds + time.monotonic() - begin))

    def round(self, jobs: int, budget: float) -> None:
        """All that wait, once."""
        self.waiting, self.later = self.later, []
        self.waiting.reverse()

        def work(scratch: str) -> None:
            while time.monotonic() < self.end:
                with self.lock:
                    if not self.waiting:
                        return
                    number, tests, seconds = self.waiting.pop()
                self.one(number, self.order(number) if tests is None else tests, seconds, budget, scratch)

        in_threads(jobs, work)

    def stage(self, jobs: int, stages: tuple[str, ...]) -> None:
        """The tests of these stages, for all that have survived so far."""
        self.stages = stages
        self.later = [(number, None, seconds) for number, seconds in self.survived]
        self.survived = []
        self.round(jobs, FIRST_ROUND)
        self.round(jobs, float("inf"))

    def write_survivors(self) -> None:
        """Rows of those that all tests let pass, and of those that no test passes."""
        for number, seconds in self.survived:
            passed = any(number in t.reached for t in self.together.tests)
            self.row(number, "", "" if passed else "no test passes it", "rest", seconds)


def run_switched(
    faults: list[Fault],
    wanted: set[str],
    near: list[Fault],
    rows: Sheets,
    evidence: Evidence,
    options: argparse.Namespace,
) -> list[Fault]:
    """Builds all of these that can be switched, and runs those that are wanted, fresh ones first: their share is the
    night's figure. Returns the wanted ones that are left. What is not wanted keeps its number: a run that goes on
    compiles nothing anew.
    """
    together = Together(WORK / "together", faults)
    together.build(processors())
    switching = Switching(together, near, rows, evidence, time.monotonic() + options.hours * 3600)
    inside = [n for n in together.inside if faults[n].name in wanted]
    inside.sort(key=lambda n: (not faults[n].name.startswith("fresh_"), n))
    switching.survived = [(number, 0.0) for number in inside]
    for stages in STAGES:
        measured(together, options.jobs, stages)
        switching.stage(options.jobs, stages)
        print(f"{len(switching.survived)} have survived {' and '.join(stages)}", flush=True)
    if time.monotonic() < switching.end:
        switching.write_survivors()
    return [f for n, f in together.numbers.items() if f.name in wanted and n not in together.inside]

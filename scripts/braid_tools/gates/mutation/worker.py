"""What a worker does with a seeded fault: builds it into its tree and looks which test fails first."""

from __future__ import annotations

import time
from collections.abc import Callable

from braid_tools.gates.mutation.faults import Fault
from braid_tools.gates.mutation.rows import COLUMNS, Row
from braid_tools.gates.mutation.shared import Evidence, hash_of
from braid_tools.gates.mutation.tree import Test, Tree
from braid_tools.gates.shell import Outcome
from braid_tools.program import ROOT

WORK = ROOT / "build" / "mutation"


def in_order(tests: list[Test], area: str) -> tuple[list[Test], list[Test]]:
    """(tests of the area, all others), the quickest first."""
    near = [t for t in tests if t.name.startswith(area + ".") or (area == "rtl" and t.name.startswith("lockstep."))]
    far = [t for t in tests if t not in near]
    return sorted(near, key=lambda t: t.seconds), sorted(far, key=lambda t: t.seconds)


#: Names of the tests that caught faults near one, the nearest first.
Neighbours = Callable[[Fault], list[str]]


class Worker:
    """One thread's tree, and what it does with a fault."""

    def __init__(
        self, number: int, revision: str, jobs: int, area_first: bool, neighbours: Neighbours = lambda _: []
    ) -> None:
        self.place = WORK / f"worker{number}"
        self.neighbours = neighbours
        self.revision = revision
        self.jobs = jobs
        self.area_first = area_first
        self.trees: dict[bool, Tree] = {}

    def tree(self, rtl: bool) -> Tree:
        """The tree, built and measured without any fault when it is first asked for."""
        if rtl not in self.trees:
            tree = Tree(self.place, self.revision, rtl)
            built = tree.build("all", self.jobs)
            if built.how:
                raise RuntimeError(f"the sources without a fault do not build:\n{built.output[-3000:]}")
            tree.list_tests()
            if not tree.remembers():
                self.measure(tree)
            total = sum(t.seconds for t in tree.tests)
            print(
                f"{self.place.name}: built in {built.seconds:.0f} s; {len(tree.tests)} tests take {total:.0f} s",
                flush=True,
            )
            self.trees[rtl] = tree
        return self.trees[rtl]

    def measure(self, tree: Tree) -> None:
        """Runs every test without any fault: none may fail, and how long each takes is kept with the tree."""
        for test in tree.tests:
            done = tree.run_test(test)
            if done.how:
                raise RuntimeError(f"{test.name} fails without any fault ({done.how}):\n{done.output[-3000:]}")
            test.seconds = done.seconds
        for look in (tree.run_golden, tree.run_python):
            name, how = look()
            while name.startswith("tb/python/") and self.revision:  # it may want the RTL
                tree.left_out.append(name)
                name, how = look()
            if name:
                raise RuntimeError(f"{name} fails without any fault ({how})")
        tree.remember()

    def by_neighbours(self, tree: Tree, fault: Fault) -> tuple[str, str, str, float]:
        """As catch(), of the tests alone that caught faults near this one: mostly one of them does again."""
        seconds = 0.0
        tests = {test.name: test for test in tree.tests}
        for name in self.neighbours(fault):
            python = name.startswith("tb/python/")
            if not python and name not in tests:
                continue  # golden, which comes next, or a test that is no more
            built = tree.build("braid" if python else f"braid_{name.split('.')[0]}_test", self.jobs)
            seconds += built.seconds
            if built.how:
                return self.not_built(built, "neighbour", seconds)
            how = tree.run_python_test(name) if python else tree.run_test(tests[name]).how
            if how:
                return name, how, "neighbour", seconds
        return "", "", "", seconds

    def first_failure(self, tree: Tree, tests: list[Test]) -> tuple[str, str]:
        """(name of the first test that fails, how), or ("", "")."""
        for test in tests:
            done = tree.run_test(test)
            if done.how:
                return test.name, done.how
        return "", ""

    def not_built(self, built: Outcome, stage: str, seconds: float) -> tuple[str, str, str, float]:
        """As catch(): the fault is invalid if it does not compile, and caught if the tests cannot even be listed."""
        wrong = [line for line in built.output.splitlines() if ": error:" in line or "undefined reference" in line]
        return ("", wrong[0], "build", seconds) if wrong else ("list of tests", built.how, stage, seconds)

    def catch(self, tree: Tree, fault: Fault) -> tuple[str, str, str, float]:
        """(caught by, how, stage, seconds of building) of a fault that is in the tree."""
        found = self.by_neighbours(tree, fault)
        if found[2]:
            return found
        near, far = in_order(tree.tests, fault.area)
        stages: list[tuple[str, str, Callable[[], tuple[str, str]]]] = [
            ("golden", "braid", tree.run_golden),
            ("area", f"braid_{fault.area}_test" if near else "braid", lambda: self.first_failure(tree, near)),
            ("rest", "all", lambda: self.first_failure(tree, far)),
            ("python", "all", tree.run_python),
        ]
        if self.area_first:
            stages[:2] = stages[1], stages[0]
        seconds = found[3]
        for stage, target, look in stages:
            built = tree.build(target)
            if fault.in_rtl and not built.how:
                built = tree.build("rtl")  # loaded by what was built
            seconds += built.seconds
            if built.how:
                return self.not_built(built, stage, seconds)
            name, how = look()
            if name:
                return name, how, stage, seconds
        return "", "", "", seconds

    def run(self, fault: Fault, evidence: Evidence) -> Row:
        """The row of one fault."""
        tree = self.tree(fault.in_rtl)
        begin = time.monotonic()
        text = tree.read(fault.file)
        tree.write(fault.file, fault.seeded(text))
        try:
            caught_by, how, stage, building = self.catch(tree, fault)
        finally:
            tree.write(fault.file, text)
        seconds = [f"{time.monotonic() - begin:.1f}", f"{building:.1f}"]
        key = [hash_of(fault, text), evidence.of(caught_by)]
        return dict(
            zip(COLUMNS, [fault.name, fault.what, fault.file, caught_by, how, stage, *seconds, *key], strict=True)
        )

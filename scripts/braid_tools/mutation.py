"""Mutation check of the C++: seeds each fault of tb/mutations.toml into a copy of the sources, builds it and says which
test caught it. Exit 1 if a fault lives and less than 95 % are caught.

Usage: python -m braid_tools.mutation [NAME...] [--jobs 2] [--hours H] [--again|--survivors] [--without-rtl]
                                      [--area-first] [--every N] [--before REV]
       python -m braid_tools.mutation --check     only checks the list

Writes results/mutation/faults.csv, a row as soon as a fault is done. A row that is there already is kept if neither
the faulty file nor any test has changed (--again: run all the same). --before REV: that revision's tests on that
revision's program, of the faults whose text occurs in it, into before.csv. The golden results come first, which need
only the program to be built; then the tests of the area (routing/ -> tb/tests/routing; --area-first: before them), the
quickest first; all other tests; those in Python. A test that takes twenty times as long as without the fault is
stopped: "timeout".
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from braid_tools.mutation_list import Fault, complaints, digest, digest_of_files, read
from braid_tools.mutation_tree import Outcome, Test, Tree, copy_sources, text_at
from braid_tools.program import ROOT

LIST = ROOT / "tb" / "mutations.toml"
OUT = ROOT / "results" / "mutation"
WORK = ROOT / "build" / "mutation"
TESTS = ["tb/tests", "tb/python", "tb/golden"]
ENOUGH = 0.95
COLUMNS = ["name", "what", "file", "caught_by", "how", "stage", "seconds", "build_seconds", "fault_hash", "tests_hash"]
Row = dict[str, Any]


def in_order(tests: list[Test], area: str) -> tuple[list[Test], list[Test]]:
    """(tests of the area, all others), the quickest first."""
    near = [t for t in tests if t.name.startswith(area + ".") or (area == "rtl" and t.name.startswith("lockstep."))]
    far = [t for t in tests if t not in near]
    return sorted(near, key=lambda t: t.seconds), sorted(far, key=lambda t: t.seconds)


def verdict(row: Row) -> str:
    """ "caught", "survived" or "invalid"."""
    return "invalid" if row["stage"] == "build" else "caught" if row["caught_by"] else "survived"


def table(rows: Iterable[Row], faults: list[Fault]) -> tuple[list[str], float, list[str]]:
    """(lines by folder, score, names of the survivors that no proof excuses)."""
    by_name = {fault.name: fault for fault in faults}
    counts: dict[str, dict[str, int]] = {}
    survivors = []
    for row in rows:
        fault = by_name[row["name"]]
        kind = verdict(row)
        if kind == "survived" and fault.equivalent:
            kind = "equivalent"
        elif kind == "survived":
            survivors.append(fault.name)
        for folder in (fault.folder, "all"):
            here = counts.setdefault(folder, dict.fromkeys(("caught", "survived", "equivalent", "invalid"), 0))
            here[kind] += 1
    lines = [f"{'folder':28}{'faults':>8}{'caught':>8}{'equiv.':>8}{'invalid':>8}{'alive':>8}{'score':>8}"]
    score = 0.0
    for folder in sorted(counts, key=lambda f: (f == "all", f)):
        c = counts[folder]
        score = c["caught"] / max(1, c["caught"] + c["survived"])
        numbers = [sum(c.values()), c["caught"], c["equivalent"], c["invalid"], c["survived"]]
        lines.append(f"{folder:28}" + "".join(f"{n:8}" for n in numbers) + f"{score:8.1%}")
    return lines, score, survivors


class Rows:
    """The CSV file, written as soon as a row is known, by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.rows: dict[str, Row] = {}
        if path.is_file():
            with path.open(newline="") as file:
                self.rows = {row["name"]: row for row in csv.DictReader(file)}

    def add(self, row: Row) -> None:
        """Replaces or appends one row and writes all."""
        with self.lock:
            self.rows[row["name"]] = row
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            with fresh.open("w", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS)
                writer.writeheader()
                writer.writerows(self.rows.values())
            fresh.replace(self.path)
            detail = f"{row['caught_by']} ({row['how']}, {row['stage']})" if row["caught_by"] else row["how"] or "ALIVE"
            print(f"{row['seconds']:>6} s  {row['name']:44} {detail}", flush=True)


class Worker:
    """One thread's tree, and what it does with a fault."""

    def __init__(self, number: int, revision: str, jobs: int, area_first: bool) -> None:
        self.place = WORK / f"worker{number}"
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
            total = sum(t.seconds for t in tree.tests)
            print(
                f"{self.place.name}: built in {built.seconds:.0f} s; {len(tree.tests)} tests take {total:.0f} s",
                flush=True,
            )
            self.trees[rtl] = tree
        return self.trees[rtl]

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
        near, far = in_order(tree.tests, fault.area)
        stages: list[tuple[str, str, Callable[[], tuple[str, str]]]] = [
            ("golden", "braid", tree.run_golden),
            ("area", f"braid_{fault.area}_test" if near else "braid", lambda: self.first_failure(tree, near)),
            ("rest", "all", lambda: self.first_failure(tree, far)),
            ("python", "all", tree.run_python),
        ]
        if self.area_first:
            stages[:2] = stages[1], stages[0]
        seconds = 0.0
        for stage, target, look in stages:
            built = tree.build(target)
            seconds += built.seconds
            if built.how:
                return self.not_built(built, stage, seconds)
            name, how = look()
            if name:
                return name, how, stage, seconds
        return "", "", "", seconds

    def run(self, fault: Fault, tests_hash: str) -> Row:
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
        key = [digest(fault.seeded(text).encode()), tests_hash]
        return dict(
            zip(COLUMNS, [fault.name, fault.what, fault.file, caught_by, how, stage, *seconds, *key], strict=True)
        )


def hash_of(fault: Fault, revision: str = "") -> str:
    """Of the faulty file."""
    return digest(fault.seeded(text_at(revision, fault.file)).encode())


def own_and_shared(own: list[Fault], shared: queue.SimpleQueue[list[Fault]]) -> Iterator[list[Fault]]:
    """A worker's own group, then what is left of those that it shares."""
    yield own
    with contextlib.suppress(queue.Empty):
        while True:
            yield shared.get_nowait()


def run_all(faults: list[Fault], rows: Rows, tests_hash: str, options: argparse.Namespace) -> None:
    """All faults: those of one file one after the other by one worker; the RTL's, which need a build with it, first
    and by the first worker.
    """
    end = time.monotonic() + options.hours * 3600
    groups: queue.SimpleQueue[list[Fault]] = queue.SimpleQueue()
    files = dict.fromkeys(fault.file for fault in faults if not fault.in_rtl)
    for file in files:
        groups.put([fault for fault in faults if fault.file == file])
    rtl = [fault for fault in faults if fault.in_rtl]
    problems: list[str] = []

    def work(number: int) -> None:
        try:
            worker = Worker(number, options.before, 1 if options.jobs > 1 else 2, options.area_first)
            copy_sources(worker.place, options.before)
            for group in own_and_shared(rtl if number == 0 else [], groups):
                for fault in group:
                    if time.monotonic() > end or problems:
                        return
                    rows.add(worker.run(fault, tests_hash))
        except Exception as error:  # ends this thread and tells the others
            problems.append(f"worker {number}: {error}")

    threads = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        sys.exit("\n".join(problems))


def commit(revision: str) -> str:
    """The hash of a revision."""
    command = ["git", "rev-parse", "--verify", f"{revision}^{{commit}}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def print_before(faults: list[Fault]) -> None:
    """What older tests caught of these faults, if --before has been run."""
    older = Rows(OUT / "before.csv").rows
    both = [f for f in faults if f.name in older]
    if both:
        score = table([older[f.name] for f in both], both)[1]
        print(f"the tests of {older[both[0].name]['tests_hash'][:10]} caught {score:.1%} of {len(both)} of them")


def main() -> int:
    """All faults, or the named ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--hours", type=float, default=12.0, help="start no fault after that")
    parser.add_argument("--again", action="store_true", help="run faults that have a row, too")
    parser.add_argument(
        "--survivors", action="store_true", help="only what survived, or was never run: after new tests"
    )
    parser.add_argument("--before", default="", metavar="REV", help="that revision's program and tests")
    parser.add_argument("--without-rtl", action="store_true", help="leave out models/rtl, which needs a long build")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth fault of the list: a sample")
    parser.add_argument("--area-first", action="store_true", help="unit tests of the folder before the golden results")
    parser.add_argument("--check", action="store_true", help="only check the list")
    options = parser.parse_args()
    faults, without = read(LIST)
    wrong = complaints(ROOT, faults, without)
    unknown = set(options.names) - {fault.name for fault in faults}
    wrong += [f"{name}: no such fault" for name in sorted(unknown)]
    if wrong:
        print("\n".join(wrong))
        return 1
    if options.check:
        print(f"{len(faults)} faults in {len({fault.file for fault in faults})} files")
        return 0
    tests_hash = commit(options.before) if options.before else digest_of_files(ROOT, TESTS)
    rows = Rows(OUT / ("before.csv" if options.before else "faults.csv"))

    def known(fault: Fault) -> bool:
        row = rows.rows.get(fault.name)
        if row is None or row["fault_hash"] != hash_of(fault, options.before):
            return False
        return row["tests_hash"] == tests_hash or (options.survivors and verdict(row) == "caught")

    chosen = [f for f in faults[:: options.every] if not options.names or f.name in options.names]
    chosen = [f for f in chosen if not (f.in_rtl and options.without_rtl)]
    if options.before:  # what is not in the older program cannot be seeded there
        chosen = [f for f in chosen if text_at(options.before, f.file).count(f.old) == 1]
    run_all([fault for fault in chosen if options.again or not known(fault)], rows, tests_hash, options)
    lines, score, survivors = table([rows.rows[f.name] for f in chosen if f.name in rows.rows], chosen)
    print("\n".join(lines))
    print(f"survivors: {', '.join(survivors) or 'none'}")
    missing = [f.name for f in chosen if f.name not in rows.rows]
    if missing:
        print(f"not run: {len(missing)}")
    if not options.before:
        print_before(chosen)
    return 1 if survivors and score < ENOUGH else 0


if __name__ == "__main__":
    sys.exit(main())

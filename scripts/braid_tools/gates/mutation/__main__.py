"""Mutation check of the C++: seeds each fault of tb/mutations.toml into a copy of the sources, builds it and says which
test caught it. Exit 1 if a fault lives and less than 95 % are caught, or if some were not run.

Usage: python -m braid_tools.gates.mutation [NAME...] [--jobs N] [--hours H] [--again|--survivors] [--without-rtl]
                                      [--area-first] [--every N] [--before REV]
       python -m braid_tools.gates.mutation --check     only checks the list

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
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from braid_tools.digest import digest, digest_of_files
from braid_tools.gates.mutation.faults import Fault, complaints, read
from braid_tools.gates.mutation.rows import Rows, table, verdict
from braid_tools.gates.mutation.tree import copy_sources, text_at
from braid_tools.gates.mutation.worker import Worker
from braid_tools.program import ROOT, processors

LIST = ROOT / "tb" / "mutations.toml"
OUT = ROOT / "results" / "mutation"
TESTS = ["tb/tests", "tb/python", "tb/golden"]
ENOUGH = 0.95


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
            worker = Worker(number, options.before, max(1, processors() // options.jobs), options.area_first)
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


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m braid_tools.gates.mutation")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=processors(), help="faults at a time")
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
    return parser.parse_args()


def chosen_of(faults: list[Fault], options: argparse.Namespace) -> list[Fault]:
    """The faults that the command line asks for."""
    chosen = [f for f in faults[:: options.every] if not options.names or f.name in options.names]
    chosen = [f for f in chosen if not (f.in_rtl and options.without_rtl)]
    if options.before:  # what is not in the older program cannot be seeded there
        chosen = [f for f in chosen if text_at(options.before, f.file).count(f.old) == 1]
    return chosen


def known(fault: Fault, rows: Rows, tests_hash: str, options: argparse.Namespace) -> bool:
    """Does a row of an earlier run still hold?"""
    row = rows.rows.get(fault.name)
    if options.again or row is None or row["fault_hash"] != hash_of(fault, options.before):
        return False
    return row["tests_hash"] == tests_hash or (options.survivors and verdict(row) == "caught")


def summary(chosen: list[Fault], rows: Rows) -> int:
    """Prints the table and what is left; exit status 1 if too many faults live or some were not run."""
    lines, score, survivors = table([rows.rows[f.name] for f in chosen if f.name in rows.rows], chosen)
    print("\n".join(lines))
    print(f"survivors: {', '.join(survivors) or 'none'}")
    missing = [f.name for f in chosen if f.name not in rows.rows]
    if missing:
        print(f"not run: {len(missing)}")
    return 1 if missing or (survivors and score < ENOUGH) else 0


def main() -> int:
    """All faults, or the named ones."""
    options = arguments()
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
    chosen = chosen_of(faults, options)
    run_all([f for f in chosen if not known(f, rows, tests_hash, options)], rows, tests_hash, options)
    status = summary(chosen, rows)
    if not options.before:
        print_before(chosen)
    return status


if __name__ == "__main__":
    sys.exit(main())

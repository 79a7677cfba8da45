"""Mutation check of the C++: seeds the faults of tb/mutations.toml and says which test caught each. Exit 1 if a fault
lives and less than 95 % are caught, or if some were not run.

Usage: python -m braid_tools.gates.mutation [NAME...] [--jobs N] [--hours H] [--again|--survivors] [--without-rtl]
                                      [--every N] [--one-by-one [--area-first]] [--switched] [--before REV]
       python -m braid_tools.gates.mutation --fresh N [--date YYYY-MM-DD...] [--listed]   N mutations drawn by each date
       python -m braid_tools.gates.mutation --check                                only checks the list
       python -m braid_tools.gates.mutation --record                               only writes docs/results/faults.csv

Most faults are built into one program, each behind a switch (switches.py). Every test runs once with none switched on
and says which faults it passes; then each fault is switched on for the tests that pass it, first those that caught
faults near it, then the quickest, until one fails (together.py, switching.py). What cannot be switched gets a build of
its own (worker.py; --switched: leave it out; --one-by-one: all get one): first come the tests that caught faults near
it; then the golden results; the tests of the area (routing/ -> tb/tests/routing; --area-first: before them); all
others. A test that takes twenty times as long as without the fault is stopped: "timeout".

Writes results/mutation/faults.csv, a row as soon as a fault is done; broken off, it goes on where it was. What became
of a fault is kept in ~/.cache/braid/mutations (BRAID_MUTATIONS), too, by the faulty file and the tests of the program
that caught it (all tests, if none did): worktrees and nights share it, and a fault runs again only if one of these
has changed (--again: run all the same). --record keeps the rows of results/mutation/faults.csv in the
repository, where a machine that has run nothing yet finds the test to try first. --before REV: that revision's tests on
that revision's program, of the faults whose text occurs in it, into before.csv.

--fresh: mutations drawn by a date (fresh.py), the first N that compile, into fresh_DATE.csv. The share that no test
catches is the escape rate; exit status 1 above 3 %.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from braid_tools.gates.mutation import fresh, record
from braid_tools.gates.mutation.faults import Fault, complaints, complaints_of_equal, read, read_equal
from braid_tools.gates.mutation.rows import Rows, Sheets, neighbours, table, verdict
from braid_tools.gates.mutation.shared import Evidence, Shared, hash_of
from braid_tools.gates.mutation.switching import run_switched
from braid_tools.gates.mutation.tree import copy_sources, text_at
from braid_tools.gates.mutation.worker import Worker
from braid_tools.program import ROOT, processors

LIST = ROOT / "tb" / "mutations.toml"
OUT = ROOT / "results" / "mutation"
ENOUGH = 0.95
MOST_ESCAPE = 0.03  # of fresh mutations


def own_and_shared(own: list[Fault], shared: queue.SimpleQueue[list[Fault]]) -> Iterator[list[Fault]]:
    """A worker's own group, then what is left of those that it shares."""
    yield own
    with contextlib.suppress(queue.Empty):
        while True:
            yield shared.get_nowait()


def run_all(
    faults: list[Fault], near: list[Fault], rows: Rows | Sheets, evidence: Evidence, options: argparse.Namespace
) -> None:
    """All faults: those of one file one after the other by one worker; the RTL's, which need a build with it, first
    and by the first worker. `near`: the faults whose rows say what to try first.
    """
    shared = Shared()
    end = time.monotonic() + options.hours * 3600
    groups: queue.SimpleQueue[list[Fault]] = queue.SimpleQueue()
    files = dict.fromkeys(fault.file for fault in faults if not fault.in_rtl)
    for file in files:
        groups.put([fault for fault in faults if fault.file == file])
    rtl = [fault for fault in faults if fault.in_rtl]
    problems: list[str] = []

    def work(number: int) -> None:
        try:
            worker = Worker(
                number,
                options.before,
                max(1, processors() // options.jobs),
                options.area_first,
                lambda fault: neighbours(fault, near, rows.rows),
            )
            copy_sources(worker.place, options.before)
            for group in own_and_shared(rtl if number == 0 else [], groups):
                for fault in group:
                    if time.monotonic() > end or problems:
                        return
                    row = worker.run(fault, evidence)
                    rows.add(row)
                    if not options.before:
                        shared.add(row)
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
    parser.add_argument("--fresh", type=int, default=0, metavar="N", help="as many mutations drawn by the date instead")
    parser.add_argument(
        "--date", nargs="+", default=[f"{datetime.now(tz=UTC):%Y-%m-%d}"], help="of --fresh, each; today"
    )
    parser.add_argument("--listed", action="store_true", help="the list, too, with --fresh")
    parser.add_argument("--one-by-one", action="store_true", help="a build for each fault")
    parser.add_argument("--switched", action="store_true", help="leave out what needs a build of its own")
    parser.add_argument("--check", action="store_true", help="only check the list")
    parser.add_argument("--record", action="store_true", help="only write what has run into docs/results")
    return parser.parse_args()


def chosen_of(faults: list[Fault], options: argparse.Namespace) -> list[Fault]:
    """The faults that the command line asks for."""
    chosen = [f for f in faults[:: options.every] if not options.names or f.name in options.names]
    chosen = [f for f in chosen if not (f.in_rtl and options.without_rtl)]
    if options.before:  # what is not in the older program cannot be seeded there
        chosen = [f for f in chosen if text_at(options.before, f.file).count(f.old) == 1]
    return chosen


def known(fault: Fault, rows: Rows, evidence: Evidence, options: argparse.Namespace) -> bool:
    """Does a row of an earlier run still hold, here or elsewhere? One from elsewhere is added."""
    if options.again:
        return False
    fault_hash = hash_of(fault, text_at(options.before, fault.file))
    row = rows.rows.get(fault.name)
    same = row is not None and row["fault_hash"] == fault_hash
    if same and (evidence.holds(row) or (options.survivors and verdict(row) == "caught")):
        return True
    found = None if options.before else Shared().find(fault, fault_hash, evidence)
    if found is not None:
        rows.add(found)
    return found is not None


def run_new(everything: list[Fault], near: list[Fault], sheets: Sheets, options: argparse.Namespace) -> None:
    """What is not known of them: those of one program first, then those that need a build each."""
    evidence = Evidence(ROOT)
    left = [f for f in everything if not known(f, sheets.of(f.name), evidence, options)]
    if left and not options.one_by_one and not options.names:
        wanted = {f.name for f in left}
        left = run_switched(everything, wanted, near, sheets, evidence, options)
        print(f"{len(wanted) - len(left)} faults in one program; {len(left)} need a build each", flush=True)
    if not options.switched:
        run_all(left, near, sheets, evidence, options)


def drawn_by(dates: list[str], wanted: int) -> dict[str, list[Fault]]:
    """A quarter more than wanted of each night: not all compile."""
    return {date: list(itertools.islice(fresh.drawn(ROOT, date), wanted + wanted // 4)) for date in dates}


def fresh_summary(date: str, drawn: list[Fault], wanted: int, sheets: Sheets) -> int:
    """Prints a night's escapes and their rate among the first that compile and change something; exit status 1 if too
    many escape."""
    equal = read_equal(LIST)
    rows = [(f, sheets.of(f.name).rows[f.name]) for f in drawn if f.name in sheets.of(f.name).rows]
    built = [(f, row) for f, row in rows if verdict(row) != "invalid"][:wanted]
    alive = [f for f, row in built if verdict(row) == "survived"]
    escaped = [f for f in alive if not any(one.is_of(f) for one in equal)]
    for fault in escaped:
        print(f"escaped: {fault.name}: {fault.what}")
    same = len(alive) - len(escaped)
    rate = len(escaped) / (len(built) - same) if len(built) > same else 0.0
    print(
        f"{date}: {len(built)} fresh mutations built, {len(built) - len(alive)} caught, "
        f"{same} change nothing, {len(escaped)} escaped: {rate:.1%}"
    )
    return 1 if len(built) < wanted or rate > MOST_ESCAPE else 0


def before(faults: list[Fault], options: argparse.Namespace) -> int:
    """The tests of an older revision, a build for each fault."""
    evidence, rows = Evidence(ROOT, commit(options.before)), Rows(OUT / "before.csv")
    chosen = chosen_of(faults, options)
    run_all([f for f in chosen if not known(f, rows, evidence, options)], faults, rows, evidence, options)
    return summary(chosen, rows)


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
    wrong = complaints(ROOT, faults, without) + complaints_of_equal(ROOT, read_equal(LIST))
    unknown = set(options.names) - {fault.name for fault in faults}
    wrong += [f"{name}: no such fault" for name in sorted(unknown)]
    if wrong:
        print("\n".join(wrong))
        return 1
    if options.check:
        print(f"{len(faults)} faults in {len({fault.file for fault in faults})} files")
        return 0
    if options.record:
        print(
            f"{record.write(faults, Rows(OUT / 'faults.csv').rows, record.PLACE)} faults are recorded in {record.PLACE}"
        )
        return 0
    nights = drawn_by(options.date, options.fresh) if options.fresh else {}
    if options.before:
        return before(faults, options)
    sheets = Sheets(OUT)
    chosen = chosen_of(faults, options) if options.listed or not options.fresh else []
    everything = [*chosen, *itertools.chain(*nights.values())]
    run_new(everything, [*faults, *itertools.chain(*nights.values())], sheets, options)
    status = summary(chosen, sheets.of("")) if chosen else 0
    if chosen:
        print_before(chosen)
    return max([status, *(fresh_summary(date, drawn, options.fresh, sheets) for date, drawn in nights.items())])


if __name__ == "__main__":
    sys.exit(main())

"""scripts/nightly: jobs that take hours, one after the other. What an earlier run of the same commit has done is not
done again, and a job that was broken off goes on where it was, where it keeps rows or runs. Logs and summary.csv in
results/nightly."""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from braid_tools.gates.shell import sh
from braid_tools.program import ROOT
from braid_tools.studies import studies

OUT = ROOT / "results" / "nightly"
COLUMNS = ["job", "commit", "status", "minutes", "says"]
Row = dict[str, str]
Jobs = dict[str, list[str]]


def module(name: str, *words: str) -> list[str]:
    """The command of a module of this package."""
    return [sys.executable, "-m", f"braid_tools.{name}", *words]


#: What runs, in this order. Each says by its exit status whether it is good, by its last line what it found.
JOBS: Jobs = {
    "faults_cpp": module("gates.mutation", "--fresh", "100", "--listed"),
    "faults_rtl": module("rtl.mutation"),
    "tidy_all": module("gates.tidy"),
    "tidy_each": module("gates.tidy", "--each"),
    "sanitized": module("gates.sanitized"),
    "lockstep": module("rtl.lockstep", "--cycles", "100000000", "--seed", "2026", "--cover"),
    "rtl_mesh": module("rtl.mesh", "--cycles", "1000000"),
    "rtl_all_points": module("gates.all_points"),
    "rtl_benches": module("rtl.cocotb_smoke", "--all"),
    "schedules": module("gates.schedules", "--experiments", "200", "--seed", "2026"),
    "lockstep_stages": module("rtl.stages", "--cycles", "1000000"),
    "proofs_rtl": module("rtl.formal"),
    "coverage_rtl": module("rtl.coverage", "600000"),
    "fuzz_program": module("gates.fuzz", "--inputs", "1000", "--seed", "2026"),
    "fuzz_streamit": module("gates.fuzz_programs", "--inputs", "1000", "--seed", "2026"),
    "fuzz_pairs": module("gates.fuzz_pairs", "--inputs", "10000", "--seed", "2026"),
    "fuzz_checkpoints": module("gates.damaged", "--inputs", "400", "--seed", "2026"),
    "fuzz_readers": module("gates.libfuzzer", "--seconds", "300", "--seed", "2026"),
    "waveforms": module("gates.waveforms"),
    "site": module("site.searches"),
    "user_projects": module("gates.projects"),
    "package_deb": module("gates.package", "deb"),
    "package_deb_installed": module("gates.package", "installed_deb"),
    "package_conan": module("gates.package", "conan"),
    "wheel": module("gates.wheel", "--check"),
    "compile_time": module("timing.compile", "--check"),
    "tlm_styles": module("timing.styles"),
    "tlm_sockets": module("timing.sockets"),
    "tlm_transactions": [
        "env",
        "BRAID_TLM_TRANSACTIONS=34000",
        "ctest",
        "--test-dir",
        "build/release",
        "-R",
        "StyleSockets.*ARandom",
    ],
    "tlm_memory": module("gates.memory", "*UnwoundCall*:*WrongPhases*"),
    "lockstep_po2": [
        "env",
        "BRAID_LOCKSTEP_CYCLES=1000000",
        "ctest",
        "--test-dir",
        "build/release",
        "-R",
        "Po2Lockstep|Po2Driven",
    ],
    "lockstep_myrinet": [
        "env",
        "BRAID_LOCKSTEP_CYCLES=1000000",
        "ctest",
        "--test-dir",
        "build/release",
        "-R",
        "MyrinetLockstep|MyrinetDriven",
    ],
    "links_down": [
        "env",
        "BRAID_ALL_FAILURES=1",
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "tb/python/itb/test_myrinet.py",
    ],
    "modules_lockstep": [
        "env",
        "BRAID_MODULE_CYCLES=1000000",
        "ctest",
        "--test-dir",
        "build/release",
        "-R",
        "Over/SatLockstep|Over/CutThroughLockstep|Over/IdealLockstep|Over/LinesLockstep|SatDriven",
    ],
    "verdicts_saturation": module("verdicts.saturation"),
    "verdicts_coverage": module("verdicts.coverage"),
    "verdicts_compare": module("verdicts.differences"),
    "verdicts_searches": module("verdicts.searches"),
    "verdicts_killed": module("verdicts.killed"),
    "combining": module("combining.table"),
    "all_cycles": [
        "env",
        "BRAID_ALL_CYCLES=1",
        "ctest",
        "--test-dir",
        "build/release",
        "-E",
        "^lockstep",
    ],
    "checkpoints": ["env", "BRAID_CHECKPOINTS=200", "ctest", "--test-dir", "build/release", "-R", "DrawnCheckpoint"],
    "planes": ["env", "BRAID_PLANES=500", "ctest", "--test-dir", "build/release", "-R", "Planes.MayChange"],
    "stages": ["env", "BRAID_STAGE_CYCLES=1000000", "ctest", "--test-dir", "build/release", "-R", "Shadow"],
    **{name: module("reproduce", name) for name in studies()},
}


def git(*words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def commit() -> str:
    """The commit checked out; with changes of its own a tree is never the one of an earlier run."""
    sha = git("rev-parse", "HEAD")
    return f"{sha}+{time.time_ns()}" if git("status", "--porcelain") else sha


@dataclass
class Summary:
    """summary.csv: a row for each job and commit, the last outcome."""

    file: Path

    def rows(self) -> list[Row]:
        """All rows, of every commit."""
        if not self.file.exists():
            return []
        with self.file.open(newline="") as text:
            return list(csv.DictReader(text))

    def add(self, row: Row) -> None:
        """Puts a row in the place of the one of the same job and commit."""
        others = [old for old in self.rows() if (old["job"], old["commit"]) != (row["job"], row["commit"])]
        fresh = self.file.with_suffix(".new")
        with fresh.open("w", newline="") as text:
            writer = csv.DictWriter(text, COLUMNS, restval="")
            writer.writeheader()
            writer.writerows([*others, row])
        fresh.replace(self.file)

    def show(self, wanted: list[str], sha: str) -> int:
        """Prints what is known of the wanted jobs at this commit; exit status 0 if all have passed."""
        known = {row["job"]: row for row in self.rows() if row["commit"] == sha}
        for job in wanted:
            row = known.get(job, {"status": "not begun", "minutes": "", "says": ""})
            print(f"{job:22} {row['status']:12} {row['minutes']:>6} min   {row['says']}")
        passed = sum(job in known and known[job]["status"] == "passed" for job in wanted)
        print(f"{passed} passed, {len(wanted) - passed} failed")
        return 0 if passed == len(wanted) else 1


def to_do(wanted: list[str], sha: str, done: list[Row], again: bool) -> list[str]:
    """Jobs without a row that says "passed" for this commit."""
    passed = {row["job"] for row in done if row["commit"] == sha and row["status"] == "passed"}
    return [job for job in wanted if again or job not in passed]


def night(jobs: Jobs, wanted: list[str], sha: str, folder: Path, *, seconds: float, again: bool = False) -> int:
    """Runs the wanted jobs until the time is over, prints the summary; exit status 0 if all have passed."""
    folder.mkdir(parents=True, exist_ok=True)
    summary = Summary(folder / "summary.csv")
    end = time.monotonic() + seconds
    for job in to_do(wanted, sha, summary.rows(), again):
        left = end - time.monotonic()
        if left <= 0:
            break
        print(f"{job}: begun, {left / 3600:.1f} hours left", flush=True)
        log = folder / f"{job}.log"
        with log.open("wb") as output:
            outcome = sh(jobs[job], ROOT, left, output)
        status = {"": "passed", "failed": "failed", "timeout": "out of time"}[outcome.how]
        said = log.read_text(errors="replace").strip().splitlines()
        row = {"job": job, "commit": sha, "status": status, "minutes": f"{outcome.seconds / 60:.1f}"}
        summary.add(row | {"says": said[-1] if said else ""})
    return summary.show(wanted, sha)


def main() -> int:
    """Entry point of scripts/nightly."""
    parser = argparse.ArgumentParser(prog="scripts/nightly", description=__doc__)
    parser.add_argument("job", nargs="*", help=f"of {', '.join(JOBS)}; default: all")
    parser.add_argument("--hours", type=float, default=8.0, help="jobs that have not ended by then are broken off")
    parser.add_argument("--again", action="store_true", help="also what passed for this commit before")
    arguments = parser.parse_args()
    if unknown := [job for job in arguments.job if job not in JOBS]:
        parser.error(f"unknown job {unknown[0]}; known: {', '.join(JOBS)}")
    wanted = arguments.job or list(JOBS)
    return night(JOBS, wanted, commit(), OUT, seconds=3600 * arguments.hours, again=arguments.again)


if __name__ == "__main__":
    sys.exit(main())

"""scripts/nightly: jobs that take hours, one after the other. What an earlier run of the same commit has done is not
done again; logs and summary.csv in results/nightly."""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import time
from pathlib import Path

from braid_tools.program import ROOT

OUT = ROOT / "results" / "nightly"
#: What runs, cheapest news first. Each says by its exit status whether it is good.
JOBS: dict[str, list[str]] = {
    "faults_cpp": [sys.executable, "-m", "braid_tools.mutation"],
    "faults_rtl": [sys.executable, "-m", "braid_tools.rtl_mutation"],
    "lockstep": [
        sys.executable,
        "-m",
        "braid_tools.rtl_lockstep",
        "--cycles",
        "100000000",
        "--seed",
        "2026",
        "--cover",
    ],
    "coverage_rtl": [sys.executable, "-m", "braid_tools.rtl_coverage", "600000"],
    "booksim": [sys.executable, "-m", "braid_tools.reproduce", "booksim"],
    "tentacle": [sys.executable, "-m", "braid_tools.reproduce", "tentacle"],
    "po2": [sys.executable, "-m", "braid_tools.reproduce", "po2"],
    "sat": [sys.executable, "-m", "braid_tools.reproduce", "sat"],
}
COLUMNS = ["job", "commit", "status", "minutes"]


def git(*words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def commit() -> str:
    """The commit checked out; with changes of its own a tree is never the one of an earlier run."""
    sha = git("rev-parse", "HEAD")
    return f"{sha}+{time.time_ns()}" if git("status", "--porcelain") else sha


def rows(file: Path) -> list[dict[str, str]]:
    """The summary so far."""
    if not file.exists():
        return []
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def to_do(wanted: list[str], sha: str, done: list[dict[str, str]], again: bool) -> list[str]:
    """Jobs without a row that says "passed" for this commit."""
    passed = {row["job"] for row in done if row["commit"] == sha and row["status"] == "passed"}
    return [job for job in wanted if again or job not in passed]


def run(job: str, seconds: float) -> str:
    """One job with its output in a log; "passed", "failed" or "out of time"."""
    with (OUT / f"{job}.log").open("w") as log:
        try:
            done = subprocess.run(JOBS[job], cwd=ROOT, stdout=log, stderr=log, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return "out of time"
    return "failed" if done.returncode else "passed"


def main() -> int:
    """Entry point of scripts/nightly."""
    parser = argparse.ArgumentParser(prog="scripts/nightly", description=__doc__)
    parser.add_argument("job", nargs="*", help=f"of {', '.join(JOBS)}; default: all")
    parser.add_argument("--hours", type=float, default=8.0, help="jobs that have not ended by then are broken off")
    parser.add_argument("--again", action="store_true", help="also what passed for this commit before")
    arguments = parser.parse_args()
    if unknown := [job for job in arguments.job if job not in JOBS]:
        parser.error(f"unknown job {unknown[0]}; known: {', '.join(JOBS)}")
    OUT.mkdir(parents=True, exist_ok=True)
    sha, end, summary = commit(), time.monotonic() + 3600 * arguments.hours, OUT / "summary.csv"
    table, outcome = rows(summary), []
    for job in to_do(arguments.job or list(JOBS), sha, table, arguments.again):
        begin = time.monotonic()
        status = run(job, max(1.0, end - begin))
        minutes = (time.monotonic() - begin) / 60
        outcome.append(status)
        table.append({"job": job, "commit": sha, "status": status, "minutes": f"{minutes:.1f}"})
        print(f"{job:14} {status:12} {minutes:6.1f} min   results/nightly/{job}.log", flush=True)
        with summary.open("w", newline="") as text:
            writer = csv.DictWriter(text, COLUMNS)
            writer.writeheader()
            writer.writerows(table)
    print(f"{outcome.count('passed')} passed, {len(outcome) - outcome.count('passed')} failed")
    return 0 if all(status == "passed" for status in outcome) else 1


if __name__ == "__main__":
    sys.exit(main())

"""braid compare against the truth: results whose latency is 2 % longer must be found, other seeds of the same thing
must not. Each trial has seeds of its own; a planted slow-down multiplies every latency that a run reports."""

from __future__ import annotations

import argparse
import copy
import sys
from pathlib import Path

import braid
from braid.explore.comparison import FIGURES, compare
from braid.explore.database import Database, Row
from braid.explore.plan import RATE
from braid.explore.sweep import plan_for, runner

from braid_tools.program import ROOT

OUT = ROOT / "results" / "verdicts"
SLOW_DOWN = 1.02
LATENCIES = ("packet_latency_cycles", "network_latency_cycles")


def rows(experiment: braid.Experiment, first_seed: int, seeds: int, store: Path) -> list[Row]:
    """Runs at two loads."""
    based = experiment.with_({"experiment.seed": first_seed})
    plan = plan_for(based, {RATE: [0.1, 0.3]}, seeds=seeds)
    with Database(store) as kept, runner(kept, progress=False) as run:
        return run.rows(plan.points())


def slowed(row: Row) -> Row:
    """The same run, its latencies longer."""
    results = copy.deepcopy(row.results) or {}
    for one in results["classes"]:
        for name in LATENCIES:
            one[name]["mean"] *= SLOW_DOWN
    return Row(**{**vars(row), "results": results})


def marked(a: list[Row], b: list[Row]) -> set[str]:
    """Figures that differ somewhere."""
    return {d.figure for d in compare(a, b).differences(FIGURES) if d.significant}


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--seeds", type=int, default=5, help="1: by the runs' own intervals")
    words = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    experiment = braid.mesh(8, 8, vcs=4)
    found = alarms = 0
    for trial in range(words.trials):
        first = 1 + 2 * trial * words.seeds
        a, b = (rows(experiment, first + n * words.seeds, words.seeds, OUT / "compare.sqlite") for n in range(2))
        alarms += bool(marked(a, b))
        found += "latency" in marked(a, [slowed(row) for row in b])
    print(f"{words.trials} trials of {words.seeds} seeds: 2 % found in {found}, the same marked in {alarms}")
    return 0 if found == words.trials and alarms == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

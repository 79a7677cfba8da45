"""Transactions a second through the sockets, by coding style and load: time, instructions, error (docs/tlm-styles.md).

python -m braid_tools.timing.sockets [--quick]: results/tlm-styles/sockets.csv; exit status 1 where an aim is missed.
The cases are StyleCost of braid_models_test, beside the program or BRAID_MODELS_TEST. They run in turn, several rounds,
in processor time, and a ratio is the median of those within a round, so that a busy machine moves them little.
Instructions (perf stat, where it is) are those of a long run less those of one half as long.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from braid_tools.program import BRAID
from braid_tools.study import Study

TEST = Path(os.environ.get("BRAID_MODELS_TEST", BRAID.parent / "tb" / "braid_models_test"))
FLITS = 10  # of a transaction of 32 bytes: 4 and 6 of a read, 8 and 2 of a write
GAPS_NS = (200, 100, 67, 50, 40, 36)  # mean, between two of a node: 0.05 to 0.28 flits/node/cycle, 70 % of saturation


@dataclass(frozen=True)
class Case:
    """A case of StyleCost; `most_error` and `least_speed` are aims, over the engine's."""

    name: str
    transactions: int
    most_error: float = 1.0
    least_speed: float = 0.0


ENGINE = Case("OfPhasesCycleAccurate", 100_000)
STYLES = [
    Case("OfPhasesApproximatelyTimed", 400_000, 0.05, 3.0),
    Case("OfCallsLooselyTimed", 4_000_000, 0.15, 50.0),
]
ALONE = [Case("OfPhasesWithoutANetwork", 2_000_000), Case("OfCallsWithoutANetwork", 8_000_000)]
CASES = [ENGINE, *STYLES, *ALONE]


@dataclass(frozen=True)
class Outcome:
    """What a run says."""

    transactions: int
    per_second: float
    round_trip_ns: float
    instructions: int | None


def run(case: Case, gap_ns: int, transactions: int, *, count: bool = False) -> Outcome:
    """One run of a case; `count`: its instructions, too."""
    perf = ["perf", "stat", "-x,", "-e", "instructions:u"] if count and shutil.which("perf") else []
    done = subprocess.run(
        [*perf, str(TEST), f"--gtest_filter=StyleCost.{case.name}"],
        env=os.environ | {"BRAID_COST_TRANSACTIONS": str(transactions), "BRAID_COST_GAP_NS": str(gap_ns)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = re.search(r"(\d+) transactions in .*, ([\d.e+]+) a second .* round trip ([\d.]+) ns", done.stdout)
    if done.returncode != 0 or said is None:
        raise SystemExit(f"{TEST} StyleCost.{case.name}: {(done.stdout + done.stderr).strip()[-300:]}")
    counted = re.search(r"^(\d+),.*instructions", done.stderr, re.MULTILINE)
    return Outcome(int(said[1]), float(said[2]), float(said[3]), int(counted[1]) if counted else None)


def instructions(case: Case, gap_ns: int, transactions: int) -> float | None:
    """Of a transaction; none without perf."""
    long, short = (run(case, gap_ns, n, count=True) for n in (transactions, transactions // 2))
    if long.instructions is None or short.instructions is None:
        return None
    return (long.instructions - short.instructions) / (long.transactions - short.transactions)


def rows_of(gap_ns: int, rounds: int, shrink: int) -> list[list[object]]:
    """A row for each case: load, case, transactions/s, of the engine's, error, instructions, the engine's of them."""
    turns = [{c.name: run(c, gap_ns, c.transactions // shrink) for c in CASES} for _ in range(rounds)]
    counts = {c.name: instructions(c, gap_ns, c.transactions // shrink) for c in CASES}
    engine, rows = counts[ENGINE.name], []
    for case in CASES:
        of = [turn[case.name] for turn in turns]
        speed = statistics.median(turn[case.name].per_second / turn[ENGINE.name].per_second for turn in turns)
        error = of[0].round_trip_ns / turns[0][ENGINE.name].round_trip_ns - 1.0
        mine = counts[case.name]
        rows.append(
            [
                f"{FLITS / gap_ns:.3f}",
                case.name,
                f"{statistics.median(o.per_second for o in of):.4g}",
                f"{speed:.2f}",
                "" if case in ALONE else f"{error:+.4f}",
                "" if mine is None else f"{mine:.0f}",
                "" if mine is None or engine is None else f"{engine / mine:.2f}",
            ]
        )
    return rows


def missed(rows: list[list[object]]) -> list[str]:
    """A line for each aim that is missed."""
    aims = {case.name: case for case in STYLES}
    lines = []
    for load, name, _, speed, error, *_ in rows:
        case = aims.get(str(name))
        if case is None:
            continue
        if float(str(speed)) < case.least_speed:
            lines.append(f"{name} at {load}: {speed} times the engine, aim {case.least_speed:g}")
        if abs(float(str(error))) > case.most_error:
            lines.append(f"{name} at {load}: error {error}, aim {case.most_error:g}")
    return lines


def main() -> int:
    """Measures, writes sockets.csv, says what misses its aim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter runs and every other load")
    quick = parser.parse_args().quick
    study = Study("tlm-styles", quick=quick)
    rows = [row for gap in GAPS_NS[:: 2 if quick else 1] for row in rows_of(gap, 3 if quick else 5, 4 if quick else 1)]
    columns = ["load", "case", "transactions_per_second", "of_engine", "error", "instructions", "engine_of_them"]
    study.table("sockets.csv", columns, rows)
    lines = missed(rows)
    for line in lines:
        print(line, file=sys.stderr)
    print(f"results/tlm-styles: sockets at {len(rows) // len(CASES)} loads, {len(lines)} aims missed")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

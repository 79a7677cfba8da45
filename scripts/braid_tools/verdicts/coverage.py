"""Whether printed intervals hold the truth: 40 seeds at three loads of every case against windows ten times as long, of
five seeds. Prints a row a point; fails where an interval that is printed without `not reliable` misses the truth in
more than one seed of ten."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from braid_tools.program import in_parallel, run
from braid_tools.verdicts.cases import LONGER, Case, cases, knee

LOADS = (0.5, 0.9, 0.96)  # of the knee
MOST_MISSED = 0.1
LEFT_OUT = ("myrinet",)  # whose seeds are different networks
TRUE_SEEDS = range(1001, 1006)


@dataclass
class Covered:
    """One point."""

    case: str
    at: float
    truth: float
    printed: int = 0
    held: int = 0
    unreliable: int = 0

    def good(self, seeds: int) -> bool:
        """Are intervals that miss the truth few among the seeds?"""
        return self.printed - self.held <= MOST_MISSED * seeds


def mean_latency(results: dict) -> dict:
    """Of the packets."""
    return results["classes"][0]["packet_latency_cycles"]


def cover(case: Case, loads: tuple[float, ...], seeds: int) -> list[Covered]:
    """All loads of a case."""
    middle = knee(case)
    rows = []
    for at in loads:
        runs = [run(case.at(at * middle, seed, LONGER)) for seed in TRUE_SEEDS]
        row = Covered(case.name, at, sum(mean_latency(r)["mean"] for r in runs) / len(runs))
        for seed in range(1, seeds + 1):
            latency = mean_latency(run(case.at(at * middle, seed)))
            if latency["half_width_95"] is None:
                row.unreliable += 1
                continue
            row.printed += 1
            row.held += abs(latency["mean"] - row.truth) <= latency["half_width_95"]
        rows.append(row)
    return rows


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases whose names hold this")
    parser.add_argument("--seeds", type=int, default=40)
    words = parser.parse_args()
    chosen = [case for case in cases() if words.only in case.name and not case.name.startswith(LEFT_OUT)]
    rows = [row for of_case in in_parallel(lambda c: cover(c, LOADS, words.seeds), chosen) for row in of_case]
    print(f"{'':34} load     truth  printed  hold the truth  not reliable")
    for row in rows:
        share = f"{100 * row.held / row.printed:.0f} %" if row.printed else "-"
        print(f"{row.case:34} {row.at:.2f} {row.truth:9.1f} {row.printed:8} {share:>15} {row.unreliable:13}")
    bad = sum(not row.good(words.seeds) for row in rows)
    print(f"{len(rows)} points of {words.seeds} seeds, {bad} whose intervals miss too often")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Whether printed intervals hold the truth: 40 seeds at three loads of every case against windows ten times as long, of
five seeds. Prints a row a point; fails where an interval that is printed without `not reliable` misses the truth in
more than one seed of ten. Beside it what plain batch means would have held, however correlated the batches are."""

from __future__ import annotations

import csv
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from braid_tools.program import ROOT, in_parallel, run
from braid_tools.student import student_t
from braid_tools.verdicts.cases import LONGER, Case, chosen, knee, parser_of

OUT = ROOT / "results" / "verdicts"
LOADS = (0.5, 0.9, 0.96)  # of the knee
MOST_MISSED = 0.1
LEFT_OUT = ("myrinet",)  # whose seeds are different networks
TRUE_SEEDS = range(1001, 1006)
PERCENTILES = ("p50", "p95", "p99")
BATCHES = {"results.batches": True}

Class = dict[str, Any]  # of traffic, in the results


@dataclass
class Covered:
    """An interval of one figure at one point."""

    case: str
    at: float
    figure: str
    truth: float
    printed: int = 0
    held: int = 0
    unreliable: int = 0

    def good(self, seeds: int) -> bool:
        """Are intervals that miss the truth few among the seeds?"""
        return self.printed - self.held <= MOST_MISSED * seeds

    def add(self, interval: tuple[float, float] | None) -> None:
        """One seed's, or that there is none to rely on."""
        if interval is None:
            self.unreliable += 1
            return
        self.printed += 1
        self.held += interval[0] <= self.truth <= interval[1]

    def share(self) -> str:
        """Of the printed ones that hold the truth."""
        return f"{100 * self.held / self.printed:.0f} %" if self.printed else "-"


@dataclass
class Point:
    """A load of a case: the mean latency as it is printed, as plain batch means have it, and percentiles."""

    mean: Covered
    plain: Covered
    percentiles: list[Covered] = field(default_factory=list)

    def all(self) -> list[Covered]:
        """Every interval of it."""
        return [self.mean, self.plain, *self.percentiles]


def mean_interval(one: Class) -> tuple[float, float] | None:
    """As printed."""
    mean, half = one["packet_latency_cycles"]["mean"], one["packet_latency_cycles"]["half_width_95"]
    return None if half is None else (mean - half, mean + half)


def plain_interval(one: Class) -> tuple[float, float] | None:
    """Of batches that nobody tested."""
    series = one["batches"]
    means = [s / n for s, n in zip(series["latency_sum_cycles"], series["packets"], strict=True) if n]
    if len(means) < 2:
        return None
    half = student_t(len(means) - 1) * stdev(means) / math.sqrt(len(means))
    mean = one["packet_latency_cycles"]["mean"]
    return mean - half, mean + half


def percentile_interval(one: Class, name: str) -> tuple[float, float] | None:
    """As printed."""
    ends = one["packet_latency_percentile_intervals_cycles"]
    low, high = ends[f"{name}_low"], ends[f"{name}_high"]
    return None if low is None else (low, high)


def cover(case: Case, middle: float, at: float, seeds: range) -> Point:
    """A load of a case whose knee that is."""
    rate = at * middle
    true = [run(case.at(rate, seed, LONGER))["classes"][0] for seed in TRUE_SEEDS]
    truth = fmean(one["packet_latency_cycles"]["mean"] for one in true)
    spread = [one["packet_latency_distribution_cycles"] for one in true]
    point = Point(Covered(case.name, at, "mean", truth), Covered(case.name, at, "mean, plain batches", truth))
    point.percentiles = [Covered(case.name, at, name, fmean(d[name] for d in spread)) for name in PERCENTILES]
    for seed in seeds:
        [one, *_] = run(case.at(rate, seed).with_(BATCHES))["classes"]
        point.mean.add(mean_interval(one))
        point.plain.add(plain_interval(one))
        for name, covered in zip(PERCENTILES, point.percentiles, strict=True):
            covered.add(percentile_interval(one, name))
    print(f"{case.name} at {at:.2f}", file=sys.stderr, flush=True)
    return point


def knees_in(file: str) -> dict[str, float]:
    """Of the cases that verdicts.saturation has been through."""
    with Path(file).open(newline="") as rows:
        return {row["case"]: float(row["knee"]) for row in csv.DictReader(rows)}


def written(points: list[Point]) -> list[Covered]:
    """All intervals, in results/verdicts/coverage.csv, too."""
    rows = [row for point in points for row in point.all()]
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / "coverage.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(Covered.__annotations__))
        writer.writeheader()
        writer.writerows(vars(row) for row in rows)
    return rows


def main() -> int:
    """Entry point."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--first-seed", type=int, default=1, help="others than those that a rule was made with")
    parser.add_argument("--knees", metavar="FILE", help="saturation.csv, in place of a search")
    words = parser.parse_args()
    cases = [case for case in chosen(words) if not case.name.startswith(LEFT_OUT)]
    known = knees_in(words.knees) if words.knees else {}
    knees = [known.get(case.name) or knee(case) for case in cases]
    jobs = [(case, middle, at) for case, middle in zip(cases, knees, strict=True) for at in LOADS]
    seeds = range(words.first_seed, words.first_seed + words.seeds)
    points = in_parallel(lambda job: cover(*job, seeds), jobs)
    rows = written(points)
    print(f"{'':46} load     truth  held  (not reliable)  before   p50   p95   p99  (not reliable)")
    for point in points:
        mean, shares = point.mean, [p.share() for p in point.percentiles]
        silent = sum(p.unreliable for p in point.percentiles)
        print(
            f"{mean.case:46} {mean.at:.2f} {mean.truth:9.1f} {mean.share():>5} {mean.unreliable:15} "
            f"{point.plain.share():>7} {shares[0]:>5} {shares[1]:>5} {shares[2]:>5} {silent:15}"
        )
    bad = [row for row in rows if not row.good(words.seeds) and row.figure != "mean, plain batches"]
    for row in bad:
        print(f"{row.case} at {row.at:.2f}: {row.figure} misses {row.printed - row.held} times of {words.seeds}")
    print(f"{len(points)} points of {words.seeds} seeds, {len(bad)} intervals that miss too often")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())

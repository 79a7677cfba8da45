"""The verdict `saturated` against the truth, which is a window ten times as long: at 0.9 to 1.1 of the knee of every
case. Prints the confusion table; fails where more than 2 % of the runs beyond 1 % of the knee are judged wrongly."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass

from braid_tools.program import ROOT, in_parallel, run
from braid_tools.verdicts.cases import Case, chosen, knee, over, parser_of

OUT = ROOT / "results" / "verdicts"
AT = (0.90, 0.92, 0.94, 0.96, 0.98, 1.02, 1.04, 1.06, 1.08, 1.10)  # of the knee
MOST_WRONG = 0.02


@dataclass
class Judged:
    """One run: what it says, and what is true."""

    case: str
    knee: float
    at: float
    truth: bool
    says: bool
    old: bool  # what was said before: packets born while measuring left at the drain limit
    reason: str


def judge(case: Case, by_knee: bool = False) -> list[Judged]:
    """All points of a case."""
    middle = knee(case)
    inside = by_knee and case.low * 1.02 < middle < case.high / 1.02
    rows = []
    for at in AT:
        rate = at * middle
        if rate > 1:
            continue
        results = run(case.at(rate))
        verdicts = [c["saturation"] for c in results["classes"] if "saturation" in c]
        left = any(v["undrained_packets"] for v in verdicts)
        reason = next((v["reason"] for v in verdicts if v["saturated"]), "none")
        truth = at > 1 if inside else over(case, rate)
        rows.append(Judged(case.name, middle, at, truth, results["saturated"], left, reason))
    print(f"{case.name}: the knee is at {middle:.4f}", file=sys.stderr, flush=True)
    return rows


def confusion(rows: list[Judged], old: bool = False) -> list[int]:
    """Rightly carried, rightly saturated, saturated by mistake, missed."""
    counts = [0, 0, 0, 0]
    for row in rows:
        says = row.old if old else row.says
        counts[{(False, False): 0, (True, True): 1, (False, True): 2, (True, False): 3}[row.truth, says]] += 1
    return counts


def main() -> int:
    """Entry point."""
    parser = parser_of(__doc__ or "")
    parser.add_argument(
        "--by-knee", action="store_true", help="a load beyond the knee is saturated: no run says so again"
    )
    words = parser.parse_args()
    by_case = in_parallel(lambda case: judge(case, words.by_knee), chosen(words))
    rows = [row for of_case in by_case for row in of_case]
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / "saturation.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(Judged.__annotations__))
        writer.writeheader()
        writer.writerows(vars(row) for row in rows)
    print(f"{'':46}  knee  carried  saturated  by mistake  missed   before: by mistake  missed")
    for of_case in [*by_case, rows]:
        name, at = ("all", "") if of_case is rows else (of_case[0].case, f"{of_case[0].knee:.3f}")
        right, found, mistaken, missed = confusion(of_case)
        before = confusion(of_case, old=True)
        print(f"{name:46} {at:>5} {right:8} {found:10} {mistaken:11} {missed:7} {before[2]:20} {before[3]:7}")
    wrong = sum(confusion(rows)[2:])
    print(f"{len(rows)} runs, {wrong} judged wrongly ({100 * wrong / len(rows):.1f} %)")
    return int(wrong > MOST_WRONG * len(rows))


if __name__ == "__main__":
    sys.exit(main())

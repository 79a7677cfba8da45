"""The table of docs/in-transit-buffers.md that says how far the search for few in-transit buffers is from the fewest.

Usage: python -m braid_tools.papers.itb.placement_table [--record]; what has been found is kept in results/placements: a
call that was broken off goes on where it was."""

from __future__ import annotations

import argparse
import sys
from dataclasses import astuple
from pathlib import Path

from braid_tools import recorded
from braid_tools.papers.itb.placements import Placement, groups, of_all, over
from braid_tools.program import ROOT, BraidError
from braid_tools.study import Study

SIZES = (16, 32, 64)
TOPOLOGIES = 10
TAKE_A_PATH = 0.97  # of the messages on 32 switches: the others stay at their switch
KEPT = ROOT / "docs" / "results" / "placements.csv"
COMMAND = "python -m braid_tools.papers.itb.placement_table --record"


def read(path: Path) -> list[Placement]:
    """As recorded."""
    return [
        Placement(int(s), int(i), name, int(m), int(v), int(f) if f else None, proven == "True")
        for s, i, name, m, v, f, proven in (row.values() for row in recorded.read(path))
    ]


def table() -> list[str]:
    """For pages: sums over the topologies of a size; where all are proven, the fewest."""
    rows = []
    for here in groups(read(KEPT)):
        fewest = [p.fewest for p in here if p.fewest is not None and p.proven]
        whole = len(fewest) == len(here)
        minimum = str(sum(p.minimum for p in here)) + (f" (+{100 * (over(here) - 1):.1f} %)" if whole else "")
        violations = sum(p.violations for p in here)
        rows.append(
            f"| {here[0].paths} | {here[0].switches} | {violations} | {minimum} | {sum(fewest) if whole else ''} |"
        )
    return rows


def figures() -> dict[str, str]:
    """For pages: of the one network of 32 switches that has a bound, and rests a message on 32 switches."""
    found: dict[str, str] = {}
    for here in groups(read(KEPT)):
        if here[0].switches != SIZES[1]:
            continue
        name, first = here[0].paths.lower(), here[0]
        found[f"{name}_first"], found[f"{name}_bound"] = str(first.minimum), str(first.fewest)
        found[f"{name}_over"] = f"{100 * (over(here) - 1):.0f}"
        pairs = SIZES[1] * (SIZES[1] - 1)
        means = {what: sum(getattr(p, what) for p in here) / len(here) for what in ("minimum", "violations")}
        for what, mean in {**means, "bound": first.fewest or 0}.items():
            found[f"{name}_{what}_a_message"] = f"{TAKE_A_PATH * mean / pairs:.2f}"
    return found


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write what was found into docs/results")
    record = parser.parse_args().record
    try:
        found = of_all(Study("placements"), SIZES, TOPOLOGIES)
    except BraidError as error:
        print(f"placements: {error}", file=sys.stderr)
        return 1
    for p in found:
        print(*astuple(p))
    if record:
        recorded.write(KEPT, found, COMMAND)
    return 0


if __name__ == "__main__":
    sys.exit(main())

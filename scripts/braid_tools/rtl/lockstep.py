"""scripts/lockstep: model and RTL of one router side by side, each parameter point in a process of its own.

A point that differs prints its report and leaves results/rtl/lockstep_POINT.fst with a GTKWave save file; no further
point is begun and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from braid_tools.program import ROOT, processors
from braid_tools.rtl.points import PROGRAM, Runs, build, points

WAVES = ROOT / "results" / "rtl"


def main() -> int:
    """Entry point of scripts/lockstep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=100000, help="router-cycles of all points together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--point", action="append", help="may be given again; default: all of hw/points.json")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes at a time")
    parser.add_argument("--cover", action="store_true", help="print the functional cover points")
    arguments = parser.parse_args()
    chosen = arguments.point or points()
    build(chosen)
    WAVES.mkdir(parents=True, exist_ok=True)
    runs = Runs(PROGRAM, WAVES, arguments.seed)
    begin = time.monotonic()
    total = arguments.cycles
    shares = [total * (i + 1) // len(chosen) - total * i // len(chosen) for i in range(len(chosen))]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(runs.run, chosen, shares))
    if arguments.cover:
        for what, count in sorted(runs.cover.items()):
            print(f"cover {what:40} {count}")
    seconds = time.monotonic() - begin
    verdict = f"{runs.failed} points differ" if runs.failed else "0 differences"
    print(f"{len(chosen)} points, {runs.cycles} router-cycles, seed {arguments.seed}, {verdict}, {seconds:.1f} s")
    return 1 if runs.failed else 0


if __name__ == "__main__":
    sys.exit(main())

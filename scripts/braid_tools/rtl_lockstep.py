"""scripts/lockstep: model and RTL of one router side by side, each parameter point in a process of its own.

A point that differs prints its report and leaves results/rtl/lockstep_POINT.fst with a GTKWave save file; no further
point is begun and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from braid_tools.program import ROOT, processors

PROGRAM = ROOT / "build" / "release" / "tb" / "braid_lockstep"
WAVES = ROOT / "results" / "rtl"
COVER = re.compile(r"^cover (.*?) +(\d+)$")


def points() -> list[str]:
    """Names of hw/points.json."""
    return [point["name"] for point in json.loads((ROOT / "hw" / "points.json").read_text())]


class Runs:
    """Runs points, prints what each says and counts what they cover."""

    def __init__(self, program: Path, waves: Path, seed: int) -> None:
        self.program = program
        self.waves = waves
        self.seed = seed
        self.failed = 0
        self.cycles = 0
        self.cover: Counter[str] = Counter()

    def run(self, point: str, cycles: int) -> None:
        """One point, unless another has failed."""
        if self.failed:
            return
        options = ["--point", point, "--cycles", str(cycles), "--seed", str(self.seed), "--cover"]
        wave = self.waves / f"lockstep_{point}.fst"
        done = subprocess.run(
            [self.program, *options, "--wave", wave], capture_output=True, text=True, check=False, cwd=ROOT
        )
        for line in done.stdout.splitlines():
            if found := COVER.match(line):
                self.cover[found[1]] += int(found[2])
            elif line.startswith(point):
                print(line, flush=True)
        if done.returncode == 0:
            self.cycles += cycles
        else:
            self.failed += 1
            print(done.stderr.strip() or f"{point}: status {done.returncode}", file=sys.stderr, flush=True)


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

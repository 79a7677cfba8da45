"""How path computation grows with the network: processor seconds of `braid paths`, a line a computation.

python -m braid_tools.papers.itb.growth [--limit SECONDS]: writes growth.csv and growth.png into results/itb. Wall time
would show what else runs on the machine; user time shows that much less.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys

from braid_tools import plots, program
from braid_tools.papers.itb.points import BALANCED, BSMART, EXPERIMENT, RANDOM, SMART, UD, Routing
from braid_tools.papers.itb.survival import DFS
from braid_tools.study import Study

SIZES = (16, 32, 64, 128, 256, 512, 1024)
COMPUTATIONS = (UD, DFS, RANDOM, BALANCED, BSMART, SMART)
SHORT = 10.0  # seconds; what takes no longer is the median of three runs
GROWTH = 4.0  # at the least, when switches double


def seconds(switches: int, routing: Routing, limit: float) -> float | None:
    """User time of one run that computes the paths, places in-transit buffers and checks both; none beyond it."""
    settings = {"topology.switches": switches, "routing.paths": routing.paths, "routing.in_transit": routing.in_transit}
    sets = program.Run("", EXPERIMENT, settings).arguments()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [program.BRAID, "paths", EXPERIMENT, "--check", "--quiet", *sets],
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1)),
    )
    if done.returncode < 0:
        return None  # by the limit's signal
    done.check_returncode()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measured(switches: int, routing: Routing, limit: float) -> float | None:
    """The median of three runs, or the only one where that takes long."""
    first = seconds(switches, routing, limit)
    if first is None or first > SHORT:
        return first
    return statistics.median([first, *(seconds(switches, routing, limit) or first for _ in range(2))])


def growth(routing: Routing, limit: float) -> tuple[list[float], list[float]]:
    """Switches and seconds, as far as the limit allows."""
    sizes: list[float] = []
    found: list[float] = []
    for switches in SIZES:
        if found and found[-1] * GROWTH > limit:
            break
        time = measured(switches, routing, limit)
        if time is None:
            break
        print(f"{routing.paths:12} {switches:5} {time:8.3f} s", flush=True)
        sizes.append(switches)
        found.append(time)
    return sizes, found


def main() -> int:
    """Every computation, the cheapest first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=150, help="processor seconds of a run, at most")
    limit = parser.parse_args().limit
    study = Study("itb")
    lines = {r.paths: growth(r, limit) for r in COMPUTATIONS}
    rows = ([name, n, f"{time:.3f}"] for name, line in lines.items() for n, time in zip(*line, strict=True))
    study.table("growth.csv", ["paths", "switches", "user_seconds"], rows)
    plots.growth(study.folder / "growth.png", "switches", "processor seconds of braid paths", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())

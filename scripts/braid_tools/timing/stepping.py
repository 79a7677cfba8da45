"""What it costs to step a network, and to run one in Python's own process, beside the program.

python -m braid_tools.timing.stepping [--rounds N] [--cycles N]

One 8x8 mesh under uniform traffic, in turn, by processor time: `braid run`, `braid.run` in this process, and cycle by
cycle from C++'s side (a C program that links libbraid_steps.so) and from Python, beside one call for all cycles.
Printed are medians over the rounds and ratios; the first are microseconds a cycle.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import braid
from braid.running import run_by_program

from braid_tools.program import BRAID, ROOT

STEPPER = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "models/steps/braid.h"
int main(int count, char** words) {
  const char* settings[] = {words[2]};
  braid_network* network = braid_open(words[1], settings, count > 2);
  const uint64_t cycles = strtoull(words[3], NULL, 10), each = strtoull(words[4], NULL, 10);
  braid_step(network, 2000);
  const clock_t begin = clock();
  for (uint64_t done = 0; done < cycles; done += each) braid_step(network, each);
  printf("%.9f\\n", (double)(clock() - begin) / CLOCKS_PER_SEC / cycles * 1e6);
  return 0;
}
"""


def stepper(folder: Path) -> Path:
    """The C program, compiled."""
    (folder / "stepper.c").write_text(STEPPER)
    library = BRAID.parent
    words = ["gcc", "-O2", f"-I{ROOT}", "stepper.c", "-o", "stepper", f"-L{library}", "-lbraid_steps"]
    subprocess.run([*words, f"-Wl,-rpath,{library}"], cwd=folder, check=True)
    return folder / "stepper"


def used(work: Callable[[], object]) -> float:
    """Seconds of user time, of this process and of those that it started and that have ended."""
    before = os.times()
    work()
    after = os.times()
    return after.user - before.user + after.children_user - before.children_user


def python_steps(experiment: braid.Experiment, cycles: int, each: int) -> float:
    """Microseconds a cycle."""
    net = braid.Network(experiment)
    net.step(2000)
    step = net.step
    begin = time.process_time()
    if each == 1:
        for _ in range(cycles):
            step()
    else:
        step(cycles)
    return (time.process_time() - begin) / cycles * 1e6


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cycles", type=int, default=100_000)
    arguments = parser.parse_args()
    cycles = arguments.cycles
    file = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
    experiment = braid.Experiment(file)
    long = experiment.with_(simulation__measure_cycles=cycles)
    rows: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        program = stepper(Path(name))

        def from_c(each: int) -> float:
            words = [program, file, "traffic.flits=4", str(cycles), str(each)]
            return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

        braid.run(experiment)  # what is read once is read
        for _ in range(arguments.rounds):
            for row, measure in {
                "braid run": lambda: used(lambda: run_by_program(long)) / cycles * 1e6,
                "braid.run": lambda: used(lambda: braid.run(long, progress=False)) / cycles * 1e6,
                "C, all cycles in a call": lambda: from_c(cycles),
                "C, a cycle a call": lambda: from_c(1),
                "Python, all cycles in a call": lambda: python_steps(experiment, cycles, cycles),
                "Python, a cycle a call": lambda: python_steps(experiment, cycles, 1),
            }.items():
                rows.setdefault(row, []).append(measure())
    for row, values in rows.items():
        print(f"{row:<30} {statistics.median(values):8.3f} us a cycle")
    pairs = [("braid.run", "braid run"), ("C, a cycle a call", "C, all cycles in a call")]
    for above, below in pairs:
        ratios = [a / b for a, b in zip(rows[above], rows[below], strict=True)]
        print(f"{above} / {below}: {statistics.median(ratios):.3f}")
    above, below = "Python, a cycle a call", "Python, all cycles in a call"
    over = [a - b for a, b in zip(rows[above], rows[below], strict=True)]
    print(f"{above}: {statistics.median(over):.3f} us over one call for all")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""The nine StreamIt programs by the one command: which remedy gives them circuits, or that they stay on packets, what
was predicted, what came out beside the best network of packets, and what the search took.

python -m braid_tools.papers.tentacle.program_table [--quick] writes programs.csv into results/tentacle. Throughputs are
steady states of the program a kilocycle (iterations of a run times the program's steady states in one): partitions of
different size differ in what an iteration is. push_adaptive and ideal run the program as it is partitioned, tentacle
what the remedy made of it at that load; `ideal_same` is the ideal network on that same graph and those tiles.
`over_packets` is tentacle over the best of pushed packets, which it replaces: exit status 1 and a line for each row
below 0.99. `over_pulled`, over the best of pulled packets, another interface for actors, is told without a verdict: a
window of 20,000 cycles may hold a dozen steady states only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from braid_tools.papers.tentacle.one_command import PROGRAMS, WINDOW, results, throughput, words
from braid_tools.program import BRAID, BraidError, in_parallel
from braid_tools.study import Study

SCALINGS = (0.001, 0.01, 0.1)  # cycles per unit of work: the network limits, then computation
SIZES = (4, 6)
NO_CIRCUITS = {"total_cycles": "", "circuits": []}  # where a program stays on packets
COLUMNS = ["program", "size", "scaling", "remedy", "actors", "streams", "tried", "setup_cycles", "longest"]
COLUMNS += ["predicted", "seconds", "tentacle", "ideal_same", "push_adaptive", "push_x_first"]
COLUMNS += ["pull_adaptive", "pull_x_first", "ideal", "over_packets", "over_pulled"]
PACKETS = ("push_adaptive", "push_x_first")
PULLED = ("pull_adaptive", "pull_x_first")
LEAST = 0.99  # of the best of them, that tentacle must reach


def search_seconds(*arguments: str | Path) -> float:
    """Of a processor, for a call of braid that searches and sets up."""
    child = subprocess.Popen([BRAID, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise BraidError(f"braid {' '.join(map(str, arguments))} ended with status {child.returncode}")
    return used.ru_utime + used.ru_stime


def row(program: Path, size: int, scaling: float, plan: Path) -> list[object]:
    """A line. What the search finds is kept in `plan`, so that it searches once."""
    load = {"stream.computation_scaling": scaling}
    seconds = search_seconds("paths", program, "--mesh", f"{size}x{size}", *words(load), "--quiet", "--toml", plan)
    tentacle = results(program, size, "tentacle", load, "--plan", plan)
    own = {network: throughput(results(program, size, network, load)) for network in (*PACKETS, *PULLED, "ideal")}
    same = throughput(results(program, size, "ideal", load, "--plan", plan))
    remedy, setup = tentacle["stream"]["remedy"], tentacle.get("setup", NO_CIRCUITS)
    said = remedy["taken"] + (f": {remedy['why']}" if remedy["why"] else "")
    counts = [len(tentacle["stream"][what]) for what in ("actors", "edges")]
    longest = max((len(circuit["path"]) - 1 for circuit in setup["circuits"]), default="")
    line = [program.stem, size, scaling, said, *counts, remedy["tried"], setup["total_cycles"], longest]
    line += [1000 / remedy["least_cycles"], f"{seconds:.2f}", reached := throughput(tentacle), same]
    return [*line, *own.values(), *(reached / max(own[n] for n in networks) for networks in (PACKETS, PULLED))]


def rows_of(study: Study, program: Path, size: int) -> list[list[object]]:
    """A line a load; kept, so that a study that was broken off goes on."""
    plan = study.folder / f"as_it_runs_{program.stem}_{size}.toml"
    key = f"programs {program.stem} {size} {SCALINGS} {WINDOW} {PACKETS} {PULLED}"
    return study.kept(key, [program], lambda: [row(program, size, scaling, plan) for scaling in SCALINGS])


def below(lines: list[list[object]]) -> list[str]:
    """A line for each row in which pushed packets are faster by more than a hundredth."""
    rows = [dict(zip(COLUMNS, line, strict=True)) for line in lines]
    return [
        f"{r['program']} {r['size']}x{r['size']} at {r['scaling']}: {r['over_packets']:.3f} of the best pushed packets"
        for r in rows
        if r["over_packets"] < LEAST
    ]


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="4x4 only")
    study = Study("tentacle", quick=parser.parse_args().quick)
    jobs = [(program, size) for size in SIZES[: 1 if study.quick else 2] for program in sorted(PROGRAMS.glob("*.str"))]
    lines = in_parallel(lambda job: rows_of(study, *job), jobs)
    all_lines = [line for some in lines for line in some]
    study.table("programs.csv", COLUMNS, all_lines)
    print("programs.csv in results/tentacle")
    for line in (slower := below(all_lines)):
        print(line, file=sys.stderr)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())

"""The nine StreamIt programs pushed in packets, with queues of finite depth at their consumers: what they lose, and
below which depth they block.

python -m braid_tools.papers.tentacle.ejection_queues [--quick] writes ejection_queues.csv into results/tentacle.
Beside what its next firing sees a consumer holds `items` more of each stream (interface.ejection_queue_items; 0: any
number); a packet without room stays in the network. Packets of four items, so that a queue of four has room for one.
Throughputs are steady states of the program a kilocycle; `blocks`: the watchdog found that nothing moves any more.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from braid_tools.papers.tentacle.one_command import PROGRAMS, WINDOW, results, throughput
from braid_tools.program import WATCHDOG, BraidError, in_parallel
from braid_tools.study import Study

DEPTHS = (0, 4, 8, 16, 64, 256, 1024, 4096)
NETWORKS = ("push_adaptive", "push_x_first")
SCALING = 0.001  # the network limits
BLOCKS = "blocks"
COLUMNS = ["program", "network", *("unbounded" if depth == 0 else str(depth) for depth in DEPTHS)]


def reached(program: Path, network: str, items: int) -> float | str:
    """Of one run."""
    settings = {"interface.packet_items": 4, "interface.ejection_queue_items": items}
    settings["stream.computation_scaling"] = SCALING
    try:
        return throughput(results(program, 4, network, settings))
    except BraidError as error:
        if error.status != WATCHDOG:
            raise
        return BLOCKS


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two programs")
    study = Study("tentacle", quick=parser.parse_args().quick)
    programs = sorted(PROGRAMS.glob("*.str"))[: 2 if study.quick else None]
    jobs = [(program, network) for program in programs for network in NETWORKS]

    def line(job: tuple[Path, str]) -> list[object]:
        program, network = job
        key = f"ejection queues {program.stem} {network} {DEPTHS} {SCALING} {WINDOW}"
        return study.kept(key, [program], lambda: [reached(program, network, items) for items in DEPTHS])

    lines = in_parallel(line, jobs)
    study.table(
        "ejection_queues.csv",
        COLUMNS,
        [[program.stem, network, *values] for (program, network), values in zip(jobs, lines, strict=True)],
    )
    print("ejection_queues.csv in results/tentacle")
    return 0


if __name__ == "__main__":
    sys.exit(main())

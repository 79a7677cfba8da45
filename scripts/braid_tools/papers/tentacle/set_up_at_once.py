"""Set-up by the single token and of all streams at once (tentacle-routing, section 2.2), of the nine programs by the
one command: the same graph on the same tiles, in cycles.

python -m braid_tools.papers.tentacle.set_up_at_once [--quick] writes set_ups_at_once.csv into results/tentacle. The
remedy is the one that has the token find circuits; programs that stay on packets have no row. `over_token` is the
token's cycles over those of all at once. `orders` counts those tried: the last stands, or all streams use packets.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.one_command import PROGRAMS, results, words
from braid_tools.program import braid, in_parallel
from braid_tools.study import Study

LOAD = {"stream.computation_scaling": 0.001}
SHORT = {"simulation.batch_cycles": 1000, "simulation.measure_cycles": 1000, "simulation.max_warmup_cycles": 1000}
SIZES = (4, 6)
COUNTS = ("searches", "backtracks", "rip_ups", "waits")
COLUMNS = ["program", "size", "streams", "token_orders", "token_cycles", "token_last_order", "orders", "cycles"]
COLUMNS += ["last_order", *COUNTS, "stands", "over_token"]


def line_of(program: str, size: int, token: dict[str, Any], at_once: dict[str, Any]) -> list[object]:
    """A line, of the `setup` of both results. The last order's cycles: of the token all its searches with the token's
    way, of all at once until the last one stood."""
    circuits = token["circuits"]
    last = max((circuit["setup_cycles"] for circuit in at_once["circuits"]), default="")
    line: list[object] = [program, size, len(circuits), token["orders_tried"], token["total_cycles"]]
    line += [sum(circuit["setup_cycles"] + 1 for circuit in circuits), at_once["orders_tried"], at_once["total_cycles"]]
    line += [last, *(at_once["at_once"][count] for count in COUNTS), not at_once["fell_back_to_packets"]]
    return [*line, token["total_cycles"] / at_once["total_cycles"]]


def rows_of(study: Study, program: Path, size: int) -> list[list[object]]:
    """A line, or none where the program stays on packets; kept, so that a study that was broken off goes on."""

    def measured() -> list[list[object]]:
        plan = study.folder / f"as_it_is_set_up_{program.stem}_{size}.toml"
        braid("paths", program, "--mesh", f"{size}x{size}", *words(LOAD), "--quiet", "--toml", plan)
        token, at_once = (
            results(program, size, "tentacle", LOAD | SHORT | more, "--plan", plan).get("setup")
            for more in ({}, {"setup.searches": "parallel"})
        )
        if token is None or at_once is None or token["fell_back_to_packets"]:
            return []
        return [line_of(program.stem, size, token, at_once)]

    return study.kept(f"set-up at once {program.stem} {size} {LOAD} {SHORT}", [program], measured)


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="4x4 only")
    study = Study("tentacle", quick=parser.parse_args().quick)
    jobs = [(program, size) for size in SIZES[: 1 if study.quick else 2] for program in sorted(PROGRAMS.glob("*.str"))]
    lines = in_parallel(lambda job: rows_of(study, *job), jobs)
    study.table("set_ups_at_once.csv", COLUMNS, [line for some in lines for line in some])
    print("set_ups_at_once.csv in results/tentacle")
    return 0


if __name__ == "__main__":
    sys.exit(main())

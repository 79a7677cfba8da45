"""Line and toggle coverage of the RTL under constrained-random lockstep, from Verilator's counters.

Builds two parameter points with coverage in build/coverage, runs them, merges and prints what was never reached.
Usage: python -m braid_tools.rtl_coverage [CYCLES]
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from braid_tools.program import ROOT

BUILD = ROOT / "build" / "coverage"
POINTS = ("mesh_tiny", "graph_matrix")
POINT = re.compile(r"^C '(.*)' (\d+)$")


def build() -> None:
    """braid_lockstep with counters."""
    BUILD.mkdir(parents=True, exist_ok=True)
    options = ["-DBRAID_TESTS=OFF", "-DBRAID_BENCHMARKS=OFF", f"-DBRAID_RTL_POINTS={';'.join(POINTS)}"]
    options += ["-DBRAID_VERILATOR_ARGS=--coverage-line;--coverage-toggle", "-GNinja"]
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", BUILD, "--target", "braid_lockstep"], check=True, stdout=subprocess.DEVNULL)


def read(path: Path, counts: dict[tuple[str, str, str, str], int]) -> None:
    """Adds a file's counters by (kind, file, line, what), over all instances and points."""
    for line in path.read_text(errors="replace").splitlines():
        match = POINT.match(line)
        if not match:
            continue
        keys = dict(part.split("\x02", 1) for part in match[1].split("\x01") if "\x02" in part)
        kind = keys["page"].split("/")[0].removeprefix("v_")
        name = Path(keys["f"]).name
        if name == "hybrid_router_probe.sv":  # of the testbench
            continue
        counts[(kind, name, keys["l"], keys.get("o", ""))] += int(match[2])


def main() -> int:
    """Builds, runs, reports."""
    cycles = int(sys.argv[1]) if sys.argv[1:] else 300000
    build()
    folder = BUILD / "data"
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "BRAID_COVERAGE": str(folder)}
    program = BUILD / "tb" / "braid_lockstep"
    subprocess.run([program, "--cycles", str(cycles)], check=True, env=environment, stdout=subprocess.DEVNULL)
    counts: dict[tuple[str, str, str, str], int] = defaultdict(int)
    for path in folder.glob("*.dat"):
        read(path, counts)
    for kind in sorted({key[0] for key in counts}):
        points = {key: count for key, count in counts.items() if key[0] == kind}
        hit = sum(count > 0 for count in points.values())
        print(f"{kind}: {hit} of {len(points)} points, {100 * hit / len(points):.1f} %")
    for key, count in sorted(counts.items()):
        if count == 0:
            print(f"never: {key[0]} {key[1]}:{key[2]} {key[3]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

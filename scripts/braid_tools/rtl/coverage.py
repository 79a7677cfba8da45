"""Line, branch and toggle coverage of the RTL under constrained-random lockstep, from Verilator's counters; and the
functional points, which the testbench counts.

Builds four parameter points with coverage in build/coverage, runs them, merges, leaves out what
hw/coverage_waivers.toml excuses, and prints what was never reached. Exit status 1 below the goals.
Usage: python -m braid_tools.rtl.coverage [CYCLES]
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

from braid_tools.program import ROOT
from braid_tools.rtl.points import COVER

BUILD = ROOT / "build" / "coverage"
POINTS = ("mesh_tiny", "graph_matrix", "mesh_deep", "mesh_adaptive")
GOALS_PERCENT = {"line": 98, "branch": 98, "toggle": 95}
FUNCTIONAL = [
    "episodes (reset in mid-flight)",
    "cycles without change",
    *(f"setup: {kind} sent" for kind in ("probe", "backtrack", "acknowledge", "tear_down")),
    *(
        f"setup: {kind} comes"
        for kind in ("backtrack", "acknowledge", "failed search", "probe of a search seen before")
    ),
    *(f"setup: search from a {start} {end}" for start in ("node", "link") for end in ("succeeds", "fails")),
    *(f"setup: tear-down {what}" for what in ("asked", "waits for flits", "done")),
    *(f"setup: outcome {what}" for what in ("success", "failure")),
]
POINT = re.compile(r"^C '(.*)' (\d+)$")


def build() -> None:
    """braid_lockstep with counters."""
    BUILD.mkdir(parents=True, exist_ok=True)
    options = ["-DBRAID_TESTS=OFF", "-DBRAID_BENCHMARKS=OFF", f"-DBRAID_RTL_POINTS={';'.join(POINTS)}"]
    options += ["-DBRAID_VERILATOR_ARGS=--coverage-line;--coverage-toggle", "-GNinja"]
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        ["cmake", "--build", BUILD, "--target", "braid_lockstep", "rtl"], check=True, stdout=subprocess.DEVNULL
    )


def read(path: Path, counts: dict[tuple[str, str, str, str], int]) -> None:
    """Adds a file's counters by (kind, file, line, what), over all instances and points."""
    for line in path.read_text(errors="replace").splitlines():
        match = POINT.match(line)
        if not match:
            continue
        keys = dict(part.split("\x02", 1) for part in match[1].split("\x01") if "\x02" in part)
        kind = keys["page"].split("/")[0].removeprefix("v_")
        name = Path(keys["f"]).name
        if name.endswith("_probe.sv"):  # of the testbench
            continue
        counts[(kind, name, keys["l"], keys.get("o", ""))] += int(match[2])


def waived(waivers: list[dict[str, str]], file: str, what: str) -> bool:
    """Does a waiver excuse this point? `signal` is a regular expression for the whole of it."""
    return any(re.fullmatch(w["file"], file) and re.fullmatch(w["signal"], what) for w in waivers)


def main() -> int:
    """Builds, runs, reports."""
    waivers = tomllib.loads((ROOT / "hw" / "coverage_waivers.toml").read_text())["waiver"]
    cycles = int(sys.argv[1]) if sys.argv[1:] else 300000
    build()
    folder = BUILD / "data"
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "BRAID_COVERAGE": str(folder)}
    program = BUILD / "tb" / "braid_lockstep"
    command = [program, "--cycles", str(cycles), "--cover"]
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    covered = {found[1] for line in done.stdout.splitlines() if (found := COVER.match(line)) and found[2] != "0"}
    counts: dict[tuple[str, str, str, str], int] = defaultdict(int)
    for path in folder.glob("*.dat"):
        read(path, counts)
    never = [point for point in FUNCTIONAL if point not in covered]
    failed = int(bool(never))
    print(f"functional: {len(FUNCTIONAL) - len(never)} of {len(FUNCTIONAL)} (goal: all)")
    for point in never:
        print(f"  never: {point}")
    for kind, goal in GOALS_PERCENT.items():
        points = {key: count for key, count in counts.items() if key[0] == kind}
        excused = {key for key, count in points.items() if count == 0 and waived(waivers, key[1], key[3])}
        hit = sum(count > 0 for count in points.values())
        percent = 100 * hit / (len(points) - len(excused))
        failed += percent < goal
        print(f"{kind}: {hit} of {len(points)}, {len(excused)} waived: {percent:.1f} % (goal {goal} %)")
        for key in sorted(k for k, count in points.items() if count == 0 and k not in excused):
            print(f"  never: {key[1]}:{key[2]} {key[3]}")
    print(f"{len(GOALS_PERCENT) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs of braid_lockstep: each parameter point of the RTL in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from braid_tools.program import ROOT

PROGRAM = ROOT / "build" / "release" / "tb" / "braid_lockstep"
COVER = re.compile(r"^cover (.*?) +(\d+)$")


def points() -> list[str]:
    """Names of hw/points.json."""
    return [point["name"] for point in json.loads((ROOT / "hw" / "points.json").read_text())]


def build(chosen: list[str]) -> None:
    """The libraries of these points."""
    subprocess.run(
        [ROOT / "scripts" / "build", "release", *(f"rtl_{point}" for point in chosen)],
        check=True,
        stdout=subprocess.DEVNULL,
    )


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

"""A small experiment, and what starts the program on it."""

import os
import subprocess
import sys
from collections.abc import Callable

from braid_tools.program import ROOT

MESH = """[experiment]
name = "small"
[topology]
kind = "mesh"
width = 4
height = 4
[router]
vcs = 2
[traffic]
pattern = "uniform"
rate_flits_per_node_cycle = 0.1
[simulation]
measure_cycles = 2000
batch_cycles = 500
min_warmup_cycles = 500
max_warmup_cycles = 1000
max_drain_cycles = 2000
"""
RATE = "traffic.rate_flits_per_node_cycle"

Braid = Callable[..., subprocess.CompletedProcess[str]]


def environment() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "120", "BRAID_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "scripts")}

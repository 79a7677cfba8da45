"""docs/traces.md: a trace is read while the run goes on, so one of ten times as many packets takes no more memory."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from braid_tools.program import BRAID, ROOT

NODES = 16
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
RATE = 0.25  # packets a node and cycle, one flit each


def number(value: int) -> bytes:
    """As docs/traces.md has them: seven bits a byte, the lowest first."""
    found = bytearray()
    while value >= 128:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def write_trace(file: Path, packets: int) -> int:
    """Uniform traffic; the cycles that it takes."""
    rng = random.Random(1)
    parts = [b"BRAIDTRC", *map(number, (1, NODES, 1, 1)), b"a"]
    cycle = last = written = 0
    while written < packets:
        for source in range(NODES):
            if rng.random() < RATE and written < packets:
                destination = (source + rng.randrange(1, NODES)) % NODES
                parts.append(bytes([1, 1]) + number(cycle - last) + bytes([source, destination, 1, 0]))
                last, written = cycle, written + 1
        cycle += 1
    file.write_bytes(b"".join([*parts, number(0), number(packets)]))
    return cycle


def memory(folder: Path, by: str, packets: int) -> int:
    """Of a run, at its most, in kB."""
    trace = folder / f"{packets}.btrace"
    cycles = write_trace(trace, packets)
    settings = {
        "replay.file": f'"{trace}"',
        "replay.by": f'"{by}"',
        "replay.window": 1000,
        "simulation.measure_cycles": cycles // 100 * 100 + 1000,
    }
    words = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    run = [BRAID, "run", ROOT / "tb" / "experiments" / "replay.toml", *words, "--quiet", "--json", folder / "run.json"]
    # A child of a small process: what a child had of its parent before it became the program counts, too.
    done = subprocess.run([sys.executable, "-c", MEASURE, *map(str, run)], check=True, capture_output=True, text=True)
    assert f'"delivered_packets": {packets}' in (folder / "run.json").read_text()
    return int(done.stdout)


@pytest.mark.parametrize("by", ["time", "dependency"])
def test_ten_times_the_packets_take_no_more_memory(tmp_path: Path, by: str) -> None:
    """Half of what the packets would take, were each kept in 16 bytes."""
    few = memory(tmp_path, by, 30_000)
    many = memory(tmp_path, by, 300_000)
    assert many - few < 270_000 * 16 / 1024 / 2, (few, many)

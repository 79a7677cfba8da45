"""Golden waveforms: of a short run of each router family every signal with its width, the number of its changes and a
checksum of its values, and every line of the save files for GTKWave, kept in tb/golden/waves.
Usage: python -m braid_tools.gates.wave_golden [NAME...] [--update]"""

from __future__ import annotations

import argparse
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path
from zlib import crc32

from braid_tools.gates.golden_runs import GOLDEN
from braid_tools.program import ROOT, Run, braid, in_parallel
from braid_tools.vcd import declarations

WAVES = GOLDEN / "waves"
SHORT = {
    "simulation.min_warmup_cycles": 0,
    "simulation.max_warmup_cycles": 0,
    "simulation.batch_cycles": 100,
    "simulation.measure_cycles": 600,
    "trace.to_cycle": 500,
}
#: Name: experiment, what is set in it. Few routers, where a network has the same signals in all.
RUNS: dict[str, tuple[str, dict[str, object]]] = {
    "hybrid": ("mesh_uniform", {"watch.what": "packet=3.5 router=4,0", "trace.routers": "3,0"}),
    "circuits": ("fm_radio", {"trace.to_cycle": 2000, "trace.routers": "1,1"}),
    "packets_of_actors": ("fm_radio", {"interface.switching": "packet", "trace.routers": "1,1"}),
    "cut_through_sat": ("tree_sat", {"topology.levels": 2, "watch.what": "packet=5.1"}),
    "po2": (
        "po2_hexagonal",
        {
            "topology.edge": 3,
            "po2.buffers": 3,
            "watch.what": "packet=2.0",
            "trace.routers": "0,0",
            "traffic.rate_flits_per_node_cycle": 0.35,
            "trace.to_cycle": 1500,
            "simulation.measure_cycles": 2000,
        },
    ),
    "myrinet": (
        "irregular",
        {
            "topology.switches": 8,
            "watch.what": "packet=1.0",
            "trace.routers": "s0",
            "trace.to_cycle": 3000,
            "traffic.rate_flits_per_node_cycle": 0.2,
            "simulation.measure_cycles": 3000,
        },
    ),
    "broadcast": ("broadcast", {"topology.width": 3, "topology.height": 3, "trace.routers": "1,1"}),
    "ideal": (
        "fm_radio",
        {"router.architecture": "ideal", "interface.switching": "packet", "watch.what": "packet=1.0"},
    ),
}
NOT_THE_SAME_ELSEWHERE = ("[dumpfile", "[savefile", "[*]", "^")  # file names and dates; names of values have a path


def signals_of(vcd: str) -> list[str]:
    """Lines "scope.name width changes checksum" of a VCD file's text."""
    lines = iter(vcd.splitlines())
    signals = list(declarations(lines))
    changes = dict.fromkeys((code for code, _, _ in signals), 0)
    values = dict(changes)  # checksum
    for line in lines:
        if line[:1] not in ("b", "0", "1"):
            continue
        value, _, code = line.rpartition(" ") if line.startswith("b") else (line[0], "", line[1:])
        changes[code] += 1
        values[code] = crc32(f"{value} ".encode(), values[code])
    return [f"{'.'.join(path)} {bits} {changes[code]} {values[code]:08x}" for code, path, bits in signals]


def outcome(name: str) -> str:
    """Of a run: its signals, and its save files."""
    experiment, settings = RUNS[name]
    job = Run(name, ROOT / "tb" / "experiments" / f"{experiment}.toml", SHORT | settings)
    with tempfile.TemporaryDirectory(prefix="braid-waves-") as scratch:
        wave = Path(scratch) / "t.vcd"
        braid("run", job.experiment, *job.arguments(), "--quiet", "--trace", wave, "--json", Path(scratch) / "r.json")
        lines = signals_of(wave.read_text())
        for save in sorted(Path(scratch).glob("t*.gtkw")):
            lines += ["", save.name]
            lines += [line for line in save.read_text().splitlines() if not line.startswith(NOT_THE_SAME_ELSEWHERE)]
    return "\n".join(lines) + "\n"


def differences(name: str) -> list[str]:
    """Lines of a diff between what is kept and what is."""
    kept = (WAVES / f"{name}.txt").read_text().splitlines()
    return list(unified_diff(kept, outcome(name).splitlines(), "kept", "now", lineterm="", n=0))


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(RUNS)}; default: all")
    parser.add_argument("--update", action="store_true", help="write them anew")
    options = parser.parse_args()
    names = options.names or list(RUNS)
    if options.update:
        WAVES.mkdir(parents=True, exist_ok=True)
        for name, text in zip(names, in_parallel(outcome, names), strict=True):
            (WAVES / f"{name}.txt").write_text(text)
        return 0
    different = [line for lines in in_parallel(differences, names) for line in lines]
    print("\n".join(different) or f"{len(names)} waveforms are as they were")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

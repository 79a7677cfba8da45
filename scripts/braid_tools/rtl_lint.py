"""Lint of hw/: Verilator with all warnings at several parameter points, slang's own elaboration, Verible's rules, and
whether the generated words are current. Exit 1 at the first complaint.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from braid_tools.program import ROOT

BIN = Path(sys.executable).parent
HW = ROOT / "hw"
ROUTING = {"x_first": 0, "y_first": 1, "table": 2}
ARBITER = {"round_robin": 0, "matrix": 1}


def parameters(point: dict) -> list[str]:
    """Verilator's -G options of a point."""
    numbers = {
        "Ports": point["ports"],
        "Vcs": point["vcs"],
        "Depth": point["depth"],
        "Circuits": point["circuits"],
        "CircuitDepth": point["circuit_depth"],
        "FlitWidth": point["flit_width"],
        "Routing": ROUTING[point["routing"]],
        "Arbiter": ARBITER[point["arbiter"]],
    }
    return [f"-G{name}={value}" for name, value in numbers.items()]


def complains(title: str, *command: object) -> bool:
    """Runs a tool; prints what it says if it fails."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, cwd=HW)
    if done.returncode == 0:
        return False
    print(f"{title}:\n{done.stdout}{done.stderr}")
    return True


def slang_complains(sources: list[Path]) -> bool:
    """Elaborates hybrid_router and the probe with pyslang."""
    import pyslang

    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    arguments = f"slang --top hybrid_router_probe -Wno-unused -I {HW} " + " ".join(map(str, sources))
    if not driver.parseCommandLine(arguments, pyslang.driver.CommandLineOptions()) or not driver.processOptions():
        return True
    return not (driver.parseAllSources() and driver.runFullCompilation())


def main() -> int:
    """All of it."""
    sources = [HW / "router_pkg.sv", *sorted(p for p in HW.glob("*.sv") if p.name != "router_pkg.sv")]
    failed = complains("words", sys.executable, ROOT / "scripts" / "braid_tools" / "rtl_words.py", "--check")
    for point in json.loads((HW / "points.json").read_text()):
        command = ["verilator", "--lint-only", "-Wall", "--assert", "-I.", "waivers.vlt", "router_pkg.sv"]
        command += ["hybrid_router_probe.sv", "--top-module", "hybrid_router_probe", *parameters(point)]
        failed |= complains(f"verilator, {point['name']}", *command)
    failed |= complains("verible", BIN / "verible-verilog-lint", "--rules_config", HW / "verible.rules", *sources)
    failed |= slang_complains(sources)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Lints the RTL with three tools that read it independently: Verilator, slang (both elaborate it at several parameter
points) and Verible (style); and looks whether every register has a reset."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pyslang.driver import Driver

from braid_tools.rtl.files import HW, modules
from braid_tools.rtl.registers import complaints

POINTS = [
    {},
    {"Ports": "5", "Vcs": "1", "Depth": "1", "FlitWidth": "16"},
    {"Ports": "5", "Circuits": "0", "BufferBypass": "1'b1"},
    {"Ports": "7", "Vcs": "8", "Depth": "5", "FlitWidth": "128"},
    {"Ports": "5", "Vcs": "2", "CircuitLanes": "4"},
    {"Ports": "6", "Vcs": "1", "CircuitLanes": "2", "FlitWidth": "32"},
]
# An enum's value is no -G of Verilator's; it lints these where it is built (-Wall).
SLANG_POINTS = [
    {"Routing": f"router_pkg::Routing{name}"}
    for name in ("Table", "WestFirst", "MinimalAdaptive", "OddEven", "TorusXFirst")
]
SLANG_POINTS += [{"Routing": "router_pkg::RoutingTorusXFirst", "Vcs": "2", "Circuits": "0"}]
SLANG_POINTS += [{"Routing": "router_pkg::RoutingTable", "CircuitLanes": "4"}]
SLANG_POINTS += [{"Routing": "router_pkg::RoutingTable", "Ports": "3", "Vcs": "1", "Depth": "1", "TableNodes": "300"}]
SLANG_POINTS += [
    {f"{stage}Allocator": "router_pkg::AllocatorIslip" for stage in ("Vc", "Switch")} | more
    for more in (
        {"IslipIterations": "2", "Vcs": "2"},
        {"Arbiter": "router_pkg::ArbiterMatrix", "Routing": "router_pkg::RoutingMinimalAdaptive", "Vcs": "2"},
        {"Routing": "router_pkg::RoutingTorusXFirst", "Vcs": "2", "Circuits": "0"},
    )
]
# The other tops, where they are not as large as a whole mesh by default.
TOPS = {
    "network_interface": [{}, {"Circuits": "0", "Vcs": "1", "Depth": "1"}, {"CircuitLanes": "4", "FlitWidth": "16"}],
    "setup_sequencer": [{}, {"Streams": "1", "Nodes": "2"}, {"Streams": "5", "CircuitLanes": "4", "TokenCycles": "3"}],
    "axis_face": [{}, {"Vcs": "1", "FlitWidth": "17"}],
    "sat_ring": [{}, {"Nodes": "2", "LocalPorts": "2", "WireCycles": "16'h0003"}],
    "event_line": [
        {},
        {"Root": "1'b1", "In": "3", "AtOnce": "2", "WhenDone": "0"},
        {"In": "2", "AtOnce": "1", "WhenDone": "2", "Most": "4"},
    ],
    "mesh": [{}, {"Columns": "4", "Rows": "3", "Vcs": "2", "CircuitLanes": "2"}, {"Circuits": "0", "Rows": "1"}],
}
STYLE = "line-length=length:128"


def verilator(point: dict[str, str], top: str = "hybrid_router") -> bool:
    """An output that nobody needs is named and left open: that is no warning."""
    options = [f"-G{name}={value}" for name, value in point.items()]
    if top != "hybrid_router":  # these do not use all of the package
        options.append("-Wno-UNUSEDPARAM")
    command = ["verilator", "--lint-only", "-Wall", "-Wno-PINCONNECTEMPTY", f"-I{HW}", "--top-module", top]
    return subprocess.run([*command, *options, *map(str, modules())], check=False).returncode == 0


def slang(point: dict[str, str], top: str = "hybrid_router") -> bool:
    """Elaborates with warnings as errors; a cast that changes nothing at one parameter point is no mistake."""
    driver = Driver()
    driver.addStandardArgs()
    options = " ".join(f'-G "{name}={value}"' for name, value in point.items())
    sources = " ".join(map(str, modules()))
    driver.parseCommandLine(f"slang -Wextra -Wno-useless-cast -Werror -I {HW} --top {top} {options} {sources}")
    return driver.processOptions() and driver.parseAllSources() and driver.runFullCompilation(True)


def verible() -> bool:
    """Style, of the proofs, too."""
    command = [Path(sys.executable).parent / "verible-verilog-lint", f"--rules={STYLE}"]
    files = [f for folder in (HW, HW / "formal") for f in sorted(folder.glob("*.sv*"))]
    return subprocess.run([*command, *files], check=False).returncode == 0


def resets() -> bool:
    """Every register has a reset, or says why not."""
    lines = complaints(modules())
    print("\n".join(lines), end="\n" if lines else "", file=sys.stderr)
    return not lines


def main() -> int:
    """Exit status 1 if any tool complains."""
    passed = [tool(point) for point in POINTS for tool in (verilator, slang)]
    passed += [tool(point, top) for top, points in TOPS.items() for point in points for tool in (verilator, slang)]
    passed += [*map(slang, SLANG_POINTS), verible(), resets()]
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

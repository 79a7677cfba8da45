"""Runs DSENT, which somebody has built, over routers and links, and writes its figures to tb/reference/dsent.csv:

    python -m braid_tools.energy.dsent FOLDER

FOLDER is that of `dsent.exe` (docs/energy.md says where DSENT is)."""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from braid_tools.energy.reference import CSV, NODES

#: Ports, virtual channels, flits of each, bits.
FITTED = [
    *((5, 4, depth, 64) for depth in (4, 8, 16)),
    *((5, 1, depth, 64) for depth in (4, 16, 64)),
    *((ports, 4, 8, 64) for ports in (3, 7, 9)),
    *((5, 4, 8, bits) for bits in (32, 128)),
    *((5, 8, depth, 64) for depth in (4, 8)),
    (5, 2, 4, 64),
    (5, 2, 4, 32),
    (4, 2, 4, 64),
    (7, 2, 4, 32),
    (6, 8, 2, 64),
    (9, 2, 4, 128),
]
HELD_OUT = [(5, 3, 6, 48), (8, 2, 8, 96), (4, 6, 4, 64)]
#: DSENT's own configs/router.cfg: two virtual networks, 2 VCs of 4 flits and 3 of 5, 64 bits.
EXAMPLE = ("2, 3", "4, 5")
LINKS = [(0.5, 64), (1.0, 64), (2.0, 64), (1.0, 128)]  # mm, bits

#: Column -> DSENT's name for it, and the factor to femtojoules, nanowatts and square micrometres.
ENERGIES = {
    "write_fj": ("$(Energy>>Router:WriteBuffer)", 1e15),
    "read_fj": ("$(Energy>>Router:ReadBuffer)", 1e15),
    "crossbar_fj": ("$(Energy>>Router:TraverseCrossbar->Multicast1)", 1e15),
    "arbitration_fj": (
        "$(Energy>>Router:ArbitrateSwitch->ArbitrateStage1) + $(Energy>>Router:ArbitrateSwitch->ArbitrateStage2)",
        1e15,
    ),
    "clock_fj": ("$(Energy>>Router:DistributeClock)", 1e15),
    "leakage_nw": ("$(NddPower>>Router:Leakage)", 1e9),
    "buffers_um2": (
        "($(Area>>Router->InputPort:Active) + ($(Area>>Router->PipelineReg0:Active) + "
        "$(Area>>Router->PipelineReg1:Active)) * $(NumberBitsPerFlit)) * $(NumberInputPorts)",
        1e12,
    ),
    "crossbar_um2": (
        "$(Area>>Router->Crossbar:Active) + $(Area>>Router->Crossbar_Sel_DFF:Active) + "
        "$(Area>>Router->PipelineReg2_0:Active) * $(NumberBitsPerFlit) * $(NumberOutputPorts)",
        1e12,
    ),
    "allocator_um2": ("$(Area>>Router->SwitchAllocator:Active)", 1e12),
}
ROUTER = """
ModelName = Router
QueryString = Energy>>Router:WriteBuffer@0 Energy>>Router:ReadBuffer@0 Energy>>Router:TraverseCrossbar->Multicast1@0 \
Energy>>Router:ArbitrateSwitch->ArbitrateStage1@0 Energy>>Router:ArbitrateSwitch->ArbitrateStage2@0 \
Energy>>Router:DistributeClock@0 NddPower>>Router:Leakage@3 Area>>Router:Active@3
EvaluateString = {evaluate}
ElectricalTechModelFilename = tech/tech_models/Bulk{node}LVT.model
IsPerformTimingOptimization = true
TimingOptimization->StartNetNames = [*]
Frequency = 1.0e9
NumberInputPorts = {ports}
NumberOutputPorts = {ports}
NumberBitsPerFlit = {bits}
NumberVirtualNetworks = {networks}
NumberVirtualChannelsPerVirtualNetwork = [{vcs}]
NumberBuffersPerVirtualChannel = [{depth}]
InputPort->BufferModel = DFFRAM
CrossbarModel = MultiplexerCrossbar
SwitchAllocator->ArbiterModel = MatrixArbiter
ClockTreeModel = BroadcastHTree
ClockTree->NumberLevels = 5
ClockTree->WireLayer = Global
ClockTree->WireWidthMultiplier = 1.0
"""
LINK = """
ModelName = RepeatedLink
QueryString = Energy>>RepeatedLink:Send@0
EvaluateString = print "link_fj " $(Energy>>RepeatedLink:Send);
ElectricalTechModelFilename = tech/tech_models/Bulk{node}LVT.model
IsPerformTimingOptimization = false
TimingOptimization->StartNetNames = []
Frequency = 1e9
NumberBits = {bits}
WireLayer = Global
WireWidthMultiplier = 1.0
WireSpacingMultiplier = 1.0
WireLength = {mm}e-3
Delay = 1e-9
"""


def figures(folder: Path, text: str) -> dict[str, float]:
    """What DSENT prints for a configuration."""
    file = folder / "braid.cfg"
    file.write_text(text)
    done = subprocess.run(["./dsent.exe", "-cfg", file.name], cwd=folder, capture_output=True, text=True, check=False)
    found = re.findall(r"^(\w+) +([0-9.eE+-]+)$", done.stdout, re.MULTILINE)
    if not found:
        raise RuntimeError(done.stdout + done.stderr)
    return {name: float(value) for name, value in found}


def router(folder: Path, node: int, shape: tuple[int, Any, Any, int], role: str) -> dict[str, Any]:
    """A row of a router; virtual channels and depth may be lists, of several virtual networks."""
    ports, vcs, depth, bits = shape
    evaluate = " ".join(f'print "{name} " {what};' for name, (what, _) in ENERGIES.items())
    networks = str(vcs).count(",") + 1
    text = ROUTER.format(evaluate=evaluate, node=node, ports=ports, bits=bits, networks=networks, vcs=vcs, depth=depth)
    found = figures(folder, text)
    each = list(zip(map(int, str(vcs).split(",")), map(int, str(depth).split(",")), strict=True))
    own = {"vcs": sum(v for v, _ in each), "flits": sum(v * d for v, d in each), "bits": bits}
    scaled = {name: f"{found[name] * factor:.6g}" for name, (_, factor) in ENERGIES.items()}
    return {"role": role, "node": node, "ports": ports, **own, **scaled}


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    rows = []
    for node in NODES:
        rows += [router(folder, node, shape, "fitted") for shape in FITTED]
        rows += [router(folder, node, shape, "held_out") for shape in HELD_OUT]
        rows.append(router(folder, node, (5, *EXAMPLE, 64), "example"))
        for mm, bits in LINKS:
            energy = figures(folder, LINK.format(node=node, mm=mm, bits=bits))["link_fj"] * 1e15
            rows.append({"role": "link", "node": node, "bits": bits, "mm": mm, "link_fj": f"{energy:.6g}"})
    with CSV.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "mm", "link_fj"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())

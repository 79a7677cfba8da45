"""scripts/synthesis: what the router costs in hardware, with circuits and without, and what stands around it in a mesh
(Yosys; two-input gates, no library).

Writes synthesis.json and from it docs/synthesis.md; a test holds the page to that file. `--only TEXT` synthesizes again
what has TEXT in its name, and may be given several times. `--check` synthesizes the smallest points again and compares
them with what is kept.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pyosys import libyosys

from braid_tools.program import processors
from braid_tools.rtl.depths import depths
from braid_tools.rtl.files import HW, modules
from braid_tools.rtl.synthesis_page import PAGE, PARTS, RECORD, SMALLEST, Cost, Part, page, read, write


def synthesize(part: Part) -> Cost:
    """Runs Yosys on one module."""
    design = libyosys.Design()
    with tempfile.TemporaryDirectory() as folder:
        stat, path, netlist = (Path(folder, name) for name in ("stat.json", "path.txt", "netlist.json"))
        sources = " ".join(str(f) for f in modules())
        for command in (
            f"tee -q -o {folder}/read.txt read_slang -I {HW} --top {part.top} {part.options} {sources}",
            f"tee -q -o {folder}/synth.txt synth -flatten -noabc -top {part.top}",
            f"tee -q -o {folder}/abc.txt abc -g AND,OR,XOR,MUX,NAND,NOR",
            "opt_clean -purge",
            f"tee -q -o {stat} stat -json",
            f"tee -q -o {path} ltp -noff",
            f"tee -q -o {folder}/json.txt write_json -noscopeinfo {netlist}",
        ):
            libyosys.run_pass(command, design)
        cells = json.loads(stat.read_text()[stat.read_text().index("{") :])["design"]["num_cells_by_type"]
        longest = re.search(r"length=(\d+)", path.read_text())
        assert longest is not None, "yosys gave no path length"
        return cost(cells, int(longest[1]), json.loads(netlist.read_text())["modules"][part.top], part)


def cost(cells: dict[str, int], longest: int, module: dict, part: Part) -> Cost:
    """From Yosys's counts and the netlist."""
    flip_flops = sum(n for kind, n in cells.items() if "DFF" in kind)
    found = depths(module)
    # Two ways to the same figure: Yosys's longest path, and ours over pins and registers.
    if longest != max(found.registers, *found.inputs.values()):
        raise AssertionError(f"{part.what}: longest path {longest}, of pins and registers {found}")
    gates = sum(cells.values()) - flip_flops
    if part.top != "hybrid_router":
        return Cost(gates, flip_flops, longest)
    return Cost(gates, flip_flops, longest, found.inputs, found.registers)


def near(kept: Cost | None, found: Cost) -> bool:
    """Is what is kept still true? What ABC finds depends on the numbers that Yosys gives its names: a pin that leads
    nowhere has changed the smallest router by 3 gates and a level of depth. Registers are exact."""
    if kept is None or kept.older:
        return False
    gates, levels = abs(kept.gates - found.gates), abs(kept.depth - found.depth)
    return kept.flip_flops == found.flip_flops and gates <= kept.gates / 100 and levels <= 2


def main() -> int:
    """Entry point of scripts/synthesis."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT")
    parser.add_argument("--jobs", type=int, default=processors())
    arguments = parser.parse_args()
    chosen = SMALLEST if arguments.check else PARTS
    chosen = [p for p in chosen if not arguments.only or any(text in p.what for text in arguments.only)]
    kept = read() if RECORD.is_file() else {}
    wrong = 0
    # A process each: what ABC finds depends on the numbers that Yosys has given out before.
    with ProcessPoolExecutor(arguments.jobs, max_tasks_per_child=1) as pool:
        for part, found in zip(chosen, pool.map(synthesize, chosen), strict=True):
            same = near(kept.get(part.what), found) if arguments.check else kept.get(part.what) == found
            print(
                f"{part.what}: {found.gates:,} gates, {found.flip_flops:,} flip-flops, depth {found.depth}", flush=True
            )
            if arguments.check and not same:
                print(f"{part.what}: {RECORD.name} has {kept.get(part.what)}, now {found}", file=sys.stderr)
            elif not same:
                kept[part.what] = found
                write(kept)
            wrong += arguments.check and not same
    if not arguments.check and all(part.what in kept for part in PARTS):
        PAGE.write_text(page(kept))
    print(f"{len(chosen) - wrong} of {len(chosen)} as kept" if arguments.check else f"{len(chosen)} synthesized")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

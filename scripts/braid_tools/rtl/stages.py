"""Each stage of the RTL beside the model's, in all routers of an 8x8 mesh under packets and moving circuits: every
output compared in every cycle (docs/hardware-view/replaced.md).

The first difference ends a stage's run with its report; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from braid_tools.program import ROOT, BraidError, Run, processors, run

POINT = "mesh_stream"
STAGES = ("vc_allocator", "switch_allocator", "setup_unit", "circuit_unit")
SETTINGS = {
    "topology.width": 8,
    "topology.height": 8,
    "traffic.rate_flits_per_node_cycle": 0.2,
    "interface.receive_queue_items": 0,
    "setup.reroute": "all",
    "setup.reroute_at_cycle": 2000,
    "setup.reroute_every_cycles": 3000,
    "setup.avoid_links": "1,1.east 2,2.north",
    "simulation.min_warmup_cycles": 1000,
    "simulation.max_warmup_cycles": 1000,
}


def differs(stage: str, cycles: int) -> bool:
    """Runs one stage and prints what came out."""
    settings = SETTINGS | {f"stage.{stage}": "lockstep", "simulation.measure_cycles": cycles}
    begin = time.monotonic()
    try:
        run(Run(stage, ROOT / "tb" / "experiments" / "mixed.toml", settings))
        said = "0 differences"
    except BraidError as e:
        said = str(e)
    seconds = time.monotonic() - begin
    print(f"{stage}: {cycles} cycles of 64 routers, {said}, {seconds:.0f} s", flush=True)
    return said != "0 differences"


def main() -> int:
    """Builds, runs all four, reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=100000, help="of each stage's network")
    parser.add_argument("--stage", action="append", choices=STAGES, help="may be given again; default: all four")
    arguments = parser.parse_args()
    subprocess.run([ROOT / "scripts" / "build", "release", f"rtl_stages_{POINT}"], check=True, stdout=sys.stderr)
    stages = arguments.stage or list(STAGES)
    with ThreadPoolExecutor(processors()) as pool:
        failed = sum(pool.map(lambda stage: differs(stage, arguments.cycles), stages))
    print(
        f"{len(stages)} stages, {arguments.cycles} cycles each, {failed} differ"
        if failed
        else f"{len(stages)} stages, {arguments.cycles} cycles each, 0 differences"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

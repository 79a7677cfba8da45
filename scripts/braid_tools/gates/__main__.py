"""scripts/test: every gate and every fast test, one after the other, with a total at the end."""

from __future__ import annotations

import argparse
import sys

from braid_tools.gates.gate import Gates, ctest_counts, own_counts, pytest_counts
from braid_tools.program import ROOT, processors
from braid_tools.studies import studies

BIN = ROOT / ".venv" / "bin"


def with_suffix(*suffixes: str) -> list[str]:
    """Source files with these suffixes, relative to the root."""
    folders = ("routing", "traffic", "models", "tb")
    found = [p for f in folders for p in sorted((ROOT / f).rglob("*")) if p.suffix in suffixes]
    return [str(p.relative_to(ROOT)) for p in found]


def ctest(preset: str) -> list[object]:
    """ctest over a preset's build."""
    jobs = processors()
    return ["ctest", "--test-dir", f"build/{preset}", "-j", jobs, "--output-on-failure", "--no-tests=error"]


def main() -> int:
    """Entry point of scripts/test."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fast", choices=["yes", "no"], default="no")
    thorough = parser.parse_args().fast == "no"
    gates = Gates()
    ruff = [BIN / "ruff", "--config", "scripts/ruff.toml"]
    gates.run("clang-format", BIN / "clang-format", "--dry-run", "--Werror", *with_suffix(".h", ".cpp"))
    gates.run("ruff", *ruff[:1], "check", *ruff[1:], "scripts", "tb/python", "tb/cocotb")
    gates.run("ruff format", *ruff[:1], "format", "--check", *ruff[1:], "scripts", "tb/python", "tb/cocotb")
    gates.run("folder dependencies", sys.executable, "-m", "braid_tools.gates.check_folders")
    gates.run("list of seeded faults", sys.executable, "-m", "braid_tools.gates.mutation", "--check")
    gates.run("RTL by Verilator, slang and Verible", sys.executable, "-m", "braid_tools.rtl.lint", count=own_counts)
    gates.run("words of RTL and C++", sys.executable, "-m", "braid_tools.rtl.words", "--check")
    gates.run("proofs of the RTL", sys.executable, "-m", "braid_tools.rtl.formal", count=own_counts)
    gates.run("RTL under cocotb", sys.executable, "-m", "braid_tools.rtl.cocotb_smoke", count=own_counts)
    gates.run("build, warnings are errors", "scripts/build", "release")
    gates.run("unit, exact-cycle, closed-form and program tests", *ctest("release"), count=ctest_counts)
    gates.run("golden results", sys.executable, "-m", "braid_tools.gates.golden", count=own_counts)
    gates.run("Python and example tests", sys.executable, "-m", "pytest", "-q", "tb/python", count=pytest_counts)
    for name in studies():
        gates.run(f"figures of {name}", sys.executable, "-m", "braid_tools.reproduce", name, "--quick")
    gates.run("the main job", sys.executable, "-m", "braid_tools.papers.tentacle.main_job", "--quick")
    if thorough:
        gates.run("clang-tidy", sys.executable, "-m", "braid_tools.gates.tidy")
        gates.run("build with AddressSanitizer and UndefinedBehaviorSanitizer", "scripts/build", "asan")
        for program in sorted((ROOT / "build" / "asan" / "tb").glob("braid_*_test")):
            gates.run(f"{program.name} with sanitizers", program, count=own_counts)
        gates.run("lockstep with sanitizers", *ctest("asan"), "-R", "lockstep", count=ctest_counts)
    print(f"{gates.passed} passed, {gates.failed} failed")
    return 1 if gates.failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""scripts/test: every gate and every fast test, two at a time, with a total at the end."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from braid_tools.gates.built_tests import rtl_built_before
from braid_tools.gates.gate import Gate, Gates, case_counts, ctest_counts, own_counts, pytest_counts
from braid_tools.program import ROOT, processors
from braid_tools.reference import compile_reference
from braid_tools.studies import studies

BIN = ROOT / ".venv" / "bin"
#: Folders of tb/tests with a program each, and those whose cases are linked with sanitizers, too (tb/CMakeLists.txt).
AREAS = ("routing", "traffic", "models", "program", "pins", "rtl")
SANITIZED_AREAS = AREAS[:4]


def module(name: str, *words: str, own: bool = True) -> tuple[object, ...]:
    """The command of a Python module; `own`: of this package."""
    return (sys.executable, "-m", f"braid_tools.{name}" if own else name, *words)


def with_suffix(*suffixes: str) -> list[str]:
    """Source files with these suffixes, relative to the root."""
    folders = ("routing", "traffic", "models", "tb")
    found = [p for f in folders for p in sorted((ROOT / f).rglob("*")) if p.suffix in suffixes]
    return [str(p.relative_to(ROOT)) for p in found]


#: What `scripts/build release` makes for them; the golden experiments take stages of these two points.
BUILT = (
    *("tests", "rtl_each_commit", "rtl_meshes", "rtl_stages_mesh_packet", "rtl_stages_mesh_stream"),
    *("benchmarks", "braid_package", "python"),
)
BUILD, SANITIZED = "build, warnings are errors", "build with AddressSanitizer and UndefinedBehaviorSanitizer"


def texts() -> list[Gate]:
    """What reads the sources."""
    ruff, config = BIN / "ruff", ("--config", "scripts/ruff.toml")
    python = ("scripts", "tb/python", "tb/cocotb")
    return [
        Gate("clang-format", (BIN / "clang-format", "--dry-run", "--Werror", *with_suffix(".h", ".cpp"))),
        Gate("ruff", (ruff, "check", *config, *python)),
        Gate("ruff format", (ruff, "format", "--check", *config, *python)),
        Gate("folder dependencies", module("gates.check_folders")),
        Gate("list of seeded faults", module("gates.mutation", "--check")),
        Gate("words of RTL and C++", module("rtl.words", "--check")),
        Gate("RTL by Verilator, slang and Verible", module("rtl.lint"), own_counts),
        Gate("RTL under cocotb", module("rtl.cocotb_smoke"), own_counts, after=(BUILD,)),
        Gate("proofs of the RTL", module("rtl.formal", "--one-engine"), own_counts),
    ]


def cases(program: str, *words: object) -> tuple[object, ...]:
    """The command that runs all cases of a test program, each in a process of its own."""
    return ("cmake", "-E", "chdir", "build/release/tb", f"./braid_{program}_test", *words)


def cut_short(area: str) -> Path:
    """The file of the cases that did less under sanitizers, by name."""
    return ROOT / "results" / f"cut_short_{area}.txt"


def with_sanitizers(area: str) -> str:
    """The title of a gate."""
    return f"{area} with sanitizers"


def runs() -> list[Gate]:
    """What starts the program."""
    jobs = processors()
    ctest = ("ctest", "--test-dir", "build/release", "-j", jobs, "--output-on-failure", "--no-tests=error")
    spread = ("-n", str(jobs), "--dist", "loadscope", "--timeout", "900")  # seconds: what hangs fails by name
    pytest = module("pytest", "-q", *spread, "tb/python", own=False)
    return [
        Gate("Python and example tests", pytest, pytest_counts),
        Gate("one router, model and RTL", (*ctest, "-R", "^lockstep", "-LE", "nightly"), ctest_counts),
        *(Gate(f"figures of {name}", module("reproduce", name, "--quick")) for name in studies()),
        Gate("golden results", module("gates.golden"), own_counts),
        Gate("mesh in RTL and model", module("rtl.mesh"), own_counts),
        Gate("the main job", module("papers.tentacle.main_job", "--quick")),
    ]


def tests(*, thorough: bool) -> list[Gate]:
    """The C++ tests: all cases once. Where there are sanitizers, a wrong access or an undefined operation ends them;
    what did less for them is run again without, whole. (All without sanitizers: scripts/nightly all_cycles.)"""
    twice = SANITIZED_AREAS if thorough else ()
    gates = [Gate(f"tests of {area}", cases(area), case_counts) for area in AREAS if area not in twice]
    for area in twice:
        file = cut_short(area)
        first, again = cases(f"{area}_sanitized", "--cut-short", file), cases(area, "--only", file)
        gates.append(Gate(with_sanitizers(area), first, case_counts))
        gates.append(Gate(f"{area} that sanitizers cut short", again, case_counts, after=(with_sanitizers(area),)))
    return gates


def built(*, thorough: bool) -> list[Gate]:
    """All that needs a build: one build after the other, for both are in one folder, and then what runs."""
    build = Gate(BUILD, ("scripts/build", "release", *BUILT, *rtl_built_before()))
    again = Gate(SANITIZED, ("scripts/build", "release", "sanitized_tests"), after=(BUILD,))
    last = SANITIZED if thorough else BUILD
    behind = [replace(gate, after=(last, *gate.after)) for gate in [*tests(thorough=thorough), *runs()]]
    return [build, *([again] if thorough else []), *behind]


def references(count: int = 3) -> list[float]:
    """Processor seconds of the compiler for its reference: how fast this machine is, with what else runs on it."""
    with tempfile.TemporaryDirectory() as scratch:
        return [compile_reference("g++", Path(scratch)) for _ in range(count)]


def main() -> int:
    """Entry point of scripts/test."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fast", choices=["yes", "no"], default="no")
    parser.add_argument("--began", type=float, default=time.time(), metavar="EPOCH", help="start of set-up, in seconds")
    options = parser.parse_args()
    thorough = options.fast == "no"
    before = references()
    gates = Gates()
    tidy = [Gate("clang-tidy of what changed", module("gates.tidy", "--changed"))]
    gates.run([*built(thorough=thorough), *texts(), *(tidy if thorough else [])])
    unit = statistics.median([*before, *references()])
    minutes = f"{(time.time() - options.began) / 60:.1f} min, {gates.processor_seconds / 60:.1f} min of processors"
    print(f"{minutes}; the compiler takes {unit:.1f} s for its reference here (docs/compile-time.md)")
    print(f"{gates.passed} passed, {gates.failed} failed")
    return 1 if gates.failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Mutation check of the RTL: seeds each fault of tb/lockstep/mutations.toml into a copy of hw/, rebuilds it for one
parameter point, runs lockstep and says what caught it. A fault with a `bench` is looked for by that module's cocotb
tests, or by the 2x2 mesh; one with a `proof` by the proofs of that name. Exit 1 if a fault lives.

Usage: python -m braid_tools.rtl.mutation [NAME...]   writes results/rtl/mutations.csv

A row is written as soon as a fault is done, and kept if neither the fault nor anything that lockstep is built from has
changed; what lives is tried again.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from braid_tools.digest import digest, digest_of_files
from braid_tools.program import ROOT, processors

BUILD = ROOT / "build" / "mutation"
POINT = "mesh_tiny"  # unless a fault names another
CYCLES = 60000
LOCKSTEP = sorted(path.name for path in (ROOT / "tb" / "lockstep").iterdir() if path.suffix != ".toml")
SOURCES = ["CMakeLists.txt", "hw", "models", "routing", "scripts/cmake", "traffic", "tb/CMakeLists.txt", "tb/rtl"]
SOURCES += ["tb/mesh", "tb/cocotb", "scripts/braid_tools/rtl", *(f"tb/lockstep/{name}" for name in LOCKSTEP)]
MESH = "mesh"  # the bench and its folder; others are modules with cocotb tests


def sh(*command: object) -> subprocess.CompletedProcess[str]:
    """Runs a command, output taken."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    words = [str(c) for c in command]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=BUILD, env=environment)


def prepare(points: set[str]) -> None:
    """A copy of hw/ and, for each point, a build of its own on it."""
    shutil.rmtree(BUILD / "hw", ignore_errors=True)
    shutil.copytree(ROOT / "hw", BUILD / "hw")
    for point in points:
        options = [f"-DBRAID_HW_DIR={BUILD / 'hw'}", f"-DBRAID_RTL_POINTS={POINT if point == MESH else point}"]
        options += ["-DBRAID_VERILATOR_ARGS=-Wno-fatal"]  # a fault may leave a signal unused
        options += ["-DBRAID_BENCHMARKS=OFF", "-DBRAID_TESTS=OFF", "-GNinja"]
        done = sh("cmake", "-S", ROOT, "-B", BUILD / point, *options)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)


def caught_by(output: str) -> tuple[str, str]:
    """(kind, detail) of what ended the run."""
    assertion = re.search(r"%Error: (?:\S*/)?(\w+\.sv):\d+: Assertion failed in \S*?\.?(\w+)(?::|$)", output)
    if assertion:
        return "assertion", f"{assertion[1]} {assertion[2]}"
    reset = re.search(r"lockstep: (\S+) is not 0|after reset: (\S+) is", output)
    if reset:
        return "lockstep", f"{reset[1] or reset[2]} differs in or after reset"
    difference = re.search(r"cycle (\d+): (\S+) is", output)
    if difference:
        return "lockstep", f"{difference[2]} differs in cycle {difference[1]} of its episode"
    proof = re.search(r"^(\S+) .*FAILED: (\S+)", output, re.MULTILINE)
    if proof:
        return "proof", f"{proof[2]} of {proof[1]}"
    cocotb = re.search(r"AssertionError: (.*?cycle \d+)", output)
    if cocotb:
        return "cocotb", f"the reference differs in {cocotb[1]}"
    route = re.search(r"AssertionError: (.*, (?:the )?reference .*)", output)
    if route:
        return "cocotb", f"another route, {route[1]}"
    other = re.search(r"AssertionError: (.+)", output)
    if other:
        return "cocotb", other[1]
    mesh = re.search(r"^  (.*arrives in cycle.*|set-up: .*|mesh: .*)$", output, re.MULTILINE)
    if mesh:
        return "mesh", mesh[1]
    return "error", output.strip().splitlines()[-1] if output.strip() else "no output"


def bench(name: str) -> tuple[str, str]:
    """Builds a bench on the copy and runs it."""
    python = (sys.executable, "-m")
    if name != MESH:
        done = sh(*python, "braid_tools.rtl.cocotb_smoke", "--only", name, "--rtl", BUILD / "hw")
    else:
        built = sh("cmake", "--build", BUILD / MESH, "--target", "braid_mesh_2x2", "--parallel", processors())
        if built.returncode != 0:
            return "build", built.stdout.strip().splitlines()[-1]
        done = sh(*python, "braid_tools.rtl.mesh", "--only", "2x2", "--tb", BUILD / MESH / "tb")
    return caught_by(done.stdout + done.stderr) if done.returncode != 0 else ("", "")


def proof(name: str) -> tuple[str, str]:
    """Runs proofs on the copy."""
    done = sh(sys.executable, "-m", "braid_tools.rtl.formal", "--one-engine", "--only", name, "--rtl", BUILD / "hw")
    return caught_by(done.stdout + done.stderr) if done.returncode != 0 else ("", "")


def where(mutation: dict) -> str:
    """The point whose build it needs; none: cocotb builds for itself, a proof needs none."""
    if "proof" in mutation:
        return ""
    if "bench" in mutation:
        return MESH if mutation["bench"] == MESH else ""
    return mutation.get("point", POINT)


def run(mutation: dict) -> tuple[str, str]:
    """Builds and runs one fault."""
    path = BUILD / "hw" / mutation["file"]
    text = (ROOT / "hw" / mutation["file"]).read_text()
    if text.count(mutation["from"]) != 1:
        sys.exit(f"{mutation['name']}: `from` occurs {text.count(mutation['from'])} times in {mutation['file']}")
    path.write_text(text.replace(mutation["from"], mutation["to"]))
    try:
        if "bench" in mutation:
            return bench(mutation["bench"])
        if "proof" in mutation:
            return proof(mutation["proof"])
        point = where(mutation)
        built = sh(
            "cmake", "--build", BUILD / point, "--target", "braid_lockstep", f"rtl_{point}", "--parallel", processors()
        )
        if built.returncode != 0:
            return "build", built.stdout.strip().splitlines()[-1]
        done = sh(BUILD / point / "tb" / "braid_lockstep", "--point", point, "--cycles", CYCLES)
        return caught_by(done.stdout + done.stderr) if done.returncode != 0 else ("", "")
    finally:
        path.write_text(text)


class Rows:
    """mutations.csv: rows by name, those that still hold."""

    def __init__(self, path: Path, hashes: dict[str, str]) -> None:
        self.path = path
        self.hashes = hashes  # of every fault as it is now
        self.kept: dict[str, list[str]] = {}
        if path.is_file():
            with path.open(newline="") as file:
                found = {row[0]: row for row in csv.reader(file)}
            self.kept = {name: row for name, row in found.items() if row[2] and row[-1] == hashes.get(name)}

    def add(self, name: str, what: str, kind: str, detail: str) -> None:
        """Writes all rows, in the order of the list."""
        self.kept[name] = [name, what, kind, detail, self.hashes[name]]
        with self.path.open("w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["name", "fault", "caught by", "detail", "hash"])
            out.writerows(self.kept[name] for name in self.hashes if name in self.kept)


def main() -> int:
    """All faults, or the named ones."""
    BUILD.mkdir(parents=True, exist_ok=True)
    mutations = tomllib.loads((ROOT / "tb" / "lockstep" / "mutations.toml").read_text())["mutation"]
    chosen = [m for m in mutations if not sys.argv[1:] or m["name"] in sys.argv[1:]]
    out = ROOT / "results" / "rtl"
    out.mkdir(parents=True, exist_ok=True)
    sources = digest_of_files(ROOT, SOURCES)
    rows = Rows(out / "mutations.csv", {m["name"]: digest(sources.encode(), repr(m).encode()) for m in mutations})
    todo = [m for m in chosen if m["name"] not in rows.kept or sys.argv[1:]]
    prepare({where(m) for m in todo} - {""})
    for mutation in todo:
        kind, detail = run(mutation)
        rows.add(mutation["name"], mutation["what"], kind, detail)
        print(f"{mutation['name']:28} {kind or 'NOT CAUGHT'}: {detail}", flush=True)
    alive = sum(not rows.kept[m["name"]][2] for m in chosen)
    print(f"{len(chosen) - alive} of {len(chosen)} faults caught, {len(chosen) - len(todo)} of them in an earlier run")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())

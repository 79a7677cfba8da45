"""The yosys command as SymbiYosys calls it."""

import importlib.metadata
import subprocess
import sys
from pathlib import Path

from braid_tools.program import ROOT


def yosys(*words: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "braid_tools.rtl.yosys", *map(str, words)]
    environment = {"PYTHONPATH": str(ROOT / "scripts"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_its_version_is_that_of_the_installed_wheel() -> None:
    said = yosys("-V")
    assert (said.returncode, said.stdout) == (0, f"Yosys {importlib.metadata.version('pyosys')}\n"), said.stderr


def test_it_runs_a_script_and_says_by_its_status_whether_it_ended(tmp_path: Path) -> None:
    (tmp_path / "inverter.sv").write_text(
        "module inverter (input logic a_i, output logic y_o); assign y_o = ~a_i; endmodule\n"
    )
    (tmp_path / "good.ys").write_text(
        "read_slang --top inverter inverter.sv\nsynth -flatten\nselect -assert-count 1 t:$_NOT_\n"
    )
    good = yosys("-ql", "log.txt", "good.ys", cwd=tmp_path)
    assert good.returncode == 0, good.stdout + good.stderr
    (tmp_path / "bad.ys").write_text(
        "read_slang --top inverter inverter.sv\nsynth -flatten\nselect -assert-count 2 t:$_NOT_\n"
    )
    assert yosys("-ql", "log.txt", "bad.ys", cwd=tmp_path).returncode != 0

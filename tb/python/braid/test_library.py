"""libbraid_steps.so: no SystemC in it, and nothing to be seen of it but what its headers declare."""

import subprocess

import pytest
from braid_tools.program import BRAID, ROOT

LIBRARY = BRAID.parent / "libbraid_steps.so"


def symbols(*words: str) -> list[str]:
    return subprocess.run(["nm", "-D", *words, LIBRARY], capture_output=True, text=True, check=True).stdout.splitlines()


def test_it_is_linked_without_systemc() -> None:
    needed = subprocess.run(["ldd", LIBRARY], capture_output=True, text=True, check=True).stdout
    assert "libc.so" in needed
    assert "systemc" not in needed
    assert [line for line in symbols() if "sc_core" in line or "sc_dt" in line or "tlm" in line] == []


def test_it_shows_what_its_headers_declare() -> None:
    shown = {line.split(maxsplit=2)[2] for line in symbols("-C", "--defined-only")}
    of_c = {name for name in shown if name.startswith("braid_")}
    header = (ROOT / "models" / "steps" / "braid.h").read_text()
    assert of_c == {name for name in of_c if f"{name}(" in header}
    assert len(of_c) > 15
    assert {name for name in shown - of_c if not name.startswith("braid::models::Step")} == set()


@pytest.mark.parametrize(
    "folder", ["observe", "fabric", "event_lines", "families", "injection", "workload", "steps", "experiment"]
)
def test_headers_below_the_engine_need_no_systemc(folder: str) -> None:
    """All but the face of a run under SystemC."""
    texts = [path for path in (ROOT / "models" / folder).rglob("*") if path.suffix in (".h", ".cpp")]
    needs = ("#include <systemc>", '#include "models/engine/engine.h"')
    found = {path.name for path in texts if any(line in path.read_text() for line in needs)}
    assert found <= {"simulation.h", "simulation.cpp"}

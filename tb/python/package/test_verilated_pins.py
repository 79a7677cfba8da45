"""docs/pins.md, a foreign Verilated interface: with the options that the page names, Verilator gives its ports the
types that Braid's pins have."""

import re
import subprocess
from pathlib import Path

import pytest
from braid_tools.program import ROOT

SOURCE = """module foreign #(parameter int Width = 64) (
  input logic clk_i, link_valid_i, input logic [4:0] link_lane_i, input logic [31:0] credit_i,
  input logic [1:0] control_kind_i, input logic [15:0] control_destination_i,
  input logic [Width-1:0] link_data_i DATA, output logic [Width-1:0] link_data_o DATA);
  always_ff @(posedge clk_i) if (link_valid_i) link_data_o <= link_data_i;
endmodule
"""


def port_types(folder: Path, width: int, data: str) -> dict[str, str]:
    """Of the Verilated module, by the ports' names."""
    options = re.search(r"`(--sc [^`]*)`", (ROOT / "docs" / "pins.md").read_text())
    assert options is not None
    (folder / "foreign.sv").write_text(SOURCE.replace("DATA", data))
    words = ["verilator", *options[1].split(), f"-GWidth={width}", "-Wno-fatal", "--Mdir", "made", "foreign.sv"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    header = (folder / "made" / "Vforeign.h").read_text()
    found = re.findall(r"sc_(?:in|out)<([\w<>]+) ?> ?&(\w+);", header)
    return {name: kind for kind, name in found}


@pytest.mark.parametrize(("width", "data"), [(64, ""), (65, ""), (256, ""), (32, "/*verilator sc_bv*/")])
def test_a_verilated_interface_has_the_types_of_the_pins(tmp_path: Path, width: int, data: str) -> None:
    types = port_types(tmp_path, width, data)
    assert types == {
        "clk_i": "bool",
        "link_valid_i": "bool",
        "link_lane_i": "sc_uint<5>",
        "credit_i": "sc_uint<32>",
        "control_kind_i": "sc_uint<2>",
        "control_destination_i": "sc_uint<16>",
        "link_data_i": f"sc_bv<{width}>",
        "link_data_o": f"sc_bv<{width}>",
    }
    pins = (ROOT / "models" / "pins" / "pin_types.h").read_text()
    for name, bits in {"LaneBits": 5, "CreditBits": 32, "KindBits": 2, "NodeBits": 16}.items():
        assert f"using {name} = sc_dt::sc_uint<{bits}>;" in pins


def test_narrow_flits_do_not_bind_without_the_word(tmp_path: Path) -> None:
    assert port_types(tmp_path, 32, "")["link_data_i"] == "sc_uint<32>"

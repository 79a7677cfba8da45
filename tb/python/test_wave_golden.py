"""Waveforms of all router families are as they are kept: names, widths, changes, save files."""

from zlib import crc32

import pytest
from braid_tools.gates.wave_golden import RUNS, WAVES, differences, signals_of

VCD = """$scope module network $end
$var wire 3 ! state $end
$scope module router $end
$var wire 1 " stop $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
b0 !
0"
#1
b101 !
"""


@pytest.mark.parametrize("name", RUNS)
def test_a_waveform_is_as_it_was(name: str) -> None:
    assert not differences(name), "python -m braid_tools.gates.wave_golden --update writes them anew"


def test_each_kept_waveform_is_of_a_run() -> None:
    assert sorted(path.stem for path in WAVES.glob("*.txt")) == sorted(RUNS)


def test_signals_come_with_scope_width_changes_and_a_checksum_of_values() -> None:
    assert signals_of(VCD) == [
        f"network.state 3 2 {crc32(b'b0 b101 '):08x}",
        f"network.router.stop 1 1 {crc32(b'0 '):08x}",
    ]
    other = signals_of(VCD.replace("b101 !", "b100 !"))
    assert other[0] != signals_of(VCD)[0]
    assert other[1] == signals_of(VCD)[1]

"""Waveforms of all router families are as they are kept: names, widths, changes, save files."""

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


def test_signals_come_with_scope_width_and_changes() -> None:
    assert signals_of(VCD) == ["network.state 3 2", "network.router.stop 1 1"]

"""The coefficients of the program are the fits, and the fits are as near to DSENT as docs/energy.md says."""

import re

import pytest
from braid_tools.energy.fits import TERMS, fit, table
from braid_tools.energy.netlist import fitted_area, packet_routers
from braid_tools.energy.reference import NODES, rows
from braid_tools.program import ROOT

SOURCE = ROOT / "models" / "experiment" / "energy_model.cpp"
#: The order of the program's coefficients.
COLUMNS = ("write_fj", "read_fj", "crossbar_fj", "arbitration_fj", "clock_fj", "link", "leakage_nw", "buffers_um2")
AREAS = ("crossbar_um2", "allocator_um2")


def of_the_program(node: int) -> list[float]:
    found = re.search(rf"k{node} = \{{(.*?)\}};", SOURCE.read_text(), re.DOTALL)
    assert found
    return [float(word) for word in found[1].split(",")]


@pytest.mark.parametrize("node", NODES)
def test_the_program_has_the_fits(node: int) -> None:
    expected: list[float] = []
    for column in (*COLUMNS, *AREAS):
        if column == "link":
            wire = next(row for row in rows("link", node) if row["mm"] == 1 and row["bits"] == 64)
            expected.append(float(f"{wire['link_fj'] / 64:.3g}"))
        else:
            expected += fit(column, node).coefficients
    assert of_the_program(node)[: len(expected)] == pytest.approx(expected)


def test_the_table_says_how_far_they_are_off() -> None:
    assert len(table()) == len(TERMS)
    for node in NODES:
        assert len(rows("fitted", node)) == 19
        assert len(rows("held_out", node)) == 3
        assert all(fit(column, node).worst < 0.16 for column in TERMS)
        assert all(fit(column, node).elsewhere < 0.14 for column in TERMS)


def test_the_netlist_is_larger_than_the_fit() -> None:
    found = list(packet_routers())
    assert len(found) == 5
    for ports, vcs, depth, bits, gates, flip_flops in found:
        assert 1 < (gates * 1.056 + flip_flops * 5.28) / fitted_area(ports, vcs, depth, bits) < 1.6

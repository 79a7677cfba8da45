"""hw/mesh.sv, two routers: a circuit's queue goes only on a lane on which a circuit starts, and its flits come only
when the node at its end admits them, whatever the others do."""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from resetting import reset

PARAMETERS = json.loads(os.environ["BRAID_PARAMETERS"])  # that cocotb_smoke gives it
NODES, LANES, FLIT_WIDTH = (PARAMETERS[name] for name in ("Columns", "CircuitLanes", "FlitWidth"))
ALL = (1 << NODES * LANES) - 1
DONE = 0  # setup_phase_e


async def cycles(dut: Any, count: int) -> list[tuple[int, int]]:
    """Nodes that a circuit's flit comes to, and all their data, by cycle."""
    taken = []
    for _ in range(count):
        await Timer(1, "ns")
        if int(dut.take_valid_o.value):
            taken.append((int(dut.take_valid_o.value), int(dut.take_data_o.value)))
        await FallingEdge(dut.clk_i)
    return taken


@cocotb.test()
async def only_the_circuit_that_stands_goes_and_only_if_admitted(dut: Any) -> None:
    """One circuit, from node 0 to node 1; every lane of both nodes has a flit to send."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    for handle in dut:
        if handle._name.endswith("_i") and handle._name not in ("clk_i", "rst_ni"):
            handle.value = 0
    await reset(dut)
    dut.stream_write_i.value, dut.stream_source_i.value, dut.stream_destination_i.value = 1, 0, 1
    await cycles(dut, 1)
    dut.stream_write_i.value, dut.start_i.value, dut.streams_i.value = 0, 1, 1
    await cycles(dut, 1)
    dut.start_i.value = 0
    for _ in range(50):
        await cycles(dut, 1)
        if int(dut.state_o.value) == DONE:
            break
    assert int(dut.success_o.value) == 1

    dut.circuit_valid_i.value = dut.circuit_head_i.value = dut.circuit_tail_i.value = ALL
    words = [0x100 + lane for lane in range(NODES * LANES)]
    dut.circuit_data_i.value = sum(word << (FLIT_WIDTH * lane) for lane, word in enumerate(words))
    dut.admit_i.value = ALL >> LANES  # all but the last node
    await cycles(dut, 1)
    dut.circuit_valid_i.value = 0
    assert await cycles(dut, 40) == [], "a flit comes that its node does not admit"
    dut.admit_i.value = ALL
    assert await cycles(dut, 40) == [(1 << 1, words[0] << FLIT_WIDTH)]
    assert int(dut.circuit_idle_o.value) == 1, "a lane without a circuit keeps its flit"

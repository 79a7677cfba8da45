"""hw/mesh.sv as a torus of 3x4: a packet of one flit from every node to every one, alone, arrives there in the cycle
that its way round both rings takes."""

from __future__ import annotations

from itertools import product
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from resetting import reset

COLUMNS, ROWS, FLIT_WIDTH = 3, 4, 16  # as torus_mesh.sv has them
NODES = list(product(range(ROWS), range(COLUMNS)))  # (y, x), in the order of their numbers
LONGEST = 60


def round_ring(here: int, there: int, size: int) -> int:
    """Links of the shorter way."""
    on = (there - here) % size
    return min(on, size - on)


@cocotb.test()
async def every_packet_goes_the_shortest_way(dut: Any) -> None:
    """From the node's pins over R routers to the other node's pins in 5 R + 2 cycles."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    dut.send_valid_i.value = 0
    await reset(dut)
    for (source, (y, x)), (to, (to_y, to_x)) in product(enumerate(NODES), repeat=2):
        word = to_y << 8 | to_x
        dut.send_valid_i.value, dut.send_data_i.value = 1 << source, word
        arrived = None
        for cycle in range(LONGEST):
            await Timer(1, "ns")
            valid = int(dut.receive_valid_o.value)
            if valid:
                data = int(dut.receive_data_o.value) >> (FLIT_WIDTH * to) & (2**FLIT_WIDTH - 1)
                arrived = valid, cycle, data
            await FallingEdge(dut.clk_i)
            dut.send_valid_i.value = 0
            if arrived:
                break
        routers = 1 + round_ring(x, to_x, COLUMNS) + round_ring(y, to_y, ROWS)
        expected = 1 << to, 5 * routers + 2, word
        assert arrived == expected, f"({x}, {y}) to ({to_x}, {to_y}): {arrived}, the reference {expected}"

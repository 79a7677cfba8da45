"""The reset that the benches share."""

from __future__ import annotations

from typing import Any

from cocotb.triggers import FallingEdge


async def reset(dut: Any, cycles: int = 2) -> None:
    """So many cycles, until the falling edge after them, where inputs change. The others are as they were."""
    dut.rst_ni.value = 0
    for _ in range(cycles):
        await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1

"""hw/route_unit.sv with a table: what was written last for a set and a node is read by every port of that class,
whatever else is written; after a reset nothing is."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from resetting import reset

PORTS = 4
NODES = json.loads(os.environ["BRAID_PARAMETERS"])["TableNodes"]
SEARCH = 2  # the set of the set-up unit; 0 and 1 are classes of ports


@cocotb.test()
async def every_lookup_is_what_was_written(dut: Any) -> None:
    """Three resets, the later ones of a full table."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("table")
    compared = found = 0
    for episode in range(3):
        table: dict[tuple[int, int], int] = {}
        dut.table_write_i.value = 0
        await reset(dut)
        for cycle in range(800):
            heads = [[rng.randrange(NODES) for _ in range(2)] for _ in range(PORTS)]
            classes, search = rng.getrandbits(PORTS), rng.randrange(NODES)
            dut.port_class_i.value, dut.setup_destination_i.value = classes, search
            dut.destination_i.value = sum(n << (16 * (2 * p + h)) for p in range(PORTS) for h, n in enumerate(heads[p]))
            entry, ports, write = (rng.randrange(3), rng.randrange(NODES)), rng.getrandbits(PORTS), rng.random() < 0.3
            dut.table_write_i.value, dut.table_ports_i.value = int(write), ports
            dut.table_set_i.value, dut.table_node_i.value = entry
            await Timer(1, "ns")
            word = int(dut.route_o.value)
            for port, nodes in enumerate(heads):
                for head, node in enumerate(nodes):
                    got = word >> (PORTS * (2 * port + head)) & (2**PORTS - 1)
                    expected = table.get((classes >> port & 1, node), 0)
                    where = f"episode {episode}, cycle {cycle}, port {port}, head {head}, node {node}"
                    assert got == expected, f"{where}: {got:04b}, the reference {expected:04b}"
                    compared += 1
                    found += expected != 0
            got, expected = int(dut.setup_directions_o.value), table.get((SEARCH, search), 0)
            assert got == expected, f"episode {episode}, cycle {cycle}, search: {got:04b}, the reference {expected:04b}"
            await FallingEdge(dut.clk_i)
            if write:
                table[entry] = ports
    assert min(compared, found) > 5000, (compared, found)

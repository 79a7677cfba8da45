"""A cocotb test bench of one router: a user's first steps, without Braid's own co-simulation."""

from __future__ import annotations

from typing import Any

import braid
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from drawings import drawing
from resetting import reset

EAST, LOCAL = 0, 4  # ports of a grid: east, west, north, south, then local ones
PORTS, FLIT_WIDTH = 5, 32
X, Y = 1, 1
PROBE, BACKTRACK, ACKNOWLEDGE, TEAR_DOWN = 0, 1, 2, 3  # control_kind_e
VCS, CIRCUIT_DEPTH = 2, 5  # parameters that cocotb_smoke gives it, and a default
NEXT_ROUTER = 5  # cycles from a flit on a link to its credit, where none waits
INTERFACE = 1  # cycles from a packet that is sent to its head on the injection link


async def start(dut: Any) -> None:
    """Clock, straps of router (1, 1) of a mesh, and a reset of two cycles. Inputs change at the falling edge."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    for handle in dut:
        if handle._name.endswith("_i") and handle._name not in ("clk_i", "rst_ni"):
            handle.value = 0
    dut.x_i.value, dut.y_i.value = X, Y
    dut.network_ports_i.value, dut.local_ports_i.value = 0b01111, 0b10000
    dut.share_reserved_i.value = 1
    await reset(dut)
    await FallingEdge(dut.clk_i)


def put_flit(dut: Any, port: int, data: int, head: bool, tail: bool) -> None:
    """A flit on lane 0 of an input link in this cycle."""
    dut.link_valid_i.value = 1 << port
    dut.link_head_i.value = int(head) << port
    dut.link_tail_i.value = int(tail) << port
    dut.link_lane_i.value = 0
    dut.link_data_i.value = data << (FLIT_WIDTH * port)


@cocotb.test()
async def a_packet_has_the_cycles_drawn(dut: Any) -> None:
    """The first drawing of hw/README.md."""
    await start(dut)
    pins = drawing("packet")
    sent, left, credits = pins["link_valid_i"], {}, {}
    for cycle in range(10):
        out = int(dut.link_valid_o.value)
        assert out in (0, 1 << EAST)
        if out:
            left[cycle] = "H" if int(dut.link_head_o.value) else "T" if int(dut.link_tail_o.value) else "B"
        if int(dut.credit_o.value):
            credits[cycle] = "1"
        if cycle in sent:
            put_flit(dut, LOCAL, (Y << 8) | (X + 1), sent[cycle] == "H", sent[cycle] == "T")
        else:
            dut.link_valid_i.value = 0
        await FallingEdge(dut.clk_i)
    assert (left, credits) == (pins["link_valid_o"], pins["credit_o"])


@cocotb.test()
async def a_search_has_the_cycles_drawn(dut: Any) -> None:
    """The second."""
    await start(dut)
    pins = drawing("search")
    sent = {}
    dut.request_port_i.value, dut.request_lane_i.value, dut.request_kind_i.value = LOCAL, 0, PROBE
    dut.request_search_i.value, dut.request_destination_i.value = 1, (Y << 8) | (X + 1)
    dut.control_kind_i.value = sum(BACKTRACK << (2 * p) for p in range(PORTS))
    dut.control_search_i.value = sum(1 << (16 * p) for p in range(PORTS))
    for cycle in range(5):
        if int(dut.control_valid_o.value):
            sent[cycle] = "P" if int(dut.control_kind_o.value) == PROBE else "?"
        dut.request_valid_i.value = int(cycle in pins["request_valid_i"])
        dut.control_valid_i.value = (1 << EAST) if cycle in pins["control_valid_i"] else 0
        await FallingEdge(dut.clk_i)
    assert sent == pins["control_valid_o"]


@cocotb.test()
async def a_packet_passes_in_five_cycles(dut: Any) -> None:
    """Four flits from the node to the east: each leaves five cycles after it came, and gives its buffer back."""
    await start(dut)
    destination = (Y << 8) | (X + 1)
    words = [destination, 0xAAAA0001, 0xAAAA0002, 0xAAAA0003]
    left, credits = [], 0
    for cycle in range(16):
        if cycle < len(words):
            put_flit(dut, LOCAL, words[cycle], cycle == 0, cycle == len(words) - 1)
        else:
            dut.link_valid_i.value = 0
        await FallingEdge(dut.clk_i)  # outputs of the next cycle
        out = int(dut.link_valid_o.value)
        assert out in (0, 1 << EAST), f"flit on the wrong port: {out:05b}"
        if out:
            left.append((cycle + 1, int(dut.link_data_o.value) & (2**FLIT_WIDTH - 1)))
        credits += int(dut.credit_o.value) != 0
    assert left == [(cycle + 5, word) for cycle, word in enumerate(words)]
    assert credits == len(words)


@cocotb.test()
async def a_probe_reserves_and_goes_on(dut: Any) -> None:
    """A search for the east: the probe leaves there first; each time that it comes back, another port is tried."""
    await start(dut)
    dut.request_valid_i.value, dut.request_port_i.value, dut.request_lane_i.value = 1, LOCAL, 0
    dut.request_kind_i.value, dut.request_search_i.value = PROBE, 1
    dut.request_destination_i.value = (Y << 8) | (X + 1)
    await FallingEdge(dut.clk_i)
    dut.request_valid_i.value = 0
    sent = []
    for _ in range(8):
        if int(dut.control_valid_o.value):
            sent.append((int(dut.control_valid_o.value), int(dut.control_kind_o.value)))
            dut.control_valid_i.value = dut.control_valid_o.value  # the neighbour has no way: backtrack
            dut.control_kind_i.value = sum(BACKTRACK << (2 * p) for p in range(PORTS))
            dut.control_search_i.value = sum(1 << (16 * p) for p in range(PORTS))
        else:
            dut.control_valid_i.value = 0
        await FallingEdge(dut.clk_i)
    assert sent[0] == (1 << EAST, PROBE)
    assert [kind for _, kind in sent[:4]] == [PROBE] * 4, "every port is tried"
    assert len({port for port, _ in sent[:4]}) == 4, "and none twice"


def ask(dut: Any, kind: int, search: int) -> None:
    """A request of the node in this cycle."""
    dut.request_valid_i.value, dut.request_kind_i.value, dut.request_search_i.value = 1, kind, search
    dut.request_port_i.value, dut.request_lane_i.value = LOCAL, 0
    dut.request_destination_i.value = (Y << 8) | (X + 1)


async def set_up_a_circuit(dut: Any) -> None:
    """From the node to the east, where the neighbour acknowledges."""
    ask(dut, PROBE, 1)
    await FallingEdge(dut.clk_i)
    dut.request_valid_i.value = 0
    assert int(dut.control_valid_o.value) == 1 << EAST
    dut.control_valid_i.value, dut.control_kind_i.value = 1 << EAST, ACKNOWLEDGE << (2 * EAST)
    dut.control_search_i.value = 1 << (16 * EAST)
    await FallingEdge(dut.clk_i)
    dut.control_valid_i.value = 0
    await FallingEdge(dut.clk_i)
    assert int(dut.outcome_valid_o.value) and int(dut.outcome_success_o.value)


@cocotb.test()
async def no_request_is_taken_while_a_tear_down_waits(dut: Any) -> None:
    """The circuit's buffer keeps a flit for want of a credit, so its tear-down waits; a search that is asked meanwhile
    has to stand (request_ready_o is 0), and goes out in the cycle after the tear-down has."""
    await start(dut)
    await set_up_a_circuit(dut)
    for _ in range(CIRCUIT_DEPTH + 1):  # the neighbour has room for one less
        put_flit(dut, LOCAL, 0, head=True, tail=True)
        dut.link_lane_i.value = VCS << (2 * LOCAL)
        await FallingEdge(dut.clk_i)
    dut.link_valid_i.value = 0
    await FallingEdge(dut.clk_i)
    assert int(dut.request_ready_o.value)
    ask(dut, TEAR_DOWN, 1)
    await FallingEdge(dut.clk_i)
    ask(dut, PROBE, 2)
    ready, sent = [], []
    credit = 4
    for cycle in range(credit + 5):
        ready.append(int(dut.request_ready_o.value))
        if int(dut.control_valid_o.value):
            sent.append((cycle, int(dut.control_kind_o.value)))
        dut.credit_i.value = int(cycle == credit) << (EAST * (VCS + 1) + VCS)
        await FallingEdge(dut.clk_i)
        dut.request_valid_i.value = int(dut.request_valid_i.value) and int(not ready[-1])
    # The credit is counted in the cycle after it comes; in that one the flit crosses, and the tear-down goes on.
    assert ready[: credit + 3] == [0] * (credit + 2) + [1], ready
    assert sent == [(credit + 2, TEAR_DOWN), (credit + 3, PROBE)], sent


@cocotb.test()
async def it_passes_packets_as_the_router_of_a_stepped_network_does(dut: Any) -> None:
    """braid.Network runs beside the RTL: packets of node (1, 1) to the east, and after every cycle as many flits have
    crossed the model's switch as are to be on the RTL's link."""
    await start(dut)
    net = braid.Network(braid.mesh(3, 3, vcs=2, buffer_depth=4, rate=0))
    here, east = X + 3 * Y, X + 1 + 3 * Y
    destination = (Y << 8) | (X + 1)
    lengths = {2: 3, 20: 1, 40: 4}  # in each of these cycles a packet, so far apart that none waits
    injected = {}  # cycle in which a flit is on the injection link: head? tail?
    lanes, lane_bits = len(dut.credit_i) // PORTS, len(dut.link_lane_o) // PORTS
    crossed, seen, credits = [], 0, {}
    for cycle in range(60):
        if cycle in lengths:
            net.send(here, east, flits=lengths[cycle])
            head = cycle + INTERFACE
            injected |= {head + i: (i == 0, i == lengths[cycle] - 1) for i in range(lengths[cycle])}
        net.step()
        crossed.append(int(net.link_flits[here, EAST]))
        if cycle in injected:
            put_flit(dut, LOCAL, destination, *injected[cycle])
        else:
            dut.link_valid_i.value = 0
        dut.credit_i.value = credits.get(cycle, 0) << (EAST * lanes)
        await FallingEdge(dut.clk_i)
        if int(dut.link_valid_o.value) >> EAST & 1:
            seen += 1
            lane = int(dut.link_lane_o.value) >> (EAST * lane_bits) & (2**lane_bits - 1)
            credits[cycle + NEXT_ROUTER] = 1 << lane
        assert seen == crossed[cycle], f"after cycle {cycle}"
    assert seen == sum(lengths.values())

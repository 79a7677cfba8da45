"""hw/sat_ring.sv, registers in every cycle: beside a reference written from docs/sat-fairness.md, and beside
stations of a network of the model, whose waveform says what was sent and where the signal was (cocotb_smoke)."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cocotb
from braid_tools.vcd import read_vcd
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from resetting import reset

NODES, COUNT_BITS = 16, 8  # parameters that cocotb_smoke gives it
WIRES = [4 if node % 4 == 3 else 2 for node in range(NODES)]  # of a 4-ary 2-tree: over its root after every fourth node
MODEL_L, MODEL_K = 3, 5  # of the model's run


@dataclass
class Station:
    """Packets since the signal left, and the thresholds that go with them; none before it left."""

    sent: int = 0
    thresholds: tuple[int, int] | None = None


@dataclass
class Ring:
    """Where the signal is."""

    stations: list[Station] = field(default_factory=lambda: [Station() for _ in range(NODES)])
    at: int = 0
    wire_left: int = 0  # cycles on the wire behind station `at`; 0: the signal is at the station

    def opens(self, node: int, k: int) -> bool:
        """May the node send?"""
        station = self.stations[node]
        return station.sent < (station.thresholds[1] if station.thresholds else k)

    def step(self, passed: list[int], waiting: list[bool], thresholds: tuple[int, int]) -> list[bool]:
        """A cycle; which stations are starved in it."""
        starved = []
        for station, packets, waits in zip(self.stations, passed, waiting, strict=True):
            station.sent += packets
            starved.append(waits and station.sent < (station.thresholds or thresholds)[0])
        if self.wire_left:
            self.wire_left -= 1
            self.at = (self.at + (self.wire_left == 0)) % NODES
        elif not starved[self.at]:
            self.stations[self.at] = Station(0, thresholds)
            self.wire_left = WIRES[self.at]
        return starved


async def begin(dut: Any, thresholds: tuple[int, int]) -> None:
    """Reset."""
    dut.l_i.value, dut.k_i.value = thresholds
    dut.passed_i.value, dut.waiting_i.value = 0, 0
    await reset(dut, cycles=1)


def bits(values: list[bool]) -> int:
    """A bit a node."""
    return sum(bool(value) << node for node, value in enumerate(values))


def sent(dut: Any) -> list[int]:
    """Counters of all stations."""
    word = int(dut.sent_o.value)
    return [word >> (COUNT_BITS * node) & (2**COUNT_BITS - 1) for node in range(NODES)]


@cocotb.test()
async def follows_the_reference(dut: Any) -> None:
    """Nodes that always want to send, seldom, or never; thresholds that change at any time."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("sat ring")
    held = closed = rounds = changed = 0
    for _ in range(12):
        k = rng.randint(1, 9)
        thresholds = (rng.randint(0, k), k)
        await begin(dut, thresholds)
        ring, wishes, speed = Ring(), [rng.choice((0, 0.1, 0.6, 1)) for _ in range(NODES)], rng.choice((0.03, 0.2, 1))
        for cycle in range(700):
            if cycle and rng.random() < 0.01:
                k = rng.randint(1, 9)
                thresholds, changed = (rng.randint(0, k), k), changed + 1
                if any(not station.thresholds for station in ring.stations):
                    thresholds = (int(dut.l_i.value), int(dut.k_i.value))  # pins until the signal has left everywhere
            dut.l_i.value, dut.k_i.value = thresholds
            opens = [ring.opens(node, thresholds[1]) for node in range(NODES)]
            wants = [rng.random() < wish for wish in wishes]
            passed = [int(o and w and rng.random() < speed) for o, w in zip(opens, wants, strict=True)]
            waiting = [w and (not p or rng.random() < 0.7) for w, p in zip(wants, passed, strict=True)]
            dut.passed_i.value, dut.waiting_i.value = bits(passed), bits(waiting)
            await Timer(1, "ns")
            holds = [ring.at == node and not ring.wire_left for node in range(NODES)]
            wires = [ring.at == node and ring.wire_left > 0 for node in range(NODES)]
            counted, at, moved = [s.sent for s in ring.stations], ring.at, ring.wire_left
            starved = ring.step(passed, waiting, thresholds)
            got = [int(dut.open_o.value), int(dut.holds_o.value), int(dut.on_wire_o.value), int(dut.starved_o.value)]
            expected = [bits(opens), bits(holds), bits(wires), bits(starved)]
            assert got == expected, f"cycle {cycle}: open, holds, wire, starved {got}, the reference {expected}"
            assert sent(dut) == counted, f"cycle {cycle}"
            held += ring.at == at and not moved and not ring.wire_left
            closed += not all(opens)
            rounds += at == NODES - 1 and ring.at == 0
            await FallingEdge(dut.clk_i)
    assert min(held, closed) > 300, (held, closed)
    assert min(rounds, changed) > 20, (rounds, changed)


@cocotb.test()
async def unheld_it_goes_round_in_wires_and_stations(dut: Any) -> None:
    """H(2) + N = 56 cycles on a 4-ary 2-tree: the paper's, section II.B."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    await begin(dut, (2, 2))
    seen = []
    for cycle in range(200):
        await Timer(1, "ns")
        if int(dut.holds_o.value) & 1:
            seen.append(cycle)
        await FallingEdge(dut.clk_i)
    assert seen == [0, 56, 112, 168]


@cocotb.test()
async def follows_the_model(dut: Any) -> None:
    """What a node sent and whether it had more is driven; counters and the signal's place have to be the model's. Where
    the model's registers leave open what came in (they are cleared as the signal leaves), it is drawn."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    wave = read_vcd(Path(os.environ["BRAID_SAT_WAVE"]), ("sat.",))
    wave = {name.split("sat.", 1)[1]: values for name, values in wave.items() if "sat." in name}
    rng, cycles = random.Random("model"), len(wave["node0.sent"])
    await begin(dut, (MODEL_L, MODEL_K))
    count, holds, moves = [0] * NODES, [node == 0 for node in range(NODES)], 0
    for cycle in range(cycles):
        after = [wave[f"node{node}.sent"][cycle] for node in range(NODES)]
        there = [bool(wave[f"node{node}.holds"][cycle]) for node in range(NODES)]
        passed, waiting = [0] * NODES, [False] * NODES
        for node in range(NODES):
            if holds[node] and not there[node]:
                passed[node] = int(count[node] < MODEL_K and rng.random() < 0.5)
                waiting[node] = count[node] + passed[node] >= MODEL_L and rng.random() < 0.5
                moves += 1
            else:
                passed[node] = after[node] - count[node]
                waiting[node] = holds[node] or rng.random() < 0.5
        dut.passed_i.value, dut.waiting_i.value = bits(passed), bits(waiting)
        await FallingEdge(dut.clk_i)
        assert sent(dut) == after, f"cycle {cycle}: counters {sent(dut)}, the model's {after}"
        assert int(dut.holds_o.value) == bits(there), f"cycle {cycle}: holds"
        opens = [bool(wave[f"node{node}.open"][cycle]) for node in range(NODES)]
        assert int(dut.open_o.value) == bits(opens), f"cycle {cycle}: open"
        count, holds = after, there
    assert cycles > 1900
    assert moves > 200

"""hw/event_line.sv, four units in a row (event_chain.sv), what each does in every cycle: beside a reference written
from docs/diamond-rings.md and docs/hardware-view/lines.md, and beside the units of the model in a row of four nodes."""

from __future__ import annotations

import os
import random
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cocotb
from braid_tools.vcd import read_vcd
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from resetting import reset

UNITS, MOST, WIRE = 4, 3, 2  # parameters that cocotb_smoke gives it
WIDTH = 3
IDLE, HOLDS, RECEIVES, DRIVES = range(4)
WHAT = ("begun", "finished", "state")  # of a unit, in the waveform


@dataclass
class Unit:
    """Its wires are named by who is at the other end. Everything is counted from reset on."""

    hears: list[int]
    tells_at_once: list[int]
    tells_when_done: list[int]
    root: bool = False
    to_drive: deque[int] = field(default_factory=deque)
    turn: int = 0
    begun: int = 0
    handled: int = 0
    done: int = 0
    state: int = IDLE

    def __post_init__(self) -> None:
        """No pulse has come."""
        self.come, self.received = dict.fromkeys(self.hears, 0), dict.fromkeys(self.hears, 0)

    def begin(self) -> None:
        """An event."""
        self.begun += 1
        self.to_drive.extend(self.tells_at_once)

    def settle(self, handled: bool) -> None:
        """What the node has handled, then what is complete."""
        self.handled = self.begun if handled else self.handled
        while self.done < min(self.handled, *self.received.values()):
            self.done += 1
            self.to_drive.extend(self.tells_when_done)

    def step(self, *, request: bool, handled: bool) -> int | None:
        """A cycle; to whom it drives a pulse."""
        self.settle(handled)
        if not self.to_drive:
            order = self.hears[self.turn :] + self.hears[: self.turn]
            wire = next((w for w in order if self.come[w] > self.received[w]), None)
            if wire is not None:
                self.turn = (self.hears.index(wire) + 1) % len(self.hears)
                self.received[wire] += 1
                if self.received[wire] > self.begun:
                    self.begin()
                self.settle(handled)
                self.state = RECEIVES
                return None
            if self.root and request and self.begun - self.done < MOST:
                self.begin()
                self.settle(handled)
        if not self.to_drive:
            self.state = HOLDS if self.handled < self.begun else IDLE
            return None
        self.state = DRIVES
        return self.to_drive.popleft()


class Chain:
    """The units, and what is on the wires: (cycles left, from, to)."""

    def __init__(self) -> None:
        """Each tells the next at once, the one before when it is done."""
        self.units = [Unit([1], [1], [], root=True), Unit([0, 2], [2], [0]), Unit([1, 3], [3], [1]), Unit([2], [], [2])]
        self.under_way: list[tuple[int, int, int]] = []

    def step(self, *, request: bool, handled: list[bool]) -> None:
        """A cycle. Driven in s over a wire of w, received in s + 1 + w."""
        for left, source, to in self.under_way:
            if left == 0:
                self.units[to].come[source] += 1
        self.under_way = [(left - 1, source, to) for left, source, to in self.under_way if left > 0]
        for number, unit in enumerate(self.units):
            to = unit.step(request=request, handled=handled[number])
            if to is not None:
                self.under_way.append((WIRE, number, to))


async def begin(dut: Any) -> None:
    """Reset."""
    dut.request_i.value, dut.handled_i.value = 0, 0
    await reset(dut, cycles=1)


class Counted:
    """What the pins have said so far."""

    def __init__(self) -> None:
        """Nothing."""
        self.begun, self.ended = [0] * UNITS, [0] * UNITS

    def look(self, dut: Any) -> list[tuple[int, int, int]]:
        """(begun, ended, state) of each unit in this cycle."""
        begins, ends, states = (int(pin.value) for pin in (dut.begins_o, dut.ends_o, dut.state_o))
        for unit in range(UNITS):
            self.begun[unit] += begins >> unit & 1
            self.ended[unit] += ends >> (WIDTH * unit) & (2**WIDTH - 1)
        return [(self.begun[u], self.ended[u], states >> (2 * u) & 3) for u in range(UNITS)]


@cocotb.test()
async def units_do_what_the_reference_does(dut: Any) -> None:
    """Nodes that handle events at once, late, or hardly ever; a root that is always asked or seldom."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("event line")
    events = held = together = behind = 0
    for _ in range(60):
        await begin(dut)
        chain, counted = Chain(), Counted()
        asked, handles = rng.choice((0.02, 0.5, 1)), [rng.choice((0.03, 0.3, 1)) for _ in range(UNITS)]
        for cycle in range(600):
            request, handled = rng.random() < asked, [rng.random() < often for often in handles]
            dut.request_i.value = int(request)
            dut.handled_i.value = sum(h << u for u, h in enumerate(handled))
            await Timer(1, "ns")
            chain.step(request=request, handled=handled)
            got, expected = counted.look(dut), [(u.begun, u.done, u.state) for u in chain.units]
            assert got == expected, f"cycle {cycle}: begun, ended, state {got}, the reference {expected}"
            behind += (
                max(c - r for u in chain.units for c, r in zip(u.come.values(), u.received.values(), strict=True)) > 1
            )
            held += any(u.state == HOLDS for u in chain.units)
            together += chain.units[0].begun - chain.units[0].done == MOST
            await FallingEdge(dut.clk_i)
        events += chain.units[0].done
    assert min(events, held, together) > 300, (events, held, together)
    assert behind > 0  # two pulses of a wire at once


@cocotb.test()
async def follows_the_model(dut: Any) -> None:
    """Bursts of broadcasts along a row of four nodes. The root is asked when the model's began one, and when it could
    begin none."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    wave = read_vcd(Path(os.environ["BRAID_EVENT_WAVE"]), ("broadcast.",))
    wave = {name.split("broadcast.", 1)[1]: values for name, values in wave.items() if "broadcast." in name}
    await begin(dut)
    dut.handled_i.value = 2**UNITS - 1
    counted, cycles, begun, full = Counted(), len(wave["node_0.state"]), 0, 0
    for cycle in range(cycles):
        begins = wave["node_0.begun"][cycle] != begun
        begun = wave["node_0.begun"][cycle]
        under_way = (begun - begins - counted.ended[0]) & 0xFF
        full += under_way == MOST
        dut.request_i.value = int(
            begins or (under_way == MOST and wave["node_0.finished"][cycle] == counted.ended[0] & 0xFF)
        )
        await Timer(1, "ns")
        got = [(b & 0xFF, e & 0xFF, s) for b, e, s in counted.look(dut)]
        expected = [tuple(wave[f"node_{u}.{what}"][cycle] for what in WHAT) for u in range(UNITS)]
        assert got == expected, f"cycle {cycle}: begun, ended, state {got}, the model {expected}"
        await FallingEdge(dut.clk_i)
    assert counted.ended[0] > 40
    assert full > 100

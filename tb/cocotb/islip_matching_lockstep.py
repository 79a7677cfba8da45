"""hw/islip_matching.sv beside iSLIP as McKeown describes it (The iSLIP Scheduling Algorithm for Input-Queued Switches,
IEEE/ACM Trans. Networking 7(2), 1999): request, grant, accept; who is matched is left out of the next iterations;
pointers move in the first iteration only, and only for a grant that is accepted. Written on sets, with a queue as the
matrix arbiter."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable
from typing import Any, Protocol

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from interface_reference import Turn
from resetting import reset

PARAMETERS = json.loads(os.environ["BRAID_PARAMETERS"])  # that cocotb_smoke gives it
INPUTS, OUTPUTS, ITERATIONS, MATRIX = (PARAMETERS[n] for n in ("Inputs", "Outputs", "Iterations", "Arbiter"))
CYCLES = 6000


class Order(Protocol):
    """Of an arbiter."""

    def choose(self, asking: Iterable[int]) -> int | None:
        """Who would be served."""

    def serve(self, who: int) -> None:
        """It was served."""


class Queue:
    """Whose turn was longest ago comes first."""

    def __init__(self, places: int) -> None:
        self.line = list(range(places))

    def choose(self, asking: Iterable[int]) -> int | None:
        """Who would be served."""
        among = set(asking)
        return next((who for who in self.line if who in among), None)

    def serve(self, who: int) -> None:
        """It was served."""
        self.line.remove(who)
        self.line.append(who)


def order(places: int) -> Order:
    """As the bench has it."""
    return Queue(places) if MATRIX else Turn(places)


class Matching:
    """Grant and accept arbiters, and step() for a cycle."""

    def __init__(self) -> None:
        self.grant = [order(INPUTS) for _ in range(OUTPUTS)]
        self.accept = [order(OUTPUTS) for _ in range(INPUTS)]
        self.later = 0  # pairs that an iteration after the first has made

    def step(self, want: list[set[int]]) -> dict[int, int]:
        """want[input] = outputs; who gets what."""
        pairs: dict[int, int] = {}
        for iteration in range(ITERATIONS):
            grants: dict[int, list[int]] = {}
            for o in set(range(OUTPUTS)) - set(pairs.values()):
                winner = self.grant[o].choose(i for i in range(INPUTS) if i not in pairs and o in want[i])
                if winner is not None:
                    grants.setdefault(winner, []).append(o)
            for i, offers in grants.items():
                chosen = self.accept[i].choose(offers)
                assert chosen is not None
                pairs[i] = chosen
                if iteration == 0:
                    self.grant[chosen].serve(i)
                    self.accept[i].serve(chosen)
                else:
                    self.later += 1
        return pairs


def wants(rng: random.Random, load: float) -> list[set[int]]:
    """At times everybody wants the same."""
    few = rng.sample(range(OUTPUTS), rng.randint(1, OUTPUTS))
    return [{o for o in few if rng.random() < load} for _ in range(INPUTS)]


@cocotb.test()
async def every_pair_is_that_of_the_reference(dut: Any) -> None:
    """Three resets; loads from few to all."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("iSLIP")
    made = later = 0
    for episode in range(3):
        dut.want_i.value = 0
        await reset(dut)
        reference = Matching()
        for cycle in range(CYCLES // 3):
            want = wants(rng, rng.choice((0.1, 0.4, 0.8, 1.0)))
            dut.want_i.value = sum(1 << (i * OUTPUTS + o) for i in range(INPUTS) for o in want[i])
            await Timer(1, "ns")
            bits, expected = int(dut.pair_o.value), reference.step(want)
            got = {i: o for i in range(INPUTS) for o in range(OUTPUTS) if bits >> (i * OUTPUTS + o) & 1}
            assert got == expected, f"episode {episode}, cycle {cycle}: {got}, the reference {expected}"
            assert bits.bit_count() == len(got), f"episode {episode}, cycle {cycle}: two outputs for an input"
            made += len(got)
            await FallingEdge(dut.clk_i)
        later += reference.later
    assert made > CYCLES, made
    assert (later > 100) == (ITERATIONS > 1), later


@cocotb.test()
async def all_want_all_and_nobody_loses_from_then_on(dut: Any) -> None:
    """McKeown: under full load the pointers move apart, and soon every input is served in every cycle, each output in
    turn. Here after at most as many cycles as there are outputs."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    dut.want_i.value = 0
    await reset(dut)
    dut.want_i.value = (1 << (INPUTS * OUTPUTS)) - 1
    seen: list[int] = []
    for cycle in range(4 * OUTPUTS):
        await Timer(1, "ns")
        bits = int(dut.pair_o.value)
        if cycle >= OUTPUTS:
            assert bits.bit_count() == min(INPUTS, OUTPUTS), f"cycle {cycle}: {bits:b}"
            seen.append(bits)
        await FallingEdge(dut.clk_i)
    if not MATRIX and INPUTS == OUTPUTS:
        assert seen[:OUTPUTS] == seen[OUTPUTS : 2 * OUTPUTS], "time division"
        assert len(set(seen)) == OUTPUTS

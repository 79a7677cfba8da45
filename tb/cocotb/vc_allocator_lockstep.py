"""hw/vc_allocator.sv beside a reference written from its comments alone: every grant in every cycle, under random
loads, credits and free VCs. Three points (cocotb_smoke): candidate ports to choose among, the escape VC, halves."""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from interface_reference import Turn
from resetting import reset

PARAMETERS = json.loads(os.environ["BRAID_PARAMETERS"])  # that cocotb_smoke gives it
PORTS, VCS, DEPTH = (PARAMETERS[name] for name in ("Ports", "Vcs", "Depth"))
ESCAPE, HALVES = (bool(PARAMETERS.get(name)) for name in ("Escape", "Halves"))
ROUTE_BITS = 2 * PORTS if ESCAPE else PORTS + 2 if HALVES else PORTS
CREDIT_BITS = DEPTH.bit_length()
LOCAL = PORTS - 1
CYCLES = 4000


@dataclass(frozen=True)
class Head:
    """Of a packet that waits: ports on its way, the port of its escape path, VCs that it may take."""

    candidates: frozenset[int]
    escape: int | None
    allowed: frozenset[int]
    route: int  # as on the pins


Grants = dict[int, tuple[int, int]]  # input VC -> port and VC that it gets


@dataclass
class Inputs:
    """Of one cycle."""

    heads: dict[int, Head]  # by input VC
    last: list[int]  # [input VC] port of its last packet
    free: list[set[int]]  # [port]
    credits: list[list[int]]  # [port][VC]


class Allocator:
    """Whose turn it is, and step() for a cycle."""

    def __init__(self) -> None:
        self.inputs = [Turn(VCS) for _ in range(PORTS * VCS)]
        self.outputs = {(p, v): Turn(PORTS * VCS) for p in range(PORTS) for v in range(VCS)}

    def step(self, now: Inputs) -> Grants:
        """Input first: a port and a VC for each head, then a head for each output VC."""
        asked: dict[tuple[int, int], list[int]] = {}
        for i, head in now.heads.items():
            port, vcs = choice(head, now.last[i], now)
            vc = self.inputs[i].choose(vcs)
            if vc is not None:
                asked.setdefault((port, vc), []).append(i)
        grants = {}
        for output, heads in asked.items():
            winner = self.outputs[output].choose(heads)
            assert winner is not None
            self.outputs[output].serve(winner)
            self.inputs[winner].serve(output[1])
            grants[winner] = output
        return grants


def choice(head: Head, last: int, now: Inputs) -> tuple[int, set[int]]:
    """The port, and VCs there of which one is asked for."""
    kept = [{0} if ESCAPE and p != LOCAL else set() for p in range(PORTS)]  # for the escape path
    usable = {p: (now.free[p] - kept[p]) & head.allowed for p in head.candidates}
    space = {p: sum(c for v, c in enumerate(now.credits[p]) if v not in kept[p]) for p, vcs in usable.items() if vcs}
    if space:
        best = min(space, key=lambda p: (-space[p], (p - last - 1) % PORTS))
        return best, usable[best]
    if head.escape is not None and 0 in now.free[head.escape]:
        return head.escape, {0}
    return 0, set()


def head(rng: random.Random, ports: list[int]) -> Head:
    """Of a packet on its way to these ports."""
    if HALVES:
        port, halves = rng.choice(ports), rng.choice((1, 2, 3))
        lower = set(range(VCS // 2))
        allowed = (lower if halves & 1 else set()) | (set(range(VCS)) - lower if halves & 2 else set())
        return Head(frozenset({port}), None, frozenset(allowed), halves << PORTS | 1 << port)
    candidates = frozenset(rng.sample(ports, rng.randint(1, len(ports))))
    escape = rng.choice([None, *(p for p in ports if p != LOCAL)]) if ESCAPE else None
    if escape is not None and rng.random() < 0.2:
        candidates = frozenset()  # it came on the escape path, and stays there
    route = sum(1 << p for p in candidates) | (0 if escape is None else 1 << (PORTS + escape))
    return Head(candidates, escape, frozenset(range(VCS)), route)


class World:
    """Loads that change now and then."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.change()

    def change(self) -> None:
        """Another load; at times all heads want the same port."""
        self.waiting, self.freed = self.rng.choice((0.05, 0.15, 0.5, 1.0)), self.rng.choice((0.2, 0.5, 0.9))
        self.ports = self.rng.sample(range(PORTS), self.rng.randint(1, PORTS))
        self.most = self.rng.randint(0, DEPTH)  # where credits are few, ports are often equal

    def inputs(self) -> Inputs:
        """Of the next cycle."""
        rng = self.rng
        if rng.random() < 0.03:
            self.change()
        waiting = [i for i in range(PORTS * VCS) if rng.random() < self.waiting]
        return Inputs(
            {i: head(rng, self.ports) for i in waiting},
            [rng.randrange(PORTS) for _ in range(PORTS * VCS)],
            [{v for v in range(VCS) if rng.random() < self.freed} for _ in range(PORTS)],
            [[rng.randint(0, self.most) for _ in range(VCS)] for _ in range(PORTS)],
        )


def packed(values: list[int], bits: int) -> int:
    """A packed array."""
    return sum(value << (bits * i) for i, value in enumerate(values))


def drive(dut: Any, now: Inputs) -> None:
    """Puts a cycle's inputs on the pins."""
    dut.waiting_i.value = sum(1 << i for i in now.heads)
    routes = [now.heads[i].route if i in now.heads else 0 for i in range(PORTS * VCS)]
    dut.candidates_i.value = packed(routes, ROUTE_BITS)
    dut.last_port_i.value = packed(now.last, (PORTS - 1).bit_length())
    dut.escape_ports_i.value = (1 << LOCAL) - 1
    dut.free_i.value = packed([sum(1 << v for v in vcs) for vcs in now.free], VCS)
    dut.credits_i.value = packed([packed(c, CREDIT_BITS) for c in now.credits], CREDIT_BITS * VCS)


def granted(dut: Any) -> tuple[Grants, set[tuple[int, int]]]:
    """Who gets what, and which output VCs get an owner."""
    grant, port, vc, owned = (int(getattr(dut, f"{n}_o").value) for n in ("grant", "port", "vc", "granted"))
    found = {}
    for i in range(PORTS * VCS):
        if grant >> i & 1:
            one_port, one_vc = port >> (PORTS * i) & (2**PORTS - 1), vc >> (VCS * i) & (2**VCS - 1)
            found[i] = one_port.bit_length() - 1, one_vc.bit_length() - 1
    return found, {(p, v) for p in range(PORTS) for v in range(VCS) if owned >> (VCS * p + v) & 1}


@cocotb.test()
async def every_grant_is_that_of_the_reference(dut: Any) -> None:
    """Four resets."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("vc allocator")
    grants = refused = 0
    for episode in range(4):
        drive(dut, Inputs({}, [0] * PORTS * VCS, [set()] * PORTS, [[0] * VCS] * PORTS))
        await reset(dut)
        world, reference = World(rng), Allocator()
        for cycle in range(CYCLES // 4):
            now = world.inputs()
            drive(dut, now)
            await Timer(1, "ns")
            expected, (got, owned) = reference.step(now), granted(dut)
            assert got == expected, f"episode {episode}, cycle {cycle}: {got}, the reference {expected}"
            assert owned == set(expected.values()), f"episode {episode}, cycle {cycle}: {owned} get an owner"
            grants += len(got)
            refused += len(now.heads) - len(got)
            await FallingEdge(dut.clk_i)
    assert min(grants, refused) > 2000, (grants, refused)

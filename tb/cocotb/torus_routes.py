"""hw/route_unit.sv on tori, every pair of nodes beside a reference that walks the links; and no cycle of channels, a
channel being one half of a link's VCs (cocotb_smoke)."""

from __future__ import annotations

import random
from graphlib import TopologicalSorter
from itertools import product
from typing import Any

import cocotb
from cocotb.triggers import Timer
from torus_reference import BOTH, LOCAL, LOWER, UPPER, Place, Torus

PORTS = 5
HALVES = (LOWER, UPPER)
TORI = [Torus(3, 3), Torus(4, 4), Torus(5, 4), Torus(4, 7), Torus(8, 8)]
Answer = tuple[int, frozenset[str]]  # port, halves of its VCs


ASKED: dict[tuple[Torus, Place, Place], tuple[dict[tuple[int, str], Answer], int]] = {}  # answers, directions


async def routes(dut: Any, torus: Torus, at: Place, to: Place) -> dict[tuple[int, str], Answer]:
    """By input port and half: what the RTL says, which has no registers and so is asked once. The head behind a tail is
    asked with the other half."""
    if (torus, at, to) in ASKED:
        return ASKED[torus, at, to][0]
    dut.last_x_i.value, dut.last_y_i.value = torus.columns - 1, torus.rows - 1
    dut.x_i.value, dut.y_i.value = at
    dut.to_x_i.value, dut.to_y_i.value = to
    found = {}
    for arriving in HALVES:
        dut.in_lower_i.value = 0b01 if arriving == LOWER else 0b10
        await Timer(1, "ns")
        word = int(dut.route_o.value)
        for port, (head, half) in product(range(PORTS), enumerate((arriving, *({*HALVES} - {arriving})))):
            bits = word >> ((PORTS + 2) * (2 * port + head)) & (2 ** (PORTS + 2) - 1)
            ports = [out for out in range(PORTS) if bits >> out & 1]
            assert len(ports) == 1, f"{torus} {at} to {to}, port {port}: ports {ports}"
            allowed = frozenset(h for h, bit in ((LOWER, PORTS), (UPPER, PORTS + 1)) if bits >> bit & 1)
            answer = ports[0], allowed
            assert found.setdefault((port, half), answer) == answer, f"{at} to {to}: {answer} behind a tail"
    ASKED[torus, at, to] = found, int(dut.directions_o.value)
    return found


@cocotb.test()
async def every_route_is_the_references(dut: Any) -> None:
    """Rings of odd and even length, with ways of exactly half of them."""
    seen = dict.fromkeys((frozenset((LOWER,)), frozenset((UPPER,)), BOTH), 0)
    for torus in TORI:
        answers = {(at, to): await routes(dut, torus, at, to) for at, to in product(torus.places(), torus.places())}
        for source, to in product(torus.places(), torus.places()):
            for at, came_by in torus.journey(source, to):
                for half in HALVES:
                    got = answers[at, to][came_by, half]
                    expected = torus.out(at, to), torus.halves(at, to, came_by, half)
                    assert got == expected, f"{torus} {at} to {to}, port {came_by} {half}: {got}, reference {expected}"
                    seen[got[1]] += 1
    assert min(seen.values()) > 5000, seen


@cocotb.test()
async def long_rings(dut: Any) -> None:
    """Up to 256 routers, the most that a coordinate tells; many are half a ring apart, a router more or less."""
    rng = random.Random("long")
    for _ in range(400):
        torus = Torus(rng.choice((127, 128, 200, 255, 256)), rng.choice((5, 129, 256)))
        at = rng.randrange(torus.columns), rng.randrange(torus.rows)
        to = rng.randrange(torus.columns), rng.randrange(torus.rows)
        if rng.random() < 0.5:
            to = (at[0] + torus.columns // 2 + rng.choice((-1, 0, 1))) % torus.columns, to[1]
        found = await routes(dut, torus, at, to)
        for (came_by, half), got in found.items():
            expected = torus.out(at, to), torus.halves(at, to, came_by, half)
            assert got == expected, f"{torus} {at} to {to}, port {came_by} {half}: {got}, the reference {expected}"


@cocotb.test()
async def no_cycle_of_channels(dut: Any) -> None:
    """Dally and Seitz 1987: what a half of a link's VCs waits for, by the RTL's own answers, has an order."""
    for torus in TORI:
        follows: dict[tuple[Place, int, str], set[tuple[Place, int, str]]] = {}
        for to in torus.places():
            answers = {at: await routes(dut, torus, at, to) for at in torus.places()}
            new = [(at, LOCAL, half) for at in torus.places() for half in HALVES]
            seen = set(new)
            while new:
                at, came_by, half = new.pop()
                out, allowed = answers[at][came_by, half]
                if out == LOCAL:
                    continue
                for h in allowed:
                    state = (torus.step(at, out), out ^ 1, h)
                    if came_by != LOCAL:
                        follows.setdefault((at, came_by, half), set()).add(state)
                    if state not in seen:
                        seen.add(state)
                        new.append(state)
        order = list(TopologicalSorter(follows).static_order())  # raises for a cycle
        assert len(order) > 2 * len(torus.places()), len(order)


@cocotb.test()
async def searches_see_all_shortest_directions(dut: Any) -> None:
    """Set-up of circuits goes either way where both are as long."""
    for torus in TORI[:4]:
        for at, to in product(torus.places(), torus.places()):
            await routes(dut, torus, at, to)
            outs = [*torus.ways(at, to, 0), *torus.ways(at, to, 1)] or [LOCAL]
            assert ASKED[torus, at, to][1] == sum(1 << out for out in outs), f"{torus} {at} to {to}"

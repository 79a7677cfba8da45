"""hw/route_unit.sv under odd-even routing, all of an 8x8 mesh: every router, destination and input port by which a
packet to it can come, beside a reference; and no cycle of channels (cocotb_smoke)."""

from __future__ import annotations

import random
from graphlib import TopologicalSorter
from itertools import product
from typing import Any

import cocotb
from cocotb.triggers import Timer
from odd_even_reference import STEP, Place, states, step, ways

SIZE, PORTS, LOCAL = 8, 5, 4
GRID = list(product(range(SIZE), repeat=2))
Channel = tuple[Place, int]  # the router that it leads to, and in which direction


def port_of(heading: int | None) -> int:
    """Who goes east has come in at the west port."""
    return LOCAL if heading is None else heading ^ 1


ASKED: dict[tuple[Place, Place, Place], tuple[list[set[int]], int]] = {}  # answers, directions


async def routes(dut: Any, at: Place, to: Place, origin: Place) -> list[set[int]]:
    """By input port: what the RTL allows, which has no registers and so is asked once; the head that arrives and the
    one behind a tail are told the same."""
    if (at, to, origin) in ASKED:
        return ASKED[at, to, origin][0]
    dut.x_i.value, dut.y_i.value = at[0] + origin[0], at[1] + origin[1]
    dut.to_x_i.value, dut.to_y_i.value = to[0] + origin[0], to[1] + origin[1]
    await Timer(1, "ns")
    word = int(dut.route_o.value)
    found = []
    for port in range(PORTS):
        arriving, behind = (word >> (PORTS * (2 * port + head)) & (2**PORTS - 1) for head in (0, 1))
        assert arriving == behind, f"{at} to {to}, port {port}: {arriving:05b} and behind a tail {behind:05b}"
        found.append({out for out in range(PORTS) if arriving >> out & 1})
    ASKED[at, to, origin] = found, int(dut.directions_o.value)
    return found


@cocotb.test()
async def every_route_is_the_references(dut: Any) -> None:
    """At the corner of all coordinates, and where every bit of a coordinate changes (127 to 128)."""
    comes: dict[tuple[Place, Place], set[int | None]] = {}
    for source, to in product(GRID, GRID):
        for at, heading in states(source, to):
            comes.setdefault((at, to), set()).add(heading)
    compared = choices = 0
    for origin in ((0, 0), (124, 123)):
        for at, to in product(GRID, GRID):
            found = await routes(dut, at, to, origin)
            for heading in comes[at, to]:
                expected = ways(at, heading, to) or {LOCAL}
                got = found[port_of(heading)]
                assert got == expected, f"{at} to {to}, going {heading}: {got}, the reference {set(expected)}"
                compared += 1
                choices += len(got) > 1
    assert compared > 20000, compared
    assert choices > 5000, choices


@cocotb.test()
async def far_destinations(dut: Any) -> None:
    """In a grid of 256 columns; many are as far as one bit of a column, and a column more or less."""
    rng = random.Random("far")
    compared = 0
    for _ in range(600):
        far = 2 ** rng.randrange(8) + rng.choice((-1, 0, 1))
        at, to = (rng.randrange(256), 1 + rng.randrange(3)), (rng.randrange(256), rng.randrange(5))
        if rng.random() < 0.5:
            to = ((at[0] + far) % 256, to[1])
        found = await routes(dut, at, to, (0, 0))
        for heading in (None, *STEP):
            before = at if heading is None else step(at, heading ^ 1)
            if heading is not None and heading not in ways(before, None, to):
                continue
            expected = ways(at, heading, to) or {LOCAL}
            got = found[port_of(heading)]
            assert got == expected, f"{at} to {to}, going {heading}: {got}, the reference {set(expected)}"
            compared += 1
    assert compared > 1200, compared


@cocotb.test()
async def no_cycle_of_channels(dut: Any) -> None:
    """Dally and Seitz 1987: what each channel waits for, by the RTL's own answers, has an order."""
    follows: dict[Channel, set[Channel]] = {}
    for to in GRID:
        found = {at: await routes(dut, at, to, (0, 0)) for at in GRID}
        new: list[tuple[Place, int | None]] = [(at, None) for at in GRID]
        seen = set(new)
        while new:
            at, heading = new.pop()
            for out in found[at][port_of(heading)] - {LOCAL}:
                state = (step(at, out), out)
                if heading is not None:
                    follows.setdefault((at, heading), set()).add(state)
                if state not in seen:
                    seen.add(state)
                    new.append(state)
    order = list(TopologicalSorter(follows).static_order())  # raises for a cycle
    assert len(order) == 4 * SIZE * (SIZE - 1), len(order)


@cocotb.test()
async def searches_see_all_minimal_directions(dut: Any) -> None:
    """Set-up of circuits goes by no turn model."""
    for at, to in product(GRID, GRID):
        await routes(dut, at, to, (0, 0))
        expected = [to[0] > at[0], to[0] < at[0], to[1] > at[1], to[1] < at[1], to == at]
        assert ASKED[at, to, (0, 0)][1] == sum(bit << port for port, bit in enumerate(expected))

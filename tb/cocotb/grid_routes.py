"""hw/route_unit.sv on a grid under the routing that the bench's point names: every router and destination of an 8x8
mesh, and where every bit of a coordinate changes (127 to 128), beside a reference from router_pkg.sv's words."""

from __future__ import annotations

import json
import os
from itertools import product
from typing import Any

import cocotb
from cocotb.triggers import Timer

PORTS = 5
EAST, WEST, NORTH, SOUTH, LOCAL = range(PORTS)
X, Y = {EAST, WEST}, {NORTH, SOUTH}
SIZE = 8
Place = tuple[int, int]
ROUTINGS = ("x_first", "y_first", "table", "west_first", "minimal_adaptive")  # router_pkg::routing_e
ROUTING = ROUTINGS[json.loads(os.environ["BRAID_PARAMETERS"])["Routing"]]


def minimal(at: Place, to: Place) -> set[int]:
    """Directions that lead closer."""
    (x, y), (to_x, to_y) = at, to
    closer = {EAST: to_x > x, WEST: to_x < x, NORTH: to_y > y, SOUTH: to_y < y}
    return {way for way, leads in closer.items() if leads}


def ports(at: Place, to: Place, came_by: int, on_first: bool) -> set[int]:
    """That a head may take, but for the escape path."""
    ways = minimal(at, to)
    if not ways:
        return {LOCAL}
    match ROUTING:
        case "x_first":
            return ways & X or ways
        case "y_first":
            return ways & Y or ways
        case "west_first":
            return {WEST} if WEST in ways else ways
    # minimal and adaptive: who came over a link on VC 0 stays on the escape path
    return set() if on_first and came_by != LOCAL else ways


def escape(at: Place, to: Place) -> set[int]:
    """The port of the escape path: X first, none at the destination."""
    if ROUTING != "minimal_adaptive":
        return set()
    ways = minimal(at, to)
    return ways & X or ways


@cocotb.test()
async def every_route_is_the_references(dut: Any) -> None:
    """For heads that arrive and heads behind a tail, one of the two having come on VC 0; and a search's directions."""
    bits = len(dut.route_o) // (2 * PORTS)
    compared = 0
    for (origin_x, origin_y), first in product(((0, 0), (124, 123)), (1, 2)):
        grid = list(product(range(origin_x, origin_x + SIZE), range(origin_y, origin_y + SIZE)))
        dut.on_first_i.value = first
        for at, to in product(grid, grid):
            dut.x_i.value, dut.y_i.value = at
            dut.to_x_i.value, dut.to_y_i.value = to
            await Timer(1, "ns")
            word, directions = int(dut.route_o.value), int(dut.directions_o.value)
            for came_by, head in product(range(PORTS), (0, 1)):
                route = word >> (bits * (2 * came_by + head)) & (2**bits - 1)
                got = {p for p in range(bits) if route >> p & 1}
                expected = ports(at, to, came_by, bool(first >> head & 1)) | {PORTS + p for p in escape(at, to)}
                where = f"{at} to {to}, by port {came_by}, head {head}"
                assert got == expected, f"{where}: {got}, the reference {expected}"
                compared += 1
            closer = minimal(at, to) or {LOCAL}
            assert directions == sum(1 << p for p in closer), (
                f"{at} to {to}, search: {directions}, the reference {closer}"
            )
    assert compared == 2 * 2 * SIZE**4 * PORTS * 2, compared

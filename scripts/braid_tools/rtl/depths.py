"""How deep logic is before registers, in the cells of a netlist that Yosys has mapped (its JSON): from each input pin
to the next register, and between registers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

REGISTER = "DFF"  # in the name of every kind of flip-flop that Yosys maps to
NO_DATA = {"clk_i", "rst_ni"}  # pins of which no path is asked


@dataclass(frozen=True)
class Cell:
    """A gate: nets in, one net out."""

    inputs: tuple[int, ...]
    output: int


@dataclass(frozen=True)
class Depths:
    """Longest paths, in cells. A path ends at a register or an output pin."""

    inputs: dict[str, int]  # by input pin, in the order of the module's ports
    registers: int  # from registers


def nets(bits: Iterable[int | str]) -> list[int]:
    """Constants are text and lead nowhere."""
    return [bit for bit in bits if isinstance(bit, int)]


def gates(module: dict[str, Any]) -> list[Cell]:
    """All cells but registers."""
    found = []
    for cell in module["cells"].values():
        if REGISTER in cell["type"]:
            continue
        by_direction: dict[str, list[int]] = {"input": [], "output": []}
        for pin, bits in cell["connections"].items():
            by_direction[cell["port_directions"][pin]] += nets(bits)
        if by_direction["output"]:
            (output,) = by_direction["output"]
            found.append(Cell(tuple(by_direction["input"]), output))
    return found


def in_order(cells: list[Cell]) -> list[Cell]:
    """Each after those that drive it. Raises ValueError for a loop without a register."""
    readers = defaultdict(list)
    driven = {cell.output for cell in cells}
    waits = [sum(net in driven for net in cell.inputs) for cell in cells]
    for i, cell in enumerate(cells):
        for net in cell.inputs:
            readers[net].append(i)
    ready = [i for i, n in enumerate(waits) if n == 0]
    order = []
    while ready:
        cell = cells[ready.pop()]
        order.append(cell)
        for i in readers[cell.output]:
            waits[i] -= 1
            if waits[i] == 0:
                ready.append(i)
    if len(order) < len(cells):
        raise ValueError("a loop without a register")
    return order


def depths(module: dict[str, Any]) -> Depths:
    """Of a flat module as `write_json` has it."""
    ahead: dict[int, int] = defaultdict(int)  # net -> cells from it to the end of the longest path
    for cell in reversed(in_order(gates(module))):
        for net in cell.inputs:
            ahead[net] = max(ahead[net], ahead[cell.output] + 1)
    inputs = {
        name: max((ahead[net] for net in nets(port["bits"])), default=0)
        for name, port in module["ports"].items()
        if port["direction"] == "input" and name not in NO_DATA
    }
    kept = [c for c in module["cells"].values() if REGISTER in c["type"]]
    return Depths(inputs, max((ahead[net] for c in kept for net in nets(c["connections"]["Q"])), default=0))

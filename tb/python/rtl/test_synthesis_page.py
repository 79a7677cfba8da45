"""docs/synthesis.md is what its record says, and depths of logic are those of a netlist worked by hand."""

import re
from dataclasses import replace

import pytest
from braid_tools.rtl.depths import depths
from braid_tools.rtl.synthesis_page import KINDS, PAGE, PARTS, POINTS, grouped, page, read


def gate(*nets: int | str) -> dict:
    """Inputs, then the output; a constant is text."""
    pins = dict(zip("ABS", nets[:-1], strict=False))
    directions = {**dict.fromkeys(pins, "input"), "Y": "output"}
    connections = {pin: [net] for pin, net in {**pins, "Y": nets[-1]}.items()}
    return {"type": "$_AND_", "port_directions": directions, "connections": connections}


def register(data: int, out: int) -> dict:
    """A flip-flop."""
    return {"type": "$_DFF_P_", "port_directions": {}, "connections": {"D": [data], "Q": [out]}}


def module(cells: list[dict], **inputs: list[int]) -> dict:
    """As write_json has it."""
    ports = {name: {"direction": "input", "bits": bits} for name, bits in inputs.items()}
    return {"ports": ports, "cells": {str(i): cell for i, cell in enumerate(cells)}}


def test_depth_is_counted_to_the_next_register() -> None:
    # a (2) -> two gates -> register; b (3, 4) -> one gate of them, or straight; register -> three gates -> register.
    cells = [gate(2, 3, 10), gate(10, "0", 11), register(11, 12), register(4, 16)]
    cells += [gate(12, 12, 13), gate(13, 13, 14), gate(14, 12, 15), register(15, 17)]
    found = depths(module(cells, clk_i=[9], a_i=[2], b_i=[3], c_i=[4], open_i=[5]))
    assert found.inputs == {"a_i": 2, "b_i": 2, "c_i": 0, "open_i": 0}
    assert found.registers == 3


def test_a_loop_without_a_register_is_refused() -> None:
    with pytest.raises(ValueError, match="loop"):
        depths(module([gate(2, 11, 10), gate(10, 10, 11)], a_i=[2]))


def test_pins_of_one_word_are_a_row() -> None:
    pins = {"x_i": 5, "link_valid_i": 2, "link_data_i": 7, "credit_i": 4}
    assert grouped(pins) == {"x_i": 5, "link_*": 7, "credit_i": 4}


def test_the_page_is_what_was_synthesized() -> None:
    record = read()
    assert list(record) == [part.what for part in PARTS]
    assert PAGE.read_text() == page(record), "run scripts/synthesis"


def test_circuits_are_seen_in_the_depth_from_links() -> None:
    """Without them a flit goes into its latch; with them it may cross in the cycle in which it comes."""
    record = read()
    synthesized = [p for p in POINTS if all(record[p.part(c).what].inputs for c in (False, True))]
    assert len(synthesized) > 2
    for point in synthesized:
        packets, hybrid = (record[point.part(c).what] for c in (False, True))
        assert packets.inputs["link_valid_i"] == 0, KINDS
        assert hybrid.inputs["link_valid_i"] > 20
        assert hybrid.gates > packets.gates
        assert max(hybrid.registers, *hybrid.inputs.values()) == hybrid.depth


def test_rows_of_another_rtl_have_a_star() -> None:
    record = read()
    whats = [point.part(c).what for point in POINTS for c in (False, True)]
    assert [record[what].older != "" for what in whats] == [not record[what].inputs for what in whats]
    stars = len(re.findall(r"\d \* \|", page(record)))
    assert stars == sum(record[what].older != "" for what in whats)
    assert ("not synthesized again" in page(record)) == (stars > 0)
    aged = {what: replace(cost, older="of an RTL before") for what, cost in record.items()}
    assert len(re.findall(r"\d \* \|", page(aged))) == len(whats)
    assert "\\* of an RTL before; not synthesized again yet." in page(aged)

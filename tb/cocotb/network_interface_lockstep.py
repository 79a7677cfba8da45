"""hw/network_interface.sv beside interface_reference.py: every output in every cycle, under random loads, credits and
nodes."""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from drawings import drawing
from interface_reference import Flit, Inputs, Interface, Outputs
from resetting import reset

PARAMETERS = json.loads(os.environ["BRAID_PARAMETERS"])  # that cocotb_smoke gives it
VCS, DEPTH, QUEUE, FLIT_WIDTH = (PARAMETERS[name] for name in ("Vcs", "Depth", "QueueDepth", "FlitWidth"))
LANES, CIRCUIT_DEPTH = PARAMETERS["CircuitLanes"], PARAMETERS["CircuitDepth"]
CYCLES = 3000
CHANCES = (0.05, 0.5, 0.95, 1.0)


@dataclass
class Source:
    """Packets without end, flit by flit; `now` is offered until it is taken."""

    rng: random.Random
    left: int = 0
    now: Flit | None = None

    def offer(self, chance: float) -> Flit | None:
        """The flit of this cycle, if any."""
        if self.now is None and self.rng.random() < chance:
            head = self.left == 0
            if head:
                self.left = self.rng.choice((1, 2, 3, 7))
            self.left -= 1
            self.now = int(head), int(self.left == 0), self.rng.getrandbits(FLIT_WIDTH)
        return self.now


@dataclass
class Router:
    """The other ends of both links: gives credits back late, sends on credit."""

    rng: random.Random
    owed: list[int] = field(default_factory=lambda: [0] * (VCS + LANES))
    space: list[int] = field(default_factory=lambda: [DEPTH] * VCS + [CIRCUIT_DEPTH] * LANES)

    def __post_init__(self) -> None:
        """A source of packets for each lane."""
        self.sources = [Source(self.rng) for _ in range(VCS + LANES)]

    def credits(self, chance: float) -> set[int]:
        """Lanes whose place is free again."""
        given = {lane for lane, n in enumerate(self.owed) if n and self.rng.random() < chance}
        for lane in given:
            self.owed[lane] -= 1
        return given

    def flit(self, chance: float) -> tuple[int, Flit] | None:
        """On the ejection link."""
        lane = self.rng.randrange(VCS + LANES)
        flit = self.sources[lane].offer(chance) if self.space[lane] else None
        if flit is None:
            return None
        self.space[lane] -= 1
        self.sources[lane].now = None
        return lane, flit


def place(values: list[int], bits: int) -> int:
    """A packed array."""
    return sum(value << (bits * i) for i, value in enumerate(values))


def drive(dut: Any, now: Inputs) -> None:
    """Puts a cycle's inputs on the pins."""
    head, tail, data = now.send or (0, 0, 0)
    dut.send_valid_i.value = int(now.send is not None)
    dut.send_head_i.value, dut.send_tail_i.value, dut.send_data_i.value = head, tail, data
    flits = [flit or (0, 0, 0) for flit in now.circuits]
    dut.circuit_open_i.value = place([int(o) for o in now.opened], 1)
    dut.circuit_valid_i.value = place([int(f is not None) for f in now.circuits], 1)
    dut.circuit_head_i.value = place([f[0] for f in flits], 1)
    dut.circuit_tail_i.value = place([f[1] for f in flits], 1)
    dut.circuit_data_i.value = place([f[2] for f in flits], FLIT_WIDTH)
    dut.credit_i.value = sum(1 << lane for lane in now.credits)
    lane, (head, tail, data) = now.link or (0, (0, 0, 0))
    dut.link_valid_i.value, dut.link_lane_i.value = int(now.link is not None), lane
    dut.link_head_i.value, dut.link_tail_i.value, dut.link_data_i.value = head, tail, data
    dut.receive_ready_i.value = int(now.ready)
    dut.admit_i.value = place([int(a) for a in now.admits], 1)


def bits(handle: Any, count: int) -> list[bool]:
    """Of a vector."""
    return [bool(int(handle.value) >> i & 1) for i in range(count)]


def seen(dut: Any) -> Outputs:
    """A cycle's outputs."""

    def flit(name: str, lane: str) -> tuple[int, Flit] | None:
        pin = {word: int(getattr(dut, f"{name}_{word}_o").value) for word in ("valid", "head", "tail", lane, "data")}
        return (pin[lane], (pin["head"], pin["tail"], pin["data"])) if pin["valid"] else None

    return Outputs(
        send_ready=bool(int(dut.send_ready_o.value)),
        circuit_ready=bits(dut.circuit_ready_o, LANES),
        circuit_idle=bits(dut.circuit_idle_o, LANES),
        link=flit("link", "lane"),
        credits={lane for lane, given in enumerate(bits(dut.credit_o, VCS + LANES)) if given},
        received=flit("receive", "vc"),
        taken=flit("take", "lane"),
    )


class World:
    """The node and the router around the interface."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.node, self.circuits = Source(rng), [Source(rng) for _ in range(LANES)]
        self.router = Router(rng)
        self.chance = {what: 0.5 for what in ("send", "circuit", "credit", "link", "ready", "admit")}
        self.opened = [False] * LANES

    def inputs(self) -> Inputs:
        """Of the next cycle."""
        rng = self.rng
        if rng.random() < 0.01:  # another load
            self.chance = {what: rng.choice(CHANCES) for what in self.chance}
        if rng.random() < 0.02:
            self.opened = [rng.random() < 0.8 for _ in range(LANES)]
        return Inputs(
            send=self.node.offer(self.chance["send"]),
            circuits=[source.offer(self.chance["circuit"]) for source in self.circuits],
            opened=self.opened,
            credits=self.router.credits(self.chance["credit"]),
            link=self.router.flit(self.chance["link"]),
            ready=rng.random() < self.chance["ready"],
            admits=[rng.random() < self.chance["admit"] for _ in range(LANES)],
        )

    def after(self, out: Outputs) -> None:
        """What was taken is not offered again; what is on the link owes a credit."""
        if out.send_ready:
            self.node.now = None
        for source, ready in zip(self.circuits, out.circuit_ready, strict=True):
            if ready:
                source.now = None
        if out.link:
            self.router.owed[out.link[0]] += 1
        for lane in out.credits:
            self.router.space[lane] += 1


async def begin(dut: Any) -> None:
    """Reset, with all inputs idle."""
    drive(dut, Inputs(None, [None] * LANES, [False] * LANES, set(), None, ready=False, admits=[False] * LANES))
    await reset(dut)


@cocotb.test()
async def every_output_is_that_of_the_reference(dut: Any) -> None:
    """Four resets, each in mid-flight."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("network interface")
    counted = {"packets": 0, "circuits": 0, "received": 0, "taken": 0, "waits": 0}
    for episode in range(4):
        await begin(dut)
        world, reference = World(rng), Interface(VCS, DEPTH, LANES, CIRCUIT_DEPTH, QUEUE)
        for cycle in range(CYCLES // 4):
            now = world.inputs()
            drive(dut, now)
            await Timer(1, "ns")
            expected, got = reference.step(now), seen(dut)
            assert got == expected, f"episode {episode}, cycle {cycle}: {got}, the reference {expected}"
            world.after(got)
            counted["packets"] += got.link is not None and got.link[0] < VCS
            counted["circuits"] += got.link is not None and got.link[0] >= VCS
            counted["received"] += got.received is not None and now.ready
            counted["waits"] += got.received is not None and not now.ready
            counted["taken"] += got.taken is not None
            await FallingEdge(dut.clk_i)
    assert min(counted.values()) > 100, f"hardly anything of one kind: {counted}"


def drawn(row: dict[int, str], cycle: int) -> Flit | None:
    """The head or tail of a packet of two flits."""
    return (int(row[cycle] == "H"), int(row[cycle] == "T"), cycle) if cycle in row else None


@cocotb.test()
async def pins_change_in_the_cycles_drawn(dut: Any) -> None:
    """The drawing of the interface in hw/README.md."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    await begin(dut)
    pins = drawing("interface")
    out: dict[str, dict[int, str]] = {"link_valid_o": {}, "receive_valid_o": {}, "credit_o": {}}
    for cycle in range(10):
        flit = drawn(pins["link_valid_i"], cycle)
        now = Inputs(
            send=drawn(pins["send_valid_i"], cycle),
            circuits=[None] * LANES,
            opened=[False] * LANES,
            credits=set(),
            link=(0, flit) if flit else None,
            ready=cycle in pins["receive_ready_i"],
            admits=[False] * LANES,
        )
        drive(dut, now)
        await Timer(1, "ns")
        got = seen(dut)
        for pin, on in (("link_valid_o", got.link), ("receive_valid_o", got.received)):
            if on:
                out[pin][cycle] = "H" if on[1][0] else "T"
        if got.credits:
            out["credit_o"][cycle] = "1"
        await FallingEdge(dut.clk_i)
    assert out == {pin: pins[pin] for pin in out}

"""hw/axis_face.sv with its network interface, whose link leads back to it: what is sent comes back,
whole and with its TUSER, and AXI4-Stream's rules hold in every cycle."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

Frame = tuple[int, tuple[int, ...]]  # TUSER, beats
FRAMES = 600


class Sender:
    """Offers beats, each until it is taken, with pauses."""

    def __init__(self, dut: Any, rng: random.Random) -> None:
        """Frames of one to nine beats."""
        self.dut, self.rng = dut, rng
        self.sent: list[Frame] = [
            (rng.getrandbits(16), tuple(rng.getrandbits(32) for _ in range(rng.choice((1, 2, 3, 9)))))
            for _ in range(FRAMES)
        ]
        self.beats = deque(
            (user, beat, i + 1 == len(beats)) for user, beats in self.sent for i, beat in enumerate(beats)
        )
        self.often = 1.0
        self.offers = False

    def drive(self) -> None:
        """Before the edge."""
        self.offers = bool(self.beats) and (self.offers or self.rng.random() < self.often)
        self.dut.s_axis_tvalid_i.value = int(self.offers)
        if self.offers:
            user, beat, last = self.beats[0]
            self.dut.s_axis_tdata_i.value, self.dut.s_axis_tlast_i.value = beat, int(last)
            self.dut.s_axis_tuser_i.value, self.dut.s_axis_tdest_i.value = user, user ^ 0x5A5A

    def taken(self) -> None:
        """After it."""
        if self.offers and int(self.dut.s_axis_tready_o.value):
            self.beats.popleft()
            self.offers = False


class Receiver:
    """Takes beats when it likes."""

    def __init__(self, dut: Any, rng: random.Random) -> None:
        """Nothing has come."""
        self.dut, self.rng = dut, rng
        self.open: dict[int, list[int]] = {}
        self.users: dict[int, int] = {}
        self.came: list[Frame] = []
        self.stands: tuple[int, ...] | None = None
        self.often, self.held = 1.0, 0
        self.vcs: set[int] = set()

    def offer(self) -> tuple[int, ...] | None:
        """(ID, user, data, keep, last)."""
        if not int(self.dut.m_axis_tvalid_o.value):
            return None
        pins = ("tid", "tuser", "tdata", "tkeep", "tlast")
        return tuple(int(getattr(self.dut, f"m_axis_{pin}_o").value) for pin in pins)

    def look(self, cycle: int) -> None:
        """Before the edge."""
        offered, ready = self.offer(), self.rng.random() < self.often
        self.dut.m_axis_tready_i.value = int(ready)
        if self.stands is not None:
            assert offered == self.stands, f"cycle {cycle}: {offered}, offered before and not taken {self.stands}"
            self.held += 1
        self.stands = None if ready else offered
        if offered is None or not ready:
            return
        vc, user, data, keep, last = offered
        assert keep, f"cycle {cycle}: a null beat"
        assert self.users.setdefault(vc, user) == user, f"cycle {cycle}: TUSER changes within a frame"
        self.open.setdefault(vc, []).append(data)
        self.vcs.add(vc)
        if last:
            self.came.append((self.users.pop(vc), tuple(self.open.pop(vc))))


@cocotb.test()
async def frames_come_back(dut: Any) -> None:
    """All of them, each once, and whole."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("axis")
    sender, receiver = Sender(dut, rng), Receiver(dut, rng)
    dut.s_axis_tvalid_i.value, dut.m_axis_tready_i.value, dut.rst_ni.value = 0, 0, 0
    await FallingEdge(dut.clk_i)
    assert not int(dut.m_axis_tvalid_o.value), "TVALID in reset"
    dut.rst_ni.value = 1
    for cycle in range(60000):
        if cycle % 300 == 0:
            sender.often, receiver.often = rng.choice((0.1, 0.6, 1)), rng.choice((0.1, 0.5, 1))
        sender.drive()
        await Timer(1, "ns")
        receiver.look(cycle)
        await Timer(1, "ns")
        sender.taken()
        await FallingEdge(dut.clk_i)
        if len(receiver.came) == FRAMES:
            break
    assert sorted(receiver.came) == sorted(sender.sent), "cycle 60000: frames are missing"
    assert receiver.held > 500
    assert len(receiver.vcs) == 3, "frames come on one VC only"

"""Packets, flits and channels of the reference."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

MARK = -1  # the header's byte for an in-transit buffer
PAYLOAD = -2
END_SIGN = -3


@dataclass(frozen=True)
class Parameters:
    """Times in cycles, sizes in flits."""

    routing: int = 24
    stop: int = 56
    go: int = 40
    slack: int = 80
    detect: int = 44
    program: int = 32
    pool: int = 524288
    bytes_count: bool = False  # detection and programming wait for as many bytes, too


@dataclass
class Packet:
    """What is sent, and what becomes of it."""

    created: int
    source: int
    destination: int
    flits: int
    sequence: int = 0
    injected: int | None = None
    delivered: int | None = None
    in_transit: int = 0
    lost: int | None = None
    pieces: int = 1  # in which it is under way

    def gone(self, t: int) -> None:
        """A piece of it is nowhere any more."""
        self.pieces -= 1
        if self.pieces == 0:
            self.lost = t


@dataclass(frozen=True)
class Flit:
    """A byte: the port that a switch is to take, MARK or PAYLOAD."""

    packet: Packet
    byte: int
    tail: bool = False
    end_sign: bool = False  # the tail of a front piece


class Channel:
    """One direction of a cable, `latency` cycles long; stop and go come back against it as long after."""

    def __init__(self, latency: int) -> None:
        self.latency = latency
        self.stopped = False  # as the sender knows it
        self.flits = 0
        self.stopped_cycles = 0
        self.held_cycles = 0  # ... while a packet was to be sent
        self._under_way: deque[tuple[int, Flit]] = deque()
        self._signals: deque[tuple[int, bool]] = deque()
        self.down = False
        self._coming: Packet | None = None  # its first flit has come, its tail has not

    def go_down(self, t: int) -> None:
        """At the start of t, when all that comes in it has come."""
        self.down = True
        self.stopped = False
        self._signals.clear()
        on_link = [flit for _, flit in self._under_way]
        self._under_way.clear()
        if self._coming:
            self._coming.pieces += 1
            self._under_way.append((t + 1, Flit(self._coming, END_SIGN, tail=True, end_sign=True)))
        for flit in on_link:
            if flit.tail:
                flit.packet.gone(t)

    def send(self, t: int, flit: Flit) -> None:
        self.flits += 1
        if self.down:
            if flit.tail:
                flit.packet.gone(t)
            return
        self._under_way.append((t + self.latency, flit))

    def signal(self, t: int, stop: bool) -> None:
        if not self.down:
            self._signals.append((t + self.latency, stop))

    def arrived(self, t: int) -> Flit | None:
        """The flit that is at the far end at the start of t; to be called in every cycle."""
        if self._under_way and self._under_way[0][0] == t:
            flit = self._under_way.popleft()[1]
            self._coming = None if flit.tail else flit.packet
            return flit
        return None

    def hear(self, t: int) -> None:
        """The signal that is at the sender at the start of t binds it in t."""
        if self._signals and self._signals[0][0] == t:
            self.stopped = self._signals.popleft()[1]
        self.stopped_cycles += self.stopped

"""Packets, flits and channels of the reference."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

MARK = -1  # the header's byte for an in-transit buffer
PAYLOAD = -2


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


@dataclass(frozen=True)
class Flit:
    """A byte: the port that a switch is to take, MARK or PAYLOAD."""

    packet: Packet
    byte: int
    tail: bool = False


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

    def send(self, t: int, flit: Flit) -> None:
        self.flits += 1
        self._under_way.append((t + self.latency, flit))

    def signal(self, t: int, stop: bool) -> None:
        self._signals.append((t + self.latency, stop))

    def arrived(self, t: int) -> Flit | None:
        """The flit that is at the far end at the start of t; to be called in every cycle."""
        if self._under_way and self._under_way[0][0] == t:
            return self._under_way.popleft()[1]
        return None

    def hear(self, t: int) -> None:
        """The signal that is at the sender at the start of t binds it in t."""
        if self._signals and self._signals[0][0] == t:
            self.stopped = self._signals.popleft()[1]
        self.stopped_cycles += self.stopped

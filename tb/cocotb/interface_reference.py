"""What hw/network_interface.sv has to do, cycle by cycle, written from its comments and from docs/router.md alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

Flit = tuple[int, int, int]  # head, tail, data


@dataclass
class Inputs:
    """Of one cycle. A flit that is not offered is None."""

    send: Flit | None
    circuits: list[Flit | None]
    opened: list[bool]
    credits: set[int]  # lanes of the injection link
    link: tuple[int, Flit] | None  # lane and flit on the ejection link
    ready: bool
    admits: list[bool]


@dataclass
class Outputs:
    """Of one cycle, in the same terms."""

    send_ready: bool
    circuit_ready: list[bool]
    circuit_idle: list[bool]
    link: tuple[int, Flit] | None
    credits: set[int]
    received: tuple[int, Flit] | None  # offered
    taken: tuple[int, Flit] | None


@dataclass
class Turn:
    """Round robin: the first of those that ask at or after a place, which moves behind whoever was served."""

    places: int
    first: int = 0

    def choose(self, asking: Iterable[int]) -> int | None:
        """Who would be served."""
        return min(asking, key=lambda i: (i - self.first) % self.places, default=None)

    def serve(self, who: int) -> None:
        """It was served."""
        self.first = (who + 1) % self.places


@dataclass
class Interface:
    """Registers, and step() for a cycle."""

    vcs: int
    depth: int
    lanes: int
    circuit_depth: int
    queue: int
    packets: deque[Flit] = field(default_factory=deque)
    out_vc: int | None = None
    link: tuple[int, Flit] | None = None
    latch: tuple[int, Flit] | None = None
    credit_back: set[int] = field(default_factory=set)
    offered: int | None = None

    def __post_init__(self) -> None:
        """As after reset."""
        self.circuits: list[deque[Flit]] = [deque() for _ in range(self.lanes)]
        self.credits = [self.depth] * self.vcs + [self.circuit_depth] * self.lanes
        self.held: list[deque[Flit]] = [deque() for _ in range(self.vcs + self.lanes)]
        self.vc_turn, self.send_turn = Turn(self.vcs), Turn(self.lanes)
        self.receive_turn, self.take_turn = Turn(self.vcs), Turn(self.lanes)

    def step(self, now: Inputs) -> Outputs:
        """What is on the pins in this cycle; the registers are those of the next one after it."""
        ready = len(self.packets) < self.queue
        circuit_ready = [len(q) < self.queue for q in self.circuits]
        idle = [not q for q in self.circuits]
        link, back = self.link, self.credit_back
        if now.send and ready:
            self.packets.append(now.send)
        for lane, flit in enumerate(now.circuits):
            if flit and circuit_ready[lane]:
                self.circuits[lane].append(flit)
        for lane in now.credits:
            self.credits[lane] += 1
        self.link = self.send(now.opened)
        received, taken = self.eject(now)
        return Outputs(ready, circuit_ready, idle, link, back, received, taken)

    def send(self, opened: list[bool]) -> tuple[int, Flit] | None:
        """The flit that is on the link in the next cycle."""
        asking = [i for i in range(self.lanes) if self.circuits[i] and opened[i] and self.credits[self.vcs + i]]
        circuit = self.send_turn.choose(asking)
        if circuit is not None:
            self.send_turn.serve(circuit)
            self.credits[self.vcs + circuit] -= 1
            return self.vcs + circuit, self.circuits[circuit].popleft()
        if not self.packets:
            return None
        if self.out_vc is None:
            self.out_vc = self.vc_turn.choose(v for v in range(self.vcs) if self.credits[v])
            if self.out_vc is None:
                return None
            self.vc_turn.serve(self.out_vc)
        vc = self.out_vc
        if not self.credits[vc]:
            return None
        self.credits[vc] -= 1
        flit = self.packets.popleft()
        if flit[1]:
            self.out_vc = None
        return vc, flit

    def eject(self, now: Inputs) -> tuple[tuple[int, Flit] | None, tuple[int, Flit] | None]:
        """What the node is offered of packets, and what it gets of circuits."""
        if self.latch:
            self.held[self.latch[0]].append(self.latch[1])
        self.latch = now.link
        self.credit_back = set()
        received = taken = None
        if self.offered is None:
            self.offered = self.receive_turn.choose(v for v in range(self.vcs) if self.held[v])
            if self.offered is not None:
                self.receive_turn.serve(self.offered)
        if self.offered is not None:
            received = self.offered, self.held[self.offered][0]
            if now.ready:
                self.held[self.offered].popleft()
                self.credit_back.add(self.offered)
                self.offered = None
        fronts = {i: self.held[self.vcs + i][0] for i in range(self.lanes) if self.held[self.vcs + i]}
        lane = self.take_turn.choose(i for i, flit in fronts.items() if not flit[0] or now.admits[i])
        if lane is not None:
            self.take_turn.serve(lane)
            taken = lane, self.held[self.vcs + lane].popleft()
            self.credit_back.add(self.vcs + lane)
        return received, taken

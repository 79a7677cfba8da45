"""The reference's host: "The host interface" in docs/in-transit-buffers.md."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from reference_link import MARK, Channel, Flit, Packet, Parameters


@dataclass
class Sending:
    """A packet at a host's interface: what is still to be sent and is there already. In transit: more comes in."""

    packet: Packet
    flits: deque[Flit]
    ready: int  # first cycle in which it may begin
    own: bool
    holds: int = 0  # flits of the pool
    # In transit, where bytes count: when the mark came, since when it is known; bytes here, mark included; all of them.
    mark: int = 0
    known: int | None = None
    here: int = 0
    whole: bool = False


NEVER = 1 << 62


class Host:
    """An interface: what comes in, what goes out."""

    def __init__(self, node: int, out: Channel, into: Channel, parameters: Parameters) -> None:
        self.node, self.out, self.into, self.parameters = node, out, into, parameters
        self.own: deque[Sending] = deque()
        self.in_transit: deque[Sending] = deque()
        self.current: Sending | None = None
        self.coming: Sending | None = None  # in transit, its tail is not here yet
        self.in_packet = False  # a packet's first flit is here, its tail is not
        self.pool = 0

    def take(self, t: int) -> None:
        """The flit that has arrived: in transit, or at its destination."""
        if self.parameters.bytes_count:
            self._count(t)
        flit = self.into.arrived(t)
        if flit is None:
            return
        if not self.in_packet and flit.byte == MARK:
            self._begin_in_transit(t, flit.packet)
        elif flit.end_sign and not self.coming:
            flit.packet.gone(t)
        elif self.coming:
            self.coming.flits.append(flit)
            self.coming.here += 1
            self.coming.whole = flit.tail
        elif flit.tail:
            assert flit.packet.destination == self.node
            flit.packet.delivered = t
        self.in_packet = not flit.tail
        if flit.tail:
            self.coming = None

    def begin(self, t: int, holds: bool = False) -> Packet | None:
        """A free link takes the first packet in transit that is ready, else, unless the host holds them back, the
        oldest of its own, which is returned."""
        if self.current is not None:
            return None
        for queue in (self.in_transit,) if holds else (self.in_transit, self.own):
            if queue and queue[0].ready <= t:
                self.current = queue.popleft()
                return self.current.packet if self.current.own else None
        return None

    def send(self, t: int) -> None:
        """The next flit, if it is there and the link is not stopped."""
        s = self.current
        if s is None or self.out.stopped or not s.flits:
            return
        flit = s.flits.popleft()
        self.out.send(t, flit)
        if s.own and s.packet.injected is None:
            s.packet.injected = t
        if flit.tail:
            self.pool -= s.holds
            self.current = None

    def _count(self, t: int) -> None:
        """Before the flit of this cycle is counted: a step is over in the cycle behind that at whose start there was
        enough for it."""
        p = self.parameters
        for s in self.in_transit:
            if s.known is None and t >= s.mark + p.detect and (s.whole or s.here >= p.detect):
                s.known = t
                continue
            programmed = s.known is not None and s.ready == NEVER and t >= s.known + p.program
            if programmed and (s.whole or s.here >= p.detect + p.program):
                s.ready = t

    def _begin_in_transit(self, t: int, packet: Packet) -> None:
        packet.in_transit += 1
        ready = NEVER if self.parameters.bytes_count else t + self.parameters.detect + self.parameters.program
        self.coming = Sending(packet, deque(), ready, own=False, holds=packet.flits, mark=t, here=1)
        self.in_transit.append(self.coming)
        self.pool += packet.flits
        if self.pool > self.parameters.pool:
            raise RuntimeError(f"cycle {t}: the pool of host {self.node} overflows")

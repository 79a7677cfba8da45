"""In-transit buffers once more, straight from docs/in-transit-buffers.md: every cycle, every flit, nothing skipped.

Slow and plain on purpose: what Braid's `myrinet` family reports of each packet must be what this finds. Nothing here is
taken from Braid's C++. The parts of a cycle are Network.step's lines, in the order of the specification.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from reference_host import Host, Sending
from reference_link import MARK, PAYLOAD, Channel, Flit, Packet, Parameters
from reference_switch import Input, Output, Router


@dataclass(frozen=True)
class Port:
    """One end of a cable: a node's, or `peer` = (router, port) at the far end."""

    latency: int
    node: int | None = None
    peer: tuple[int, int] | None = None


@dataclass(frozen=True)
class Path:
    """Output ports, one a link; indices of those before which the packet rests in an in-transit buffer."""

    ports: tuple[int, ...] = ()
    in_transit: tuple[int, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A link that goes down: (router, port) at one end, cycles, and the paths after it."""

    end: tuple[int, int]
    cycle: int
    recompute: int
    paths: dict[tuple[int, int], Path]


@dataclass
class Network:
    """Routers (their ports by number; None: unconnected), paths by pair of routers or of nodes, and packets."""

    ports: list[list[Port | None]]
    paths: dict[tuple[int, int], Path]
    parameters: Parameters = field(default_factory=Parameters)
    failure: Failure | None = None
    of_nodes: bool = False  # are paths by pair of nodes?

    def __post_init__(self) -> None:
        ends = [(r, p, port) for r, ports in enumerate(self.ports) for p, port in enumerate(ports) if port]
        self.home = {port.node: (r, p) for r, p, port in ends if port.node is not None}
        self.leaving = {(r, p): Channel(port.latency) for r, p, port in ends}  # by the router's end
        self.injection = {port.node: Channel(port.latency) for _, _, port in ends if port.node is not None}
        self.routers = []
        self.under_way: list[Packet] = []  # packets that have begun, where a link can fail
        self.old_paths = True
        for r, ports in enumerate(self.ports):
            inputs = {p: Input(self._entering(port)) for p, port in enumerate(ports) if port}
            outputs = {p: Output(self.leaving[r, p], len(ports)) for p in inputs}
            self.routers.append(Router(r, inputs, outputs, len(ports)))
        self.hosts = {
            n: Host(n, self.injection[n], self.leaving[at], self.parameters) for n, at in sorted(self.home.items())
        }

    def route(self, source: int, destination: int) -> list[int]:
        """The header: a port for each switch, a mark for each in-transit buffer."""
        (router, _), (last, exit_port) = self.home[source], self.home[destination]
        pair = (source, destination) if self.of_nodes else (router, last)
        path = self.paths[pair] if router != last else Path()
        header = []
        for index, port in enumerate(path.ports):
            if index in path.in_transit:
                local = [node for node, (r, _) in sorted(self.home.items()) if r == router]
                header += [self.home[local[(source + destination) % len(local)]][1], MARK]
            header.append(port)
            router = self.ports[router][port].peer[0]
        assert router == last
        return [*header, exit_port]

    def run(self, packets: Iterable[Packet], cycles: int) -> list[Packet]:
        """The packets, sorted by creation, after so many cycles; each source's in the order of their sequence."""
        packets = sorted(packets, key=lambda p: (p.created, p.source, p.sequence))
        for p in packets:
            self.hosts[p.source].own.append(Sending(p, deque(), p.created + 1, own=True))
        for t in range(cycles):
            self.step(t)
        return packets

    def step(self, t: int) -> None:
        """The start of cycle t, then what is sent in it."""
        for channel in (*self.leaving.values(), *self.injection.values()):
            channel.hear(t)
        holds = self.failure is not None and self._holds(t)
        for host in self.hosts.values():
            host.take(t)
            begun = host.begin(t, holds)
            if begun is not None:
                self._fill(host.current)
        for router in self.routers:
            router.take(t, self.parameters)
        if self.failure and t == self.failure.cycle:
            self._cut(t)
        for router in self.routers:
            router.look(t)
            router.grant(t, self.parameters)
            router.stop_and_go(t, self.parameters)
        for router in self.routers:
            router.send(t)
        for host in self.hosts.values():
            host.send(t)

    def _fill(self, sending: Sending) -> None:
        """The flits of a packet that begins: its header by the paths of the present, its payload."""
        p = sending.packet
        bytes_ = [*self.route(p.source, p.destination), *[PAYLOAD] * p.flits]
        sending.flits.extend(Flit(p, byte, tail=k == len(bytes_) - 1) for k, byte in enumerate(bytes_))
        if self.failure:
            self.under_way.append(p)

    def _holds(self, t: int) -> bool:
        """Before what comes in t: may no host begin a packet of its own? When none is under way, paths change."""
        if not self.old_paths or t < self.failure.cycle + self.failure.recompute:
            return False
        self.under_way = [p for p in self.under_way if p.delivered is None and p.lost is None]
        if self.under_way:
            return True
        self.old_paths = False
        self.paths = self.failure.paths
        return False

    def _cut(self, t: int) -> None:
        """Both directions."""
        here, port = self.failure.end
        self.leaving[here, port].go_down(t)
        self.leaving[self.ports[here][port].peer].go_down(t)

    def _entering(self, port: Port) -> Channel:
        return self.injection[port.node] if port.node is not None else self.leaving[port.peer]

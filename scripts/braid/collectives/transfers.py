"""Messages of bytes over a network that is stepped: cut into packets, done when the last has arrived."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from braid.errors import InputError
from braid.network import Network

_TAGS = (1 << 32) - 1  # the last number of 32 bits says that a packet has none


class Transfers:
    """What ranks have sent each other and has not arrived."""

    def __init__(self, network: Network, nodes: Sequence[int], flit_bytes: int, packet_flits: int) -> None:
        """nodes: [rank] where it sits. Raises InputError where that is no node of the network, or one for two ranks."""
        for rank, node in enumerate(nodes):
            if not 0 <= node < network.nodes:
                raise InputError(f"rank {rank} at node {node}: expected 0 to {network.nodes - 1}")
        if len(set(nodes)) < len(nodes):
            twice = next(node for node in nodes if nodes.count(node) > 1)
            raise InputError(f"two ranks at node {twice}: expected a node for each")
        self._network = network
        self._nodes = nodes
        self._flit_bytes = flit_bytes
        self._packet_flits = packet_flits
        self._open: dict[int, list] = {}  # tag -> [packets under way, what is done then]
        self._next = 0
        self.packets = 0
        self.flits = 0

    @property
    def any_open(self) -> bool:
        """Is anything under way?"""
        return bool(self._open)

    def flits_of(self, size: int) -> int:
        """Of so many bytes; a message of none is a flit."""
        return max(1, -(-size // self._flit_bytes))

    def send(self, source: int, destination: int, size: int, arrived: Callable[[], None]) -> None:
        """From rank to rank, now."""
        left = self.flits_of(size)
        tag, self._next = self._next, (self._next + 1) % _TAGS
        self._open[tag] = [-(-left // self._packet_flits), arrived]
        self.packets += self._open[tag][0]
        self.flits += left
        while left:
            flits = min(left, self._packet_flits)
            self._network.send(self._nodes[source], self._nodes[destination], flits, tag=tag)
            left -= flits

    def take_arrivals(self) -> bool:
        """Of the cycles since the last call; calls `arrived` of each message that is complete. Was there one?"""
        any_whole = False
        for arrival in self._network.arrivals():
            under_way = self._open[arrival.tag]
            under_way[0] -= 1
            if under_way[0] == 0:
                del self._open[arrival.tag]
                under_way[1]()
                any_whole = True
        return any_whole

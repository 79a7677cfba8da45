"""Myrinet-like switches (docs/in-transit-buffers.md): every flit over every channel, headers included, between the
least and the most that the cycles in a packet log allow. Where no packet waits the two are one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from braid_tools.account.in_transit import LATER, Range, Rest, path_ends, resting_node, rests_between
from braid_tools.account.log import NEVER, Log, Window
from braid_tools.account.network import Network, Port

Tree = dict[str, Any]
OUT, IN, LINK = "to a host", "from a host", "link"


@dataclass
class Crossing:
    """A packet's flits over a channel: cycles in which the first and the last can be sent, least and most."""

    packet: int
    kind: str
    header: int
    flits: int  # with the header
    port: Port | None = None  # of the router that sends
    first: list[int] = field(default_factory=lambda: [0, LATER])
    last: list[int] = field(default_factory=lambda: [0, LATER])
    opened: int = 0  # the first may leave from here on, as far as the port's own packet is concerned
    doubtful: bool = False  # perhaps it never goes that way

    def sent_before(self, cycle: int) -> Range:
        """Flits, least and most; one a cycle at most."""
        most = max(0, min(self.flits, cycle - self.first[0]))
        if cycle <= self.last[0]:
            most = min(most, self.flits - 1)
        least = max(0, self.flits - max(0, self.last[1] - cycle + 1), int(cycle > self.first[1]))
        return (0 if self.doubtful else least, most)

    def sent(self, begin: int, end: int) -> Range:
        """Flits from begin to end - 1, least and most."""
        before, until = self.sent_before(begin), self.sent_before(end)
        return max(0, until[0] - before[1]), max(0, until[1] - before[0])


class Myrinet:
    """All crossings of a run."""

    def __init__(self, log: Log, network: Network, configuration: Tree, end: int):
        router = configuration["router"]
        cycle = router["flit_time_ns"]
        self.log, self.network, self.end = log, network, end
        self.routing = round(router["routing_ns"] / cycle)
        self.delay = round(sum(configuration["in_transit"][key] for key in ("detect_ns", "program_ns")) / cycle)
        topology = configuration["topology"]
        self.link = topology["link_latency_cycles"]
        if topology["kind"] not in ("irregular", "mesh", "torus", "hexagonal"):
            raise ValueError(f"cables of hosts on a {topology['kind']} are not known")
        self.cable = self.link if topology["kind"] == "irregular" else 1
        self.far_back = {there: here for here, there in network.far.items()}
        self.ends = partial(path_ends, network, configuration)
        self.ways = self._ways()
        self.of_packet = [self._crossings(i) for i in range(len(log))]
        self._bound_last()
        self._queue_up()
        for mine in self.of_packet:
            self._bound_backwards(mine)
        self._exact_first()
        for mine in self.of_packet:
            self._bound_forwards(mine)

    def _latency(self, kind: str) -> int:
        return self.link if kind == LINK else self.cable

    def _ways(self) -> dict[Range, list[int]]:
        """Routers by source's and destination's router, of delivered packets."""
        log = self.log
        return {
            self.ends(int(log.source[i]), int(log.destination[i])): [hop[0] for hop in path]
            for i, path in enumerate(log.paths)
            if log.delivered[i] != NEVER
        }

    def _crossings(self, i: int) -> list[Crossing]:
        """A packet's channels in order, as far as the log tells, and what its last cycles in the path say."""
        log, network, path = self.log, self.network, self.log.paths[i]
        if log.injected[i] == NEVER:
            return []
        payload = int(log.flits[i])
        last_router = network.node_router[log.destination[i]]
        way = self.ways.get(self.ends(int(log.source[i]), int(log.destination[i])))
        known = way is not None
        way = way or [hop[0] for hop in path]
        spare = 0 if known else 3 * len(network.routers)  # more than any header of what is not known

        def header(router: int, marks_from: int) -> int:
            return len(way) - router + sum(a == b for a, b in pairwise(way[marks_from:]))

        def crossing(kind: str, head: int, port: Port | None = None) -> Crossing:
            return Crossing(i, kind, head, payload + head, port)

        first = crossing(IN, header(0, 0) + spare)
        first.first = [int(log.injected[i])] * 2
        if log.left_queue[i] != NEVER:
            first.last = [int(log.left_queue[i])] * 2
        result = [first]
        for k, (router, _, cycle) in enumerate(path):
            ready = cycle + self.routing
            after = path[k + 1] if k + 1 < len(path) else None
            head = header(k + 1, k) + spare
            if after and not rests_between(path[k], after):
                result.append(crossing(LINK, head, self.far_back[after[0], after[1]]))
                result[-1].first = [ready, after[2] - self.link]
            elif after or (k + 1 < len(way) and way[k + 1] == router):
                at_router = after[2] - self.cable if after else LATER
                result.append(crossing(OUT, head))
                result[-1].first = [ready, at_router - self.delay - self.cable if after else LATER]
                result.append(crossing(IN, header(k + 1, k + 1) + spare))
                result[-1].first = [ready + self.cable + self.delay, at_router]
            elif k + 1 < len(way):
                ports = [port for port, there in network.far.items() if port[0] == router and there[0] == way[k + 1]]
                result.append(crossing(LINK, head, ports[0]))
                result[-1].first = [ready, LATER]
                result[-1].doubtful = True
            elif router == last_router:
                result.append(crossing(OUT, head))
                result[-1].first = [ready, LATER]
            else:
                for port in [port for port in network.far if port[0] == router]:
                    result.append(crossing(LINK, head, port))
                    result[-1].first = [ready, LATER]
                result += [crossing(OUT, head), crossing(IN, head)]
                result[-2].first = [ready, LATER]
                result[-1].first = [ready + self.cable + self.delay, LATER]
            result[-1].opened = ready
        if not known:
            for one in result:
                one.doubtful = True
        return result

    def _bound_last(self) -> None:
        for i, mine in enumerate(self.of_packet):
            if self.log.delivered[i] != NEVER:
                mine[-1].last = [int(self.log.delivered[i]) - self.cable] * 2
            self._bound_backwards(mine)

    def _bound_backwards(self, mine: list[Crossing]) -> None:
        """A flit is sent on when it is there at the earliest."""
        later = LATER
        for one in reversed(mine):
            if not one.doubtful:
                one.last[1] = min(one.last[1], later - self._latency(one.kind) if later < LATER else LATER)
                later = one.last[1]
            if one.last[1] < LATER:
                one.first[1] = min(one.first[1], one.last[1] - one.flits + 1)

    def _bound_forwards(self, mine: list[Crossing]) -> None:
        earlier = 0
        for one in mine:
            one.last[0] = max(one.last[0], one.first[0] + one.flits - 1, earlier)
            if not one.doubtful:
                earlier = one.last[0] + self._latency(one.kind)

    def _inputs(self) -> dict[Port, list[tuple[int, Crossing, Crossing]]]:
        """By input port of a router: cycle of a header there, the crossing to it, the one from it."""
        result: dict[Port, list[tuple[int, Crossing, Crossing]]] = defaultdict(list)
        for i, mine in enumerate(self.of_packet):
            pairs = [(a, b) for a, b in pairwise(mine) if b.kind != IN]
            for (router, port, cycle), (to, onward) in zip(self.log.paths[i], pairs, strict=False):
                result[router, port].append((cycle, to, onward))
        for entries in result.values():
            entries.sort(key=lambda entry: entry[0])
        return result

    def _queue_up(self) -> None:
        """A header is looked at when the packet before has left the buffer."""
        for entries in self._inputs().values():
            for (_, _, onward), (cycle, _, _) in pairwise(entries):
                if not onward.doubtful:
                    onward.last[1] = min(onward.last[1], cycle - 1)

    def _exact_first(self) -> None:
        """If the buffer was free before the cycle in which a header is looked at, it came in that cycle."""
        for entries in self._inputs().values():
            free = 0
            for cycle, to, onward in entries:
                if free < cycle:
                    to.first = [cycle - self._latency(to.kind)] * 2
                free = onward.last[1] + 1 if not onward.doubtful else LATER

    def complaints(self) -> list[str]:
        """Packets that would have had to send a flit later than they could."""
        wrong = [
            one
            for mine in self.of_packet
            for one in mine
            if not one.doubtful and (one.first[0] > one.first[1] or one.last[0] > one.last[1])
        ]
        return [
            f"log, packet {self.log.sequence[one.packet]} of node {self.log.source[one.packet]}: {one.kind} its flits "
            f"would leave from {one.first[0]} to {one.last[0]} or later, and until {one.first[1]} and {one.last[1]}"
            for one in wrong
        ]

    def links(self, window: Window) -> dict[Port, tuple[Range, Range]]:
        """Flits over each link while measuring, and cycles in which a packet was held on it."""
        result = {port: ((0, 0), (0, 0)) for port in self.network.far}
        for mine in self.of_packet:
            for one in mine:
                if one.kind != LINK or one.port is None or one.first[0] >= window.end:
                    continue
                flits, (_, held) = result[one.port]
                more = one.sent(window.begin, window.end)
                begin, last = max(one.opened, window.begin), min(one.last[1], window.end - 1)
                if last - begin + 1 > 0:
                    held += min(last - begin + 1, one.last[1] - one.opened + 1 - one.flits)
                result[one.port] = (flits[0] + more[0], flits[1] + more[1]), (0, min(held, window.cycles))
        return result

    def _sum(self, kinds: tuple[str, ...], cycle: int, payload: bool) -> Range:
        low = high = 0
        for mine in self.of_packet:
            for one in mine:
                if one.kind in kinds:
                    least, most = one.sent_before(cycle)
                    low += max(0, least - one.header) if payload else least
                    header = 0 if one.doubtful else one.header
                    high += min(int(self.log.flits[one.packet]), max(0, most - header)) if payload else most
        return low, high

    def flit_hops(self) -> Range:
        """Flits that left a switch."""
        return self._sum((LINK, OUT), self.end, payload=False)

    def injected(self) -> Range:
        """Payload onto cables from hosts, again with every in-transit buffer."""
        return self._sum((IN,), self.end, payload=True)

    def arrived(self) -> Range:
        """Payload at hosts, in transit or not; in the last cycle it may count or not."""
        low, _ = self._sum((OUT,), self.end - self.cable - 1, payload=True)
        _, high = self._sum((OUT,), self.end - self.cable + 1, payload=True)
        return low, high

    def rests(self) -> list[Rest]:
        """Stays in in-transit buffers, from the mark to the tail."""
        result = []
        for i, mine in enumerate(self.of_packet):
            source, destination = int(self.log.source[i]), int(self.log.destination[i])
            visits = iter(self.log.paths[i])
            for one, onward in pairwise([*mine, Crossing(i, LINK, 0, 0)]):
                if one.kind == IN:
                    continue
                visit = next(visits, None)
                if one.kind == OUT and onward.kind == IN and visit:
                    node = resting_node(self.network, visit[0], source, destination)
                    came = (one.first[0] + self.cable, min(LATER, one.first[1] + self.cable))
                    left = (onward.first if onward.doubtful else onward.last)[0], onward.last[1]
                    result.append(Rest(node, int(self.log.flits[i]), came, left))
        return [rest for rest in result if rest.came[0] < self.end]

"""In-transit buffers (docs/in-transit-buffers.md): where packets rest, what the log says of their figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from braid_tools.account.links import Between
from braid_tools.account.log import NEVER, Hop, Log, Window
from braid_tools.account.network import Network

Tree = dict[str, Any]
LATER = 1 << 60  # a cycle that may never come
Range = tuple[int, int]


def has_in_transit(configuration: Tree) -> bool:
    """Can packets rest?"""
    routing = configuration["routing"]
    return routing["algorithm"] == "source_routed" and routing["in_transit"] != "none"


def path_ends(network: Network, configuration: Tree, source: int, destination: int) -> tuple[int, int]:
    """Who has a path of its own: a pair of routers, or of nodes."""
    if configuration["routing"]["paths_per"] == "node_pair":
        return source, destination
    return network.node_router[source], network.node_router[destination]


def rests_between(before: Hop, after: Hop) -> bool:
    """Routed twice in a row at the same router: in between a host had it."""
    return before[0] == after[0]


def stops(path: list[Hop]) -> int:
    """In-transit buffers on a path."""
    return sum(rests_between(before, after) for before, after in pairwise(path))


def resting_node(network: Network, router: int, source: int, destination: int) -> int:
    """The router's host at which packets of this pair rest; NEVER if it has none."""
    nodes = [node for node, here in enumerate(network.node_router) if here == router]
    return nodes[(source + destination) % len(nodes)] if nodes else NEVER


def check_rests(log: Log, network: Network, configuration: Tree, epochs: list[int], complaints: list[str]) -> None:
    """Packets rest only where they may, at the host that the documents name; source-routed ones of a pair of routers
    (or of nodes) all take the same way, in each epoch of paths."""
    ways: dict[tuple[int, int, int], list[Hop]] = {}
    for i, path in enumerate(log.paths):
        at = f"log, packet {log.sequence[i]} of node {log.source[i]}:"
        source, destination = int(log.source[i]), int(log.destination[i])
        for before, after in pairwise(path):
            if not rests_between(before, after):
                continue
            node = resting_node(network, before[0], source, destination)
            ports = network.node_ports[node] if node != NEVER else []
            if after[1] not in ports or not has_in_transit(configuration):
                complaints.append(f"{at} rests at router {after[0]}, port {after[1]}, the account says {ports}")
        if configuration["routing"]["algorithm"] != "source_routed":
            continue
        pair = (*path_ends(network, configuration, source, destination), epochs[i])
        way = ways.setdefault(pair, path)
        both = zip(way, path, strict=False)
        same = all(mine[0] == theirs[0] for mine, theirs in both)
        if not same or (log.delivered[i] != NEVER and len(path) < len(way)):
            complaints.append(f"{at} path {log.path_text[i]}, not that of others from its router to that one")
        if len(path) > len(way):
            ways[pair] = path


@dataclass(frozen=True)
class Rest:
    """A packet in a buffer, or perhaps so: cycles in which it came and in which its tail left again, least and most."""

    node: int
    flits: int
    came: Range
    left: Range


def whole_rests(log: Log, network: Network, end: int) -> list[Rest]:
    """In routers that send a packet on when its tail is there: it comes after it was routed towards the host, its tail
    leaves a flit a cycle later at the earliest, and before the packet is sent on by the next host or delivered."""
    result = []
    for i, path in enumerate(log.paths):
        source, destination, flits = int(log.source[i]), int(log.destination[i]), int(log.flits[i])
        last = int(log.delivered[i]) - 1 if log.delivered[i] != NEVER else LATER
        mine = []
        for before, after in reversed(list(pairwise(path))):
            if rests_between(before, after):
                node = resting_node(network, before[0], source, destination)
                came = (before[2] + 1, after[2] - 1)
                mine.append(Rest(node, flits, came, (before[2] + flits, last)))
                last = after[2] - 1  # what is sent on here was there with its tail
        if path and log.delivered[i] == NEVER and path[-1][0] != network.node_router[destination]:
            node = resting_node(network, path[-1][0], source, destination)
            mine.append(Rest(node, flits, (path[-1][2] + 1, LATER), (path[-1][2] + flits, LATER)))
        result += mine
    return [rest for rest in result if rest.came[0] < end]


def in_transit_figures(rests: list[Rest], window: Window, end: int, nodes: int) -> Tree:
    """Packets that left a buffer again while measuring, and the most that a buffer held."""
    surely = sum(window.begin <= rest.left[0] and rest.left[1] < window.end for rest in rests)
    possibly = sum(rest.left[0] < window.end and window.begin <= rest.left[1] for rest in rests)
    unit = nodes * window.cycles
    low = highest((rest.node, rest.came[1], rest.left[0] - 1, rest.flits) for rest in rests)
    alone = max((rest.flits for rest in rests if rest.came[1] < end), default=0)
    high = highest((rest.node, rest.came[0], rest.left[1], rest.flits) for rest in rests)
    return {
        "reinjections_per_node_cycle": Between(Fraction(surely, unit), Fraction(possibly, unit)),
        "pool_max_flits": Between(max(low, alone), high),
    }


def highest(held: Iterable[tuple[int, int, int, int]]) -> int:
    """Most flits at once at a node, each from its first to its last cycle."""
    changes: dict[int, list[Range]] = defaultdict(list)
    for node, first, last, flits in held:
        if first <= last:
            changes[node] += [(first, flits), (last + 1, -flits)]
    most = 0
    for events in changes.values():
        now = 0
        for _, flits in sorted(events):  # what leaves goes before what comes
            now += flits
            most = max(most, now)
    return most

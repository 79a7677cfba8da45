"""BookSim 2's anynet: a listing of routers, nodes and links becomes GraphML and a table of its shortest paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from braid.booksim.grammar import Place
from braid.errors import InputError


@dataclass
class Listing:
    """What a file says: which router each node hangs on, and of each router how far its neighbours are in cycles."""

    file: str
    nodes: dict[int, int] = field(default_factory=dict)
    links: dict[int, dict[int, int]] = field(default_factory=dict)
    places: dict[tuple[int, int], Place] = field(default_factory=dict)

    def join(self, router: int, other: int, cycles: int, place: Place) -> None:
        """A link; where nobody says it of the way back, that is one of a cycle."""
        self.links[router][other] = cycles
        self.links[other].setdefault(router, 1)
        self.places[router, other] = place


def _words_of(line: str, file: str, number: int) -> list[tuple[str, Place]]:
    found, at = [], 0
    for word in line.split():
        at = line.index(word, at)
        found.append((word, Place(file, number, at + 1)))
        at += len(word)
    return found


def _pair(words: list[tuple[str, Place]]) -> tuple[str, int, Place]:
    """router N, or node N, taken off the front."""
    kind, place = words.pop(0)
    if kind not in ("router", "node"):
        raise place.error(f'found "{kind}"; expected router or node')
    if not words or not words[0][0].isdecimal():
        raise place.error(f"{kind}: expected its number")
    return kind, int(words.pop(0)[0]), place


def _read_line(listing: Listing, words: list[tuple[str, Place]]) -> None:
    head, number, place = _pair(words)
    if head == "router":
        listing.links.setdefault(number, {})
    while words:
        kind, other, there = _pair(words)
        cycles = int(words.pop(0)[0]) if words and words[0][0].isdecimal() else 1
        if head == kind == "node":
            raise there.error("a node hangs on a router; expected router")
        if kind == "router":
            listing.links.setdefault(other, {})
        if head == kind:
            if number == other or not 1 <= cycles <= 256:
                raise there.error("expected another router, 1 to 256 cycles away")
            listing.join(number, other, cycles, there)
            continue
        node, router = (other, number) if head == "router" else (number, other)
        if listing.nodes.setdefault(node, router) != router:
            raise there.error(f"node {node} hangs on router {listing.nodes[node]} already; expected one router")
        if cycles != 1:
            raise there.error(f"node {node} is {cycles} cycles away; Braid's nodes are 1 cycle from their routers")
    if not listing.links:
        raise place.error("expected a router")


def read(file: str, place: Place) -> Listing:
    """`place`: of the key that names the file."""
    try:
        text = Path(file).read_text()
    except (OSError, UnicodeDecodeError) as e:
        why = e.strerror if isinstance(e, OSError) else "it is not UTF-8"
        raise place.error(f"network_file = {file}: cannot be read: {why}") from None
    listing = Listing(file)
    for number, line in enumerate(text.splitlines(), 1):
        words = _words_of(line, file, number)
        if words:
            _read_line(listing, words)
    if sorted(listing.nodes) != list(range(len(listing.nodes))) or not listing.nodes:
        raise InputError(f"{file}: expected nodes with the numbers 0, 1, 2 and so on")
    for (router, other), there in listing.places.items():
        back = listing.links[other][router]
        if listing.links[router][other] != back:
            raise there.error(
                f"{listing.links[router][other]} cycles there, {back} back; Braid's links are as long both ways"
            )
    return listing


def order_of(listing: Listing) -> list[int]:
    """Routers by their first node: Braid numbers nodes in the order of routers."""
    nodes: dict[int, list[int]] = {router: [] for router in listing.links}
    for node in sorted(listing.nodes):
        nodes[listing.nodes[node]].append(node)
    for router, mine in nodes.items():
        if mine and mine != list(range(mine[0], mine[0] + len(mine))):
            raise InputError(f"{listing.file}: nodes of router {router}: expected numbers that follow each other")
    return sorted(nodes, key=lambda router: (not nodes[router], nodes[router][:1], router))


def graphml_of(routers: list[int], nodes: dict[int, int], links: dict[int, dict[int, int]]) -> str:
    """Routers r0, r1 and so on, each with its number of nodes; links with their latency."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '  <key id="nodes" for="node" attr.name="nodes" attr.type="int"/>',
        '  <key id="latency" for="edge" attr.name="latency" attr.type="int"/>',
        '  <graph edgedefault="undirected">',
        *(f'    <node id="r{r}"><data key="nodes">{list(nodes.values()).count(r)}</data></node>' for r in routers),
    ]
    for router in sorted(links):
        for other, cycles in sorted(links[router].items()):
            if router < other:
                data = f'<data key="latency">{cycles}</data>'
                lines.append(f'    <edge source="r{router}" target="r{other}">{data}</edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _first_steps(links: dict[int, dict[int, int]], start: int) -> dict[int, int]:
    """Of each router the neighbour of `start` that leads there. Of equal ways BookSim keeps that of the router whose
    turn was first: the nearest one, of those the one with the lowest number (AnyNet::route)."""
    far = {start: 0}
    before: dict[int, int] = {}
    left = set(links)
    while reached := [router for router in left if router in far]:
        here = min(reached, key=lambda router: (far[router], router))
        left.remove(here)
        for other, cycles in sorted(links[here].items()):
            if other not in far or far[here] + cycles < far[other]:
                far[other], before[other] = far[here] + cycles, here
    steps = {}
    for router in before:
        at = router
        while before[at] != start:
            at = before[at]
        steps[router] = at
    return steps


def routes_of(listing: Listing) -> str:
    """Lines ROUTER NODE PORT, which routing.table_file takes."""
    lines = ["# Shortest paths, BookSim 2's of equally short ones"]
    for router in sorted(listing.links):
        steps = _first_steps(listing.links, router)
        for node, at in sorted(listing.nodes.items()):
            if at == router:
                continue
            if at not in steps:
                raise InputError(f"{listing.file}: no way from router {router} to node {node}")
            lines.append(f"r{router} {node} to_r{steps[at]}")
    return "\n".join(lines) + "\n"

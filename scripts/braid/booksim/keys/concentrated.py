"""BookSim's cmesh and flatfly: on each router c nodes, xr by yr (cmesh.cpp, flatfly_onchip.cpp). They are numbered
row by row of one grid of all nodes, Braid's router by router, so patterns of numbers are taken over by what they send
where. Every cmesh has express channels along its edges, which dor_no_express leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from braid.booksim.table import Answer, Ask, Fate

CMESH, FLATFLY = "cmesh", "flatfly"
_MOST_ROUTERS = 1 << 20  # Braid's own limit, which its check says
_NODES_APART = 3  # xr from which on some of a router's nodes are more than a cycle away


@dataclass(frozen=True)
class Layout:
    """Routers in rows of `wide`, on each `across` by `across` nodes."""

    routers: int
    wide: int
    across: int

    @property
    def nodes(self) -> int:
        """Of the network."""
        return self.routers * self.across**2

    def here(self, node: int) -> int:
        """Braid's number of a node: routers one after the other, on each its nodes row by row."""
        up, right = divmod(node, self.wide * self.across)
        row, high = divmod(up, self.across)
        column, far = divmod(right, self.across)
        return (row * self.wide + column) * self.across**2 + high * self.across + far


def is_concentrated(ask: Ask) -> bool:
    """Does the file say one of the two?"""
    return ask.of("topology") in (CMESH, FLATFLY)


def _layout(ask: Ask) -> Layout | None:
    """None: a network that its own keys refuse."""
    k, n, across = ask.of("k"), ask.of("n"), ask.of("xr")
    if k < 1 or not 1 <= n <= 8 or k**n > _MOST_ROUTERS or across < 1 or ask.of("c") != across**2:
        return None
    wide = k if ask.of("topology") == CMESH or across == 1 else ask.of("x")
    if wide < 1 or k**n % wide:
        return None
    return Layout(k**n, wide, across)


def dimensions(ask: Ask) -> Answer:
    """n: BookSim's cmesh of one dimension writes beyond its routers, and its flatfly knows four."""
    if ask.of("topology") == CMESH and ask.value != 2:
        ask.refuse("BookSim's cmesh has two dimensions; expected 2")
    if not 1 <= ask.value <= 4:
        ask.refuse("BookSim's flatfly has 1 to 4 dimensions; expected one of these numbers")
    return Answer(note="topology.sizes, above")


def concentration(ask: Ask) -> Answer:
    """c."""
    if not is_concentrated(ask):
        return Answer(note="of concentrated topologies", fate=Fate.NO_EFFECT)
    if ask.of("topology") == CMESH and ask.value != 4:
        ask.refuse("BookSim's cmesh has 4 nodes a router; expected 4")
    return Answer({"topology.concentration": ask.value})


def nodes_across(ask: Ask) -> Answer:
    """xr, of a concentrated topology."""
    if ask.value < 1 or ask.value**2 != ask.of("c"):
        ask.refuse(f"BookSim's nodes of a router stand in a square, xr = yr; xr times yr is c, {ask.of('c')}, in it")
    if ask.value > _NODES_APART and ask.of("topology") == FLATFLY and ask.of("use_noc_latency") == 1:
        ask.refuse(
            "some nodes are more than a cycle from their router in BookSim, Braid's are 1 cycle from theirs; "
            f"expected xr of 1 to {_NODES_APART}, or use_noc_latency = 0"
        )
    if ask.value == 1:
        return Answer(note="one node a router")
    note = "nodes have other numbers here: router by router, in BookSim row by row of a grid of all nodes"
    return Answer(note=note, fate=Fate.DIFFERS)


def nodes_high(ask: Ask) -> Answer:
    """yr."""
    if not is_concentrated(ask):
        return Answer(note="of concentrated topologies", fate=Fate.NO_EFFECT)
    if ask.value != ask.of("xr"):
        ask.refuse(f"BookSim's nodes of a router stand in a square; expected xr, {ask.of('xr')}")
    return Answer(note="topology.concentration, above")


def routers_wide(ask: Ask) -> Answer:
    """x: where the routers of a flatfly stand, and so how nodes are numbered and how long links are."""
    if ask.of("topology") != FLATFLY:
        return Answer(note="of topology = flatfly", fate=Fate.NO_EFFECT)
    k, n = ask.of("k"), ask.of("n")
    if ask.value != ask.of("y"):
        return Answer()  # y is refused
    if ask.value < 1 or (1 <= n <= 4 and k**n % ask.value and ask.of("c") > 1):
        ask.refuse("routers stand in rows of x, and BookSim's nodes lie beyond the last one; expected a divisor of k^n")
    if ask.of("use_noc_latency") == 1 and (n > 2 or ask.value != k):
        ask.refuse(
            "links are as long as their ends stand apart in rows of x routers; Braid's are as long as they are apart "
            "in a dimension, which is the same where x is k and n 1 or 2; expected that, or use_noc_latency = 0"
        )
    return Answer(note="the numbers of nodes, and the length of links")


def routers_high(ask: Ask) -> Answer:
    """y: BookSim asks for no more than that it be x."""
    if not is_concentrated(ask):
        return Answer(note="of concentrated topologies", fate=Fate.NO_EFFECT)
    if ask.value != ask.of("x"):
        ask.refuse(f"BookSim ends at x and y that differ; expected x, {ask.of('x')}")
    return Answer(note="BookSim asks for no more than that it be x", fate=Fate.NO_EFFECT)


def wire_latency(ask: Ask) -> Answer:
    """Of links between routers, in nodes: a cmesh's lie 2 apart, those of a flatfly as many as routers between them."""
    if ask.value != 1:
        return Answer({"topology.link_latency_cycles": 1})
    if ask.of("topology") == CMESH:
        return Answer({"topology.link_latency_cycles": 2}, "links pass two nodes; those of nodes take 1")
    keys = {"topology.link_latency_cycles": ask.of("xr"), "topology.latency_by_distance": True}
    return Answer(keys, "xr cycles for each router that a link passes, the last one included; links of nodes take 1")


def _rotated(bits: int, node: int) -> int:
    return (node << 1) % (1 << bits) | node >> (bits - 1)


def _reversed(bits: int, node: int) -> int:
    return int(f"{node:0{bits}b}"[::-1], 2)


def _halves_swapped(bits: int, node: int) -> int:
    return node >> bits // 2 | node % (1 << bits // 2) << bits // 2


#: traffic.cpp: of the bits of a node's number.
_OF_BITS: dict[str, Callable[[int, int], int]] = {
    "bitcomp": lambda bits, node: node ^ ((1 << bits) - 1),
    "bitrev": _reversed,
    "shuffle": _rotated,
    "transpose": _halves_swapped,
}
#: ... how far a digit of base xr k is moved, where rows are that long.
_OF_DIGITS: dict[str, Callable[[int], int]] = {"tornado": lambda side: (side + 1) // 2 - 1, "neighbor": lambda _: 1}


def _moved(side: int, digits: int, by: int, node: int) -> int:
    to = 0
    for digit in range(digits):
        unit = side**digit
        to += unit * ((node // unit % side + by) % side)
    return to


def _flows(ask: Ask, name: str, layout: Layout) -> list[int] | None:
    """To whom each node sends, in BookSim's numbers; None: what Braid's own check of the named pattern refuses."""
    nodes = range(layout.nodes)
    if name in _OF_DIGITS:
        side, digits = ask.of("xr") * ask.of("k"), ask.of("n")
        if side**digits != layout.nodes:
            ask.refuse("its digits, n of base xr k, are not those of all nodes; expected another pattern")
        return [_moved(side, digits, _OF_DIGITS[name](side), node) for node in nodes]
    bits = layout.nodes.bit_length() - 1
    if layout.nodes != 1 << bits or bits < 1 or (name == "transpose" and bits % 2):
        return None
    return [_OF_BITS[name](bits, node) for node in nodes]


def pattern(ask: Ask, name: str, braids: str) -> Answer:
    """Who sends to whom, in Braid's numbers: the pattern of that name where it is the same, else a file of pairs."""
    layout = _layout(ask)
    flows = _flows(ask, name, layout) if layout and name != "uniform" else None
    if layout is None or flows is None:
        return Answer({"traffic.pattern": braids})
    here = {layout.here(node): layout.here(to) for node, to in enumerate(flows)}
    if name in _OF_BITS and all(here[node] == to for node, to in enumerate(flows)):
        return Answer({"traffic.pattern": braids})
    file = f"{ask.all.stem}.{name}.pairs"
    pairs = "".join(f"{node} {to}\n" for node, to in sorted(here.items()))
    text = f"# {name} of BookSim's numbers of nodes, in Braid's\n{pairs}"
    keys = {"traffic.pattern": "permutation", "traffic.file": file}
    return Answer(keys, f"{name}, of BookSim's numbers of nodes", files={file: text})


def node_here(ask: Ask, node: int) -> int:
    """Braid's number of one of BookSim's nodes, on any topology."""
    layout = _layout(ask) if is_concentrated(ask) else None
    return layout.here(node) if layout and 0 <= node < layout.nodes else node

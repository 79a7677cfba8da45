"""Who tells whom in a broadcast, from the paper's words (diamond-rings, section 3) and docs/diamond-rings.md."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from braid_tools.account.figures import Tree
from braid_tools.account.network import Network


@dataclass
class Part:
    """What one position does in each broadcast."""

    role: str
    at_once: list[int] = field(default_factory=list)  # whom it tells with the first message
    when_done: list[int] = field(default_factory=list)  # ... when it has heard all and handled the event


def ring(n: int, k: int, *, only_more: bool = False) -> list[Part]:
    """A k-ary tree (scatter), its mirror image (gather), the leaves between them (centre). Places are counted level by
    level; place t of the scattering tree is position n - t, place t of the mirror image position t, where each level
    is the other way round. The last leaves may be missing, then their scatter position tells its mirror image, or be
    chains of two. `only_more`: none is missing unless k leaves are too many; chains are longer instead, by rows of
    leaves, and then the last ones by one."""
    if n == 1:
        return [Part("root")]
    inner, leaves = 0, k  # of one tree, without the root
    while n - (1 + 2 * inner + leaves) > leaves:
        inner, leaves = inner + leaves, leaves * k
    if only_more and inner and n < 1 + 2 * inner + leaves:
        leaves //= k
        inner -= leaves
    over = n - (1 + 2 * inner + leaves)
    rows = max(over - 1, 0) // leaves  # whole ones, beside the leaves
    rest = max(over - rows * leaves, 0)
    parts = [Part("root")] + [Part("gather", [], [(t - 1) // k]) for t in range(1, inner + 1)]
    parts += [Part("centre") for _ in range(n - 1 - 2 * inner)] + [Part("scatter") for _ in range(inner)]
    for place in range(1, inner + leaves + 1):
        above, position = (place - 1) // k, n - place
        mirror = mirror_of(above, k)
        told = parts[n - above].when_done if above else parts[0].at_once
        if place > inner + leaves + min(over, 0):
            told += [mirror] * (mirror > 0)  # a missing leaf; the root tells itself nothing
            continue
        told.append(position)
        if place <= inner:
            continue
        steps = [leaves] * rows + [rest] * (place > inner + leaves - rest)
        for step in steps:
            parts[position].when_done = [position - step]
            position -= step
        parts[position].when_done = [mirror]
    return parts


def mirror_of(place: int, k: int) -> int:
    """The place that gathers what this one scattered."""
    if place == 0:
        return 0
    first, size = 1, k
    while place >= first + size:
        first, size = first + size, size * k
    return 2 * first + size - 1 - place


def tree(n: int, k: int) -> list[Part]:
    """Filled level by level."""
    parts = [Part("root")] + [Part("inner" if k * p + 1 < n else "leaf", [], [(p - 1) // k]) for p in range(1, n)]
    for p in range(1, n):
        parts[(p - 1) // k].at_once.append(p)
    return parts


def logp_tree(n: int, latency: int, overhead: int, gap: int) -> list[Part]:
    """Of all times at which somebody could tell somebody, the first n - 1, children of who knew first before others."""
    parts, knows = [Part("root")], [0]
    for p in range(1, n):
        could = [t + len(part.at_once) * max(gap, overhead) for t, part in zip(knows, parts, strict=True)]
        teller = could.index(min(could))
        knows.append(could[teller] + latency + 2 * overhead)
        parts[teller].at_once.append(p)
        parts[teller].role = "inner" if teller else "root"
        parts.append(Part("leaf", [], [teller]))
    return parts


def along_links(network: Network, root: int) -> tuple[list[Part], list[int]]:
    """A tree over the links, breadth first from the root's router, ports in their order, and the node of each position:
    in the order in which they are found, those of one router together. The first of them hears for the others and for
    the routers behind. Who has the farthest below is told first."""
    start = network.node_router[root]
    nodes, depth, parts, first = [], [], [], {start: 0}  # first: position that those found behind a router hear from
    queue, seen = deque([start]), {start}
    while queue:
        router = queue.popleft()
        mine = sorted((n for n, at in enumerate(network.node_router) if at == router), key=lambda n: (n != root, n))
        for node in mine:
            parts.append(Part("leaf", [], [first[router]] if nodes else []))
            nodes.append(node)
            depth.append(network.distance(start, router))
            if node == mine[0]:
                first[router] = len(nodes) - 1
        for port in range(len(network.ports[router])):
            other = network.far.get((router, port), (router, 0))[0]
            if other not in seen:
                seen.add(other)
                first[other] = first[router]
                queue.append(other)
    for position in range(len(parts) - 1, 0, -1):
        above = parts[position].when_done[0]
        depth[above] = max(depth[above], depth[position])
        parts[above].at_once.insert(0, position)
        parts[above].role = "inner"
    for part in parts:
        part.at_once.sort(key=lambda position: -depth[position])
    parts[0].role = "root"
    return parts, nodes


def parts_of(options: Tree, network: Network) -> list[Part]:
    """As [broadcast] has it."""
    n = len(network.node_router)
    if options["scheme"] == "spanning_tree":
        return along_links(network, options["root"])[0]
    if options["scheme"] == "balanced_tree":
        return tree(n, options["arity"])
    if options["scheme"] == "unicast":
        return tree(n, n)
    if options["scheme"] == "logp_tree":
        return logp_tree(n, *(options[f"logp_{name}_cycles"] for name in ("latency", "overhead", "gap")))
    only_more = options["contamination"] == "add"
    parts = ring(n - 1 if options["companion"] else n, options["arity"], only_more=only_more)
    if options["companion"]:
        for part in parts:
            part.when_done = [to or n - 1 for to in part.when_done]
        parts[0].at_once = parts[0].at_once or [n - 1]
        parts.append(Part("companion", [], [0]))
    if options["merge_parallel"]:
        for part in parts:
            part.at_once, part.when_done = list(dict.fromkeys(part.at_once)), list(dict.fromkeys(part.when_done))
    return parts


def heard_by(parts: list[Part]) -> list[list[int]]:
    """From whom each position hears, once a message."""
    heard: list[list[int]] = [[] for _ in parts]
    for position, part in enumerate(parts):
        for to in part.at_once + part.when_done:
            heard[to].append(position)
    return heard


def longest_path(parts: list[Part]) -> int:
    """Messages on the longest way from the root back to it: every message sent when it may be, a message a step."""
    missing = [len(heard) for heard in heard_by(parts)]
    begun, steps, now = {0}, 0, list(parts[0].at_once)
    while now:
        steps, after = steps + 1, []
        for position in now:
            missing[position] -= 1
            if position not in begun:
                after += parts[position].at_once
            begun.add(position)
            if missing[position] == 0:
                after += parts[position].when_done
        now = after
    return steps

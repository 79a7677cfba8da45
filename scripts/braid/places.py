"""Where the routers of a topology are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Places = dict[str, tuple[float, float]]

SPRINGS_UP_TO = 499  # routers; larger graphs need SciPy there


def _grid(topology: dict[str, Any]) -> Places:
    width = topology["grid"]["width"]
    return {name: (n % width, n // width) for n, name in enumerate(topology["routers"])}


def _numbers(name: str, between: str) -> list[int] | None:
    """Of a name such as -1,2 or 0.12."""
    parts = name.split(between)
    return [int(part) for part in parts] if all(part.lstrip("-").isdecimal() for part in parts) else None


def _chain(names: Sequence[str]) -> Places | None:
    """Names are coordinates."""
    at = {name: _numbers(name, ",") for name in names}
    if any(one is None or len(one) != 2 for one in at.values()):
        return None
    return {name: (one[0], one[1]) for name, one in at.items() if one is not None}


def _hexagon(names: Sequence[str]) -> Places | None:
    """Names are columns and rows whose axes are 60 degrees apart."""
    places: Places = {}
    for name in names:
        at = _numbers(name, ",")
        if at is None or len(at) != 2:
            return None
        column, row = at
        places[name] = (column - row / 2, row * 3**0.5 / 2)
    return places


def _tree(names: Sequence[str]) -> Places | None:
    """Names are LEVEL.SWITCH, level 0 at the bottom."""
    at = {name: _numbers(name, ".") for name in names}
    if any(one is None or len(one) != 2 for one in at.values()):
        return None
    switches = [one[1] for one in at.values() if one is not None]
    height = (max(switches) + 1) / (2 * (1 + max(one[0] for one in at.values() if one is not None)))
    return {name: (one[1], one[0] * height) for name, one in at.items() if one is not None}


BY_KIND: dict[str, Callable[[Sequence[str]], Places | None]] = {
    "chiplet_chain": _chain,
    "hexagonal": _hexagon,
    "k_ary_n_tree": _tree,
}


def _springs(topology: dict[str, Any]) -> Places:
    """Neighbours near each other, the same every time."""
    import networkx as nx

    from braid.graphs import graph_of

    graph = nx.Graph(graph_of(topology))
    ring = nx.circular_layout(graph)
    found = nx.spring_layout(graph, pos=ring, seed=1, iterations=200) if len(graph) <= SPRINGS_UP_TO else ring
    return {name: (float(x), float(y)) for name, (x, y) in found.items()}


def places(topology: dict[str, Any], kind: str) -> Places:
    """On their grid; of a hexagon and a tree as they are drawn in papers; else where springs pull them."""
    if topology.get("grid"):
        return _grid(topology)
    known = BY_KIND.get(kind)
    return (known(topology["routers"]) if known else None) or _springs(topology)

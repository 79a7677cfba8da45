"""Where the routers of a topology are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin
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


def _coordinates(names: Sequence[str], least: int, most: int) -> dict[str, list[int]] | None:
    """Of names such as 0,2,1, which have so many numbers."""
    at = {name: _numbers(name, ",") for name in names}
    if any(one is None or not least <= len(one) <= most for one in at.values()):
        return None
    return {name: one for name, one in at.items() if one is not None}


def _chain(names: Sequence[str]) -> Places | None:
    """Names are columns and rows."""
    at = _coordinates(names, 2, 2)
    return at and {name: (one[0], one[1]) for name, one in at.items()}


def _cube(names: Sequence[str]) -> Places | None:
    """Planes one behind the other, each higher than the one before, so that no link lies on another."""
    at = _coordinates(names, 2, 3)
    if at is None:
        return None
    columns = 1 + max(one[0] for one in at.values())
    return {name: (one[0] + (columns + 0.5) * sum(one[2:]), one[1] + 0.4 * sum(one[2:])) for name, one in at.items()}


def _dragonfly(names: Sequence[str]) -> Places | None:
    """Groups on a circle, each a small circle of its routers."""
    at = _coordinates(names, 2, 2)
    if at is None:
        return None
    groups, routers = (1 + max(one[i] for one in at.values()) for i in (0, 1))
    near = max(1.0, routers / pi)  # radius of a group, at which neighbours are a link apart or more
    far = 2 * near * max(1.0, groups / pi)

    def on_circle(number: int, count: int, radius: float, turned: float = 0.0) -> tuple[float, float]:
        angle = 2 * pi * number / count + turned
        return radius * sin(angle), radius * cos(angle)

    places: Places = {}
    for name, (group, router) in at.items():
        (x, y), (u, v) = on_circle(group, groups, far), on_circle(router, routers, near, 2 * pi * group / groups + 0.3)
        places[name] = (x + u, y + v)
    return places


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
    "cube": _cube,
    "dragonfly": _dragonfly,
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
    """On their grid; as they are drawn in papers where BY_KIND knows how; else where springs pull them."""
    if topology.get("grid"):
        return _grid(topology)
    known = BY_KIND.get(kind)
    return (known(topology["routers"]) if known else None) or _springs(topology)

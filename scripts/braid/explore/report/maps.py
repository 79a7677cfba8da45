"""Maps of a page: loads of links, and circuits, drawn on the topology."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from braid.errors import BraidError
from braid.experiment import Experiment
from braid.explore.database import Row
from braid.explore.report.drawing import FAINT, Picture
from braid.plot import COLOURS, positions

MOST_LINKS = 3000
MOST_ROUTERS = 512  # whose distances are looked at
#: Sections that say nothing of the topology, of which some need SystemC, or files.
LEFT_OUT = ("stage", "tlm", "trace", "checkpoint", "watch", "log", "results")
SIDE = 0.08  # the two directions of a link lie side by side


class Map:
    """The topology of a run, and where its routers are drawn."""

    def __init__(self, row: Row) -> None:
        """Raises BraidError where the network cannot be built again (its files are elsewhere)."""
        needed = {name: keys for name, keys in row.configuration.items() if name not in LEFT_OUT}
        experiment = Experiment.from_dict(needed, "the results' configuration")
        self.topology, places = positions(experiment)
        self.names: list[str] = self.topology["routers"]
        self.places: Mapping[str, tuple[float, float]] = {n: (float(p[0]), float(p[1])) for n, p in places.items()}
        nearest = min(
            (abs(x - u) + abs(y - v) for (x, y), (u, v) in self._link_ends() if (x, y) != (u, v)), default=1.0
        )
        self._side = SIDE * nearest

    def _link_ends(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        return [
            (self.places[self.names[link["from"]]], self.places[self.names[link["to"]]])
            for link in self.topology["links"]
        ]

    def mark_area(self) -> float:
        """Of a router's mark, in square points: marks of neighbours do not touch."""
        side = 320 / max(len(self.names) ** 0.5, 1)
        return max(4.0, min(260.0, (0.45 * side) ** 2))

    def line(self, start: str, end: str) -> list[tuple[float, float]]:
        """From router to router, to the right of the line between them."""
        (x0, y0), (x1, y1) = self.places[start], self.places[end]
        dx, dy = x1 - x0, y1 - y0
        length = max((dx * dx + dy * dy) ** 0.5, 1e-9)
        sx, sy = self._side * dy / length, -self._side * dx / length
        return [(x0 + 0.12 * dx + sx, y0 + 0.12 * dy + sy), (x0 + 0.88 * dx + sx, y0 + 0.88 * dy + sy)]

    def routers(self, picture: Picture) -> None:
        """Marks and, where there is room, names."""
        axes = picture.axes
        xs, ys = zip(*(self.places[name] for name in self.names), strict=True)
        [marks] = axes.plot(xs, ys, linestyle="", marker="s", markersize=4, color=FAINT)
        picture.say(marks, [f"router {name}" for name in self.names])
        if len(self.names) <= 64:
            for name, x, y in zip(self.names, xs, ys, strict=True):
                axes.annotate(name, (x, y), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=5)
        axes.set_aspect("equal")
        axes.axis("off")

    def distances(self) -> dict[tuple[int, int], int]:
        """Links between each two nodes; empty of a network too large to look at all pairs."""
        count = len(self.names)
        if count > MOST_ROUTERS:
            return {}
        ways: dict[int, list[int]] = {n: [] for n in range(count)}
        for link in self.topology["links"]:
            ways[link["from"]].append(link["to"])
        at = [ports[0][0] for ports in self.topology["nodes"]]
        steps = [_steps(source, ways) for source in range(count)]
        return {
            (source, node): steps[at[source]][at[node]]
            for source in range(len(at))
            for node in range(len(at))
            if at[node] in steps[at[source]]
        }


def _steps(source: int, ways: Mapping[int, list[int]]) -> dict[int, int]:
    """Links from a router to each that it reaches."""
    reached, edge = {source: 0}, [source]
    while edge:
        edge = [n for n in dict.fromkeys(n for at in edge for n in ways[at]) if n not in reached]
        reached |= dict.fromkeys(edge, max(reached.values()) + 1)
    return reached


def heat() -> Any:
    """From little to much, in shades that light and dark paper both show."""
    import matplotlib as mpl

    return mpl.colors.ListedColormap(mpl.colormaps["YlOrRd"]([0.15 + 0.7 * n / 255 for n in range(256)]))


def _loads(row: Row) -> dict[tuple[str, str], float]:
    loads: dict[tuple[str, str], float] = {}
    for link in (row.results or {}).get("links") or []:  # of subnets side by side the sum
        load = link["packet_flits_per_cycle"] + link["circuit_flits_per_cycle"]
        place = (link["router"], link["port"])
        loads[place] = loads.get(place, 0.0) + load
    return loads


def link_map(row: Row, place: Map, name: str) -> tuple[str, Picture] | None:
    """The topology, every direction of a link in the colour and width of its load: of what the link takes, where some
    take more than a flit a cycle."""
    import matplotlib as mpl
    from matplotlib.collections import LineCollection

    loads = _loads(row)
    links = place.topology["links"]
    if not loads or len(links) > MOST_LINKS:
        return None
    picture = Picture(width=5.6, height=5)
    names = place.names
    lines, values, tips = [], [], []
    for link in links:
        start, end = names[link["from"]], names[link["to"]]
        load = loads.get((start, link["name"]), 0.0)
        lines.append(place.line(start, end))
        values.append(load / link["flits_per_cycle"])
        tips.append(f"{start} to {end} ({link['name']}): {load:.3g} flits/cycle")
    scale = mpl.colors.Normalize(0, max([*values, 1e-9]))
    drawn = LineCollection(lines, cmap=heat(), norm=scale, linewidths=[1.2 + 2.6 * float(scale(v)) for v in values])
    drawn.set_array(values)
    picture.axes.add_collection(drawn)
    picture.axes.autoscale_view()
    picture.say(drawn, tips)
    place.routers(picture)
    bar = picture.figure.colorbar(drawn, ax=picture.axes, shrink=0.6)
    faster = any(link["flits_per_cycle"] > 1 for link in links)
    bar.set_label("of what a link takes in a cycle" if faster else "flits/cycle")
    bar.outline.set_visible(False)
    most = max(range(len(values)), key=lambda n: values[n])
    mean = sum(values) / len(values)
    ratio = values[most] / mean if mean else 0.0
    carries = "uses" if faster else "carries"
    return f"The busiest link {carries} {ratio:.1f} times the mean ({tips[most].split(':')[0]}): {name}", picture


def circuits(row: Row, place: Map, name: str) -> tuple[str, Picture] | None:
    """Every circuit in a colour, and how long each set-up took."""
    setup = (row.results or {}).get("setup")
    if not setup or not setup.get("circuits"):
        return None
    ends = {(place.names[link["from"]], link["name"]): place.names[link["to"]] for link in place.topology["links"]}
    picture = Picture(width=5.6, height=5)
    for number, circuit in enumerate(setup["circuits"]):
        lines = [
            place.line(step["router"], ends[step["router"], step["port"]])
            for step in circuit["path"]
            if (step["router"], step["port"]) in ends
        ]
        tip = _circuit_tip(number, circuit)
        for line in lines:
            [drawn] = picture.axes.plot(*zip(*line, strict=True), color=COLOURS[number % len(COLOURS)], linewidth=2)
            picture.say(drawn, [tip])
    place.routers(picture)
    backtracks = sum(circuit["backtracks"] for circuit in setup["circuits"])
    count = len(setup["circuits"])
    return f"{count} circuits stand after {setup['total_cycles']} cycles, {backtracks} backtracks: {name}", picture


def _circuit_tip(number: int, circuit: Mapping[str, Any]) -> str:
    known = {key: value for key, value in circuit.items() if isinstance(value, (int, float, str))}
    return f"circuit {number}: " + ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in known.items())


def map_of(row: Row) -> Map | None:
    """The map of a run; None where its network cannot be built here."""
    try:
        return Map(row)
    except (BraidError, ModuleNotFoundError):
        return None

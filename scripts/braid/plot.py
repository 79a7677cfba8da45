"""Plots of results: each function draws into `axes` (a new picture without) and returns them. One policy has one
colour and
mark in all of them, whatever else is drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from braid.errors import InputError
from braid.experiment import Experiment
from braid.network import Network
from braid.places import places
from braid.results import Failure, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours that people with any kind of sight tell apart (Okabe and Ito), and marks.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")

#: Policies that are often drawn together get neighbours of the lists; of any other name its text decides.
KNOWN = (
    *("x_first", "minimal_adaptive", "west_first", "odd_even", "y_first", "table", "source_routed"),
    *("hybrid", "virtual_cut_through", "po2", "myrinet", "ideal"),
    *("deterministic", "best_paths", "derouting", "tree_adaptive", "tree_by_source", "tree_by_destination"),
    *("fifo", "round_robin", "alpha", "shortest_first", "none", "sat", "sat_auto"),
    *("random", "balanced", "balanced_lp", "up_down", "smart", "smart_feedback"),
    *("ring", "control_packet", "spanning_tree", "pass_refused", "head_of_line"),
)


def style(policy: str) -> dict[str, Any]:
    """Colour and mark of a policy, for matplotlib: the same in every plot."""
    named = policy in KNOWN
    number = KNOWN.index(policy) if named else int(hashlib.sha256(policy.encode()).hexdigest()[:8], 16)
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)]}


def _axes(axes: Axes | None, size: tuple[float, float]) -> Axes:
    if axes is not None:
        return axes
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def _curves(results: Iterable[Result], by: str) -> dict[str, list[Result]]:
    section, _, key = by.partition(".")
    curves: dict[str, list[Result]] = {}
    for result in results:
        if not isinstance(result, Failure):
            value = result.to_dict()["configuration"].get(section, {}).get(key, "")
            curves.setdefault(str(value), []).append(result)
    return curves


def latency_load(results: Iterable[Result], *, by: str = "routing.algorithm", axes: Axes | None = None) -> Axes:
    """Mean packet latency (cycles, with its interval) against offered load (flits/node/cycle), a curve for each value
    of the key `by`. Points of saturated runs are hollow and have no interval: their latency is that of the packets
    that came."""
    axes = _axes(axes, (6.4, 4.2))
    for name, of_curve in sorted(_curves(results, by).items()):
        ordered = sorted(of_curve, key=lambda result: result.offered)
        look = style(name)
        loads = [float(result.offered) for result in ordered]
        means = [result.latency.mean for result in ordered]
        spread = [0.0 if result.saturated else result.latency.half_width or 0.0 for result in ordered]
        axes.errorbar(loads, means, yerr=spread, label=name or None, capsize=2, markersize=5, **look)
        hollow = [(x, y) for x, y, result in zip(loads, means, ordered, strict=True) if result.saturated]
        if hollow:
            xs, ys = zip(*hollow, strict=True)
            axes.plot(
                xs, ys, linestyle="", marker=look["marker"], color="white", markeredgecolor=look["color"], zorder=5
            )
    axes.set_xlabel("offered load [flits/node/cycle]")
    axes.set_ylabel("packet latency [cycles]")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(title=by)
    return axes


def positions(experiment: Experiment) -> tuple[dict[str, Any], dict[str, tuple[float, float]]]:
    """The experiment's topology (Network.topology), and where its routers are drawn."""
    topology = Network(experiment).topology
    return topology, places(topology, experiment.configuration["topology"]["kind"])


def _arrow(axes: Axes, start: Any, end: Any, **look: Any) -> None:
    """From router to router, to the right of the line between them, so that the two directions lie side by side."""
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    length = max((dx * dx + dy * dy) ** 0.5, 1e-9)
    side = (0.07 * dy / length * min(length, 1.0), -0.07 * dx / length * min(length, 1.0))
    near = (x0 + 0.2 * dx + side[0], y0 + 0.2 * dy + side[1])
    far = (x0 + 0.8 * dx + side[0], y0 + 0.8 * dy + side[1])
    axes.annotate("", xy=far, xytext=near, arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **look})


def _routers(axes: Axes, places: Mapping[str, tuple[float, float]]) -> None:
    for name, (x, y) in places.items():
        axes.text(x, y, name, ha="center", va="center", fontsize=6, color="#555555")
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    margin = 0.06 * max(max(xs) - min(xs), max(ys) - min(ys), 1.0)
    axes.set_xlim(min(xs) - margin - 0.2, max(xs) + margin + 0.2)
    axes.set_ylim(min(ys) - margin - 0.2, max(ys) + margin + 0.2)
    axes.set_aspect("equal")
    axes.axis("off")


def _experiment(result: Result) -> Experiment:
    if result.experiment is None:
        raise InputError(
            "this result knows no experiment: expected one of braid.run, or Result.from_json(text, experiment)"
        )
    return result.experiment


def link_map(result: Result, *, axes: Axes | None = None) -> Axes:
    """The topology, each direction of a link in the colour of its load (flits/cycle, packets and circuits; where some
    links take more than a flit a cycle, of what the link takes)."""
    import matplotlib as mpl

    axes = _axes(axes, (6.4, 5.6))
    topology, places = positions(_experiment(result))
    names = topology["routers"]
    takes = {(names[link["from"]], link["name"]): link["flits_per_cycle"] for link in topology["links"]}
    loads: dict[tuple[str, str], float] = {}
    for link in result.to_dict()["links"]:  # of subnets side by side the sum
        place = (link["router"], link["port"])
        load = (link["packet_flits_per_cycle"] + link["circuit_flits_per_cycle"]) / takes[place]
        loads[place] = loads.get(place, 0.0) + load
    label = "flits/cycle" if set(takes.values()) <= {1} else "of what a link takes in a cycle"
    colours = mpl.colormaps["viridis_r"]
    scale = mpl.colors.Normalize(0, max([*loads.values(), 1e-9]))
    for link in topology["links"]:
        load = loads.get((names[link["from"]], link["name"]), 0.0)
        colour = colours(scale(load)) if load else "#dddddd"
        _arrow(axes, places[names[link["from"]]], places[names[link["to"]]], color=colour, linewidth=1.5)
    _routers(axes, places)
    axes.figure.colorbar(mpl.cm.ScalarMappable(scale, colours), ax=axes, label=label, shrink=0.7)
    return axes


def circuits(result: Result, *, axes: Axes | None = None) -> Axes:
    """The circuits that were set up, each in a colour of its own, from its source's router to its destination's. The
    title says how long set-up took (cycles) and how many dead ends were left again."""
    setup = result.to_dict().get("setup")
    if not setup or not setup["circuits"]:
        why = "fell back to packets" if setup else "has no circuits"
        raise InputError(f"{result.name} {why}: expected a stream program on circuits")
    axes = _axes(axes, (6.4, 5.6))
    topology, places = positions(_experiment(result))
    names = topology["routers"]
    ends = {(names[link["from"]], link["name"]): names[link["to"]] for link in topology["links"]}
    for number, circuit in enumerate(setup["circuits"]):
        colour = COLOURS[number % len(COLOURS)]
        for step in circuit["path"]:
            to = ends.get((step["router"], step["port"]))
            if to is not None:
                _arrow(axes, places[step["router"]], places[to], color=colour, linewidth=2)
    _routers(axes, places)
    backtracks = sum(circuit["backtracks"] for circuit in setup["circuits"])
    axes.set_title(f"{len(setup['circuits'])} circuits in {setup['total_cycles']} cycles, {backtracks} backtracks")
    return axes

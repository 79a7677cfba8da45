"""Costs that give stated figures, found with the program itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from braid_tools.papers.rings.platforms import Costs, Platform
from braid_tools.papers.rings.points import Point, Runs

Stated = tuple[str, int]  # variant and arity
FREE = ("receive", "send", "settle", "after")


def errors(runs: Runs, platform: Platform, costs: Costs) -> dict[tuple[Stated, str], float]:
    """Of every stated figure: measured over stated, less 1."""
    found = {}
    for (variant, arity), (latency, throughput) in platform.stated.items():
        at = runs[Point(platform.name, variant, arity, costs)]
        found[(variant, arity), "latency"] = at.latency / latency - 1
        found[(variant, arity), "throughput"] = at.throughput / throughput - 1
    return found


def worst(runs: Runs, platform: Platform, costs: Costs) -> float:
    """The largest error of all stated figures."""
    return max(abs(error) for error in errors(runs, platform, costs).values())


def moves(costs: Costs) -> Iterator[Costs]:
    """Steps of single costs, and of pairs against each other."""
    for name in FREE:
        for step in (1, -1, 4, -4):
            yield replace(costs, **{name: max(0, getattr(costs, name) + step)})
    for up, down in permutations(FREE, 2):
        for step in (2, 8):
            yield replace(costs, **{up: getattr(costs, up) + step, down: max(0, getattr(costs, down) - step)})


def all_stated(runs: Runs, platform: Platform, start: Costs, most_steps: int = 6) -> Costs:
    """From `start`, as long as the largest error falls."""
    costs, best = start, worst(runs, platform, start)
    for _ in range(most_steps):
        tried = list(moves(costs))
        runs.prepare(Point(platform.name, v, k, c) for c in tried for v, k in platform.stated)
        error, index = min((worst(runs, platform, c), i) for i, c in enumerate(tried))
        if error >= best:
            break
        costs, best = tried[index], error
    return costs


def one_point(runs: Runs, platform: Platform, point: Stated, shape: Costs, steps: int = 8) -> Costs:
    """The costs of `shape`, those on the way of a broadcast times one factor, the others times another, which give the
    latency and the throughput stated for one point."""
    latency, throughput = platform.stated[point]

    def on_for(off: float) -> float:
        on = platform.cycles_a_us / 1000
        for _ in range(3):
            on *= latency / runs[Point(platform.name, *point, shape.scaled(on, off))].latency
        return on

    low, high = 0.0, 4.0 * platform.cycles_a_us / 1000  # more off the way: less throughput
    for _ in range(steps):
        middle = (low + high) / 2
        at = runs[Point(platform.name, *point, shape.scaled(on_for(middle), middle))]
        low, high = (middle, high) if at.throughput > throughput else (low, middle)
    off = (low + high) / 2
    return shape.scaled(on_for(off), off)


def costs_table(costs: dict[str, Costs]) -> Iterable[list[object]]:
    """costs.csv: a line a fit."""
    return ([name, *vars(c).values()] for name, c in costs.items())

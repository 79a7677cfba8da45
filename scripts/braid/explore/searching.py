"""Searches for all choices of the other keys of a plan, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

from braid.errors import InputError
from braid.explore.plan import RATE, Plan, Point, with_seeds
from braid.explore.rows import Group
from braid.explore.runner import Runner
from braid.explore.search import IDLE, Found, Search

MOST_AT_ONCE = 64  # searches; each waits for its runs


def bounds(plan: Plan) -> tuple[Plan, float, float]:
    """The plan without loads, and the least and the greatest load that it has; 0 and 1 where it has none."""
    rest, axis = plan.without(RATE)
    loads = [float(one[RATE]) for one in axis] if axis else [0.0, 1.0]
    if len(loads) < 2:
        raise InputError(f"--vary {RATE}: a search needs a range: expected the least and the greatest load")
    return rest, min(loads), max(loads)


def search_all(
    plan: Plan, run: Runner, how: Callable[[Search], Found], *, low: float | None = None
) -> list[tuple[dict[str, Any], Found]]:
    """`how` of each choice of the keys other than the load: its settings, and what was found. `low`: in place of a
    range that begins at 0, where there is nothing to measure."""
    rest, least, most = bounds(plan)
    if low is not None:
        least = least or low * most
    firsts = Plan(rest.experiments, rest.axes, rest.only).points({RATE: most})

    def one(point: Point) -> Found:
        def measure(load: float) -> Group:
            experiment = point.experiment.with_({RATE: load})
            settings = {**point.settings, RATE: load}
            return Group(settings, run.rows([Point(e, settings) for e in with_seeds(experiment, plan.seeds)]))

        return how(Search(measure, least, most))

    def _chosen(point: Point) -> dict[str, Any]:
        return {key: value for key, value in point.settings.items() if key != RATE}

    with ThreadPoolExecutor(min(len(firsts), MOST_AT_ONCE)) as pool:
        futures = [pool.submit(one, point) for point in firsts]
        try:
            waiting = set(futures)
            while waiting:  # an interrupt is heard between
                ended, waiting = wait(waiting, timeout=0.2, return_when=FIRST_EXCEPTION)
                for future in ended:
                    future.result()
        except BaseException:
            run.stop()
            raise
        return [(_chosen(point), future.result()) for point, future in zip(firsts, futures, strict=True)]


def all_rows(found: Sequence[tuple[dict[str, Any], Found]]) -> list[Any]:
    """Every row that searches looked at."""
    return [row for _, one in found for _, group in sorted(one.groups.items()) for row in group.rows]


def saturation_and_knee(plan: Plan, run: Runner) -> list[tuple[dict[str, Any], Found]]:
    """Of each choice of the other keys."""

    def how(search: Search) -> Found:
        search.saturation()
        return search.knee()

    return search_all(plan, run, how)


def adaptive(plan: Plan, run: Runner, count: int) -> list[tuple[dict[str, Any], Found]]:
    """A curve of `count` loads for each choice of the other keys."""
    return search_all(plan, run, lambda search: search.curve(count), low=IDLE)


def summary_rows(found: Sequence[tuple[dict[str, Any], Found]]) -> list[dict[str, Any]]:
    """For tables: what a search has found, a row each."""
    rows = []
    for settings, one in found:
        ends = one.carried, one.saturated
        middle = None if None in ends else sum(ends) / 2  # type: ignore[arg-type]
        accepted = one.accepted
        rows.append(
            {
                **settings,
                "saturation": middle,
                "carried": one.carried,
                "saturated": one.saturated,
                "accepted": None if accepted is None else accepted.mean,
                "knee": one.knee,
                "loads": len(one.groups),
                "message": one.failed or "",
            }
        )
    return rows

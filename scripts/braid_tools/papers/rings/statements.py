"""How sentences of diamond-rings become rows of comparison.csv."""

from __future__ import annotations

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.rings.platforms import Costs, Platform
from braid_tools.papers.rings.points import ARITIES, VARIANTS, Measured, Point, Runs

Name = tuple[str, int]  # variant and arity
Figures = dict[Name, Measured]


def figures(runs: Runs, platform: Platform, costs: Costs) -> Figures:
    """Of every variant and arity."""
    points = {(v, k): Point(platform.name, v, k, costs) for v in VARIANTS for k in ARITIES}
    runs.prepare(points.values())
    return {name: runs[point] for name, point in points.items()}


def holds(section: str, statement: str, *, true: bool, note: str = "", quote: str = "") -> Row:
    """A comparison in words: published 1, measured 1 if it holds."""
    return Row(section, statement, "holds", 1, int(true), 0.0, note, quote=quote)


def similar(section: str, statement: str, measured: float, note: str = "") -> Row:
    """A ratio of what the paper calls similar."""
    return Row(section, statement, "1", 1, measured, 0.2, note, quote="similar")


def text(name: Name) -> str:
    """DR2."""
    return f"{name[0]}{name[1]}"


def stated_rows(
    platform: Platform, found: Figures, names: list[Name], kind: str, tolerance: float, note: str = "", left: float = 0
) -> list[Row]:
    """Both figures stated for some points; `kind` says fitted or predicted, and from what. `left`: the relative error
    that `note` says no fit goes below, as it was recorded when the costs were found."""

    def row(what: str, unit: str, stated: float, value: float) -> Row:
        explanation = Explanation(note, stated, left * stated) if left else None
        return Row("section 4.5", what, unit, stated, value, tolerance, note, explanation=explanation)

    rows = []
    for name in names:
        latency, throughput = platform.stated[name]
        what = f"{platform.name}, {text(name)}"
        at = found[name]
        rows.append(row(f"{what}: latency, {kind}", "us", latency, at.latency))
        rows.append(row(f"{what}: throughput, {kind}", "1/us", throughput, at.throughput))
    return rows


def factor_rows(platform: Platform, found: Figures, names: list[Name], kind: str, most: float) -> list[Row]:
    """Both figures within a factor."""
    rows = []
    for name in names:
        at = found[name]
        pairs = zip(("latency", "throughput"), platform.stated[name], (at.latency, at.throughput), strict=True)
        for figure, stated, value in pairs:
            what = f"{platform.name}, {text(name)}: {figure}, {kind}: {value:.3g} for {stated:g}, apart by"
            rows.append(
                Row("section 4.5", what, "factor", most, max(value / stated, stated / value), 0.0, at_most=True)
            )
    return rows


def pareto(found: Figures) -> list[Name]:
    """Variants of which none has both less latency and more throughput, beginning with the lowest latency."""
    front: list[Name] = []
    for name in sorted(found, key=lambda n: (found[n].latency, -found[n].throughput)):
        if not front or found[name].throughput > found[front[-1]].throughput:
            front.append(name)
    return front


def pareto_rows(platform: Platform, found: Figures, stated: list[Name], note: str) -> list[Row]:
    """Section 4.5, one column of Figure 5."""
    front = pareto(found)
    shown = ", ".join(text(name) for name in front)
    what = f"{platform.name}: Pareto optimal variants"
    end = stated[-1]
    return [
        holds("section 4.5", f"{what} are diamond rings only ({shown})", true={v for v, _ in front} == {"DR"}),
        holds("section 4.5", f"{what} end at {text(end)} ({shown})", true=front[-1] == end),
        holds("section 4.5", f"{what} are {', '.join(map(text, stated))} ({shown})", true=front == stated, note=note),
    ]


def best_throughput(platform: Platform, section: str, found: Figures, stated: Name) -> Row:
    """Which variant has the highest."""
    best = max(found, key=lambda name: found[name].throughput)
    return holds(
        section,
        f"{platform.name}: the highest throughput is {text(stated)}'s ({text(best)})",
        true=best == stated,
        quote="the highest throughput was achieved with arity 1" if stated[1] == 1 else "",
    )


def never_below(platform: Platform, found: Figures) -> Row:
    """ "On all three architectures, diamond rings achieved a higher throughput than balanced trees"."""
    ratios = [found["DR", k].throughput / found["BT", k].throughput for k in ARITIES]
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return holds(
        "section 4.5", f"{platform.name}: throughput DR/BT at least 1, arity 1 to 6 ({shown})", true=min(ratios) >= 1
    )


def latency_of_two(platform: Platform, found: Figures) -> Row:
    """ "Slightly better": .80 to 1.00."""
    ratio = found["DR", 2].latency / found["BT", 2].latency
    what = f"{platform.name}: latency DR2/BT2"
    return Row("section 4.2 to 4.5", what, "1", 0.8, ratio, 0.0, most=1.0, quote="slightly better")


def arities_better(found: Figures, better: str, worse: str) -> list[int]:
    """Where throughput over latency is higher."""

    def merit(name: Name) -> float:
        return found[name].throughput / found[name].latency

    return [k for k in ARITIES if merit((better, k)) > merit((worse, k))]


def for_most_arities(platform: Platform, found: Figures, better: str, worse: str, note: str = "") -> Row:
    """ "For most arities, … performed better than …": throughput over latency, at four of six or more."""
    arities = arities_better(found, better, worse)
    what = f"{platform.name}: {better} better than {worse} for most arities ({', '.join(map(str, arities)) or 'none'})"
    return holds("section 4.5", what, true=len(arities) >= 4, note=note)


def spread(found: Figures, arity: int, variants: tuple[str, ...] = VARIANTS) -> float:
    """The largest latency of the variants over the smallest."""
    latencies = [found[v, arity].latency for v in variants]
    return max(latencies) / min(latencies)

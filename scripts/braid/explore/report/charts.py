"""Charts of a page: latency and throughput over load, throughput bars, fairness, latency by class and distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from braid.explore.curves import Curve, claim, looks
from braid.explore.database import Row
from braid.explore.plan import RATE
from braid.explore.report.drawing import FAINT, INK, PAPER, Picture, thinned
from braid.explore.rows import Value

MOST_POINTS = 60  # of a curve
MOST_CURVES = 12
CUT = 6  # the axis of latency ends at so many times the least


def _label(key: str) -> str:
    return "offered load [flits/node/cycle]" if key == RATE else key


def _draw(picture: Picture, curve: Curve, figure: str, look: Mapping[str, Any], key: str, unit: str) -> list[float]:
    axes = picture.axes
    values = curve.values(figure)
    known = [n for n, value in enumerate(values) if value is not None]
    known = [known[n] for n in thinned(len(known), MOST_POINTS)]
    points: list[tuple[float, Value, bool]] = [(curve.xs[n], values[n], curve.groups[n].saturated) for n in known]  # type: ignore[misc]
    if not points:
        return []
    xs, ys = [x for x, _, _ in points], [value.mean for _, value, _ in points]
    halves = [0.0 if saturated else value.half or 0.0 for _, value, saturated in points]
    low = [y - half for y, half in zip(ys, halves, strict=True)]
    high = [y + half for y, half in zip(ys, halves, strict=True)]
    axes.fill_between(xs, low, high, color=look["color"], alpha=0.25, linewidth=0)
    axes.plot(xs, ys, color=look["color"], linewidth=1.4)
    for saturated in (False, True):
        some = [(x, value) for x, value, is_saturated in points if is_saturated == saturated]
        marks = axes.plot(
            [x for x, _ in some],
            [value.mean for _, value in some],
            linestyle="",
            marker=look["marker"],
            markersize=5,
            markeredgecolor=look["color"],
            markerfacecolor=PAPER if saturated else look["color"],
            label=None if saturated else curve.name,
        )
        if some:
            state = ", saturated" if saturated else ""
            picture.say(marks[0], [f"{curve.name}: {key} {x:g}: {value} {unit}{state}" for x, value in some])
    return [y for y, (_, _, saturated) in zip(ys, points, strict=True) if not saturated]


def latency_over_load(key: str, some: Sequence[Curve]) -> tuple[str, Picture]:
    """Claim and picture: latency with bands, hollow marks where saturated."""
    picture = Picture()
    chosen = looks([curve.name for curve in some])
    good = [y for c in some for y in _draw(picture, c, "latency", chosen[c.name], key.partition(".")[2], "cycles")]
    axes = picture.axes
    axes.set_xlabel(_label(key))
    axes.set_ylabel("packet latency [cycles]")
    axes.set_ylim(0, min(CUT * min(good), 1.15 * axes.dataLim.y1) if good else None)
    axes.grid()
    if len(some) > 1:
        axes.legend(frameon=False, labelcolor=INK, fontsize=8)
    return claim(some, key), picture


def accepted_over_load(key: str, some: Sequence[Curve]) -> tuple[str, Picture]:
    """Accepted load; the diagonal is what is offered."""
    picture = Picture()
    chosen = looks([curve.name for curve in some])
    for curve in some:
        _draw(picture, curve, "accepted", chosen[curve.name], key.partition(".")[2], "flits/node/cycle accepted")
    axes = picture.axes
    if key == RATE:
        end = max(x for curve in some for x in curve.xs)
        axes.plot([0, end], [0, end], color=FAINT, linewidth=1, linestyle=":")
    axes.set_xlabel(_label(key))
    axes.set_ylabel("accepted load [flits/node/cycle]")
    axes.set_ylim(bottom=0)
    axes.grid()
    return "Accepted load leaves the diagonal where a network saturates", picture


def throughput(some: Sequence[Curve]) -> tuple[str, Picture]:
    """Bars: the most that each curve accepts."""
    best: list[tuple[str, Value]] = []
    for curve in some:
        values = [value for value in curve.values("accepted") if value is not None]
        if values:
            best.append((curve.name, max(values, key=lambda value: value.mean)))
    picture = Picture(height=0.9 + 0.34 * len(best))
    axes = picture.axes
    chosen = looks([name for name, _ in best])
    bars = axes.barh(
        [name for name, _ in best],
        [value.mean for _, value in best],
        xerr=[value.half or 0 for _, value in best],
        color=[chosen[name]["color"] for name, _ in best],
        ecolor=FAINT,
        capsize=3,
    )
    for bar, (name, value) in zip(bars, best, strict=True):
        picture.say(bar, [f"{name}: {value} flits/node/cycle"])
    axes.invert_yaxis()
    axes.set_xlabel("most accepted load [flits/node/cycle]")
    most, least = max(best, key=lambda one: one[1].mean), min(best, key=lambda one: one[1].mean)
    if len(best) == 1 or least[1].mean == 0:
        return f"The most that is accepted is {most[1].mean:.3g} flits/node/cycle", picture
    gain = 100 * (most[1].mean / least[1].mean - 1)
    return f"{most[0]} accepts {gain:.0f} % more than {least[0]} at the most", picture


def fairness(row: Row, name: str) -> tuple[str, Picture] | None:
    """Bars: what each node gets to send."""
    classes = (row.results or {}).get("classes") or []
    if not classes or not classes[0].get("injected_flits_per_cycle_by_node"):
        return None
    sent = classes[0]["injected_flits_per_cycle_by_node"]
    places = thinned(len(sent), 256)
    picture = Picture(height=2.6)
    bars = picture.axes.bar(places, [sent[n] for n in places], width=0.8, color="#0072b2")
    for bar, n in zip(bars, places, strict=True):
        picture.say(bar, [f"node {n}: {sent[n]:.4g} flits/cycle"])
    picture.axes.set_xlabel("node")
    picture.axes.set_ylabel("sent [flits/cycle]")
    spread = classes[0]["injection_spread_flits_per_cycle"]
    mean = spread["mean"] or 1
    left = "" if len(places) == len(sent) else f"; {len(places)} of {len(sent)} nodes are drawn"
    text = f"Nodes send between {100 * spread['min'] / mean:.0f} % and {100 * spread['max'] / mean:.0f} % of the mean"
    return f"{text}, Jain's index {spread['jain_index']:.3f}: {name}{left}", picture


def latency_by_class(row: Row, name: str) -> tuple[str, Picture] | None:
    """Percentiles of each class of traffic."""
    classes = [c for c in (row.results or {}).get("classes") or [] if "packet_latency_distribution_cycles" in c]
    if not classes:
        return None
    words = ("p50", "p95", "p99", "p99_9")
    picture = Picture(height=2.2 + 0.2 * len(classes))
    for n, one in enumerate(classes):
        spread = one["packet_latency_distribution_cycles"]
        at = [place + n / (len(classes) + 1) for place in range(len(words))]
        look = looks([c["name"] for c in classes])[one["name"]]
        bars = picture.axes.bar(at, [spread[word] for word in words], 1 / (len(classes) + 1), label=one["name"])
        for bar, word in zip(bars, words, strict=True):
            bar.set_facecolor(look["color"])
            picture.say(bar, [f"{one['name']}: {word.replace('_', '.')} {spread[word]:g} cycles"])
    picture.axes.set_xticks(range(len(words)), [word.replace("_", ".") for word in words])
    picture.axes.set_ylabel("packet latency [cycles]")
    if len(classes) > 1:
        picture.axes.legend(frameon=False, labelcolor=INK, fontsize=8)
    first = classes[0]["packet_latency_distribution_cycles"]
    ratio = first["p99"] / first["p50"] if first["p50"] else 0
    return f"One packet of a hundred takes {ratio:.1f} times the median or longer: {name}", picture


def over_time(row: Row, name: str) -> tuple[str, Picture] | None:
    """Flits made and delivered in each batch, and what waits (results.batches)."""
    classes = [c for c in (row.results or {}).get("classes") or [] if "batches" in c]
    if not classes:
        return None
    cycles = row.configuration["simulation"]["batch_cycles"]
    batches = classes[0]["batches"]
    made, came = batches["created_flits"], batches["delivered_flits"]
    times = [cycles * (n + 1) for n in range(len(made))]
    waits, backlog = 0, []
    for more, less in zip(made, came, strict=True):
        waits += more - less
        backlog.append(waits)
    picture = Picture(height=3.6, rows=2)
    above, below = picture.all_axes
    for values, word, colour in ((made, "made", "#d55e00"), (came, "delivered", "#0072b2")):
        [line] = above.plot(times, [v / cycles for v in values], color=colour, marker="o", markersize=3, label=word)
        picture.say(
            line, [f"cycle {t}: {v / cycles:.4g} flits/cycle {word}" for t, v in zip(times, values, strict=True)]
        )
    above.set_ylabel("flits/cycle")
    above.legend(frameon=False, labelcolor=INK, fontsize=8)
    [line] = below.plot(times, backlog, color="#009e73", marker="o", markersize=3)
    picture.say(line, [f"cycle {t}: {b:+d} flits" for t, b in zip(times, backlog, strict=True)])
    below.set_ylabel("change of\nbacklog [flits]")
    below.set_xlabel("cycle of the measurement")
    return f"Backlog changes by {backlog[-1]:+d} flits while measuring: {name}", picture


def while_it_ran(lines: Sequence[Mapping[str, Any]], name: str) -> tuple[str, Picture]:
    """Loads of links, latency and what buffers hold at each look of braid watch --series."""
    loads = [(word, f"link_load_{word}", colour) for word, colour in (("most", "#d55e00"), ("mean", "#0072b2"))]
    rows = [
        ("link load\n[flits/cycle]", loads),
        ("latency\n[cycles]", [("latency", "latency_mean_cycles", "#009e73")]),
        ("in buffers", [("buffered", "buffered", "#cc79a7")]),
    ]
    rows = [(label, each) for label, each in rows if any(line[c] is not None for line in lines for _, c, _ in each)]
    picture = Picture(height=1.6 * len(rows) + 0.4, rows=len(rows))
    for axes, (label, each) in zip(picture.all_axes, rows, strict=True):
        for word, column, colour in each:
            known = [(line["cycle"], line[column]) for line in lines if line[column] is not None]
            xs, ys = [x for x, _ in known], [y for _, y in known]
            [drawn] = axes.plot(xs, ys, color=colour, marker="o", markersize=3, label=word)
            picture.say(drawn, [f"cycle {x:.0f}: {word} {y:.4g}" for x, y in known])
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
        if len(each) > 1:
            axes.legend(frameon=False, labelcolor=INK, fontsize=8)
    picture.all_axes[-1].set_xlabel("cycle")
    worst = max(lines, key=lambda line: line["latency_mean_cycles"] or 0.0)
    latency = worst["latency_mean_cycles"]
    claim = (
        "No packet arrived"
        if latency is None
        else f"Latency peaks at {latency:.4g} cycles in cycle {worst['cycle']:.0f}"
    )
    return f"{claim}: {name}", picture


def by_distance(row: Row, distances: Mapping[tuple[int, int], int], name: str) -> tuple[str, Picture] | None:
    """Mean latency of the flows of each distance (results.flows)."""
    classes = [c for c in (row.results or {}).get("classes") or [] if c.get("flows")]
    if not classes or not distances:
        return None
    sums: dict[int, tuple[float, int]] = {}
    for flow in classes[0]["flows"]:
        hops = distances.get((flow["source_node"], flow["destination_node"]))
        count = flow["latency_cycles"]["count"]
        if hops is not None and count:
            total, packets = sums.get(hops, (0.0, 0))
            sums[hops] = (total + flow["latency_cycles"]["mean"] * count, packets + count)
    if len(sums) < 2:
        return None
    picture = Picture(height=2.6)
    hops = sorted(sums)
    means = [sums[h][0] / sums[h][1] for h in hops]
    [line] = picture.axes.plot(hops, means, color="#0072b2", marker="o", markersize=5)
    picture.say(line, [f"{h} links: {m:.5g} cycles, {sums[h][1]} packets" for h, m in zip(hops, means, strict=True)])
    picture.axes.set_xlabel("distance [links]")
    picture.axes.set_ylabel("mean latency [cycles]")
    picture.axes.set_ylim(bottom=0)
    picture.axes.grid()
    step = (means[-1] - means[0]) / (hops[-1] - hops[0])
    return f"A link more costs {step:.3g} cycles: {name}", picture


def setup_steps(row: Row, name: str) -> tuple[str, Picture] | None:
    """How long each circuit's search took, in the order of the streams."""
    found = ((row.results or {}).get("setup") or {}).get("circuits")
    if not found:
        return None
    picture = Picture(height=0.9 + 0.22 * min(len(found), 60))
    places = thinned(len(found), 60)
    for place, n in enumerate(places):
        one = found[n]
        [bar] = picture.axes.barh([place], [one["setup_cycles"]], color="#d55e00" if one["backtracks"] else "#0072b2")
        picture.say(bar, [f"{one['stream']}: {one['setup_cycles']} cycles, {one['backtracks']} backtracks"])
    picture.axes.set_yticks(range(len(places)), [found[n]["stream"] for n in places], fontsize=7)
    picture.axes.invert_yaxis()
    picture.axes.set_xlabel("cycles from the search's start until the circuit stands")
    turned = sum(1 for one in found if one["backtracks"])
    longest = max(found, key=lambda one: one["setup_cycles"])
    return (
        f"{turned} of {len(found)} searches left a dead end; the longest took {longest['setup_cycles']}: {name}",
        picture,
    )

"""Rows of section 4.3 of tentacle-routing: what tentacle routing gains, and how far from ideal it stays."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import geometric_mean

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.tentacle.networks import REFERENCE
from braid_tools.papers.tentacle.published import FROM_IDEAL, GAIN_ALL, GAIN_HIGH, high_of
from braid_tools.papers.tentacle.rows import Programs
from braid_tools.papers.tentacle.throughputs import IDEAL, SAME_ADAPTIVE, SAME_IDEAL, TENTACLE, Measured

GAIN_TOLERANCE = 0.1
WITHIN_IDEAL = {4: 0.03, 6: 0.05}  # what Braid sets itself
PUSH_ADAPTIVE = REFERENCE


def over_x_first(programs: Programs, names: Iterable[str], size: int, bandwidth: int) -> float:
    """What any routing could gain over X-first at most, in geometric mean: items of X-first's most loaded link over
    what a steady state takes on a network of one-cycle links."""
    of = [programs[name, size] for name in names]
    return geometric_mean(max(1.0, max(p.item_loads().values()) / p.bound(bandwidth)) for p in of)


def behind(m: Measured, size: int, names: Iterable[str]) -> dict[str, float]:
    """Programs whose circuits are slower than the ideal network on the same graph and tiles, and how much."""
    ratios = {b: m.ratio(b, size, SAME_IDEAL, TENTACLE) for b in names}
    return {b: ratio for b, ratio in ratios.items() if ratio > 1 + GAIN_TOLERANCE}


def shared_ports(m: Measured, wide: Measured | None, size: int, names: Iterable[str]) -> str:
    """Circuits of a node are tied to its local ports when they are set up and share a port in turn, while the ideal
    network gives any stream any port. That is why circuits are slower only if they are not in `wide`, the same reading
    with a port for each circuit."""
    far = behind(m, size, names)
    if wide is None or not far or behind(wide, size, far):
        return ""
    said = [f"{b} {ratio:.2f}, {wide.ratio(b, size, SAME_IDEAL, TENTACLE):.2f}" for b, ratio in far.items()]
    return (
        "circuits that share a local port are tied to it; ideal over tentacle on the same graph, and with a port for "
        f"each circuit (node bandwidth 4): {'; '.join(said)}"
    )


def gain_explained(
    m: Measured, size: int, published: float, *, high: bool, programs: Programs, fits: str
) -> Explanation | None:
    """What tentacle routing gains if it is as fast as the ideal network: on the programs' own graphs where that gains
    less than is published; else on the graphs with remedies, programs without circuits running as push-adaptive."""
    names = [b for b in m.benchmarks(size) if not high or b in high_of(size)]
    stand = [b for b in names if b in m.circuits[size]]
    best = m.mean_ratio(size, IDEAL, high=high)
    if best > (1 - GAIN_TOLERANCE) * published * (1 + FROM_IDEAL[size]):
        fell = [b for b in names if b not in m.circuits[size]]
        joined = m.mean_of(stand, size, SAME_IDEAL, PUSH_ADAPTIVE) ** (len(stand) / len(names))
        why = (
            f"the ideal network gains {best:.2f}, but {', '.join(fell) or 'none'} have no circuits and run as "
            "push-adaptive, and the remedies of the others join streams"
        )
        return Explanation(why, joined, GAIN_TOLERANCE * joined)
    limit = over_x_first(programs, names, size, m.reading.ports.circuits)
    as_wide = sum(over_x_first(programs, [b], size, m.reading.ports.circuits) == 1 for b in names)
    why = (
        f"no routing could on {m.reading.graphs} and tiles: the ideal network gains no more; X-first's most loaded "
        f"link has no more items than the busiest stream or node in {as_wide} of {len(names)} programs, which "
        f"bounds any gain over an X-first whose sources do not run ahead by {limit:.2f}"
        f"{lost_without(m, size, names)}{fits}"
    )
    return Explanation(why, best, GAIN_TOLERANCE * best)


def same_graph_row(m: Measured, size: int, published: float, *, high: bool) -> Row:
    """What routing alone gains: both networks have the graph with its remedy. What explains less is that ideal gains
    no more there, and that programs without circuits gain nothing."""
    measured = m.mean_ratio(size, TENTACLE, SAME_ADAPTIVE, high=high)
    what = "high-contention" if high else "all"
    quantity = f"tentacle over push-adaptive on the same graph and tiles, {what}, {size}x{size}, {m.reading.name}"
    names = [b for b in m.benchmarks(size) if not high or b in high_of(size)]
    stand = [b for b in names if b in m.circuits[size]]
    best = m.mean_of(stand, size, SAME_IDEAL, SAME_ADAPTIVE) ** (len(stand) / len(names))
    why = f"the ideal network gains no more on the graphs of those with circuits{lost_without(m, size, names)}"
    explanation = Explanation(why, best, GAIN_TOLERANCE * best)
    return Row("Section 4.3", quantity, "1", published, measured, GAIN_TOLERANCE, explanation=explanation)


def lost_without(m: Measured, size: int, names: Iterable[str]) -> str:
    """Programs without circuits that the ideal network carries faster, for a note."""
    fell = [(b, m.ratio(b, size, IDEAL)) for b in names if b not in m.circuits[size]]
    lost = [f"{b} {ratio:.2f}" for b, ratio in fell if ratio > 1 + GAIN_TOLERANCE]
    return f"; no circuits where ideal is faster: {', '.join(lost)}" if lost else ""


def gain_rows(
    m: Measured, size: int, programs: Programs, others: Iterable[Measured] = (), wide: Measured | None = None
) -> list[Row]:
    """Section 4.3: geometric means. `wide`: the same reading with node bandwidth 4, if this has less."""
    rows = []
    for high, published in ((True, GAIN_HIGH[size]), (False, GAIN_ALL[size])):
        what = "high-contention" if high else "all"
        ratios = [f"{o.reading.name} {o.mean_ratio(size, IDEAL, high=high):.2f}" for o in others]
        fits = f"; ideal over push-adaptive in other readings: {'; '.join(ratios)}" if ratios else ""
        explanation = gain_explained(m, size, published, high=high, programs=programs, fits=fits)
        quantity = f"tentacle over push-adaptive, {what}, {size}x{size}, {m.reading.name}"
        measured = m.mean_ratio(size, TENTACLE, high=high)
        rows.append(Row("Section 4.3", quantity, "1", published, measured, GAIN_TOLERANCE, explanation=explanation))
        rows.append(same_graph_row(m, size, published, high=high))
    stand = m.circuits[size]
    quantity = f"ideal over tentacle on the same graph and tiles, {len(stand)} programs with circuits, {size}x{size}, "
    note = shared_ports(m, wide, size, stand)
    measured = m.mean_of(stand, size, SAME_IDEAL, TENTACLE)
    published = 1 + FROM_IDEAL[size]
    rows.append(Row("Section 4.3", quantity + m.reading.name, "1", published, measured, 0.0, note, at_most=True))
    return rows


def within_rows(m: Measured, size: int) -> list[Row]:
    """Beyond the paper: within 3 % (5 %) of ideal, where circuits stand and over all programs. Over all, what is more
    is what the remedies join and programs without circuits: explained if routing adds no more than the bound."""
    at, bound = f"{size}x{size}, {m.reading.name}", 1 + WITHIN_IDEAL[size]
    stand = m.circuits[size]
    fell = [b for b in m.benchmarks(size) if b not in stand]
    routing = m.mean_of(stand, size, SAME_IDEAL, TENTACLE)
    quantity = f"ideal over tentacle on the same graph and tiles, {len(stand)} programs with circuits, {at}"
    overall = m.mean_ratio(size, IDEAL, TENTACLE)
    joined = [f"{b} {r:.2f}" for b in stand if abs((r := m.ratio(b, size, IDEAL, SAME_IDEAL)) - 1) > GAIN_TOLERANCE]
    lost = [f"{b} {m.ratio(b, size, IDEAL):.2f}" for b in fell]
    why = (
        f"ideal on the program's graph over ideal on the graph with its remedy ({', '.join(joined) or 'all alike'}), "
        f"ideal over push-adaptive without circuits ({', '.join(lost) or 'none'}), and {100 * (bound - 1):.0f} % of "
        "routing"
    )
    return [
        Row("beyond the paper", quantity, "1", bound, routing, 0.0, at_most=True),
        Row("beyond the paper", f"ideal over tentacle, all programs on their own graph, {at}", "1", bound, overall, 0.0,
            explanation=without_routing(m, size, why, bound), at_most=True),
    ]  # fmt: skip


def without_routing(m: Measured, size: int, why: str, bound: float) -> Explanation:
    """Ideal over tentacle, were circuits within the bound of the ideal network on the same graph."""
    of = [m.ratio(b, size, IDEAL, SAME_IDEAL if b in m.circuits[size] else PUSH_ADAPTIVE) for b in m.benchmarks(size)]
    least = geometric_mean(of)
    return Explanation(why, least, least * (bound - 1))


def few_vcs_rows(m: Measured, main: Measured, size: int) -> list[Row]:
    """Table 1's 2 VCs instead of 4: what push-adaptive has of its throughput, and tentacle's gain over that."""
    rows = []
    for high, published in ((True, GAIN_HIGH[size]), (False, GAIN_ALL[size])):
        names = [b for b in m.benchmarks(size) if not high or b in high_of(size)]
        slower = [m.of(b, size)[REFERENCE] / main.of(b, size)[REFERENCE] for b in names if b in m.circuits[size]]
        packets = geometric_mean([*slower, *([1.0] * (len(names) - len(slower)))])
        gain = main.mean_ratio(size, TENTACLE, high=high) / packets
        why = f"circuits carry what they carry with 4 VCs, push-adaptive beside them {packets:.3f} of it"
        explanation = Explanation(why, gain, WITHIN_IDEAL[4] * gain)
        quantity = f"tentacle over push-adaptive, {'high-contention' if high else 'all'}, {size}x{size}, "
        measured = m.mean_ratio(size, TENTACLE, high=high)
        rows.append(Row("Section 4.3", quantity + m.reading.name, "1", published, measured, GAIN_TOLERANCE,
                        explanation=explanation))  # fmt: skip
    return rows

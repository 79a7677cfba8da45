"""Other shapes than the benchmark's: asymmetric trees (section 1), the other contamination (section 3.1), bursts of
other lengths (section 4), two rings in the Phi (section 4.4)."""

from __future__ import annotations

from dataclasses import replace

from braid_tools.comparison import Kind, Row
from braid_tools.papers.rings.platforms import PHI, PHI_TWO_RINGS, TILE, Costs, Platform
from braid_tools.papers.rings.points import ARITIES, Point, Runs, largest
from braid_tools.papers.rings.statements import holds

Panels = dict[str, tuple[str, str, dict[str, tuple[list[float], list[float]]]]]
SLIGHTLY = 1.25  # as much as "slightly better" is in the other rows, .80


def asymmetric_rows(runs: Runs, platform: Platform, costs: Costs) -> list[Row]:
    """Section 1: "In comparison to asymmetric topologies, they provide better throughput in exchange for slightly worse
    latency"; section 4: balanced trees "achieve better throughput than skewed/asymmetric trees"."""
    ring = Point(platform.name, "DR", 2, costs)
    balanced, tree = (runs[replace(ring, variant=v, arity=k)] for v, k in (("BT", 2), ("LT", 0)))
    at = runs[ring]
    what = f"{platform.name}: the LogP-optimal tree over"
    slower, more = at.latency / tree.latency, tree.throughput / at.throughput
    return [
        Row("section 1", f"{what} DR2: throughput", "1", 1, more, 0.0, at_most=True, quote="better throughput"),
        Row(
            "section 1",
            f"{platform.name}: latency DR2 over the LogP-optimal tree's",
            "1",
            1,
            slower,
            0.0,
            most=SLIGHTLY,
            quote="slightly worse latency",
        ),
        Row(
            "section 4",
            f"{what} BT2: throughput",
            "1",
            1,
            tree.throughput / balanced.throughput,
            0.0,
            at_most=True,
            quote="they achieve better throughput than skewed/asymmetric trees",
        ),
    ]


def contamination_rows(runs: Runs, costs: Costs) -> list[Row]:
    """Section 3.1, of 72 nodes: what removing positions costs in parallel edges, and what adding does in the path."""
    rings = {k: Point(TILE.name, "DR", k, costs) for k in ARITIES}
    runs.prepare([*rings.values(), *(replace(p, added=True) for p in rings.values())])
    both = {k: (runs[p], runs[replace(p, added=True)]) for k, p in rings.items()}
    removed = [k for k, (less, more) in both.items() if less.messages != more.messages]
    faster = [k for k in removed if both[k][1].latency < both[k][0].latency]
    shown = ", ".join(f"{k}: {both[k][1].latency / both[k][0].latency:.2f}" for k in removed)
    longer = {k: more.path - less.path for k, (less, more) in both.items()}
    grown = ", ".join(f"{k}: {longer[k]}" for k in removed)
    return [
        holds(
            "section 3.1",
            f"72 nodes: further positions only take latency off where others are removed ({shown})",
            true=faster == removed and bool(removed),
            quote="this is beneficial",
        ),
        holds(
            "section 3.1",
            f"72 nodes: ... but lengthen the longest path, in messages ({grown})",
            true=min(longer.values()) >= 0 and max(longer.values()) > 0,
            note="by one at arity 4 only: at arities 2 and 5 the level less takes two messages off that the chains add",
            quote="the length of the longest path is also increased",
        ),
    ]


def burst_rows(runs: Runs, costs: Costs) -> list[Row]:
    """Stated throughput as the largest of bursts up to 128, at costs fitted to bursts of 128: the other reading."""
    rows = []
    for k in (6, 2, 1):
        point = Point(TILE.name, "DR", k, costs)
        best = largest(runs, point)
        rows.append(
            Row(
                "section 4.5",
                f"{TILE.name}, DR{k}: largest throughput of bursts up to 128, fitted to bursts of 128",
                "1/us",
                TILE.stated["DR", k][1],
                best,
                0.06,
                f"{best / runs[point].throughput:.3f} of that of 128: what the root settles last is not in a burst",
            )
        )
    return rows


def two_ring_rows(runs: Runs, costs: Costs) -> list[Row]:
    """The Phi with both of its rings, at the costs fitted over one: what the reading is worth."""
    rows = []
    for variant, k in (("DR", 2), ("DR", 3), ("BT", 2)):
        one, two = (runs[Point(p.name, variant, k, costs)] for p in (PHI, PHI_TWO_RINGS))
        for figure in ("latency", "throughput"):
            ratio = getattr(two, figure) / getattr(one, figure)
            what = f"Xeon Phi, {variant}{k}: {figure} over two rings over that over one"
            rows.append(Row("section 4.4", what, "1", 1, ratio, 0.05, stated_kind=Kind.OWN))
    return rows


def picture(runs: Runs, platform: Platform, costs: Costs) -> Panels:
    """Latency over throughput: rings, rings with further positions only, balanced trees, the asymmetric tree."""
    lines = {}
    for name, variant, added in (("DR", "DR", False), ("DR, added only", "DR", True), ("BT", "BT", False)):
        at = [runs[Point(platform.name, variant, k, costs, added=added)] for k in ARITIES[1:]]
        lines[f"{name}, arity 2 to 6"] = ([f.throughput for f in at], [f.latency for f in at])
    tree = runs[Point(platform.name, "LT", 0, costs)]
    lines["LogP-optimal tree"] = ([tree.throughput], [tree.latency])
    return {f"{platform.name}: rings have more throughput than any tree": ("broadcasts/us", "latency, us", lines)}

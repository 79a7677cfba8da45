"""Figures 2 to 5 of diamond-rings."""

from __future__ import annotations

from dataclasses import replace

from braid_tools import plots
from braid_tools.comparison import Row
from braid_tools.papers.rings import all_reduce, fit, hypotheses, machines, shapes
from braid_tools.papers.rings.platforms import (
    PHI,
    PHI_TWO_RINGS,
    PLAIN,
    PLATFORMS,
    TILE,
    TILE_COSTS,
    TILE_FROM_DR2,
    TILE_HYBRID,
    XEON,
    Costs,
    Platform,
)
from braid_tools.papers.rings.points import ARITIES, VARIANTS, Point, Runs, figure_points
from braid_tools.study import Study

Panels = dict[str, tuple[str, str, dict[str, tuple[list[float], list[float]]]]]
Fitted = list[tuple[Platform, Costs]]


def table(study: Study, runs: Runs, fitted: Fitted) -> None:
    """figures.csv: a line a point."""
    columns = ["machine", "variant", "arity", "companion", "merged", "added only", "us", "per us", "path", "messages"]
    lines = []
    for platform, costs in fitted:
        points = [p for p in figure_points(platform, costs) if not (study.quick and (p.companion or p.merged))]
        runs.prepare(points)
        for p in points:
            at = runs[p]
            figures = [f"{at.latency:.3f}", f"{at.throughput:.4f}", at.path, at.messages]
            lines.append([p.platform, p.variant, p.arity, p.companion, p.merged, p.added, *figures])
    study.table("figures.csv", columns, lines)


def trade_off(runs: Runs, fitted: Fitted) -> Panels:
    """Figure 5: latency over throughput, a line a variant; below it without arity 1, as in the paper."""
    panels: Panels = {}
    for arities in (ARITIES, ARITIES[1:]):
        for platform, costs in fitted:
            lines = {}
            for v in VARIANTS:
                at = [runs[Point(platform.name, v, k, costs)] for k in arities]
                lines[v] = ([f.throughput for f in at], [f.latency for f in at])
            title = f"{platform.name}, arity {arities[0]} to {arities[-1]}"
            panels[title] = ("broadcasts/us", "latency, us", lines)
    return panels


def by_arity(runs: Runs, platform: Platform, costs: Costs) -> Panels:
    """Figures 2 to 4: latency and throughput over the arity."""
    arities = [float(k) for k in ARITIES[:3]]
    latency, throughput = {}, {}
    for v in VARIANTS:
        at = [runs[Point(platform.name, v, int(k), costs)] for k in arities]
        latency[v] = (arities, [f.latency for f in at])
        throughput[v] = (arities, [f.throughput for f in at])
    return {
        f"{platform.name}: latency": ("arity", "us", latency),
        f"{platform.name}: throughput": ("arity", "1/us", throughput),
    }


def pictures(study: Study, runs: Runs, fitted: Fitted) -> None:
    """Figures 2 to 5."""
    for number, (platform, costs) in enumerate(fitted, start=2):
        plots.panels(study.folder / f"fig{number}.png", by_arity(runs, platform, costs))
    plots.panels(study.folder / "fig5.png", trade_off(runs, fitted))
    shown: Panels = {}
    for platform, costs in fitted:
        shown |= shapes.picture(runs, platform, costs)
    plots.panels(study.folder / "shapes.png", shown)


def tested(study: Study, runs: Runs, sets: Fitted) -> list[Row]:
    """Both hypotheses on every machine: the TILE as a mesh of routers, as an ideal network knows no places."""
    arities, draws = ((1, 2, 6), 6) if study.quick else (ARITIES, 10)
    found = [at for p, c in sets for at in hypotheses.tested(runs, p, c, arities, draws)]
    columns = ["machine", "arity", "latency DR/BT", "half", "throughput DR/BT", "half", "path DR", "path BT"]
    study.table("hypotheses.csv", columns, (at.row() for at in found))
    return hypotheses.rows(found)


def named(row: Row) -> Row:
    """Every row says whether its figure is fitted, predicted with costs fitted elsewhere, or the structure's alone."""
    if "fitted" in row.quantity or "predicted" in row.quantity:
        return row
    kind = {"fit": "fitted", "section 3.3": "structure", "section 3.4": "structure"}.get(row.figure, "predicted")
    return replace(row, quantity=f"{row.quantity}; {kind}")


def reproduce(study: Study) -> None:
    """Every row; quickly the TILE's only, with its costs as they were found."""
    runs = Runs(study, (*PLATFORMS, TILE_HYBRID, PHI_TWO_RINGS))
    fits = {"TILE-Gx72": TILE_COSTS, "TILE-Gx72 from DR2": TILE_FROM_DR2}
    fitted: Fitted = [(TILE, TILE_COSTS)]
    if not study.quick:
        fits["TILE-Gx72 from DR2"] = fit.one_point(runs, TILE, ("DR", 2), PLAIN)
    rows = machines.tile_rows(runs, fits["TILE-Gx72 from DR2"])
    if study.quick:
        print("Xeon E5 and Xeon Phi, the search for costs: only without --quick")
    else:
        again = fit.all_stated(runs, TILE, TILE_COSTS)
        gain = fit.worst(runs, TILE, TILE_COSTS) - fit.worst(runs, TILE, again)
        rows.append(
            Row("fit", "TILE-Gx72: what a search from the costs kept gains", "1", 0.002, gain, 0.0, at_most=True)
        )
        for platform, point in ((XEON, ("DR", 1)), (PHI, ("DR", 2))):
            fits[platform.name] = fit.one_point(runs, platform, point, TILE_COSTS)
            fitted.append((platform, fits[platform.name]))
        rows += machines.xeon_rows(runs, fits[XEON.name]) + machines.phi_rows(runs, fits[PHI.name])
        rows += shapes.two_ring_rows(runs, fits[PHI.name])
    rows += shapes.contamination_rows(runs, TILE_COSTS) + shapes.burst_rows(runs, TILE_COSTS)
    rows += [row for platform, costs in fitted for row in shapes.asymmetric_rows(runs, platform, costs)]
    rows += tested(study, runs, [(TILE_HYBRID, TILE_COSTS), *fitted[1:]])
    study.table("costs.csv", ["fit", *vars(TILE_COSTS)], fit.costs_table(fits))
    table(study, runs, fitted)
    pictures(study, runs, fitted)
    if not study.quick:
        all_reduce.compared(study)
    study.compare([named(row) for row in rows])

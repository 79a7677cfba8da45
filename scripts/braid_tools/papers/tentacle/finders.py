"""Finders of link-disjoint paths compared: on MIT's layouts of the nine benchmarks, on random layouts of them, and on
random demands (paper: tentacle-routing, sections 2.2 and 3; docs/disjoint-paths.md).

The paper says that tentacle routing "discovered disjoint paths in all our benchmarks"; a row a benchmark holds that
against MIT's partition with a stream an edge, with the proof where there are none.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.tentacle.networks import EXPERIMENT, GRAPHS, PACKET
from braid_tools.papers.tentacle.programs import program
from braid_tools.program import Run, circuits, in_parallel
from braid_tools.study import Study

LAYOUTS = 1000
MOST_LINKS = 4  # of a router of a mesh: an actor with more streams in or out has no disjoint paths on any layout
RANDOM = "random layouts with disjoint paths, found by tentacle, over all layouts; published: those that have any"
SEQUENTIAL_BAND = 0.1  # of success rates: the routers search in another order than the sequential finder
FOUND = "disjoint paths on MIT's layout, a stream an edge, found by tentacle"
COUNTED = ["found", "none", "unknown", "none_by_one_router", "success_rate", "low_95", "high_95", "excess_links"]
OWN = ["graph", "streams", "streams_on_x_first_link", "finder", "own_layout", "own_links", "own_longest"]
COLUMNS = [*OWN, "random_layouts", "proved_by", *COUNTED, "cpu_seconds"]
DEMAND_COLUMNS = ["mesh", "streams", "sets", "finder", *COUNTED, "cpu_seconds_a_set"]
#: Width of a square mesh -> streams between random routers: from hardly any trouble to hardly any hope.
DEMANDS = {
    4: (6, 8, 10, 12, 14),
    6: (12, 16, 20, 24, 28),
    8: (16, 24, 32, 40, 48),
    16: (48, 64, 80, 96, 112),
}


def job(graph: Path, width: int, **settings: object) -> Run:
    """A stream graph on a square mesh; queues as long as any firing needs, for nothing runs."""
    mesh = {"topology.width": width, "topology.height": width}
    queues = {"interface.stream_queue_items": 1000000}
    return Run(graph.stem, EXPERIMENT, {"stream.graph": graph, **mesh, **PACKET, **queues, **settings})


def width_of(graph: Path) -> int:
    """FMRadio_4x4.toml -> 4."""
    return int(graph.stem.split("x")[-1])


def own_and_random(graph: Path, layouts: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answers on the graph's own layout, and counts over random ones."""
    own = circuits(job(graph, width_of(graph)))
    degree = program(graph, width_of(graph)).degree()
    if degree > MOST_LINKS:
        return own, excluded(own, degree, layouts)
    drawn = circuits(job(graph, width_of(graph), **{"disjoint.layouts": layouts}))
    return own, drawn | {"proved_by": "layouts"}


def excluded(own: dict[str, Any], degree: int, layouts: int) -> dict[str, Any]:
    """The counts where an actor has more streams than any router has links: of that many layouts, whichever they are,
    none has disjoint paths, and one router is the proof. The finders that do not prove say unknown. No search."""
    rates = dict.fromkeys(("success_rate", "success_low_95", "success_high_95"), 0.0)
    finders = []
    for name in (finder["finder"] for finder in own["finders"]):
        proofs = layouts if name == "exact" else 0
        counts = {"found": 0, "none": proofs, "unknown": layouts - proofs, "none_by_one_router": proofs}
        finders.append({"finder": name, **counts, **rates, "cpu_seconds": 0.0})
    return {"layouts": layouts, "finders": finders, "proved_by": f"degree {degree}"}


def counted(finder: dict[str, Any]) -> list[object]:
    """A finder's columns of COUNTED: found to excess_links."""
    rates = [f"{finder[key]:.4f}" for key in ("success_rate", "success_low_95", "success_high_95")]
    excess = finder.get("excess_links_mean")
    counts = [finder[key] for key in ("found", "none", "unknown", "none_by_one_router")]
    return [*counts, *rates, "" if excess is None else f"{excess:.3f}"]


def own_columns(finder: dict[str, Any]) -> list[object]:
    """A finder's columns from finder to own_longest."""
    return [finder["finder"], finder["answer"], finder.get("total_links", ""), finder.get("longest_links", "")]


def table_rows(own: dict[str, Any], drawn: dict[str, Any]) -> list[list[object]]:
    """Of one graph, a row a finder."""
    head = [own["graph"], own["streams"], f"{own['most_streams_on_a_link']:g}"]
    return [
        [*head, *own_columns(one), drawn["layouts"], drawn["proved_by"], *counted(many), f"{many['cpu_seconds']:.3f}"]
        for one, many in zip(own["finders"], drawn["finders"], strict=True)
    ]


def statement(own: dict[str, Any]) -> Row:
    """What the paper says of every benchmark; a proof that there is no such thing explains the difference."""
    answers = {finder["finder"]: finder for finder in own["finders"]}
    found = int(answers["tentacle"]["answer"] == "found")
    exact = answers["exact"]
    proof = exact.get("because", exact.get("proof", ""))
    none = Explanation(f"no paths exist ({proof}): {exact['proof']}", 0, 0) if exact["answer"] == "none" else None
    return Row("section 3", f"{own['graph']}: {FOUND}", "holds", 1, found, 0.0, explanation=none)


def bound_row(graph: str, drawn: dict[str, Any]) -> Row:
    """Success over random layouts beside the exact optimum's. Where another finder that sees the whole network comes
    close to the optimum, it is the search stream by stream that loses: then it finds what sequential search finds."""
    rate = {finder["finder"]: finder["success_rate"] for finder in drawn["finders"]}
    least, bound = rate["tentacle"], rate["exact"]
    near = rate["negotiated"] >= 0.95 * bound
    why = f"one stream after the other, as sequential search; negotiated {rate['negotiated']:.3f}"
    explanation = Explanation(why, rate["sequential"], SEQUENTIAL_BAND) if near else None
    quantity = f"{graph}: {drawn['layouts']} {RANDOM}"
    return Row("beyond the paper", quantity, "1", bound, least, 0.05, explanation=explanation)


def random_graph(path: Path, width: int, streams: int) -> Path:
    """An actor a router, and streams between any two of them, none twice, without cycles."""
    rng = random.Random(f"{width} {streams}")
    actors = range(width * width)
    edges: set[tuple[int, int]] = set()
    while len(edges) < streams:
        a, b = sorted(rng.sample(actors, 2))
        edges.add((a, b))
    used = sorted({end for edge in edges for end in edge})
    lines = [f'name = "random_{streams}"', "actor = ["]
    lines += [f'  {{name = "a{a}", work = 1}},' for a in used] + ["]", "edge = ["]
    lines += [f'  {{from = "a{a}", to = "a{b}"}},' for a, b in sorted(edges)] + ["]"]
    path.write_text("\n".join(lines) + "\n")
    return path


def demand_rows(folder: Path, width: int, streams: int, sets: int) -> list[list[object]]:
    """A row a finder: success on layouts of one random graph."""
    graph = random_graph(folder / f"random_{width}_{streams}.toml", width, streams)
    drawn = circuits(job(graph, width, **{"disjoint.layouts": sets, "stream.anneal": False}))
    return [
        [f"{width}x{width}", streams, sets, f["finder"], *counted(f), f"{f['cpu_seconds'] / sets:.5f}"]
        for f in drawn["finders"]
    ]


def compare_finders(study: Study, layouts: int = LAYOUTS) -> list[Row]:
    """Writes finders.csv, with that many random layouts (20 of a quick study); two rows for each benchmark."""
    graphs = sorted(GRAPHS.glob("*_4x4.toml" if study.quick else "*.toml"))
    found = in_parallel(lambda graph: own_and_random(graph, 20 if study.quick else layouts), graphs)
    study.table("finders.csv", COLUMNS, [row for one in found for row in table_rows(*one)])
    return [row for own, drawn in found for row in (statement(own), bound_row(own["graph"], drawn))]


def compare_on_demands(study: Study, most_sets: int = 100) -> None:
    """Writes demands.csv; large meshes and quick studies have fewer sets."""
    points = [(w, s) for w, all_streams in DEMANDS.items() for s in all_streams if not study.quick or w == 4]

    def sets(width: int) -> int:
        return min(most_sets, 20) if study.quick or width > 8 else most_sets

    rows = in_parallel(lambda point: demand_rows(study.folder, *point, sets(point[0])), points)
    study.table("demands.csv", DEMAND_COLUMNS, [row for point in rows for row in point])

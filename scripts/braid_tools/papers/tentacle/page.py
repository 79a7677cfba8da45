"""The tables of docs/tentacle.md, from the last full run that was recorded (docs/results/tentacle_*.csv)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from statistics import geometric_mean

from braid_tools import recorded
from braid_tools.papers.tentacle.networks import NETWORKS, REFERENCE
from braid_tools.papers.tentacle.published import BENCHMARKS, SIZES, high_of, published_set_up
from braid_tools.papers.tentacle.readings import ALL, HIGH, PULL, published
from braid_tools.papers.tentacle.throughputs import (
    BRAIDS,
    EQUAL_STREAMS,
    IDEAL,
    MITS,
    OWN_RATES,
    SAME,
    SAME_ADAPTIVE,
    SAME_IDEAL,
    TENTACLE,
)
from braid_tools.program import ROOT

RESULTS = ROOT / "docs" / "results"
PLACES = [(b, size) for b in BENCHMARKS for size in SIZES]
CLASSES = (HIGH, ALL)
Line = dict[str, str]  # of a CSV file, by column


@cache
def lines(file: str) -> tuple[Line, ...]:
    """Of docs/results/tentacle_FILE.csv."""
    return tuple(recorded.read(RESULTS / f"tentacle_{file}.csv"))


def markdown(cells: Iterable[object]) -> str:
    """A row."""
    return f"| {' | '.join(map(str, cells))} |"


def saturations(graphs: str, vcs: int = 4) -> dict[tuple[str, int], dict[str, float]]:
    """Iterations/kilocycle by program, mesh and network: own rates, node bandwidth 4."""
    of = [r for r in lines("throughputs") if (r["graphs"], r["rates"], r["bandwidth"], r["VCs"]) ==
          (graphs, OWN_RATES, "4", str(vcs)) and r["joiners"] == "actors"]  # fmt: skip
    return {(r["benchmark"], int(r["size"])): {n: float(r[n]) for n in (*NETWORKS, *SAME) if r[n] != ""} for r in of}


def mean_gain(graphs: str, size: int, which: str, network: str, to: str = REFERENCE, vcs: int = 4) -> float:
    """One network over another, geometric mean."""
    values = saturations(graphs, vcs)
    names = high_of(size) if which == HIGH else BENCHMARKS
    return geometric_mean(values[b, size][network] / values[b, size][to] for b in names)


def saturation_table(graphs: str) -> list[str]:
    """A row a program and mesh: push-adaptive, and the others over it."""
    others = [n for n in (*NETWORKS, *SAME) if n != REFERENCE]
    others.sort(key=["pull, X-first", PULL, "push, X-first", TENTACLE, IDEAL, SAME_ADAPTIVE, SAME_IDEAL].index)
    rows, found = [], saturations(graphs)
    for place in PLACES:
        values = found[place]
        ratios = [f"{values[n] / values[REFERENCE]:.2f}" for n in others]
        rows.append(markdown([f"{place[0]}, {place[1]}x{place[1]}", f"{values[REFERENCE]:.1f}", *ratios]))
    return rows


def gain_table() -> list[str]:
    """Tentacle over push-adaptive, and what bounds it."""
    places = [(size, which) for size in SIZES for which in CLASSES]
    rows = {"published": [published(size, which, TENTACLE) for size, which in places]}
    asked = {
        "MIT's graphs": (MITS, TENTACLE, REFERENCE, 4),
        "the same, 2 VCs": (MITS, TENTACLE, REFERENCE, 2),
        "Braid's graphs": (BRAIDS, TENTACLE, REFERENCE, 4),
        "MIT's graphs, both networks on tentacle's graph": (MITS, TENTACLE, SAME_ADAPTIVE, 4),
        "Braid's graphs, both networks on tentacle's graph": (BRAIDS, TENTACLE, SAME_ADAPTIVE, 4),
        "ideal over push-adaptive, MIT's graphs": (MITS, IDEAL, REFERENCE, 4),
        "ideal over push-adaptive, Braid's graphs": (BRAIDS, IDEAL, REFERENCE, 4),
    }
    for name, (graphs, network, to, vcs) in asked.items():
        rows[name] = [mean_gain(graphs, size, which, network, to, vcs) for size, which in places]
    return [markdown([name, *(f"{value:.2f}" for value in values)]) for name, values in rows.items()]


Reading = tuple[str, ...]  # graphs, rates, joiners, bandwidth, as CSV files say them


def readings() -> dict[Reading, dict[tuple[int, str, str], float]]:
    """What each reading gives over push-adaptive, by mesh, class and network; its distance under (0, "", "")."""
    found: dict[Reading, dict[tuple[int, str, str], float]] = {}
    for r in lines("distances"):
        cells = found.setdefault((r["graphs"], r["rates"], r["joiners"], r["bandwidth"]), {})
        cells[0, "", ""] = float(r["of the reading"])
        cells[int(r["size"]), r["programs"], r["network"]] = float(r["to push, adaptive"])
    return found


def distance_table() -> list[str]:
    """MIT's graphs with joiners as actors, the nearest reading first: tentacle / ideal / pull over push-adaptive."""
    of = [(key, cells) for key, cells in readings().items() if key[0] == MITS and key[2] == "actors"]
    rows = []
    for key, cells in sorted(of, key=lambda one: one[1][0, "", ""]):
        ratios = [
            " / ".join(f"{cells[size, which, n]:.2f}" for n in (TENTACLE, IDEAL, PULL))
            for size in SIZES
            for which in CLASSES
        ]
        rows.append(markdown([f"{key[1]}, {key[3]}", *ratios, f"{cells[0, '', '']:.3f}"]))
    pairs = [
        " / ".join(f"{published(size, which, n):.2f}" for n in (TENTACLE, IDEAL)) for size in SIZES for which in CLASSES
    ]
    return [*rows, markdown(["published", *pairs, ""])]


def short(remedy: str) -> str:
    """A remedy as the page's tables say it."""
    said = remedy.replace(" streams an actor", "").replace("partitioned for ", "").replace(" of the tiles", "")
    said = said.replace("Braid's layout of 100,000 moves", "new layout")
    return said.replace("Braid's layout of 500,000 moves", "new layout, long")


def standing(graphs: str) -> dict[tuple[str, int], Line]:
    """Of each program the line of the remedy with which its circuits stand."""
    return {
        (r["benchmark"], int(r["size"])): r
        for r in lines("remedies")
        if r["graphs"] == graphs and r["verdict"] == "circuits"
    }


def remedy_table() -> list[str]:
    """A row a program: remedy and streams, MIT's graphs on 4x4 and 6x6, then Braid's."""
    rows = []
    for benchmark in BENCHMARKS:
        found = [standing(graphs).get((benchmark, size)) for graphs in (MITS, BRAIDS) for size in SIZES]
        cells = [f"{short(r['remedy'])}; {r['streams']}" if r else "**none stands**" for r in found]
        rows.append(markdown([benchmark, *cells]))
    return rows


def set_up_table() -> list[str]:
    """Table 3 beside MIT's graphs and Braid's."""
    rows = []
    for benchmark, size in PLACES:
        cells: list[str] = []
        for graphs in (MITS, BRAIDS):
            r = standing(graphs).get((benchmark, size))
            if r is None:
                cells += ["none stands", "", "", ""]
                continue
            total = f"{int(r['total']):,} ({r['orders']})"
            cells += [r["streams"], f"{r['min']}, {r['max']}", f"{float(r['average']):.2f}", total]
        p = published_set_up(benchmark, size)
        there = [p.slots, f"{p.least}, {p.most}", f"{p.average:.2f}", f"{p.total:,}"]
        rows.append(markdown([f"{benchmark}, {size}x{size}", *cells, *there]))
    return rows


def by_remedy_table() -> list[str]:
    """Table 3 by remedy: geometric means over the programs that stand with it."""
    rows = []
    for graphs in (MITS, BRAIDS):
        by: dict[str, list[tuple[tuple[str, int], Line]]] = {}
        for place, line in standing(graphs).items():
            by.setdefault(line["remedy"], []).append((place, line))
        for remedy, of in by.items():
            average, total, orders = (
                geometric_mean(float(r[k]) for _, r in of) for k in ("average", "total", "orders")
            )
            there = [published_set_up(*place) for place, _ in of]
            average_there = geometric_mean(p.average for p in there)
            total_there = geometric_mean(p.total for p in there)
            least = min(int(r["min"]) for _, r in of)
            rows.append(
                markdown([graphs.removesuffix(" graphs"), short(remedy), len(of), least,
                          f"{average:.2f} ({average_there:.2f})", f"{total:,.0f} ({total_there:,.0f})",
                          f"{orders:.1f}"])
            )  # fmt: skip
    return rows


TABLES = {
    "mits": lambda: saturation_table(MITS),
    "braids": lambda: saturation_table(BRAIDS),
    "gains": gain_table,
    "distances": distance_table,
    "remedies": remedy_table,
    "set_ups": set_up_table,
    "by_remedy": by_remedy_table,
}


def figures() -> dict[str, str]:
    """Those of the text: what the nearest reading and PopNet's give, and how many readings are nearer than some."""
    by_distance = sorted((cells[0, "", ""], key) for key, cells in readings().items())
    nearest = readings()[by_distance[0][1]]
    equal = readings()[MITS, EQUAL_STREAMS, "actors", "4, of packets 1, one queue a node"]
    found = {
        "readings": str(len(by_distance)),
        "nearest": f"{by_distance[0][0]:.3f}",
        "equal_distance": f"{equal[0, '', '']:.3f}",
    }
    for network in (TENTACLE, IDEAL):
        for size in SIZES:
            for which in CLASSES:
                found[f"nearest_{network}_{size}_{which}"] = f"{nearest[size, which, network]:.2f}"
    return found

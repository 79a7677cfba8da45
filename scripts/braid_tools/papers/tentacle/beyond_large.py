"""Tentacle routing on 8x8 and 16x16 meshes: Braid's partitions of the nine programs for 64 and 256 tiles, laid out by
its annealer, on packets, on circuits and on the ideal network.

The paper stops at 6x6. What a program's structure gives bounds how far it spreads: a partition may leave tiles empty.
"""

from __future__ import annotations

from dataclasses import dataclass

from braid_tools.comparison import Row
from braid_tools.papers.tentacle import own_graphs, remedies, throughputs
from braid_tools.papers.tentacle.networks import EXPERIMENT, PUSH_X, REFERENCE
from braid_tools.papers.tentacle.points import Setting, Windows
from braid_tools.papers.tentacle.programs import program
from braid_tools.papers.tentacle.published import BENCHMARKS
from braid_tools.papers.tentacle.remedies import Remedy, Tried
from braid_tools.papers.tentacle.throughputs import IDEAL, OURS, SAME_IDEAL, TENTACLE, Measured
from braid_tools.program import in_parallel
from braid_tools.study import Study

SIZES = (8, 16)
WINDOWS = Windows(5_000, 10_000, 3, (0.4, 0.7, 1.0))  # coarse: a saturation throughput is up to a third low
NETWORKS = (PUSH_X, REFERENCE, TENTACLE, IDEAL)
WITHIN_IDEAL = 0.05  # what Braid sets itself on 6x6
LEAST_SET_UP = 5  # cycles: a path of one link (Table 3)
# Annealing costs ten times as much on 16x16: the first of each kind, and the last.
LARGE = {
    8: remedies.REMEDIES,
    16: (Remedy(0, own_layout=False), Remedy(4, own_layout=False), Remedy(2, own_layout=True)),
}


@dataclass(frozen=True)
class Large:
    """One mesh: what stands, and how fast."""

    size: int
    tried: dict[Setting, Tried]
    measured: Measured

    def actors(self, setting: Setting) -> int:
        """Of the partition, before any remedy."""
        return len(program(setting.graph, setting.size).tiles)


def setting_of(study: Study, benchmark: str, size: int) -> Setting:
    """A program laid out on a mesh; its graph is kept, as a layout takes up to half a minute."""

    def make() -> str:
        (setting,) = throughputs.settings_of(study, OURS, [benchmark], [size])
        return setting.graph.read_text()

    source = own_graphs.PROGRAMS / f"{own_graphs.FILES[benchmark]}.str"
    graph = study.folder / f"large_{benchmark}_{size}x{size}.toml"
    graph.write_text(study.kept(f"laid out on {size}x{size}", [source, EXPERIMENT], make))
    return Setting(benchmark, size, graph, OURS.bandwidth, OURS.vcs)


def measure(study: Study, size: int, benchmarks: tuple[str, ...] = BENCHMARKS) -> Large:
    """All programs on one mesh."""
    settings = in_parallel(lambda b: setting_of(study, b, size), benchmarks)
    found = in_parallel(lambda s: remedies.first_that_stands(study, s, LARGE[size]), settings)
    tried = dict(zip(settings, found, strict=True))
    by_name = {(s.benchmark, s.size): said for s, said in tried.items()}
    return Large(size, tried, throughputs.measure(study, OURS, settings, by_name, WINDOWS, NETWORKS))


def set_up(found: Tried) -> dict[str, float]:
    """Cycles of the circuits that stand, orders tried; empty where none do."""
    remedy = remedies.stands(found)
    if remedy is None:
        return {}
    said = found[remedy]["setup"]
    cycles = [c["setup_cycles"] for c in said["circuits"]]
    return {
        "min": min(cycles),
        "max": max(cycles),
        "average": sum(cycles) / len(cycles),
        "total": said["total_cycles"],
        "orders": said["orders_tried"],
    }


COLUMNS = ["size", "benchmark", "actors", "streams", "remedy", "circuits", "set-up min", "max", "average", "total"]
COLUMNS += ["orders", *NETWORKS, SAME_IDEAL]


def table(large: Large) -> list[list[object]]:
    """large.csv: a line a program."""
    lines: list[list[object]] = []
    for setting, values in large.measured.throughputs.items():
        found = large.tried[setting]
        remedy = remedies.stands(found)
        times = set_up(found)
        streams = len(program(setting.graph, setting.size).streams)
        line = [setting.size, setting.benchmark, large.actors(setting), streams]
        line += [remedy.name if remedy else "none stands"]
        line += [len(found[remedy]["setup"]["circuits"]) if remedy else 0]
        line += [f"{times[k]:g}" if times else "" for k in ("min", "max", "average", "total", "orders")]
        lines.append(line + [f"{values[n]:.4f}" for n in (*NETWORKS, SAME_IDEAL)])
    return lines


def within_rows(m: Measured, size: int) -> list[Row]:
    """How far from ideal: where circuits stand, and over all programs, where it splits into routing, what the remedies
    join and programs without circuits. Explained if it is not routing."""
    stand, bound = m.circuits[size], 1 + WITHIN_IDEAL
    routing = m.mean_of(stand, size, SAME_IDEAL, TENTACLE)
    fell = [f"{b} {m.ratio(b, size, IDEAL, TENTACLE):.2f}" for b in m.benchmarks(size) if b not in stand]
    remedied = m.mean_of(stand, size, IDEAL, SAME_IDEAL)
    note = (
        f"routing {routing:.3f} where circuits stand; ideal on the program's graph over ideal on the graph with its "
        f"remedy {remedied:.2f}; without circuits, as push-adaptive: {', '.join(fell) or 'none'}"
    )
    at = f"{size}x{size}, {m.reading.name}"
    return [
        Row("beyond the paper", f"ideal over tentacle on the same graph and tiles, {len(stand)} programs with "
            f"circuits, {at}", "1", bound, routing, 0.0, at_most=True),
        Row("beyond the paper", f"ideal over tentacle, all programs on their own graph, {at}", "1", bound,
            m.mean_ratio(size, IDEAL, TENTACLE), 0.0, note if routing <= bound else "", at_most=True),
    ]  # fmt: skip


def rows(large: Large) -> list[Row]:
    """Distance to ideal, tentacle over push-adaptive, circuits that stand, the shortest set-up."""
    m, size = large.measured, large.size
    at = f"{size}x{size}, {m.reading.name}"
    names = m.benchmarks(size)
    stand = m.circuits[size]
    slower = [b for b in stand if m.ratio(b, size, TENTACLE, REFERENCE) < 1 - WITHIN_IDEAL]
    joined = [b for b in slower if m.ratio(b, size, SAME_IDEAL, TENTACLE) <= 1 + WITHIN_IDEAL]
    listed = ", ".join(f"{b} {m.ratio(b, size, TENTACLE, REFERENCE):.2f}" for b in slower)
    blame = f"{listed}: the ideal network is no faster on the graph with its remedy" if joined == slower else ""
    shortest = [set_up(found)["min"] for found in large.tried.values() if set_up(found)]
    fell = ", ".join(b for b in names if b not in stand)
    busiest = [f"{s.benchmark} {len(found)}" for s, found in large.tried.items() if s.benchmark not in stand]
    return [
        *within_rows(m, size),
        Row("beyond the paper", f"tentacle no slower than push-adaptive where circuits stand (5 %), {at}", "holds", 1,
            float(not slower), 0.0, blame if slower else ""),
        Row("beyond the paper", f"programs whose circuits stand, {at}", "programs", len(names), len(stand), 0.0,
            f"not {fell}; remedies tried: {', '.join(busiest)}" if fell else ""),
        *([Row("beyond the paper", f"shortest set-up, {at}", "cycles", LEAST_SET_UP, min(shortest), 0.0)]
          if shortest else []),
    ]  # fmt: skip

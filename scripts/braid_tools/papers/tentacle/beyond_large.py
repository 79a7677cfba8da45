"""Tentacle routing on 8x8 and 16x16 meshes: Braid's partitions of the nine programs for 64 and 256 tiles, laid out by
its annealer, on packets, on circuits and on the ideal network.

The paper stops at 6x6. What a program's structure gives bounds how far it spreads: a partition may leave tiles empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.tentacle import finders, own_graphs, remedies, throughputs
from braid_tools.papers.tentacle.gains import without_routing
from braid_tools.papers.tentacle.networks import EXPERIMENT, PUSH_X, REFERENCE
from braid_tools.papers.tentacle.points import Setting, Windows
from braid_tools.papers.tentacle.programs import divisor, program, write_variant
from braid_tools.papers.tentacle.published import BENCHMARKS, GAIN_ALL
from braid_tools.papers.tentacle.remedies import Remedy, Tried
from braid_tools.papers.tentacle.throughputs import IDEAL, OURS, SAME_ADAPTIVE, SAME_IDEAL, TENTACLE, Measured
from braid_tools.program import braid, circuits, in_parallel
from braid_tools.study import Study

SIZES = (8, 16)
WINDOWS = {  # coarse: a saturation throughput is up to a third low
    8: Windows(5_000, 10_000, 3, (0.4, 0.7, 1.0)),
    16: Windows(5_000, 10_000, 3, (0.6, 1.0)),
}
LONGEST = 2_500  # cycles of an iteration; copies that take turns can make it 175,560 (Vocoder on 64 tiles)
NETWORKS = (PUSH_X, REFERENCE, TENTACLE, IDEAL)
WITHIN_IDEAL = 0.05  # what Braid sets itself on 6x6
GAIN_TOLERANCE = 0.1
LEAST_SET_UP = 5  # cycles: a path of one link (Table 3)
# Annealing costs ten times as much on 16x16: fewer are tried there.
ON_TILES = (Remedy(0, own_layout=False), Remedy(4, own_layout=False))
LARGE = {
    8: (*ON_TILES, Remedy(4, own_layout=True), Remedy(2, own_layout=True),
        *(Remedy(d, own_layout=True, eighths=e) for e in (6, 4) for d in (4, 2))),
    16: (*ON_TILES, Remedy(2, own_layout=True), Remedy(2, own_layout=True, eighths=4),
         *(Remedy(4, own_layout=True, eighths=e) for e in (2, 1)), Remedy(2, own_layout=True, eighths=1)),
}  # fmt: skip


@dataclass(frozen=True)
class Large:
    """One mesh: what stands, and how fast."""

    size: int
    tried: dict[Setting, Tried]
    measured: Measured
    negotiated: dict[str, str]  # of programs without circuits: what that finder answers on the last layout tried

    def actors(self, setting: Setting) -> int:
        """Of the partition, before any remedy."""
        return len(program(setting.graph, setting.size).tiles)


def partitioned(study: Study, benchmark: str, size: int) -> tuple[Path, bool]:
    """The partition for as many of the mesh's tiles, in steps of eight, as leave an iteration short; is that all?"""
    target = study.folder / f"large_{benchmark}_{size}x{size}.toml"
    source = own_graphs.PROGRAMS / f"{own_graphs.FILES[benchmark]}.str"
    for tiles in range(size * size, 0, -8):
        braid("partition", source, "--tiles", str(tiles), "--toml", target)
        p = program(target, size)
        if p.bound(OURS.ports.circuits) <= LONGEST * divisor(p):
            break
        program.cache_clear()
    return target, tiles == size * size


def setting_of(study: Study, benchmark: str, size: int) -> tuple[Setting, bool]:
    """A program laid out on a mesh, partitioned for all its tiles or not; kept, as a layout takes up to half a
    minute."""

    def make() -> dict[str, object]:
        graph, whole = partitioned(study, benchmark, size)
        write_variant(graph, graph, tiles=own_graphs.laid_out(study, graph, size))
        program.cache_clear()
        parts = divisor(program(graph, size))
        if parts > 1:
            write_variant(graph, graph, parts=parts)
        return {"graph": graph.read_text(), "whole": whole and parts == 1}

    source = own_graphs.PROGRAMS / f"{own_graphs.FILES[benchmark]}.str"
    kept = study.kept(f"laid out on {size}x{size}, iterations of {LONGEST}", [source, EXPERIMENT], make)
    graph = study.folder / f"laid_out_{benchmark}_{size}x{size}.toml"
    graph.write_text(kept["graph"])
    return Setting(benchmark, size, graph, OURS.ports, OURS.vcs), kept["whole"]


def measure(study: Study, size: int, benchmarks: tuple[str, ...] = BENCHMARKS) -> Large:
    """All programs on one mesh. A remedy with fewer tiles counts iterations of the partition for all of them."""
    settings = in_parallel(lambda b: setting_of(study, b, size), benchmarks)

    def tried_for(one: tuple[Setting, bool]) -> Tried:
        setting, whole = one
        return remedies.first_that_stands(study, setting, [r for r in LARGE[size] if whole or r.eighths == 8])

    tried = dict(zip((s for s, _ in settings), in_parallel(tried_for, settings), strict=True))
    by_name = {(s.benchmark, s.size): said for s, said in tried.items()}
    measured = throughputs.measure(study, OURS, list(tried), by_name, WINDOWS[size], NETWORKS)
    fallen = [(setting, said) for setting, said in tried.items() if remedies.stands(said) is None]
    answers = in_parallel(lambda one: negotiated(study, *one), fallen)
    return Large(size, tried, measured, {s.benchmark: a for (s, _), a in zip(fallen, answers, strict=True)})


def negotiated(study: Study, setting: Setting, tried: Tried) -> str:
    """Does the finder that sees the whole network find disjoint paths where the routers' search did not? On the last
    layout tried."""
    remedy, found = [(remedy, found) for remedy, found in tried.items() if found.get("actors")][-1]
    graph = remedies.placed(study, setting, remedy, found)
    if graph is None:
        return "unknown"
    asked = finders.job(graph, setting.size, **{"disjoint.finder": "negotiated"})
    said = study.kept(f"negotiated, {setting.size}", [graph, EXPERIMENT], lambda: circuits(asked))
    return said["finders"][0]["answer"]


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
COLUMNS += ["orders", *NETWORKS, SAME_IDEAL, SAME_ADAPTIVE, "negotiated, if none stands"]


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
        line += [f"{values[n]:.4f}" for n in (*NETWORKS, SAME_IDEAL, SAME_ADAPTIVE)]
        lines.append([*line, large.negotiated.get(setting.benchmark, "")])
    return lines


def within_rows(m: Measured, size: int) -> list[Row]:
    """How far from ideal: where circuits stand, and over all programs, where it splits into routing, what the remedies
    join and programs without circuits. Explained if routing adds no more than the bound."""
    stand, bound = m.circuits[size], 1 + WITHIN_IDEAL
    routing = m.mean_of(stand, size, SAME_IDEAL, TENTACLE)
    fell = [f"{b} {m.ratio(b, size, IDEAL):.2f}" for b in m.benchmarks(size) if b not in stand]
    remedied = m.mean_of(stand, size, IDEAL, SAME_IDEAL)
    why = (
        f"ideal on the program's graph over ideal on the graph with its remedy {remedied:.2f}; without circuits, as "
        f"push-adaptive: {', '.join(fell) or 'none'}; and {100 * WITHIN_IDEAL:.0f} % of routing"
    )
    at = f"{size}x{size}, {m.reading.name}"
    return [
        Row("beyond the paper", f"ideal over tentacle on the same graph and tiles, {len(stand)} programs with "
            f"circuits, {at}", "1", bound, routing, 0.0, at_most=True),
        Row("beyond the paper", f"ideal over tentacle, all programs on their own graph, {at}", "1", bound,
            m.mean_ratio(size, IDEAL, TENTACLE), 0.0, explanation=without_routing(m, size, why, bound), at_most=True),
    ]  # fmt: skip


def rows(large: Large) -> list[Row]:
    """Distance to ideal, tentacle over push-adaptive, circuits that stand, the shortest set-up."""
    m, size = large.measured, large.size
    at = f"{size}x{size}, {m.reading.name}"
    names = m.benchmarks(size)
    stand = m.circuits[size]
    slower = [b for b in stand if m.ratio(b, size, TENTACLE, REFERENCE) < 1 - WITHIN_IDEAL]
    listed = ", ".join(f"{b} {m.ratio(b, size, TENTACLE, REFERENCE):.2f}" for b in slower)
    shortest = [set_up(found)["min"] for found in large.tried.values() if set_up(found)]
    none = sum(answer != "found" for answer in large.negotiated.values())
    layout = Explanation(
        "on the last layout tried of each program without circuits, negotiated congestion, which sees the whole "
        "network, finds no disjoint paths either",
        len(names) - none,
        0,
    )
    ideal = m.mean_of(stand, size, SAME_IDEAL, REFERENCE) ** (len(stand) / len(names))
    bounded = Explanation(
        f"the ideal network gains {m.mean_ratio(size, IDEAL):.2f}; where circuits stand tentacle gains what ideal does "
        "on the graph with its remedy; the others run as push-adaptive",
        ideal,
        GAIN_TOLERANCE * ideal,
    )
    return [
        *within_rows(m, size),
        Row("beyond the paper", f"tentacle over push-adaptive, all programs, {at}; published: 6x6", "1", GAIN_ALL[6],
            m.mean_ratio(size, TENTACLE), GAIN_TOLERANCE, explanation=bounded),
        Row("beyond the paper", f"push-adaptive over tentacle on the same graph and tiles, {len(stand)} programs with "
            f"circuits, {at}", "1", 1, m.mean_of(stand, size, SAME_ADAPTIVE, TENTACLE), 0.01, at_most=True),
        Row("beyond the paper", f"tentacle no slower than push-adaptive where circuits stand (5 %), {at}", "holds", 1,
            float(not slower), 0.0, listed),
        Row("beyond the paper", f"programs whose circuits stand, {at}", "programs", len(names), len(stand), 0.0,
            explanation=layout),
        *([Row("beyond the paper", f"shortest set-up, {at}", "cycles", LEAST_SET_UP, min(shortest), 0.0)]
          if shortest else []),
    ]  # fmt: skip

"""Saturation throughputs of the six networks, for every program, reading and node bandwidth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import geometric_mean

from braid_tools.papers.tentacle.networks import NETWORKS, REFERENCE
from braid_tools.papers.tentacle.own_graphs import PAPERS_LAYOUT, USUAL_LAYOUT, own
from braid_tools.papers.tentacle.points import Curves, Ports, Setting, Windows, saturation, sweep
from braid_tools.papers.tentacle.programs import divisor, original, program, write_folded, write_variant
from braid_tools.papers.tentacle.published import high_of
from braid_tools.papers.tentacle.remedies import Tried, placed, stands
from braid_tools.study import Study

TENTACLE, IDEAL = "tentacle", "ideal"
SAME_ADAPTIVE, SAME_IDEAL = "push, adaptive on tentacle's graph", "ideal on tentacle's graph"
SAME = {SAME_ADAPTIVE: REFERENCE, SAME_IDEAL: IDEAL}
OWN_RATES, EQUAL_STREAMS = "own rates", "equal streams"
MITS, BRAIDS, FOR_PATHS = "MIT's graphs", "Braid's graphs", "Braid's graphs laid out for paths"
LAYOUTS = {BRAIDS: PAPERS_LAYOUT, FOR_PATHS: USUAL_LAYOUT}


@dataclass(frozen=True)
class Reading:
    """What the paper leaves open: what a stream carries, a node's links into and out of the network, who partitioned
    the programs and laid them out."""

    rates: str
    ports: Ports
    graphs: str = MITS
    vcs: int = 4
    folded: bool = False  # joiners into their consumers

    @property
    def name(self) -> str:
        """As rows say it."""
        vcs = "" if self.vcs == 4 else f", {self.vcs} VCs"
        joiners = ", joiners folded" if self.folded else ""
        return f"{self.graphs}, {self.rates}{joiners}, node bandwidth {self.ports.name}{vcs}"

    @property
    def columns(self) -> list[object]:
        """As CSV files say it (READING)."""
        return [self.graphs, self.rates, "folded" if self.folded else "actors", self.ports.name, self.vcs]


READING = ["graphs", "rates", "joiners", "bandwidth", "VCs"]  # Reading.columns
MAIN = Reading(OWN_RATES, Ports(4))
OURS = Reading(OWN_RATES, Ports(4), BRAIDS)
FEW_VCS = Reading(OWN_RATES, Ports(4), MITS, 2)
READINGS = [Reading(rates, Ports(bandwidth)) for rates in (OWN_RATES, EQUAL_STREAMS) for bandwidth in (1, 2, 4)]
Throughputs = dict[Setting, dict[str, float]]  # iterations/kilocycle by network


def graph_of(study: Study, graphs: str, benchmark: str, size: int) -> Path:
    """A program partitioned and laid out."""
    return original(benchmark, size) if graphs == MITS else own(study, benchmark, size, LAYOUTS[graphs])


def settings_of(study: Study, reading: Reading, benchmarks: Iterable[str], sizes: Iterable[int]) -> list[Setting]:
    """The programs as a reading has them."""

    def graph(benchmark: str, size: int) -> Path:
        source = graph_of(study, reading.graphs, benchmark, size)
        if reading.folded:
            source = write_folded(source, study.folder / f"folded_{source.name}")
        if reading.rates == EQUAL_STREAMS:
            return write_variant(source, study.folder / f"equal_{source.name}", equal_streams=True)
        parts = divisor(program(source, size))
        return source if parts == 1 else write_variant(source, study.folder / f"part_{source.name}", parts=parts)

    sizes = list(sizes)
    return [Setting(b, size, graph(b, size), reading.ports, reading.vcs) for b in benchmarks for size in sizes]


@dataclass
class Measured:
    """Of one reading."""

    reading: Reading
    curves: Curves
    throughputs: Throughputs
    circuits: dict[int, list[str]]  # by mesh: programs whose circuits stood

    def of(self, benchmark: str, size: int) -> dict[str, float]:
        """Iterations/kilocycle by network."""
        return next(v for s, v in self.throughputs.items() if (s.benchmark, s.size) == (benchmark, size))

    def benchmarks(self, size: int) -> list[str]:
        """Those that were run."""
        return [s.benchmark for s in self.throughputs if s.size == size]

    def ratio(self, benchmark: str, size: int, network: str, to: str = REFERENCE) -> float:
        """Saturation throughput of a network over another's."""
        values = self.of(benchmark, size)
        return values[network] / values[to]

    def mean_ratio(self, size: int, network: str, to: str = REFERENCE, *, high: bool = False) -> float:
        """Geometric mean over the programs, or over those that the paper calls high-contention."""
        return self.mean_of([b for b in self.benchmarks(size) if not high or b in high_of(size)], size, network, to)

    def mean_of(self, benchmarks: list[str], size: int, network: str, to: str) -> float:
        """Geometric mean over some programs; 1 over none."""
        return geometric_mean([self.ratio(b, size, network, to) for b in benchmarks] or [1.0])


def measure(
    study: Study,
    reading: Reading,
    settings: Sequence[Setting],
    tried: dict[tuple[str, int], Tried],
    windows: Windows,
    networks: Iterable[str] = NETWORKS,
) -> Measured:
    """Sweeps. Tentacle routing runs with the remedy that lets its circuits stand, and beside it push-adaptive and ideal
    on the same graph and tiles; where none does, all streams fall back to the underlying network (section 2.3), here
    the best of packets, so its throughput is push-adaptive's."""
    programs = {s: program(s.graph, s.size) for s in settings}
    wanted = [(s, n) for s in settings for n in networks if n != TENTACLE]
    with_circuits: dict[Setting, Setting] = {}
    times: dict[Setting, float] = {}  # a steady state of the graph with its remedy is so many of the program's
    for setting in settings:
        found = tried[setting.benchmark, setting.size]
        remedy = stands(found) if TENTACLE in networks else None
        graph = placed(study, setting, remedy, found[remedy]) if remedy is not None else None
        if graph is not None:
            remedied = replace(setting, graph=graph)
            anew = remedy.eighths < 8 or reading.rates == EQUAL_STREAMS  # its streams carry something else
            programs[remedied] = program(graph, setting.size) if anew else programs[setting]
            times[setting] = found[remedy]["steady_states"]
            with_circuits[setting] = remedied
            wanted += [(remedied, n) for n in (TENTACLE, *SAME.values()) if n in networks]
    curves = sweep(study, wanted, programs, windows)
    throughputs: Throughputs = {}
    standing: dict[int, list[str]] = {s.size: [] for s in settings}
    for setting in settings:
        values = {n: saturation(curves[setting, n]) for n in networks if n != TENTACLE}
        remedied = with_circuits.get(setting)
        if TENTACLE in networks:
            circuits = remedied is not None and stood(curves, remedied)
            curves[setting, TENTACLE] = curves[remedied, TENTACLE] if circuits else curves[setting, REFERENCE]
            if circuits:
                standing[setting.size].append(setting.benchmark)
            per = times[setting] if circuits else 1.0
            values[TENTACLE] = per * saturation(curves[setting, TENTACLE])
            for name, network in SAME.items():
                values[name] = per * saturation(curves[remedied if circuits else setting, network])
        throughputs[setting] = values
    return Measured(reading, curves, throughputs, standing)


def stood(curves: Curves, setting: Setting) -> bool:
    """Did circuits stand in every run of the curve?"""
    return not any(r["setup"]["fell_back_to_packets"] for r in curves[setting, TENTACLE].values())


def table(measured: Iterable[Measured]) -> list[list[object]]:
    """throughputs.csv: a line a reading, program and mesh."""
    lines: list[list[object]] = []
    for m in measured:
        for setting, values in m.throughputs.items():
            bound = 1000 / program(setting.graph, setting.size).bound(setting.bandwidth)
            columns = [f"{values[n]:.4f}" if n in values else "" for n in (*NETWORKS, *SAME)]
            lines.append([*m.reading.columns, setting.benchmark, setting.size, *columns, f"{bound:.4f}"])
    return lines


COLUMNS = [*READING, "benchmark", "size", *NETWORKS, *SAME, "bound"]

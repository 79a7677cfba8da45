"""All nine programs side by side on one 16x16 mesh, for hardly one of them fills it alone.

A stream graph may have several parts that no stream joins. Each program gets a square of REGION x REGION tiles, where
its partition and layout are made as if it were alone; the graph of all has their tiles moved there and their work in
one unit, so that one computation scaling stands for every program's own. The circuits of all are set up together.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

from braid_tools.comparison import Row
from braid_tools.papers.tentacle import own_graphs, remedies
from braid_tools.papers.tentacle.networks import EXPERIMENT, NETWORKS, PUSH_X, REFERENCE
from braid_tools.papers.tentacle.points import Setting, circuit_keys, queue_items
from braid_tools.papers.tentacle.programs import Program, divisor, program, write_variant
from braid_tools.papers.tentacle.published import BENCHMARKS
from braid_tools.papers.tentacle.throughputs import IDEAL, TENTACLE
from braid_tools.program import Results, Run, braid, in_parallel
from braid_tools.study import Study

SIZE, REGION = 16, 5  # nine squares of 25 tiles in a mesh of 256
TILES = (25, 20, 16, 12, 9)  # of a partition, the first whose circuits stand in the square
REMEDIES = (*remedies.REMEDIES[:-1], *(remedies.Remedy(2, own_layout=True, moves=m) for m in (200_000, 400_000)))
LOADS = (0.4, 0.7, 1.0)
WARMUP, MEASURED = 5_000, 20_000
UNIT = 0.001  # stream.computation_scaling: works are in thousandths of a cycle
FAR_NETWORKS = (PUSH_X, REFERENCE, TENTACLE, IDEAL)
WITHIN_IDEAL = 0.05


@dataclass(frozen=True)
class Placed:
    """A program in a square of its own."""

    benchmark: str
    graph: Path
    tiles: int  # that its partition was made for
    remedy: str

    @property
    def program(self) -> Program:
        """With tiles in the square."""
        return program(self.graph, REGION)


def laid_out(study: Study, benchmark: str, tiles: int) -> Path:
    """The partition for so many tiles, every actor on one of the square's."""
    target = study.folder / f"square_{benchmark}_{tiles}_{REGION}x{REGION}.toml"
    source = own_graphs.PROGRAMS / f"{own_graphs.FILES[benchmark]}.str"

    def make() -> str:
        braid("partition", source, "--tiles", str(tiles), "--toml", target)
        write_variant(target, target, tiles=own_graphs.laid_out(study, target, REGION))
        return target.read_text()

    target.write_text(study.kept(f"{tiles} tiles of {REGION}x{REGION}", [source, EXPERIMENT], make))
    parts = divisor(program(target, REGION))
    return target if parts == 1 else write_variant(target, study.folder / f"part_{target.name}", parts=parts)


def in_square(study: Study, benchmark: str) -> Placed | None:
    """The largest partition whose circuits stand in the first order tried. The token goes by node, so that is each
    program's own order on the mesh as well; random orders of all streams would have to suit nine programs at once."""
    for tiles in TILES:
        setting = Setting(benchmark, REGION, laid_out(study, benchmark, tiles))
        for remedy in REMEDIES:
            found = remedies.set_up(study, setting, remedy, {"setup.retries": 0}) | {"graph": setting.graph}
            if not found["setup"]["fell_back_to_packets"]:
                return Placed(benchmark, remedies.placed(study, setting, remedy, found), tiles, remedy.name)
    return None


def moved(tile: int, place: int) -> int:
    """A tile of the square on the mesh, in square number `place`."""
    across = SIZE // REGION
    x, y = tile % REGION + REGION * (place % across), tile // REGION + REGION * (place // across)
    return x + SIZE * y


def together(programs: list[Placed], load: float, target: Path) -> Path:
    """The graph of all: each program's busiest actor takes bound / load cycles an iteration."""
    lines = [f'name = "side_by_side_{load:g}"']
    for place, placed in enumerate(programs):
        graph, p = tomllib.loads(placed.graph.read_text()), placed.program
        scaling = p.bound(4) / (load * max(p.work.values()))
        for actor in graph["actor"]:
            work = max(1, round(actor["work"] * scaling / UNIT))
            name = json.dumps(f"{placed.benchmark}.{actor['name']}")
            lines += ["[[actor]]", f"name = {name}", f"work = {work}", f"tile = {moved(actor['tile'], place)}"]
        for edge in graph["edge"]:
            ends = {end: f"{placed.benchmark}.{edge[end]}" for end in ("from", "to")}
            lines += ["[[edge]]", *(f"{key} = {json.dumps(value)}" for key, value in (edge | ends).items())]
    target.write_text("\n".join(lines) + "\n")
    return target


def run_of(graph: Path, network: str, load: float, room: int) -> Run:
    """All programs on one network."""
    keys = {
        **NETWORKS[network],
        "topology.width": SIZE,
        "topology.height": SIZE,
        "topology.local_ports": 4,
        "stream.graph": graph,
        "stream.computation_scaling": UNIT,
        "interface.stream_queue_items": room,
        "simulation.min_warmup_cycles": WARMUP,
        "simulation.measure_cycles": MEASURED,
    }
    if network == TENTACLE:
        keys |= circuit_keys(Setting("", SIZE, graph))
    return Run(f"side by side, {network} at {load:g}", EXPERIMENT, keys)


def iterations(result: Results, programs: list[Placed]) -> dict[str, float]:
    """Of each program a kilocycle: items delivered on its streams over those of a steady state, mean."""
    delivered = {edge["name"]: edge["items_per_kilocycle"] for edge in result["stream"]["edges"]}
    found: dict[str, list[float]] = defaultdict(list)
    for placed in programs:
        for s in placed.program.streams:
            name = f"{placed.benchmark}.{s.source} -> {placed.benchmark}.{s.sink}"
            found[placed.benchmark].append(delivered[name] / s.items)
    return {name: sum(rates) / len(rates) for name, rates in found.items()}


@dataclass(frozen=True)
class Together:
    """Saturation throughputs by network and program; what the set-up of all circuits says."""

    programs: list[Placed]
    throughputs: dict[str, dict[str, float]]
    setup: Results

    def ratio(self, network: str, to: str) -> float:
        """Geometric mean over the programs."""
        return geometric_mean(self.throughputs[network][p.benchmark] / self.throughputs[to][p.benchmark]
                              for p in self.programs)  # fmt: skip


def measure(study: Study) -> Together:
    """All programs that have circuits in their squares."""
    programs = [p for p in in_parallel(lambda b: in_square(study, b), BENCHMARKS) if p is not None]
    graphs = {load: together(programs, load, study.folder / f"side_by_side_{load:g}.toml") for load in LOADS}
    room = max(queue_items(p.program) for p in programs)
    points = [(network, load) for network in FAR_NETWORKS for load in LOADS]
    results = study.run([run_of(graphs[load], network, load, room) for network, load in points])
    throughputs: dict[str, dict[str, float]] = {n: defaultdict(float) for n in FAR_NETWORKS}
    for (network, _), result in zip(points, results, strict=True):
        for name, rate in iterations(result, programs).items():
            throughputs[network][name] = max(throughputs[network][name], rate)
    setups = [r["setup"] for (network, _), r in zip(points, results, strict=True) if network == TENTACLE]
    worst = max(setups, key=lambda setup: setup["fell_back_to_packets"])
    return Together(programs, throughputs, worst)


COLUMNS = ["benchmark", "tiles of the partition", "actors", "streams", "remedy", *FAR_NETWORKS]


def table(found: Together) -> list[list[object]]:
    """side.csv: a line a program."""
    return [
        [p.benchmark, p.tiles, len(p.program.tiles), len(p.program.streams), p.remedy,
         *(f"{found.throughputs[n][p.benchmark]:.4f}" for n in FAR_NETWORKS)]
        for p in found.programs
    ]  # fmt: skip


def rows(found: Together) -> list[Row]:
    """Circuits of all programs stand at once; distance to ideal; tentacle beside push-adaptive."""
    at = f"{len(found.programs)} programs side by side on 16x16"
    stand = float(not found.setup["fell_back_to_packets"])
    actors = sum(len(p.program.tiles) for p in found.programs)
    return [
        Row("beyond the paper", f"programs with circuits in a square of {REGION}x{REGION}, first order", "programs",
            len(BENCHMARKS), len(found.programs), 0.0),
        Row("beyond the paper", f"all circuits stand, {at}, {actors} actors", "holds", 1, stand, 0.0),
        Row("beyond the paper", f"ideal over tentacle, {at}", "1", 1 + WITHIN_IDEAL, found.ratio(IDEAL, TENTACLE), 0.0,
            at_most=True),
        Row("beyond the paper", f"push-adaptive over tentacle, {at}", "1", 1, found.ratio(REFERENCE, TENTACLE), 0.01,
            at_most=True),
    ]  # fmt: skip

"""Figures 3 to 5 and Tables 2 and 3 of tentacle-routing: on the graphs and layouts of MIT's StreamIt compiler, and on
those that Braid itself makes of the same benchmarks."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field, replace

from braid_tools.comparison import Row
from braid_tools.papers.tentacle import (
    ahead,
    beyond,
    contention,
    figures,
    finders,
    gains,
    port_binding,
    readings,
    remedies,
    rows,
    switching,
    throughputs,
)
from braid_tools.papers.tentacle.networks import PUSH_X, REFERENCE
from braid_tools.papers.tentacle.points import AXES, FULL, QUICK, Ports
from braid_tools.papers.tentacle.programs import program
from braid_tools.papers.tentacle.published import BENCHMARKS, SIZES
from braid_tools.papers.tentacle.stages import Stages
from braid_tools.papers.tentacle.throughputs import (
    EQUAL_STREAMS,
    FEW_VCS,
    IDEAL,
    MAIN,
    MITS,
    OURS,
    OWN_RATES,
    READINGS,
    TENTACLE,
    Measured,
    Reading,
)
from braid_tools.study import Study

QUICK_BENCHMARKS = ("BitonicSort", "Audiobeam")  # of either class, circuits stand for both
CLOSEST = Reading(throughputs.EQUAL_STREAMS, Ports(2))  # to the published gains
FEW_NETWORKS = (PUSH_X, REFERENCE, TENTACLE, IDEAL)  # of readings other than the main one
FAN_OUT = ["graphs", "benchmark", "size", "most streams", "copies once", "all links", "copies once"]
FAN_OUT += ["most items", "copies once"]


@dataclass
class Case:
    """The programs of one partitioner, laid out, with the circuits that stand for them, on six networks."""

    graphs: str
    programs: rows.Programs
    tried: dict[tuple[str, int], remedies.Tried]
    by_setting: dict[throughputs.Setting, remedies.Tried]
    main: Measured
    causes: list[ahead.Ahead] = field(default_factory=list)  # of pull that is faster than push
    alternatives: list[switching.Alternatives] = field(default_factory=list)  # to distributed set-up, to circuits

    @property
    def sizes(self) -> list[int]:
        """Of the meshes that were run."""
        return list(dict.fromkeys(size for _, size in self.tried))


def case_of(study: Study, stages: Stages, reading: Reading) -> Case:
    """Runs the remedies and the main reading of one partitioner."""
    benchmarks, sizes = (QUICK_BENCHMARKS, SIZES[:1]) if study.quick else (BENCHMARKS, SIZES)
    with stages.stage(f"circuits, {reading.graphs}"):
        graphs = {(b, size): throughputs.graph_of(study, reading.graphs, b, size) for b in BENCHMARKS for size in SIZES}
        settings = throughputs.settings_of(study, reading, benchmarks, sizes)
        by_setting = remedies.try_all(study, settings, partitions=reading == OURS)
    tried = {(s.benchmark, s.size): found for s, found in by_setting.items()}
    with stages.stage(reading.name):
        main = throughputs.measure(study, reading, settings, tried, QUICK if study.quick else FULL)
    programs = {key: program(graph, key[1]) for key, graph in graphs.items()}
    return Case(reading.graphs, programs, tried, by_setting, main)


def rows_of(study: Study, stages: Stages, case: Case, others: list[Measured]) -> list[Row]:
    """Figure 3, Tables 2 and 3, sections 4.2 and 4.3 of one partitioner's graphs."""
    found = rows.load_rows(case.programs, case.graphs) + rows.class_rows(case.programs, case.graphs)
    with stages.stage(f"push and pull, {case.graphs}"):
        causes = [cause for size in case.sizes for cause in ahead.measure(study, case.main, size)]
    case.causes = causes
    found += [row for cause in causes for row in cause.rows()]
    for size in case.sizes:
        found += rows.order_rows(case.main, size, case.programs, causes)
        if not study.quick:
            found += gains.gain_rows(case.main, size, case.programs, others) + gains.within_rows(case.main, size)
    found += readings.single_vc_rows(study, case.main, QUICK if study.quick else FULL)
    with stages.stage(f"paths in software and source-routed packets, {case.graphs}"):
        case.alternatives = switching.alternatives(study, case.main, QUICK if study.quick else FULL)
    found += switching.rows(case.alternatives, case.graphs)
    found += rows.set_up_rows(case.tried, case.graphs) + rows.by_remedy_rows(case.tried, case.graphs)
    return found + rows.overhead_rows(case.tried, case.graphs)


def fan_out(case: Case) -> list[list[object]]:
    """fan_out.csv: what circuits that fan out in routers could win: links under X-first with copies counted once."""
    lines = []
    for (benchmark, size), p in case.programs.items():
        one_by_one, shared = p.loads(), p.loads(copies_once=True)
        items, shared_items = p.item_loads(), p.item_loads(copies_once=True)
        values = [max(one_by_one.values()), max(shared.values()), sum(one_by_one.values()), sum(shared.values())]
        values = [f"{v:g}" for v in values]
        lines.append([case.graphs, benchmark, size, *values, max(items.values()), max(shared_items.values())])
    return lines


def reproduce(study: Study) -> None:
    """Every row; Braid's own graphs, other readings, remedies and layouts, and the finders only in full."""
    stages = Stages()
    case = case_of(study, stages, MAIN)
    cases = [case] if study.quick else [case, case_of(study, stages, OURS)]
    others = [] if study.quick else other_readings(study, stages, case.tried)
    found = [row for c in cases for row in rows_of(study, stages, c, others if c is case else [])]
    if not study.quick:
        found += [row for size in SIZES for row in closest_rows(others, size)]
        closest = next(m for m in others if m.reading == CLOSEST)
        with stages.stage("circuits bound to a port when used"):
            bound = port_binding.bindings(study, closest, AXES)
        found += port_binding.rows(bound, CLOSEST.name)
        study.table("port_binding.csv", port_binding.COLUMNS, port_binding.table(bound, CLOSEST.graphs))
        few_vcs = next(m for m in others if m.reading == FEW_VCS)
        found += [row for size in SIZES for row in gains.few_vcs_rows(few_vcs, case.main, size)]
    found += rows_of_readings(study, stages, cases)
    if not study.quick:
        with stages.stage("finders of disjoint paths"):
            found += finders.compare_finders(study)
        found += beyond.rows_beyond(study, stages)
    with stages.stage("layouts of FM radio"):
        found += contention.statement(study)
    study.compare(found)
    tables(study, cases, others)
    study.table("cost.csv", Stages.COLUMNS, stages.lines)


def tables(study: Study, cases: list[Case], others: list[Measured]) -> None:
    """The other CSV files and the pictures."""
    measured = [*(c.main for c in cases), *others]
    study.table("ahead.csv", ahead.COLUMNS, (astuple(cause) for c in cases for cause in c.causes))
    study.table(
        "switching.csv", switching.COLUMNS, (x for c in cases for x in switching.table(c.alternatives, c.graphs))
    )
    study.table("fan_out.csv", FAN_OUT, (line for c in cases for line in fan_out(c)))
    remedied = (line for c in cases for line in remedies.table(c.by_setting, c.graphs))
    study.table("remedies.csv", remedies.COLUMNS, remedied, for_pages=True)
    study.table("throughputs.csv", throughputs.COLUMNS, throughputs.table(measured), for_pages=True)
    figures.link_loads(study.folder / "fig3.png", cases[0].programs)
    if study.quick:
        print("7 programs more, 6x6, Braid's graphs, other readings, finders, pictures 4 and 5: only without --quick")
        return
    columns = [*throughputs.READING, "size", "programs", "network", "to push, adaptive"]
    study.table("readings.csv", columns, mean_gains(measured, SIZES))
    closest = next(m for m in others if m.reading == CLOSEST)
    figures.curves(study.folder / "fig4.png", [cases[0].main, closest])
    figures.bars(study.folder / "fig5.png", cases[0].main, cases[0].programs)
    figures.bars(study.folder / "fig5_equal.png", closest, cases[0].programs)
    figures.bars(study.folder / "fig5_own.png", cases[1].main, cases[1].programs)


def rows_of_readings(study: Study, stages: Stages, cases: list[Case]) -> list[Row]:
    """What the paper leaves open, read in every way: distances.csv and against.csv, and the published gains beside
    PopNet's reading and the nearest one."""
    benchmarks, sizes = (QUICK_BENCHMARKS, SIZES[:1]) if study.quick else (BENCHMARKS, SIZES)
    known = {case.graphs: case.tried for case in cases}
    all_measured = []
    for reading in readings.QUICK_GRID if study.quick else readings.GRID:
        with stages.stage(f"reading: {reading.name}"):
            settings = throughputs.settings_of(study, reading, benchmarks, sizes)
            as_they_are = reading.rates == OWN_RATES and not reading.folded
            tried = known.get(reading.graphs) if as_they_are else None
            if tried is None:  # (a program partitioned anew has its own rates)
                room = remedies.ANY_ROOM if reading.rates == EQUAL_STREAMS else None
                partitions = as_they_are and reading.graphs != MITS
                by_setting = remedies.try_all(study, settings, partitions=partitions, keys=room)
                tried = {(s.benchmark, s.size): found for s, found in by_setting.items()}
            windows = QUICK if study.quick else AXES
            all_measured.append(throughputs.measure(study, reading, settings, tried, windows, readings.NETWORKS))
    study.table("distances.csv", readings.COLUMNS, readings.table(all_measured, sizes), for_pages=True)
    study.table("against.csv", readings.AGAINST, readings.falsified(all_measured, sizes))
    if study.quick:
        return [row for m in all_measured for row in readings.quick_rows(m, sizes[0])]
    nearest = readings.nearest(all_measured)
    popnets = next(m for m in all_measured if m.reading == readings.POPNETS)
    print(f"nearest reading: {nearest.reading.name}, distance {readings.distance(nearest):.3f}")
    chosen = [nearest] if nearest is popnets else [nearest, popnets]
    return [row for m in chosen for row in readings.headline_rows(m) + readings.pushed_rows(m)]


def mean_gains(measured: list[Measured], sizes: tuple[int, ...]) -> list[list[object]]:
    """readings.csv: geometric means over push-adaptive."""
    return [
        [*m.reading.columns, size, "high" if high else "all", network, f"{m.mean_ratio(size, network, high=high):.3f}"]
        for m in measured
        for size in sizes
        for high in (True, False)
        for network in next(iter(m.throughputs.values()))
    ]


def closest_rows(others: list[Measured], size: int) -> list[Row]:
    """The published gains beside the reading that comes closest."""
    m = next(m for m in others if m.reading == CLOSEST)
    wide = next(m for m in others if m.reading == replace(CLOSEST, ports=Ports(4)))
    programs = {(s.benchmark, s.size): program(s.graph, s.size) for s in m.throughputs}
    return gains.gain_rows(m, size, programs, wide=wide)


def other_readings(study: Study, stages: Stages, tried: dict[tuple[str, int], remedies.Tried]) -> list[Measured]:
    """Push, tentacle and ideal of MIT's graphs under the other readings, the closest first."""
    result = []
    for reading in [FEW_VCS, *sorted(READINGS, key=lambda r: r != CLOSEST)]:
        if reading == MAIN:
            continue
        windows = FULL if reading == FEW_VCS else AXES
        with stages.stage(reading.name):
            settings = throughputs.settings_of(study, reading, BENCHMARKS, SIZES)
            result.append(throughputs.measure(study, reading, settings, tried, windows, FEW_NETWORKS))
    return result

"""Figures 3 to 5 and Tables 2 and 3 of tentacle-routing, on the graphs and layouts of MIT's StreamIt compiler."""

from __future__ import annotations

from dataclasses import astuple

from braid_tools.comparison import Row
from braid_tools.papers.tentacle import ahead, contention, figures, remedies, rows, throughputs
from braid_tools.papers.tentacle.networks import PUSH_X, REFERENCE
from braid_tools.papers.tentacle.points import AXES, FULL, QUICK
from braid_tools.papers.tentacle.programs import original, program
from braid_tools.papers.tentacle.published import BENCHMARKS, SIZES
from braid_tools.papers.tentacle.throughputs import IDEAL, MAIN, READINGS, TENTACLE, Measured, Reading
from braid_tools.study import Study

QUICK_BENCHMARKS = ("BitonicSort", "Audiobeam")  # of either class, circuits stand for both
CLOSEST = Reading(throughputs.EQUAL_STREAMS, 2)  # to the published gains


def gains(measured: list[Measured], sizes: tuple[int, ...]) -> list[list[object]]:
    """readings.csv: geometric means over push-adaptive."""
    return [
        [m.reading.rates, m.reading.bandwidth, size, "high" if high else "all", network,
         f"{m.mean_ratio(size, network, high=high):.3f}"]
        for m in measured for size in sizes for high in (True, False)
        for network in next(iter(m.throughputs.values()))
    ]  # fmt: skip


def fan_out(programs: rows.Programs) -> list[list[object]]:
    """fan_out.csv: what circuits that fan out in routers could win: links under X-first with copies counted once."""
    lines = []
    for (benchmark, size), p in programs.items():
        one_by_one, shared = p.loads(), p.loads(copies_once=True)
        items, shared_items = p.item_loads(), p.item_loads(copies_once=True)
        values = [max(one_by_one.values()), max(shared.values()), sum(one_by_one.values()), sum(shared.values())]
        lines.append([benchmark, size, *(f"{v:g}" for v in values), max(items.values()), max(shared_items.values())])
    return lines


FAN_OUT = ["benchmark", "size", "most streams", "copies once", "all links", "copies once", "most items", "copies once"]


def reproduce(study: Study) -> None:
    """Every row; readings other than the main one, other remedies and layouts only in full."""
    sizes = SIZES[:1] if study.quick else SIZES
    benchmarks = QUICK_BENCHMARKS if study.quick else BENCHMARKS
    programs = {(b, size): program(original(b, size), size) for b in BENCHMARKS for size in SIZES}
    study.table("fan_out.csv", FAN_OUT, fan_out(programs))
    found = rows.load_rows(programs) + rows.class_rows(programs)
    settings = throughputs.settings_of(study, MAIN, benchmarks, sizes)
    by_setting = remedies.try_all(study, settings)
    study.table("remedies.csv", remedies.COLUMNS, remedies.table(by_setting))
    tried = {(s.benchmark, s.size): found for s, found in by_setting.items()}
    main = throughputs.measure(study, MAIN, settings, tried, QUICK if study.quick else FULL)
    others = [] if study.quick else other_readings(study, tried)
    by_reading = [main, *others]
    causes = [cause for size in sizes for cause in ahead.measure(study, main, size)]
    study.table("ahead.csv", ahead.COLUMNS, map(astuple, causes))
    found += [row for cause in causes for row in cause.rows()]
    for size in sizes:
        found += rows.order_rows(main, size, programs, causes)
        if not study.quick:
            found += rows.gain_rows(main, size, programs, others)
            found += [row for m in others if m.reading == CLOSEST for row in closest_rows(m, size)]
    found += rows.set_up_rows(tried)
    study.compare(found + contention.statement(study))
    study.table("throughputs.csv", throughputs.COLUMNS, throughputs.table(by_reading))
    figures.link_loads(study.folder / "fig3.png", programs)
    if study.quick:
        print("7 programs more, 6x6, other readings and pictures 4 and 5: only without --quick")
        return
    study.table("readings.csv", ["rates", "bandwidth", "size", "programs", "network", "to push, adaptive"],
                gains(by_reading, sizes))  # fmt: skip
    figures.curves(study.folder / "fig4.png", [main, *(m for m in others if m.reading == CLOSEST)])
    figures.bars(study.folder / "fig5.png", main, programs)
    figures.bars(study.folder / "fig5_equal.png", next(m for m in others if m.reading == CLOSEST), programs)


def closest_rows(m: Measured, size: int) -> list[Row]:
    """The published gains beside the reading that comes closest."""
    programs = {(s.benchmark, s.size): program(s.graph, s.size) for s in m.throughputs}
    return rows.gain_rows(m, size, programs)


def other_readings(study: Study, tried: dict[tuple[str, int], remedies.Tried]) -> list[Measured]:
    """Push, tentacle and ideal under the other readings, the closest first."""
    result = []
    for reading in sorted(READINGS, key=lambda r: r != CLOSEST):
        if reading == MAIN:
            continue
        networks = (PUSH_X, REFERENCE, TENTACLE, IDEAL)
        settings = throughputs.settings_of(study, reading, BENCHMARKS, SIZES)
        result.append(throughputs.measure(study, reading, settings, tried, AXES, networks))
    return result

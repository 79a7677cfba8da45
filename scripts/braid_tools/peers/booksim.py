"""BookSim 2's curves against Braid's with the same settings (tb/reference/booksim)."""

from __future__ import annotations

import csv
from pathlib import Path

from braid_tools import plots
from braid_tools.comparison import Kind, Row
from braid_tools.program import ROOT, Run
from braid_tools.study import Study

REFERENCE = ROOT / "tb" / "reference" / "booksim"
EXPERIMENT = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
ROUTING = {"dor": "x_first", "minad": "minimal_adaptive"}
# What a reference curve is not, said at its panel and in its row of saturation. BookSim's OutputSet compares candidates
# by priority alone, so of two minimal directions the second is dropped (docs/validation.md): nothing is tuned to that.
MARKS = {"minad": "reference: one of two minimal directions only"}
# Braid's interface has a register between source queue and VC choice that BookSim's traffic manager has not.
OFFSET_CYCLES = 1.0
LATENCY_TOLERANCE = 0.05
STEADY = 0.8  # of the highest accepted load: beyond it latencies are steady in neither
QUICK_WITHOUT_BYPASS = "mesh8x8_dor_4vc_8buf_4flit_uniform"
SATURATION_TOLERANCE = 0.05


def settings(name: str) -> dict[str, object]:
    """Braid's keys for a configuration's file name."""
    topology, routing, vcs, depth, flits, traffic = name.split("_")
    size = int(topology.removeprefix("mesh").split("x")[0])
    return {
        "topology.width": size,
        "topology.height": size,
        "routing.algorithm": ROUTING[routing],
        "router.vcs": int(vcs.removesuffix("vc")),
        "router.buffer_depth": int(depth.removesuffix("buf")),
        "router.buffer_bypass": True,  # a body flit is up for the switch in the cycle in which it comes in
        "router.vc_allocator": "islip",
        "router.switch_allocator": "islip",
        "traffic.flits": int(flits.removesuffix("flit")),
        "traffic.pattern": traffic,
    }


def mark(name: str) -> str:
    """What is to be known of a configuration's reference; mostly nothing."""
    return MARKS.get(name.split("_")[1], "")


def panel(name: str) -> str:
    """Title of a configuration's panel: its file name and, below, the mark of its reference."""
    return f"{name}\n({mark(name)})" if mark(name) else name


def points(path: Path) -> list[dict[str, float]]:
    """The rows of one reference file."""
    with path.open() as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def compare(study: Study) -> tuple[list[Row], dict[str, list[dict[str, float]]]]:
    """Rows of comparison.csv and the curves of the plot."""
    cycles = {"simulation.measure_cycles": 20000 if study.quick else 100000}
    rows, panels = [], {}
    for path in sorted(REFERENCE.glob("*.csv")):
        reference = points(path)
        top = max(point["accepted_flits_per_node_cycle"] for point in reference)
        loads = [point["injected_flits_per_node_cycle"] for point in reference] + [top * 0.97]
        jobs = [
            Run(path.stem, EXPERIMENT, {**settings(path.stem), **cycles, "traffic.rate_flits_per_node_cycle": load})
            for load in loads
        ]
        results = [result["classes"][0] for result in study.run(jobs)]
        panels[panel(path.stem)] = []
        for point, result in zip(reference, results, strict=False):
            load, latency = point["injected_flits_per_node_cycle"], point["packet_latency_avg_cycles"]
            measured = result["packet_latency_cycles"]["mean"] - OFFSET_CYCLES
            panels[panel(path.stem)].append({"load": load, "reference": latency, "braid": measured})
            note = "" if load < STEADY * top else "at or beyond 80 % of saturation: not a steady figure in either"
            note = note or mark(path.stem)
            rows.append(Row(path.stem, f"latency at {load:g}", "cycles", latency, measured, LATENCY_TOLERANCE, note))
        best = max(result["accepted_flits_per_node_cycle"]["mean"] for result in results)
        note = mark(path.stem)
        rows.append(Row(path.stem, "saturation throughput", "flits/node/cycle", top, best, SATURATION_TOLERANCE, note))
    return rows, panels


def without_bypass(study: Study) -> list[Row]:
    """The same curves with Braid's own buffer write, a cycle before a body flit is up for the switch. Not like for
    like: BookSim's router has the bypass (`router.buffer_bypass`), so these rows are no test against it."""
    cycles = {"simulation.measure_cycles": 20000 if study.quick else 100000, "router.buffer_bypass": False}
    rows = []
    for path in sorted(REFERENCE.glob("*_dor_*.csv")):
        if study.quick and path.stem != QUICK_WITHOUT_BYPASS:
            continue
        reference = points(path)
        top = max(point["accepted_flits_per_node_cycle"] for point in reference)
        steady = [p for p in reference if p["injected_flits_per_node_cycle"] < STEADY * top]
        jobs = [
            Run(path.stem, EXPERIMENT, {**settings(path.stem), **cycles, "traffic.rate_flits_per_node_cycle": load})
            for load in (p["injected_flits_per_node_cycle"] for p in steady)
        ]
        for point, result in zip(steady, study.run(jobs), strict=True):
            load, latency = point["injected_flits_per_node_cycle"], point["packet_latency_avg_cycles"]
            measured = result["classes"][0]["packet_latency_cycles"]["mean"] - OFFSET_CYCLES
            quantity = f"latency at {load:g} without the write bypass, not like for like"
            rows.append(Row(path.stem, quantity, "cycles", latency, measured, LATENCY_TOLERANCE, stated_kind=Kind.OWN))
    return rows


def reproduce(study: Study) -> None:
    """Steady points must agree, like for like: with the write bypass that BookSim's router has."""
    rows, panels = compare(study)
    study.compare(rows + without_bypass(study))
    plots.curves_against_reference(study.folder / "curves.png", panels)

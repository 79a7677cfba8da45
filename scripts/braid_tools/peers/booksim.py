"""BookSim 2's curves against Braid's with the same settings (tb/reference/booksim)."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from braid_tools import plots
from braid_tools.comparison import Kind, Row
from braid_tools.program import ROOT, Run
from braid_tools.study import Study

REFERENCE = ROOT / "tb" / "reference" / "booksim"
EXPERIMENT = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
# By topology and routing of a reference's name. On the torus BookSim's dim_order has one dateline a ring, its
# dim_order_bal two, and a packet that crosses neither of these draws its half of the VCs.
ROUTING: dict[tuple[str, str], dict[str, object]] = {
    ("mesh", "dor"): {"routing.algorithm": "x_first"},
    ("mesh", "minad"): {"routing.algorithm": "minimal_adaptive"},
    ("torus", "dor"): {"routing.algorithm": "x_first", "routing.datelines": "one"},
    ("torus", "dorbal"): {"routing.algorithm": "x_first", "routing.datelines": "two_drawn"},
    ("fly", "desttag"): {"routing.algorithm": "destination_tag"},
}
# What a reference curve is not, said at its panel and in its row of saturation. BookSim's OutputSet compares candidates
# by priority alone, so of two minimal directions the second is dropped (docs/validation.md): nothing is tuned to that.
MARKS = {"minad": "reference: one of two minimal directions only"}
# Braid's interface has a register between source queue and VC choice that BookSim's traffic manager has not.
OFFSET_CYCLES = 1.0
# Of latencies, by routing. Dimension order's is less than what the write bypass and the rule of datelines are worth.
LATENCY_TOLERANCES = {"dor": 0.025, "dorbal": 0.025, "desttag": 0.025, "minad": 0.05}
STEADY = 0.8  # of the highest accepted load: beyond it latencies are steady in neither
BEYOND_TOLERANCE = 0.05
# The references on a torus that a quick run takes: each routing, each pattern, few VCs.
QUICK_TORI = (
    "torus8x8_dor_4vc_8buf_4flit_uniform",
    "torus8x8_dorbal_2vc_4buf_4flit_uniform",
    "torus8x8_dorbal_4vc_8buf_4flit_tornado",
    "torus8x8_dorbal_4vc_8buf_4flit_transpose",
)
# Braid's settings that are not BookSim's, one at a time: what they are, which references, which in a quick run.
OTHERS: dict[str, tuple[dict[str, object], str, str]] = {
    "without the write bypass": (
        {"router.buffer_bypass": False},
        "mesh*_dor_*.csv",
        "mesh8x8_dor_4vc_8buf_4flit_uniform",
    ),
    "any VC where no dateline is crossed": (
        {"routing.datelines": "two"},
        "torus*_dorbal_*.csv",
        "torus8x8_dorbal_2vc_4buf_4flit_uniform",
    ),
    "ties by the fixed rule": (
        {"routing.ties": "fixed"},
        "torus*_dorbal_*_transpose.csv",
        "torus8x8_dorbal_4vc_8buf_4flit_transpose",
    ),
}
SATURATION_TOLERANCE = 0.05


def topology_of(kind: str, sizes: str) -> dict[str, object]:
    """Braid's keys for "8x8" of a grid, or for a fly's k and n."""
    first, second = (int(size) for size in sizes.split("x"))
    if kind == "fly":
        return {"topology.kind": "butterfly", "topology.arity": first, "topology.stages": second}
    return {"topology.kind": kind, "topology.width": first, "topology.height": second}


def settings(name: str) -> dict[str, object]:
    """Braid's keys for a configuration's file name."""
    topology, routing, vcs, depth, flits, traffic = name.split("_")
    kind = topology.rstrip("0123456789x")
    return {
        **topology_of(kind, topology.removeprefix(kind)),
        **ROUTING[kind, routing],
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
    """The rows of one reference file; no number where a field has none: beyond saturation there may be no latency."""
    with path.open() as file:
        return [{key: float(value or "nan") for key, value in row.items()} for row in csv.DictReader(file)]


def tolerance(name: str, load: float, top: float) -> float:
    """Of a latency at a load, by routing and by how near to saturation it is."""
    return LATENCY_TOLERANCES[name.split("_")[1]] if load < STEADY * top else BEYOND_TOLERANCE


def references(*, quick: bool) -> list[Path]:
    """The curves' files; quickly not every torus."""
    found = sorted(REFERENCE.glob("*.csv"))
    return [path for path in found if not quick or path.stem in QUICK_TORI or not path.stem.startswith("torus")]


def compare(study: Study) -> tuple[list[Row], dict[str, list[dict[str, float]]]]:
    """Rows of comparison.csv and the curves of the plot."""
    cycles = {"simulation.measure_cycles": 20000 if study.quick else 100000}
    rows, panels = [], {}
    for path in references(quick=study.quick):
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
            if math.isnan(latency):
                continue
            measured = result["packet_latency_cycles"]["mean"] - OFFSET_CYCLES
            panels[panel(path.stem)].append({"load": load, "reference": latency, "braid": measured})
            note = "" if load < STEADY * top else "at or beyond 80 % of saturation: not a steady figure in either"
            note = note or mark(path.stem)
            within = tolerance(path.stem, load, top)
            rows.append(Row(path.stem, f"latency at {load:g}", "cycles", latency, measured, within, note))
        best = max(result["accepted_flits_per_node_cycle"]["mean"] for result in results)
        note = mark(path.stem)
        rows.append(Row(path.stem, "saturation throughput", "flits/node/cycle", top, best, SATURATION_TOLERANCE, note))
    return rows, panels


def not_like_for_like(study: Study, what: str) -> list[Row]:
    """The same curves with one of Braid's own settings in place of what BookSim's router has (OTHERS). These rows are
    no test against it: they say what the setting is worth."""
    changed, names, quick = OTHERS[what]
    note = f"BookSim's router has not what Braid has here: {what}"
    cycles = {"simulation.measure_cycles": 20000 if study.quick else 100000}
    rows = []
    for path in sorted(REFERENCE.glob(names)):
        if study.quick and path.stem != quick:
            continue
        reference = points(path)
        top = max(point["accepted_flits_per_node_cycle"] for point in reference)
        steady = [p for p in reference if p["injected_flits_per_node_cycle"] < STEADY * top]
        loads = [p["injected_flits_per_node_cycle"] for p in steady] + [reference[-1]["injected_flits_per_node_cycle"]]
        keys = settings(path.stem) | cycles | changed
        jobs = [Run(path.stem, EXPERIMENT, keys | {"traffic.rate_flits_per_node_cycle": load}) for load in loads]
        results = [result["classes"][0] for result in study.run(jobs)]
        for point, result in zip(steady, results, strict=False):
            load, latency = point["injected_flits_per_node_cycle"], point["packet_latency_avg_cycles"]
            measured = result["packet_latency_cycles"]["mean"] - OFFSET_CYCLES
            quantity = f"latency at {load:g}, {what}, not like for like"
            within = tolerance(path.stem, load, top)
            rows.append(Row(path.stem, quantity, "cycles", latency, measured, within, note, stated_kind=Kind.OWN))
        best = max(result["accepted_flits_per_node_cycle"]["mean"] for result in results)
        quantity = f"highest accepted load, {what}, not like for like"
        rows.append(
            Row(path.stem, quantity, "flits/node/cycle", top, best, SATURATION_TOLERANCE, note, stated_kind=Kind.OWN)
        )
    return rows


def reproduce(study: Study) -> None:
    """Steady points must agree, like for like: with the write bypass and the datelines that BookSim's router has."""
    rows, panels = compare(study)
    study.compare(rows + [row for what in OTHERS for row in not_like_for_like(study, what)])
    plots.curves_against_reference(study.folder / "curves.png", panels)

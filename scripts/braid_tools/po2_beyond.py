"""Beyond the paper: closed forms, the best alpha under a bound, other networks, deadlock and what avoiding it costs."""

from __future__ import annotations

import csv
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from braid_tools.comparison import Row
from braid_tools.po2_study import (
    EXPERIMENT,
    FIFO,
    FULL_LOAD_FLITS,
    LONG,
    ROUND_ROBIN,
    ROUTINGS,
    SHORT,
    SHORTEST,
    Point,
    Study,
    figures,
)
from braid_tools.program import BraidError, Run, run, run_all

Table = list[dict[str, Any]]
ALPHAS = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, SHORTEST]
BOUND = 1.1  # long messages may take this times what they take under FIFO


def write_table(path: Path, rows: Table) -> None:
    """A CSV file whose columns are the rows' keys."""
    with path.open("w", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]))
        out.writeheader()
        out.writerows(rows)


def closed_forms(study: Study, folder: Path, quick: bool) -> list[Row]:
    """Zero load, Pollaczek and Khinchine, alpha 0 against FIFO, round robin as processor sharing."""
    pairs = folder / "pairs.txt"
    pairs.write_text("".join(f"{n} {n + 1}\n" for n in range(0, 90, 2)))
    alone = (("traffic.pattern", "permutation"), ("traffic.file", str(pairs)))
    long_run = 4000000 if quick else 16000000
    load = 0.6  # of a port that only sends: 240 cycles a packet
    sending = Point("deterministic", FIFO, 0.0, load * 420 / 240, (*alone, ("simulation.measure_cycles", long_run)))
    equal = (*alone, ("simulation.measure_cycles", long_run))
    turn, first = (Point("deterministic", s, 1.0, 0.9 * 420 / 240, equal) for s in (ROUND_ROBIN, FIFO))
    idle = Point("best_paths", FIFO, SHORT, 0.002)
    zero = Point("best_paths", 0.0)
    study.run([sending, turn, first, idle, zero, Point("best_paths")])
    distance = sum(6 * k * k for k in range(1, 6)) / 90
    rate, second = load / (240 * 3), 240**2 * (1 + 4 + 9 + 16 + 25) / 5
    lengths = study[sending].raw["messages"]["by_length"]
    wait = sum(e["messages"] * (e["latency_mean_cycles"] - 240 * (e["packets"] - 1) - 284) for e in lengths)
    same = study[zero].raw["packet_hash"] == study[Point("best_paths")].raw["packet_hash"]
    wait /= sum(e["messages"] for e in lengths)
    sharing = study[turn].all / study[first].all
    unloaded, mg1 = 260 + 12 * (distance + 1), rate * second / (2 * (1 - load))
    note = "2 is the limit of a full port; processor sharing over M/D/1 at 90 % gives 1.82"
    return [
        Row(
            "section 2",
            "packet latency without load, 260 + 12 (d + 1)",
            "cycles",
            unloaded,
            study[idle].one_packet,
            0.01,
        ),
        Row("closed form", "M/G/1 waiting at the PE port, load 0.6", "cycles", mg1, wait, 0.02),
        Row("section 4", "alpha = 0 is FIFO: same packet hash", "holds", 1, int(same), 0.0),
        Row("section 5", "equal lengths: round robin over FIFO, port 90 % busy", "factor", 2, sharing, 0.15, note),
    ]


def best_alpha(study: Study, quick: bool) -> Table:
    """The alpha of least short latency among those that keep long messages within BOUND of FIFO's."""
    alphas = ALPHAS[::3] if quick else ALPHAS
    points = [Point(r, a, share) for r in ROUTINGS for share in (SHORT, LONG) for a in (*alphas, FIFO)]
    study.run(points)
    rows: Table = []
    for routing in ROUTINGS:
        for share in (SHORT, LONG):
            fifo = study[Point(routing, FIFO, share)]
            kept = [a for a in alphas if study[Point(routing, a, share)].long <= BOUND * fifo.long]
            best = min(kept, key=lambda a: study[Point(routing, a, share)].short)
            for a in alphas:
                at = study[Point(routing, a, share)]
                row = {"routing": routing, "long_share": share, "alpha": a, "short_latency": round(at.short, 1)}
                row |= {"long_latency": round(at.long, 1), "long_over_fifo": round(at.long / fifo.long, 4)}
                rows.append(row | {"within_bound": a in kept, "best": a == best})
    return rows


MESH = {
    "topology.kind": "mesh",
    "topology.width": 8,
    "topology.height": 8,
    "router.architecture": "hybrid",
    "routing.allow_deadlock": False,
    "message.packet_flits": 8,
    "traffic.rate_flits_per_node_cycle": 0.25,
}
TREE = MESH | {
    "topology.kind": "k_ary_n_tree",
    "topology.arity": 4,
    "topology.levels": 3,
    "router.architecture": "virtual_cut_through",
    "router.vcs": 1,
    "traffic.rate_flits_per_node_cycle": 0.35,
}


def other_networks(quick: bool) -> Table:
    """Alpha scheduling on the hybrid router's mesh and on a fat tree, and PO2 with 1141 nodes."""
    cycles = {"simulation.measure_cycles": 50000 if quick else 400000, "simulation.min_warmup_cycles": 20000,
              "simulation.max_warmup_cycles": 50000, "simulation.batch_cycles": 10000}  # fmt: skip
    jobs = []
    small = [("hybrid 8x8 mesh", MESH, r) for r in ("x_first", "minimal_adaptive")]
    small += [("4-ary 3-tree", TREE, r) for r in ("tree_by_source", "tree_adaptive")]
    for network, keys, routing in small:
        load = f"{keys['traffic.rate_flits_per_node_cycle']} flits/node/cycle"
        for scheduler in (FIFO, 4.0, 8.0, ROUND_ROBIN, SHORTEST):
            settings = Point(routing, scheduler).settings() | keys | cycles
            jobs.append(Run(f"{network},{routing},{scheduler},{load}", EXPERIMENT, settings))
    large = {"simulation.measure_cycles": 200000 if quick else 1000000, "simulation.max_warmup_cycles": 200000}
    for routing in ROUTINGS:
        for scheduler in (FIFO, 8.0, ROUND_ROBIN):
            settings = Point(routing, scheduler, SHORT, 0.25).settings() | {"topology.edge": 20} | large
            jobs.append(Run(f"PO2 E20,{routing},{scheduler},u = 0.25", EXPERIMENT, settings))
    rows: Table = []
    for job, result in zip(jobs, run_all(jobs), strict=True):
        network, routing, scheduler, load = job.name.split(",")
        at = figures(result)
        row = {"network": network, "routing": routing, "scheduler": scheduler, "load": load, "all": round(at.all, 1)}
        rows.append(row | {"short": round(at.short, 1), "long": round(at.long, 1), "one_packet": round(at.one, 1)})
    return rows


def deadlock(quick: bool) -> Table:
    """Overload (u = 1.1) with 20 and 5 buffers, without and with avoidance; and what avoidance costs at u = 0.67."""
    overload = {"simulation.measure_cycles": 500000 if quick else 10000000, "simulation.max_drain_cycles": 0}
    cases = [(1.1, b, a) for b in (20, 5) for a in ("none", "up_down_escape")]
    cases += [(0.67, 20, a) for a in ("none", "up_down_escape")]
    cases += [(0.85, 20, a) for a in ("none, no backpressure", "up_down_escape, no backpressure")]
    runs = [(*case, routing) for case in cases for routing in ROUTINGS]

    def one(case: tuple[float, int, str, str]) -> dict[str, Any]:
        load, buffers, avoidance, routing = case
        settings = Point(routing, FIFO, SHORT, load).settings() | (overload if load > 0.8 else {})
        settings |= {"po2.buffers": buffers, "po2.avoidance": avoidance.split(",")[0]}
        settings |= {
            "simulation.max_warmup_cycles": 200000,
            "po2.reject_same_message": "no backpressure" not in avoidance,
        }
        row = {"load_u": load, "buffers": buffers, "avoidance": avoidance, "routing": routing}
        return row | outcome(settings)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, runs))


def outcome(settings: dict[str, Any]) -> dict[str, Any]:
    """How a run ended: its counts of packets (conservation is braid's own check), or the watchdog's words."""
    counts = ("packets_created", "packets_delivered", "packets_in_flight")
    try:
        result = run(Run("", EXPERIMENT, settings))
    except BraidError as error:
        said = str(error).removeprefix("braid: ").splitlines()
        row = {"ended": "; ".join(line.rstrip(":") for line in said[:2]), "accepted_u": "", "message_latency": ""}
        return row | dict.fromkeys((*counts, "escapes"), "")
    accepted = result["classes"][0]["accepted_flits_per_node_cycle"]["mean"] / FULL_LOAD_FLITS
    row = {"ended": f"{result['cycles']} cycles, nothing lost", "accepted_u": round(accepted, 4)}
    row |= {"message_latency": "" if result["saturated"] else round(figures(result).all, 1)}
    row |= {key: result["conservation"][key] for key in counts}
    return row | {"escapes": round(result["router_per_cycle"]["escapes"] * result["measured_cycles"])}

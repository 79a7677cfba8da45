"""Beyond the paper: closed forms, the best alpha under a bound, other networks, deadlock and what avoiding it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from braid_tools.comparison import Explanation, Kind, Row
from braid_tools.papers.po2.points import (
    EXPERIMENT,
    FIFO,
    FULL_LOAD_CYCLES,
    IDLE,
    LONG,
    ROUND_ROBIN,
    ROUTINGS,
    SHORT,
    SHORTEST,
    Figures,
    Point,
    Runs,
    figures,
    large,
)
from braid_tools.program import Run
from braid_tools.study import Study

Table = list[dict[str, Any]]
ALPHAS = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, SHORTEST]
SEND_CYCLES = 240  # of a node's port for a packet into the network
BOUND = 1.1  # long messages may take this times what they take under FIFO


def pairs(runs: Runs, study: Study) -> Callable[[str, float, float], Figures]:
    """Nodes 0, 2, ... send to 1, 3, ...: ports that only send, 240 cycles a packet. (scheduler, long share, load)."""
    file = study.folder / "pairs.txt"
    file.write_text("".join(f"{n} {n + 1}\n" for n in range(0, 90, 2)))
    cycles = 4000000 if study.quick else 16000000
    keys = (
        ("traffic.pattern", "permutation"),
        ("traffic.file", str(file)),
        ("simulation.measure_cycles", cycles),
    )
    return lambda scheduler, share, load: runs[
        Point("deterministic", scheduler, share, load * FULL_LOAD_CYCLES / SEND_CYCLES, keys)
    ]


def closed_forms(runs: Runs, study: Study) -> list[Row]:
    """Zero load, Pollaczek and Khinchine, alpha 0 against FIFO, round robin as processor sharing."""
    at = pairs(runs, study)
    distance = sum(6 * k * k for k in range(1, 6)) / 90
    unloaded, measured = 260 + 12 * (distance + 1), runs[IDLE].one_packet
    load = 0.6
    rate, second = load / (SEND_CYCLES * 3), SEND_CYCLES**2 * (1 + 4 + 9 + 16 + 25) / 5
    mg1 = rate * second / (2 * (1 - load))
    lengths = at(FIFO, 0.0, load).raw["messages"]["by_length"]
    wait = sum(e["messages"] * (at_port(e) - SEND_CYCLES * e["packets"]) for e in lengths)
    wait /= sum(e["messages"] for e in lengths)
    same = runs[Point("best_paths", 0.0)].raw["packet_hash"] == runs[Point("best_paths")].raw["packet_hash"]
    return [
        Row(
            "section 2",
            "packet latency without load, 260 + 12 (d + 1)",
            "cycles",
            unloaded,
            measured,
            0.01,
            stated_kind=Kind.CLOSED_FORM,
        ),
        Row("closed form", "M/G/1 waiting at the PE port, load 0.6", "cycles", mg1, wait, 0.02),
        Row("section 4", "alpha = 0 is FIFO: same packet hash", "holds", 1, int(same), 0.0),
        *processor_sharing(at),
    ]


def at_port(length: dict[str, Any]) -> float:
    """Of messages of one length, to a neighbour: from their creation until the port has sent the last packet."""
    return length["latency_mean_cycles"] - 44  # 12 + 12 + 20 of routers and ejection


def processor_sharing(at: Callable[[str, float, float], Figures]) -> list[Row]:
    """Section 5: what interleaving does to a short message, to equal messages, to a message of one packet."""
    sharing = at(ROUND_ROBIN, 1.0, 0.9).all / at(FIFO, 1.0, 0.9).all
    busy = 0.9
    md1 = 1 / (1 - busy) / (1 + busy / (2 * (1 - busy)))
    limit = Explanation("2 is the limit of a full port; processor sharing over M/D/1 at 90 %", md1, 0.05 * md1)
    # At a port that is half busy there is, on average, one message beside a newcomer: nearly always a long one.
    half = [e for e in at(ROUND_ROBIN, LONG, 0.5).raw["messages"]["by_length"] if e["packets"] <= 5]
    delayed = sum(e["messages"] * at_port(e) / (SEND_CYCLES * e["packets"]) for e in half)
    delayed /= sum(e["messages"] for e in half)
    more = [waiting_a_message(at(ROUND_ROBIN, SHORT, load)) for load in (0.6, 0.9)]
    what = "one-packet messages, round robin: wait over messages at the node (ports), load 0.9 over 0.6"
    return [
        Row("section 5", "short message beside a long one: round robin over alone", "factor", 2, delayed, 0.15),
        Row(
            "section 5",
            "equal lengths: round robin over FIFO, port 90 % busy",
            "factor",
            2,
            sharing,
            0.05,
            explanation=limit,
        ),
        Row("section 5", f'{what} ("proportional")', "factor", 1, more[1] / more[0], 0.1, quote="proportional"),
    ]


def waiting_a_message(figures: Figures) -> float:
    """Of messages of one packet: cycles of waiting for the port for each message that is there (Little's law)."""
    messages = figures.raw["messages"]
    one = messages["by_length"][0]
    rate = messages["created"] / (figures.raw["measured_cycles"] * 45)
    present = rate * sum(e["messages"] * at_port(e) for e in messages["by_length"]) / messages["delivered"]
    return (at_port(one) - SEND_CYCLES) / present


def best_alpha(runs: Runs) -> Table:
    """The alpha of least short latency among those that keep long messages within BOUND of FIFO's."""
    points = [Point(r, a, share) for r in ROUTINGS for share in (SHORT, LONG) for a in (*ALPHAS, FIFO)]
    runs.prepare(points)
    rows: Table = []
    for routing in ROUTINGS:
        for share in (SHORT, LONG):
            fifo = runs[Point(routing, FIFO, share)]
            kept = [a for a in ALPHAS if runs[Point(routing, a, share)].long <= BOUND * fifo.long]
            best = min(kept, key=lambda a: runs[Point(routing, a, share)].short)
            for a in ALPHAS:
                at = runs[Point(routing, a, share)]
                row = {"routing": routing, "long_share": share, "alpha": a, "short_latency": round(at.short, 1)}
                row |= {"long_latency": round(at.long, 1), "long_over_fifo": round(at.long / fifo.long, 4)}
                rows.append(row | {"within_bound": a in kept, "best": a == best})
    return rows


PACKETS = {"routing.allow_deadlock": False, "message.packet_flits": 8}
MESH = PACKETS | {
    "topology.kind": "mesh",
    "topology.width": 8,
    "topology.height": 8,
    "router.architecture": "hybrid",
    "traffic.rate_flits_per_node_cycle": 0.25,
}
TREE = PACKETS | {
    "topology.kind": "k_ary_n_tree",
    "topology.arity": 4,
    "topology.levels": 3,
    "router.architecture": "virtual_cut_through",
    "router.vcs": 1,
    "traffic.rate_flits_per_node_cycle": 0.35,
}


def other_networks(study: Study, runs: Runs) -> Table:
    """Alpha scheduling on the hybrid router's mesh and on a fat tree, and PO2 with 1141 nodes."""
    cycles = {"simulation.measure_cycles": 400000, "simulation.min_warmup_cycles": 20000,
              "simulation.max_warmup_cycles": 50000, "simulation.batch_cycles": 10000}  # fmt: skip
    jobs = []
    small = [("hybrid 8x8 mesh", MESH, r) for r in ("x_first", "minimal_adaptive")]
    small += [("4-ary 3-tree", TREE, r) for r in ("tree_by_source", "tree_adaptive")]
    for network, keys, routing in small:
        load = f"{keys['traffic.rate_flits_per_node_cycle']} flits/node/cycle"
        for scheduler in (FIFO, 4.0, 8.0, ROUND_ROBIN, SHORTEST):
            settings = Point(routing, scheduler).settings() | keys | cycles
            jobs.append(Run(f"{network},{routing},{scheduler},{load}", EXPERIMENT, settings))
    rows: Table = []
    for job, result in zip(jobs, study.run(jobs), strict=True):
        network, routing, scheduler, load = job.name.split(",")
        at = figures(result)
        row = {"network": network, "routing": routing, "scheduler": scheduler, "load": load, "all": round(at.all, 1)}
        rows.append(row | {"short": round(at.short, 1), "long": round(at.long, 1), "one_packet": round(at.one, 1)})
    return rows + large_network(runs)


def large_network(runs: Runs) -> Table:
    """PO2 with 1141 nodes."""
    points = [Point(r, s, SHORT, 0.25, large(runs.extent)) for r in ROUTINGS for s in (FIFO, 8.0, ROUND_ROBIN)]
    runs.prepare(points)
    rows: Table = []
    for point in points:
        at = runs[point]
        row = {"network": "PO2 E20", "routing": point.routing, "scheduler": point.scheduler, "load": "u = 0.25"}
        row |= {"all": round(at.all, 1), "short": round(at.short, 1), "long": round(at.long, 1)}
        rows.append(row | {"one_packet": round(at.one, 1)})
    return rows

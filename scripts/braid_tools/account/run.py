"""Figures of a run as a whole: its phases, what it conserved, and the set-up of its circuits."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from braid_tools.account.figures import Tree, ratio
from braid_tools.account.in_transit import stops
from braid_tools.account.links import Between
from braid_tools.account.log import NEVER, Log
from braid_tools.account.network import Circuit, Network, search
from braid_tools.account.stream import Sinks, read_graph, thousandths

DRAIN_STEP = 100  # cycles between two looks whether all measured packets have arrived


def check_log(log: Log, network: Network, complaints: list[str]) -> None:
    """Whether every line of the log is sound in itself: numbered, in time, its path a walk to its destination."""
    after: dict[int, int] = {}
    wrong: list[tuple[int, int]] = []  # packets, and the deroutes that they should have
    belated: list[str] = []
    for i, (source, sequence) in enumerate(zip(log.source.tolist(), log.sequence.tolist(), strict=True)):
        at = f"log, packet {sequence} of node {source}:"
        if sequence != after.get(source, 0):
            complaints.append(f"{at} out of its place")
        after[source] = sequence + 1
        created, injected, left, delivered = (
            int(times[i]) for times in (log.created, log.injected, log.left_queue, log.delivered)
        )
        body = int(log.flits[i]) - 1
        sound = injected == NEVER or created < injected
        sound &= left == NEVER or (
            injected != NEVER and injected <= left + 1 - body
        )  # the edge before the tail is on the link
        sound &= delivered == NEVER or injected + body <= left + 1 <= delivered
        if left != NEVER and injected > left + 1:
            belated.append(f"{at} cycles {created}, {injected}, {left}, {delivered}")
        elif not sound:
            complaints.append(f"{at} its cycles are {created}, {injected}, {left}, {delivered}")
        path = log.paths[i]
        if not path:
            continue
        goal = network.goal_of(int(log.destination[i]))
        away = 0
        for (here, _, before), (there, entry, routed) in pairwise(path):
            if here == there and routed > before:
                continue  # it rested in an in-transit buffer
            ways = [port for port in range(len(network.ports[here])) if network.far.get((here, port)) == (there, entry)]
            if not ways or routed <= before:
                complaints.append(f"{at} no link from router {here} to {there}:{entry}")
            away += network.distance(there, goal) >= network.distance(here, goal)
        ends = (path[0][0], path[-1][0]) if delivered != NEVER else (path[0][0], goal)
        if ends != (network.node_router[source], goal) or len(path) - stops(path) != log.routers[i]:
            complaints.append(f"{at} path {log.path_text[i]} with {log.routers[i]} routers")
        if away != log.deroutes[i]:
            wrong.append((i, away))
    if belated:
        complaints.append(f"log.injected of {len(belated)} packets is after left_queue, first {belated[0]}")
    if wrong:
        i, away = wrong[0]
        complaints.append(
            f"log.deroutes of {len(wrong)} packets, first packet {log.sequence[i]} of node {log.source[i]}: "
            f"{log.deroutes[i]} with path {log.path_text[i]}, the account says {away}"
        )


def check_stream_paths(log: Log, complaints: list[str]) -> None:
    """routing.algorithm = "disjoint_paths": all packets of a stream take one path, and no link is on two."""
    taken: dict[tuple[int, int], int] = {}  # stream by router and port that its packets come in by
    for i in np.flatnonzero(log.delivered != NEVER):
        stream = int(log.stream[i])
        for router, port, _ in log.paths[i][1:]:
            if taken.setdefault((router, port), stream) != stream:
                complaints.append(f"streams {taken[router, port]} and {stream} share the link into {router}:{port}")
                return
    for stream in np.unique(log.stream):
        mine = np.flatnonzero((log.stream == stream) & (log.delivered != NEVER))
        if len({tuple(hop[0] for hop in log.paths[i]) for i in mine}) > 1:
            complaints.append(f"packets of stream {stream} take several paths")


def warm_up(log: Log, start: int, simulation: Tree, sinks: Sinks) -> tuple[int, bool]:
    """Cycles of warm-up, and whether it ended by its rule: latency and throughput of a batch, by what was delivered in
    it, changed by no more than the tolerance times the larger of the two values, two batches running. A batch in which
    nothing is delivered, or a stream program gets nothing done, is never steady."""
    batch, tolerance = simulation["batch_cycles"], simulation["warmup_tolerance"]
    cycles, calm, before = 0, 0, (0.0, 0.0)
    while cycles < simulation["max_warmup_cycles"]:
        begin, end = start + cycles, start + cycles + batch
        at = (log.delivered >= begin) & (log.delivered < end)
        cycles += batch
        now = (float(ratio((log.delivered - log.created)[at].sum(), at.sum())), float(log.flits[at].sum()))
        quiet = all(abs(new - old) <= tolerance * max(old, new) for new, old in zip(now, before, strict=True))
        productive = not sinks or thousandths(sinks, end) > thousandths(sinks, begin)
        calm = calm + 1 if quiet and productive and at.any() and cycles > batch else 0
        before = now
        if calm >= 2 and cycles >= simulation["min_warmup_cycles"]:
            return cycles, True
    return cycles, False


def drain(log: Log, born: np.ndarray, end: int, limit: int) -> int:
    """The run's end: when all packets born while measuring have come, or the limit."""
    stop = end
    while True:
        over = np.maximum(log.delivered, log.lost)
        waiting = bool((born & ((over == NEVER) | (over >= stop))).any())
        if not waiting or stop >= end + limit:
            return stop
        stop = min(stop + DRAIN_STEP, end + limit)


def flit_hops(log: Log, circuits: dict[int, Circuit], whole: bool) -> Any:
    """Flits times routers, one where a packet rested twice. Of packets in flight it lies between the routers that the
    head has passed and all that it was routed in; families that move packets as a whole count all flits with the
    head."""
    routers = np.array([len(path) for path in log.paths], dtype=np.int64)
    for number, circuit in circuits.items():
        routers[(log.kind == "circuit") & (log.stream == number)] = len(circuit.path)
    at = log.delivered != NEVER
    hops = int((log.flits * routers)[at].sum())
    low = high = 0
    for i in np.flatnonzero(~at & (log.injected != NEVER)):
        if log.kind[i] == "circuit":
            high += int(log.flits[i] * routers[i])
        else:
            low += max(0, len(log.paths[i]) - 1) * (int(log.flits[i]) if whole else 1)
            high += int(log.flits[i]) * len(log.paths[i])
    return Between(hops + low, hops + high)


def conservation(log: Log, network: Network, results: Tree, cycles: int, whole: bool, rests: bool) -> Tree:
    """Packets exactly. Flits of packets that are partly out, or partly there, between bounds; families that move
    packets as a whole count all flits with the head when they are sent and with the tail when they arrive. What rests
    in in-transit buffers counts with every leg: else injected = delivered + in flight would not hold."""
    at = log.delivered != NEVER
    begun = log.injected != NEVER
    legs = np.array([stops(path) for path in log.paths], dtype=np.int64)  # that began behind an in-transit buffer
    again = int((log.flits * legs)[begun].sum())
    perhaps = int(log.flits[begun & ~at].sum()) if rests else 0  # one more
    unsure = int((log.flits * (legs > 0))[begun & ~at].sum())
    partly = begun & (log.left_queue == NEVER)
    out = int(log.flits[begun & ~partly].sum())
    rest = int(log.flits[partly].sum())
    most = rest if whole else int(np.minimum(log.flits[partly], cycles - log.injected[partly] + 1).sum())
    arrived = int(log.flits[at].sum())
    arriving = 0
    for i in np.flatnonzero(~at & begun):
        path = log.paths[i]
        if not path or path[-1][0] == network.goal_of(int(log.destination[i])):
            arriving += int(log.flits[i]) - 1
    theirs = results["conservation"]
    return {
        "packets_created": len(log),
        "packets_delivered": int(at.sum()),
        "packets_in_flight": int((~at & (log.lost == NEVER)).sum()),
        "flits_injected": Between(out + (rest if whole else 0) + again - unsure, out + most + again + perhaps),
        "flits_delivered": Between(arrived + again - unsure, arrived + again + perhaps + (0 if whole else arriving)),
        "flits_in_flight": theirs["flits_injected"] - theirs["flits_delivered"] - theirs.get("flits_lost", 0),
        "holds": True,
    }


def setup(
    configuration: Tree, network: Network, results: Tree, complaints: list[str]
) -> tuple[Tree, dict[int, Circuit], int]:
    """The set-up's figures, the circuits by stream, and its cycles. A first order that succeeds is searched again; of
    later orders, which are random, the paths found are checked."""
    theirs = results.get("setup", {})
    _, _, edges = read_graph(configuration)
    names = [f"{edge.source} -> {edge.target}" for edge in edges]
    nodes = {actor["name"]: actor["node"] for actor in results["stream"]["actors"]}
    ends = [(nodes[edge.source], nodes[edge.target]) for edge in edges]
    order = sorted(range(len(edges)), key=lambda number: (ends[number][0], number))
    token = configuration["setup"]["token_cycles"]
    if configuration["setup"]["searches"] == "parallel":
        return at_once(network, theirs, names, ends, complaints)
    if configuration["setup"]["paths"] != "routers":
        return installed(configuration, network, theirs, names, ends, order, complaints)
    taken: set[tuple[int, int]] = set()
    found: dict[int, Circuit] = {}
    for number in order:
        circuit = search(network, *ends[number], taken)
        if circuit is None:
            break
        found[number] = circuit
    first_failed = len(found) < len(edges)
    failed_stream = theirs["failed_stream"]  # of the last order, which is random but for the first
    if first_failed:
        if configuration["setup"]["retries"] == 0:
            failed_stream = names[order[len(found)]]
        found = read_circuits(network, theirs, names, ends, complaints)
    if first_failed and found and theirs["orders_tried"] < 2:
        complaints.append("setup.orders_tried is 1, but the account finds no path for all streams in the first order")
    circuits = [
        {
            "stream": names[number],
            "source_node": ends[number][0],
            "destination_node": ends[number][1],
            "setup_cycles": 4 * (len(circuit.path) - 1) + 1 + 4 * circuit.backtracks,
            "backtracks": circuit.backtracks,
            "path": [{"router": network.routers[r], "port": network.ports[r][p]} for r, p in circuit.path],
        }
        for number, circuit in sorted(found.items(), key=lambda item: order.index(item[0]))
    ]
    total = sum(circuit["setup_cycles"] + token for circuit in circuits)
    if first_failed:
        circuits.sort(key=lambda c: [other["stream"] for other in theirs["circuits"]].index(c["stream"]))
        total = theirs["total_cycles"]
        if total <= sum(circuit["setup_cycles"] + token for circuit in circuits):
            complaints.append("setup.total_cycles leaves no time for the orders that failed")
    fell_back = first_failed and not circuits
    tree = {
        "fell_back_to_packets": fell_back,
        "orders_tried": theirs["orders_tried"] if first_failed else 1,
        "failed_stream": failed_stream if fell_back else "",
        "total_cycles": total,
        "circuits": circuits,
    }
    if fell_back and theirs["orders_tried"] != configuration["setup"]["retries"] + 1:
        complaints.append("setup fell back to packets before all orders were tried")
    return tree, found, total + 1


def installed(
    configuration: Tree,
    network: Network,
    theirs: Tree,
    names: list[str],
    ends: list[tuple[int, int]],
    order: list[int],
    complaints: list[str],
) -> tuple[Tree, dict[int, Circuit], int]:
    """Circuits on paths that a program has found. Which those are is that program's own business, but for a file's."""
    token = configuration["setup"]["token_cycles"]
    found = read_circuits(network, theirs, names, ends, complaints)
    if configuration["setup"]["paths"] == "listed":
        lines = Path(configuration["disjoint"]["file"]).read_text().splitlines()
        asked = [words for line in lines if (words := line.split("#")[0].split())]
        for number, circuit in found.items():
            routers = [network.routers[r] for r, _ in circuit.path]
            if routers not in asked:
                complaints.append(f"the circuit of {names[number]} is not in the file of paths")
    circuits = [
        {
            "stream": names[number],
            "source_node": ends[number][0],
            "destination_node": ends[number][1],
            "setup_cycles": 4 * (len(found[number].path) - 1) + 1,
            "backtracks": 0,
            "path": [{"router": network.routers[r], "port": network.ports[r][p]} for r, p in found[number].path],
        }
        for number in order
        if number in found
    ]
    if found and len(found) < len(names):
        complaints.append("setup.circuits has circuits for some streams")
    total = sum(circuit["setup_cycles"] + token for circuit in circuits) if circuits else theirs["total_cycles"]
    tree = {
        "fell_back_to_packets": not circuits,
        "orders_tried": 1,
        "failed_stream": "" if circuits else names[order[0]],
        "total_cycles": total,
        "circuits": circuits,
    }
    return tree, found, total + 1


def at_once(
    network: Network, theirs: Tree, names: list[str], ends: list[tuple[int, int]], complaints: list[str]
) -> tuple[Tree, dict[int, Circuit], int]:
    """Circuits whose searches met. In which cycles they did is the replay's business (tb/python); here they join their
    nodes, none is ready before its links allow, and all know 4 cycles for each link of the longest distance later."""
    found = read_circuits(network, theirs, names, ends, complaints)
    if found and len(found) < len(names):
        complaints.append("setup.circuits has circuits for some streams")
    routers = range(len(network.routers))
    agreement = 4 * max(network.distance(here, there) for here in routers for there in routers)
    last = 0
    for circuit in theirs["circuits"]:
        last = max(last, circuit["setup_cycles"])
        if circuit["setup_cycles"] < 4 * (len(circuit["path"]) - 1) + 1:
            complaints.append(f"the circuit of {circuit['stream']} is ready before a message can have gone its way")
    if theirs["orders_tried"] == 1 and found and theirs["total_cycles"] != last + agreement:
        complaints.append("setup.total_cycles is not the last circuit's cycles and the agreement's")
    return theirs, found, theirs["total_cycles"] + 1


def read_circuits(
    network: Network, theirs: Tree, names: list[str], ends: list[tuple[int, int]], complaints: list[str]
) -> dict[int, Circuit]:
    """The circuits of the results, if they join their nodes over ports that no other has."""
    taken: set[tuple[int, int]] = set()
    result = {}
    for circuit in theirs.get("circuits", []):
        number = names.index(circuit["stream"])
        router, goal = (network.node_router[node] for node in ends[number])
        path = []
        for step in circuit["path"]:
            here = network.routers.index(step["router"])
            port = (here, network.ports[here].index(step["port"]))
            if here != router or port in taken:
                complaints.append(f"the circuit of {circuit['stream']} does not lead on, or not alone, by {step}")
            path.append(port)
            router = network.far.get(port, (here, 0))[0]
        if path[-1][0] != goal or path[-1] in network.far:
            complaints.append(f"the circuit of {circuit['stream']} does not end at its node")
        taken.update(path)
        result[number] = Circuit(path, circuit["backtracks"])
    return result

"""Figures that only a waveform holds: the use of PO2's ports, its escapes, and the intervals of the SAT line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np

from braid_tools.account.broadcast_parts import heard_by, parts_of
from braid_tools.account.figures import Tree
from braid_tools.account.links import Between, Waves, counted, plain, scope, steps
from braid_tools.account.log import NEVER, Log, Window
from braid_tools.account.network import Network


def po2_figures(log: Log, window: Window, network: Network, configuration: Tree, wave: Path | None) -> Tree:
    """What PO2's ports did, per cycle. A waveform shows them after each clock edge: a port is busy in a cycle if it is
    so before or after it, and waits busily if it does so before and after it."""
    header = configuration["po2"]["header_cycles"]
    deroutes = 0
    for packet, (router, port), _, routed in steps(log, network):
        if window.begin <= routed - header < window.end:
            goal = network.node_router[int(log.destination[packet])]
            other = network.far[router, port][0]
            deroutes += network.distance(other, goal) >= network.distance(router, goal)
    if wave is None:
        raise ValueError("the use of PO2's ports needs a waveform")
    waves = Waves(
        wave, ("use", "sent_last", "busy_waiting", "wanted", "state", "wants", "pool_class", "source", "sequence")
    )
    result: Tree = {
        "deroutes": Fraction(deroutes, window.cycles),
        "escapes": Fraction(escapes(log, window, network, configuration, waves), window.cycles),
    }
    busy = {"pe": 0, "link": 0}
    waiting = {"pe": 0, "link": 0}
    ports = {"pe": 0, "link": 0}
    doubtful = 0  # with several ports a node's packet may have gone by another one, and a second begun to wait
    for router, names in enumerate(network.ports):
        stays = asked_on(window, network.routers[router], len(names), configuration["po2"]["buffers"], waves)
        for port, name in enumerate(names):
            if not network.has_port(router, port):
                continue
            kind = "link" if (router, port) in network.far else "pe"
            end = f"{scope(network.routers[router])}.{plain(name)}"
            after = waves.over(f"{end}.use", window.begin, window.end) != 0
            before = waves.over(f"{end}.use", window.begin - 1, window.end - 1) != 0
            refused = waves.over(f"{end}.busy_waiting", window.begin, window.end) != 0
            refused &= waves.over(f"{end}.busy_waiting", window.begin - 1, window.end - 1) != 0
            if kind == "pe" and configuration["topology"]["local_ports"] > 1:
                asked = waves.over(f"{end}.wanted", window.begin - 1, window.end - 1) != 0
                doubtful += int((refused & asked & ~stays[:, port]).sum())
            if kind == "link":
                refused &= stays[:, port] & ~after & ~before
            ports[kind] += 1
            busy[kind] += int((before | after).sum())
            waiting[kind] += int(refused.sum())
    links_here = ports["link"] // 2
    pe_waiting = Fraction(waiting["pe"], ports["pe"] * window.cycles)
    return {
        "pe_port_busy": Fraction(busy["pe"], ports["pe"] * window.cycles),
        "pe_port_waiting": Between(Fraction(waiting["pe"] - doubtful, ports["pe"] * window.cycles), pe_waiting),
        "link_busy": Fraction(busy["link"], 2 * links_here * window.cycles),
        "link_waiting": Fraction(waiting["link"], links_here * window.cycles),
        **result,
        **po2_transfers(log, window, network, configuration, waves),
        **po2_messages(log, window, configuration),
    }


SENDING, RECEIVING, REJECTED = 1, 2, 3  # what a PO2 port is used for


def po2_transfers(log: Log, window: Window, network: Network, configuration: Tree, waves: Waves) -> Tree:
    """What comes into pools and goes out of them, and what was sent over links or offered there in vain."""
    coming = going = rejections = sendings = 0
    for router, names in enumerate(network.ports):
        for port, name in enumerate(names):
            if not network.has_port(router, port):
                continue
            end = f"{scope(network.routers[router])}.{plain(name)}"
            after = waves.over(f"{end}.use", window.begin, window.end)
            before = waves.over(f"{end}.use", window.begin - 1, window.end - 1)
            out = waves.over(f"{end}.sent_last", window.begin, window.end) != 0
            was_out = waves.over(f"{end}.sent_last", window.begin - 1, window.end - 1) != 0
            coming += int(((before == RECEIVING) | (after == RECEIVING)).sum())
            going += int(((before == SENDING) | (after == SENDING)).sum())
            going += int((((before == REJECTED) & was_out) | ((after == REJECTED) & out)).sum())
            tried = (before != REJECTED) & (after == REJECTED)
            if (router, port) in network.far:
                rejections += int((tried & out).sum())
                sendings += int(((before != SENDING) & (after == SENDING)).sum())
            else:
                rejections += int(tried.sum())
    again = 0
    if configuration["po2"]["error_rate"] > 0:
        again = sendings - well_received(log, window, network, configuration["po2"]["header_cycles"], waves.last)
    routers = len(network.routers) * window.cycles
    return {
        "rejections": Fraction(rejections, window.cycles),
        "retransmissions": Fraction(again, window.cycles),
        "crossbar_in_busy": Fraction(coming, routers),
        "crossbar_out_busy": Fraction(going, routers),
    }


def well_received(log: Log, window: Window, network: Network, header: int, last: int) -> int:
    """Packets that begin to cross a link while measuring and are routed at its far end."""
    if last + 1 - window.end < header:
        raise ValueError("the run ends before the last packets are routed: simulation.max_drain_cycles")
    return sum(window.begin <= routed - header < window.end for _, _, _, routed in steps(log, network))


def po2_messages(log: Log, window: Window, configuration: Tree) -> Tree:
    """Packets that turn a node to another message, and to one that it has not at hand."""
    options = configuration["po2"]
    if options["rejection"] == "tried":
        raise ValueError('what a node has tried the log does not hold: po2.rejection = "tried_on_links"')
    cached: dict[int, list[int]] = {}  # node -> messages, the last used first
    switches = misses = 0
    for packet in np.argsort(log.injected, kind="stable"):
        cycle, message = int(log.injected[packet]), int(log.message[packet])
        if NEVER in (cycle, message):
            continue
        at_hand = cached.setdefault(int(log.source[packet]), [])
        counts = window.begin <= cycle < window.end
        switches += counts and at_hand[:1] != [message]
        misses += counts and message not in at_hand
        kept = [other for other in at_hand if other != message]
        cached[int(log.source[packet])] = [message, *kept][: options["cached_messages"]]
    return {"message_switches": Fraction(switches, window.cycles), "message_misses": Fraction(misses, window.cycles)}


def asked_on(window: Window, router: str, ports: int, buffers: int, waves: Waves) -> np.ndarray:
    """For every cycle and port, whether a packet that asked for it before the cycle still waits after it."""
    waiting = 2
    result = np.zeros((window.cycles, ports), dtype=bool)
    for buffer in range(buffers):
        name = f"{scope(router)}.buffer{buffer}"
        wants = waves.over(f"{name}.wants", window.begin - 1, window.end - 1)
        still = waves.over(f"{name}.state", window.begin - 1, window.end - 1) == waiting
        still &= waves.over(f"{name}.state", window.begin, window.end) == waiting
        result |= still[:, None] & ((wants[:, None] >> np.arange(ports)) & 1 != 0)
    return result


def escapes(log: Log, window: Window, network: Network, configuration: Tree, waves: Waves) -> int:
    """Packets that took to the escape buffers while measuring: once there they stay there to their end. Those of the
    whole run must be the log's."""
    began: dict[tuple[int, int], int] = {}  # source, sequence -> cycle
    for router in network.routers:
        for buffer in range(configuration["po2"]["buffers"]):
            state, pool, source, sequence = (
                waves.signals[f"{scope(router)}.buffer{buffer}.{signal}"]
                for signal in ("state", "pool_class", "source", "sequence")
            )
            others = (source[1:] != source[:-1]) | (sequence[1:] != sequence[:-1])
            here = (state[1:] != 0) & (state[1:] != 3)  # while it leaves, the buffer may show a packet made later
            begins = here & (pool[1:] != 0) & ((state[:-1] == 0) | others)
            for index in np.flatnonzero(begins) + 1:
                packet = (int(source[index]), int(sequence[index]))
                cycle = int(index) + waves.first
                began[packet] = min(cycle, began.get(packet, cycle))
    logged = {(int(log.source[i]), int(log.sequence[i])) for i in np.flatnonzero(log.escapes)}
    unrouted = waves.last - configuration["po2"]["header_cycles"]  # the log learns of an escape with the whole header
    if not logged <= set(began) or any(began[packet] < unrouted for packet in set(began) - logged):
        raise ValueError(f"the log has {len(logged)} packets with escapes, the waveform {len(began)}")
    return sum(window.begin <= cycle < window.end for cycle in began.values())


def unheld_interval(configuration: Tree, network: Network) -> int:
    """Closed forms of docs/sat-fairness.md: out from the root and back, or once around. A round takes a cycle for every
    station and one for every wire; a tour around a spanning tree takes each of its links twice."""
    topology, nodes = configuration["topology"], len(network.node_router)
    routers, wire = range(len(network.routers)), topology["link_latency_cycles"]
    tree = topology["kind"] == "k_ary_n_tree"
    if configuration["sat"]["carrier"] == "diamond_ring":
        return unheld_diamond(configuration, network, 2 if tree else 0)
    if configuration["sat"]["carrier"] == "spanning_tree":
        depth = min(max(network.distance(here, root) for here in routers) for root in routers)
        return 2 * ((topology["levels"] - 1) * wire + 1 if tree else depth * wire) + 1  # to a node it is a cycle
    if tree:
        tour = 0
        for _ in range(topology["levels"]):
            tour = 2 * topology["arity"] + topology["arity"] * tour
        return (tour - 2 * nodes) * wire + 2 * nodes + nodes
    odd_mesh = topology["kind"] == "mesh" and nodes % 2 == 1
    return (2 * (nodes - 1) if odd_mesh or topology["kind"] == "graph" else nodes) * wire + nodes


def shortest_round(log: Log, window: Window) -> int:
    """Of a signal that is a packet: it is home in cycle 0, and in the cycle after each tail that comes there."""
    mine = np.flatnonzero(log.kind == "sat_signal")
    home = log.source[mine[np.argmin(log.created[mine])]]
    back = mine[(log.destination[mine] == home) & (log.delivered[mine] != NEVER) & (log.delivered[mine] < window.end)]
    rounds = np.diff(np.sort(log.delivered[back]) + 1, prepend=0)
    return int(rounds.min()) if len(rounds) else 0


def unheld_diamond(configuration: Tree, network: Network, ends: int) -> int:
    """A round over a diamond ring of nodes in their order, merged edges, units that take turns: each drives a wire in a
    cycle, else receives from the next one that has brought the signal. `ends`: cycles of a wire beside its links."""
    if configuration["sat"]["moves"] > 0:
        raise ValueError("where annealing puts the nodes of a diamond ring the account does not know: sat.moves = 0")
    nodes = len(network.node_router)
    options = {
        "scheme": "diamond_ring",
        "contamination": "add_or_remove",
        "companion": False,
        "merge_parallel": True,
        "arity": configuration["sat"]["arity"],
    }
    parts = parts_of(options, network)
    latency = configuration["topology"]["link_latency_cycles"]
    missing = [len(heard) for heard in heard_by(parts)]
    to_drive, there = [list(part.at_once) if p == 0 else [] for p, part in enumerate(parts)], [0] * nodes
    arriving: dict[int, list[int]] = {}
    begun = [p == 0 for p in range(nodes)]
    cycle = 0
    while True:
        for position in arriving.pop(cycle, []):
            there[position] += 1
        for here, part in enumerate(parts):
            if to_drive[here]:
                other = to_drive[here].pop(0)
                links = network.distance(network.node_router[here], network.node_router[other])
                arriving.setdefault(cycle + 1 + links * latency + ends, []).append(other)
            elif there[here]:
                there[here] -= 1
                missing[here] -= 1
                to_drive[here] += [] if begun[here] else part.at_once
                begun[here] = True
                to_drive[here] += [] if missing[here] else part.when_done
        cycle += 1
        if missing[0] == 0:
            return cycle


def fairness(log: Log, window: Window, network: Network, configuration: Tree, wave: Path | None) -> Tree:
    """Intervals between receptions of the signal at a station: those that end while measuring."""
    sat = configuration["sat"]
    result: Tree = {
        "policy": configuration["interface"]["fairness"],
        "carrier": sat["carrier"],
        "l": sat["l"],
        "k": sat["k"],
        "unheld_interval_cycles": shortest_round(log, window)
        if sat["carrier"] == "control_packet"
        else unheld_interval(configuration, network),
    }
    if wave is None:
        raise ValueError("the intervals of the signal need a waveform")
    waves = Waves(wave, ("holds", "sent", "open", "line."))
    if result["policy"] == "sat_auto":
        result["l"] = result["k"] = found_threshold(waves, len(network.node_router))
    intervals: list[int] = []
    for node in range(len(network.node_router)):
        receptions = starts(waves.signals[f"sat.node{node}.holds"])
        if sat["carrier"] == "spanning_tree" and configuration["topology"]["kind"] != "k_ary_n_tree":
            line = next(name for name in waves.signals if name.startswith("sat.line."))
            if line.split(".")[-1].split("_to_")[0] == scope(network.routers[node]).removeprefix("router_"):
                receptions = starts(waves.signals[line])  # the root's: it may hold two rounds without a break
        receptions += waves.first
        if (
            sat["carrier"] == "diamond_ring"
        ):  # a signal that the node does not hold is gone in the cycle in which it comes
            receptions = np.array(counted(waves, f"sat.line.node_{node}.begun"))
        ends = (window.begin <= receptions[1:]) & (receptions[1:] < window.end)
        intervals += np.diff(receptions)[ends].tolist()
    result["interval_cycles"] = {
        "count": len(intervals),
        "min": min(intervals),
        "mean": Fraction(sum(intervals), len(intervals)),
        "max": max(intervals),
    }
    return result


def starts(values: np.ndarray) -> np.ndarray:
    """Where a wire becomes 1."""
    return np.flatnonzero((values[1:] == 1) & (values[:-1] == 0)) + 1


def found_threshold(waves: Waves, nodes: int) -> Between:
    """Of sat_auto at the end: a station is open exactly while it has sent less than the k that reached it last."""
    low, high = 10**9, 1
    for node in range(nodes):
        sent = int(waves.signals[f"sat.node{node}.sent"][-1])
        is_open = bool(waves.signals[f"sat.node{node}.open"][-1])
        low = min(low, sent + 1 if is_open else 1)
        high = max(high, 10**9 if is_open else sent)
    return Between(low, high)

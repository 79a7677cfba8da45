"""Figures of links and routers: from the paths in a packet log where the times in it say all, else between bounds that
it gives, else from a waveform."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from braid_tools.account_log import NEVER, Log, Window
from braid_tools.account_network import Circuit, Network
from braid_tools.vcd import read_vcd

Tree = dict[str, Any]


@dataclass(frozen=True)
class Between:
    """A figure of which the log gives bounds only."""

    low: Fraction | int
    high: Fraction | int


class Waves:
    """A waveform as arrays; column 0 is cycle `first`."""

    def __init__(self, file: Path, kept: tuple[str, ...]):
        self.signals = {name: np.array(values) for name, values in read_vcd(file, (*kept, "cycle")).items()}
        cycle = self.signals.pop("network.cycle")
        self.first, self.last = int(cycle[0]), int(cycle[-1])

    def over(self, name: str, begin: int, end: int) -> np.ndarray:
        """A signal's values in cycles begin to end - 1."""
        if begin < self.first or end - 1 > self.last:
            raise ValueError(f"the waveform holds cycles {self.first} to {self.last}, not {begin} to {end - 1}")
        return self.signals[name][begin - self.first : end - self.first]


def scope(router: str) -> str:
    """A router's name in a waveform."""
    return "router_" + "".join(letter if letter.isalnum() else "_" for letter in router)


def links(
    log: Log, window: Window, network: Network, configuration: Tree, circuits: dict[int, Circuit], wave: Path | None
) -> list[Tree]:
    """Flits over every link while measuring."""
    architecture = configuration["router"]["architecture"]
    if configuration["interface"]["ideal"]:
        return []
    if architecture == "po2":
        packets = po2_crossings(log, window, network, configuration)
        on_circuits = {}
    elif architecture == "virtual_cut_through":
        packets = cut_through_crossings(log, window, network, configuration)
        on_circuits = {}
    elif wave is not None:
        packets, on_circuits = hybrid_crossings(window, network, wave)
    else:
        packets = hybrid_bounds(log, window, network)
        on_circuits = circuit_bounds(log, window, circuits)
    return [
        {
            "router": network.routers[router],
            "port": network.ports[router][port],
            "packet_flits_per_cycle": per_cycle(packets.get((router, port), 0), window),
            "circuit_flits_per_cycle": per_cycle(on_circuits.get((router, port), 0), window),
        }
        for router, port in network.links()
    ]


def per_cycle(flits: Any, window: Window) -> Any:
    """Flits over the cycles of the window; bounds stay bounds."""
    if isinstance(flits, tuple):
        return Between(Fraction(flits[0], window.cycles), Fraction(flits[1], window.cycles))
    return Fraction(flits, window.cycles)


def steps(log: Log, network: Network) -> list[tuple[int, tuple[int, int], int, int]]:
    """Every link that a head has passed: packet, output port, cycle in which it was routed before and after it."""
    back = {there: here for here, there in network.far.items()}
    return [
        (packet, back[after[0], after[1]], before[2], after[2])
        for packet, path in enumerate(log.paths)
        for before, after in zip(path, path[1:], strict=False)
    ]


def po2_crossings(log: Log, window: Window, network: Network, configuration: Tree) -> dict[tuple[int, int], int]:
    """A packet counts when it begins to cross; `header_cycles` later it is routed at the far end."""
    flits: dict[tuple[int, int], int] = {}
    header = configuration["po2"]["header_cycles"]
    for packet, link, _, routed in steps(log, network):
        if window.begin <= routed - header < window.end:
            flits[link] = flits.get(link, 0) + int(log.flits[packet])
    return flits


def cut_through_crossings(
    log: Log, window: Window, network: Network, configuration: Tree
) -> dict[tuple[int, int], int]:
    """A packet counts as a whole when its head crosses; it is in the next queue `link_latency_cycles` later."""
    flits: dict[tuple[int, int], int] = {}
    latency = configuration["topology"]["link_latency_cycles"]
    for packet, link, _, routed in steps(log, network):
        if window.begin <= routed - latency < window.end:
            flits[link] = flits.get(link, 0) + int(log.flits[packet])
    return flits


def hybrid_crossings(window: Window, network: Network, wave: Path) -> tuple[dict, dict]:
    """From the links' own wires."""
    waves = Waves(wave, ("link_valid", "link_circuit"))
    packets, on_circuits = {}, {}
    for link, (router, port) in network.far.items():
        end = f"{scope(network.routers[router])}.{network.ports[router][port]}"
        valid = waves.over(f"{end}.link_valid", window.begin, window.end)
        circuit = waves.over(f"{end}.link_circuit", window.begin, window.end)
        packets[link] = int((valid & ~circuit & 1).sum())
        on_circuits[link] = int((valid & circuit).sum())
    return packets, on_circuits


def hybrid_bounds(log: Log, window: Window, network: Network) -> dict[tuple[int, int], tuple[int, int]]:
    """A packet's flits cross a link after its head was routed before it, and before its tail is delivered; the head
    crosses before it is routed after the link."""
    low: dict[tuple[int, int], int] = {}
    high: dict[tuple[int, int], int] = {}
    back = {there: here for here, there in network.far.items()}
    for packet, path in enumerate(log.paths):
        flits, delivered = int(log.flits[packet]), int(log.delivered[packet])
        for position, (router, port, routed) in enumerate(path[1:], 1):
            link = back[router, port]
            first, head = path[position - 1][2] + 1, routed - 1
            last = delivered - 1 if delivered != NEVER else None
            if first < window.end and (last is None or last >= window.begin):
                high[link] = high.get(link, 0) + flits
            if window.begin <= first and last is not None and last < window.end:
                low[link] = low.get(link, 0) + flits
            elif window.begin <= first and head < window.end:
                low[link] = low.get(link, 0) + 1
    # A head may be on its last link before it is routed: one step more than the path shows, over some link there.
    for path in log.paths:
        if path:
            for link in network.far:
                if link[0] == path[-1][0]:
                    high.setdefault(link, 0)
    return {link: (low.get(link, 0), flits) for link, flits in high.items()}


def circuit_bounds(log: Log, window: Window, circuits: dict[int, Circuit]) -> dict[tuple[int, int], tuple[int, int]]:
    """A circuit's flits cross its links after they were injected and before they are delivered."""
    bounds = {}
    for number, circuit in circuits.items():
        mine = (log.kind == "circuit") & (log.stream == number) & (log.injected != NEVER)
        began, ended = log.injected[mine], log.delivered[mine]
        flits = log.flits[mine]
        possible = (began < window.end) & ((ended == NEVER) | (ended >= window.begin))
        surely = (began >= window.begin) & (ended != NEVER) & (ended < window.end)
        for link in circuit.path[:-1]:
            bounds[link] = (int(flits[surely].sum()), int(flits[possible].sum()))
    return bounds


def po2_figures(log: Log, window: Window, network: Network, configuration: Tree, wave: Path | None) -> Tree:
    """What PO2's ports did, per cycle."""
    header = configuration["po2"]["header_cycles"]
    deroutes = 0
    for packet, (router, port), _, routed in steps(log, network):
        if window.begin <= routed - header < window.end:
            goal = network.node_router[int(log.destination[packet])]
            other = network.far[router, port][0]
            deroutes += network.distance(other, goal) >= network.distance(router, goal)
    around = log.created < window.end
    around &= (log.delivered == NEVER) | (log.delivered >= window.begin)
    inside = (log.created >= window.begin) & (log.delivered != NEVER) & (log.delivered < window.end)
    escapes = (int(log.escapes[inside].sum()), int(log.escapes[around].sum()))
    result: Tree = {
        "deroutes": Fraction(deroutes, window.cycles),
        "escapes": per_cycle(escapes if escapes[0] != escapes[1] else escapes[0], window),
    }
    if wave is None:
        return {
            name: Between(0, 1) for name in ("pe_port_busy", "pe_port_waiting", "link_busy", "link_waiting")
        } | result
    waves = Waves(wave, ("use", "busy_waiting"))
    busy = {"pe": 0, "link": 0}
    waiting = {"pe": 0, "link": 0}
    ports = {"pe": 0, "link": 0}
    for router, names in enumerate(network.ports):
        for port, name in enumerate(names):
            kind = "link" if (router, port) in network.far else "pe"
            end = f"{scope(network.routers[router])}.{name}"
            after = waves.over(f"{end}.use", window.begin, window.end) != 0
            before = waves.over(f"{end}.use", window.begin - 1, window.end - 1) != 0
            refused = waves.over(f"{end}.busy_waiting", window.begin, window.end) != 0
            ports[kind] += 1
            busy[kind] += int((before | after).sum())
            waiting[kind] += int((refused & ~before).sum())
    links_here = ports["link"] // 2
    return {
        "pe_port_busy": Fraction(busy["pe"], ports["pe"] * window.cycles),
        "pe_port_waiting": Fraction(waiting["pe"], ports["pe"] * window.cycles),
        "link_busy": Fraction(busy["link"], 2 * links_here * window.cycles),
        "link_waiting": Fraction(waiting["link"], links_here * window.cycles),
        **result,
    }


def unheld_interval(configuration: Tree, network: Network) -> int:
    """Closed forms of docs/sat-fairness.md: out from the root and back, or once around. A round takes a cycle for every
    station and one for every wire; a tour around a spanning tree takes each of its links twice."""
    topology, nodes = configuration["topology"], len(network.node_router)
    routers = range(len(network.routers))
    tree = topology["kind"] == "k_ary_n_tree"
    if configuration["sat"]["carrier"] == "spanning_tree":
        depth = min(max(network.distance(here, root) for here in routers) for root in routers)
        return 2 * topology["levels"] + 1 if tree else 2 * depth + 1
    if tree:
        tour = 0
        for _ in range(topology["levels"]):
            tour = 2 * topology["arity"] + topology["arity"] * tour
        return tour + nodes
    odd_mesh = topology["kind"] == "mesh" and nodes % 2 == 1
    return 2 * (nodes - 1) + nodes if odd_mesh or topology["kind"] == "graph" else 2 * nodes


def fairness(window: Window, network: Network, configuration: Tree, wave: Path | None) -> Tree:
    """Intervals between receptions of the signal at a station: those that end while measuring."""
    sat = configuration["sat"]
    result: Tree = {
        "policy": configuration["interface"]["fairness"],
        "carrier": sat["carrier"],
        "l": sat["l"],
        "k": sat["k"],
        "unheld_interval_cycles": unheld_interval(configuration, network),
    }
    if wave is None:
        raise ValueError("the intervals of the signal need a waveform")
    waves = Waves(wave, ("holds",))
    intervals: list[int] = []
    for node in range(len(network.node_router)):
        holds = waves.signals[f"sat.node{node}.holds"]
        receptions = np.flatnonzero((holds[1:] == 1) & (holds[:-1] == 0)) + waves.first + 1
        ends = (window.begin <= receptions[1:]) & (receptions[1:] < window.end)
        intervals += np.diff(receptions)[ends].tolist()
    result["interval_cycles"] = {
        "count": len(intervals),
        "min": min(intervals),
        "mean": Fraction(sum(intervals), len(intervals)),
        "max": max(intervals),
    }
    return result

"""Of a stream program: its steady states by the items at its sinks, and what bounds them, again from a packet log."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from braid_tools.account.figures import Tree, interval
from braid_tools.account.log import Log, Window
from braid_tools.account.network import Network
from braid_tools.account.stream import Edge, arrivals_of, carriers, firings, node_bandwidth, read_graph, repetitions


@dataclass
class Sink:
    """An actor without outputs: when its firings begin, and when the items of each of its streams arrive."""

    begins: list[int]
    inputs: list[tuple[Edge, list[int]]]
    count: int

    def progress(self, cycle: int) -> Fraction:
        """Iterations before a cycle: items taken, or waiting for the next firing; the mean of its streams'."""
        begun = bisect.bisect_left(self.begins, cycle)
        done = Fraction(begun if not self.inputs else 0)
        for edge, arrivals in self.inputs:
            waiting = min(bisect.bisect_left(arrivals, cycle) - begun * edge.pop, edge.pop)
            done += Fraction(begun * edge.pop + waiting, edge.pop * len(self.inputs))
        return done / self.count


def firing_cycles(work: int, configuration: Tree) -> int:
    """Work times scaling, rounded, at least 1."""
    return max(1, math.floor(work * configuration["stream"]["computation_scaling"] + 0.5))


def sinks(log: Log, configuration: Tree) -> list[Sink]:
    """In the whole run."""
    _, actors, edges = read_graph(configuration)
    count = repetitions(list(actors), edges)
    result = []
    for name in (actor for actor in actors if all(edge.source != actor for edge in edges)):
        mine = [(i, edge) for i, edge in enumerate(edges) if edge.target == name]
        items = [
            (edge, [0] * edge.initial + arrivals_of(log, np.flatnonzero(carriers(log) & (log.stream == i))))
            for i, edge in mine
        ]
        busy = firing_cycles(actors[name]["work"], configuration)
        result.append(Sink([end - busy for end in firings(items, busy)], items, count[name]))
    return result


def rates(log: Log, window: Window, configuration: Tree) -> list[Fraction]:
    """Iterations a kilocycle, by batch."""
    all_of_them = sinks(log, configuration)

    def done(cycle: int) -> Fraction:
        return sum((sink.progress(cycle) for sink in all_of_them), Fraction(0)) / len(all_of_them)

    edges = [done(window.begin + batch * window.batch) for batch in range(window.batches + 1)]
    return [1000 * (after - before) / window.batch for before, after in pairwise(edges)]


def program_rate(by_batch: list[Fraction], states: Fraction) -> Tree:
    """Steady states of the program as it is written."""
    scaled = [value * states for value in by_batch]
    mean = sum(scaled, Fraction(0)) / len(scaled)
    return {"mean": mean, "half_width_95": interval(scaled, [1] * len(scaled), mean)}


def shares(
    log: Log, window: Window, configuration: Tree, network: Network, results: Tree, rate: Fraction
) -> dict[tuple[str, str], Fraction]:
    """By kind and place: the share of the cycles that `rate` iterations a cycle take of what bounds them."""
    _, actors, edges = read_graph(configuration)
    count = repetitions(list(actors), edges)
    node_of = {actor["name"]: actor["node"] for actor in results["stream"]["actors"]}
    found: dict[tuple[str, str], Fraction] = {}
    for name, actor in actors.items():
        cycles = count[name] * firing_cycles(actor["work"], configuration)
        found["compute", f"actor {name} at node {node_of[name]}"] = rate * cycles
    for link in results["links"]:  # held against the log elsewhere
        flits = link["packet_flits_per_cycle"] + link["circuit_flits_per_cycle"]
        found["link", f"link {link['router']} {link['port']} -> {link['to']}"] = Fraction(flits)
    pull = configuration["interface"]["transfer"] == "pull"
    block = configuration["interface"]["pull_block_items"] if pull else 1
    sent: dict[tuple[int, int], Fraction] = {}
    taken: dict[int, Fraction] = {}
    ways: dict[tuple[str, int], int] = {}

    def next_port(way: str, node: int) -> tuple[int, int]:
        ways[way, node] = ways.get((way, node), -1) + 1
        return node, ways[way, node] % len(network.node_ports[node])

    for number, edge in enumerate(edges):
        items, source, target = Fraction(count[edge.source] * edge.push), node_of[edge.source], node_of[edge.target]
        port, back = next_port("out", source), next_port("in", target)
        sent[port] = sent.get(port, Fraction(0)) + items
        taken[target] = taken.get(target, Fraction(0)) + items
        if pull:
            sent[back] = sent.get(back, Fraction(0)) + items / block
            taken[source] = taken.get(source, Fraction(0)) + items / block
            mine = (log.stream == number) & window.holds(log.delivered)
            cycles = Fraction(0)
            for which in (mine & (log.kind == "pull_request"), mine & (log.kind == "pull_response")):
                if which.any():
                    cycles += Fraction(int((log.delivered[which] - log.created[which]).sum()), int(which.sum()))
            most = configuration["interface"]["pull_outstanding"] * block
            place = f"{edge.source} -> {edge.target}: {float(cycles):.4g} cycles there and back"
            found["round_trip", place] = rate * items * cycles / most
    on_packets = configuration["interface"]["switching"] == "packet"
    sends, takes = (node_bandwidth(configuration, way, on_packets) for way in ("injection", "ejection"))
    for (node, port), items in sent.items():
        found["injection", f"local port {port} of node {node}"] = rate * items
        at = "injection", f"node {node}"
        found[at] = found.get(at, Fraction(0)) + rate * items / sends
    for node, items in taken.items():
        found["ejection", f"node {node}"] = rate * items / takes
    return found


def bound(
    log: Log, window: Window, configuration: Tree, network: Network, results: Tree, by_batch: list[Fraction]
) -> Tree | None:
    """What holds the throughput. Of places that are as near as the nearest, braid's; on circuits, whose local ports the
    set-up chooses, braid's local port."""
    rate = sum(by_batch, Fraction(0)) / len(by_batch) / 1000
    if rate == 0:
        return None
    theirs = results["stream"].get("bound", {"kind": "", "place": ""})
    if configuration["interface"]["switching"] == "circuit" and theirs["kind"] == "injection":
        return dict(theirs)
    found = shares(log, window, configuration, network, results, rate)
    if configuration["interface"]["switching"] == "circuit":
        found = {place: share for place, share in found.items() if place[0] != "injection"}
    best = max(found.values())
    place = (theirs["kind"], theirs["place"])
    if abs(found.get(place, Fraction(0)) - best) > Fraction(1, 10**9):
        place = next(name for name, share in found.items() if share == best)
    return {
        "kind": place[0],
        "place": place[1],
        "iterations_per_kilocycle": 1000 * rate / found[place],
        "reached": found[place],
    }

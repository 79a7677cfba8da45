"""Figures of a stream program, computed from a packet log: its sinks fire again as their items arrive."""

from __future__ import annotations

import bisect
import json
import math
import tempfile
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

from braid_tools.account.configuration import existing
from braid_tools.account.figures import Tree, rate
from braid_tools.account.log import NEVER, Log, Window
from braid_tools.program import braid


@dataclass
class Edge:
    """One stream of a graph."""

    source: str
    target: str
    push: int
    pop: int
    peek: int
    initial: int = 0


@cache
def partitioned(file: str, *arguments: str) -> str:
    """The stream graph of a StreamIt program, as text: how it is cut is braid's own business, how it runs is not."""
    return braid("partition", file, *arguments, "--toml", "-")


@cache
def as_it_runs(experiment: str) -> str:
    """The graph that an experiment (a TOML text) runs, as text: with the splitters, joiners and relays of
    `stream.degree`, or what `stream.remedies` made of it. Which these are is braid's own business, too.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "experiment.toml"
        file.write_text(experiment)
        return braid("paths", file, "--quiet", "--toml", "-")


def experiment_text(configuration: Tree) -> str:
    """An experiment file with a configuration's keys, but without files to write."""
    lines = []
    for section, keys in existing(configuration).items():
        if section in ("log", "trace", "watch", "checkpoint"):
            continue
        lines.append(f"[{section}]")
        for key, value in keys.items():
            if (section, key) == ("stream", "graph"):
                value = str(Path(value).resolve())
            if value not in ("", []):
                lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def partition_arguments(configuration: Tree, tiles: int) -> list[str]:
    """Of `braid partition`, for at most so many actors (0: as many as there are nodes)."""
    options = existing(configuration)["stream"]
    most = tiles or configuration["topology"]["width"] * configuration["topology"]["height"]
    given = ("partition", "joiners", "fission", "mean_rates", "item_width", "flit_bits")
    keys = [f"--set=stream.{key}={json.dumps(options[key])}" for key in given if options.get(key) not in (None, "")]
    return [options["graph"], "--tiles", str(most), *keys]


def is_program(configuration: Tree) -> bool:
    """Does a StreamIt program run, not a graph?"""
    return str(configuration["stream"]["graph"]).endswith(".str")


def planned(configuration: Tree) -> Tree:
    """The table [plan] of a graph's file; empty: it has none, or a program runs."""
    if is_program(configuration):
        return {}
    return tomllib.loads(Path(configuration["stream"]["graph"]).read_text()).get("plan", {})


def read_graph(configuration: Tree) -> tuple[str, dict[str, Tree], list[Edge]]:
    """Name, actors, edges (docs/stream-graphs.md)."""
    options = configuration["stream"]
    remedies = options.get("remedies") and configuration["interface"]["switching"] == "circuit"
    if options["degree"] or remedies:
        table = tomllib.loads(as_it_runs(experiment_text(configuration)))
    elif is_program(configuration):
        table = tomllib.loads(partitioned(*partition_arguments(configuration, options["tiles"])))
    else:
        table = tomllib.loads(Path(options["graph"]).read_text())
    return graph_of(table)


def graph_of(table: Tree) -> tuple[str, dict[str, Tree], list[Edge]]:
    """Of a graph's file."""
    edges = []
    for edge in table["edge"]:
        pop = edge.get("pop", 1)
        rates = (edge.get("push", 1), pop, edge.get("peek", pop), edge.get("initial", 0))
        edges.append(Edge(edge["from"], edge["to"], *rates))
    return table["name"], {actor["name"]: actor for actor in table["actor"]}, edges


def repetitions(actors: list[str], edges: list[Edge]) -> dict[str, int]:
    """Smallest whole numbers of firings that leave all queues as they were, for each connected part of the graph."""
    result: dict[str, int] = {}
    for first in actors:
        if first in result:
            continue
        share = {first: Fraction(1)}
        known = 0
        while known < len(share):
            known = len(share)
            for edge in edges:
                if edge.source in share:
                    share.setdefault(edge.target, share[edge.source] * edge.push / edge.pop)
                elif edge.target in share:
                    share[edge.source] = share[edge.target] * edge.pop / edge.push
        scale = math.lcm(*(part.denominator for part in share.values()))
        divisor = math.gcd(*(int(part * scale) for part in share.values()))
        result |= {name: int(part * scale) // divisor for name, part in share.items()}
    return result


def firings(inputs: list[tuple[Edge, list[int]]], busy: int) -> list[int]:
    """Cycles in which an actor without outputs ends a firing, from the cycles in which items arrive on its inputs."""
    taken = [0] * len(inputs)
    done, ends = 0, []
    while True:
        if any(taken[i] + edge.peek > len(arrivals) for i, (edge, arrivals) in enumerate(inputs)):
            return ends
        ready = max(arrivals[taken[i] + edge.peek - 1] for i, (edge, arrivals) in enumerate(inputs))
        done = max(done, ready) + busy
        ends.append(done)
        taken = [count + edge.pop for count, (edge, _) in zip(taken, inputs, strict=True)]


def arrivals_of(log: Log, packets: np.ndarray) -> list[int]:
    """Cycles in which the items of a stream can be taken: with the tail of their packet, and in the order in which they
    were sent, even if packets overtake each other."""
    result: list[int] = []
    now = 0
    for i in packets[np.argsort(log.stream_packet[packets])]:
        if log.delivered[i] == NEVER:
            break
        now = max(now, int(log.delivered[i]))
        result += [now] * int(log.flits[i])
    return result


@dataclass(frozen=True)
class Sink:
    """An actor without outputs, whose firings the log tells."""

    name: str
    busy: int  # cycles of a firing
    ends: list[int]  # of its firings in the whole run
    repetitions: int


Sinks = list[Sink]


def thousandths(sinks: Sinks, cycle: int) -> int:
    """Iterations before a cycle, the mean of all sinks'; kept in whole thousandths."""
    done = sum(Fraction(bisect.bisect_left(sink.ends, cycle), sink.repetitions) for sink in sinks)
    return math.floor(done * 1000 / len(sinks))


def iterations(sinks: Sinks, window: Window) -> Tree:
    """By batch, each as what was done at its end without what was done at its begin."""
    edges = [thousandths(sinks, window.begin + batch * window.batch) for batch in range(window.batches + 1)]
    return rate(np.diff(edges), np.arange(window.batches), window.batches, Fraction(window.batch))


def arrivals_on(log: Log, number: int) -> list[int]:
    """Cycles in which the items of a stream arrive."""
    return arrivals_of(log, np.flatnonzero(carriers(log) & (log.stream == number)))


def sinks_of(log: Log, configuration: Tree) -> Sinks:
    """The sinks' firings in the whole run."""
    _, actors, edges = read_graph(configuration)
    count = repetitions(list(actors), edges)
    result = []
    for sink in (actor for actor in actors if all(edge.source != actor for edge in edges)):
        busy = max(1, math.floor(actors[sink]["work"] * configuration["stream"]["computation_scaling"] + 0.5))
        into = [(i, edge) for i, edge in enumerate(edges) if edge.target == sink]
        inputs = [(edge, [0] * edge.initial + arrivals_on(log, i)) for i, edge in into]
        result.append(Sink(sink, busy, firings(inputs, busy), count[sink]))
    return result


def carriers(log: Log) -> np.ndarray:
    """Packets that carry items."""
    return np.isin(log.kind, ("stream", "pull_response", "circuit"))


def node_bandwidth(configuration: Tree, way: str, on_packets: bool) -> int:
    """Flits a cycle of a node, `way` is injection or ejection."""
    ports = configuration["topology"]["local_ports"]
    bound = configuration["interface"].get(f"{'packet' if on_packets else 'circuit'}_{way}_flits", 0)
    return min(bound, ports) if bound else ports


def least_cycles(
    actors: dict[str, Tree], edges: list[Edge], configuration: Tree, *, on_packets: bool = False
) -> Fraction:
    """Between two iterations, where every stream carries an item a cycle: of the busiest actor, stream or node."""
    count = repetitions(list(actors), edges)
    scaling = configuration["stream"]["computation_scaling"]
    busy = [count[a] * max(1, math.floor(actors[a]["work"] * scaling + 0.5)) for a in actors]
    carried = [(edge, count[edge.source] * edge.push) for edge in edges]
    sends, takes = (node_bandwidth(configuration, way, on_packets) for way in ("injection", "ejection"))
    sent = [Fraction(sum(n for edge, n in carried if edge.source == a), sends) for a in actors]
    taken = [Fraction(sum(n for edge, n in carried if edge.target == a), takes) for a in actors]
    return max(*busy, *(n for _, n in carried), *sent, *taken)


def steady_states(configuration: Tree, tiles: int) -> Fraction | None:
    """Of the program in an iteration, as `braid partition` has it: splitters, joiners and relays change nothing. Of a
    graph as its plan says; None: without one nobody knows."""
    if not is_program(configuration):
        states = planned(configuration).get("steady_states")
        return None if states is None else Fraction(states)
    told = braid("partition", *partition_arguments(configuration, tiles), "--quiet", "--json", "-")
    return Fraction(json.loads(told)["steady_states"])


def remedy(configuration: Tree, theirs: Tree, complaints: list[str]) -> Tree:
    """What was chosen is braid's own business; that it holds, and how fast it can be, is not."""
    _, actors, edges = read_graph(configuration)
    plan = planned(configuration)
    plan.pop("steady_states", None)  # a figure by itself
    if plan and plan.pop("packets", False):  # the graph that was looked at for circuits is not told
        return plan
    iterations_of = steady_states(configuration, theirs["tiles"]) or 1
    ours = {"least_cycles": least_cycles(actors, edges, configuration) / Fraction(iterations_of)}
    most = theirs["degree"] or len(edges)
    for end in ("source", "target"):
        for actor in actors:
            streams = sum(getattr(edge, end) == actor for edge in edges)
            if streams > most:
                complaints.append(f"stream.remedy.degree is {most}, but {streams} streams have actor {actor} as {end}")
    if plan:  # what was asked for is not told either
        return plan | ours
    if configuration["stream"]["degree"] == 0:
        asked = configuration["stream"] | {"remedies": False}
        _, actors, edges = read_graph(configuration | {"stream": asked})
        states = steady_states(configuration, asked.get("tiles", 0)) or 1
        ours["least_cycles_as_asked"] = least_cycles(actors, edges, configuration) / Fraction(states)
    if "packets_least_cycles" in theirs:
        ours["packets_least_cycles"] = on_packets(configuration, theirs["packets_least_cycles"])
        if theirs["taken"] == "packets":
            ours["least_cycles"] = ours["packets_least_cycles"]
    return theirs | ours


def on_packets(configuration: Tree, theirs: float) -> Fraction | float:
    """The program as it is on packets: its nodes, and the link with most items under X-first, which is the first way of
    minimal adaptive packets, too. Of other networks braid's figure."""
    topology, algorithm = configuration["topology"], configuration["routing"]["algorithm"]
    if topology["kind"] != "mesh" or algorithm not in ("x_first", "minimal_adaptive"):
        return theirs
    asked = configuration | {"stream": configuration["stream"] | {"remedies": False}}
    _, actors, edges = graph_of(tomllib.loads(as_it_runs(experiment_text(asked))))
    count, width = repetitions(list(actors), edges), topology["width"]
    loads: dict[tuple[int, int], int] = {}
    for edge in edges:
        here, there = actors[edge.source]["tile"], actors[edge.target]["tile"]
        while here != there:
            dx, dy = there % width - here % width, there // width - here // width
            step = (dx > 0) - (dx < 0) if dx else width * ((dy > 0) - (dy < 0))
            loads[here, here + step] = loads.get((here, here + step), 0) + count[edge.source] * edge.push
            here += step
    states = steady_states(configuration, asked["stream"].get("tiles", 0)) or 1
    cycles = max(least_cycles(actors, edges, configuration, on_packets=True), *loads.values())
    return Fraction(cycles) / Fraction(states)


def stream(log: Log, window: Window, configuration: Tree, sinks: Sinks, placed: dict[str, int]) -> Tree:
    """Iterations by the sinks' firings, items by stream. `placed` has nodes of actors that no packet tells."""
    name, actors, edges = read_graph(configuration)
    placed = placed | {actor["name"]: actor["tile"] for actor in actors.values() if "tile" in actor}
    items = []
    for number, edge in enumerate(edges):
        mine = carriers(log) & (log.stream == number)
        for i in np.flatnonzero(mine)[:1]:
            placed |= {edge.source: int(log.source[i]), edge.target: int(log.destination[i])}
        items.append(int(log.flits[mine & window.holds(log.delivered)].sum()))
    return {
        "graph": name,
        "iterations_per_kilocycle": iterations(sinks, window),
        "actors": [{"name": actor, "node": placed[actor]} for actor in actors],
        "edges": [
            {
                "name": f"{edge.source} -> {edge.target}",
                "source_node": placed[edge.source],
                "destination_node": placed[edge.target],
                "items_per_kilocycle": Fraction(items[i] * 1000, window.cycles),
            }
            for i, edge in enumerate(edges)
        ],
    }

"""Latency of a stream program's items from source to sink, from the packet log: tokens are pushed through the graph,
each with the cycle of the last source item in it, where the program asks backwards from the sinks."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from braid_tools.account.figures import Tree, distribution
from braid_tools.account.log import Log, Window
from braid_tools.account.stream import Edge, Sinks, carriers, read_graph

NOBODYS = -1  # the cycle of an item that no source has a part in
USUAL_QUEUE = 64


def put_out(log: Log, outputs: list[tuple[int, Edge]], busy: int, room: int, start: int) -> list[int]:
    """Cycles in which a source that begins in `start` puts out a firing's items: when they are computed, and all its
    queues have room beside what has not left in packets before that cycle."""
    left = []
    for number, edge in outputs:
        mine = carriers(log) & (log.stream == number)
        order = np.argsort(log.created[mine], kind="stable")
        left.append((edge, log.created[mine][order].tolist(), np.cumsum(log.flits[mine][order]).tolist()))
    cycles: list[int] = []
    ready = start + busy
    last = int(log.created.max(initial=0))
    while ready <= last:  # what is put out later is in no packet
        at = ready
        for edge, created, gone in left:
            must_leave = (len(cycles) + 1) * edge.push - room
            if must_leave <= 0:
                continue
            packet = int(np.searchsorted(gone, must_leave))
            if packet == len(gone):
                return cycles  # not before the log ends
            at = max(at, created[packet] + 1)
        cycles.append(at)
        ready = at + busy
    return cycles


def push_through(edges: list[Edge], actors: list[str], sources: dict[str, list[int]]) -> dict[int, list[int]]:
    """The stamps of the items that come to sinks, by edge: each actor fires as often as it can."""
    queues = [deque([NOBODYS] * edge.initial) for edge in edges]
    into = {a: [i for i, e in enumerate(edges) if e.target == a] for a in actors}
    out_of = {a: [i for i, e in enumerate(edges) if e.source == a] for a in actors}
    sinks = [a for a in actors if not out_of[a]]
    for actor, cycles in sources.items():
        for cycle in cycles:
            for i in out_of[actor]:
                queues[i].extend([cycle] * edges[i].push)
    inner = [a for a in actors if into[a] and out_of[a]]
    fired = True
    while fired:
        fired = False
        for actor in inner:
            while all(len(queues[i]) >= edges[i].peek for i in into[actor]):
                stamp = max(max(queues[i][k] for k in range(edges[i].peek)) for i in into[actor])
                for i in into[actor]:
                    for _ in range(edges[i].pop):
                        queues[i].popleft()
                for i in out_of[actor]:
                    queues[i].extend([stamp] * edges[i].push)
                fired = True
    return {i: list(queues[i]) for sink in sinks for i in into[sink]}


def item_latency(log: Log, window: Window, configuration: Tree, sinks: Sinks, start: int) -> Tree:
    """Of the items that sinks took in the window; `start` is the program's first cycle."""
    _, actors, edges = read_graph(configuration)
    room = configuration["interface"]["stream_queue_items"] or max(USUAL_QUEUE, *(edge.push for edge in edges))
    scaling = configuration["stream"]["computation_scaling"]
    sources = {}
    for actor in actors:
        outputs = [(i, e) for i, e in enumerate(edges) if e.source == actor]
        if outputs and all(e.target != actor for e in edges):
            busy = max(1, math.floor(actors[actor]["work"] * scaling + 0.5))
            sources[actor] = put_out(log, outputs, busy, room, start)
    stamps = push_through(edges, list(actors), sources)
    found = []
    for sink in sinks:
        for number, edge in enumerate(edges):
            if edge.target != sink.name:
                continue
            for firing, end in enumerate(sink.ends):
                took = end - sink.busy
                if not window.begin <= took < window.end:
                    continue
                of = stamps[number][firing * edge.pop : (firing + 1) * edge.pop]
                if len(of) < edge.pop:
                    raise ValueError(f"{sink.name} took items of which the log has no source")
                found += [took - stamp for stamp in of if stamp != NOBODYS]
    return distribution(np.array(found, dtype=np.int64))

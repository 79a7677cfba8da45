"""Programs that change while they run (docs/stream-changes.md), checked from packet logs alone: every item gets a value
that hangs on all items that it was computed from, so that the sinks' items tell whether any was lost, doubled or out of
its place on its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from braid_tools.account.log import NEVER, Log
from braid_tools.account.stream import Edge

CARRIERS = ("stream", "circuit")


@dataclass
class Stream:
    """A stream's items by their place at the producer (0, 1, 2, ...), in the order in which its consumer gets them."""

    name: str
    items: list[int]
    whole: bool  # its packets have the positions 0, 1, 2, ..., each once


def stream_of(log: Log, number: int, name: str) -> Stream:
    """Packets are cut from the producer's queue in the order in which they are made; the consumer puts them in the
    order of their positions, up to the first that has not come."""
    mine = np.flatnonzero(np.isin(log.kind, CARRIERS) & (log.stream == number))
    made = mine[np.lexsort((log.stream_packet[mine], log.created[mine]))]
    first = dict(zip(made.tolist(), (np.cumsum(log.flits[made]) - log.flits[made]).tolist(), strict=True))
    items: list[int] = []
    for packet in mine[np.argsort(log.stream_packet[mine], kind="stable")].tolist():
        if log.delivered[packet] == NEVER:
            break
        items += range(first[packet], first[packet] + int(log.flits[packet]))
    whole = np.array_equal(np.sort(log.stream_packet[mine]), np.arange(len(mine)))
    return Stream(name, items, whole)


def check_streams(streams: Sequence[Stream]) -> list[str]:
    """Complaints: packets are missing, or the consumer's items are not the producer's, one by one."""
    complaints = [f"{stream.name}: a packet is missing, or there twice" for stream in streams if not stream.whole]
    for stream in streams:
        wrong = [at for at, item in enumerate(stream.items) if item != at]
        if wrong:
            complaints.append(
                f"{stream.name}: item {wrong[0]} of the consumer is {stream.items[wrong[0]]} of the producer"
            )
    return complaints


def values(edges: Sequence[Edge], streams: Sequence[Stream], through: Sequence[str] = ()) -> dict[str, list[int]]:
    """Of each stream to a sink the items' values, as far as what has come goes. An actor's firing gives its items a
    value of all that it sees; one of `through` passes its items on as they are."""
    actors = list(dict.fromkeys(name for edge in edges for name in (edge.source, edge.target)))
    inputs = {name: [e for e, edge in enumerate(edges) if edge.target == name] for name in actors}
    outputs = {name: [e for e, edge in enumerate(edges) if edge.source == name] for name in actors}
    made: list[list[int]] = [[] for _ in edges]  # values at the producer
    fired = dict.fromkeys(actors, 0)

    def seen(e: int, begin: int, end: int) -> list[int] | None:
        """Items at the consumer, initial ones before all; None: they are not all there."""
        initial, have = edges[e].initial, streams[e].items
        if end > initial + len(have):
            return None
        came = have[max(0, begin - initial) : max(0, end - initial)]
        if any(item >= len(made[e]) for item in came):
            return None
        return [-1 - i for i in range(begin, min(initial, end))] + [made[e][item] for item in came]

    def fire(name: str) -> bool:
        windows = []
        for e in inputs[name]:
            at = fired[name] * edges[e].pop
            items = seen(e, at, at + max(edges[e].peek, edges[e].pop))
            if items is None:
                return False
            windows.append(tuple(items))
        if not inputs[name] and all(len(made[e]) >= len(streams[e].items) for e in outputs[name]):
            return False
        fired[name] += 1
        of_all = hash((name, fired[name] if not inputs[name] else 0, tuple(windows)))
        for e in outputs[name]:
            made[e] += windows[0] if name in through else [hash((of_all, i)) for i in range(edges[e].push)]
        return True

    while any([fire(name) for name in actors]):
        pass
    result = {}
    for e, edge in enumerate(edges):
        if outputs[edge.target]:
            continue
        result[edge.target] = [made[e][item] for item in streams[e].items if item < len(made[e])]
    return result

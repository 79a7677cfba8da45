"""How full the two queues of a stream become, from the packet log."""

from __future__ import annotations

import bisect
from collections import Counter

from braid_tools.account.figures import Tree
from braid_tools.account.log import Log, Window
from braid_tools.account.stream import Edge, Sinks, arrivals_on, read_graph


def most_waiting(edge: Edge, arrivals: list[int], starts: list[int], window: Window) -> int:
    """Items of a stream at a consumer whose firings are known, most at once: of a cycle before anything is taken."""
    arrivals = sorted(arrivals)

    def waiting(cycle: int, arrived: int) -> int:
        return edge.initial + arrived - edge.pop * bisect.bisect_left(starts, cycle)

    at_begin = waiting(window.begin, bisect.bisect_left(arrivals, window.begin))
    inside = {cycle for cycle in arrivals if window.begin <= cycle < window.end}
    return max([at_begin, *(waiting(cycle, bisect.bisect_right(arrivals, cycle)) for cycle in inside)])


def depths(
    log: Log, window: Window, configuration: Tree, sinks: Sinks, theirs: list[Tree], complaints: list[str]
) -> list[dict[str, int]]:
    """Of each stream. At actors without outputs the most is counted again; firings of others are in no log, so of their
    queues, and of those of producers, only what holds in any order of things is checked."""
    _, _, edges = read_graph(configuration)
    starts = {s.name: [end - s.busy for end in s.ends] for s in sinks}
    room = configuration["interface"]["stream_queue_items"]
    result = []
    for number, (edge, told) in enumerate(zip(edges, theirs, strict=True)):
        ours = {key: told[key] for key in ("most_at_producer", "most_at_consumer")}
        arrivals = arrivals_on(log, number)
        if edge.target in starts:
            ours["most_at_consumer"] = most_waiting(edge, arrivals, starts[edge.target], window)
        at_once = Counter(cycle for cycle in arrivals if window.begin <= cycle < window.end)
        if not max(at_once.values(), default=0) <= told["most_at_consumer"] <= edge.initial + len(arrivals):
            complaints.append(f"stream.edges[{number}].most_at_consumer is {told['most_at_consumer']}")
        if room and told["most_at_producer"] > room:
            complaints.append(f"stream.edges[{number}].most_at_producer is {told['most_at_producer']}, room for {room}")
        result.append(ours)
    return result

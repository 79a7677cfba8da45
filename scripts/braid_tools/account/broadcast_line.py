"""Figures of broadcasts over a line of units in hardware, which the packet log does not know: from a waveform, where
each unit shows how many it has begun and finished (docs/diamond-rings.md).
"""

from __future__ import annotations

from pathlib import Path

from braid_tools.account.broadcast import figures, scheme_figures
from braid_tools.account.broadcast_parts import Part, along_links, parts_of
from braid_tools.account.figures import Tree
from braid_tools.account.links import Waves, counted
from braid_tools.account.log import Window
from braid_tools.account.network import Network


def broadcast_by_line(
    window: Window, network: Network, configuration: Tree, wave: Path | None, complaints: list[str]
) -> Tree:
    """All figures of [broadcast] with `medium = "line"`."""
    options = configuration["broadcast"]
    if wave is None:
        raise ValueError("broadcasts over a line need a waveform")
    parts = parts_of(options, network)
    waves = Waves(wave, ("begun", "finished"))
    root = f"broadcast.node_{options['root']}"
    begun, finished = counted(waves, f"{root}.begun"), counted(waves, f"{root}.finished")
    spent = int(options["turn_round"])  # a unit that takes turns spends the cycle of the last message on it
    ends = [cycle + spent for cycle in finished]
    bursts, begin = [], 1
    for last in range(options["burst"] - 1, len(begun), options["burst"]):
        if begun[last + 1 - options["burst"]] != begin:
            complaints.append(f"broadcast: a burst begins in cycle {begun[last + 1 - options['burst']]}, not {begin}")
        if last < len(ends):
            bursts.append((begin, ends[last]))
            begin = max(ends[last] + options["gap_cycles"], finished[last] + 1)
    check_units(waves, network, configuration, parts, complaints)
    broadcasts = list(zip(begun, ends, strict=False))
    found = figures(broadcasts, bursts, window, options["burst"], spent)
    return scheme_figures(options, parts) | found | {"unacknowledged": [], "refused": []}


def check_units(waves: Waves, network: Network, configuration: Tree, parts: list[Part], complaints: list[str]) -> None:
    """Whether each unit begins a broadcast when one of those from which it hears can have told it, and finishes it when
    all of them can have: not before its wires allow, and without turn-round in that very cycle."""
    options = configuration["broadcast"]
    nodes = nodes_of(options, network)
    if nodes is None:
        return
    turn, link = options["turn_round"], options["hop_cycles"] * configuration["topology"]["link_latency_cycles"]
    scopes = [f"broadcast.node_{node}" for node in nodes]
    begun = [counted(waves, f"{scope}.begun") for scope in scopes]
    finished = [counted(waves, f"{scope}.finished") for scope in scopes]

    def wire(here: int, there: int) -> int:
        links = network.distance(network.node_router[nodes[here]], network.node_router[nodes[there]])
        return links * link + 1 if turn else max(links * link, 1)

    for to in range(1, len(parts)):
        told = [(begun[p], wire(p, to)) for p, part in enumerate(parts) for other in part.at_once if other == to]
        told += [(finished[p], wire(p, to)) for p, part in enumerate(parts) for other in part.when_done if other == to]
        for number, (first, last) in enumerate(zip(begun[to], finished[to], strict=False)):
            here = [sent[number] + cycles for sent, cycles in told if number < len(sent)]
            if len(here) < len(told) or first < min(here) or last < max(here) or last < first:
                complaints.append(f"broadcast: node {nodes[to]} has broadcast {number} in {first} and {last}, too soon")
            elif not turn and (first, last) != (min(here), max(here)):
                complaints.append(
                    f"broadcast: node {nodes[to]} has broadcast {number} in {first} and {last}, not {here}"
                )


def nodes_of(options: Tree, network: Network) -> list[int] | None:
    """Of each position; what is annealed or along a ring is not known."""
    n = len(network.node_router)
    if options["scheme"] == "spanning_tree":
        return along_links(network, options["root"])[1]
    return [(options["root"] + p) % n for p in range(n)] if options["placement"] == "node_order" else None

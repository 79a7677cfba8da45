"""Networks for the reference from what `braid paths --json` says: links, and the path of every pair of routers or of
nodes."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from reference import Path as Way
from reference import Port
from reference_link import Packet

Document = dict[str, Any]


def ports_of(document: Document, hosts: int, link: dict[tuple[str, str], int] | int, local: int) -> list[list[Port]]:
    """Each router's ports: its links in the order given, then its `hosts` nodes. Latencies in cycles: of the link
    between two routers, of a node's. At most one link joins two routers."""
    ports: dict[str, list[str]] = {}
    for entry in document["packet_loads"]:
        ports.setdefault(entry["router"], []).append(entry["to"])
    number = {name: r for r, name in enumerate(ports)}

    def port(here: str, far: str) -> Port:
        latency = link if isinstance(link, int) else link[min(here, far), max(here, far)]
        return Port(latency, peer=(number[far], ports[far].index(here)))

    return [
        [*(port(here, far) for far in peers), *(Port(local, node=hosts * number[here] + h) for h in range(hosts))]
        for here, peers in ports.items()
    ]


def paths_of(document: Document, key: str = "paths") -> dict[tuple[int, int], Way]:
    """By pair of routers, numbered in their order, or of nodes, where these have their own; `key`: of another epoch."""
    ports: dict[str, list[str]] = {}
    for entry in document["packet_loads"]:
        ports.setdefault(entry["router"], []).append(entry["port"])
    number = {name: r for r, name in enumerate(ports)}

    def ends(path: Document) -> tuple[int, int]:
        return (path["source"], path["destination"]) if "source" in path else (number[path["from"]], number[path["to"]])

    return {
        ends(path): Way(
            tuple(ports[router].index(port) for router, port in zip(path["routers"], path["ports"], strict=False)),
            tuple(path["in_transit"]),
        )
        for path in document[key]
    }


def packets_of(log: Path) -> list[tuple[Packet, dict[str, str]]]:
    """What was created, with its line of the packet log."""
    with log.open(newline="") as text:
        lines = list(csv.DictReader(text))
    names = ("created", "source", "destination", "flits", "sequence")
    return [(Packet(*(int(line[name]) for name in names)), line) for line in lines]

"""Random networks of switches. Which switch is cabled to which is the program's word (`braid paths`, asked with the
plainest routing whatever the run's own is), for it is drawn; checked is that it is a network as documented: the names,
no more links than ports, one link between neighbours, each both ways, all switches joined, no two with a port to spare
for each other."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import combinations
from typing import Any

from braid_tools.account.network import Network
from braid_tools.program import ROOT, braid

KEYS = ("switches", "switch_ports", "hosts", "instance")


def irregular(configuration: dict[str, Any]) -> Network:
    """A switch's links are on its first ports, its hosts on those behind them."""
    topology = configuration["topology"]
    switches, hosts = topology["switches"], topology["hosts"]
    cables = topology["switch_ports"] - hosts
    port_to = links_of(configuration["experiment"]["seed"], *(topology[key] for key in KEYS))
    network = Network()
    for switch in range(switches):
        network.routers.append(f"s{switch}")
        links = sum(here == switch for here, _ in port_to)
        network.ports.append([f"link{port}" for port in range(links)] + [f"host{host}" for host in range(hosts)])
        network.node_router += [switch] * hosts
        network.node_ports += [[links + host] for host in range(hosts)]
    for (here, there), port in port_to.items():
        if (there, here) not in port_to:
            raise ValueError(f"a link from s{here} to s{there}, none back")
        network.far[here, port] = (there, port_to[there, here])
    check(network, port_to, cables)
    return network


@lru_cache
def links_of(seed: int, *values: int) -> dict[tuple[int, int], int]:
    """By pair of switches the first one's port."""
    keys = {f"topology.{key}": value for key, value in zip(KEYS, values, strict=True)}
    keys |= {"experiment.seed": seed, "routing.paths": "up_down", "routing.in_transit": "none"}
    words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    experiment = ROOT / "tb" / "experiments" / "irregular.toml"
    document = json.loads(braid("paths", experiment, *words, "--quiet", "--json", "-"))
    result: dict[tuple[int, int], int] = {}
    for entry in document["packet_loads"]:
        pair = (int(entry["router"].removeprefix("s")), int(entry["to"].removeprefix("s")))
        if pair in result or pair[0] == pair[1]:
            raise ValueError(f"two links from s{pair[0]} to s{pair[1]}, or one to itself")
        result[pair] = int(entry["port"].removeprefix("link"))
    return result


def check(network: Network, port_to: dict[tuple[int, int], int], cables: int) -> None:
    """Raises ValueError where the links cannot be those of such a network."""
    count = len(network.routers)
    used = [sorted(port for router, port in network.far if router == here) for here in range(count)]
    if any(ports != list(range(min(len(ports), cables))) for ports in used):
        raise ValueError(f"links on ports {used}, each with {cables} for links")
    if any(max(pair) >= count for pair in port_to):
        raise ValueError(f"links to a switch that is none of {count}")
    if any(network.distance(0, there) < 0 for there in range(count)):
        raise ValueError("switches that are not joined")
    spare = [here for here, ports in enumerate(used) if len(ports) < cables]
    for pair in combinations(spare, 2):
        if pair not in port_to:
            raise ValueError(f"switches {pair} have a port to spare for each other")

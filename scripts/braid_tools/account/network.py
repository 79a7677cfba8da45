"""The account's own picture of a network: routers, ports and links by name, distances, set-up of circuits. Nothing here
is taken from the program but the names, which its documentation and results show."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import deque
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

Port = tuple[int, int]  # router, port


@dataclass
class Network:
    """Ports are numbered in the order of their names in a router."""

    routers: list[str] = field(default_factory=list)
    ports: list[list[str]] = field(default_factory=list)
    far: dict[Port, Port] = field(default_factory=dict)  # output port -> input port at the other end
    node_router: list[int] = field(default_factory=list)
    node_ports: list[list[int]] = field(default_factory=list)  # per node, at its router
    slow: dict[Port, int] = field(default_factory=dict)  # output port -> cycles on its link, where they are its own
    exit_router: list[int] = field(default_factory=list)  # per node, where what is for it leaves; none: node_router

    def __post_init__(self) -> None:
        """Distances are found when asked for."""
        self.distances: dict[int, list[int]] = {}

    def goal_of(self, node: int) -> int:
        """The last router of a packet to the node."""
        return (self.exit_router or self.node_router)[node]

    def has_port(self, router: int, port: int) -> bool:
        """At the edge of a mesh some numbers name no port."""
        at_node = any(
            here == router and port in ports for here, ports in zip(self.node_router, self.node_ports, strict=True)
        )
        return (router, port) in self.far or at_node

    def links(self) -> list[Port]:
        """Between routers, in the order of the results."""
        return sorted(self.far)

    def distance(self, here: int, there: int) -> int:
        """Links from router to router."""
        if there not in self.distances:
            back: dict[int, list[int]] = {}
            for (router, _), (other, _) in self.far.items():
                back.setdefault(other, []).append(router)
            steps = [-1] * len(self.routers)
            steps[there] = 0
            queue = deque([there])
            while queue:
                router = queue.popleft()
                for other in back.get(router, []):
                    if steps[other] < 0:
                        steps[other] = steps[router] + 1
                        queue.append(other)
            self.distances[there] = steps
        return self.distances[there][here]

    def connect(self, by_name: dict[tuple[int, str], tuple[int, str]]) -> None:
        """Links from (router, name of its port) to the same at the other end."""
        for (router, port), (other, other_port) in by_name.items():
            here = (router, self.ports[router].index(port))
            self.far[here] = (other, self.ports[other].index(other_port))


BACK = {"east": "west", "north": "south", "north_east": "south_west", "north_west": "south_east"}
BACK |= {back: there for there, back in BACK.items()}


def place_nodes(network: Network, local_ports: int, named: bool = False) -> None:
    """A node at every router, its ports after those to other routers; in a graph they have the node's name."""
    for router, ports in enumerate(network.ports):
        network.node_router.append(router)
        network.node_ports.append(list(range(len(ports), len(ports) + local_ports)))
        prefix = f"node{router}." if named else ""
        ports += [f"{prefix}local{port}" for port in range(local_ports)]


def grid(width: int, height: int, torus: bool, local_ports: int) -> Network:
    """Mesh or torus; router x + y * width is called "x,y"."""
    network = Network()
    joined = {}
    for router in range(width * height):
        x, y = router % width, router // width
        network.routers.append(f"{x},{y}")
        for name, dx, dy in (("east", 1, 0), ("west", -1, 0), ("north", 0, 1), ("south", 0, -1)):
            to_x, to_y = x + dx, y + dy
            if torus or (0 <= to_x < width and 0 <= to_y < height):
                joined[router, name] = ((to_x % width) + (to_y % height) * width, BACK[name])
        network.ports.append(["east", "west", "north", "south"])
    place_nodes(network, local_ports)
    network.connect(joined)
    return network


def chiplet_chain(chiplets: int, width: int, height: int, rows: list[int], joint: int, local_ports: int) -> Network:
    """Meshes in a row, each with links of `joint` cycles to the next in these rows, or in all."""
    network = grid(chiplets * width, height, False, local_ports)
    for (router, port), (other, _) in list(network.far.items()):
        y, x = divmod(router, chiplets * width)
        if x // width == other % (chiplets * width) // width:
            continue
        if rows and y not in rows:
            del network.far[router, port]
        else:
            network.slow[router, port] = joint
    return network


def hexagonal(edge: int, local_ports: int) -> Network:
    """The continuous hexagonal mesh: a ring of all routers eastwards, and two more rings with larger steps."""
    routers = 3 * edge * (edge - 1) + 1
    steps = {"east": 1, "north_east": 3 * edge - 1, "north_west": 3 * edge - 2}
    steps |= {BACK[name]: -step for name, step in steps.items()}
    names = {}
    for x in range(1 - edge, edge):
        for y in range(1 - edge, edge):
            if abs(x - y) < edge:
                names[(x + (3 * edge - 2) * y) % routers] = f"{x},{y}"
    network = Network([names[router] for router in range(routers)], [list(steps) for _ in range(routers)])
    place_nodes(network, local_ports)
    network.connect(
        {(r, name): ((r + step) % routers, BACK[name]) for r in range(routers) for name, step in steps.items()}
    )
    return network


def k_ary_n_tree(arity: int, levels: int) -> Network:
    """A switch's digit i is changed by its up port at level i."""
    width = arity ** (levels - 1)
    network = Network()
    joined = {}
    for level in range(levels):
        for index in range(width):
            network.routers.append(f"{level}.{index}")
            down = [f"node{index * arity + port}" if level == 0 else f"down{port}" for port in range(arity)]
            up = [f"up{port}" for port in range(arity)] if level + 1 < levels else []
            network.ports.append(down + up)
            weight = arity**level
            digit = index // weight % arity
            for port in range(len(up)):
                above = (level + 1) * width + index + (port - digit) * weight
                joined[level * width + index, f"up{port}"] = (above, f"down{digit}")
                joined[above, f"down{digit}"] = (level * width + index, f"up{port}")
    network.node_router = [node // arity for node in range(width * arity)]
    network.node_ports = [[node % arity] for node in range(width * arity)]
    network.connect(joined)
    return network


def butterfly(k: int, n: int) -> Network:
    """A k-ary n-fly: between two stages the port and a digit of the router's number change places, the highest digit
    first. Ports: outputs, then inputs."""
    width = k ** (n - 1)
    network = Network()
    joined = {}
    for router in range(n * width):
        stage, word = divmod(router, width)
        network.routers.append(f"{stage}.{word}")
        network.ports.append([f"{way}{port}" for way in ("out", "in") for port in range(k)])
        for port in range(k if stage + 1 < n else 0):
            digits = [word // k**place % k for place in range(n - 1)]
            at = n - 2 - stage
            digits[at], back = port, digits[at]
            there = sum(digit * k**place for place, digit in enumerate(digits))
            joined[router, f"out{port}"] = ((stage + 1) * width + there, f"in{back}")
    network.node_router = [node // k for node in range(k**n)]
    network.node_ports = [[k + node % k] for node in range(k**n)]
    network.exit_router = [(n - 1) * width + node // k for node in range(k**n)]
    network.connect(joined)
    return network


def cube(sizes: list[int], row: str, nodes: int, latencies: list[int]) -> Network:
    """Routers in rows of several dimensions, the first the fastest; a row is a "line", a "ring" or "complete". `nodes`
    on each router. Latencies of the links of each dimension, or none."""
    network = Network()
    joined = {}
    places = [tuple(reversed(place)) for place in product(*(range(size) for size in reversed(sizes)))]
    for router, place in enumerate(places):
        network.routers.append(",".join(map(str, place)))
        ports = []
        for axis, size in enumerate(sizes):
            name = "xyz"[axis] if axis < 3 else f"d{axis}"
            for to in range(size) if row == "complete" else (place[axis] + 1, place[axis] - 1):
                there = (*place[:axis], to % size, *place[axis + 1 :])
                if row == "complete" and to != place[axis]:
                    ports.append(f"{name}_to_{to}")
                    joined[router, ports[-1]] = (places.index(there), f"{name}_to_{place[axis]}")
                elif row != "complete":
                    ports.append(f"{name}_{'up' if to > place[axis] else 'down'}")
                    if row == "ring" or 0 <= to < size:
                        back = f"{name}_{'down' if to > place[axis] else 'up'}"
                        joined[router, ports[-1]] = (places.index(there), back)
        network.ports.append(ports)
    concentrate(network, nodes)
    network.connect(joined)
    for router, port in network.far if latencies else ():
        axis = network.ports[router][port].split("_")[0]
        network.slow[router, port] = latencies["xyz".index(axis) if axis in "xyz" else int(axis[1:])]
    return network


def spread(network: Network, usual: int) -> Network:
    """A flattened butterfly whose links take `usual` cycles, or what is said of theirs, for each router on the way."""
    for router, port in network.far:
        here, there = (network.routers[end].split(",") for end in (router, network.far[router, port][0]))
        apart = sum(abs(int(a) - int(b)) for a, b in zip(here, there, strict=True))
        network.slow[router, port] = network.slow.get((router, port), usual) * apart
    return network


def leave_elevators(network: Network, sizes: list[int], numbers: list[int]) -> None:
    """Takes away the vertical links of a mesh of three dimensions but at these positions, x, y, x, y ...; none: all
    stay."""
    kept = {x + y * sizes[0] for x, y in zip(numbers[::2], numbers[1::2], strict=True)}
    for router, port in list(network.far) if kept else ():
        if network.ports[router][port].startswith("z_") and router % (sizes[0] * sizes[1]) not in kept:
            del network.far[router, port]
            network.slow.pop((router, port), None)


def dragonfly(a: int, p: int, h: int, global_latency: int, global_links: str) -> Network:
    """Groups of `a` routers, all joined; link j of a group's a h links leads to the group j + 1 further on, or to the
    other groups in their order."""
    groups = a * h + 1

    def leads_to(group: int) -> list[int]:
        if global_links == "absolute":
            return [other for other in range(groups) if other != group]
        return [(group + link + 1) % groups for link in range(a * h)]

    network = Network()
    joined = {}
    for router in range(groups * a):
        group, place = divmod(router, a)
        network.routers.append(f"{group},{place}")
        near = {f"to_{other}": (group * a + other, f"to_{place}") for other in range(a) if other != place}
        far = {}
        for link in range(place * h, (place + 1) * h):
            peer = leads_to(group)[link]
            owner = leads_to(peer).index(group) // h
            far[f"group_{peer}"] = (peer * a + owner, f"group_{group}")
        network.ports.append([*near, *far])
        joined |= {(router, port): there for port, there in (near | far).items()}
    concentrate(network, p)
    network.connect(joined)
    network.slow = {
        link: global_latency for link in network.far if network.ports[link[0]][link[1]].startswith("group_")
    }
    return network


def fat_tree(arity: int, levels: int, trunks: list[int]) -> Network:
    """One root, which comes first; every switch has one above it, joined by a trunk."""
    network = Network()
    joined = {}
    first = [sum(arity**i for i in range(levels - 1 - level)) for level in range(levels)]
    for level in reversed(range(levels)):
        for place in range(arity ** (levels - 1 - level)):
            router = len(network.routers)
            network.routers.append(f"{level}.{place}")
            below = trunks[level - 1] if level > 0 else 0
            network.ports.append([f"down{child}_{link}" for child in range(arity) for link in range(below)])
            for child, link in product(range(arity), range(below)):
                switch = first[level - 1] + place * arity + child
                joined[router, f"down{child}_{link}"] = (switch, f"up{link}")
                joined[switch, f"up{link}"] = (router, f"down{child}_{link}")
            if level == 0:
                for node in range(place * arity, (place + 1) * arity):
                    network.node_router.append(router)
                    network.node_ports.append([len(network.ports[router])])
                    network.ports[router].append(f"node{node}")
            if level < levels - 1:
                network.ports[router] += [f"up{link}" for link in range(trunks[level])]
    network.connect(joined)
    return network


def concentrate(network: Network, nodes: int) -> None:
    """Several nodes at every router, a port each, after those to other routers."""
    for router, ports in enumerate(network.ports):
        for node in range(nodes):
            network.node_router.append(router)
            network.node_ports.append([len(ports)])
            ports.append(f"local{node}")


def graph(file: Path, local_ports: int) -> Network:
    """GraphML: nodes and undirected edges, named."""
    name_of = {}
    network = Network()
    joined = {}
    space = "{http://graphml.graphdrawing.org/xmlns}"
    tree = ElementTree.parse(file).getroot().find(f"{space}graph")
    for node in tree.findall(f"{space}node"):
        name_of[node.get("id")] = len(network.routers)
        network.routers.append(node.find(f"{space}data").text)
        network.ports.append([])
    for edge in tree.findall(f"{space}edge"):
        ends = [name_of[edge.get("source")], name_of[edge.get("target")]]
        port = edge.find(f"{space}data").text
        for here, there in (ends, ends[::-1]):
            network.ports[here].append(port)
            joined[here, port] = (there, port)
    place_nodes(network, local_ports, named=True)
    network.connect(joined)
    return network


def build(configuration: dict[str, Any]) -> Network:
    """The network of a resolved experiment."""
    topology = configuration["topology"]
    if topology["kind"] in ("cube", "flattened_butterfly"):
        row = "ring" if topology.get("wrap") else "line" if topology["kind"] == "cube" else "complete"
        network = cube(topology["sizes"], row, topology["concentration"], topology["link_latencies"])
        if topology.get("latency_by_distance"):
            return spread(network, topology["link_latency_cycles"])
        leave_elevators(network, topology["sizes"], topology.get("elevators", []))
        return network
    if topology["kind"] == "dragonfly":
        shape = [topology[key] for key in ("routers_per_group", "nodes_per_router", "global_ports")]
        return dragonfly(*shape, topology["global_latency_cycles"], topology["global_links"])
    if topology["kind"] == "butterfly":
        return butterfly(topology["arity"], topology["stages"])
    if topology["kind"] == "fat_tree":
        return fat_tree(topology["arity"], topology["levels"], topology["trunk_links"])
    ports = topology["local_ports"]
    if topology["kind"] in ("mesh", "torus"):
        return grid(topology["width"], topology["height"], topology["kind"] == "torus", ports)
    if topology["kind"] == "chiplet_chain":
        shape = [topology[key] for key in ("chiplets", "width", "height")]
        return chiplet_chain(*shape, topology["joined_rows"], topology["joint_latency_cycles"], ports)
    if topology["kind"] == "hexagonal":
        return hexagonal(topology["edge"], ports)
    if topology["kind"] == "k_ary_n_tree":
        return k_ary_n_tree(topology["arity"], topology["levels"])
    return graph(Path(topology["file"]), ports)


@dataclass(frozen=True)
class Circuit:
    """What a search found: its path as output ports, and what it took."""

    path: list[Port]
    backtracks: int


def search(network: Network, source: int, destination: int, taken: set[Port]) -> Circuit | None:
    """Depth first over free links, as docs/setup.md tells it; reserves what it finds in `taken`."""
    goal = network.node_router[destination]
    start = network.node_router[source]
    entries = [(start, -1 - port) for port in network.node_ports[source]]  # injection links, apart from ejection links
    entry_port = next((entry for entry in entries if entry not in taken), None)
    if entry_port is None:
        return None
    visited = {start}
    path: list[Port] = []
    came: list[int | None] = [None]  # port by which each router of the path was entered
    tried: list[set[int]] = [set()]
    backtracks = 0
    here = start
    while True:
        if here == goal:
            free = [p for p in network.node_ports[destination] if (here, p) not in taken]
            if free:
                path.append((here, free[0]))
                taken.update([*path, entry_port])
                return Circuit(path, backtracks)
        port = next_port(network, here, goal, taken, tried[-1], came[-1])
        if port is None:
            if not path:
                return None
            here = path.pop()[0]
            came.pop()
            tried.pop()
            backtracks += 1
            continue
        tried[-1].add(port)
        other, entry = network.far[here, port]
        if other in visited:
            backtracks += 1
            continue
        visited.add(other)
        path.append((here, port))
        came.append(entry)
        tried.append(set())
        here = other


def next_port(
    network: Network, here: int, goal: int, taken: set[Port], tried: set[int], came: int | None
) -> int | None:
    """Minimal directions first, then detours, lowest port first; not back the way it came."""
    if here == goal:
        return None
    free = [
        port
        for router, port in network.links()
        if router == here and (here, port) not in taken and port not in tried and port != came
    ]
    nearer = [p for p in free if network.distance(network.far[here, p][0], goal) < network.distance(here, goal)]
    return (nearer or free or [None])[0]

"""Networks from networkx, and to it."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from braid.errors import InputError
from braid.experiment import Experiment, network

if TYPE_CHECKING:
    import networkx

#: Attributes that docs/graphml.md knows.
KNOWN = {
    "node": {"name": "string", "nodes": "int"},
    "edge": {"name": "string", "latency": "int", "flits_per_cycle": "int"},
}


def _data(kind: str, attributes: dict[str, Any]) -> str:
    known = [(name, attributes[name]) for name in KNOWN[kind] if name in attributes]
    return "".join(f"<data key={quoteattr(f'{kind}_{name}')}>{_escaped(value)}</data>" for name, value in known)


def _escaped(value: Any) -> str:
    return quoteattr(str(value))[1:-1]


def graphml(graph: networkx.Graph) -> str:
    """The graph as docs/graphml.md has it: what Braid does not know (positions, weights) is left out."""
    keys = [
        f'<key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="{of}"/>'
        for kind, names in KNOWN.items()
        for name, of in names.items()
    ]
    nodes = [f"<node id={quoteattr(str(n))}>{_data('node', data)}</node>" for n, data in graph.nodes(data=True)]
    edges = [
        f"<edge source={quoteattr(str(a))} target={quoteattr(str(b))}>{_data('edge', data)}</edge>"
        for a, b, data in graph.edges(data=True)
    ]
    body = "\n".join([*keys, '<graph edgedefault="undirected">', *nodes, *edges, "</graph>"])
    return f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n{body}\n</graphml>\n'


def from_networkx(graph: networkx.Graph, *, file: str | Path | None = None, **settings: Any) -> Experiment:
    """An experiment on a graph of one's own: every node is a router with a node of the network, every edge a
    full-duplex link. Attributes: docs/graphml.md (`nodes` of a router, `latency`, `flits_per_cycle` and `name` of a
    link). Routes are up*/down*, unless settings (as of braid.mesh) say otherwise.

    file: where the GraphML is written; without one a file of the user's temporary folder.
    """
    if graph.is_directed():
        raise InputError(
            "a directed graph: expected an undirected one, as every link leads both ways (to_undirected())"
        )
    text = graphml(graph)
    if file is None:
        folder = Path(tempfile.gettempdir()) / f"braid-graphs-{Path.home().name}"
        folder.mkdir(exist_ok=True)
        file = folder / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".graphml")
    path = Path(file).resolve()
    path.write_text(text)
    settings.setdefault("routing", "table")
    return network("graph", {"file": str(path)}, graph.name or "graph", **settings)


def graph_of(topology: dict[str, Any], link_flits: Any = None) -> networkx.MultiDiGraph:
    """A topology (Network.topology) as a graph: routers with their `nodes`, an edge for each direction of a link."""
    import networkx as nx

    names = topology["routers"]
    graph = nx.MultiDiGraph(name=topology["name"])
    nodes: list[list[int]] = [[] for _ in names]
    for node, ports in enumerate(topology["nodes"]):
        nodes[ports[0][0]].append(node)
    grid = topology.get("grid")
    for router, name in enumerate(names):
        place = {"pos": (router % grid["width"], router // grid["width"])} if grid else {}
        graph.add_node(name, nodes=nodes[router], **place)
    for link in topology["links"]:
        carried = {} if link_flits is None else {"flits": int(link_flits[link["from"], link["port"]])}
        ends = names[link["from"]], names[link["to"]]
        properties = {"latency": link["latency_cycles"], "flits_per_cycle": link["flits_per_cycle"]}
        graph.add_edge(*ends, port=link["name"], **properties, **carried)
    return graph

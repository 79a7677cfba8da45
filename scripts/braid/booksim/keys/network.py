"""Topology: what is wired to what, and how long wires are."""

from __future__ import annotations

from pathlib import Path

from braid.booksim import anynet
from braid.booksim.keys import concentrated, dragonfly
from braid.booksim.table import Answer, Ask, Fate, Kind, Row, named, only, without_effect

#: BookSim's topologies that Braid has. (Of other than two dimensions: "cube".)
KINDS = {
    "mesh": "mesh",
    "torus": "torus",
    "fattree": "k_ary_n_tree",
    "anynet": Answer({"topology.kind": "graph"}, "of network_file; GraphML is a file of its own"),
    dragonfly.NAME: dragonfly.topology(),
}
#: ... and those that it has not.
WITHOUT = {
    "qtree": "Braid has no quad tree",
    "tree4": "Braid has no tree4",
}


#: Routing functions of two phases; those of grids have none.
TWO_PHASES = ("romm", "valiant")

_FLY = "fly"
_NAMES = KINDS | {_FLY: "butterfly", concentrated.CMESH: "cube", concentrated.FLATFLY: "flattened_butterfly"}
_named = named("topology.kind", _NAMES, WITHOUT, what="topology")


def is_cube(ask: Ask) -> bool:
    """A mesh or torus whose dimensions, or routing function, Braid's "mesh" and "torus" do not have."""
    phases = ask.of("routing_function") in TWO_PHASES
    others = {"torus": ask.of("n") != 2 or phases, "mesh": ask.of("n") > 2 or phases}
    return others.get(ask.of("topology"), False)


def is_switch(ask: Ask) -> bool:
    """A fly of one stage. Braid's "butterfly" has ports of one way, so that it would have half as many nodes."""
    return bool(ask.of("topology") == _FLY and ask.of("n") == 1)


def _topology(ask: Ask) -> Answer:
    if is_switch(ask):
        return Answer({"topology.kind": "flattened_butterfly"}, "one stage of a butterfly is one switch, k ports wide")
    if not is_cube(ask):
        return _named(ask)
    return Answer({"topology.kind": "cube"} | ({"topology.wrap": True} if ask.value == "torus" else {}))


def _radix(ask: Ask) -> Answer:
    if dragonfly.is_dragonfly(ask):
        return dragonfly.radix(ask)
    if is_cube(ask) or concentrated.is_concentrated(ask):
        return Answer({"topology.sizes": [ask.value] * max(1, min(8, ask.of("n")))})  # n refuses what it cannot be
    if ask.of("topology") in ("mesh", "torus"):
        return Answer({"topology.width": ask.value, "topology.height": ask.value if ask.of("n") == 2 else 1})
    if ask.of("topology") == "anynet":
        return Answer(note="of other topologies", fate=Fate.NO_EFFECT)
    if is_switch(ask):
        return Answer({"topology.sizes": [1], "topology.concentration": ask.value})
    return Answer({"topology.arity": ask.value})


def _dimensions(ask: Ask) -> Answer:
    topology = ask.of("topology")
    if concentrated.is_concentrated(ask):
        return concentrated.dimensions(ask)
    if dragonfly.is_dragonfly(ask):
        return dragonfly.dimensions(ask)
    if topology in ("mesh", "torus") and not 1 <= ask.value <= 8:
        ask.refuse("Braid's networks have 1 to 8 dimensions; expected one of these numbers")
    if topology == _FLY and not 1 <= ask.value <= 16:
        ask.refuse("Braid's butterflies have 1 to 16 stages; expected one of these numbers")
    if topology == _FLY and not is_switch(ask):
        return Answer({"topology.stages": ask.value})
    if is_cube(ask) or is_switch(ask):
        return Answer(note="topology.sizes, above")
    if topology in ("mesh", "torus"):
        return Answer(note="topology.width and topology.height, above")
    if topology == "anynet":
        return Answer(note="of other topologies", fate=Fate.NO_EFFECT)
    return Answer({"topology.levels": ask.value})


def _listing(ask: Ask) -> Answer:
    """As BookSim, from where the program runs; else from where the configuration lies."""
    if ask.of("topology") != "anynet":
        return Answer(note="of topology = anynet", fate=Fate.NO_EFFECT)
    if not ask.value:
        ask.refuse("topology = anynet needs the file that lists its routers and nodes")
    beside = Path(ask.all.place.file).parent / ask.value
    place = ask.setting.place if ask.setting else ask.all.place
    listing = anynet.read(str(beside) if beside.is_file() and not Path(ask.value).is_file() else ask.value, place)
    graph, routes = f"{ask.all.stem}.graphml", f"{ask.all.stem}.routes"
    routers = anynet.order_of(listing)
    files = {
        graph: anynet.graphml_of(routers, listing.nodes, listing.links),
        routes: anynet.routes_of(listing),
    }
    note = "GraphML, and the shortest paths that BookSim takes"
    return Answer({"topology.file": graph, "routing.table_file": routes}, note, files=files)


def _wire_latency(ask: Ask) -> Answer:
    """Of kncube.cpp: links of a torus are folded, two cycles long."""
    if concentrated.is_concentrated(ask):
        return concentrated.wire_latency(ask)
    if dragonfly.is_dragonfly(ask):
        return Answer(note="BookSim's dragonflies do not read it", fate=Fate.NO_EFFECT)
    if ask.of("topology") != "torus":
        return Answer(
            note="only a torus and concentrated topologies have links of more than a cycle", fate=Fate.NO_EFFECT
        )
    cycles = 2 if ask.value == 1 else 1
    return Answer(
        {"topology.link_latency_cycles": cycles}, f"links of a torus take {cycles} there; those of nodes take 1"
    )


def subnets_used(ask: Ask) -> set[int]:
    """By packets: those of a kind have a subnet, others take any (trafficmanager.cpp, _GeneratePacket)."""
    used: set[int] = set()
    for stream in ask.all.streams():
        if stream.kind:
            used |= {ask.all.value(f"{kind}_subnet", stream.number) for kind in (stream.request, stream.reply)}
        else:
            used |= set(range(ask.of("subnets")))
    return used


def _subnets(ask: Ask) -> Answer:
    """In BookSim a packet waits at its node behind those of its class, whatever their subnet (_partial_packets)."""
    if ask.value == 1:
        return Answer(fate=Fate.SAME)
    used = subnets_used(ask)
    if used == {0}:
        return Answer(note="no packet takes any but the first", fate=Fate.NO_EFFECT)
    unused = set(range(ask.value)) - used
    if unused and max(used) < ask.value:
        ask.refuse(f"no packet takes subnet {min(unused)}; expected as many subnets as packets take")
    note = "BookSim's packets of a class wait in one queue at a node, whatever their subnet, Braid's in one a subnet"
    return Answer({"network.subnets": ask.value}, note, Fate.DIFFERS)


def _chips(ask: Ask) -> Answer:
    """BookSim's tornado and neighbor count nodes with it, whatever the topology."""
    if concentrated.is_concentrated(ask):
        return concentrated.nodes_across(ask)
    if ask.value != 1 and ask.of("traffic").split("(")[0] in ("tornado", "neighbor"):
        ask.refuse(f"with traffic = {ask.of('traffic')} packets would leave the network; expected 1")
    return Answer(note="of concentrated topologies", fate=Fate.NO_EFFECT)


ROWS = [
    Row("topology", Kind.WORD, "torus", _topology, section="topology"),
    Row("k", Kind.WHOLE, "8", _radix, section="topology"),
    Row("n", Kind.WHOLE, "2", _dimensions, section="topology"),
    Row("use_noc_latency", Kind.WHOLE, "1", _wire_latency, section="topology"),
    Row("c", Kind.WHOLE, "1", concentrated.concentration, section="topology"),
    Row("x", Kind.WHOLE, "8", concentrated.routers_wide, section="topology"),
    Row("y", Kind.WHOLE, "8", concentrated.routers_high, section="topology"),
    Row("xr", Kind.WHOLE, "1", _chips, section="topology"),
    Row("yr", Kind.WHOLE, "1", concentrated.nodes_high, section="topology"),
    Row(
        "limit", Kind.WHOLE, "0", without_effect("BookSim 2 itself does not know this key any more"), section="topology"
    ),
    Row(
        "physical_subnetworks",
        Kind.WHOLE,
        "1",
        only(1, otherwise="Braid has one network", note="BookSim 2 itself does not know this key any more"),
        section="topology",
    ),
    Row("subnets", Kind.WHOLE, "1", _subnets, section="network"),
    Row(
        "link_failures",
        Kind.WHOLE,
        "0",
        only(0, otherwise="BookSim draws which links fail; see [failure]"),
        section="topology",
    ),
    Row("fail_seed", Kind.WORD, "0", without_effect("of link_failures"), section="topology"),
    Row(
        "channel_file",
        Kind.WORD,
        "",
        without_effect("BookSim 2 reads it for none of these topologies"),
        section="topology",
    ),
    Row("network_file", Kind.WORD, "", _listing, section="topology"),
    Row("in_ports", Kind.WHOLE, "5", without_effect("BookSim 2 reads it nowhere"), section="topology"),
    Row("out_ports", Kind.WHOLE, "5", without_effect("BookSim 2 reads it nowhere"), section="topology"),
]

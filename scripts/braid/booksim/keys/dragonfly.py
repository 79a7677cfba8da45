"""BookSim's dragonfly (networks/dragonfly.cpp): a router has k nodes and k links to other groups, a group 2k
routers; there are 2k² + 1 groups."""

from __future__ import annotations

from braid.booksim.table import Answer, Ask, Fate

NAME = "dragonflynew"
_MOST = 16  # 4k - 1 ports a router, of which Braid's have at most 64
LOCAL_CYCLES, GLOBAL_CYCLES = 10, 100  # of links, whatever use_noc_latency says

_ARRANGED = "a group's links go to the other groups in their order; links take 10 cycles, those between groups 100"
_VCS = (
    "VC 0 before the link between groups, VC 1 from it on, as in BookSim; of the injection link's VCs BookSim draws "
    "one, Braid takes them in turn"
)
#: Routing function -> what Braid has for it.
FUNCTIONS = {
    "min": Answer({"routing.algorithm": "dragonfly_minimal", "routing.phase_vcs": "one_each"}, _VCS, Fate.DIFFERS)
}
WITHOUT = {
    "ugal": "BookSim's UGAL goes by an intermediate router and compares queues once and twice with a bias of 30 flits; "
    "Braid's goes by an intermediate group and weighs queues by links"
}


def is_dragonfly(ask: Ask) -> bool:
    """Is the network one?"""
    return bool(ask.of("topology") == NAME)


def topology() -> Answer:
    """Its kind and what BookSim leaves no key for."""
    keys = {
        "topology.kind": "dragonfly",
        "topology.global_links": "absolute",
        "topology.link_latency_cycles": LOCAL_CYCLES,
        "topology.global_latency_cycles": GLOBAL_CYCLES,
    }
    return Answer(keys, _ARRANGED)


def radix(ask: Ask) -> Answer:
    """k says all three numbers."""
    if not 1 <= ask.value <= _MOST:
        ask.refuse(f"a router of a dragonfly has 4k - 1 ports, those of Braid's at most 64; expected 1 to {_MOST}")
    keys = {"routers_per_group": 2 * ask.value, "global_ports": ask.value, "nodes_per_router": ask.value}
    return Answer({f"topology.{key}": value for key, value in keys.items()})


def dimensions(ask: Ask) -> Answer:
    """BookSim itself stops at another number."""
    if ask.value != 1:
        ask.refuse("BookSim's dragonflies join all routers of a group; expected 1")
    return Answer(fate=Fate.SAME)


def check_vcs(ask: Ask) -> None:
    """A VC for each phase."""
    if ask.of("num_vcs") < 2:
        ask.refuse(f"packets of a dragonfly take VC 0 and VC 1; num_vcs = {ask.of('num_vcs')}, expected 2 or more")
    if ask.of("use_read_write"):
        ask.refuse(
            "BookSim's reads and writes share VC 0 and VC 1 of a dragonfly, Braid's have VCs of their own; "
            "expected use_read_write = 0"
        )

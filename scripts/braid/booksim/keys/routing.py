"""Routing functions. BookSim knows them by function and topology: dim_order of a mesh is not that of a torus."""

from __future__ import annotations

from braid.booksim.keys import dragonfly
from braid.booksim.keys.network import is_cube, is_switch
from braid.booksim.table import Answer, Ask, Fate, Kind, Row
from braid.explore.where import nearest

_X_FIRST = Answer({"routing.algorithm": "x_first"})
_IN_ORDER = Answer({"routing.algorithm": "dimension_order"})
#: Topology -> routing function -> what Braid has for it.
FUNCTIONS = {
    "mesh": {
        "dor": _X_FIRST,
        "dim_order": _X_FIRST,
        "min_adapt": Answer(
            {"routing.algorithm": "minimal_adaptive"},
            "BookSim's OutputSet keeps one of two minimal directions of a priority, Braid both (docs/validation.md)",
            Fate.DIFFERS,
        ),
        "xy_yx": Answer({"routing.algorithm": "xy_yx"}),
        "adaptive_xy_yx": Answer({"routing.algorithm": "adaptive_xy_yx"}),
    },
    "torus": {
        "dim_order": Answer(
            {"routing.algorithm": "x_first", "routing.datelines": "one", "routing.ties": "drawn"},
            "one dateline a ring; half-way round a ring each packet draws its way",
        ),
        "dim_order_bal": Answer(
            {"routing.algorithm": "x_first", "routing.datelines": "two_drawn", "routing.ties": "drawn"},
            "two datelines a ring; who crosses neither draws its half of the VCs",
        ),
    },
    "anynet": {"min": Answer({"routing.algorithm": "table"}, "the table is a file of its own: routing.table_file")},
    "fattree": {
        "nca": Answer({"routing.algorithm": "tree_drawn"}),
        "anca": Answer({"routing.algorithm": "tree_two_choices"}),
    },
    "fly": {"dest_tag": Answer({"routing.algorithm": "destination_tag"})},
    "cmesh": {"dor_no_express": _IN_ORDER},
    "flatfly": {"ran_min": _IN_ORDER},
    dragonfly.NAME: dragonfly.FUNCTIONS,
}
_VALIANT = Answer({"routing.algorithm": "valiant"})
#: ... the same where a mesh or torus has other than two dimensions, or routing has two phases.
OF_CUBES = {
    "mesh": {
        "dor": _IN_ORDER,
        "dim_order": _IN_ORDER,
        "romm": Answer({"routing.algorithm": "romm"}),
        "valiant": _VALIANT,
    },
    "torus": {
        "dim_order": Answer(
            {"routing.algorithm": "dimension_order"},
            "one dateline a ring; half-way round a ring each packet draws its way",
        ),
        "valiant": _VALIANT,
    },
}
#: Each packet one of two orders of dimensions, on half of the VCs.
TWO_ORDERS = ("xy_yx", "adaptive_xy_yx")
#: ... and those for which it has nothing.
WITHOUT = {
    "dim_order_ni": "VCs by destination are not in Braid",
    "dim_order_pni": "VCs by destination are not in Braid",
    "xy_yx": "BookSim has it on meshes",
    "adaptive_xy_yx": "BookSim has it on meshes",
    "romm": "BookSim has it on meshes",
    "romm_ni": "VCs by destination are not in Braid",
    "valiant_ni": "VCs by destination are not in Braid",
    "min_adapt": "BookSim's packets on a torus have one adaptive VC, the fourth; Braid's have all",
    "planar_adapt": "planar-adaptive routing is not in Braid",
    "chaos": "chaotic routing is not in Braid",
    "none": "which routing function is not said",
    **dragonfly.WITHOUT,
}


#: ... on a topology that has a function of that name of its own.
WITHOUT_ON = {
    "cmesh": {
        "dor": "it takes express channels along the edges, which Braid's cube has not",
        "xy_yx": "it takes express channels along the edges, which Braid's cube has not",
        "xy_yx_no_express": "Braid has xy_yx on meshes of one node a router",
    },
    "flatfly": {
        "valiant": "BookSim's packets end where they meet their destination's router, Braid's behind the intermediate",
        "xyyx": "Braid has xy_yx on meshes",
        "adaptive_xyyx": "Braid has adaptive_xy_yx on meshes",
        "ugal": "BookSim draws the intermediate in dimensions in which source and destination differ, Braid in all",
        "ugal_xyyx": "Braid's ugal goes in one order of dimensions",
        "ugal_pni": "VCs by destination are not in Braid",
    },
}
#: A fly of one stage.
OF_SWITCHES = {"dest_tag": Answer({"routing.algorithm": "dimension_order"}, "one switch: each node has one port")}


def _known(ask: Ask) -> dict[str, Answer] | None:
    if is_switch(ask):
        return OF_SWITCHES
    return (OF_CUBES if is_cube(ask) else FUNCTIONS).get(ask.of("topology"))


def _function(ask: Ask) -> Answer:
    known = _known(ask)
    if known is None:
        return Answer()  # the topology is refused, which says enough
    if ask.value in known:
        if dragonfly.is_dragonfly(ask):
            dragonfly.check_vcs(ask)
        if ask.value in TWO_ORDERS and ask.of("num_vcs") % 2:
            ask.refuse(
                f"on an odd number of VCs, {ask.of('num_vcs')}, BookSim's packets lose their order; expected even"
            )
        return known[ask.value]
    others = WITHOUT | WITHOUT_ON.get(ask.of("topology"), {})
    why = others.get(ask.value) or f"no such function{nearest(ask.value, [*known, *others])}"
    if is_cube(ask) and ask.value in FUNCTIONS[ask.of("topology")]:
        why = f"{ask.value} is in Braid in two dimensions only"
    return ask.refuse(f"{why}; on topology = {ask.of('topology')} expected one of {', '.join(known)}")


ROWS = [Row("routing_function", Kind.WORD, "none", _function, section="routing")]

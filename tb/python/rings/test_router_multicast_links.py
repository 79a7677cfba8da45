"""One packet to all (`broadcast.scheme = "router_multicast"`): the flits on every link of the program, against a tree
that is made here, of the ways first in x, then in y."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from braid_tools.program import ROOT, braid

EXPERIMENT = ROOT / "tb" / "experiments" / "broadcast.toml"
Place = tuple[int, int]
Link = tuple[Place, Place]


def way(at: Place, to: Place) -> list[Link]:
    """Links passed, in x first."""
    links = []
    while at != to:
        (x, y), (to_x, to_y) = at, to
        step = (x + (1 if to_x > x else -1), y) if x != to_x else (x, y + (1 if to_y > y else -1))
        links.append((at, step))
        at = step
    return links


def flits_on_links(width: int, height: int, root: int, flits: int, *, tree: bool) -> tuple[Counter[Link], int]:
    """Of one broadcast with its answers; and how often a flit crosses a router's switch, ejection links included."""
    places = [(n % width, n // width) for n in range(width * height)]
    others = [place for place in places if place != places[root]]
    down = [link for place in others for link in way(places[root], place)]
    up = [link for place in others for link in way(place, places[root])]
    used: Counter[Link] = Counter(set(down) if tree else down)
    used.update(up)
    used = Counter({link: flits * count for link, count in used.items()})
    return used, used.total() + flits * 2 * len(others)


@pytest.mark.parametrize(
    ("width", "height", "root", "flits"),
    [(4, 4, 0, 1), (4, 4, 6, 4), (8, 8, 0, 4), (8, 8, 27, 2), (5, 3, 7, 3), (1, 6, 2, 1)],
)
def test_every_link_of_the_tree_is_crossed_once_and_no_other(width: int, height: int, root: int, flits: int) -> None:
    seen = {}
    for scheme in ("router_multicast", "unicast"):
        settings = {"topology.width": width, "topology.height": height, "broadcast.scheme": scheme,
                    "broadcast.root": root, "broadcast.flits": flits, "broadcast.gap_cycles": 1_000_000,
                    "simulation.min_warmup_cycles": 0, "simulation.max_warmup_cycles": 0,
                    "simulation.measure_cycles": 100_000}  # fmt: skip
        words = [w for key, value in settings.items() for w in ("--set", f"{key}={value}")]
        results = json.loads(braid("run", EXPERIMENT, "--quiet", "--json", "-", *words))
        assert results["broadcast"]["completed"] == 1
        wanted, hops = flits_on_links(width, height, root, flits, tree=scheme == "router_multicast")
        found = Counter()
        for link in results["links"]:
            (a, b) = (tuple(int(c) for c in link[end].split(",")) for end in ("router", "to"))
            found[a, b] = round(link["packet_flits_per_cycle"] * results["measured_cycles"])
        assert +found == wanted
        assert results["flit_hops"] == hops
        seen[scheme] = (results["conservation"], found.total())
    nodes = width * height
    conservation = seen["router_multicast"][0]
    assert conservation["flits_injected"] == flits * nodes, "one packet, and everybody's answer"
    assert conservation["flits_copied"] == flits * (nodes - 2)
    assert seen["unicast"][0]["flits_injected"] == flits * 2 * (nodes - 1)
    assert seen["router_multicast"][1] < seen["unicast"][1]

"""Where routers are drawn: every topology, without SciPy."""

import sys

import braid
import pytest
from braid.plot import positions
from braid_tools.program import ROOT


def lengths(experiment: braid.Experiment) -> list[float]:
    """Of all links, as drawn."""
    topology, places = positions(experiment)
    names = topology["routers"]
    assert set(places) == set(names)
    assert len(set(places.values())) == len(names), "no two routers in one place"
    ends = [(places[names[link["from"]]], places[names[link["to"]]]) for link in topology["links"]]
    return sorted(((x - u) ** 2 + (y - v) ** 2) ** 0.5 for (x, y), (u, v) in ends)


def test_a_hexagon_is_regular() -> None:
    """Every neighbour at the same distance, but for the links around."""
    found = lengths(braid.Experiment(ROOT / "tb" / "experiments" / "po2_hexagonal.toml"))
    near = [length for length in found if length == pytest.approx(1)]
    assert len(near) == 2 * 240, "a hexagon of edge 6 has 240 links that do not go around"
    assert found[len(near)] > 5


def test_a_tree_has_its_levels_one_above_the_other() -> None:
    topology, places = positions(braid.Experiment(ROOT / "tb" / "experiments" / "tree_sat.toml"))
    heights = {name: places[name][1] for name in topology["routers"]}
    levels = {name.partition(".")[0]: set() for name in heights}
    for name, height in heights.items():
        levels[name.partition(".")[0]].add(height)
    assert [len(levels[level]) for level in "012"] == [1, 1, 1]
    assert max(levels["0"]) < max(levels["1"]) < max(levels["2"])
    assert lengths(braid.Experiment(ROOT / "tb" / "experiments" / "tree_sat.toml"))[0] > 0


def test_others_are_drawn_by_springs_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)  # no part of braid-interconnect[explore]
    experiment = braid.Experiment(ROOT / "tb" / "experiments" / "irregular.toml")
    found = lengths(experiment)
    assert found == lengths(experiment)
    assert found[0] > 0.05 * found[-1]


def test_a_mesh_lies_on_its_grid() -> None:
    assert set(lengths(braid.mesh(4, 3))) == {1.0}


def test_no_link_of_a_3d_mesh_lies_on_another() -> None:
    """Links in x and y are a unit long, those in z as long as a plane is wide, and rise."""
    topology, places = positions(braid.cube(3, 4, 2))
    names = topology["routers"]
    for link in topology["links"]:
        (x, y), (u, v) = places[names[link["from"]]], places[names[link["to"]]]
        step = (abs(u - x), abs(v - y))
        assert step == pytest.approx((3.5, 0.4) if link["name"].startswith("z") else (1, 0) if x != u else (0, 1))


def test_groups_of_a_dragonfly_are_apart() -> None:
    """Two routers of a group are nearer than any two of two groups."""
    topology, places = positions(braid.dragonfly(4, 1, 2))
    within, between = [], []
    for a in topology["routers"]:
        for b in topology["routers"]:
            apart = ((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) ** 0.5
            if a != b:
                (within if a.split(",")[0] == b.split(",")[0] else between).append(apart)
    assert 1 < min(within) < max(within) < min(between)

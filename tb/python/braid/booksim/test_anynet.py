"""BookSim's anynet: its listing as GraphML and a table of shortest paths."""

import json
import tomllib
from pathlib import Path

import pytest
from braid.booksim import anynet
from braid.booksim.grammar import Place
from braid.errors import InputError
from braid.explore import command_line
from braid_tools.program import braid

#: A square, r0 - r1 - r3 - r2 - r0, with a long side; two nodes on r0.
SQUARE = """router 0 node 0 node 1 router 1 router 2
router 1 node 2 router 0 router 3 2

router 3 node 3 router 2 router 1 2
node 4 router 2
"""
CONFIGURATION = "topology = anynet; routing_function = min; network_file = square; num_vcs = 2;\n"
HERE = Place("a.cfg", 1, 1)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("square").write_text(SQUARE)
    Path("a.cfg").write_text(CONFIGURATION)


def test_routers_nodes_and_links() -> None:
    listing = anynet.read("square", HERE)
    assert listing.nodes == {0: 0, 1: 0, 2: 1, 3: 3, 4: 2}
    assert listing.links == {0: {1: 1, 2: 1}, 1: {0: 1, 3: 2}, 2: {0: 1, 3: 1}, 3: {1: 2, 2: 1}}
    assert anynet.order_of(listing) == [0, 1, 3, 2]  # by their nodes' numbers


def test_a_way_is_short_in_cycles_and_of_equal_ones_that_of_the_lowest_router() -> None:
    routes = anynet.routes_of(anynet.read("square", HERE)).splitlines()
    assert "r0 3 to_r2" in routes  # 2 cycles, by r1 3
    assert "r1 4 to_r0" in routes  # 2 cycles, by r3 3
    Path("square").write_text("router 0 node 0 router 1 router 2\nrouter 3 node 1 router 1 router 2\n")
    routes = anynet.routes_of(anynet.read("square", HERE)).splitlines()
    assert {"r0 1 to_r1", "r3 0 to_r1"} <= set(routes)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("router 0 node 0 roter 1\n", 'square:1:17: found "roter"; expected router or node'),
        ("router 0 node\n", "square:1:10: node: expected its number"),
        ("router 0 node 0\nnode 0 router 1\n", "square:2:8: node 0 hangs on router 0 already"),
        ("node 0 node 1\n", "square:1:8: a node hangs on a router"),
        ("router 0 node 0 5\n", "square:1:10: node 0 is 5 cycles away; Braid's nodes are 1 cycle"),
        ("router 0 node 0 router 1 3\nrouter 1 node 1\n", "square:1:17: 3 cycles there, 1 back"),
        ("router 0 node 0 router 0\n", "square:1:17: expected another router"),
        ("router 0 node 1\n", "square: expected nodes with the numbers 0, 1, 2 and so on"),
        (
            "router 0 node 0 node 2 router 1\nrouter 1 node 1\n",
            "square: nodes of router 0: expected numbers that follow",
        ),
        ("router 0 node 0\nrouter 1 node 1\n", "square: no way from router 0 to node 1"),
        ("", "square: expected nodes"),
    ],
)
def test_a_listing_that_braid_cannot_have(
    text: str, complaint: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    Path("square").write_text(text)
    assert command_line.run(["import", "booksim", "a.cfg"]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith(f"braid: {complaint}") and err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cfg", "square"]


def test_the_listing_is_missing_or_not_named() -> None:
    with pytest.raises(InputError, match=r"^a\.cfg:1:1: network_file = none: cannot be read: No such file"):
        anynet.read("none", HERE)


def test_three_files_that_run(capfd: pytest.CaptureFixture[str]) -> None:
    assert command_line.run(["import", "booksim", "a.cfg", "--quiet"]) == 0
    experiment = tomllib.loads(Path("a.toml").read_text())
    assert experiment["topology"] == {"kind": "graph", "file": "a.graphml"}
    assert experiment["routing"] == {"algorithm": "table", "table_file": "a.routes"}
    short = ["--set", "simulation.measure_cycles=20000", "--set", "traffic.rate_flits_per_node_cycle=0.02"]
    found = json.loads(braid("run", "a.toml", *short, "--quiet", "--json", "-"))["classes"][0]
    # all pairs of nodes, themselves included
    steps = {(0, 1): 1, (0, 2): 1, (0, 3): 2, (1, 2): 2, (1, 3): 1, (2, 3): 1}
    router = {0: 0, 1: 0, 2: 1, 3: 3, 4: 2}
    links = [steps.get((min(router[a], router[b]), max(router[a], router[b])), 0) for a in router for b in router]
    assert found["hops_mean_links"] == pytest.approx(sum(links) / len(links), rel=0.05)


def test_standard_output_has_no_room_for_three_files(capfd: pytest.CaptureFixture[str]) -> None:
    assert command_line.run(["import", "booksim", "a.cfg", "-o", "-"]) == 2
    assert "it needs a.graphml and a.routes beside it" in capfd.readouterr().err.replace("booksim.", "a.")


def test_it_overwrites_no_file_beside(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.routes").write_text("mine")
    assert command_line.run(["import", "booksim", "a.cfg"]) == 2
    assert "a.routes is there already" in capfd.readouterr().err
    assert Path("a.routes").read_text() == "mine"
    assert not Path("a.toml").exists() and not Path("a.graphml").exists()


def test_routes_in_a_circle_are_refused_with_the_circle(capfd: pytest.CaptureFixture[str]) -> None:
    """Shortest paths on a ring of five: BookSim may deadlock there, Braid says so before a cycle runs."""
    ring = "".join(f"router {r} node {r} router {(r + 1) % 5} router {(r + 4) % 5}\n" for r in range(5))
    Path("square").write_text(ring)
    assert command_line.run(["import", "booksim", "a.cfg"]) == 2
    err = capfd.readouterr().err
    assert "Braid refuses what it becomes: " in err and "cycle" in err
    assert not Path("a.toml").exists()

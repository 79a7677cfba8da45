"""BookSim's cmesh and flatfly: several nodes a router, which stand in a grid."""

import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from braid.booksim.importing import experiment_of, imported
from braid.errors import InputError
from braid.experiment import flat
from braid_tools.program import braid

CMESH = "topology = cmesh; k = 4; n = 2; c = 4; xr = 2; yr = 2; x = 4; y = 4; routing_function = dor_no_express;\n"
FLATFLY = CMESH.replace("cmesh", "flatfly").replace("dor_no_express", "ran_min")
#: A dozen packets of each pair, of which one at least meets nobody.
ALONE = ("injection_rate=0.004", "num_vcs=2", "sample_period=20000", "max_samples=13")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cmesh.cfg").write_text(CMESH)
    Path("flatfly.cfg").write_text(FLATFLY)


def keys_of(*words: str) -> dict[str, Any]:
    return dict(flat(tomllib.loads(experiment_of(words)[0].text)))


# -- What a file becomes


def test_a_concentrated_mesh() -> None:
    keys = keys_of("cmesh.cfg")
    expected = {
        "topology.kind": "cube",
        "topology.sizes": [4, 4],
        "topology.concentration": 4,
        "topology.link_latency_cycles": 2,
        "routing.algorithm": "dimension_order",
        "traffic.pattern": "uniform",
    }
    assert {key: keys.get(key) for key in expected} == expected
    assert "topology.latency_by_distance" not in keys
    assert keys_of("cmesh.cfg", "use_noc_latency=0")["topology.link_latency_cycles"] == 1
    assert keys_of("cmesh.cfg", "k=3")["topology.sizes"] == [3, 3]


def test_a_flattened_butterfly() -> None:
    keys = keys_of("flatfly.cfg")
    expected = {
        "topology.kind": "flattened_butterfly",
        "topology.sizes": [4, 4],
        "topology.concentration": 4,
        "topology.link_latency_cycles": 2,
        "topology.latency_by_distance": True,
        "routing.algorithm": "dimension_order",
    }
    assert {key: keys.get(key) for key in expected} == expected
    wide = keys_of("flatfly.cfg", "c=9", "xr=3", "yr=3")
    assert (wide["topology.link_latency_cycles"], wide["topology.concentration"]) == (3, 9)
    flat_links = keys_of("flatfly.cfg", "use_noc_latency=0", "n=3", "x=16", "y=16", "c=16", "xr=4", "yr=4")
    assert flat_links["topology.sizes"] == [4, 4, 4] and flat_links["topology.link_latency_cycles"] == 1
    assert "topology.latency_by_distance" not in flat_links


def test_one_node_a_router_keeps_its_number() -> None:
    said = " ".join(experiment_of(["flatfly.cfg", "c=1", "xr=1", "yr=1"])[0].lines)
    assert "xr = 1: one node a router" in said and "differs: nodes have other numbers" not in said
    assert "nodes have other numbers" in " ".join(experiment_of(["flatfly.cfg"])[0].lines)


# -- Who sends to whom

# BookSim's numbers are those of nodes in a grid. Here a node is its place there: column and row of its router, and its
# place in the square of the router's nodes. (cmesh.cpp: "the first node has 0,1,8,9".)
Place = tuple[int, int, int, int]


def places(k: int, across: int) -> Iterator[Place]:
    """In the order of BookSim's numbers: row by row of the grid of nodes."""
    for row in range(k):
        for high in range(across):
            for column in range(k):
                for far in range(across):
                    yield column, row, far, high


def in_braid(place: Place, k: int, across: int) -> int:
    """Router by router, a router's nodes one after the other."""
    column, row, far, high = place
    return (column + k * row) * across * across + far + across * high


def braids(name: str, k: int, across: int) -> dict[int, int]:
    """BookSim's pattern of as many nodes, in Braid's numbers; by the definition of its patterns (traffic.cpp)."""
    of_number = list(places(k, across))
    nodes, side = len(of_number), k * across
    bits = nodes.bit_length() - 1

    def to(n: int) -> int:
        x, y = n % side, n // side
        match name:
            case "bitcomp":
                return nodes - 1 - n
            case "bitrev":
                return sum((n >> b & 1) << (bits - 1 - b) for b in range(bits))
            case "shuffle":
                return 2 * n % nodes + 2 * n // nodes
            case "transpose":
                return x * side + y
            case "tornado":
                by = (side + 1) // 2 - 1
                return (y + by) % side * side + (x + by) % side
            case _:
                return (y + 1) % side * side + (x + 1) % side

    return {in_braid(of_number[n], k, across): in_braid(of_number[to(n)], k, across) for n in range(nodes)}


def test_the_first_router_has_these_nodes() -> None:
    """On 4 by 4 routers of 2 by 2 nodes, numbers 0, 1, 8 and 9 are the first router's."""
    of_number = list(places(4, 2))
    assert [in_braid(of_number[n], 4, 2) for n in (0, 1, 8, 9)] == [0, 1, 2, 3]
    assert in_braid(of_number[63], 4, 2) == 63


PATTERNS = ("bitcomp", "bitrev", "shuffle", "transpose", "tornado", "neighbor")


@pytest.mark.parametrize(("k", "across"), [(4, 2), (2, 2), (8, 2), (4, 1), (2, 4)])
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_has_the_same_flows(k: int, across: int, name: str) -> None:
    words = ["flatfly.cfg", f"traffic={name}", f"k={k}", f"x={k}", f"y={k}", "use_noc_latency=0"]
    words += [f"c={across**2}", f"xr={across}", f"yr={across}"]
    experiment, _ = experiment_of(words, "mine")
    keys = flat(tomllib.loads(experiment.text))
    expected = braids(name, k, across)
    if keys["traffic.pattern"] == "permutation":
        pairs = [line.split() for line in experiment.beside[f"mine.{name}.pairs"].splitlines()[1:]]
        assert keys["traffic.file"] == f"mine.{name}.pairs"
        assert [(int(a), int(b)) for a, b in pairs] == sorted(expected.items())
        return
    assert expected == braids(name, k * across, 1)  # the same of Braid's own numbers
    assert name not in ("tornado", "neighbor")  # which Braid has of grids alone


def test_most_patterns_of_numbers_are_files_and_a_complement_is_none() -> None:
    named = [name for name in PATTERNS if keys_of("cmesh.cfg", f"traffic={name}")["traffic.pattern"] != "permutation"]
    assert named == ["bitcomp"]


def results_of(*words: str, keys: Sequence[str] = ()) -> dict[str, Any]:
    found = imported(words, "mine.toml")
    for beside, text in {**found.beside, "mine.toml": found.text}.items():
        Path(beside).write_text(text)
    settings = [word for key in keys for word in ("--set", key)]
    return json.loads(braid("run", "mine.toml", "--set", "results.flows=true", *settings, "--quiet", "--json", "-"))


@pytest.mark.parametrize("file", ["cmesh.cfg", "flatfly.cfg"])
@pytest.mark.parametrize("name", PATTERNS)
def test_a_run_has_these_flows(file: str, name: str) -> None:
    flows = results_of(file, f"traffic={name}", "injection_rate=0.02")["classes"][0]["flows"]
    assert {one["source_node"]: one["destination_node"] for one in flows} == braids(name, 4, 2)


def test_hot_spots_are_the_same_nodes() -> None:
    """BookSim's nodes 9 and 17: the fourth of router 0, and the second of router 4, column 0 of the second row."""
    keys = keys_of("cmesh.cfg", "traffic=hotspot({{9,17},{1,2}})")
    assert keys["traffic.hot_nodes"] == [3, 17, 17]
    assert keys_of("cmesh.cfg", "traffic=hotspot({{2}})")["traffic.hot_nodes"] == [4]


def test_a_flatflys_nodes_stand_as_its_routers_do_and_a_cmeshs_in_a_square() -> None:
    """Routers in rows of eight: BookSim's node 16 is above node 0. In rows of four it is above node 8, router 4's."""
    hot = "traffic=hotspot({{16}})"
    assert keys_of("flatfly.cfg", hot, "use_noc_latency=0", "x=8", "y=8")["traffic.hot_nodes"] == [2]
    assert keys_of("flatfly.cfg", hot)["traffic.hot_nodes"] == [16]
    assert keys_of("cmesh.cfg", hot, "x=8", "y=8")["traffic.hot_nodes"] == [16]


def test_with_one_node_a_router_rows_of_any_length_number_alike() -> None:
    words = ["flatfly.cfg", "c=1", "xr=1", "yr=1", "x=3", "y=3", "use_noc_latency=0", "traffic=neighbor"]
    experiment, _ = experiment_of(words, "mine")
    lines = experiment.beside["mine.neighbor.pairs"].splitlines()[1:]
    assert {int(a): int(b) for a, b in map(str.split, lines)} == braids("neighbor", 4, 1)


# -- How long a packet is under way


def latencies(*words: str) -> dict[tuple[int, int], int]:
    """The least of each pair of nodes."""
    flows = results_of(*words, *ALONE)["classes"][0]["flows"]
    return {(one["source_node"], one["destination_node"]): one["latency_cycles"]["min"] for one in flows}


def alone(routers: int, wires: int) -> int:
    """A single flit: 3 cycles at its node, 4 a router, a cycle for the wire to its node, and those between routers."""
    return 3 + 4 * routers + 1 + wires


def apart(k: int, across: int, source: int, destination: int) -> tuple[int, int]:
    """Columns and rows between the routers of two of Braid's nodes."""
    here, there = source // across**2, destination // across**2
    return abs(here % k - there % k), abs(here // k - there // k)


def test_a_cmeshs_links_take_two_cycles() -> None:
    found = latencies("cmesh.cfg")
    assert len(found) == 64 * 64
    for pair, cycles in found.items():
        x, y = apart(4, 2, *pair)
        assert cycles == alone(x + y + 1, 2 * (x + y)), pair


def test_a_flatflys_links_take_two_cycles_a_router() -> None:
    found = latencies("flatfly.cfg")
    assert len(found) == 64 * 64
    for pair, cycles in found.items():
        x, y = apart(4, 2, *pair)
        assert cycles == alone((x > 0) + (y > 0) + 1, 2 * (x + y)), pair


def test_links_that_are_no_wires_of_a_chip_take_a_cycle() -> None:
    for file, three in (("cmesh.cfg", 6), ("flatfly.cfg", 2)):
        found = latencies(file, "use_noc_latency=0")
        assert max(found.values()) == alone(three + 1, three)


def test_reads_and_writes_whose_vcs_overlap_in_part() -> None:
    """The ranges of BookSim's own cmeshconfig: dimension order on a mesh needs no VC of its own, on a torus it does."""
    words = ["use_read_write=1", "traffic=bitcomp", "num_vcs=16", "injection_rate=0.03"]  # the ranges are the defaults
    read, *_, write_replies = results_of("cmesh.cfg", *words)["classes"]
    for one in (read, write_replies):
        assert {flow["destination_node"] for flow in one["flows"]} == set(range(64))
        assert one["accepted_flits_per_node_cycle"]["mean"] == pytest.approx(0.015, rel=0.1)
    Path("torus.cfg").write_text("topology = torus; k = 4; n = 2; routing_function = dim_order;\n")
    with pytest.raises(InputError, match=r"channels 0 to 5 of one class and 2 to 7 of another overlap: expected"):
        imported(["torus.cfg", *words], "mine.toml")


# -- What is refused

#: A file, words, and what is said of which of them.
REFUSED = [
    ("cmesh.cfg", ("n=1",), "n=1: BookSim's cmesh has two dimensions; expected 2"),
    ("cmesh.cfg", ("c=1", "xr=1", "yr=1"), "c=1: BookSim's cmesh has 4 nodes a router; expected 4"),
    (
        "cmesh.cfg",
        ("xr=4", "yr=1"),
        "xr=4: BookSim's nodes of a router stand in a square, xr = yr; xr times yr is c, 4",
    ),
    ("cmesh.cfg", ("yr=1",), "yr=1: BookSim's nodes of a router stand in a square; expected xr, 2"),
    ("cmesh.cfg", ("y=3",), "y=3: BookSim ends at x and y that differ; expected x, 4"),
    ("cmesh.cfg", ("routing_function=dor",), "it takes express channels along the edges, which Braid's cube has not"),
    ("cmesh.cfg", ("routing_function=xy_yx",), "on topology = cmesh expected one of dor_no_express"),
    ("cmesh.cfg", ("routing_function=dor_no_expres",), 'no such function (did you mean "dor_no_express"?)'),
    ("cmesh.cfg", ("routing_function=xy_yx_no_express",), "Braid has xy_yx on meshes of one node a router"),
    ("flatfly.cfg", ("n=5",), "n=5: BookSim's flatfly has 1 to 4 dimensions"),
    ("flatfly.cfg", ("n=0",), "n=0: BookSim's flatfly has 1 to 4 dimensions"),
    ("flatfly.cfg", ("c=8",), "flatfly.cfg:1:42: xr = 2: BookSim's nodes of a router stand in a square"),
    ("flatfly.cfg", ("c=8", "xr=2", "yr=4"), "xr=2: BookSim's nodes of a router stand in a square"),
    ("flatfly.cfg", ("xr=0",), "xr=0: BookSim's nodes of a router stand in a square"),
    ("flatfly.cfg", ("c=16", "xr=4", "yr=4"), "xr=4: some nodes are more than a cycle from their router in BookSim"),
    ("flatfly.cfg", ("x=3", "y=3"), "x=3: routers stand in rows of x, and BookSim's nodes lie beyond the last one"),
    ("flatfly.cfg", ("x=0", "y=0"), "x=0: routers stand in rows of x"),
    ("flatfly.cfg", ("x=8", "y=8"), "x=8: links are as long as their ends stand apart in rows of x routers"),
    ("flatfly.cfg", ("x=4", "y=2"), "y=2: BookSim ends at x and y that differ; expected x, 4"),
    ("flatfly.cfg", ("n=3",), "expected that, or use_noc_latency = 0"),
    ("flatfly.cfg", ("k=64", "x=64", "y=64", "c=1", "xr=1", "yr=1"), "Braid refuses what it becomes: "),
    ("flatfly.cfg", ("k=20", "n=1", "x=20", "y=20", "c=9", "xr=4", "yr=4"), "xr=4: BookSim's nodes of a router"),
    ("flatfly.cfg", ("routing_function=valiant",), "BookSim's packets end where they meet their destination's router"),
    ("flatfly.cfg", ("routing_function=ugal",), "BookSim draws the intermediate in dimensions in which"),
    ("flatfly.cfg", ("routing_function=xyyx",), "expected one of ran_min"),
    ("flatfly.cfg", ("traffic=tornado", "n=1"), "its digits, n of base xr k, are not those of all nodes"),
    ("flatfly.cfg", ("traffic=tornado({4,2,1})",), "expected no parameters"),
    ("flatfly.cfg", ("traffic=bitrev", "k=3", "x=3", "y=3"), "needs a power of two of nodes; there are 36"),
    ("flatfly.cfg", ("traffic=transpose", "k=8", "n=1", "x=8", "y=8", "c=1", "xr=1", "yr=1"), "a power of four"),
]


@pytest.mark.parametrize(("file", "words", "line"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_refused_in_one_line(file: str, words: tuple[str, ...], line: str) -> None:
    with pytest.raises(InputError) as error:
        imported([file, *words], "mine.toml")
    assert line in str(error.value) and "\n" not in str(error.value)


def test_the_longest_link_of_a_flatfly() -> None:
    """3 cycles a router: as many routers in a row as one has ports for have links of up to 165 cycles, of 256."""
    words = ["flatfly.cfg", "n=1", "c=9", "xr=3", "yr=3"]
    imported([*words, "k=56", "x=56", "y=56"], "mine.toml")
    with pytest.raises(InputError, match=r"has 65 ports: expected at most 64"):
        imported([*words, "k=57", "x=57", "y=57"], "mine.toml")

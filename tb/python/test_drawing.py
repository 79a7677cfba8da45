"""Drawings of layouts: the links of every circuit read back from the picture, against those of the results."""

import json
import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest
from braid_tools.program import ROOT, braid

SVG = "{http://www.w3.org/2000/svg}"
PROGRAMS = ROOT / "traffic" / "streams" / "programs"
Point = tuple[float, float]


def drawn(tmp_path: Path, program: str, *arguments: str) -> tuple[ElementTree.Element, dict]:
    """The picture, and what `braid paths` says."""
    svg, told = tmp_path / "layout.svg", tmp_path / "paths.json"
    braid("paths", PROGRAMS / program, "--quiet", "--draw", svg, "--json", told, *arguments)
    return ElementTree.parse(svg).getroot(), json.loads(told.read_text())


def routers(picture: ElementTree.Element) -> dict[str, tuple[float, float, float]]:
    """Corner and side of each, by name."""
    result = {}
    for rect in picture.iter(f"{SVG}rect"):
        if rect.get("class") == "router":
            name = rect.findtext(f"{SVG}title", "").removeprefix("router ")
            result[name] = tuple(float(rect.get(key, 0)) for key in ("x", "y", "width"))
    return result


def router_at(where: dict[str, tuple[float, float, float]], point: Point) -> str | None:
    """That on whose border a point lies; none: it lies between routers."""
    inside = [name for name, (x, y, side) in where.items() if x <= point[0] <= x + side and y <= point[1] <= y + side]
    assert len(inside) <= 1
    return inside[0] if inside else None


def links_of(where: dict[str, tuple[float, float, float]], path: str) -> list[tuple[str, str]]:
    """From router to router along a line, stubs around a torus's edge included."""
    points = [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)]
    stops = [name for name in (router_at(where, point) for point in points) if name is not None]
    return [(a, b) for a, b in pairwise(stops) if a != b]


def links_told(circuit: dict, size: int) -> list[tuple[str, str]]:
    """The same of the results; the last step leaves the network."""
    step = {"east": (1, 0), "west": (-1, 0), "north": (0, 1), "south": (0, -1)}
    result = []
    for hop in circuit["path"][:-1]:
        x, y = (int(word) for word in hop["router"].split(","))
        dx, dy = step[hop["port"]]
        result.append((hop["router"], f"{(x + dx) % size},{(y + dy) % size}"))
    return result


@pytest.mark.parametrize("kind", ["mesh", "torus"])
@pytest.mark.parametrize(("program", "size"), [("fm_radio.str", 4), ("vocoder.str", 4), ("bitonic_sort.str", 6)])
def test_every_link_of_every_circuit_is_drawn_once(tmp_path: Path, program: str, size: int, kind: str) -> None:
    size_and_kind = ["--mesh", f"{size}x{size}", "--set", f"topology.kind={kind}"]
    picture, told = drawn(tmp_path, program, *size_and_kind, "--set", "stream.moves=5000")
    where = routers(picture)
    assert len(where) == size * size
    circuits = {c["stream"]: links_told(c, size) for c in told["setup"]["circuits"]}
    assert circuits
    lines = [path for path in picture.iter(f"{SVG}path") if path.get("class") == "circuit"]
    found = {line.findtext(f"{SVG}title", "").rpartition(" (")[0]: links_of(where, line.get("d", "")) for line in lines}
    assert found == circuits
    every = [link for links in found.values() for link in links]
    assert len(set(every)) == len(every)
    assert any(line.get("d", "").count("M") > 1 for line in lines) == (kind == "torus"), "links around the edge"


def test_no_two_lines_lie_over_each_other(tmp_path: Path) -> None:
    """Circuits there and back over one link have a lane each."""
    picture, _ = drawn(tmp_path, "vocoder.str", "--mesh", "4x4")
    segments = set()
    for path in picture.iter(f"{SVG}path"):
        points = re.findall(r"[ML](-?\d+) (-?\d+)", path.get("d", "")) if path.get("class") == "circuit" else []
        for ends in pairwise(points):
            line = frozenset(ends)
            assert line not in segments
            segments.add(line)
    assert len(segments) > 20


def test_actors_stand_at_their_routers(tmp_path: Path) -> None:
    """Up and to the right of them, as docs/streams.md says; north is up."""
    picture, told = drawn(tmp_path, "des.str", "--mesh", "4x4")
    where = routers(picture)
    assert where["0,3"][1] < where["0,0"][1]
    assert where["3,0"][0] > where["0,0"][0]
    for actor, group in zip(
        told["actors"], (g for g in picture.iter(f"{SVG}g") if g.get("class") == "actor"), strict=True
    ):
        assert group.findtext(f"{SVG}title", "").startswith(f"{actor['name']}: node {actor['node']}, ")
        x, y, side = where[f"{actor['node'] % 4},{actor['node'] // 4}"]
        tile = group.find(f"{SVG}rect")
        assert tile is not None
        assert 0 <= float(tile.get("x", 0)) - (x + side) < 10
        assert 0 <= y - (float(tile.get("y", 0)) + float(tile.get("height", 0))) < 10


def test_loads_are_drawn_where_packets_carry_the_streams(tmp_path: Path) -> None:
    picture, told = drawn(tmp_path, "des.str", "--mesh", "4x4", "--network", "push_x_first")
    where = routers(picture)
    found = {}
    paths = [path for path in picture.iter(f"{SVG}path") if path.get("class") == "load"]
    for path in paths:
        (link,) = links_of(where, path.get("d", ""))
        found[link] = float(path.get("stroke-width", 0))
    assert found == {(load["router"], load["to"]): load["load"] for load in told["stream_loads"] if load["load"]}


def test_names_with_signs_of_xml_are_names(tmp_path: Path) -> None:
    graph, svg = tmp_path / "signs.toml", tmp_path / "signs.svg"
    graph.write_text(
        'name = "a < b & c"\n[[actor]]\nname = "<a> & \\"b\\""\nwork = 1\n[[actor]]\nname = "c"\nwork = 1\n'
        '[[edge]]\nfrom = "<a> & \\"b\\""\nto = "c"\n'
    )
    braid("paths", ROOT / "tb/experiments/fm_radio.toml", "--set", f"stream.graph={graph}", "--draw", svg, "--quiet")
    texts = [text.text for text in ElementTree.parse(svg).getroot().iter(f"{SVG}text")]
    assert '<a> & "b"' in texts
    assert '<a> & "b" -> c (1 link)' in texts
    assert texts[0] == "a < b & c on mesh 4x4: 2 actors, 1 circuits"


def loads_drawn(picture: ElementTree.Element) -> dict[str, float]:
    """Of the lines that stand for loads: what their titles say."""
    titles = [g.findtext(f"{SVG}title", "") for g in picture.iter(f"{SVG}g") if g.get("class") == "load"]
    return {title.rpartition(": ")[0]: float(title.rpartition(": ")[2].split()[0]) for title in titles}


@pytest.mark.parametrize(
    "settings",
    [
        {"topology.kind": "torus", "topology.width": 4, "topology.height": 4},
        {"topology.kind": "k_ary_n_tree", "routing.algorithm": "tree_by_destination", "topology.arity": 2},
        {"topology.kind": "hexagonal", "topology.edge": 2, "routing.algorithm": "table"},
    ],
    ids=["torus", "tree", "hexagonal"],
)
def test_loads_of_every_link_are_drawn_on_any_topology(settings: dict, tmp_path: Path) -> None:
    svg, told = tmp_path / "loads.svg", tmp_path / "run.json"
    short = {"simulation.measure_cycles": 1000, "simulation.max_warmup_cycles": 1000}
    words = [w for key, value in (settings | short).items() for w in ("--set", f"{key}={value}")]
    braid("run", ROOT / "tb/experiments/mesh_uniform.toml", "--quiet", "--draw", svg, "--json", told, *words)
    drawn_loads = loads_drawn(ElementTree.parse(svg).getroot())
    links = json.loads(told.read_text())["links"]
    assert len(drawn_loads) == len(links)
    for link in links:
        load = drawn_loads[f"{link['router']} {link['port']} -> {link['to']}"]
        assert load == pytest.approx(link["packet_flits_per_cycle"], rel=1e-3)


def test_positions_of_graphml_are_where_routers_are_drawn(tmp_path: Path) -> None:
    import networkx

    graph = networkx.Graph([("a", "b"), ("b", "c")])
    places = {"a": (0.0, 0.0), "b": (2.5, 0.0), "c": (2.5, 5.0)}
    for name, (x, y) in places.items():
        graph.nodes[name].update(x=x, y=y)
    networkx.write_graphml_xml(graph, tmp_path / "network.graphml")
    experiment = tmp_path / "e.toml"
    experiment.write_text(
        '[topology]\nkind = "graph"\nfile = "network.graphml"\n[routing]\nalgorithm = "table"\n[traffic]\n'
    )
    svg = tmp_path / "loads.svg"
    braid("paths", experiment, "--quiet", "--draw", svg)
    at = {}
    for group in ElementTree.parse(svg).getroot().iter(f"{SVG}g"):
        if group.get("class") == "router":
            rect = group.find(f"{SVG}rect")
            assert rect is not None
            at[group.findtext(f"{SVG}title", "").split()[1]] = (float(rect.get("x", 0)), float(rect.get("y", 0)))
    assert at["b"][1] == at["a"][1]
    assert at["b"][0] == at["c"][0]
    assert at["a"][1] - at["c"][1] == pytest.approx(2 * (at["b"][0] - at["a"][0])), "y grows upwards"


def middles_drawn(places: list[Point], tmp_path: Path) -> tuple[ElementTree.Element, list[Point]]:
    """Routers on these places in a row of cables, in this order; where the middles of their squares are."""
    import networkx

    graph = networkx.path_graph(len(places))
    for node, (x, y) in enumerate(places):
        graph.nodes[node].update(x=float(x), y=float(y))
    networkx.write_graphml_xml(graph, tmp_path / "network.graphml")
    experiment, svg = tmp_path / "e.toml", tmp_path / "loads.svg"
    experiment.write_text(
        '[topology]\nkind = "graph"\nfile = "network.graphml"\n[routing]\nalgorithm = "table"\n[traffic]\n'
    )
    braid("paths", experiment, "--quiet", "--draw", svg)
    picture = ElementTree.parse(svg).getroot()
    squares = [rect for g in picture.iter(f"{SVG}g") if g.get("class") == "router" for rect in g.iter(f"{SVG}rect")]
    assert all((rect.get("width"), rect.get("height")) == ("40", "40") for rect in squares)
    return picture, [(float(rect.get("x", 0)) + 20, float(rect.get("y", 0)) + 20) for rect in squares]


@pytest.mark.parametrize(
    "places",
    [
        [(0, 5), (10, 5), (25, 5), (11, 5)],  # the two that are nearest stand in the list apart
        [(0, 5), (10, 5), (25, 5), (10, 6)],
        [(7, -3), (7, -3), (7, -1), (9, -3)],  # two at one place
        [(0, 0), (-1, -1), (4, 4), (3, 3.5), (2, 9)],
    ],
    ids=["along", "up", "at_one_place", "askew"],
)
def test_the_two_nearest_routers_are_110_pixels_apart(places: list[Point], tmp_path: Path) -> None:
    """And all others in proportion, inside the picture's border."""
    picture, middles = middles_drawn(places, tmp_path)
    apart = [dist(a, b) for a, b in combinations(places, 2)]
    scale = 110 / min(distance for distance in apart if distance > 0)
    assert [dist(a, b) for a, b in combinations(middles, 2)] == pytest.approx([scale * d for d in apart], abs=0.2)
    wide, high = (max(p[axis] for p in places) - min(p[axis] for p in places) for axis in (0, 1))
    assert float(picture.get("width", 0)) >= round(wide * scale + 140)
    assert float(picture.get("height", 0)) == pytest.approx(high * scale + 200, abs=1)
    assert min(x for x, _ in middles) == 70
    assert min(y for _, y in middles) == 130
    lines = [g for g in picture.iter(f"{SVG}g") if g.get("class") == "load"]
    assert len(lines) == 2 * sum(a != b for a, b in pairwise(places)), "of two at one place there is no line"


def test_a_large_network_has_6000_pixels_at_most(tmp_path: Path) -> None:
    picture, middles = middles_drawn([(0, 0), (1, 0), (300, 0), (300, 100)], tmp_path)
    assert max(x for x, _ in middles) - min(x for x, _ in middles) == pytest.approx(6000, abs=0.2)
    assert max(y for _, y in middles) - min(y for _, y in middles) == pytest.approx(2000, abs=0.2)
    assert (picture.get("width"), picture.get("height")) == ("6140", "2200")


def test_lines_are_as_wide_and_as_red_as_loads(tmp_path: Path) -> None:
    """Five in a row send a flit a cycle each, a fifth to each: in the middle loads are the highest."""
    svg = tmp_path / "loads.svg"
    settings = ["--set", "topology.width=5", "--set", "topology.height=1"]
    braid("paths", ROOT / "tb/experiments/mesh_uniform.toml", "--quiet", *settings, "--draw", svg)
    picture = ElementTree.parse(svg).getroot()
    most = 2 * 3 / 5
    for left in range(4):  # left + 1 nodes send to the 4 - left on the other side
        load = (left + 1) * (4 - left) / 5
        titles = (f"{left},0 east -> {left + 1},0", f"{left + 1},0 west -> {left},0")
        for title in titles:
            (line,) = [
                g for g in picture.iter(f"{SVG}g") if g.findtext(f"{SVG}title") == f"{title}: {load:.4g} flits/cycle"
            ]
            part = line.find(f"{SVG}line")
            assert part is not None
            assert float(part.get("stroke-width", 0)) == pytest.approx(0.8 + 6.2 * load / most, abs=0.006)
            red, green, blue = (int(line.get("stroke", "")[at : at + 2], 16) for at in (1, 3, 5))
            assert red == round(0xCC + 10 * load / most)
            assert green == blue == round(0xCC * (1 - load / most))
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert texts[1:8] == ["0", "0.24", "0.48", "0.72", "0.96", "1.2", "flits/cycle"], "the legend, in fifths"

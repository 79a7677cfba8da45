"""Drawings of layouts, to the pixel: where lines, arrows and names stand, by hand from the sizes of a picture.

A router is a square of 40 around its middle, 150 from the next; lines keep 7 to the right of their way. The leftmost
column's middle is 60 from the border, the uppermost row's 164 below it: a head of 40, 60, and 64 for a tile."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from braid_tools.program import ROOT, braid

SVG = "{http://www.w3.org/2000/svg}"
PITCH, HALF, LANE, STUB = 150, 20, 7, 30
COLOURS = [
    "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b",
    "#e377c2", "#17becf", "#7f7f00", "#004d99", "#660000", "#006633",
]  # fmt: skip
DASHES = [None, "7 3", "2 3"]


def drawn(folder: Path, actors: dict[str, int], edges: list[tuple[str, str]], *words: str) -> ElementTree.Element:
    """Actors on their tiles, a circuit for each edge."""
    graph, svg = folder / "graph.toml", folder / "layout.svg"
    standing = ", ".join(f'{{name = "{name}", work = 1, tile = {tile}}}' for name, tile in actors.items())
    joined = ", ".join(f'{{from = "{a}", to = "{b}"}}' for a, b in edges)
    graph.write_text(f'name = "g"\nactor = [{standing}]\nedge = [{joined}]\n')
    radio = ROOT / "tb" / "experiments" / "fm_radio.toml"
    braid("paths", radio, "--quiet", "--set", f"stream.graph={graph}", "--draw", svg, *words)
    return ElementTree.parse(svg).getroot()


def lines(picture: ElementTree.Element) -> dict[str, str]:
    """Each circuit's line, by its title."""
    paths = [path for path in picture.iter(f"{SVG}path") if path.get("class") == "circuit"]
    return {path.findtext(f"{SVG}title", ""): path.get("d", "") for path in paths}


def middle(tile: int, width: int, height: int) -> tuple[int, int]:
    return 60 + PITCH * (tile % width), 164 + PITCH * (height - 1 - tile // width)


def test_a_line_begins_and_ends_at_the_borders_of_routers(tmp_path: Path) -> None:
    """East, north, west and south, each on the right of its way."""
    picture = drawn(
        tmp_path,
        {"a": 0, "b": 1, "c": 3, "d": 2},
        [("a", "b"), ("b", "c"), ("c", "d")],
        *("--set", "topology.width=2", "--set", "topology.height=2"),
    )
    found = lines(picture)
    (ax, ay), (bx, by) = middle(0, 2, 2), middle(1, 2, 2)
    (cx, cy), (dx, dy) = middle(3, 2, 2), middle(2, 2, 2)
    assert found["a -> b (1 link)"] == f"M{ax + HALF} {ay + LANE}L{bx - HALF} {by + LANE}"
    assert found["b -> c (1 link)"] == f"M{bx + LANE} {by - HALF}L{cx + LANE} {cy + HALF}"
    assert found["c -> d (1 link)"] == f"M{cx - HALF} {cy - LANE}L{dx + HALF} {dy - LANE}"
    heads = [path.get("d") for path in picture.iter(f"{SVG}path") if (path.get("d") or "").endswith("z")]
    tip = bx - HALF, by + LANE
    assert heads[0] == f"M{tip[0]} {tip[1]}L{tip[0] - 8} {tip[1] + 4}L{tip[0] - 8} {tip[1] - 4}z"
    tip = cx + LANE, cy + HALF
    assert heads[1] == f"M{tip[0]} {tip[1]}L{tip[0] + 4} {tip[1] + 8}L{tip[0] - 4} {tip[1] + 8}z"
    grid = [
        tuple(int(line.get(key, "")) for key in ("x1", "y1", "x2", "y2"))
        for line in picture.iter(f"{SVG}line")
        if line.get("class") == "link"
    ]
    assert sorted(grid) == sorted([(ax, ay, bx, by), (ax, ay, dx, dy), (bx, by, cx, cy), (dx, dy, cx, cy)])
    letters = len("a -> b") + 11
    assert picture.get("width") == str(2 * 60 + 2 * PITCH + 6 * letters + 30)
    assert picture.get("height") == str(40 + 2 * 60 + 2 * PITCH)


def test_around_the_edge_of_a_torus_there_are_two_stubs(tmp_path: Path) -> None:
    """West from the first column to the last, south from the lowest row to the uppermost; no line of the grid there."""
    torus = ["--set", "topology.kind=torus", "--set", "topology.width=4", "--set", "topology.height=4"]
    picture = drawn(tmp_path, {"a": 0, "b": 3, "c": 12}, [("a", "b"), ("a", "c")], *torus)
    found = lines(picture)
    (ax, ay), (bx, by), (cx, cy) = (middle(tile, 4, 4) for tile in (0, 3, 12))
    assert found["a -> b (1 link)"] == (
        f"M{ax - HALF} {ay - LANE}L{ax - HALF - STUB} {ay - LANE}"
        f"M{bx + HALF + STUB} {by - LANE}L{bx + HALF} {by - LANE}"
    )
    assert found["a -> c (1 link)"] == (
        f"M{ax - LANE} {ay + HALF}L{ax - LANE} {ay + HALF + STUB}"
        f"M{cx - LANE} {cy - HALF - STUB}L{cx - LANE} {cy - HALF}"
    )
    grid = [line for line in picture.iter(f"{SVG}line") if line.get("class") == "link"]
    assert len(grid) == 2 * 4 * 3


@pytest.mark.parametrize(
    ("letters", "cut"),
    [(1, [1]), (16, [16]), (17, [16, 1]), (32, [16, 16]), (80, [16] * 5), (81, [16, 16, 16, 16, 17])],
)
def test_a_name_has_five_lines_of_sixteen_letters(letters: int, cut: list[int], tmp_path: Path) -> None:
    """Letters of one byte and of two; what is longer ends in a sign for more."""
    name = ("aé" * letters)[:letters]
    size = ["--set", "topology.width=2", "--set", "topology.height=1"]
    picture = drawn(tmp_path, {name: 0, "z": 1}, [(name, "z")], *size)
    tile = next(g for g in picture.iter(f"{SVG}g") if g.get("class") == "actor")
    texts = list(tile.iter(f"{SVG}text"))
    assert [len(text.text or "") for text in texts] == cut
    assert "".join(text.text or "" for text in texts) == (name if letters <= 80 else name[:80] + "…")
    corner = tile.find(f"{SVG}rect")
    assert corner is not None
    x, y = int(corner.get("x", "")), int(corner.get("y", ""))
    assert [(int(t.get("x", "")), int(t.get("y", ""))) for t in texts] == [
        (x + 5, y + 13 + 12 * i) for i in range(len(cut))
    ]
    (mx, my) = middle(0, 2, 1)
    assert (x, y + int(corner.get("height", ""))) == (mx + 22, my - 22)


def test_circuits_differ_in_colour_and_then_in_dashes(tmp_path: Path) -> None:
    """Forty pairs of neighbours: twelve colours, three kinds of lines; the list beside the picture is as long as they
    are many."""
    actors = {f"{end}{i}": 2 * i + (end == "b") for i in range(40) for end in "ab"}
    size = ["--set", "topology.width=8", "--set", "topology.height=10"]
    picture = drawn(tmp_path, actors, [(f"a{i}", f"b{i}") for i in range(40)], *size)
    circuits = [path for path in picture.iter(f"{SVG}path") if path.get("class") == "circuit"]
    assert len(circuits) == 40
    for i, path in enumerate(circuits):
        assert path.get("stroke") == COLOURS[i % 12], i
        assert path.get("stroke-dasharray") == DASHES[i // 12 % 3], i
    x = 2 * 60 + 8 * PITCH
    listed = [path.get("d") for path in picture.iter(f"{SVG}path") if (path.get("d") or "").endswith("h24")]
    assert listed == [f"M{x} {40 + 16 * (i + 1)}h24" for i in range(40)]
    names = [text.text for text in picture.iter(f"{SVG}text") if text.get("x") == str(x + 30)]
    assert names == [f"a{i} -> b{i} (1 link)" for i in range(40)]

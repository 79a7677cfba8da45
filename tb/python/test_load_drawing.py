"""Drawings of loads, to the pixel: where the line, the arrow and the number of each direction stand.

Routers are 110 apart and 40 wide; the leftmost is 70 from the border, the uppermost 130 below it: a head of 60 and the
same border. Lines keep 6 to the right of their way."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from braid_tools.program import ROOT, braid

SVG = "{http://www.w3.org/2000/svg}"
HALF, LANE, STUB = 20, 6, 28
Point = tuple[float, float]


def drawn(folder: Path, **topology: object) -> tuple[ElementTree.Element, list[ElementTree.Element]]:
    """All elements behind one another."""
    svg = folder / "loads.svg"
    settings = [word for key, value in topology.items() for word in ("--set", f"topology.{key}={value}")]
    braid("paths", ROOT / "tb" / "experiments" / "mesh_uniform.toml", "--quiet", *settings, "--draw", svg)
    picture = ElementTree.parse(svg).getroot()
    return picture, list(picture)


def of_link(elements: list[ElementTree.Element], title: str) -> tuple[list[tuple[Point, Point]], str, Point, str]:
    """Lines from end to end, the arrow's head, where the number stands and what it is."""
    (place,) = [i for i, e in enumerate(elements) if (e.findtext(f"{SVG}title") or "").startswith(f"{title}: ")]
    group, number = elements[place], elements[place + 1]

    def point(line: ElementTree.Element, end: str) -> Point:
        return float(line.get(f"x{end}", "")), float(line.get(f"y{end}", ""))

    ends = [(point(line, "1"), point(line, "2")) for line in group.iter(f"{SVG}line")]
    (head,) = [path.get("d", "") for path in group.iter(f"{SVG}path")]
    return ends, head, (float(number.get("x", "")), float(number.get("y", ""))), number.text or ""


def test_a_link_has_a_line_a_head_and_a_number_each_way(tmp_path: Path) -> None:
    """Half of what either of two nodes sends goes over: half a flit a cycle each way."""
    _, elements = drawn(tmp_path, width=2, height=1)
    (ax, y), bx = (70.0, 130.0), 180.0
    along = HALF + 0.3 * (110 - 2 * HALF)
    east = of_link(elements, "0,0 east -> 1,0")
    tip = (bx - HALF, y + LANE)
    assert east[0] == [((ax + HALF, y + LANE), tip)]
    assert east[1] == (
        f"M{tip[0]:.1f} {tip[1]:.1f}L{tip[0] - 7:.1f} {tip[1] + 4:.1f}L{tip[0] - 7:.1f} {tip[1] - 4:.1f}z"
    )
    assert east[2:] == ((ax + along, round(y + LANE + 1.6 * LANE + 3, 1)), "0.5")
    west = of_link(elements, "1,0 west -> 0,0")
    tip = (ax + HALF, y - LANE)
    assert west[0] == [((bx - HALF, y - LANE), tip)]
    assert west[1] == (
        f"M{tip[0]:.1f} {tip[1]:.1f}L{tip[0] + 7:.1f} {tip[1] - 4:.1f}L{tip[0] + 7:.1f} {tip[1] + 4:.1f}z"
    )
    assert west[2:] == ((bx - along, round(y - LANE - 1.6 * LANE + 3, 1)), "0.5")


def test_upwards_is_north(tmp_path: Path) -> None:
    _, elements = drawn(tmp_path, width=1, height=2)
    x, low, high = 70.0, 240.0, 130.0
    along = HALF + 0.3 * (110 - 2 * HALF)
    north = of_link(elements, "0,0 north -> 0,1")
    assert north[0] == [((x + LANE, low - HALF), (x + LANE, high + HALF))]
    assert north[2:] == ((round(x + LANE + 1.6 * LANE, 1), low - along + 3), "0.5")
    south = of_link(elements, "0,1 south -> 0,0")
    assert south[0] == [((x - LANE, high + HALF), (x - LANE, low - HALF))]
    assert south[2:] == ((round(x - LANE - 1.6 * LANE, 1), high + along + 3), "0.5")


def test_around_the_edge_of_a_torus_there_are_two_stubs(tmp_path: Path) -> None:
    """Outwards from either end: the head is at the second, the number beside the first."""
    picture, elements = drawn(tmp_path, kind="torus", width=4, height=4)
    (ax, ay), bx = (70.0, 460.0), 400.0
    west = of_link(elements, "0,0 west -> 3,0")
    assert west[0] == [
        ((ax - HALF, ay - LANE), (ax - HALF - STUB, ay - LANE)),
        ((bx + HALF + STUB, ay - LANE), (bx + HALF, ay - LANE)),
    ]
    assert west[1].startswith(f"M{bx + HALF:.1f} {ay - LANE:.1f}L{bx + HALF + 7:.1f} ")
    assert west[2] == (ax - HALF - STUB / 2, round(ay - LANE - 1.6 * LANE + 3, 1))
    lines = [len(list(g.iter(f"{SVG}line"))) for g in elements if g.get("class") == "load"]
    assert sorted(lines) == [1] * (2 * 24) + [2] * (2 * 8)
    assert picture.get("height") == str(330 + 140 + 60)


def test_a_router_has_its_name_in_its_square(tmp_path: Path) -> None:
    _, elements = drawn(tmp_path, width=2, height=1)
    routers = [g for g in elements if g.get("class") == "router"]
    for group, x, name in zip(routers, (70, 180), ("0,0", "1,0"), strict=True):
        square, text = group.find(f"{SVG}rect"), group.find(f"{SVG}text")
        assert square is not None
        assert text is not None
        assert [square.get(key) for key in ("x", "y", "width", "height")] == [f"{x - 20}.0", "110.0", "40", "40"]
        assert (text.get("x"), text.get("y"), text.text) == (f"{x}.0", "134.0", name)

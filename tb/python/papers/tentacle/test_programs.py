"""Link loads and bounds of stream programs, on graphs small enough to count by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from braid_tools.papers.tentacle.programs import UNIT_ITEMS, firings, program, write_variant

# 0 a   1 b   2 c of a row of three (a 3x3 mesh): a sends copies of 2 items to b and c, b fires twice for each of a.
GRAPH = """
name = "copies"
actor = [
  {name = "a", work = 10, tile = 0},
  {name = "b", work = 3, tile = 1},
  {name = "c", work = 4, tile = 2},
]
edge = [
  {from = "a", to = "b", push = 2, group = 0},
  {from = "a", to = "c", push = 2, pop = 2, group = 0},
  {from = "b", to = "c", push = 3, pop = 6},
]
"""


@pytest.fixture(name="graph")
def _graph(tmp_path: Path) -> Path:
    path = tmp_path / "copies.toml"
    path.write_text(GRAPH)
    return path


def test_loads_count_copies_one_by_one_or_once(graph: Path) -> None:
    p = program(graph, 3)
    assert p.loads() == {(0, 1): 2, (1, 2): 2}
    assert p.loads(copies_once=True) == {(0, 1): 1, (1, 2): 2}
    assert p.item_loads() == {(0, 1): 4, (1, 2): 8}
    assert p.item_loads(copies_once=True) == {(0, 1): 2, (1, 2): 8}


def test_a_demultiplexed_stream_counts_in_shares(graph: Path) -> None:
    graph.write_text(GRAPH.replace(", group = 0", ""))
    assert program(graph, 3).loads() == {(0, 1): 1, (1, 2): 1.5}


def test_work_and_bounds_are_of_a_steady_state(graph: Path) -> None:
    p = program(graph, 3)
    assert p.work == {"a": 10, "b": 6, "c": 4}
    assert p.node_items() == 8  # into c
    assert p.bound(1) == 8
    assert p.bound(4) == 6  # the stream from b to c
    assert p.degree() == 2


def test_equal_streams_carry_the_same_and_keep_the_work(graph: Path, tmp_path: Path) -> None:
    equal = program(write_variant(graph, tmp_path / "equal.toml", equal_streams=True), 3)
    assert {s.items for s in equal.streams} == {UNIT_ITEMS}
    assert equal.work == {"a": 10, "b": 6, "c": 4}
    assert [s.copy_of for s in equal.streams] == [("a", 0), ("a", 0), None]


def test_a_variant_without_tiles_is_otherwise_the_same(graph: Path, tmp_path: Path) -> None:
    text = write_variant(graph, tmp_path / "free.toml", keep_tiles=False).read_text()
    assert "tile" not in text
    assert text.count("group = 0") == 2


def test_firings_balance_every_edge() -> None:
    actors = [{"name": n} for n in "abc"]
    edges = [{"from": "a", "to": "b", "push": 3, "pop": 2}, {"from": "c", "to": "b", "push": 5, "pop": 2}]
    assert firings({"actor": actors, "edge": edges}) == {"a": 10, "b": 15, "c": 6}

"""MIT's JSON into Braid's stream graphs."""

import tomllib
from fractions import Fraction

import pytest
from braid_tools.papers.tentacle import convert
from braid_tools.papers.tentacle.networks import GRAPHS


def actor(number: int, firings: int, work: int, x: int = 0, y: int = 0, joiner: bool = False) -> dict:
    times = "steady_rounds" if joiner else "steady_reps"
    return {"id": number, "name": f"a{number}", times: firings, "work_per_steady_state": work, "tile_x": x, "tile_y": y}


def edge(source: int, to: int, items: int, push: float, pop: float, peek: float, via: str = "direct") -> dict:
    rates = {"items_per_steady_state": items, "src_push": push, "dst_pop": pop, "dst_peek": peek, "via": via}
    return {"src": source, "dst": to, **rates}


def graph(actors: list[dict], edges: list[dict], size: str = "3x2") -> dict:
    said = {"source_str": "x.str", "compiler": "by hand", "options": ""}
    return tomllib.loads(convert.converted({"name": "G", "size": size, **said, "actors": actors, "edges": edges}))


def test_rates_work_and_tiles_are_per_firing() -> None:
    read = graph([actor(0, 2, 10, 2, 1), actor(7, 6, 12, 1, 0)], [edge(0, 7, 6, 3, 1, 5)])
    assert read["name"] == "G_3x2"
    assert read["actor"] == [{"name": "a0", "work": 5, "tile": 5}, {"name": "a7", "work": 2, "tile": 1}]
    assert read["edge"] == [{"from": "a0", "to": "a7", "push": 3, "peek": 5}]


def test_a_firing_is_as_many_of_mits_as_give_whole_shares() -> None:
    # A joiner's six rounds are shared by two branches, 4 and 8 items: two of Braid's firings, three rounds each.
    actors = [actor(0, 6, 36, joiner=True), actor(1, 4, 4), actor(2, 1, 5)]
    read = graph(actors, [edge(0, 1, 4, 2, 1, 3, "roundrobin"), edge(0, 2, 8, 2, 8, 8, "roundrobin")])
    assert [a["work"] for a in read["actor"]] == [18, 1, 5]
    assert [(e["push"], e.get("pop", 1), e.get("peek")) for e in read["edge"]] == [(2, 1, 3), (4, 8, None)]


def test_what_a_filter_peeks_beyond_its_pop_stays_when_its_firings_are_joined() -> None:
    actors = [actor(0, 2, 2), actor(1, 4, 4), actor(2, 2, 2)]
    read = graph(actors, [edge(0, 1, 4, 2, 1, 9), edge(1, 2, 2, 1, 1, 1)])
    assert read["edge"][0] == {"from": "a0", "to": "a1", "push": 2, "pop": 2, "peek": 10}


def test_copies_have_a_group_and_shares_have_none() -> None:
    copies = [edge(0, n, 8, 40, 8, 8, "duplicate") for n in (1, 2, 3, 4)]
    shares = [edge(0, n, 8, 40, 8, 8, "roundrobin") for n in (5, 6, 7)]
    read = graph([actor(n, 1, 1) for n in range(8)], shares + copies)
    # 40 items: three shares of 8 and, of the 16 that remain, two sets of copies: neighbours belong together.
    assert [e.get("group") for e in read["edge"]] == [None, None, None, 0, 0, 1, 1]


def test_copies_that_do_not_fill_their_edges_are_refused() -> None:
    with pytest.raises(ValueError, match="actor 0: 9 items"):
        graph([actor(n, 1, 1) for n in range(3)], [edge(0, n, 8, 9, 8, 8, "duplicate") for n in (1, 2)])


@pytest.mark.parametrize("path", sorted(GRAPHS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_graphs_balance_and_stand_on_tiles_of_their_own(path) -> None:
    read = tomllib.loads(path.read_text())
    width, height = map(int, path.stem.split("_")[1].split("x"))
    tiles = [a["tile"] for a in read["actor"]]
    assert len(set(tiles)) == len(tiles)
    assert max(tiles) < width * height
    rates: dict[str, Fraction] = {read["edge"][0]["from"]: Fraction(1)}
    left = list(read["edge"])
    while left:
        e = next(e for e in left if e["from"] in rates or e["to"] in rates)
        left.remove(e)
        ratio = Fraction(e.get("push", 1), e.get("pop", 1))
        if e["from"] in rates:
            assert rates.setdefault(e["to"], rates[e["from"]] * ratio) == rates[e["from"]] * ratio
        else:
            rates[e["from"]] = rates[e["to"]] / ratio
    assert len(rates) == len(tiles)
    copies: dict[tuple[str, int], set[int]] = {}
    for e in read["edge"]:
        if "group" in e:
            copies.setdefault((e["from"], e["group"]), set()).add(e.get("push", 1))
    assert all(len(items) == 1 for items in copies.values())


def test_there_is_a_graph_for_each_of_nine_benchmarks_on_two_meshes() -> None:
    assert len(list(GRAPHS.glob("*_4x4.toml"))) == len(list(GRAPHS.glob("*_6x6.toml"))) == 9

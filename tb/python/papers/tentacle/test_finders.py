"""The table of finders of disjoint paths."""

import tomllib

from braid_tools.papers.tentacle import finders

CUT = {"answer": "none", "proof": "cut", "because": "5 streams leave (1,1) (actor a), which has 4 links"}


def answer(finder: str, **more: object) -> dict:
    return {"finder": finder, "answer": "unknown", **more}


def test_a_benchmark_without_disjoint_paths_is_explained_by_the_proof() -> None:
    row = finders.statement({"graph": "G_4x4", "finders": [answer("exact", **CUT), answer("tentacle")]})
    assert row.verdict == "explained"
    assert "5 streams leave (1,1) (actor a)" in row.note


def test_a_benchmark_whose_paths_tentacle_does_not_find_differs() -> None:
    row = finders.statement({"graph": "G_4x4", "finders": [answer("exact"), answer("tentacle")]})
    assert row.verdict == "differs"
    found = [answer("exact"), {"finder": "tentacle", "answer": "found"}]
    assert finders.statement({"graph": "G_4x4", "finders": found}).verdict == "match"


def test_random_graphs_have_as_many_streams_as_asked_for_and_no_cycle(tmp_path) -> None:
    read = tomllib.loads(finders.random_graph(tmp_path / "g.toml", 4, 14).read_text())
    edges = [(int(e["from"][1:]), int(e["to"][1:])) for e in read["edge"]]
    assert len(set(edges)) == 14
    assert all(a < b for a, b in edges)
    assert {a["name"] for a in read["actor"]} == {f"a{end}" for edge in edges for end in edge}

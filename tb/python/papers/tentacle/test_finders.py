"""The table of finders of disjoint paths."""

import tomllib

import pytest
from braid_tools.papers.tentacle import finders
from braid_tools.papers.tentacle.networks import GRAPHS
from braid_tools.program import circuits

CUT = {"answer": "none", "proof": "cut", "because": "5 streams leave (1,1) (actor a), which has 4 links"}


def answer(finder: str, **more: object) -> dict:
    return {"finder": finder, "answer": "unknown", **more}


def test_a_benchmark_without_disjoint_paths_is_explained_by_the_proof() -> None:
    row = finders.statement({"graph": "G_4x4", "finders": [answer("exact", **CUT), answer("tentacle")]})
    assert row.verdict == "explained"
    assert "5 streams leave (1,1) (actor a)" in row.explanation.why


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


@pytest.mark.parametrize("name", ["Beamformer_4x4", "Vocoder_6x6"])
def test_what_degree_rules_out_is_what_random_layouts_say(name) -> None:
    graph = GRAPHS / f"{name}.toml"
    _, drawn = finders.own_and_random(graph, 12)
    assert drawn["proved_by"].startswith("degree ")
    searched = circuits(finders.job(graph, finders.width_of(graph), **{"disjoint.layouts": 12}))
    counts = ("finder", "found", "none", "unknown", "none_by_one_router")
    assert [[f[c] for c in counts] for f in drawn["finders"]] == [[f[c] for c in counts] for f in searched["finders"]]


def test_four_streams_an_actor_are_searched() -> None:
    _, drawn = finders.own_and_random(GRAPHS / "TDE_4x4.toml", 3)
    assert drawn["proved_by"] == "layouts"
    assert sum(f["cpu_seconds"] for f in drawn["finders"]) > 0


def rates(tentacle: float, negotiated: float, exact: float) -> dict:
    named = {"exact": exact, "negotiated": negotiated, "sequential": negotiated, "tentacle": tentacle}
    return {"layouts": 100, "finders": [{"finder": n, "success_rate": r} for n, r in named.items()]}


def test_tentacle_below_the_optimum_is_explained_only_by_a_finder_that_comes_close_to_it() -> None:
    assert finders.bound_row("G_4x4", rates(0.16, 0.24, 0.25)).verdict == "explained"
    assert finders.bound_row("G_4x4", rates(0.13, 0.24, 0.25)).verdict == "differs", "nor is it sequential search"
    assert finders.bound_row("G_4x4", rates(0.15, 0.16, 0.25)).verdict == "differs"
    assert finders.bound_row("G_4x4", rates(0.25, 0.25, 0.25)).verdict == "match"
    assert finders.bound_row("G_4x4", rates(0.0, 0.0, 0.0)).verdict == "match"

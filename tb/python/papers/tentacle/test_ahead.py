"""Why pull is faster than push: which figures make an explanation, and which do not."""

from dataclasses import replace
from pathlib import Path

from braid_tools.papers.tentacle import ahead
from braid_tools.papers.tentacle.programs import program, write_variant

# Audiobeam as measured.
CASE = ahead.Ahead("MIT's graphs", "A", 6, "push, X-first", 6.0, 7.2, 2.9, 2.9, 2.2, 10.0, 10.0, 6.0)


def test_sources_that_run_ahead_explain_pull_only_if_all_that_follows_from_them_holds() -> None:
    assert "sources run ahead" in CASE.note
    assert [row.verdict for row in CASE.rows()] == ["match", "match"]
    for figure, value, verdicts in (
        ("paced_pull", 10.4, ["differs", "match"]),  # 4 % faster without sources that run ahead
        ("unbounded_pull", 6.25, ["match", "differs"]),  # 4 % faster without a bound
        ("push_excess", 2.2, ["match", "match"]),  # push runs no further ahead
    ):
        other = replace(CASE, **{figure: value})
        assert other.note == ""
        assert [row.verdict for row in other.rows()] == verdicts


def test_a_window_too_short_explains_pull_only_if_streams_ran_ahead_in_it() -> None:
    settled = replace(CASE, pull=6.05, push_excess=1.0)
    assert "queues have filled" in settled.note
    assert settled.rows() == []
    assert not replace(settled, pull=6.07).settles
    assert not replace(settled, window_excess=1.0).settles


def test_most_ahead_is_of_the_stream_with_most_items_over_those_needed(tmp_path: Path) -> None:
    graph = tmp_path / "g.toml"
    graph.write_text('name = "g"\nactor = [{name = "a", work = 5, tile = 0}, {name = "b", work = 3, tile = 1}, '
                     '{name = "c", work = 1, tile = 2}]\nedge = [{from = "a", to = "b", push = 2}, '
                     '{from = "b", to = "c", push = 3, pop = 3}]\n')  # fmt: skip
    p = program(graph, 3)  # a: 1 firing, b: 2; streams of 2 and 6 items
    edges = [{"items_per_kilocycle": 30.0}, {"items_per_kilocycle": 60.0}]
    result = {"stream": {"iterations_per_kilocycle": {"mean": 10.0}, "edges": edges}}
    assert ahead.most_ahead(p, result) == 1.5
    paced = program(write_variant(graph, tmp_path / "paced.toml", paced=True), 3)
    assert paced.work == {"a": 6, "b": 6, "c": 2}
    assert paced.streams == p.streams

"""Contention of layouts, and walks among them."""

from braid_tools.papers.tentacle import layouts


def test_contention_counts_streams_and_items_of_the_most_loaded_link() -> None:
    layout = {"a": 0, "b": 2, "c": 6, "d": 9}
    edges = [{"from": "a", "to": "b", "push": 4}, {"from": "a", "to": "c"}, {"from": "d", "to": "b", "push": 5}]
    # X first: a to b and a to c share 0 -> 1 -> 2; d goes 9 -> 10 -> 6 -> 2 alone.
    assert layouts.contention(layout, edges) == layouts.Contention(streams=2, items=5)


def test_a_move_is_a_swap_or_takes_a_free_tile() -> None:
    layout = {"a": 0, "b": 1, "c": 2}
    rng = layouts.random.Random(1)
    for _ in range(200):
        layout = layouts.moved(layout, rng)
        assert len(set(layout.values())) == 3

"""How a sentence becomes a row."""

from types import SimpleNamespace

from braid_tools.papers.po2 import statements


def test_order_in_words_shows_its_values() -> None:
    row = statements.order("figure 1", "a < b < c", [99.6, 100.4, 200.0])
    assert (row.quantity, row.verdict) == ("a < b < c (100 < 100 < 200)", "match")
    assert statements.order("figure 1", "a < b", [2.0, 2.0]).quantity == "a < b (2 < 2)"
    assert statements.order("figure 1", "a < b", [2.0, 2.0]).verdict == "differs"


def test_order_may_fall_by_noise_only() -> None:
    def row(values: list[float], noise: float | None) -> statements.Row:
        points = [SimpleNamespace(value=value) for value in values]
        return statements.order_beyond_noise("f", "a < b", lambda f: f.value, lambda _: noise, points)

    assert row([1.0, 2.0], 5.0).verdict == "match"
    assert row([2.0, 1.9], 0.1).verdict == "explained"
    assert row([2.0, 1.7], 0.1).verdict == "differs"
    assert row([2.0, 1.9, 1.0], 0.1).verdict == "differs"
    assert row([1.0, 2.0], None).verdict == "not measured"


def test_order_at_every_load_names_where_it_fails() -> None:
    values = {0.2: [1.0, 2.0], 0.4: [4.0, 3.0]}
    row = statements.at_every_load("figure 1", "a < b", [0.2, 0.4], values.__getitem__)
    assert (row.quantity, row.verdict) == ("a < b, u = 0.2 to 0.4 (not at u = 0.4: 4, 3)", "differs")
    assert statements.at_every_load("figure 1", "a < b", [0.2], values.__getitem__).verdict == "match"

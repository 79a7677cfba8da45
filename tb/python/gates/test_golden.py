"""The golden comparison: pure functions on made-up input."""

from braid_tools.gates import golden


def test_differences_name_field_old_and_new() -> None:
    old = {"a": {"p95": 7, "p99": 9}, "links": [{"x": 0.5}, {"x": 0.25}], "gone": 1}
    new = {"a": {"p95": 9, "p99": 9}, "links": [{"x": 0.5}, {"x": 0.125}], "more": True}
    assert list(golden.differences(old, new)) == [
        "a.p95: 7 -> 9",
        "links[1].x: 0.25 -> 0.125",
        "gone: gone, was 1",
        "more: new, true",
    ]


def test_a_list_of_another_length_or_a_number_of_another_type_differs() -> None:
    assert list(golden.differences([1, 2], [1])) == [": [1, 2] -> [1]"]
    assert list(golden.differences({"a": 1}, {"a": True})) == ["a: 1 -> true"]
    assert list(golden.differences({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})) == []


def test_only_what_depends_on_the_machine_is_left_out() -> None:
    assert golden.normal({"wall_seconds": 1.5, "version": "1", "cycles": 3}) == {"cycles": 3}
    assert golden.normal({"finders": [{"cpu_seconds": 0.1, "found": 3}]}) == {"finders": [{"found": 3}]}
    assert golden.normal({"f": f"{golden.ROOT}/traffic/g.toml"}) == {"f": "traffic/g.toml"}


def test_circuits_take_the_finders_that_they_asked() -> None:
    taken = golden.configurations({"finders": [{"finder": "exact"}]})
    assert taken == [{"disjoint": {"finder": "all"}}, {"disjoint": {"finder": "exact"}}]
    assert golden.configurations({"configuration": {"a": {"b": 1}}}) == [{"a": {"b": 1}}]


def test_a_value_that_no_golden_experiment_takes_is_named() -> None:
    everything = golden.uncovered([])
    assert "routing.algorithm = odd_even: no golden experiment has it" in everything
    some = golden.uncovered([{"routing": {"algorithm": "odd_even"}}])
    assert len(some) == len(everything) - 1

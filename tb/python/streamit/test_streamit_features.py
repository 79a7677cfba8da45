"""One feature of the language a program: flat counts, rates, repetitions and weights, all worked out by hand."""

from pathlib import Path

import pytest
from front_end import FlatGraph, StreamItError, read
from front_end.execute import Execution

PROGRAMS = Path(__file__).parent / "programs"

# Program: filters, splitters, joiners, edges; then each filter's name, push, pop, peek, repetitions in flat order
# (a splitjoin's splitter, branches, joiner; a feedback loop's joiner, body, splitter, loop); then weights.
EXPECTED = {
    "pipeline": ((3, 0, 0, 2), [("Source", 2, 0, 0, 3), ("Sum", 1, 3, 3, 2), ("Sink", 0, 1, 1, 2)]),
    "one_filter": ((1, 0, 0, 0), [("Alone", 0, 0, 0, 1)]),
    "single_children": (
        (3, 1, 1, 4),
        [("Source", 1, 0, 0, 1), ("Identity", 1, 1, 1, 1), ("Sink", 0, 1, 1, 1)],
        [[1]],
        [[1]],
    ),
    "roundrobin_plain": (
        (5, 1, 1, 8),
        [("Source", 1, 0, 0, 6), *[("Identity", 1, 1, 1, 2)] * 3, ("Sink", 0, 2, 2, 3)],
        [[1, 1, 1]],
        [[1, 1, 1]],
    ),
    "roundrobin_one_weight": (
        (4, 1, 1, 6),
        [("Source", 1, 0, 0, 8), *[("Half", 1, 2, 2, 2)] * 2, ("Sink", 0, 1, 1, 4)],
        [[4, 4]],
        [[2, 2]],
    ),
    "roundrobin_weights": (
        (5, 1, 1, 8),
        [
            ("Source", 1, 0, 0, 6),
            ("Identity", 1, 1, 1, 1),
            ("Identity", 1, 1, 1, 2),
            ("Double", 2, 1, 1, 3),
            ("Sink", 0, 1, 1, 9),
        ],
        [[1, 2, 3]],
        [[1, 2, 6]],
    ),
    "zero_weight": (
        (4, 1, 1, 6),
        [("Source", 1, 0, 0, 2), ("Identity", 1, 1, 1, 2), ("Source", 1, 0, 0, 1), ("Sink", 0, 1, 1, 3)],
        [[2, 0]],
        [[2, 1]],
    ),
    "null_ends": (
        (6, 2, 2, 13),
        [*(("Source", n, 0, 0, 1) for n in (1, 2, 3)), *[("Sink", 0, 1, 1, 6)] * 3],
        [[0, 0, 0], [1, 1, 1]],
        [[1, 2, 3], [0, 0, 0]],
    ),
    "sink_branch": (
        (4, 1, 1, 6),
        [("Source", 3, 0, 0, 1), ("Identity", 1, 1, 1, 3), ("Sink", 0, 1, 1, 3), ("Sink", 0, 1, 1, 3)],
        [[1, 1]],
        [[1, 0]],
    ),
    "feedback_fibonacci": (
        (3, 1, 1, 5),
        [("Add", 1, 1, 2, 1), ("Identity", 1, 1, 1, 1), ("Sink", 0, 1, 1, 1)],
        [[1, 1]],
        [[0, 1]],
    ),
    "feedback_weights": (
        (4, 1, 1, 6),
        [
            ("Source", 1, 0, 0, 2),
            ("AnonymousFilter", 3, 3, 3, 1),
            ("Identity", 1, 1, 1, 1),
            ("Sink", 0, 1, 1, 2),
        ],
        [[2, 1]],
        [[2, 1]],
    ),
    "feedback_prework": (
        (4, 1, 1, 6),
        [("Source", 1, 0, 0, 1), ("Add", 1, 2, 2, 1), ("Delay", 1, 1, 1, 1), ("Sink", 0, 1, 1, 1)],
        [[1, 1]],
        [[1, 1]],
    ),
    "feedback_nested": (
        (5, 2, 2, 10),
        [
            ("Source", 1, 0, 0, 1),
            ("Add", 1, 2, 2, 1),
            ("Add", 1, 2, 2, 1),
            ("Identity", 1, 1, 1, 1),
            ("Sink", 0, 1, 1, 1),
        ],
        [[1, 1], [1, 1]],
        [[1, 1], [1, 1]],
    ),
    "anonymous": (
        (4, 1, 1, 6),
        [
            ("AnonymousFilter", 2, 0, 0, 5),
            ("AnonymousFilter", 1, 2, 2, 2),
            ("AnonymousFilter", 1, 3, 3, 2),
            ("AnonymousFilter", 0, 1, 1, 4),
        ],
        [[2, 3]],
        [[1, 1]],
    ),
    "untyped_anonymous": (
        (4, 1, 1, 6),
        [("Source", 1, 0, 0, 1), *[("AnonymousFilter", 1, 1, 1, 1)] * 2, ("Sink", 0, 1, 1, 2)],
        [[1, 1]],
        [[1, 1]],
    ),
    "arrays": ((3, 0, 0, 2), [("Source", 5, 0, 0, 4), ("Drop", 1, 4, 4, 5), ("Sink", 0, 1, 1, 5)]),
    "arrays_are_values": ((2, 0, 0, 1), [("Source", 2, 0, 0, 3), ("Sink", 0, 6, 6, 1)]),
    "control_flow": (
        (11, 0, 0, 10),
        [
            ("Source", 1, 0, 0, 6588120),
            *(("Step", n, n, n, 6588120 // n) for n in (1, 3, 11, 23, 22, 21, 30, 31, 40)),
            ("Sink", 0, 1, 1, 6588120),
        ],
    ),
    "recursion": (
        (9, 3, 3, 17),
        [("Source", 1, 0, 0, 8), *(("Step", n, n, n, 1) for n in (8, 4, 2, 2, 4, 2, 2)), ("Sink", 0, 1, 1, 8)],
        [[4, 4], [2, 2], [2, 2]],
        [[2, 2], [2, 2], [4, 4]],
    ),
    "built_in": (
        (4, 0, 0, 3),
        [
            ("FileReader", 1, 0, 0, 2),
            ("Identity", 1, 1, 1, 2),
            ("AnonymousFilter", 3, 2, 2, 1),
            ("FileWriter", 0, 1, 1, 3),
        ],
    ),
    "prework": ((3, 0, 0, 2), [("Source", 2, 0, 0, 3), ("Odd", 1, 3, 3, 2), ("Sink", 0, 1, 1, 2)]),
    "peek": ((3, 0, 0, 2), [("Source", 1, 0, 0, 6), ("Window", 1, 2, 5, 3), ("Sink", 0, 3, 3, 1)]),
    "rate_math": (
        (4, 0, 0, 3),
        [("Source", 4, 0, 0, 63), ("Rate", 8, 3, 3, 84), ("Rate", 2, 3, 3, 224), ("Sink", 0, 7, 7, 64)],
    ),
    "division": ((2, 0, 0, 1), [("Source", 376, 0, 0, 773), ("Sink", 0, 773, 773, 376)]),
    "precedence": ((2, 0, 0, 1), [("Source", 54, 0, 0, 5), ("Sink", 0, 30, 30, 9)]),
    "ternary": ((2, 0, 0, 1), [("Source", 45, 0, 0, 8), ("Sink", 0, 8, 8, 45)]),
    "single_precision": ((2, 0, 0, 1), [("Source", 29, 0, 0, 5), ("Sink", 0, 5, 5, 29)]),
    "wrap_around": ((2, 0, 0, 1), [("Source", 3, 0, 0, 2), ("Sink", 0, 2, 2, 3)]),
    "literals": ((2, 0, 0, 1), [("Source", 16, 0, 0, 1), ("Sink", 0, 2, 2, 8)]),
    "helpers": ((2, 0, 0, 1), [("Source", 24, 0, 0, 3), ("Sink", 0, 9, 9, 8)]),
    "statics": ((2, 0, 0, 1), [("Source", 9, 0, 0, 2), ("Sink", 0, 6, 6, 3)]),
    "structs": ((3, 0, 0, 2), [("Source", 3, 0, 0, 2), ("Swap", 1, 2, 2, 3), ("Sink", 0, 1, 1, 3)]),
    "complex": ((3, 0, 0, 2), [("Source", 12, 0, 0, 5), ("Turn", 1, 1, 1, 60), ("Sink", 0, 5, 5, 12)]),
    "bits": (
        (3, 0, 0, 2),
        [("AnonymousFilter", 1, 0, 0, 2), ("AnonymousFilter", 1, 2, 2, 1), ("AnonymousFilter", 0, 1, 1, 1)],
    ),
    "item_arrays": ((3, 0, 0, 2), [("Source", 3, 0, 0, 2), ("Sum", 2, 1, 1, 6), ("Sink", 0, 4, 4, 3)]),
    "field_rates": ((2, 0, 0, 1), [("Source", 4, 0, 0, 3), ("Sink", 0, 3, 3, 4)]),
    "scopes": (
        (4, 0, 0, 3),
        [("Source", 2, 0, 0, 6), ("Step", 3, 3, 3, 4), ("Step", 4, 4, 4, 3), ("Sink", 0, 2, 2, 6)],
    ),
    "two_tops": ((4, 1, 1, 6), [("Source", 1, 0, 0, 1), ("Sink", 0, 1, 1, 1)] * 2, [[0, 0]], [[0, 0]]),
    "two_files": ((2, 0, 0, 1), [("Source", 5, 0, 0, 2), ("Sink", 0, 2, 2, 5)]),
    "large_rates": (
        (5, 0, 0, 4),
        [
            ("Source", 1, 0, 0, 97 * 103 * 109),
            ("Step", 101, 97, 97, 103 * 109),
            ("Step", 107, 103, 103, 101 * 109),
            ("Step", 113, 109, 109, 101 * 107),
            ("Sink", 0, 1, 1, 101 * 107 * 113),
        ],
    ),
}
FILES = {"two_files": ["two_files_a", "two_files_b"]}
LONG = ("control_flow", "large_rates", "division")


def program(name: str) -> FlatGraph:
    return read(*(str(PROGRAMS / f"{file}.str") for file in FILES.get(name, [name])))


def test_every_program_is_expected() -> None:
    files = {file for name in EXPECTED for file in FILES.get(name, [name])}
    assert files == {file.stem for file in PROGRAMS.glob("*.str")}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_feature_gives_the_graph_worked_out_by_hand(name: str) -> None:
    counts, filters, *weights = EXPECTED[name]
    flat = program(name)
    found = [(f["name"], f["push"], f["pop"], f["peek"], f["repetitions"]) for f in flat.to_json()["filters"]]
    assert (flat.counts, found) == (counts, filters)
    if weights:
        assert [node.weights for node in flat.of_kind("splitter")] == weights[0]
        assert [node.weights for node in flat.of_kind("joiner")] == weights[1]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_edge_carries_as_much_as_it_takes(name: str) -> None:
    for edge in program(name).edges:
        assert edge.push * edge.source.repetitions == edge.pop * edge.target.repetitions


@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in LONG])
def test_a_program_runs_and_keeps_to_its_rates(name: str) -> None:
    execution = Execution(program(name), {"in.bin": iter(range(100))})
    if execution.flat.edges:
        execution.run(3)


def printed(name: str, steady_states: int, sink: str = "Sink") -> list[str]:
    execution = Execution(program(name))
    execution.run(steady_states)
    return [text.strip() for text in execution.printed[sink]][:steady_states]


def test_loops_compute_what_they_should() -> None:
    assert printed("feedback_fibonacci", 8) == ["1", "2", "3", "5", "8", "13", "21", "34"]
    assert printed("feedback_prework", 8) == ["1", "1", "1", "2", "2", "2", "3", "3"]
    assert printed("feedback_nested", 4) == ["1", "2", "4", "8"]


def test_other_details_of_the_graphs() -> None:
    prework = next(f for f in program("prework").to_json()["filters"] if f["prework"])
    assert prework["prework"] == {"push": 4, "pop": 1, "peek": 6}
    inner = [f["input"] for f in program("untyped_anonymous").to_json()["filters"] if f["name"] == "AnonymousFilter"]
    assert inner == ["float"] * 2
    assert [f["input"] for f in program("item_arrays").to_json()["filters"]] == ["void", "float[2]", "float"]
    enqueued = [edge["enqueued"] for edge in program("feedback_fibonacci").to_json()["edges"] if "enqueued" in edge]
    assert enqueued == [2]
    null = program("two_tops").to_json()
    assert [null[kind][0]["repetitions"] for kind in ("splitters", "joiners")] == [0, 0]


# Braid reads what is in `portals`, the reference does not.
WRONG = sorted((PROGRAMS / "wrong").glob("*.str")) + sorted((PROGRAMS / "portals").glob("*.str"))


@pytest.mark.parametrize("file", WRONG, ids=lambda file: file.stem)
def test_what_is_wrong_is_said_at_its_place(file: Path) -> None:
    """The last line of each program says where: // error LINE:COLUMN what."""
    marker, place, _ = file.read_text().splitlines()[-1].removeprefix("// ").split(" ", 2)
    assert marker == "error"
    with pytest.raises(StreamItError) as caught:
        read(str(file))
    assert f"{caught.value.at.line}:{caught.value.at.column}" == place, caught.value

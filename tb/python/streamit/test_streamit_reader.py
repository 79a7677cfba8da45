"""`braid graph` against the reference: the same graph from every program, the same line from every wrong one."""

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from braid_tools.program import BRAID, ROOT
from front_end import read

PROGRAMS = Path(__file__).parent / "programs"
BENCHMARKS = ROOT / "traffic" / "streams" / "programs"
TOGETHER = {"two_files_a": ["two_files_a", "two_files_b"], "two_files_b": ["two_files_b", "two_files_a"]}
RIGHT = sorted(PROGRAMS.glob("*.str")) + sorted(BENCHMARKS.glob("*.str"))
WRONG = sorted((PROGRAMS / "wrong").glob("*.str"))


def name_of(file: Path) -> str:
    return file.stem


def files(program: Path) -> list[str]:
    return [str(program.with_name(f"{name}.str")) for name in TOGETHER.get(program.stem, [program.stem])]


def graph(program: Path) -> dict:
    done = subprocess.run([BRAID, "graph", *files(program), "--json", "-"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def of_kind(found: dict, kind: str) -> list[dict]:
    return [node for node in found["nodes"] if node["kind"] == kind]


@pytest.mark.parametrize("program", RIGHT, ids=name_of)
def test_the_graph_is_that_of_the_reference(program: Path) -> None:
    found, expected = graph(program), read(*files(program)).to_json()
    assert (found["name"], found["counts"]) == (expected["name"], expected["counts"])
    rates = ("push", "pop", "peek", "repetitions")
    assert [[node[key] for key in rates] for node in of_kind(found, "filter")] == [
        [node[key] for key in rates] for node in expected["filters"]
    ]
    preworks = [node.get("prework") for node in of_kind(found, "filter")]
    assert [rates and {key: rates[key] for key in ("push", "pop", "peek")} for rates in preworks] == [
        node["prework"] for node in expected["filters"]
    ]
    for node, other in zip(of_kind(found, "filter"), expected["filters"], strict=True):
        for end in ("input", "output"):  # the reference does not guess all those of anonymous filters
            assert other[end] is None or node[f"{end}_type"] == other[end]


@pytest.mark.parametrize("program", RIGHT, ids=name_of)
def test_splitters_joiners_and_edges_are_those_of_the_reference(program: Path) -> None:
    found, expected = graph(program), read(*files(program)).to_json()
    for kind in ("splitter", "joiner"):
        nodes = of_kind(found, kind)
        for node, other in zip(nodes, expected[f"{kind}s"], strict=True):
            # A loop's way from or to outside that nothing is joined to has no weight here.
            assert node["weights"] == other["weights"][-len(node["weights"]) :]
            # A node that moves nothing fires once here, never there.
            assert node["repetitions"] == max(other["repetitions"], 1)
    ends = ("from", "to", "push", "pop", "peek")
    assert sorted((*(edge[key] for key in ends), edge["initial"]) for edge in found["edges"]) == sorted(
        (*(edge[key] for key in ends), edge.get("enqueued", 0)) for edge in expected["edges"]
    )


@pytest.mark.parametrize("program", WRONG, ids=name_of)
def test_what_is_wrong_is_said_at_its_place(program: Path) -> None:
    """Line and column, as the last line of the program has them."""
    place = program.read_text().splitlines()[-1].removeprefix("// error ").split(" ")[0]
    done = subprocess.run([BRAID, "graph", str(program)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"braid: {program}:{place}: "), done.stderr
    assert done.stderr.count("\n") == 1


def test_the_heaviest_filters_are_listed_first() -> None:
    program = BENCHMARKS / "fm_radio.str"
    lines = subprocess.run([BRAID, "graph", program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0] == "FMRadio: 45 filters, 11 splitters, 11 joiners, 85 edges"
    work = [int(line.split()[1]) * int(line.split()[2]) for line in lines[3:]]
    assert len(work) == 10
    assert work == sorted(work, reverse=True)


def test_graphml_and_dot_have_every_node_and_edge(tmp_path: Path) -> None:
    graphml, dot = tmp_path / "g.graphml", tmp_path / "g.dot"
    program = PROGRAMS / "feedback_weights.str"
    subprocess.run([BRAID, "graph", program, "--graphml", graphml, "--dot", dot, "--quiet"], check=True)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    found = ElementTree.parse(graphml).getroot().find(f"{space}graph")
    assert found is not None
    assert (len(found.findall(f"{space}node")), len(found.findall(f"{space}edge"))) == (6, 6)
    initial = [data.text for data in found.iter(f"{space}data") if data.get("key") == "initial"]
    assert sorted(initial) == ["0"] * 5 + ["1"]
    assert dot.read_text().count("->") == 6


def test_flags_of_other_commands_are_refused() -> None:
    program = str(PROGRAMS / "pipeline.str")
    for arguments in (["graph", program, "--threads", "2"], ["run", program, "--dot", "x"], ["graph"]):
        done = subprocess.run([BRAID, *arguments], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)

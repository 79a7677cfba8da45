"""`braid graph` against the reference: the same graph from every program, the same line from every wrong one."""

import json
import re
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


def run(*arguments: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([BRAID, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize(("name", "place"), [("portal", "2:5"), ("handler", None)])
def test_portals_are_read_and_said_to_take_no_time(name: str, place: str | None) -> None:
    """Once, on standard error; a handler that nobody can call says nothing."""
    program = PROGRAMS / "portals" / f"{name}.str"
    assert graph(program)["counts"] == {"filters": 2, "splitters": 0, "joiners": 0, "edges": 1}
    done = run("graph", program, "--quiet")
    said = f"braid: {program}:{place}: portals: their messages are read, but take no time and come when they may\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", said if place else "")


def test_lifted_counts_stand_beside_those_as_written() -> None:
    program = PROGRAMS / "single_children.str"
    written, lifted = graph(program), json.loads(run("graph", program, "--lift", "--json", "-").stdout)
    assert written["counts"] == written["counts_as_written"] == lifted["counts_as_written"]
    assert lifted["counts"] == lifted["counts_lifted"] == written["counts_lifted"]
    for found in (written, lifted):
        assert found["counts"]["edges"] == len(found["edges"])
        assert sum(found["counts"].values()) - found["counts"]["edges"] == len(found["nodes"])
    assert lifted["counts"]["splitters"] < written["counts"]["splitters"]
    assert lifted["counts"]["filters"] == written["counts"]["filters"]


def test_a_lifted_program_keeps_its_name(tmp_path: Path) -> None:
    """Also where what is left of it is a pipeline that has none."""
    program = tmp_path / "whole.str"
    program.write_text(
        "void->void splitjoin Whole { split duplicate; add pipeline { add S(); add T(); } join roundrobin; }\n"
        "void->int filter S { work push 1 { push(0); } }\nint->void filter T { work pop 1 { pop(); } }\n"
    )
    lifted = json.loads(run("graph", program, "--lift", "--json", "-").stdout)
    assert (lifted["name"], lifted["counts"]["splitters"]) == (graph(program)["name"], 0) == ("Whole", 0)
    assert run("graph", program, "--lift").stdout.startswith("Whole: 2 filters, 0 splitters")
    assert run("graph", program, "--lift", "--quiet", "--dot", "-").stdout.startswith('digraph "Whole" {')


def test_a_rate_that_changes_is_read_with_its_mean() -> None:
    program = PROGRAMS / "wrong" / "dynamic_push.str"
    found = json.loads(run("graph", program, "--rate", "Source=2.5", "--json", "-").stdout)
    source = found["nodes"][0]
    assert (source["push"], source["calls"]) == (5, 2)
    refused = run("graph", program, "--rate", "Source=2.5", "--rate", "Sorce=1")
    assert refused.returncode == 2
    assert "did you mean" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_the_heaviest_filters_are_listed_first() -> None:
    program = BENCHMARKS / "fm_radio.str"
    lines = subprocess.run([BRAID, "graph", program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0] == "FMRadio: 45 filters, 11 splitters, 11 joiners, 85 edges"
    work = [int(line.split()[1]) * int(line.split()[2]) for line in lines[3:]]
    assert len(work) == 10
    assert work == sorted(work, reverse=True)


def test_a_steady_state_works_as_often_as_its_filters_fire(tmp_path: Path) -> None:
    """By hand: a filter of two firings and two of three, which take three cycles for every item and one for a sum."""
    program = tmp_path / "rates.str"
    program.write_text(
        "void->void pipeline Main { add Source(); add Sum(); add Sink(); }\n"
        "void->int filter Source { work push 3 { push(1); push(2); push(3); } }\n"
        "int->int filter Sum { work pop 2 push 1 { push(pop() + pop()); } }\n"
        "int->void filter Sink { work pop 1 { println(pop()); } }\n"
    )
    lines = run("graph", program).stdout.splitlines()
    assert lines[1] == "steady state: 8 firings of 3 nodes, of one at most 3, 66 cycles of work"
    assert [line.split() for line in lines[3:]] == [
        ["Sum", "10", "3", "45.5", "%"],
        ["Source", "9", "2", "27.3", "%"],
        ["Sink", "6", "3", "27.3", "%", "stateful"],
    ]


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


@pytest.mark.parametrize("program", [PROGRAMS / "peek.str", PROGRAMS / "zero_weight.str", BENCHMARKS / "fm_radio.str"])
def test_dot_says_at_an_edge_what_passes_and_how_far_is_seen(program: Path) -> None:
    """What is put out, and what is taken, of how much if a firing sees more than it takes; dashed: nothing passes."""
    line = re.compile(r'  n(\d+) -> n(\d+) \[taillabel="(.*)", headlabel="(.*)"(, style=dashed)?\];')
    drawn = [line.fullmatch(text) for text in run("graph", program, "--quiet", "--dot", "-").stdout.splitlines()]
    edges = graph(program)["edges"]
    assert [match.groups() for match in drawn if match] == [
        (
            str(edge["from"]),
            str(edge["to"]),
            str(edge["push"]),
            f"{edge['pop']} of {edge['peek']}" if edge["peek"] > edge["pop"] else str(edge["pop"]),
            None if edge["push"] or edge["pop"] else ", style=dashed",
        )
        for edge in edges
    ]
    assert any(edge["peek"] == edge["pop"] for edge in edges)


def test_flags_of_other_commands_are_refused() -> None:
    program = str(PROGRAMS / "pipeline.str")
    for arguments in (["graph", program, "--threads", "2"], ["run", program, "--dot", "x"], ["graph"]):
        done = subprocess.run([BRAID, *arguments], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)

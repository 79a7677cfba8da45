"""What `braid graph` and `braid partition` write and print: every field, with a value of its own in each."""

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from braid_tools.program import BRAID

#: By hand: Source gives 3, of which 2 and 1 go on; 1 and 4 come together; both scales see all five and take two.
PROGRAM = """void->void pipeline Files {
    add Source();
    add splitjoin {
        split roundrobin(2, 1);
        add Scale(3);
        add Window();
        join roundrobin(1, 4);
    }
    add splitjoin {
        split duplicate;
        add Scale(5);
        add Scale(7);
        join roundrobin;
    }
    add Sink();
}
void->int filter Source { int x; work push 3 { push(x); push(1); push(2); x = x + 1; } }
int->int filter Scale(int by) { work push 1 pop 2 { push(by * pop() + pop()); } }
int->int filter Window {
    prework push 2 pop 1 peek 3 { push(peek(2)); push(pop()); }
    work push 4 pop 1 peek 5 { push(peek(4)); push(1); push(2); push(pop()); }
}
int->void filter Sink { work pop 1 { println(pop()); } }
"""
REPETITIONS = [2, 2, 2, 2, 2, 10, 5, 5, 5, 10]
EDGES = [
    (1, 2, 2, 2, 2),
    (1, 3, 1, 1, 5),
    (2, 4, 1, 1, 1),
    (3, 4, 4, 4, 4),
    (0, 1, 3, 3, 3),
    (5, 6, 1, 2, 2),
    (5, 7, 1, 2, 2),
    (6, 8, 1, 1, 1),
    (7, 8, 1, 1, 1),
    (4, 5, 5, 1, 1),
    (8, 9, 2, 1, 1),
]
SPACE = "{http://graphml.graphdrawing.org/xmlns}"


def braid(*arguments: str | Path) -> str:
    return subprocess.run([BRAID, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "files.str"
    file.write_text(PROGRAM)
    return file


def told(program: Path, command: str = "graph", *arguments: str) -> dict:
    return json.loads(braid(command, program, *arguments, "--json", "-"))


def test_every_field_of_a_graph_as_json(program: Path) -> None:
    graph = told(program)
    assert list(graph) == [
        "program", "version", "name", "counts", "counts_as_written", "counts_lifted", "nodes", "edges"
    ]  # fmt: skip
    assert (graph["program"], graph["name"]) == ("braid", "Files")
    assert graph["counts"] == {"filters": 6, "splitters": 2, "joiners": 2, "edges": 11}
    nodes = graph["nodes"]
    assert [node["kind"][0] for node in nodes] == list("fsffjsffjf")
    assert [node["repetitions"] for node in nodes] == REPETITIONS
    assert [node["declaration"] for node in nodes] == [
        "Source", "", "Scale", "Window", "", "", "Scale", "Scale", "", "Sink"
    ]  # fmt: skip
    assert {node["file"] for node in nodes} == {str(program)}
    assert [(node["line"], node["column"]) for node in nodes] == [
        (2, 9), (3, 9), (5, 13), (6, 13), (3, 9), (9, 9), (11, 13), (12, 13), (9, 9), (15, 9)
    ]  # fmt: skip
    rates = {node["name"]: tuple(node[key] for key in ("push", "pop", "peek")) for node in nodes if "push" in node}
    assert rates == {
        "Source": (3, 0, 0),
        "Scale_1": (1, 2, 2),
        "Window": (4, 1, 5),
        "Scale_2": (1, 2, 2),
        "Scale_3": (1, 2, 2),
        "Sink": (0, 1, 1),
    }
    assert [node.get("weights") for node in nodes if node["kind"] != "filter"] == [[2, 1], [1, 4], [1, 1], [1, 1]]
    assert [node.get("split") for node in nodes if node["kind"] != "filter"] == ["roundrobin", None, "duplicate", None]
    assert [node["name"] for node in nodes if node.get("stateful")] == ["Source", "Sink"]
    assert [(node["input_type"], node["output_type"]) for node in (nodes[0], nodes[2], nodes[9])] == [
        ("void", "int"), ("int", "int"), ("int", "void")
    ]  # fmt: skip
    (first,) = [node["prework"] for node in nodes if "prework" in node]
    assert (first["push"], first["pop"], first["peek"]) == (2, 1, 3)
    assert 0 < first["work"] < nodes[3]["work"], "two items less are put out"
    assert [tuple(edge[key] for key in ("from", "to", "push", "pop", "peek")) for edge in graph["edges"]] == EDGES
    assert {(edge["initial"], edge["words"]) for edge in graph["edges"]} == {(0, 1)}


def test_graphml_says_what_the_json_says(program: Path) -> None:
    graph, root = told(program), ElementTree.fromstring(braid("graph", program, "--graphml", "-"))
    keys = {
        key.get("id"): (key.get("for"), key.get("attr.name"), key.get("attr.type")) for key in root if key.get("id")
    }
    (drawn,) = [child for child in root if child.tag == f"{SPACE}graph"]
    keys.pop("Files", None)
    assert drawn.attrib == {"id": "Files", "edgedefault": "directed"}
    types = dict.fromkeys(("name", "kind", "declaration", "weights"), ("node", "string"))
    types |= dict.fromkeys(("repetitions", "work"), ("node", "long")) | {"stateful": ("node", "boolean")}
    types |= dict.fromkeys(("push", "pop", "peek", "initial"), ("edge", "long"))
    assert keys == {name: (of, name, kind) for name, (of, kind) in types.items()}

    def data(element: ElementTree.Element) -> dict[str, str]:
        return {part.get("key", ""): part.text or "" for part in element}

    expected = []
    for node in graph["nodes"]:
        fields = {key: str(node[key]) for key in ("name", "kind", "declaration", "repetitions")}
        fields |= {"work": str(node.get("work", 0)), "stateful": str(node.get("stateful", False)).lower()}
        if "weights" in node:
            fields["weights"] = ",".join(map(str, node["weights"]))
        expected.append(fields)
    nodes = drawn.findall(f"{SPACE}node")
    assert [node.get("id") for node in nodes] == [f"n{n}" for n in range(10)]
    assert [data(node) for node in nodes] == expected
    assert [(edge.get("source"), edge.get("target"), data(edge)) for edge in drawn.findall(f"{SPACE}edge")] == [
        (f"n{e['from']}", f"n{e['to']}", {key: str(e[key]) for key in ("push", "pop", "peek", "initial")})
        for e in graph["edges"]
    ]


def test_dot_says_of_each_node_what_the_json_says(program: Path) -> None:
    graph, lines = told(program), braid("graph", program, "--dot", "-").splitlines()
    assert lines[0] == 'digraph "Files" {'
    assert lines[-1] == "}"
    shapes = {"filter": "box", "splitter": "triangle", "joiner": "invtriangle"}
    for n, node in enumerate(graph["nodes"]):
        weights = "duplicate" if node.get("split") == "duplicate" else ",".join(map(str, node.get("weights", [])))
        state = ", stateful" if node.get("stateful") else ""
        text = f"{node['repetitions']} x {node['work']} cycles{state}" if "work" in node else weights
        assert lines[2 + n] == f'  n{n} [shape={shapes[node["kind"]]}, label="{node["name"]}\\n{text}"];'
    assert [tuple(map(int, re.findall(r"n(\d+)", line))) for line in lines if "->" in line] == [e[:2] for e in EDGES]


def test_the_table_says_what_the_json_says(program: Path) -> None:
    nodes, lines = told(program)["nodes"], braid("graph", program).splitlines()
    work = {node["name"]: node["work"] * node["repetitions"] for node in nodes if "work" in node}
    assert lines[0] == "Files: 6 filters, 2 splitters, 2 joiners, 11 edges"
    assert lines[1] == (
        f"steady state: {sum(REPETITIONS)} firings of 10 nodes, of one at most 10, {sum(work.values())} cycles of work"
    )
    assert lines[2] == "heaviest filters: cycles a firing, firings, share of the work"
    of = {node["name"]: node for node in nodes}
    order = sorted(work, key=lambda name: -work[name])  # as stable as theirs: of equals the first
    assert [line.split() for line in lines[3:]] == [
        [name, str(of[name]["work"]), str(of[name]["repetitions"]), f"{100 * work[name] / sum(work.values()):.1f}", "%"]
        + (["stateful"] if of[name]["stateful"] else [])
        for name in order
    ]
    assert len({line.index("%") for line in lines[3:]}) == 1, "in columns"


def test_every_figure_of_a_partition(program: Path) -> None:
    """Three actors: what comes before the five items, the two scales, the sink."""
    graph, parts = told(program), told(program, "partition", "--tiles", "3")
    work = {node["name"]: node["work"] * node["repetitions"] for node in graph["nodes"] if "work" in node}
    assert (parts["program"], parts["name"], parts["tiles"], parts["steady_states"]) == ("braid", "Files", 3, 1)
    assert parts["partition"] == "dynamic_programming"
    assert parts["program_work"] == parts["total_work"] == sum(work.values()), "nothing is done twice"
    loads = [actor["work"] * actor["firings"] for actor in parts["actors"]]
    first = work["Source"] + work["Scale_1"] + work["Window"]
    assert loads == [first, work["Scale_2"] + work["Scale_3"], work["Sink"]]
    assert [actor["firings"] for actor in parts["actors"]] == [2, 5, 10]
    assert parts["bottleneck_work"] == max(loads)
    names = [actor["name"] for actor in parts["actors"]]
    keys = ("from", "to", "push", "pop", "peek", "initial", "items")
    assert [tuple(edge[key] for key in keys) for edge in parts["edges"]] == [
        (names[0], names[1], 5, 2, 2, 0, 10),
        (names[1], names[2], 2, 1, 1, 0, 10),
    ]
    assert parts["items"] == 20
    lines = braid("partition", program, "--tiles", "3").splitlines()
    assert lines[0] == "Files: 3 actors on 3 tiles, 2 streams (dynamic_programming)"
    mean = sum(loads) / 3
    assert lines[1] == (
        f"a steady state of the program: {sum(loads)} cycles of work, {max(loads)} of the busiest actor "
        f"({max(loads) / mean:.2f} of the mean), 20 items"
    )
    assert [line.split() for line in lines[5:]] == [
        [actor["name"], str(actor["work"]), str(actor["firings"]), f"{100 * load / sum(loads):.1f}%", *ends]
        for actor, load, ends in zip(parts["actors"], loads, (["0", "1"], ["1", "1"], ["1", "0"]), strict=True)
    ]
    dot = braid("partition", program, "--tiles", "3", "--dot", "-")
    for a, actor in enumerate(parts["actors"]):
        assert f'  a{a} [label="{actor["name"]}\n{actor["firings"]} x {actor["work"]}"];\n' in dot
    assert dot.endswith('  a0 -> a1 [label="10", color=black];\n  a1 -> a2 [label="10", color=black];\n}\n')


def test_the_name_of_a_programs_file_may_have_quotes(tmp_path: Path) -> None:
    file = tmp_path / 'a "name".str'
    file.write_text(PROGRAM)
    assert told(file)["nodes"][0]["file"] == str(file)

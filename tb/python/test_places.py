"""What is refused names its place, FILE:LINE:COLUMN, and the key: also where the key is not given, or the file that it
names is not there."""

import subprocess
from pathlib import Path

import pytest
from braid_tools.program import BRAID, ROOT

GRAPH = ROOT / "tb" / "experiments" / "ring.graphml"

MESH = """\
[topology]
kind = "mesh"
width = 4
height = 4
"""
TRAFFIC = """\
[traffic]
pattern = "uniform"
"""
MYRINET = """\
[topology]
kind = "irregular"
{topology}
[router]
architecture = "myrinet"
vcs = 1
{router}
[routing]
algorithm = "source_routed"
[traffic]
pattern = "uniform"
"""
RING = """\
[topology]
kind = "graph"
{file}
[routing]
algorithm = "table"
{table}
[traffic]
pattern = "uniform"
"""


def myrinet(topology: str = "", router: str = "") -> str:
    return MYRINET.format(topology=topology, router=router)


def ring(file: str, table: str = "") -> str:
    return RING.format(file=file, table=table)


CASES = {
    "failure_on_hybrid": (MESH + "[failure]\n" + TRAFFIC, "5:2: failure.router: router.architecture"),
    "failure_without_router": (MESH + "[failure]\ncycle = 5\n" + TRAFFIC, "5:2: failure.router: router.architecture"),
    "stream_without_graph": (MESH + "[stream]\n", "5:2: stream.graph is missing"),
    "stream_graph_not_there": (
        MESH + '[stream]\ngraph = "nix.toml"\n',
        "6:9: stream.graph: {folder}nix.toml: cannot be read",
    ),
    "hosts": (myrinet("switch_ports = 4"), "3:16: an irregular network of 16 switches with 4 hosts on 4 ports each"),
    "hosts_not_given": (myrinet("switches = 3\nhosts = 8"), "4:9: an irregular network of 3 switches with 8 hosts"),
    "flit_time": (
        myrinet(router="flit_time_ns = 7.0"),
        "7:16: router.routing_ns = 150: not a whole number of cycles of 7 ns (router.flit_time_ns)",
    ),
    "pattern_of_patterns": (
        MESH.replace("4", "3") + '[traffic]\npattern = "combined"\n',
        '5:2: traffic.patterns: traffic pattern "bit_reversal" needs a power of two of nodes',
    ),
    "graph_not_there": (ring('file = "nix.graphml"'), "3:8: topology.file: {folder}nix.graphml: cannot be read"),
    "graph_not_given": (ring(""), '2:8: topology "graph" needs topology.file'),
    "table_not_there": (
        ring('file = "ring.graphml"', 'table_file = "nix"'),
        "6:14: routing.table_file: {folder}nix: cannot be read",
    ),
    "permutation_not_there": (
        MESH + '[traffic]\npattern = "permutation"\nfile = "nix"\n',
        "7:8: traffic.file: {folder}nix: cannot be read",
    ),
    "permutation_not_given": (MESH + '[traffic]\npattern = "permutation"\n', "5:2: traffic.file is missing"),
}


def refusal(*arguments: object, folder: Path | None = None) -> str:
    command = [BRAID.absolute(), *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("name", CASES)
def test_a_refusal_has_its_place_and_key(name: str, tmp_path: Path) -> None:
    text, says = CASES[name]
    (tmp_path / "ring.graphml").write_text(GRAPH.read_text())
    (tmp_path / "e.toml").write_text(text)
    line = refusal("check", "e.toml", folder=tmp_path)  # a long name would be cut
    assert line.startswith(f"braid: e.toml:{says.format(folder='')}"), line


def test_a_block_that_no_queue_has_room_for_names_its_key(tmp_path: Path) -> None:
    """Of the default's 64 items nobody has given the key: its section is the place."""
    radio = ROOT / "tb" / "experiments" / "fm_radio.toml"
    settings = ["interface.switching=packet", "interface.transfer=pull", "interface.pull_block_items=65535"]
    line = refusal("check", radio, *(word for s in settings for word in ("--set", s)))
    assert line.startswith("braid: --set interface.pull_block_items=65535: interface.stream_queue_items = 64"), line


@pytest.mark.parametrize("command", ["check", "run", "graph", "partition", "paths", "circuits"])
def test_no_name_is_no_file(command: str) -> None:
    assert refusal(command, "") == f'braid: braid {command} "": expected the name of a file\n'


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_graphml_is_utf_8(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "ring.graphml").write_bytes(GRAPH.read_text().encode(encoding))
    experiment = tmp_path / "e.toml"
    experiment.write_text(ring('file = "ring.graphml"'))
    assert "ring.graphml:1:1: XML: not UTF-8: expected UTF-8" in refusal("check", experiment)

"""What scripts/braid_tools/rtl/mesh.py reads of the model and says of the mesh."""

import subprocess
from pathlib import Path

import pytest
from braid_tools.rtl.mesh import TB, Account, account, differences

COLUMNS = "kind,stream,source,destination,flits,created,delivered"
EDGES = [{"source_node": 3, "destination_node": 0}, {"source_node": 1, "destination_node": 2}]
RESULTS = {"stream": {"edges": EDGES}, "setup": {"total_cycles": 24, "fell_back_to_packets": False}}


def bench(folder: Path, printed: str, status: int = 0) -> Path:
    """A program that prints this, whatever it is given."""
    file = folder / "bench"
    file.write_text(f"#!/bin/sh\ncat > {folder}/given\nprintf '{printed}'\nexit {status}\n")
    file.chmod(0o755)
    return file


def test_the_log_becomes_a_list_with_circuits_in_the_order_of_the_token(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(f"{COLUMNS}\nsynthetic,,0,3,4,2,25\ncircuit,0,3,0,4,30,41\ncircuit,1,1,2,4,31,\n")
    found = account(RESULTS, log)
    assert found.streams == [(1, 2), (3, 0)]
    assert found.set_up == (24, True)
    assert found.packets == ["packet 0 2 0 3 4", "circuit 1 30 1 4", "circuit 2 31 0 4"]
    assert found.arrivals == {0: 25, 1: 41}
    assert found.on_circuits == 1


@pytest.mark.parametrize(
    ("printed", "wrong"),
    [
        ("setup 24 1\\n0 25\\n1 41\\n", []),
        ("setup 24 1\\n1 42\\n0 25\\n", ["`circuit 1 30 1 4` arrives in cycle 42, the model's in 41"]),
        ("setup 24 1\\n0 25\\n", ["`circuit 1 30 1 4` arrives in cycle None, the model's in 41"]),
        (
            "setup 24 1\\n0 25\\n1 41\\n2 40\\n",
            ["`circuit 2 31 0 4` arrives in cycle 40, the model's in None"],
        ),
        ("setup 25 1\\n0 25\\n1 41\\n", ["set-up: [(25, True)], the model (24, True)"]),
        ("0 25\\n1 41\\n", ["set-up: [], the model (24, True)"]),
    ],
)
def test_every_difference_is_a_line(printed: str, wrong: list[str], tmp_path: Path) -> None:
    packets = ["packet 0 2 0 3 4", "circuit 1 30 1 4", "circuit 2 31 0 4"]
    model = Account([(1, 2), (3, 0)], (24, True), packets, {0: 25, 1: 41}, 1)
    assert list(differences(model, bench(tmp_path, printed))) == wrong
    assert (tmp_path / "given").read_text().splitlines() == ["until 41", "stream 1 2", "stream 3 0", *packets]


def test_a_bench_that_fails_is_a_difference(tmp_path: Path) -> None:
    assert list(differences(Account([], None), bench(tmp_path, "", 1))) == ["bench ended with 1"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("pocket 0 0 0 1 4", "line 1: expected until, stream, packet or circuit: pocket 0 0 0 1 4"),
        ("packet 0 0 4 1 4", "line 1: the mesh has 4 nodes: packet 0 0 4 1 4"),
        ("packet 0 0 0 1 0", "line 1: 1 to 65535 flits are expected: packet 0 0 0 1 0"),
        ("packet 0 0 0 1", "line 1: expected FLITS: packet 0 0 0 1"),
        ("circuit 0 0 0 1", "line 1: there is no such stream yet: circuit 0 0 0 1"),
        ("until 3\npacket 0 5 0 1 1\npacket 1 4 0 1 1", "line 3: cycles never fall: packet 1 4 0 1 1"),
    ],
)
def test_a_list_that_is_wrong_is_refused_with_its_line(line: str, says: str) -> None:
    done = subprocess.run([TB / "braid_mesh_2x2"], input=line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"list of packets, {says}\n")

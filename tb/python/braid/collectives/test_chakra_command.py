"""braid chakra: what it prints and writes, and what it refuses without a file left."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from braid.collectives.trace import Kind, Operation, write
from braid_tools.program import BRAID, ROOT

MESH = """
[topology]
kind = "mesh"
width = 2
height = 2

[traffic]
rate_flits_per_node_cycle = 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A mesh and a trace: everybody computes 2 us, then all sum up 256 bytes."""
    (tmp_path / "net.toml").write_text(MESH)
    work = Operation(0, "work", Kind.COMPUTE, (), 2, {"num_ops": 1000})
    sums = Operation(1, "sums", Kind.COLLECTIVE, (0,), 0, {"comm_type": 0, "comm_size": 256})
    write(tmp_path / "job", [[work, sums]] * 4)
    return tmp_path


def chakra(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(BRAID.absolute()), "chakra", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_what_it_prints_and_writes(folder: Path) -> None:
    done = chakra(folder, "net.toml", "job", "--json", "job.json", "--nodes", "0,1,3,2")
    assert done.returncode == 0, done.stderr
    cycles = 2000 + 6 * (3 + 5 * 2 + 256 // 4 // 16 - 1)
    assert done.stdout.startswith(f"8 operations of 4 ranks: {cycles} cycles, {cycles / 1000:.4g} us\n")
    assert "computing 2000 cycles a rank" in done.stdout
    found = json.loads((folder / "job.json").read_text())
    assert found["cycles"] == cycles
    assert [rank["exposed"] for rank in found["ranks"]] == [cycles - 2000] * 4
    assert found["collectives"][0]["first_start"] == 2000
    assert found["flits"] == 2 * 3 * 256 // 16


def test_traffic_beside_is_told(folder: Path) -> None:
    done = chakra(folder, "net.toml", "job", "--set", "traffic.rate_flits_per_node_cycle=0.2")
    assert "packets of the experiment's own traffic" in done.stdout
    assert "computing 1000 cycles a rank" in chakra(folder, "net.toml", "job", "--tflops", "0.001").stdout
    quiet = chakra(folder, "net.toml", "job", "--quiet")
    assert (quiet.returncode, quiet.stdout) == (0, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["net.toml", "job", "--algorithm", "all_reduce=rings"],
            'no algorithm "rings" for all_reduce (did you mean "ring"?)',
        ),
        (
            ["net.toml", "job", "--algorithm", "allreduce=ring"],
            'unknown operation "allreduce" (did you mean "all_reduce"?)',
        ),
        (["net.toml", "job", "--algorithm", "ring"], "expected OPERATION=NAME"),
        (["net.toml", "job", "--nodes", "0,1,x,2"], "--nodes 0,1,x,2: expected nodes"),
        (["net.toml", "job", "--nodes", "0,1"], "2 nodes for 4 ranks"),
        (["net.toml", "job", "--clock-ghz", "0"], "expected a number above 0"),
        (["net.toml", "job", "--groups", "none.json"], "none.json: cannot be read"),
        (["net.toml", "job", "--groups", "net.toml"], "net.toml:2:2: "),
        (["net.toml", "job", "--groups", "bad.json"], 'bad.json: group "a": expected a list of different ranks'),
        (["net.toml", "none"], "none.0.et: no such file"),
        (["none.toml", "job"], "none.toml: cannot be"),
        (["net.toml", "job", "--set", "router.vcz=2"], '(did you mean "vcs"?)'),
        (["net.toml", "job", "--set", "topology.width=1"], "4 ranks on 2 nodes: expected a node for each"),
    ],
)
def test_what_is_wrong_is_one_line(folder: Path, words: list[str], said: str) -> None:
    (folder / "bad.json").write_text('{"a": [1, 1]}')
    done = chakra(folder, *words, "--json", "job.json")
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "job.json").exists()


def test_the_example_writes_what_it_says(tmp_path: Path) -> None:
    """Operations and bytes by the formulas of its first lines."""
    script = ROOT / "tb" / "examples" / "transformer_layer" / "make_traces.py"
    words = [str(script), "s", "--tensor", "2", "--data", "2", "--layers", "1", "--hidden", "16", "--sequence", "8"]
    subprocess.run(
        [sys.executable, *words], cwd=tmp_path, check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")}
    )
    from braid.collectives.trace import read

    ranks = read(tmp_path / "s")
    assert len(ranks) == 4
    operations = sum(o.whole("num_ops") for o in ranks[0] if o.kind is Kind.COMPUTE)
    assert operations == 3 * (24 * 8 * 16**2 + 4 * 8**2 * 16) // 2
    sizes = [o.whole("comm_size") for o in ranks[0] if o.kind is Kind.COLLECTIVE]
    assert sorted(sizes) == sorted([8 * 16 * 2] * 4 + [8 * 16**2, 4 * 16**2])
    assert json.loads((tmp_path / "s.groups.json").read_text())["data1"] == [1, 3]

"""tb/examples/own_policy: two policies beside the installed library, each one file, with an option and a figure."""

import json
import subprocess
from pathlib import Path

import pytest
from braid_tools.program import ROOT

EXAMPLE = ROOT / "tb" / "examples" / "own_policy"


def run(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def own_braid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's program, built by the commands of its README."""
    folder = tmp_path_factory.mktemp("own")
    prefix, build = folder / "prefix", folder / "build"
    run("cmake", "--install", ROOT / "build" / "release", "--prefix", prefix)
    run("cmake", "-S", EXAMPLE, "-B", build, "-GNinja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", build)
    return build / "own_braid"


def refused(program: Path, *settings: str) -> str:
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([program, "run", EXAMPLE / "mesh.toml", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_its_names_are_listed_with_options_and_figures(own_braid: Path) -> None:
    assert "x or y first, by flow (O1TURN)" in run(own_braid, "list", "routing.algorithm")
    assert "last in, first out, with patience" in run(own_braid, "list", "interface.scheduler")
    configuration = run(own_braid, "list", "configuration")
    assert '| `x_first_share` | number, 0 to 1 | `0.5` | routing.algorithm = "one_turn" |' in configuration
    assert (
        '| `patience_packets` | integer, 1 to 1000000 | `16` | interface.scheduler = "newest_first" |' in configuration
    )
    figures = run(own_braid, "list", "figures")
    assert '| `routing.x_first_flows` |  | routing.algorithm = "one_turn" |' in figures
    assert '| `scheduler.overtakes` | packets/cycle | interface.scheduler = "newest_first" |' in figures
    schema = json.loads(run(own_braid, "list", "schema"))
    assert "x_first_flows" in schema["properties"]["routing"]["properties"]


def test_its_bad_values_and_foreign_keys_are_refused_with_their_place(own_braid: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text((EXAMPLE / "mesh.toml").read_text().replace("0.75", "1.5"))
    done = subprocess.run([own_braid, "check", bad], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"{bad}:8:17: routing.x_first_share = 1.5: expected number, 0 to 1" in done.stderr
    assert "interface.patience_packets = 0: expected integer, 1 to 1000000" in refused(
        own_braid, "interface.patience_packets=0"
    )
    foreign = tmp_path / "foreign.toml"
    foreign.write_text((EXAMPLE / "mesh.toml").read_text().replace('"one_turn"', '"x_first"'))
    done = subprocess.run([own_braid, "check", foreign], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        'routing.x_first_share belongs to routing.algorithm = "one_turn"; this experiment has "x_first"' in done.stderr
    )
    assert "one_turn needs a mesh" in refused(own_braid, "topology.kind=torus")
    assert "expected router.vcs >= 2" in refused(own_braid, "router.vcs=1")


def test_its_figures_are_in_table_and_json(own_braid: Path, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    table = run(own_braid, "run", EXAMPLE / "mesh.toml", "--json", file)
    results = json.loads(file.read_text())
    flows = results["routing"]["x_first_flows"]
    assert f"\n  x_first_flows                        {flows}\n" in table
    assert abs(flows / (64 * 63) - 0.75) < 0.03, "4032 flows drawn by a hash: 3 sigma is 0.02"
    assert results["scheduler"]["overtakes"] > 0
    assert "\n  overtakes " in table
    assert results["configuration"]["routing"]["x_first_share"] == 0.75
    assert results["configuration"]["interface"]["patience_packets"] == 4


def latency(program: Path, tmp_path: Path, *settings: str) -> tuple[float, dict]:
    file = tmp_path / "results.json"
    words = [word for setting in settings for word in ("--set", setting)]
    run(program, "run", EXAMPLE / "mesh.toml", "--quiet", "--json", file, *words)
    results = json.loads(file.read_text())
    return results["classes"][0]["packet_latency_cycles"]["mean"], results


def test_all_flows_x_first_in_order_are_x_first(own_braid: Path, tmp_path: Path) -> None:
    """With share 1 and one half of the VCs each packet goes where x_first with half the VCs sends it."""
    fifo = ("interface.scheduler=fifo", "traffic.rate_flits_per_node_cycle=0.02")
    _, own = latency(own_braid, tmp_path, "routing.x_first_share=1", *fifo)
    _, theirs = latency(own_braid, tmp_path, "routing.algorithm=x_first", *fifo)
    links = [(link["router"], link["port"], link["packet_flits_per_cycle"]) for link in own["links"]]
    assert links == [(k["router"], k["port"], k["packet_flits_per_cycle"]) for k in theirs["links"]]


def test_patience_is_kept(own_braid: Path, tmp_path: Path) -> None:
    """Who may be overtaken by one packet only is overtaken less often than who may be by a thousand."""
    _, patient = latency(own_braid, tmp_path, "interface.patience_packets=1000")
    _, hasty = latency(own_braid, tmp_path, "interface.patience_packets=1")
    assert hasty["scheduler"]["overtakes"] < patient["scheduler"]["overtakes"]


def test_no_product_file_knows_them() -> None:
    """Zero doors: no name of theirs stands in any file of Braid's own."""
    names = ["one_turn", "newest_first", "x_first_share", "patience_packets", "x_first_flows", "overtakes"]
    files = [f for folder in ("models", "routing", "traffic", "tb/braid") for f in (ROOT / folder).rglob("*.*")]
    assert len(files) > 150
    assert [(f.name, name) for f in files for name in names if name in f.read_text()] == []

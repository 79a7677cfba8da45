"""`braid import booksim`: what it writes runs, and what it refuses leaves nothing behind."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
from braid.explore import command_line
from braid_tools.program import BRAID, ROOT, braid

SMALL = """// a mesh of my own
topology = mesh;
k = 4;
n = 2;
routing_function = dor;
num_vcs = 2;
vc_buf_size = 4;
routing_delay = 0;
packet_size = 3;
injection_rate = 0.05;
speculative = 0;
"""
LINES = "[config]\ntopology = fly\nk = 6\nn = 1\nrouting_function = dest_tag\nuse_map = 0\nflit_size = 64\n"
SHORT = ["--set", "simulation.measure_cycles=3000", "--set", "simulation.min_warmup_cycles=1000"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.cfg").write_text(SMALL)
    (tmp_path / "fly.icnt").write_text(LINES)
    return tmp_path


def import_of(*words: str) -> int:
    return command_line.run(["import", "booksim", *words])


def refused(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    before = sorted(Path().iterdir())
    assert import_of(*words) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith("braid: ") and err.count("\n") == 1
    assert sorted(Path().iterdir()) == before
    return err.removeprefix("braid: ").rstrip()


def test_it_writes_an_experiment_that_runs(capfd: pytest.CaptureFixture[str]) -> None:
    assert import_of("small.cfg") == 0
    out = capfd.readouterr().out
    assert out.startswith("small.toml: 9 mapped, 1 as in Braid, 0 of no effect; 1 to know")
    assert "  credit_delay = 0, BookSim's default, differs: " in out
    results = json.loads(braid("run", "small.toml", *SHORT, "--quiet", "--json", "-"))
    assert results["configuration"]["experiment"]["name"] == "small"
    assert results["classes"][0]["accepted_flits_per_node_cycle"]["mean"] == pytest.approx(0.15, rel=0.1)
    # alone in the network, with look-ahead routing: 3 + 4 R + (L - 1) over the routers of its way
    routers = results["classes"][0]["hops_mean_links"] + 1
    assert results["classes"][0]["packet_latency_cycles"]["mean"] == pytest.approx(3 + 4 * routers + 2, rel=0.1)


def test_the_form_with_sections_becomes_one_switch(capfd: pytest.CaptureFixture[str]) -> None:
    assert import_of("fly.icnt", "--output", "switch.toml", "--quiet") == 0
    assert capfd.readouterr().out == ""
    sections = tomllib.loads(Path("switch.toml").read_text())
    assert sections["topology"] == {"kind": "flattened_butterfly", "sizes": [1], "concentration": 6}
    assert sections["energy"] == {"flit_bits": 512}
    results = json.loads(braid("run", "switch.toml", *SHORT, "--quiet", "--json", "-"))
    assert results["classes"][0]["hops_mean_links"] == 0


@pytest.mark.parametrize("ports", [33, 36, 64])
def test_one_switch_has_up_to_64_ports(ports: int) -> None:
    """Alone in the network a packet of L flits takes 3 + 5 + L - 1 cycles, whatever the ports."""
    low = ["injection_rate=0.005", "packet_size=3", "num_vcs=2", "vc_buf_size=8", f"k={ports}"]
    assert import_of("fly.icnt", *low, "--output", "switch.toml", "--quiet") == 0
    results = json.loads(braid("run", "switch.toml", *SHORT, "--quiet", "--json", "-"))
    assert len(results["node_links"]) == ports
    assert results["classes"][0]["packet_latency_distribution_cycles"]["min"] == 3 + 5 + 3 - 1
    assert results["classes"][0]["hops_mean_links"] == 0


def test_a_switch_of_more_ports_is_refused_at_its_key(capfd: pytest.CaptureFixture[str]) -> None:
    line = refused(capfd, "fly.icnt", "k=65")
    assert "k=65: Braid refuses what it becomes: topology.concentration = 65: expected integer, 1 to 64" in line


def test_later_words_go_before_and_several_files_are_one(capfd: pytest.CaptureFixture[str]) -> None:
    Path("over.cfg").write_text("num_vcs = 4; vc_buf_size = 6;")
    assert import_of("small.cfg", "num_vcs=8", "over.cfg", "vc_buf_size=7", "-o", "-") == 0
    router = tomllib.loads(capfd.readouterr().out)["router"]
    assert (router["vcs"], router["buffer_depth"]) == (4, 7)
    assert not Path("over.toml").exists()


def test_it_overwrites_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    Path("small.toml").write_text("mine")
    assert (
        refused(capfd, "small.cfg")
        == "small.toml is there already: expected the name of a new file, --output FILE.toml"
    )
    assert Path("small.toml").read_text() == "mine"


def test_an_unknown_key_has_its_place_and_a_neighbour(capfd: pytest.CaptureFixture[str]) -> None:
    Path("small.cfg").write_text(SMALL.replace("num_vcs", "num_vc"))
    line = refused(capfd, "small.cfg")
    assert line == 'small.cfg:6:1: BookSim 2 has no key "num_vc" (did you mean "num_vcs"?)'


def test_what_braid_has_not_is_refused_at_its_key(capfd: pytest.CaptureFixture[str]) -> None:
    Path("small.cfg").write_text(SMALL.replace("speculative = 0", "speculative = 1"))
    line = refused(capfd, "small.cfg", "--output", "other.toml")
    assert line == (
        "small.cfg:11:1: speculative = 1: Braid speculates in its own way (router.speculative), "
        "which was not compared; expected 0"
    )


def test_what_only_braids_own_check_knows_is_said_at_the_key_it_came_from(capfd: pytest.CaptureFixture[str]) -> None:
    Path("small.cfg").write_text(SMALL.replace("num_vcs = 2", "num_vcs = 99"))
    line = refused(capfd, "small.cfg")
    assert line.startswith("small.cfg:6:1: num_vcs = 99: Braid refuses what it becomes: router.vcs = 99: ")


def test_what_braid_refuses_as_a_whole(capfd: pytest.CaptureFixture[str]) -> None:
    """A permutation of bits on 36 nodes."""
    line = refused(capfd, "small.cfg", "k=6", "traffic=bitcomp")
    assert "Braid refuses what it becomes: " in line and "power of two" in line


def test_a_file_that_says_no_routing_function(capfd: pytest.CaptureFixture[str]) -> None:
    Path("part.cfg").write_text("num_vcs = 4;\n")
    line = refused(capfd, "part.cfg")
    assert line.startswith("part.cfg: routing_function = none, BookSim's default: which routing function is not said; ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["none.cfg"], "none.cfg: cannot be read: No such file or directory; expected a configuration of BookSim 2"),
        (["k=4"], "braid import booksim: expected a FILE beside KEY=VALUE"),
        (["small.cfg", "k="], "k=: expected a value, found the end"),
        (["small.cfg", "--outptu", "x"], "braid import: unrecognized arguments: --outptu"),
        (["small.cfg", "--output", "nowhere/x.toml"], "nowhere"),
    ],
)
def test_a_command_line_that_is_wrong(capfd: pytest.CaptureFixture[str], words: list[str], complaint: str) -> None:
    assert import_of(*words) in (1, 2)
    out, err = capfd.readouterr()
    assert out == "" and complaint in err and err.count("\n") == 1


def test_a_format_that_nobody_knows(capfd: pytest.CaptureFixture[str]) -> None:
    assert command_line.run(["import", "boksim", "small.cfg"]) == 2
    assert 'unknown format "boksim" (did you mean "booksim"?); known: booksim' in capfd.readouterr().err


def test_a_file_that_is_no_text(capfd: pytest.CaptureFixture[str]) -> None:
    Path("noise").write_bytes(bytes(range(128, 256)))
    assert "noise: cannot be read: it is not UTF-8" in refused(capfd, "noise")


def test_the_program_knows_the_command() -> None:
    done = subprocess.run(
        [BRAID, "import", "booksim", "small.cfg", "-o", "-"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert tomllib.loads(done.stdout)["topology"]["width"] == 4
    proposed = braid("complete-words", "import", "").split("\t")[0]
    assert proposed == "booksim"


def test_it_says_what_it_says_in_the_recipe() -> None:
    assert "braid import booksim" in (ROOT / "docs" / "recipes" / "booksim.md").read_text()

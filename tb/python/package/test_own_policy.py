"""tb/examples/own_policy: five policies beside the installed library, each one file, with its options and figures; in a
program of their own, and in a plugin of the installed program."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from braid_tools.gates.user_project import EXAMPLES, followed, run
from braid_tools.program import ROOT

EXAMPLE = EXAMPLES / "own_policy"
Words = list[object]


@pytest.fixture(scope="module")
def built(installed: Path) -> Path:
    """Where the commands of the example's README have built it."""
    return followed("own_policy", installed)[0] / "own"


@pytest.fixture(params=["program", "plugin"])
def own_braid(request: pytest.FixtureRequest, built: Path, installed: Path) -> Words:
    """The program, and the options that it needs."""
    if request.param == "program":
        return [built / "own_braid"]
    return [installed / "bin" / "braid", "--plugin", built / "libown_policies.so"]


def refused(program: Words, *settings: str) -> str:
    words = [word for setting in settings for word in ("--set", setting)]
    command = [str(word) for word in (*program, "run", EXAMPLE / "mesh.toml", *words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    return done.stderr


NAMES = {
    "router.arbiter": "round robin, several grants a turn",
    "routing.algorithm": "x or y first, by flow (O1TURN)",
    "interface.scheduler": "last in, first out, with patience",
    "traffic.pattern": "any node so many links away",
    "traffic.process": "a clock of its own that trembles",
}


def test_its_names_are_listed_with_options_and_figures(own_braid: Words) -> None:
    origin = " (from libown_policies.so)" if "--plugin" in own_braid else ""
    for axis, summary in NAMES.items():
        assert summary + origin + "\n" in run(*own_braid, "list", axis)
    configuration = run(*own_braid, "list", "configuration")
    for row in (
        '| `x_first_share` | number, 0 to 1 | `0.5` | routing.algorithm = "one_turn" |',
        '| `patience_packets` | integer, 1 to 1000000 | `16` | interface.scheduler = "newest_first" |',
        '| `grants_a_turn` | integer, 1 to 255 | `4` | router.arbiter = "slow_turns" |',
        '| `distance_links` | integer, 1 to 1000000 | `3` | traffic.pattern = "at_distance" or traffic.patterns with',
        '| `tremble` | number, 0 to 1 | `0.5` | traffic.process = "paced" |',
    ):
        assert row in configuration
    figures = run(*own_braid, "list", "figures")
    assert '| `routing.x_first_flows` |  | routing.algorithm = "one_turn" |' in figures
    assert '| `scheduler.overtakes` | packets/cycle | interface.scheduler = "newest_first" |' in figures
    schema = json.loads(run(*own_braid, "list", "schema"))
    assert "x_first_flows" in schema["properties"]["routing"]["properties"]


def test_its_bad_values_and_foreign_keys_are_refused_with_their_place(own_braid: Words, tmp_path: Path) -> None:
    def complaint(file: Path) -> str:
        done = subprocess.run([*own_braid, "check", file], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        return done.stderr

    text = (EXAMPLE / "mesh.toml").read_text()
    line = text.splitlines().index("x_first_share = 0.75") + 1
    bad = tmp_path / "bad.toml"
    bad.write_text(text.replace("0.75", "1.5"))
    assert f"{bad}:{line}:17: routing.x_first_share = 1.5: expected number, 0 to 1" in complaint(bad)
    foreign = tmp_path / "foreign.toml"
    foreign.write_text(text.replace('"one_turn"', '"x_first"'))
    assert (
        'routing.x_first_share belongs to routing.algorithm = "one_turn"; this experiment has "x_first"'
        in complaint(foreign)
    )
    patience = refused(own_braid, "interface.patience_packets=0")
    assert "interface.patience_packets = 0: expected integer, 1 to 1000000" in patience
    assert "one_turn needs a mesh" in refused(own_braid, "topology.kind=torus")
    assert "expected router.vcs >= 2" in refused(own_braid, "router.vcs=1")
    assert "no two nodes of this topology are so far" in refused(own_braid, "traffic.distance_links=15")
    assert "router.grants_a_turn = 0: expected integer, 1 to 255" in refused(own_braid, "router.grants_a_turn=0")


@pytest.fixture
def results(own_braid: Words, tmp_path: Path) -> Callable[..., dict]:
    """Runs the example with other settings."""

    def of(*settings: str) -> dict:
        file = tmp_path / "results.json"
        words = [word for setting in settings for word in ("--set", setting)]
        run(*own_braid, "run", EXAMPLE / "mesh.toml", "--quiet", "--json", file, *words)
        return json.loads(file.read_text())

    return of


def test_its_figures_are_in_table_and_json(own_braid: Words, results: Callable[..., dict]) -> None:
    table = run(*own_braid, "run", EXAMPLE / "mesh.toml")
    found = results()
    flows = found["routing"]["x_first_flows"]
    assert f"\n  x_first_flows                        {flows}\n" in table
    assert abs(flows / (64 * 63) - 0.75) < 0.03, "4032 flows drawn by a hash: 3 sigma is 0.02"
    assert found["scheduler"]["overtakes"] > 0
    assert "\n  overtakes " in table
    assert found["configuration"]["routing"]["x_first_share"] == 0.75
    assert found["configuration"]["interface"]["patience_packets"] == 4
    assert found["classes"][0]["hops_mean_links"] == 6.0, "every packet goes as far"
    brought = {policy["name"] for plugin in found.get("plugins", []) for policy in plugin["policies"]}
    names = {"one_turn", "newest_first", "slow_turns", "at_distance", "paced"}
    assert brought == (names if "--plugin" in own_braid else set())


def test_program_and_plugin_run_the_same_packets(built: Path, installed: Path) -> None:
    words = ("run", EXAMPLE / "mesh.toml", "--quiet", "--json", "-")
    program = json.loads(run(built / "own_braid", *words))
    plugin = json.loads(
        run(installed / "bin" / "braid", *words, "--plugin", built / "libown_policies.so", "--threads", "2")
    )
    assert plugin["packet_hash"] == program["packet_hash"]


def test_all_flows_x_first_in_order_are_x_first(results: Callable[..., dict]) -> None:
    """With share 1 and one half of the VCs each packet goes where x_first with half the VCs sends it."""
    fifo = ("interface.scheduler=fifo", "traffic.rate_flits_per_node_cycle=0.02")
    own = results("routing.x_first_share=1", *fifo)
    theirs = results("routing.algorithm=x_first", *fifo)
    links = [(link["router"], link["port"], link["packet_flits_per_cycle"]) for link in own["links"]]
    assert links == [(k["router"], k["port"], k["packet_flits_per_cycle"]) for k in theirs["links"]]


def test_patience_is_kept(results: Callable[..., dict]) -> None:
    """Who may be overtaken by one packet only is overtaken less often than who may be by a thousand."""
    busy = "traffic.rate_flits_per_node_cycle=0.3"
    patient = results("interface.patience_packets=1000", busy)
    hasty = results("interface.patience_packets=1", busy)
    assert hasty["scheduler"]["overtakes"] < patient["scheduler"]["overtakes"]


ALLOCATORS = ("separable_input_first", "islip")


@pytest.mark.parametrize("allocator", ALLOCATORS)
def test_turns_of_one_grant_are_round_robin(results: Callable[..., dict], allocator: str) -> None:
    """The same packets as with Braid's own arbiter, through either allocator; with longer turns others."""
    busy = ("traffic.rate_flits_per_node_cycle=0.25", f"router.switch_allocator={allocator}")
    busy += (f"router.vc_allocator={allocator}",)
    theirs = results("router.arbiter=round_robin", *busy)["packet_hash"]
    assert results("router.grants_a_turn=1", *busy)["packet_hash"] == theirs
    assert results("router.grants_a_turn=5", *busy)["packet_hash"] != theirs


def test_a_clock_that_does_not_tremble_is_constant(results: Callable[..., dict]) -> None:
    """One packet of 4 flits every 32 cycles: the same packets as with Braid's constant sources."""
    slow = ("traffic.rate_flits_per_node_cycle=0.125", "traffic.flits=4")
    theirs = results("traffic.process=constant", *slow)["packet_hash"]
    assert results("traffic.tremble=0", *slow)["packet_hash"] == theirs
    trembling = results("traffic.tremble=0.9", *slow)
    assert trembling["packet_hash"] != theirs
    assert abs(trembling["classes"][0]["offered_flits_per_node_cycle"] - 0.125) < 0.0005, "no lateness adds up"


def test_no_product_file_knows_them() -> None:
    """Zero doors: no name of theirs stands in any file of Braid's own."""
    names = ["one_turn", "newest_first", "x_first_share", "patience_packets", "x_first_flows", "overtakes"]
    names += ["slow_turns", "grants_a_turn", "at_distance", "distance_links", '"paced"', "tremble"]
    files = [f for folder in ("models", "routing", "traffic", "tb/braid") for f in (ROOT / folder).rglob("*.*")]
    assert len(files) > 150
    assert [(f.name, name) for f in files for name in names if name in f.read_text()] == []

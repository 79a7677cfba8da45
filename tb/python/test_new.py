"""`braid new`: what it writes runs, says what the options say, and is nothing else than what it shows."""

import json
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from braid_tools.program import ROOT, BraidError, braid

BAD_INPUT = 2


def kinds() -> list[str]:
    """As the manual lists them."""
    section = braid("--help").split("KINDS of braid new\n")[1].split("\n\n")[0]
    return re.findall(r"^    (\w+) ", section, re.MULTILINE)


@pytest.mark.parametrize("kind", kinds())
def test_what_it_writes_runs_and_validates(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"{kind}.toml"
    braid("new", kind, file)
    short = ["--set", "simulation.measure_cycles=2000", "--set", "simulation.max_warmup_cycles=2000"]
    results = json.loads(braid("run", file, *short, "--quiet", "--json", "-"))
    assert results["conservation"]["holds"]
    assert results["configuration"]["experiment"]["name"] == kind
    schema = json.loads((tmp_path / "experiment.schema.json").read_text())
    assert file.read_text().startswith("#:schema ./experiment.schema.json\n")
    jsonschema.Draft7Validator(schema).validate(tomllib.loads(file.read_text()))


@pytest.mark.parametrize("kind", kinds())
def test_every_key_that_it_puts_aside_shows_its_default(kind: str, tmp_path: Path) -> None:
    """The run is the same with all of them taken in."""
    file, full = tmp_path / "new.toml", tmp_path / "full.toml"
    braid("new", kind, file)
    text, count = re.subn(r"^#(\w+ = )", r"\1", file.read_text(), flags=re.MULTILINE)
    full.write_text(text)
    assert count > 10
    settings = {"batch_cycles": 500, "min_warmup_cycles": 0, "max_warmup_cycles": 0, "measure_cycles": 500}
    short = [word for key, value in settings.items() for word in ("--set", f"simulation.{key}={value}")]
    echoes = [
        json.loads(braid("run", path, *short, "--quiet", "--json", "-"))["configuration"] for path in (file, full)
    ]
    assert echoes[0] == echoes[1]


def test_its_comments_are_what_the_reference_says(tmp_path: Path) -> None:
    braid("new", "mesh", tmp_path / "mesh.toml")
    text = re.sub(r"\n# ", " ", (tmp_path / "mesh.toml").read_text())
    rows = (ROOT / "docs" / "configuration.md").read_text().splitlines()
    for key in ("buffer_depth", "algorithm", "measure_cycles"):
        meaning = next(row.split("|")[5].strip() for row in rows if row.startswith(f"| `{key}` |"))
        assert f" {meaning} (" in text


def test_settings_go_over_the_kind(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    braid("new", "mesh", file, "--set", "topology.width=16", "--set", "traffic.pattern=hot_spot")
    experiment = tomllib.loads(file.read_text())
    assert experiment["topology"]["width"] == 16
    assert experiment["traffic"]["pattern"] == "hot_spot"
    assert "#hot_fraction = " in file.read_text()


def refused(*arguments: str | Path) -> str:
    with pytest.raises(BraidError) as error:
        braid("new", *arguments)
    assert error.value.status == BAD_INPUT
    return str(error.value)


def test_it_overwrites_nothing(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine")
    assert "is there already" in refused("mesh", file)
    assert file.read_text() == "mine"
    assert not (tmp_path / "experiment.schema.json").exists()


def test_it_overwrites_no_program_and_no_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "streams.str").write_text("mine")
    assert "streams.str is there already" in refused("streams", "other.toml")
    assert not (tmp_path / "other.toml").exists()
    (tmp_path / "experiment.schema.json").write_text("mine")
    braid("new", "mesh", tmp_path / "mesh.toml")
    assert (tmp_path / "experiment.schema.json").read_text() == "mine"


def test_a_kind_that_nobody_knows(tmp_path: Path) -> None:
    assert 'unknown kind of experiment "mash" (did you mean "mesh"?)' in refused("mash", tmp_path / "mash.toml")
    assert not list(tmp_path.iterdir())


def test_to_standard_output_it_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tomllib.loads(braid("new", "broadcast", "-"))["broadcast"]["scheme"] == "diamond_ring"
    assert not list(tmp_path.iterdir())


#: What the kinds' summaries say, and what any run needs.
SAID = {
    "mesh": {
        "topology": {"kind": "mesh", "width": 8, "height": 8},
        "router": {"vcs": 4, "buffer_depth": 8},
        "routing": {"algorithm": "x_first"},
        "traffic": {"pattern": "uniform", "rate_flits_per_node_cycle": 0.1, "length": "fixed", "flits": 4},
        "simulation": {"measure_cycles": 20000},
    },
    "torus": {
        "topology": {"kind": "torus", "width": 8, "height": 8},
        "router": {"vcs": 4},
        "traffic": {
            "pattern": "tornado", "process": "on_off", "on_cycles": 50, "off_cycles": 150,
            "rate_flits_per_node_cycle": 0.1, "length": "fixed", "flits": 4
        },
        "simulation": {"measure_cycles": 20000},
    },
    "tree": {
        "topology": {"kind": "k_ary_n_tree", "arity": 4, "levels": 3},
        "router": {"architecture": "virtual_cut_through", "vcs": 1, "queue_packets": 4},
        "routing": {"algorithm": "tree_adaptive"},
        "interface": {"fairness": "sat", "source_queue_packets": 8},
        "sat": {"l": 12, "k": 12},
        "traffic": {
            "pattern": "hot_region", "hot_fraction": 0.25, "rate_flits_per_node_cycle": 0.5, "flits": 16
        },
        "simulation": {"measure_cycles": 20000, "max_drain_cycles": 0},
    },
    "messages": {
        "topology": {"kind": "mesh", "width": 8, "height": 8},
        "routing": {"algorithm": "minimal_adaptive"},
        "interface": {"scheduler": "alpha"},
        "message": {"packet_flits": 8, "alpha": 4, "priority_fraction": 0.05},
        "traffic": {
            "pattern": "uniform_without_self", "rate_flits_per_node_cycle": 0.25, "length": "bursty", "min_flits": 1,
            "max_flits": 5, "long_flits": 25, "long_fraction": 0.1
        },
        "simulation": {"measure_cycles": 10000},
    },
    "cluster": {
        "topology": {"kind": "irregular", "switches": 16, "switch_ports": 8, "hosts": 4, "link_latency_cycles": 8},
        "router": {"architecture": "myrinet", "vcs": 1},
        "routing": {"algorithm": "source_routed", "paths": "balanced", "in_transit": "minimum"},
        "traffic": {"pattern": "uniform", "process": "constant", "rate_flits_per_node_cycle": 0.05, "flits": 32},
        "simulation": {"measure_cycles": 20000, "max_drain_cycles": 10000},
    },
    "streams": {
        "topology": {"kind": "mesh", "width": 4, "height": 4, "local_ports": 4},
        "router": {"vcs": 4},
        "routing": {"algorithm": "x_first"},
        "stream": {"graph": "streams.str", "computation_scaling": 0.01},
        "interface": {"transfer": "push", "switching": "circuit"},
        "simulation": {"measure_cycles": 10000},
    },
    "broadcast": {
        "topology": {"kind": "mesh", "width": 8, "height": 8},
        "routing": {"algorithm": "x_first"},
        "broadcast": {"scheme": "diamond_ring", "arity": 2, "gap_cycles": 1000},
        "simulation": {"measure_cycles": 50000},
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", kinds())
def test_a_kind_is_what_its_summary_says(kind: str) -> None:
    assert tomllib.loads(braid("new", kind, "-")) == {"experiment": {"name": kind}} | SAID[kind]


def test_it_says_where_it_has_written_and_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    schema = "experiment.schema.json"
    assert braid("new", "mesh") == f"mesh.toml: written, with {schema} for editors; run it: braid run mesh.toml\n"
    assert braid("new", "torus") == "torus.toml: written; run it: braid run torus.toml\n"
    assert braid("new", "mesh", "other.toml", "--quiet") == ""
    assert braid("new", "streams", "-q") == ""
    (tmp_path / "sub").mkdir()
    assert braid("new", "streams", "sub/mine.toml") == (
        f"sub/mine.toml: written, with sub/{schema} for editors; run it: braid run sub/mine.toml\n"
    )
    names = {"mesh.toml", "torus.toml", "other.toml", "streams.toml", "streams.str", schema, "sub"}
    assert {file.name for file in tmp_path.iterdir()} == names
    assert {file.name for file in (tmp_path / "sub").iterdir()} == {"mine.toml", "streams.str", schema}
    assert json.loads((tmp_path / schema).read_text()) == json.loads(braid("schema"))


def test_its_head_says_how_to_run_it_and_its_lines_are_short(tmp_path: Path) -> None:
    file = tmp_path / "my.mesh.toml"
    braid("new", "mesh", file)
    lines = file.read_text().splitlines()
    summary = next(line for line in braid("complete-words", "new", "mes").splitlines() if line.startswith("mesh\t"))
    assert lines[:4] == [
        "#:schema ./experiment.schema.json",
        f"# {summary.partition(chr(9))[2]}",
        "# Lines that begin with # and a key show its default: take the # away, and change it. Run this by",
        f"#   braid run {file}",
    ]
    assert braid("new", "mesh", "-").splitlines()[3] == "#   braid run mesh.toml"
    assert 'name = "my.mesh"' in lines
    comments = [line for line in lines[4:] if line.startswith("# ")]
    assert max(map(len, comments)) == 100
    assert all(before == "" for before, line in pairwise(lines) if line.startswith("["))
    headings = [line for line in lines if line.startswith("[")]
    assert len(set(headings)) == len(headings)
    keys = [line.lstrip("#").split(" = ")[0] for line in lines if re.match(r"#?\w+ = ", line)]
    assert keys.count("width") == 1

"""`braid new`: what it writes runs, says what the options say, and is nothing else than what it shows."""

import json
import re
import tomllib
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

"""`braid schema`: every experiment that the program takes validates, and what it refuses does not. What keys there are
comes from experiments and golden results; what the program takes, from `braid check`."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from braid_tools.program import ROOT, BraidError, braid

EXPERIMENTS = sorted((ROOT / "tb" / "experiments").glob("*.toml"))
RESULTS = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "tb" / "golden").glob("*.json"))}
GOLDEN = {name: results["configuration"] for name, results in RESULTS.items() if "configuration" in results}
BAD_INPUT = 2
MESH = """
[topology]
kind = "mesh"
width = 4
height = 4
[router]
vcs = 2
[routing]
algorithm = "x_first"
[traffic]
pattern = "uniform"
rate_flits_per_node_cycle = 0.1
"""

#: What stands in MESH, what takes its place: the program and the schema both refuse.
MISTAKES = {
    "a section that nobody knows": ("[router]", "[routers]"),
    "a key that nobody knows": ("vcs", "virtual_channels"),
    "too many": ("vcs = 2", "vcs = 1000000"),
    "too few": ("width = 4", "width = 0"),
    "a text for a number": ("vcs = 2", 'vcs = "2"'),
    "a number for a name": ('kind = "mesh"', "kind = 1"),
    "a flag for a number": ("vcs = 2", "vcs = true"),
    "half a virtual channel": ("vcs = 2", "vcs = 2.5"),
    "a misspelt policy": ("x_first", "x_frist"),
    "a negative rate": ("= 0.1", "= -0.1"),
    "a key of another topology": ("width = 4", "arity = 4"),
    "a key of another pattern": ('pattern = "uniform"', 'pattern = "uniform"\nhot_fraction = 0.5'),
    "a key of another router": ("vcs = 2", "slack_flits = 80"),
    "a key of another policy's policy": ("vcs = 2", "islip_iterations = 2"),
    "a side too short for a torus": ('kind = "mesh"\nwidth = 4', 'kind = "torus"\nwidth = 2'),
    "nothing to send": ('[traffic]\npattern = "uniform"\nrate_flits_per_node_cycle = 0.1\n', ""),
    "a key of what is switched off": ("[traffic]", "[sat]\nl = 4\n[traffic]"),
    "a control character": ("[topology]", '[experiment]\nname = "\\u0007"\n[topology]'),
    "a list for a number": ("vcs = 2", "vcs = [2]"),
    "a key for a section": ("[topology]", "results = 2\n[topology]"),
}

#: ... and both take.
VARIANTS = {
    "as it is": ("", ""),
    "an integer for a number": ("= 0.1", "= 1"),
    "a key of the policy that is chosen": ("vcs = 2", 'vcs = 2\nvc_allocator = "islip"\nislip_iterations = 2'),
    "a key of a pattern": ('"uniform"', '"hot_spot"\nhot_fraction = 0.5'),
    "a key that a word in a list stands for": ('"uniform"', '"combined"\npatterns = "uniform hot_spot"'),
    "a line kept fair": ("[traffic]", '[interface]\nfairness = "sat"\n[sat]\nl = 4\nk = 4\n[traffic]'),
}


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft7Validator:
    text = json.loads(braid("schema"))
    jsonschema.Draft7Validator.check_schema(text)
    return jsonschema.Draft7Validator(text)


def test_it_is_the_one_in_the_documentation() -> None:
    assert braid("schema") == (ROOT / "docs" / "experiment.schema.json").read_text()


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_experiments_validate(schema: jsonschema.Draft7Validator, path: Path) -> None:
    schema.validate(tomllib.loads(path.read_text()))


@pytest.mark.parametrize("name", GOLDEN)
def test_resolved_configurations_validate(schema: jsonschema.Draft7Validator, name: str) -> None:
    """Every key that exists in the run is there, with its value; the golden results take every value of every axis."""
    schema.validate(GOLDEN[name])


@pytest.mark.parametrize("what", MISTAKES)
def test_both_refuse(schema: jsonschema.Draft7Validator, what: str, tmp_path: Path) -> None:
    text = MESH.replace(*MISTAKES[what])
    assert text != MESH
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(BraidError) as refused:
        braid("check", file)
    assert refused.value.status == BAD_INPUT
    assert not schema.is_valid(tomllib.loads(text))


@pytest.mark.parametrize("what", VARIANTS)
def test_both_take(schema: jsonschema.Draft7Validator, what: str, tmp_path: Path) -> None:
    text = MESH.replace(*VARIANTS[what])
    file = tmp_path / "good.toml"
    file.write_text(text)
    braid("check", file)
    schema.validate(tomllib.loads(text))


def test_a_key_says_what_the_reference_says(schema: jsonschema.Draft7Validator) -> None:
    rows = [line.split("|") for line in (ROOT / "docs" / "configuration.md").read_text().splitlines()]
    meanings = {(row[1].strip().strip("`"), row[5].strip()) for row in rows if len(row) == 7}
    sections = schema.schema["properties"]
    for section in sections.values():
        one = section.get("anyOf", [section])[0]  # or a list of such
        for name, key in one["properties"].items():
            assert (name, key["description"]) in meanings


@pytest.mark.parametrize("name", ["mesh_x_first", "stream_circuits", "broadcast_ring"])
def test_a_value_of_another_type_is_no_value(schema: jsonschema.Draft7Validator, name: str) -> None:
    """Whatever key it is."""
    for section, keys in GOLDEN[name].items():
        for key in keys:
            wrong = {**GOLDEN[name], section: {**keys, key: {"a": "table"}}}
            assert not schema.is_valid(wrong), f"{section}.{key}"


def test_a_key_of_another_experiment_is_no_key(schema: jsonschema.Draft7Validator) -> None:
    """Whatever key of any golden run: where the mesh's run does not have it, it does not validate there."""
    mesh = GOLDEN["mesh_x_first"]
    foreign = {(s, k): v for c in GOLDEN.values() for s, keys in c.items() for k, v in keys.items()}
    checked = 0
    for (section, key), value in foreign.items():
        if section not in mesh or key in mesh[section]:
            continue
        assert not schema.is_valid({**mesh, section: {**mesh[section], key: value}}), f"{section}.{key}"
        checked += 1
    assert checked > 50

"""braid --plugin: policies of a user's library in the installed program; what is refused, and how it is said."""

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
from braid_tools.gates.user_project import COMPILER, EXAMPLES, SCRATCH, run

MESH = EXAMPLES / "own_policy" / "mesh.toml"
PATTERN = """
#include "traffic/synthetic/pattern.h"
namespace {
using namespace braid;
struct Opposite final : traffic::TrafficPattern {
  explicit Opposite(std::size_t n) : nodes(n) {}
  traffic::Destination destination(NodeId source, Random&) const override {
    return NodeId{nodes - 1 - source.value};
  }
  std::size_t nodes;
};
const bool registered = traffic::PatternRegistry::instance().add(NAME, "the node of the other end",
    [](const routing::Topology& t, const Configuration&) { return std::make_unique<Opposite>(t.node_count()); });
}
"""
UNDEFINED = 'extern "C" int nobody_has_this();\nint value = nobody_has_this();\n'


def make(installed: Path, name: str, source: str, *more: str) -> Path:
    """A plugin of one file, by pkg-config."""
    where = {"PKG_CONFIG_PATH": str(next(installed.glob("lib/**/pkgconfig")))}
    flags = run("pkg-config", "--cflags", "braid-plugin", **where).split()
    stamp = run("pkg-config", "--variable=plugin_stamp", "braid-plugin", **where).strip()
    file = SCRATCH / f"{name}.cpp"
    file.write_text(source)
    library = SCRATCH / f"lib{name}.so"
    objects = []
    for i, part in enumerate((file, Path(stamp))):
        objects.append(SCRATCH / f"{name}_{i}.o")
        run(*COMPILER, "-O0", "-fPIC", *more, *flags, "-c", part, "-o", objects[-1])
    run("g++", "-shared", "-o", library, *objects)
    return library


@pytest.fixture(scope="module")
def opposite(installed: Path) -> Path:
    return make(installed, "opposite", PATTERN, '-DNAME="opposite"')


def braid(installed: Path, *words: object) -> str:
    return run(installed / "bin" / "braid", *words)


def refusal(installed: Path, *words: object) -> str:
    command = [str(word) for word in (installed / "bin" / "braid", *words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


QUICK = ["--set", "topology.width=4", "--set", "topology.height=4", "--set", "simulation.measure_cycles=10000"]
PLAIN = """
[traffic]
pattern = "opposite"
rate_flits_per_node_cycle = 0.1
"""


def test_a_plugins_policy_is_listed_with_its_origin_and_runs(installed: Path, opposite: Path, tmp_path: Path) -> None:
    experiment = tmp_path / "opposite.toml"
    experiment.write_text(PLAIN)
    plain = braid(installed, "list", "traffic.pattern")
    with_it = braid(installed, "list", "traffic.pattern", "--plugin", opposite)
    new = [line for line in with_it.splitlines() if line not in plain.splitlines()]
    assert [" ".join(line.split()) for line in new] == ["opposite the node of the other end (from libopposite.so)"]
    assert "opposite" in braid(installed, "--plugin", opposite, "--help")
    assert "good" in braid(installed, "check", experiment, "--plugin", opposite)
    assert 'unknown traffic pattern "opposite"' in refusal(installed, "check", experiment)
    results = json.loads(braid(installed, "run", experiment, *QUICK, "-q", "--json", "-", "--plugin", opposite))
    assert results["plugins"] == [
        {"file": str(opposite), "policies": [{"axis": "traffic pattern", "name": "opposite"}]}
    ]
    jsonschema.validate(results, json.loads(braid(installed, "list", "schema", "--plugin", opposite)))
    # Node s sends to 15 - s of a 4x4 mesh: |3 - 2x| + |3 - 2y| links.
    far = sum(abs(3 - 2 * x) + abs(3 - 2 * y) for x in range(4) for y in range(4)) / 16
    assert abs(results["classes"][0]["hops_mean_links"] - far) < 0.05
    experiment.write_text(PLAIN.replace("opposite", "uniform"))
    assert "plugins" not in json.loads(braid(installed, "run", experiment, *QUICK, "-q", "--json", "-"))


def test_a_library_is_found_by_its_path_alone(installed: Path, opposite: Path) -> None:
    """A bare name is a file of this folder, not of the system's."""
    command = [installed / "bin" / "braid", "--plugin", opposite.name, "list", "traffic.pattern"]
    done = subprocess.run(command, cwd=opposite.parent, capture_output=True, text=True, check=False)
    assert "(from libopposite.so)" in done.stdout
    assert "cannot be read" in refusal(installed, "list", "--plugin", opposite.name)
    assert "cannot be read" in refusal(installed, "list", "--plugin", opposite.parent)
    assert "expected each library once" in refusal(installed, "list", "--plugin", opposite, "--plugin", opposite)


def test_what_is_no_plugin_is_refused_before_it_is_loaded(installed: Path, tmp_path: Path) -> None:
    text = tmp_path / "libtext.so"
    text.write_text("nothing")
    libz = next(Path("/lib").glob("*-linux-gnu/libz.so.1"), None) or next(Path("/usr/lib").rglob("libz.so.1"))
    for file in (text, libz, installed / "bin" / "braid"):
        said = refusal(installed, "list", "--plugin", file)
        assert f"--plugin {file}"[:60] in said  # a long word of a message is cut
        assert " is no plugin of Braid: expected a library that links Braid::plugin" in said


def test_a_plugin_of_another_braid_is_refused_before_it_is_loaded(installed: Path, opposite: Path) -> None:
    """One header differs in a word: the interface's hash says so. Loaded, this library would make a file."""
    other = SCRATCH / "other_headers"
    shutil.rmtree(other, ignore_errors=True)
    include = installed / "include" / "braid"
    stamp = (include / "braid_stamp.h").read_text()
    begin = stamp.index("(interface ") + len("(interface ")
    mine = stamp[begin : begin + 12]
    other.mkdir()
    (other / "braid_stamp.h").write_text(stamp.replace(mine, "0123456789ab").replace("Braid 0.1.0", "Braid 0.0.9"))
    trace = SCRATCH / "was_loaded"
    trace.unlink(missing_ok=True)
    source = f'#include <cstdio>\nstd::FILE* const file = std::fopen("{trace}", "w");\n'
    library = make(installed, "other", source, f"-I{other}")
    good = make(installed, "same", source)
    said = refusal(installed, "list", "--plugin", library)
    assert "was built against Braid 0.0.9 (interface 0123456789ab), this is Braid 0.1.0 (interface " in said
    assert mine in said
    assert not trace.exists(), "nothing of it ran"
    braid(installed, "list", "--plugin", good)
    assert trace.exists()
    checked = make(installed, "checked", source, "-D_GLIBCXX_DEBUG")
    assert "with _GLIBCXX_DEBUG, this is" in refusal(installed, "list", "--plugin", checked)


def test_a_name_that_is_there_is_refused(installed: Path, opposite: Path) -> None:
    twice = make(installed, "twice", PATTERN, '-DNAME="uniform"')
    said = refusal(installed, "list", "--plugin", twice)
    assert 'traffic pattern "uniform" is registered twice: by the program itself and by libtwice.so' in said
    copy = SCRATCH / "libcopy.so"
    shutil.copy(opposite, copy)
    said = refusal(installed, "list", "--plugin", opposite, "--plugin", copy)
    assert 'traffic pattern "opposite" is registered twice: by libopposite.so and by libcopy.so' in said


def test_a_library_that_cannot_be_loaded_is_said(installed: Path) -> None:
    undefined = make(installed, "undefined", UNDEFINED)
    assert "cannot be loaded: " in refusal(installed, "list", "--plugin", undefined)
    assert "nobody_has_this" in refusal(installed, "list", "--plugin", undefined)


def test_no_option_without_a_file(installed: Path) -> None:
    assert "--plugin" in refusal(installed, "list", "--plugin")

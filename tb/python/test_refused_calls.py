"""Calls that the program refuses: what it says, in one line, and that nothing is written then."""

import subprocess
from pathlib import Path

import pytest
from braid_tools.program import BRAID, ROOT

MESH = str(ROOT / "tb" / "experiments" / "mesh_uniform.toml")
RADIO = str(ROOT / "tb" / "experiments" / "fm_radio.toml")
PROGRAM = str(ROOT / "traffic" / "streams" / "programs" / "fm_radio.str")
OF_STREAMS = f"{MESH}: --toml and --dot are of stream programs: expected a section [stream]"


def refused(folder: Path, *words: str) -> tuple[int, str]:
    """The status, and the line without the program's name."""
    before = sorted(folder.iterdir())
    done = subprocess.run([BRAID.absolute(), *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert sorted(folder.iterdir()) == before
    line, end = done.stderr[:-1], done.stderr[-1:]
    assert (end, line.count("\n")) == ("\n", 0), done.stderr
    return done.returncode, line.removeprefix("braid: ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["circuits", MESH], f"{MESH}: braid circuits: expected a section [stream]"),
        (["paths", MESH, "--toml", "x"], OF_STREAMS),
        (["paths", MESH, "--dot", "x"], OF_STREAMS),
        (["paths", MESH, "--toml", "x", "--dot", "y"], OF_STREAMS),
        (
            ["circuits", RADIO, "--layouts", "2", "--paths", "x"],
            "--paths: those of one layout; expected no disjoint.layouts",
        ),
        (
            ["paths", MESH, "--check"],
            '--check is about paths that sources choose: expected routing.algorithm = "source_routed"',
        ),
        (
            ["run", MESH, "--stdin-filename", "y"],
            "--stdin-filename: expected - in the experiment's place, which is standard input",
        ),
        (
            ["run", MESH, "--network", "tentacle"],
            f"--network: {MESH} says itself what the network is; expected a StreamIt program (.str)",
        ),
        (
            ["run", MESH, "--mesh", "4x4"],
            f"--mesh: {MESH} says itself what the network is; expected a StreamIt program (.str)",
        ),
        (
            ["run", MESH, "--json", "-", "--watch", "source=1"],
            "--json - and the watched packets both go to standard output: expected a file for watch.file",
        ),
        (["run", MESH, "--seeds", "2", "--draw", "x.svg"], "--seeds: each seed would write --draw x.svg; expected "),
        (["partition", MESH], f"braid partition {MESH}: expected a StreamIt program (.str)"),
        (["run", "-", "--seeds", "2"], "--seeds: standard input is read once; expected an experiment's file"),
    ],
)
def test_bad_input_is_a_line(words: list[str], says: str, tmp_path: Path) -> None:
    status, line = refused(tmp_path, *words)
    assert (status, line[: len(says)]) == (2, says)


@pytest.mark.parametrize("mesh", ["4", "4x", "x4", "x", "0x4", "4x0", "4x4x4", "4X4", "4x 4", "-4x4", "1000000000x4"])
def test_a_mesh_has_two_sides(mesh: str, tmp_path: Path) -> None:
    assert refused(tmp_path, "check", PROGRAM, "--mesh", mesh) == (
        2,
        f"--mesh {mesh}: expected WIDTHxHEIGHT, such as 4x4",
    )


@pytest.mark.parametrize(("mesh", "side"), [("999999999x4", "width"), ("4x999999999", "height"), ("1025x4", "width")])
def test_a_side_of_nine_digits_is_judged_by_its_key(mesh: str, side: str, tmp_path: Path) -> None:
    length = max(mesh.split("x"), key=len)
    assert refused(tmp_path, "check", PROGRAM, "--mesh", mesh) == (
        2,
        f"--mesh {mesh}: topology.{side} = {length}: expected integer, 1 to 1024",
    )


def test_a_new_experiment_takes_nobodys_place(tmp_path: Path) -> None:
    """Neither the experiment nor, of streams, the program that is written beside it."""
    expected = "is there already: expected the name of a new file, braid new KIND FILE.toml"
    (tmp_path / "mine.toml").write_text("mine")
    assert refused(tmp_path, "new", "mesh", "mine.toml") == (2, f"mine.toml {expected}")
    (tmp_path / "streams.str").write_text("mine")
    assert refused(tmp_path, "new", "streams", "other.toml") == (2, f"streams.str {expected}")
    assert [file.read_text() for file in sorted(tmp_path.iterdir())] == ["mine", "mine"]


def crowded(folder: Path) -> list[str]:
    """Words for three streams out of a corner, which has two links."""
    graph = folder / "crowded.toml"
    actors = ", ".join(f'{{name = "{name}", work = 1, tile = {tile}}}' for tile, name in enumerate(["hub", *"bcd"]))
    edges = ", ".join(f'{{from = "hub", to = "{name}"}}' for name in "bcd")
    graph.write_text(f'name = "crowded"\nactor = [{actors}]\nedge = [{edges}]\n')
    settings = {"topology.width": 2, "topology.height": 2, "stream.graph": graph, "disjoint.sequential_orders": 1}
    return [RADIO, *(word for key, value in settings.items() for word in ("--set", f"{key}={value}"))]


def test_paths_that_no_finder_has_are_not_written(tmp_path: Path) -> None:
    words = ["circuits", *crowded(tmp_path), "--quiet", "--paths", "x"]
    assert refused(tmp_path, *words) == (1, "x: not written, for no finder has paths for all streams")


def test_finders_say_why_there_are_no_circuits(tmp_path: Path) -> None:
    """A row each; behind that of whoever knows, the cut: all of it in a result, too."""
    words = ["circuits", *crowded(tmp_path)]
    table = subprocess.run([BRAID.absolute(), *words], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    lines = table.splitlines()
    assert lines[0] == "crowded: 3 streams on mesh 2x2; 2 on the fullest link under x_first"
    assert lines[1].split() == ["finder", "answer", "links", "longest", "tries", "CPU", "s"]
    rows = {line.split()[0]: line.split() for line in lines[2:] if not line.startswith(" ")}
    assert list(rows) == ["exact", "negotiated", "sequential", "tentacle"]
    assert rows["exact"][1] == "none"
    assert {rows[name][1] for name in ("negotiated", "sequential", "tentacle")} == {"unknown"}
    why = "3 streams leave (0,0) (actor hub), which has 2 links"
    assert [line for line in lines if line.startswith(" ")] == [f"  proof: {why}"]
    assert lines[3] == f"  proof: {why}", "behind the first"
    done = subprocess.run([BRAID.absolute(), *words, "--json", "-"], cwd=tmp_path, capture_output=True, check=True)
    assert f'"because": "{why}"' in done.stdout.decode()

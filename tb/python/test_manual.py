"""`braid --help`: what its synopsis, its commands and its options say is what the command line takes."""

import functools
import os
import re
import subprocess

import pytest
from braid_tools.program import BRAID, ROOT, braid


@functools.cache
def manual() -> dict[str, list[str]]:
    """The lines under each heading."""
    sections: dict[str, list[str]] = {}
    for line in braid("--help").splitlines():
        if line and not line.startswith(" "):
            sections[line.split(" (")[0]] = []
        elif line:
            sections[list(sections)[-1]].append(line)
    return sections


def rows(lines: list[str]) -> dict[str, str]:
    """Names and texts, which all begin in one column."""
    names: dict[str, str] = {}
    for line in lines:
        if not line.startswith(" " * 5):
            name, _, text = line.strip().partition("  ")
            names[name] = text.strip()
        else:
            names[list(names)[-1]] += " " + line.strip()
    return names


def refused(*words: str) -> str:
    done = subprocess.run([BRAID, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    return done.stderr


def synopsis() -> list[str]:
    """A call each, on one line."""
    calls: list[str] = []
    for line in manual()["SYNOPSIS"]:
        if line.startswith("    braid "):
            calls.append(line.strip())
        else:
            calls[-1] += " " + line.strip()
    return calls


def test_its_sections_stand_in_order() -> None:
    assert list(manual()) == [
        "NAME",
        "SYNOPSIS",
        "COMMANDS",
        "EXPERIMENT.toml may be -, standard input: braid run - < mesh.toml",
        "OPTIONS",
        "AXES",
        "NETWORKS of a StreamIt program",
        "KINDS of braid new",
        "EXIT STATUS",
        "EXAMPLES",
    ]
    assert len(manual()["NAME"]) == 1


def test_the_synopsis_is_made_of_words_that_mean_something() -> None:
    """Commands, names in capitals, options in brackets, alternatives: nothing else, and no bracket is left open."""
    word = r"[A-Z]\w*(?:\.(?:toml|str))?|[a-z]+\.[a-z]+=value|[A-Z]+=[A-Z]+|OPERATION=NAME|FIGURE CHANGE|WIDTHxHEIGHT"
    part = (
        rf"(?:\[--([a-z-]+)(?: (?:{word}|section\.key=value))?\]|\[(?:{word})\]|{word}|[a-z]+(?:\|[a-z]+)*)(?:\.\.\.)?"
    )
    part = rf"{part}|[A-Z.a-z]+\|[A-Z.a-z]+"
    options = set(rows(manual()["OPTIONS"]))
    names = {option.split()[0].removeprefix("--"): option for option in options}
    known = {command: braid("complete-words", command, "--") for command in rows(manual()["COMMANDS"])}
    for call in synopsis():
        rest = call.removeprefix("braid ")
        commands, _, rest = rest.partition(" ")
        for command in commands.split("|"):
            assert command in rows(manual()["COMMANDS"]), call
        while rest:
            found = re.match(rf"(?:{part})(?: |$)", rest)
            assert found, f"{call}: {rest}"
            if found[1]:
                option = names[found[1]]
                assert found[0].strip().strip(".") == f"[{option}]", "its argument is the one of the options' list"
                for command in commands.split("|"):
                    assert f"--{found[1]}\t" in known[command], call
            rest = rest[found.end() :]


def test_every_command_has_a_line_of_the_synopsis_and_a_text() -> None:
    commands = rows(manual()["COMMANDS"])
    called = {command for call in synopsis() for command in call.split()[1].split("|")}
    assert set(commands) == called
    assert all(text.endswith(".") for text in commands.values())
    proposed = dict(line.split("\t") for line in braid("complete-words", "").splitlines())
    assert proposed == commands


def test_every_option_is_listed_with_its_argument() -> None:
    options = rows(manual()["OPTIONS"])
    assert len(options) > 60
    assert all(text.endswith(".") for text in options.values())
    assert {option for option in options if " " not in option} == {
        "--check", "--lift", "--strict", "--quiet", "--help", "--version", "--saturation", "--retry-failed"
    }  # fmt: skip
    files = {option.split()[0] for option in options if option.endswith(" FILE")}
    assert files == {
        "--stdin-filename", "--json", "--trace", "--log", "--record-trace", "--checkpoint", "--from", "--plan",
        "--toml", "--graphml", "--dot", "--draw", "--paths", "--mermaid", "--plugin", "--groups", "--store", "--plot",
        "--csv", "--parquet", "--output", "--series"
    }  # fmt: skip
    numbers = {option.split()[0] for option in options if option.endswith(" N")}
    assert numbers == {
        "--threads", "--layouts", "--tiles", "--seeds", "--flit-bytes", "--packet-flits", "--segments", "--at-once",
        "--every", "--cycles", "--points", "--workers"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["list", "--json"], "the required argument for option '--json' is missing; see braid --help"),
        (["list", "--quiet=1"], "option '--quiet' does not take any arguments; see braid --help"),
        (["list", "--threads", "1", "--threads", "2"], "option '--threads' cannot be specified more than once"),
        (["schema", "x"], "braid schema: expected no argument; see braid --help"),
        (["list", "a", "b"], "braid list: expected at most one argument; see braid --help"),
        (["check"], "braid check: expected one argument; see braid --help"),
        (["check", "a", "b"], "braid check: expected one argument; see braid --help"),
        (["list", ""], 'braid list "": expected the name of an axis'),
        (["check", ""], 'braid check "": expected the name of a file'),
        (["list", "--layouts", "2"], "--layouts: expected braid circuits; see braid --help"),
        (["graph", "p.str", "--toml", "x"], "--toml: expected braid partition, paths; see braid --help"),
        (["run", "x.toml", "--rtl", ""], "--rtl: expected the name of a folder"),
        (["run", "x.toml", "--seeds", "100001"], "--seeds 100001: expected integer, 2 to 100000"),
        (["run", "x.toml", "--seeds", "1000000"], "--seeds 1000000: expected integer, 2 to 100000"),
        (["run", "x.toml", "--seeds", "two"], "--seeds two: expected integer, 2 to 100000"),
        (["run", "/no/x.toml", "--seeds", "100000"], "/no/x.toml: cannot be read: expected an experiment"),
        (["run", "/no/x.toml", "--seeds", "2"], "/no/x.toml: cannot be read: expected an experiment"),
        (["--quiet", "sweep", "x.toml"], "expected the command first, its options behind it; see braid --help"),
        (["run", "x.toml", "--mesh", "4x4"], "--mesh: x.toml says itself what the network is; expected a StreamIt"),
        (["run", "x.toml", "--stdin-filename", "y"], "--stdin-filename: expected - in the experiment's place"),
        (["partition", "x.toml"], "braid partition x.toml: expected a StreamIt program (.str)"),
    ],
)
def test_what_the_command_line_does_not_take(words: list[str], says: str) -> None:
    assert refused(*words).startswith(f"braid: {says}")


@pytest.mark.parametrize("letters", ["-qh", "-hq", "-h"])
def test_letters_stand_for_options(letters: str) -> None:
    assert braid(letters) == braid("--help")


def test_quiet_has_a_letter() -> None:
    paths = ["paths", ROOT / "tb" / "experiments" / "mesh_uniform.toml"]
    assert braid(*paths, "-q") == braid(*paths, "--quiet") == ""
    assert "(most on a link: " in braid(*paths)


def at_columns(columns: str | None, *words: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    environment |= {} if columns is None else {"COLUMNS": columns}
    done = subprocess.run([BRAID, *words], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.splitlines()


def test_it_is_as_wide_as_there_are_columns() -> None:
    """80 where nobody says, 40 at least; words are whole, and texts stay in their column."""

    def options(columns: str | None) -> list[str]:
        lines = at_columns(columns, "--help")
        return lines[lines.index("COMMANDS") + 1 : lines.index("OPTIONS") - 3]  # what is between is as it is

    usual = options("80")
    assert max(map(len, usual)) in range(76, 81)
    for columns in (None, "", "0", "many"):
        assert options(columns) == usual, columns
    assert max(map(len, options("120"))) in range(114, 121)
    assert options("10") == options("40") != options("41")
    assert all(len(line) <= 40 or len(line.split()) == 1 for line in options("40")), "but for a word that is longer"
    assert max(len(line) for line in options("40") if len(line.split()) > 1) in (39, 40)
    assert " ".join(" ".join(usual).split()) == " ".join(" ".join(options("120")).split())


def test_a_map_has_as_many_columns_of_routers_as_there_is_room_for() -> None:
    """16 a router: the eight of a row are in one block with 128, in blocks of seven and one with 127."""
    mesh = [str(ROOT / "tb" / "experiments" / "mesh_uniform.toml"), "--set", "traffic.pattern=transpose"]

    def blocks(columns: str) -> list[int]:
        rows = [line for line in at_columns(columns, "paths", *mesh) if line.startswith("(")]
        return [line.count("(") for line in rows]

    assert blocks("128") == [8] * 8
    assert blocks("127") == [7] * 8 + [1] * 8
    assert blocks("80") == [5] * 8 + [3] * 8
    assert blocks("1") == [2] * 32, "40 columns at least"


def test_networks_and_kinds_are_those_that_are_proposed() -> None:
    networks = rows(manual()["NETWORKS of a StreamIt program"])
    everywhere = networks.pop("all")
    assert list(networks) == ["pull_x_first", "pull_adaptive", "push_x_first", "push_adaptive", "tentacle", "ideal"]
    assert everywhere == (
        "topology.kind = mesh, topology.local_ports = 4, router.vcs = 4, router.buffer_depth = 8, "
        "routing.algorithm = x_first, stream.computation_scaling = 0.001, interface.stream_queue_items = 0, "
        "simulation.until = iterations 8; --set changes them, the results echo them"
    ).replace("= mesh", '= "mesh"').replace("= x_first", '= "x_first"').replace("= iterations 8", '= "iterations 8"')
    proposed = dict(line.split("\t") for line in braid("complete-words", "run", "p.str", "--network", "").splitlines())
    assert proposed == networks
    kinds = dict(line.split("\t") for line in braid("complete-words", "new", "").splitlines())
    assert kinds == rows(manual()["KINDS of braid new"])


def test_axes_have_their_policies() -> None:
    """In the order in which `braid list` has them."""
    policies: dict[str, list[str]] = {}
    for line in braid("list").splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            policies[list(policies)[-1]].append(line.split()[0])
        elif line and not line.startswith(" "):
            policies[line] = []
    axes = rows(manual()["AXES"])
    assert {key: names.split(", ") for key, names in axes.items()} == {key: policies[key] for key in axes}
    assert len(axes) > 20


def test_statuses_are_those_of_the_program() -> None:
    status = rows(manual()["EXIT STATUS"])
    assert list(status) == ["0", "1", "2", "3", "4", "130"]
    assert status["2"] == "bad input, nothing written"


def test_examples_are_calls_of_the_program() -> None:
    """Each of them is taken by `braid check`, which knows the options of `braid run`, but for those of `new`."""
    text = "\n".join(manual()["EXAMPLES"]).replace("\\\n", " ")
    calls = [line.split() for line in text.splitlines()]
    assert [call[:2] for call in calls] == [["braid", "run"]] * 3 + [["braid", "new"]] + [["braid", "run"]]
    for _, command, *words in calls:
        proposed = braid("complete-words", command, "--").split()
        for word in words:
            assert not word.startswith("--") or word in proposed

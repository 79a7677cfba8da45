"""Completion, asked of the shells themselves: each loads its script and completes a line as at a terminal."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from braid_tools.program import BRAID, braid

#: Reads the line, calls the function that the script registers, prints what it proposes.
BASH = """
source <("$BRAID" completion bash)
complete -p braid >/dev/null
COMP_LINE=$1 COMP_POINT=${#1}
_braid || exit 1
printf '%s\\n' "${COMPREPLY[@]}"
"""

#: A shell at a terminal of its own: Tab, Tab lists.
ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
ask() { zpty -w shell "$1" }
ask 'PS1=; autoload -U compinit; compinit -u -d $TMP/dump; LISTMAX=10000; unsetopt beep; zle_highlight=()'
ask 'source <($BRAID completion zsh); zstyle ":completion:*" list-separator "--"; stty cols 200; echo READY'
zpty -r -m shell line '*READY*READY*'
zpty -w -n shell "$1"$'\\t\\t'
sleep 0.2
zpty -w -n shell $'\\C-u'
zpty -w shell 'echo DO''NE'
zpty -r -m shell line '*DONE*'
print -r -- "$line"
"""

FISH = """
source (%s completion fish | psub)
complete -C "$argv[1]"
"""


def words(output: str) -> set[str]:
    return set(output.split())


def ask(shell: str, line: str, folder: Path) -> set[str]:
    """What the shell proposes for the line, as words: zsh and fish add what each means."""
    environment = {
        **os.environ,
        "BRAID": str(BRAID.absolute()),
        "PATH": f"{BRAID.absolute().parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "TMP": str(folder),
        "TERM": "dumb",
    }
    script = {"bash": BASH, "zsh": ZSH, "fish": FISH % BRAID.absolute()}[shell]
    arguments = [shell, "-c", script, line] if shell == "fish" else [shell, "-c", script, shell, line]
    done = subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return words(done.stdout)


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request: pytest.FixtureRequest) -> str:
    assert shutil.which(request.param), f"{request.param} is missing: scripts/setup installs it"
    return request.param


def test_commands(shell: str, tmp_path: Path) -> None:
    proposed = ask(shell, "braid ", tmp_path)
    assert {"run", "check", "paths", "circuits", "new", "schema", "list", "completion"} <= proposed


def test_options_of_the_command(shell: str, tmp_path: Path) -> None:
    assert {"--layouts", "--set", "--json"} <= ask(shell, "braid circuits --", tmp_path)
    assert "--layouts" not in ask(shell, "braid run --", tmp_path)


def test_keys_and_their_values(shell: str, tmp_path: Path) -> None:
    keys = ask(shell, "braid run mesh.toml --set traffic.", tmp_path)
    assert {"traffic.pattern=", "traffic.process="} <= keys
    values = ask(shell, "braid run mesh.toml --set traffic.pattern=t", tmp_path)
    proposed = {word.removeprefix("traffic.pattern=") for word in values}
    assert {"tornado", "transpose"} <= proposed
    assert "uniform" not in proposed


def test_kinds_axes_and_networks(shell: str, tmp_path: Path) -> None:
    assert {"mesh", "torus", "streams"} <= ask(shell, "braid new ", tmp_path)
    assert {"router.architecture", "router.arbiter"} <= ask(shell, "braid list router.a", tmp_path)
    assert {"tentacle", "ideal"} <= ask(shell, "braid run fm.str --network ", tmp_path)


def test_files(shell: str, tmp_path: Path) -> None:
    for name in ("one.toml", "two.str", "three.csv"):
        (tmp_path / name).write_text("")
    proposed = ask(shell, "braid run ", tmp_path)
    assert {"one.toml", "two.str"} <= proposed
    assert "three.csv" not in proposed
    assert {"one.toml", "three.csv"} <= ask(shell, "braid run one.toml --json ", tmp_path)


def proposed_by_braid(*line: str) -> set[str]:
    return {word.split("\t")[0] for word in braid("complete-words", *line).splitlines()}


def test_every_command_and_every_flag_of_the_manual_is_proposed() -> None:
    manual = braid("--help")
    flags = {word for word in manual.split() if word.startswith("--")}
    flags = {flag.strip("[].,;:()") for flag in flags}
    commands = proposed_by_braid("")
    assert commands >= {"run", "styles", "modules", "partition", "graph"}
    proposed = set().union(*(proposed_by_braid(command, "--") for command in commands))
    assert {flag for flag in flags if flag.islower()} <= proposed


def test_true_and_false_are_values() -> None:
    line = ["run", "x.toml", "--set", "traffic.request_reply="]
    assert proposed_by_braid(*line) == {"traffic.request_reply=true", "traffic.request_reply=false"}


@pytest.mark.parametrize(
    ("line", "endings"),
    [
        (["run", ""], ".toml .str"),
        (["run", "x.toml", ""], None),
        (["-q", "run", ""], ".toml .str"),
        (["run", "--threads", "2", ""], ".toml .str"),
        (["run", "--quiet", "x.toml", ""], None),
        (["graph", "a.str", "b.str", ""], ".str"),
        (["partition", ""], ".str"),
        (["partition", "a.str", ""], None),
        (["modules", "x.toml", ""], None),
        (["new", "mesh", ""], ".toml"),
        (["new", "mesh", "x.toml", ""], None),
        (["schema", ""], None),
        (["list", "topology.kind", ""], None),
        (["completion", "bash", ""], None),
        (["import", "booksim", ""], "any"),
        (["compare", "a", ""], "any"),
        (["run", "x.toml", "--json", ""], "any"),
        (["report", "a", "-o", ""], "any"),
        (["run", "x.toml", "--rtl", ""], "/"),
        (["run", "x.toml", "--threads", ""], None),
        (["nonesuch", ""], ".toml .str"),
    ],
)
def test_which_files_may_stand_there(line: list[str], endings: str | None) -> None:
    files = [line for line in braid("complete-words", *line).splitlines() if line.startswith(":files")]
    assert files == ([] if endings is None else [f":files\t{endings}"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["comp"], {"compare", "completion"}),
        (["--threads", "2", "comp"], {"compare", "completion"}),
        (["run", "--wat"], {"--watch"}),
        (["paths", "--wat"], set()),
        (["watch", "x.toml", "--se"], {"--set", "--series"}),
        (["--ver"], {"--version"}),
        (["run", "--ver"], {"--version"}),
        (["import", ""], {"booksim"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["list", "ke"], {"keys"}),
        (["list", "fig"], {"figures"}),
        (["run", "x.toml", "--set", "topology.wid"], {"topology.width="}),
        (["sweep", "x.toml", "--vary", "topology.wid"], {"topology.width="}),
        (["run", "x.toml", "--set", "topology.kind=m"], {"topology.kind=mesh"}),
        (["run", "x.toml", "--set", "topology.width="], set()),
        (["run", "x.toml", "--set", "no.key="], set()),
        (["run", "x.str", "--partition", ""], {"dynamic_programming", "greedy"}),
        (["run", "x.str", "--network", "p"], {"pull_x_first", "pull_adaptive", "push_x_first", "push_adaptive"}),
        (["run", "x.toml", "--mesh", ""], set()),
    ],
)
def test_which_words_may_stand_there(line: list[str], words: set[str]) -> None:
    assert proposed_by_braid(*line) - {":files"} == words


def test_a_value_is_proposed_once_with_what_it_means(monkeypatch: pytest.MonkeyPatch) -> None:
    """`braid list` says the same of it, in one line where nobody asks for narrow ones."""
    monkeypatch.delenv("COLUMNS", raising=False)
    listed = [line.split(maxsplit=1) for line in braid("list", "topology.kind").splitlines()[1:]]
    line = ["run", "x.toml", "--set", "topology.kind="]
    proposed = [line.split("\t") for line in braid("complete-words", *line).splitlines()]
    assert proposed == [[f"topology.kind={name}", text] for name, text in listed]
    keys = [line.split("\t")[0] for line in braid("complete-words", "run", "x.toml", "--set", "").splitlines()]
    assert sorted(keys) == sorted({f"{line.split()[0]}=" for line in braid("list", "keys").splitlines()[1:]})


def test_flags_are_proposed_for_the_commands_that_take_them() -> None:
    """Of each option that another command has: the refusal names all commands that take it."""
    commands = [line.split("\t")[0] for line in braid("complete-words", "").splitlines()]
    proposed = {command: proposed_by_braid(command, "--") for command in commands}
    for flag, argument in (("--json", "x"), ("--set", "a.b=c"), ("--lift", None), ("--draw", "x"), ("--columns", "a")):
        words = ["schema", flag] if argument is None else ["schema", flag, argument]
        done = subprocess.run([str(BRAID), *words], capture_output=True, text=True, check=False)
        takers = done.stderr.removeprefix(f"braid: {flag}: expected braid ").removesuffix("; see braid --help\n")
        assert takers != done.stderr
        assert {command for command in commands if flag in proposed[command]} == set(takers.split(", ")), flag
    for command in commands:
        assert {"--quiet", "--help", "--version", "--plugin"} <= proposed[command], command


def test_folders(shell: str, tmp_path: Path) -> None:
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl.txt").write_text("")
    proposed = {word.rstrip("/") for word in ask(shell, "braid run x.toml --rtl r", tmp_path)}
    assert "rtl" in proposed
    assert "rtl.txt" not in proposed


def test_a_shell_that_nobody_knows() -> None:
    done = subprocess.run([str(BRAID), "completion", "csh"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert 'unknown shell "csh" (did you mean "zsh"?); known: bash, zsh, fish' in done.stderr

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
_braid
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


def test_a_shell_that_nobody_knows() -> None:
    done = subprocess.run([str(BRAID), "completion", "csh"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert 'unknown shell "csh" (did you mean "zsh"?); known: bash, zsh, fish' in done.stderr

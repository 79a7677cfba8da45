"""Projects of somebody else's: the installed package, once for all tests, and the commands of a README, run as they
stand.

A README's commands are its code blocks that are indented by four blanks, or fenced as `sh` or `console`. In a
block with lines that begin with `$ `, those are the commands and the others what they print (`...`: anything);
else every line is a command. A command with `<<'END'` goes on up to the line `END`. A comment `# exits with N`
says an exit status other than 0. `/where/you/like` is the prefix of the package."""

from __future__ import annotations

import functools
import os
import re
import resource
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from braid_tools.program import BRAID, ROOT

BUILD = BRAID.parent
EXAMPLES = ROOT / "tb" / "examples"
SCRATCH = BUILD / "user_projects"  # always the same folder, for the compiler's cache
PREFIX = "/where/you/like"
COMPILER = ["ccache", "g++"] if shutil.which("ccache") else ["g++"]
STATUS = re.compile(r"#\s*exits with (\d+)")
FENCE = re.compile(r"^```(?:sh|console|bash)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)


@dataclass
class Command:
    """A line of a README, what it is to print and its exit status."""

    line: str
    output: list[str] = field(default_factory=list)
    status: int = 0

    @property
    def here_document(self) -> bool:
        """Does it go on in the next line, up to END?"""
        return "<<'END'" in self.line and not self.line.endswith("\nEND")

    #: What it took when it was followed; a processor's seconds hardly hang on how busy the machine is.
    processor_seconds: float = 0.0
    seconds: float = 0.0


class NotAsWrittenError(AssertionError):
    """A command of a README does something else than the README says."""


def blocks(text: str) -> list[str]:
    """The blocks of commands, in the order of the text."""
    found = [(m.start(), m[1]) for m in FENCE.finditer(text)]
    without = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", ".", m[0]), text, flags=re.MULTILINE | re.DOTALL)
    for m in INDENTED.finditer(without):
        found.append((m.start(), re.sub(r"^    ", "", m[0], flags=re.MULTILINE)))
    return [block for _, block in sorted(found)]


def commands(text: str) -> list[Command]:
    """All commands of a README."""
    found: list[Command] = []
    for block in blocks(text):
        prompts = block.startswith("$ ") or "\n$ " in block
        for line in block.replace("\\\n", " ").splitlines():
            if found and found[-1].here_document:
                found[-1].line += "\n" + line
                continue
            if not line.strip():
                continue
            if prompts and not line.startswith("$ "):
                found[-1].output.append(line.strip())
                continue
            status = STATUS.search(line)
            found.append(Command(line.removeprefix("$ "), status=int(status[1]) if status else 0))
    return found


def environment() -> dict[str, str]:
    """Ninja, the compiler's cache, and neither optimization nor lines, which cost a sixth, where the project does not
    choose."""
    chosen = {"CMAKE_GENERATOR": "Ninja", "CMAKE_BUILD_TYPE": "None", "CMAKE_COLOR_DIAGNOSTICS": "OFF"}
    if shutil.which("ccache"):
        chosen["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    inherited = {name: value for name, value in os.environ.items() if name != "COLUMNS"}  # pytest's may have it
    return inherited | chosen


def run(*command: object, **more: str) -> str:
    """Runs a command that must succeed; what it prints."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**environment(), **more})
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def install(prefix: Path) -> Path:
    """The package of BUILD under `prefix`, where it has been moved to from where it was installed."""
    staging = prefix.with_name("installed_elsewhere")
    for folder in (prefix, staging):
        shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "--install", BUILD, "--prefix", staging)
    staging.rename(prefix)
    return prefix


def missing(output: list[str], printed: str) -> str | None:
    """The first expected line that was not printed, in this order; `...` in a line stands for anything."""
    lines = iter(printed.splitlines())
    for expected in output:
        if expected == "...":
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in expected.split("...")))
        if not any(pattern.search(line) for line in lines):
            return expected
    return None


def processor_seconds() -> float:
    """What the processes took that this one has started and that are over."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def follow(readme: Path, prefix: Path, folder: Path, variables: dict[str, str] | None = None) -> list[Command]:
    """Runs a README's commands from the empty folder `folder`, one after the other. The folder has links to Braid's tb/
    and traffic/, where a README names files of theirs. Raises NotAsWrittenError. `variables`: of the environment, in
    place of those of the tests."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("tb", "traffic"):
        (folder / name).symlink_to(ROOT / name)
    all_commands = commands(readme.read_text())
    for command in all_commands:
        if command.line.startswith("cmake --install"):
            continue  # `prefix` has it
        line = command.line.replace(PREFIX, str(prefix))
        begin, used = time.monotonic(), processor_seconds()
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            cwd=folder,
            env=environment() if variables is None else variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=600,
        )
        command.seconds, command.processor_seconds = time.monotonic() - begin, processor_seconds() - used
        if done.returncode != command.status:
            raise NotAsWrittenError(f"{command.line}: status {done.returncode}\n{done.stdout}")
        if (lacks := missing(command.output, done.stdout)) is not None:
            raise NotAsWrittenError(f"{command.line}: did not print {lacks!r} but\n{done.stdout}")
    return all_commands


@functools.cache
def followed(name: str, prefix: Path) -> tuple[Path, list[Command]]:
    """The README of a folder of tb/examples, followed once for all tests: where, and its commands."""
    folder = SCRATCH / name
    return folder, follow(EXAMPLES / name / "README.md", prefix, folder)

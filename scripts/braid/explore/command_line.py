"""What the commands of Python share: their door, options, complaints, output."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from braid.child import output_of
from braid.errors import BraidError, InputError
from braid.explore.vary import value_of

#: Command -> module with main(words) and arguments(). The program's table of commands has the same names.
COMMANDS = {
    "chakra": "braid.collectives.chakra_command",
    "compare": "braid.explore.compare_command",
    "import": "braid.booksim.import_command",
    "report": "braid.explore.report_command",
    "results": "braid.explore.results_command",
    "sweep": "braid.explore.sweep_command",
    "watch": "braid.explore.watch_command",
}

INTERRUPTED = 130


class Arguments(argparse.ArgumentParser):
    """Options of a command. What each means, the program's table of flags says; complaints are InputErrors."""

    def __init__(self, command: str) -> None:
        super().__init__(prog=f"braid {command}", allow_abbrev=False)
        self.command = command

    def format_help(self) -> str:
        """With the program's texts."""
        texts = dict(line.split("\t", 1) for line in output_of("complete-words", self.command, "--").splitlines())
        commands = dict(line.split("\t", 1) for line in output_of("complete-words", "").splitlines())
        self.description = commands.get(self.command)
        for action in self._actions:
            text = next((texts[name] for name in action.option_strings if name in texts), action.help)
            action.help = text.replace("%", "%%") if text else None
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Something on the command line is wrong."""
        raise InputError(f"{self.prog}: {message}; see {self.prog} --help")

    def parsed(self, words: Sequence[str]) -> argparse.Namespace:
        """The options of these words."""
        return self.parse_args(words)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1 on")
    return int(text)


def above_zero(text: str, what: str = "a number above 0") -> float:
    """A number, below 10^9."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r}: expected {what}")
    return value


def seconds(text: str) -> float:
    """A time above 0."""
    return above_zero(text, "seconds, more than 0")


def settings_of(texts: Sequence[str]) -> dict[str, Any]:
    """Of --set section.key=value."""
    settings = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or "." not in key:
            raise InputError(f"--set {text}: expected section.key=value")
        settings[key.strip()] = value_of(value.strip())
    return settings


def printed(what: Any) -> None:
    """A table of rich, on standard output: as wide as the terminal, in a file as wide as it needs."""
    from rich.console import Console

    console = Console(soft_wrap=False, highlight=False)
    if not sys.stdout.isatty():
        console = Console(width=200, highlight=False)
    with console.capture() as capture:
        console.print(what)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    print("\n".join(line for n, line in enumerate(lines) if line or 0 < n < len(lines) - 1))


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _status(main: Callable[[list[str]], int], words: list[str]) -> int:
    try:
        status = main(words)
        sys.stdout.flush()
        return status
    except BraidError as e:
        print(f"braid: {e}", file=sys.stderr)
        return e.status
    except KeyboardInterrupt:
        print("braid: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stdout = None  # type: ignore[assignment]
        return 128 + signal.SIGPIPE
    except OSError as e:
        print(f"braid: {e.filename}: {e.strerror}" if e.filename else f"braid: {e}", file=sys.stderr)
        return 1


def run(words: list[str]) -> int:
    """`braid COMMAND ...` of a command of Python; the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        module = import_module(COMMANDS[words[0]])
    except ModuleNotFoundError as e:
        print(
            f"braid {words[0]} needs the Python package {e.name}: pip install 'braid-interconnect[explore]'",
            file=sys.stderr,
        )
        return 1
    return _status(module.main, words[1:])

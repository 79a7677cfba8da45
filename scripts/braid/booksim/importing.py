"""From files and settings to an experiment: every row of the table is asked; what Braid has not is refused, all at
once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from braid.booksim.configuration import Configuration
from braid.booksim.grammar import Setting, setting_of_word, settings_of
from braid.booksim.keys import ROWS
from braid.booksim.table import Answer, Fate, Row, Stream
from braid.booksim.writer import Experiment, Said, written
from braid.child import output_of
from braid.errors import InputError

_CHECKED = "imported.toml"


@dataclass(frozen=True)
class Imported:
    """An experiment's text, and what became of the keys that were given."""

    text: str
    said: list[Said]
    beside: dict[str, str]  # files that the experiment names: name -> text

    def count(self, fate: Fate) -> int:
        """Keys that were given, and to which this happened."""
        return len({one.row.key for one in self.said if one.setting and one.answer.fate is fate})

    def differing(self) -> list[Said]:
        """What to know before figures are compared, each once."""
        found = {one.row.key: one for one in self.said if one.answer.fate is Fate.DIFFERS}
        return list(found.values())


def _read(file: str) -> list[Setting]:
    path = Path(file)
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as e:
        why = e.strerror if isinstance(e, OSError) else "it is not UTF-8"
        raise InputError(f"{file}: cannot be read: {why}; expected a configuration of BookSim 2") from None
    return settings_of(text, file)


def settings_of_words(words: Sequence[str]) -> tuple[list[str], list[Setting]]:
    """Files and settings in their order, as BookSim 2 reads its command line: later ones go before."""
    files: list[str] = []
    settings: list[Setting] = []
    for word in words:
        if "=" in word:
            settings.append(setting_of_word(word))
        else:
            files.append(word)
            settings += _read(word)
    if not files:
        raise InputError("braid import booksim: expected a FILE beside KEY=VALUE")
    return files, settings


def _answers(configuration: Configuration) -> list[Said]:
    """Of all rows. Of those that refuse the first one in the table speaks, and names the others."""
    said: list[Said] = []
    refused: dict[str, InputError] = {}

    def ask(row: Row, stream: Stream) -> None:
        asked = configuration.ask(row.key, stream)
        try:
            answer: Answer = row.rule(asked)
        except InputError as e:
            refused.setdefault(row.key, e)
            return
        said.append(Said(row, asked.setting, asked.text, answer, stream))

    streams = configuration.streams()
    for row in ROWS.values():
        for stream in streams if row.section == "traffic" else [Stream(0)]:
            ask(row, stream)
    if refused:
        first, *more = refused
        others = ", ".join(more)
        raise InputError(f"{refused[first]}{f'; refused, too: {others}' if others else ''}")
    return said


def _checked(experiment: Experiment) -> None:
    """Braid's own check; what it refuses is said where the key came from."""
    try:
        with TemporaryDirectory() as folder:
            for name, text in experiment.beside.items():
                (Path(folder) / name).write_text(text)
            file = f"{folder}/{_CHECKED}"
            output_of("check", "-", "--stdin-filename", file, "--quiet", text=experiment.text)
    except InputError as e:
        origin = experiment.origins.get(e.line or 0)
        where = f"{file}:{e.line}:{e.column}: " if e.line else f"{file}: "
        why = str(e).removeprefix(where).replace(f"{folder}/", "")
        if origin and origin.setting:
            raise origin.setting.error(f"Braid refuses what it becomes: {why}") from None
        raise InputError(f"{experiment.files}: Braid refuses what it becomes: {why}") from None


def experiment_of(words: Sequence[str], stem: str = "booksim") -> tuple[Experiment, list[Said]]:
    """Of files and key=value, before Braid has looked at it."""
    files, settings = settings_of_words(words)
    said = _answers(Configuration(settings, ROWS, files[-1], stem))
    return written(said, files, words), said


def imported(words: Sequence[str], name: str) -> Imported:
    """Of files and key=value; `name`: the experiment file's."""
    experiment, said = experiment_of(words, Path(name).stem)
    _checked(experiment)
    return Imported(experiment.text, said, experiment.beside)

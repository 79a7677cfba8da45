"""The experiment file: each key of Braid's beside the key of BookSim's that it came from, and what is to be known of
it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from braid.booksim.grammar import Setting
from braid.booksim.table import Answer, Fate, Row, Stream

SECTIONS = ("experiment", "topology", "network", "router", "routing", "interface", "traffic", "simulation", "energy")
_COLUMNS = 110
_FATES = {Fate.DIFFERS: " differs", Fate.SAME: ", as in Braid", Fate.NO_EFFECT: " has no effect", Fate.MAPPED: ""}
_HEAD = (
    'A packet takes 1 cycle longer here than by BookSim\'s "Packet latency average": a register lies between source '
    'queue and VC choice. classes[].hops_mean_links counts links, its "Hops average" routers, one more.'
)


@dataclass(frozen=True)
class Said:
    """What became of a key, in one section."""

    row: Row
    setting: Setting | None  # None: BookSim's default
    text: str
    answer: Answer
    stream: Stream

    def __str__(self) -> str:
        fate = _FATES[self.answer.fate]
        default = "" if self.setting else ", BookSim's default,"
        note = f": {self.answer.note}" if self.answer.note else ""
        return f"{self.row.key} = {self.text}{default if fate else default.rstrip(',')}{fate}{note}"


@dataclass
class Experiment:
    """Its text, and of each line the key that it came from."""

    files: str
    lines: list[str] = field(default_factory=list)
    beside: dict[str, str] = field(default_factory=dict)  # files that it names: name -> text
    origins: dict[int, Said] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """As a file."""
        return "\n".join(self.lines) + "\n"

    def comment(self, text: str) -> None:
        """Lines behind a #."""
        self.lines += [f"# {line}" for line in textwrap.wrap(text, _COLUMNS, break_long_words=False)]

    def key(self, name: str, value: Any, said: Said | None, comment: str = "") -> None:
        """One key."""
        self.lines.append(f"{name} = {_toml(value)}{f'  # {comment}' if comment else ''}")
        if said:
            self.origins[len(self.lines)] = said


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(round(value, 12))
    return json.dumps(value, ensure_ascii=False)


def _keys_of(said: Said, section: str) -> dict[str, Any]:
    begin = section + "."
    return {key.removeprefix(begin): value for key, value in said.answer.keys.items() if key.startswith(begin)}


def _worth_saying(said: Said) -> bool:
    """A default is worth a line where it is not as in Braid; of other kinds of packets a section says nothing."""
    given = said.setting is not None and (said.answer.note or said.answer.fate is Fate.SAME)
    return bool(given) or said.answer.fate is Fate.DIFFERS


def _section(experiment: Experiment, section: str, all_said: Sequence[Said], head: str, name: str) -> None:
    """Keys first, then what has no effect."""
    here = [said for said in all_said if _keys_of(said, section)]
    silent = [said for said in all_said if said.row.section == section and not said.answer.keys and _worth_saying(said)]
    if not here and not silent and not name:
        return
    experiment.lines.append("")
    experiment.lines.append(head if here or name else f"# {head}")
    if name:
        experiment.key("name", name, None)
    for said in here:
        several = _keys_of(said, section)
        short = len(several) == 1 and not said.answer.note
        if not short:
            experiment.comment(str(said))
        for key, value in several.items():
            experiment.key(key, value, said, str(said) if short else "")
    for said in silent:
        experiment.comment(str(said))


def written(all_said: Sequence[Said], files: Sequence[str], words: Sequence[str]) -> Experiment:
    """The experiment of these answers."""
    experiment = Experiment(files[-1])
    for said in all_said:
        experiment.beside.update(said.answer.files)
    line = " ".join(Path(word).name if word in files else word for word in words)
    experiment.comment(f"From BookSim 2's configuration: braid import booksim {line}")
    experiment.comment(_HEAD)
    streams = sorted(
        {said.stream for said in all_said if said.row.section == "traffic"}, key=lambda s: (s.number, s.kind)
    )
    for section in SECTIONS:
        if section != "traffic":
            others = [said for said in all_said if said.row.section != "traffic"]
            _section(
                experiment, section, others, f"[{section}]", Path(files[-1]).stem if section == "experiment" else ""
            )
            continue
        for stream in streams:
            of_stream = [said for said in all_said if said.stream == stream and said.row.section == "traffic"]
            _section(experiment, section, of_stream, "[[traffic]]" if stream.name else "[traffic]", stream.name)
    return experiment

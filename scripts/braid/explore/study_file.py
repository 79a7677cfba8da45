"""A study file: experiments, keys that vary, linked keys, conditions and seeds, in TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from braid.errors import InputError
from braid.experiment import Experiment
from braid.explore.columns import check_column
from braid.explore.plan import Plan, plan_of
from braid.explore.where import nearest

#: What a study may have, and of which type each is.
KEYS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "experiment": (str, "the name of an experiment file"),
    "experiments": (list, "a list of names of experiment files"),
    "set": (dict, "a table of keys"),
    "vary": (dict, "a table of keys"),
    "linked": (list, "tables of keys, [[linked]]"),
    "only": (list, "a list of conditions"),
    "seeds": (int, "a whole number"),
    "columns": (list, "a list of figures"),
}


def _place(path: Path, text: str, word: str) -> str:
    """FILE:LINE:COLUMN of the first line that begins with a word."""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(rf'\s*\[*\s*"?{re.escape(word)}\b', line)
        if match:
            return f"{path}:{number}:{len(line) - len(line.lstrip()) + 1}"
    return str(path)


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """section.key -> value, whether a table has it as "section.key" or as a table in a table."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        name = before + key
        found |= _flat(value, name + ".") if isinstance(value, dict) else {name: value}
    return found


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Text and content of a TOML file. Raises InputError with the place."""
    try:
        text = path.read_text()
        return text, tomllib.loads(text)
    except OSError as e:
        raise InputError(f"{path}: cannot be read: {e.strerror}; expected an experiment or a study") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: cannot be read: is not UTF-8; expected an experiment or a study") from None
    except tomllib.TOMLDecodeError as e:
        at = re.search(r"\(at line (\d+), column (\d+)\)", str(e))
        place = f"{path}:{at[1]}:{at[2]}" if at else str(path)
        raise InputError(f"{place}: is not TOML: {re.sub(r' ?[(]at .*', '', str(e))}") from None


def is_study(content: Mapping[str, Any]) -> bool:
    """Does it name experiments? An experiment file has a section of that name."""
    return "experiments" in content or isinstance(content.get("experiment"), str)


def _check(path: Path, text: str, content: Mapping[str, Any]) -> None:
    for key, value in content.items():
        if key not in KEYS:
            known = ", ".join(KEYS)
            raise InputError(f'{_place(path, text, key)}: unknown key "{key}"{nearest(key, KEYS)}; known: {known}')
        kind, expected = KEYS[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise InputError(f"{_place(path, text, key)}: {key}: expected {expected}")
    if "experiment" in content and "experiments" in content:
        raise InputError(f"{_place(path, text, 'experiments')}: expected experiment or experiments, not both")


def study_plan(path: Path, plugins: Sequence[str] = ()) -> Plan:
    """The plan of a study file; `plugins`: libraries that its experiments need."""
    text, content = read_toml(path)
    _check(path, text, content)
    files = content.get("experiments") or [content.get("experiment")]
    for name in files:
        if not isinstance(name, str):
            raise InputError(f"{_place(path, text, 'experiments')}: expected names of experiment files")
    settings = _flat(content.get("set", {}))
    experiments = [Experiment(path.parent / name, plugins=plugins).with_(settings) for name in files]
    linked = content.get("linked", [])
    if not all(isinstance(table, dict) for table in linked):
        raise InputError(f"{_place(path, text, 'linked')}: linked: expected tables of keys, [[linked]]")
    if not all(isinstance(condition, str) for condition in content.get("only", [])):
        raise InputError(f"{_place(path, text, 'only')}: only: expected texts, each a condition")
    try:
        return plan_of(
            experiments,
            _flat(content.get("vary", {})),
            [_flat(table) for table in linked],
            content.get("only", []),
            content.get("seeds", 1),
        )
    except InputError as e:
        raise InputError(f"{path}: {e}") from None


def study_columns(path: Path) -> list[str]:
    """The figures that a study's table shows; empty: it does not say, or is an experiment."""
    text, content = read_toml(path)
    if not is_study(content):
        return []
    _check(path, text, content)
    columns = content.get("columns", [])
    for name in columns:
        if not isinstance(name, str):
            raise InputError(f"{_place(path, text, 'columns')}: columns: expected texts, each a figure")
        check_column(name, _place(path, text, "columns"))
    return columns

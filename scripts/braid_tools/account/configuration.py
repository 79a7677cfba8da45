"""A run's configuration, resolved by what docs/configuration.md says of its keys."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

from braid_tools.account.figures import Tree
from braid_tools.program import ROOT

OPTIONAL = ("traffic", "stream", "broadcast", "replay", "failure", "disjoint", "tlm", "change", "network")


def documented() -> list[tuple[str, str, Any, str]]:
    """Section, key, default and what the key exists with, from docs/configuration.md."""
    rows = []
    section = ""
    for line in (ROOT / "docs" / "configuration.md").read_text().splitlines():
        if line.startswith("## ["):
            section = line[4:-1]
        elif line.startswith("| `"):
            key, _, default, condition = (cell.strip(" `") for cell in line.split("|")[1:5])
            rows.append((section, key, json.loads(default), condition))
    return rows


def holds(condition: str, configuration: Tree, conditions: dict[str, str]) -> bool:
    """Does what a key exists with hold? `routing.algorithm = "a", "b" or a section [stream]`,
    `traffic.patterns with "a"`, `stream.graph ending in ".str"`; empty: always.
    """
    if not condition:
        return True
    for part in condition.split(" or "):
        if part.startswith("a section ["):
            if part[11:-1] in configuration:
                return True
            continue
        name, ending, end = part.partition(" ending in ")
        if ending:
            section, key = name.split(".")
            if configuration.get(section, {}).get(key, "").endswith(json.loads(end)):
                return True
            continue
        name, equals, values = part.replace(" other than ", " != ").partition(" = ")
        name, unequal, excluded = name.partition(" != ")
        name, listed, words = name.partition(" with ")
        section, key = name.split(".")
        if section not in configuration or not holds(conditions[name], configuration, conditions):
            continue
        value = configuration[section][key]
        wanted = json.loads(f"[{values}]") if equals else []
        if listed:
            if set(value.split()) & set(json.loads(f"[{words}]")):
                return True
            continue
        if value in wanted if equals else value != json.loads(excluded) if unequal else bool(value):
            return True
    return False


def existing(configuration: Tree) -> Tree:
    """The keys that exist with what is chosen."""
    rows = documented()
    conditions = {f"{section}.{key}": condition for section, key, _, condition in rows}
    result: Tree = {}
    for section, key, default, condition in rows:
        if section in configuration and holds(condition, configuration, conditions):
            result.setdefault(section, {})[key] = configuration[section][key]
        elif section not in configuration and condition and holds(condition, configuration, conditions):
            result.setdefault(section, {})[key] = default  # of the finder that a key elsewhere names
    return result


def choose_defaults(configuration: Tree, given: set[str]) -> None:
    """Keys of one name that exist with different choices (`topology.arity` of two kinds of trees) may have different
    defaults: those of what is chosen."""
    rows = documented()
    conditions = {f"{section}.{key}": condition for section, key, _, condition in rows}
    for section, key, default, condition in rows:
        if f"{section}.{key}" not in given and section in configuration and holds(condition, configuration, conditions):
            configuration[section][key] = default


def resolved(experiment: Path, settings: dict[str, Any]) -> Tree:
    """Defaults, the experiment's keys and the settings over them; file names from the experiment's folder. The optional
    sections are there if the experiment or a setting names them."""
    result: Tree = {}
    for section, key, default, _ in documented():
        result.setdefault(section, {})[key] = default
    written = tomllib.loads(experiment.read_text())
    named = {*written, *(name.split(".")[0] for name in settings)}
    result = {section: keys for section, keys in result.items() if section in named or section not in OPTIONAL}
    for section, keys in written.items():
        for key, value in keys.items():
            result[section][key] = value
    for name, value in settings.items():
        section, key = name.split(".")
        result[section][key] = value
    given = {f"{section}.{key}" for section, keys in written.items() for key in keys} | set(settings)
    choose_defaults(result, given)
    for section, key in (
        ("topology", "file"),
        ("routing", "table_file"),
        ("traffic", "file"),
        ("stream", "graph"),
        ("replay", "file"),
        ("disjoint", "file"),
    ):
        if result.get(section, {}).get(key):
            result[section][key] = os.path.normpath(experiment.parent / result[section][key])
    return result

"""Experiments: a file, a dictionary or one of the usual networks, and keys that differ from it."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from braid import native
from braid.child import output_of
from braid.errors import InputError


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    if hasattr(value, "item"):  # of numpy
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    raise InputError(f"{value!r}: expected a number, a text, true or false, or a list of numbers")


def _key(name: str) -> str:
    """`section.key` of `section__key`."""
    section, _, key = name.replace("__", ".", 1).partition(".")
    if not section or not key:
        raise InputError(f"{name}: expected section__key, as in traffic__rate_flits_per_node_cycle=0.3")
    return f"{section}.{key}"


def each_section(configuration: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All sections, those of [[traffic]] one by one."""
    return [one for keys in configuration.values() for one in (keys if isinstance(keys, list) else [keys])]


def flat(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """Every key with its value, by the name that `--set` takes: section.key, of several classes of traffic
    traffic.NAME.key."""
    found: dict[str, Any] = {}
    for section, keys in configuration.items():
        several = keys if isinstance(keys, list) else [keys]
        for one in several:
            name = f"{section}.{one.get('name')}" if len(several) > 1 else section
            found |= {f"{name}.{key}": value for key, value in one.items()}
    return found


def _put(sections: dict[str, Any], key: str, value: Any) -> None:
    """Sets a key, by the name that `--set` takes, in sections of a file."""
    section, *of_class, name = key.split(".", 2)
    there = sections.setdefault(section, {})
    several = there if isinstance(there, list) else [there]
    for one in several:
        if not of_class or one.get("name") == of_class[0]:
            one[name] = value


def _text_of(sections: Mapping[str, Mapping[str, Any] | list[Mapping[str, Any]]]) -> str:
    lines = []
    for section, keys in sections.items():
        if isinstance(keys, list) and all(isinstance(one, Mapping) for one in keys):  # classes of traffic
            for one in keys:
                lines += [f"[[{section}]]", *(f"{key} = {_toml(value)}" for key, value in one.items()), ""]
            continue
        if not isinstance(keys, Mapping):
            raise InputError(f"{section} = {keys!r}: expected a section, as in {{{section!r}: {{...}}}}")
        lines += [f"[{section}]", *(f"{key} = {_toml(value)}" for key, value in keys.items()), ""]
    return "\n".join(lines)


class Experiment:
    """What a run simulates: an experiment file, and settings over it. It never changes; `with_` gives another one.

    Keys, units and defaults: docs/configuration.md. Raises InputError with file, line, column and the nearest known
    name
    for a key that does not exist, a wrong type or a value out of its range.
    """

    def __init__(self, file: str | os.PathLike[str], *, plugins: Iterable[str | os.PathLike[str]] = ()) -> None:
        """plugins: libraries of policies of one's own, as `--plugin` loads them; then runs are the program's."""
        path = Path(file)
        try:
            text = path.read_text()
        except (OSError, UnicodeDecodeError) as e:
            why = e.strerror if isinstance(e, OSError) else "is not UTF-8"
            raise InputError(f"{path}: cannot be read: {why}; expected an experiment") from None
        self._set(text, str(path), {}, tuple(os.fspath(plugin) for plugin in plugins))

    def _set(self, text: str, name: str, settings: Mapping[str, Any], plugins: tuple[str, ...] = ()) -> None:
        self._text = text
        self._plugins = plugins
        self._name = name
        self._settings = dict(settings)
        self._configuration: dict[str, dict[str, Any]] | None = None
        self.check()

    @classmethod
    def from_text(cls, text: str, name: str = "experiment") -> Experiment:
        """Of an experiment file's text. `name` is the file's in messages, and where relative names of files start."""
        return cls._made(text, name, {})

    @classmethod
    def from_dict(cls, sections: Mapping[str, Mapping[str, Any]], name: str = "experiment") -> Experiment:
        """Of sections and keys: {"topology": {"kind": "mesh", "width": 8}, ...}."""
        return cls._made(_text_of(sections), name, {})

    @classmethod
    def _made(cls, text: str, name: str, settings: Mapping[str, Any], plugins: tuple[str, ...] = ()) -> Experiment:
        experiment = cls.__new__(cls)
        experiment._set(text, name, settings, plugins)
        return experiment

    def with_(self, keys: Mapping[str, Any] | None = None, /, **settings: Any) -> Experiment:
        """The same with other values: `with_(traffic__rate_flits_per_node_cycle=0.3)`, or
        `with_({"traffic.rate_flits_per_node_cycle": 0.3})`. A policy that is replaced takes its own keys along."""
        fresh = {_key(name): value for name, value in {**(keys or {}), **settings}.items()}
        return type(self)._made(self._text, self._name, {**self._settings, **fresh}, self._plugins)

    @property
    def name(self) -> str:
        """`experiment.name`."""
        return self["experiment.name"]

    @property
    def file(self) -> str:
        """The file's name, as messages have it."""
        return self._name

    @property
    def settings(self) -> dict[str, Any]:
        """What differs from the file: section.key -> value."""
        return dict(self._settings)

    @property
    def arguments(self) -> list[str]:
        """The settings as `--set` takes them: section.key=value."""
        return [f"{key}={_toml(value)}" for key, value in self._settings.items()]

    @property
    def text(self) -> str:
        """The text of the experiment file, without the settings."""
        return self._text

    @property
    def plugins(self) -> tuple[str, ...]:
        """Libraries that runs load."""
        return self._plugins

    @property
    def resolved(self) -> bool:
        """Does `configuration` have every key with its value? Not of an experiment that only the program knows."""
        return self._configuration is not None

    @property
    def configuration(self) -> dict[str, dict[str, Any]]:
        """Every key that exists, with the value that it has: section -> key -> value (see `resolved`)."""
        if self._configuration is not None:
            return self._configuration
        sections = tomllib.loads(self._text)  # an experiment for the program alone: what was given
        for key, value in self._settings.items():
            _put(sections, key, value)
        return sections

    def __getitem__(self, key: str) -> Any:
        """The value of `section.key`, of several classes of traffic of `traffic.NAME.key`."""
        try:
            return flat(self.configuration)[_key(key)]
        except KeyError:
            raise InputError(f"{key} does not exist in this experiment") from None

    def files(self) -> list[Path]:
        """The files that the configuration names and that are there, and plugins. (The configuration has them from
        here.)"""
        values = [value for keys in each_section(self.configuration) for value in keys.values()]
        paths = [Path(value) for value in [*values, *self._plugins] if isinstance(value, str) and value]
        beside = [Path(self._name).parent / path for path in paths] if not self.resolved else []
        return sorted({path for path in [*paths, *beside] if path.is_file()})

    def check(self) -> None:
        """Raises InputError if a key does not exist or a value is out of its range."""
        core = native.core()
        if self._plugins:
            self.run_program("check", "--quiet")
            return
        if core is None:
            return
        try:
            self._configuration = json.loads(core.configuration(self._text, self._name, self.arguments))
        except InputError:
            # What needs SystemC only the program knows; what nobody knows it has the better words for.
            self._configuration = None
            self.run_program("check", "--quiet")

    def command_line(self, command: str, *arguments: str | Path) -> tuple[list[str | Path], str | None]:
        """The words that stand behind `braid`, and the text that standard input has for them."""
        settings = [word for setting in self.arguments for word in ("--set", setting)]
        settings += [word for plugin in self._plugins for word in ("--plugin", plugin)]
        path = Path(self._name)
        if path.is_file() and path.read_text() == self._text:
            return [command, path, *settings, *arguments], None
        return [command, "-", "--stdin-filename", path, *settings, *arguments], self._text

    def run_program(self, command: str, *arguments: str | Path) -> str:
        """What `braid COMMAND` with this experiment prints. Raises BraidError."""
        words, text = self.command_line(command, *arguments)
        return output_of(*words, text=text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Experiment) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[str, str, str]:
        return (self._text, self._name, json.dumps([self.arguments, self._plugins]))

    def __reduce__(self) -> tuple[Any, ...]:
        return Experiment._made, (self._text, self._name, self._settings, self._plugins)

    def __repr__(self) -> str:
        settings = "".join(f", {argument}" for argument in self.arguments)
        return f"Experiment({self._name}{settings})"


#: Words of the functions below for keys that everybody sets.
SHORT = {
    "vcs": "router.vcs",
    "buffer_depth": "router.buffer_depth",
    "router": "router.architecture",
    "routing": "routing.algorithm",
    "pattern": "traffic.pattern",
    "rate": "traffic.rate_flits_per_node_cycle",
    "flits": "traffic.flits",
    "seed": "experiment.seed",
}


def network(kind: str, topology: Mapping[str, Any], name: str, /, **settings: Any) -> Experiment:
    """An experiment on one topology. Settings are the words of SHORT and section__key."""
    sections: dict[str, dict[str, Any]] = {
        "experiment": {"name": name},
        "topology": {"kind": kind, **topology},
        "traffic": {"pattern": "uniform"},
    }
    keys = {_key(SHORT.get(word, word)): value for word, value in settings.items()}
    for key in [key for key in keys if key.split(".")[0] in ("experiment", "traffic")]:
        section, word = key.split(".", 1)
        sections[section][word] = keys.pop(key)
    for key, value in keys.items():
        section, word = key.split(".", 1)
        sections.setdefault(section, {})[word] = value
    return Experiment.from_dict(sections, name)


def mesh(width: int, height: int, **settings: Any) -> Experiment:
    """A mesh of width x height routers under uniform traffic: `braid.mesh(8, 8, vcs=4, rate=0.2)`.

    Further keys: the words of braid.experiment.SHORT (vcs, rate in flits/node/cycle, pattern, flits, ...), or
    section__key=value."""
    return network("mesh", {"width": width, "height": height}, f"mesh_{width}x{height}", **settings)


def torus(width: int, height: int, **settings: Any) -> Experiment:
    """A mesh whose rows and columns are rings; settings as for `mesh`."""
    return network("torus", {"width": width, "height": height}, f"torus_{width}x{height}", **settings)


def hexagonal(edge: int, **settings: Any) -> Experiment:
    """PO2's wrapped hexagonal mesh of 3 edge (edge - 1) + 1 routers of its own family; settings as for `mesh`."""
    settings.setdefault("router", "po2")
    settings.setdefault("routing", "derouting")
    return network("hexagonal", {"edge": edge}, f"hexagonal_{edge}", **settings)


def tree(arity: int, levels: int, **settings: Any) -> Experiment:
    """A fat tree of arity ** levels nodes under virtual cut-through routers; settings as for `mesh`."""
    settings.setdefault("router", "virtual_cut_through")
    settings.setdefault("routing", "tree_adaptive")
    return network("k_ary_n_tree", {"arity": arity, "levels": levels}, f"tree_{arity}_{levels}", **settings)


def cube(
    *sizes: int,
    wrap: bool = False,
    concentration: int = 1,
    elevators: Sequence[tuple[int, int]] = (),
    **settings: Any,
) -> Experiment:
    """A mesh, or with `wrap` a torus, of any number of dimensions, `concentration` nodes on each router: a 3D mesh is
    `braid.cube(4, 4, 4)`, with vertical links at two positions of its planes alone `braid.cube(4, 4, 4, elevators=[(0,
    0), (3, 3)])`, a concentrated mesh `braid.cube(4, 4, concentration=4)`; settings as for `mesh`."""
    settings.setdefault("routing", "elevator_first" if elevators else "dimension_order")
    topology = {"sizes": list(sizes), "wrap": wrap, "concentration": concentration}
    if elevators:
        topology["elevators"] = [number for position in elevators for number in position]
    return network("cube", topology, "cube_" + "x".join(map(str, sizes)), **settings)


def flattened_butterfly(*sizes: int, concentration: int = 1, **settings: Any) -> Experiment:
    """Routers in rows of several dimensions, all of a row joined, `concentration` nodes on each; settings as for
    `mesh`."""
    settings.setdefault("routing", "dimension_order")
    topology = {"sizes": list(sizes), "concentration": concentration}
    return network("flattened_butterfly", topology, "flattened_butterfly_" + "x".join(map(str, sizes)), **settings)


def butterfly(k: int, n: int, **settings: Any) -> Experiment:
    """A k-ary n-fly: k ** n nodes, n stages of switches with k inputs and k outputs, links that go one way; settings as
    for `mesh`."""
    settings.setdefault("routing", "destination_tag")
    return network("butterfly", {"arity": k, "stages": n}, f"butterfly_{k}_{n}", **settings)


def dragonfly(a: int, p: int, h: int, **settings: Any) -> Experiment:
    """A dragonfly of a h + 1 groups of `a` routers, with `p` nodes and `h` links to other groups each; settings as for
    `mesh`."""
    settings.setdefault("routing", "dragonfly_minimal")
    topology = {"routers_per_group": a, "nodes_per_router": p, "global_ports": h}
    return network("dragonfly", topology, f"dragonfly_{a}_{p}_{h}", **settings)


def chiplet_chain(
    chiplets: int, width: int, height: int, *, joined_rows: Sequence[int] = (), joint_latency: int = 4, **settings: Any
) -> Experiment:
    """Chiplets of width x height routers in a row, each joined to the next by links of `joint_latency` cycles in these
    rows, or in all; settings as for `mesh`."""
    settings.setdefault("routing", "chiplet_order" if joined_rows else "x_first")
    shape = {"chiplets": chiplets, "width": width, "height": height}
    topology = shape | {"joined_rows": list(joined_rows), "joint_latency_cycles": joint_latency}
    return network("chiplet_chain", topology, f"chain_{chiplets}_{width}x{height}", **settings)

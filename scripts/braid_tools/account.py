"""The account of a run: every figure of its results, computed again from its packet log (docs/packet-log.md) and, where
that does not say all, a waveform. It shares nothing with the program but documents and files.

    python -m braid_tools.account EXPERIMENT [section.key=value ...]
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from braid_tools.account_figures import HalfWidth, Tree, classes, messages
from braid_tools.account_links import Between, links
from braid_tools.account_log import Log, Window, packet_hash
from braid_tools.account_network import Circuit, build
from braid_tools.account_run import check_log, conservation, drain, flit_hops, setup, warm_up
from braid_tools.account_stream import sinks_of, stream
from braid_tools.account_wave import fairness, po2_figures
from braid_tools.program import ROOT, braid

OPTIONAL = ("traffic", "stream")
NOT_CHECKED = ("wall_seconds", "program", "version")


class Account:
    """Compares two trees leaf by leaf."""

    def __init__(self) -> None:
        self.compared = 0
        self.complaints: list[str] = []

    def compare(self, path: str, expected: Any, actual: Any) -> None:
        """Complains of every leaf that differs, is missing, or is not known."""
        if isinstance(expected, dict) and isinstance(actual, dict):
            for key in actual.keys() - expected.keys():
                self.complaints.append(f"unknown figure {path}.{key}".replace(" .", " "))
            for key, value in expected.items():
                name = f"{path}.{key}" if path else key
                if key not in actual:
                    self.complaints.append(f"{name} is missing")
                else:
                    self.compare(name, value, actual[key])
        elif isinstance(expected, list) and isinstance(actual, list):
            if len(expected) != len(actual):
                self.complaints.append(f"{path} has {len(actual)} entries, the account {len(expected)}")
            for i, (mine, theirs) in enumerate(zip(expected, actual, strict=False)):
                self.compare(f"{path}[{i}]", mine, theirs)
        else:
            self.compared += 1
            if not same(expected, actual):
                self.complaints.append(f"{path} is {actual!r}, the account says {shown(expected)}")


def same(expected: Any, actual: Any) -> bool:
    """Whether a leaf is what the account says; real numbers to the ten digits that are printed."""
    if isinstance(actual, (dict, list)) or isinstance(expected, (dict, list)):
        return False
    if isinstance(expected, (str, bool)) or isinstance(actual, (str, bool)):
        return type(expected) is type(actual) and expected == actual
    if isinstance(expected, Between):
        slack = 1e-9 * abs(actual)
        return float(expected.low) - slack <= actual <= float(expected.high) + slack
    if isinstance(expected, HalfWidth):
        return digits_agree(expected.value, actual) or abs(expected.value - actual) < 1e-13 * abs(expected.mean)
    if isinstance(expected, int):
        return expected == actual
    return expected is not None and digits_agree(float(expected), actual)


def digits_agree(expected: float, actual: float) -> bool:
    """Ten significant digits; a value within a rounding error of the middle of two goes either way."""
    if expected == 0 or actual == 0:
        return expected == actual
    unit = 10.0 ** (math.floor(math.log10(abs(expected))) - 9)
    return abs(expected - actual) <= 0.5001 * unit


def shown(expected: Any) -> str:
    """An expectation as text."""
    if isinstance(expected, Between):
        return f"{float(expected.low):.10g} to {float(expected.high):.10g}"
    if isinstance(expected, HalfWidth):
        return f"{expected.value:.10g}"
    return f"{float(expected):.10g}" if isinstance(expected, Fraction) else repr(expected)


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
    """Does what a key exists with hold? `routing.algorithm = "a", "b" or a section [stream]`; empty: always."""
    if not condition:
        return True
    for part in condition.split(" or "):
        if part.startswith("a section ["):
            if part[11:-1] in configuration:
                return True
            continue
        name, equals, values = part.partition(" = ")
        name, unequal, excluded = name.partition(" != ")
        section, key = name.split(".")
        if section not in configuration or not holds(conditions[name], configuration, conditions):
            continue
        value = configuration[section][key]
        wanted = json.loads(f"[{values}]") if equals else []
        if value in wanted if equals else value != json.loads(excluded) if unequal else bool(value):
            return True
    return False


def existing(configuration: Tree) -> Tree:
    """The keys that exist with what is chosen."""
    rows = documented()
    conditions = {f"{section}.{key}": condition for section, key, _, condition in rows}
    result: Tree = {}
    for section, key, _, condition in rows:
        if section in configuration and holds(condition, configuration, conditions):
            result.setdefault(section, {})[key] = configuration[section][key]
    return result


def resolved(experiment: Path, settings: dict[str, Any]) -> Tree:
    """Defaults, the experiment's keys and the settings over them; file names from the experiment's folder. The optional
    sections are there if the experiment or a setting names them."""
    result: Tree = {}
    for section, key, default, _ in documented():
        result.setdefault(section, {})[key] = default
    named = {*tomllib.loads(experiment.read_text()), *(name.split(".")[0] for name in settings)}
    result = {section: keys for section, keys in result.items() if section in named or section not in OPTIONAL}
    for section, keys in tomllib.loads(experiment.read_text()).items():
        for key, value in keys.items():
            result[section][key] = value
    for name, value in settings.items():
        section, key = name.split(".")
        result[section][key] = value
    for section, key in (("topology", "file"), ("routing", "table_file"), ("traffic", "file"), ("stream", "graph")):
        if result.get(section, {}).get(key):
            result[section][key] = os.path.normpath(experiment.parent / result[section][key])
    return result


def check(experiment: Path, settings: dict[str, Any], results: Tree, log: Path, wave: Path | None) -> list[str]:
    """Complaints about the results of a run; none if every figure is as the account has it."""
    return account(experiment, settings, results, log, wave).complaints


def account(experiment: Path, settings: dict[str, Any], results: Tree, log: Path, wave: Path | None) -> Account:
    """The comparison of all results with what the log says."""
    result = Account()
    configuration = resolved(experiment, settings)
    expected = expectation(configuration, Log(log), results, wave, result.complaints)
    result.compare("", expected, {key: value for key, value in results.items() if key not in NOT_CHECKED})
    return result


def expectation(configuration: Tree, log: Log, results: Tree, wave: Path | None, complaints: list[str]) -> Tree:
    """Everything that the results should hold."""
    simulation, interface = configuration["simulation"], configuration["interface"]
    whole = configuration["router"]["architecture"] not in ("hybrid", "ideal")
    network = build(configuration)
    nodes = len(network.node_router)
    check_log(log, network, complaints)
    expected: Tree = {
        "schema": 1,
        "configuration": existing(configuration),
        "seed": configuration["experiment"]["seed"],
    }
    circuits: dict[int, Circuit] = {}
    setup_cycles = 0
    if "stream" in configuration and interface["switching"] == "circuit":
        expected["setup"], circuits, setup_cycles = setup(configuration, network, results, complaints)
    sinks = sinks_of(log, configuration) if "stream" in configuration else []
    warmed, steady = warm_up(log, setup_cycles, simulation, sinks)
    begin = setup_cycles + warmed
    window = Window(begin, begin + simulation["measure_cycles"], simulation["batch_cycles"])
    born = window.holds(log.created)
    end, late = drain(log, born, window.end, simulation["max_drain_cycles"])
    expected |= {
        "cycles": end,
        "warmup_cycles": warmed,
        "measured_cycles": window.cycles,
        "steady": steady,
        "saturated": late and "traffic" in configuration,
        "packet_hash": packet_hash(log),
        "flit_hops": flit_hops(log, circuits, whole),
        "conservation": conservation(log, network, results, end, whole),
    }
    present = ["packets"] if "traffic" in configuration else []
    if "stream" in configuration:
        present.append("circuits" if circuits else "stream packets")
        expected["stream"] = stream(log, window, configuration, sinks, places(results))
    expected["classes"] = classes(log, window, nodes, present)
    if configuration["message"]["packet_flits"]:
        expected["messages"] = messages(log, window)
    if configuration["router"]["architecture"] == "po2":
        expected["router_per_cycle"] = po2_figures(log, window, network, configuration, wave)
    if interface["fairness"] != "none":
        expected["fairness"] = fairness(window, network, configuration, wave)
    expected["links"] = links(log, window, network, configuration, circuits, wave, end)
    return expected


def places(results: Tree) -> dict[str, int]:
    """Where the results put the actors; taken for those that never send or receive."""
    return {actor["name"]: actor["node"] for actor in results["stream"]["actors"]}


def value_of(text: str) -> Any:
    """A setting as --set reads it: TOML, else text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


@dataclass(frozen=True)
class Record:
    """What a run left behind."""

    experiment: Path
    settings: dict[str, Any]
    results: Tree
    log: Path
    wave: Path | None

    def account(self) -> Account:
        """The comparison of its results."""
        return account(self.experiment, self.settings, self.results, self.log, self.wave)


def record(experiment: Path, settings: dict[str, Any], folder: Path, with_wave: bool) -> Record:
    """Runs braid with a log; for a waveform a second time, when the number of cycles is known."""
    log, file = folder / "log.csv", folder / "results.json"
    settings = settings | {"log.file": str(log)}

    def results() -> Tree:
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={as_toml(value)}")]
        braid("run", experiment, *words, "--quiet", "--json", file)
        return json.loads(file.read_text())

    first = results()
    if not with_wave:
        return Record(experiment, settings, first, log, None)
    wave = folder / "wave.vcd"
    settings |= {"trace.file": str(wave), "trace.from_cycle": 0, "trace.to_cycle": first["cycles"]}
    return Record(experiment, settings, results(), log, wave)


def expected_of(run: Record) -> Tree:
    """What the account expects of all figures, to compare more than once."""
    return expectation(resolved(run.experiment, run.settings), Log(run.log), run.results, run.wave, [])


def as_toml(value: Any) -> str:
    """A setting as text for --set."""
    return json.dumps(value) if isinstance(value, (bool, list)) else str(value)


def main(words: list[str]) -> int:
    """Accounts for one run; 1 if there are complaints."""
    experiment = Path(words[0])
    settings = {key: value_of(value) for key, value in (word.split("=", 1) for word in words[1:])}
    configuration = resolved(experiment, settings)
    simulation = configuration["simulation"]
    cycles = simulation["min_warmup_cycles"] + simulation["measure_cycles"]
    small = cycles <= 6000 and len(build(configuration).routers) <= 20
    needed = configuration["router"]["architecture"] == "po2" or configuration["interface"]["fairness"] != "none"
    with tempfile.TemporaryDirectory() as folder:
        result = record(experiment, settings, Path(folder), small or needed).account()
    for complaint in result.complaints:
        print(complaint)
    print(f"{experiment.stem}: {result.compared} figures compared, {len(result.complaints)} complaints")
    return 1 if result.complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""braid chakra: a machine learning job's trace on a network."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from braid.collectives import step, trace
from braid.collectives.algorithms import ALGORITHMS
from braid.collectives.machine import Machine, Settings
from braid.errors import InputError
from braid.experiment import Experiment
from braid.explore.command_line import Arguments, above_zero, positive, printed, settings_of
from braid.explore.where import nearest
from braid.network import Network


def arguments() -> Arguments:
    """The options of the command; what each means is in the program's table (tb/braid/python_commands.cpp)."""
    parser = Arguments("chakra")
    parser.add_argument("experiment", metavar="EXPERIMENT.toml")
    parser.add_argument("prefix", metavar="PREFIX")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--algorithm", action="append", default=[])
    parser.add_argument("--clock-ghz", type=above_zero, default=1.0)
    parser.add_argument("--flit-bytes", type=positive, default=16)
    parser.add_argument("--packet-flits", type=positive, default=16)
    parser.add_argument("--segments", type=positive, default=8)
    parser.add_argument("--at-once", type=positive, default=1)
    parser.add_argument("--tflops", type=above_zero)
    parser.add_argument("--memory-gbps", type=above_zero)
    parser.add_argument("--groups")
    parser.add_argument("--nodes")
    parser.add_argument("--json")
    parser.add_argument("--quiet", "-q", action="store_true")
    return parser


def algorithms_of(texts: list[str]) -> dict[str, str]:
    """Of --algorithm OPERATION=NAME."""
    found = {}
    for text in texts:
        operation, equals, name = text.partition("=")
        if not equals:
            raise InputError(f"--algorithm {text[:60]}: expected OPERATION=NAME, as all_reduce=tree")
        if operation not in ALGORITHMS:
            raise InputError(
                f'--algorithm {text[:60]}: unknown operation "{operation[:40]}"'
                f"{nearest(operation, tuple(ALGORITHMS))}; known: {', '.join(ALGORITHMS)}"
            )
        known = ALGORITHMS[operation]
        if name not in known:
            raise InputError(
                f'--algorithm {text[:60]}: no algorithm "{name[:40]}" for {operation}'
                f"{nearest(name, tuple(known))}; known: {', '.join(known)}"
            )
        found[operation] = name
    return found


def nodes_of(text: str | None) -> list[int]:
    """Of --nodes 0,1,3,2."""
    words = text.split(",") if text else []
    if not all(word.isascii() and word.isdigit() for word in words):
        raise InputError(f"--nodes {(text or '')[:60]}: expected nodes with commas between, one a rank")
    return [int(word) for word in words]


def groups_of(file: str | None) -> dict[str, list[int]]:
    """Of --groups FILE: JSON, names with the ranks of each, as ASTRA-sim takes them."""
    if file is None:
        return {}
    try:
        found = json.loads(Path(file).read_text())
    except OSError as e:
        raise InputError(f"{file}: cannot be read: {e.strerror}") from None
    except ValueError as e:
        line, column = getattr(e, "lineno", 1), getattr(e, "colno", 1)
        raise InputError(f"{file}:{line}:{column}: {getattr(e, 'msg', e)}: expected JSON") from None
    if not isinstance(found, dict):
        raise InputError(f'{file}: expected {{"NAME": [RANK, ...], ...}}')
    for name, ranks in found.items():
        good = isinstance(ranks, list) and ranks and all(type(rank) is int and rank >= 0 for rank in ranks)
        if not good or len(set(ranks)) < len(ranks):
            raise InputError(f'{file}: group "{name[:40]}": expected a list of different ranks, from 0')
    return found


def settings(asked: argparse.Namespace) -> Settings:
    """Of the options."""
    return Settings(
        clock_ghz=asked.clock_ghz, flit_bytes=asked.flit_bytes, packet_flits=asked.packet_flits,
        segments=asked.segments, at_once=asked.at_once, tflops=asked.tflops, memory_gbps=asked.memory_gbps,
        algorithms=algorithms_of(asked.algorithm), groups=groups_of(asked.groups), nodes=nodes_of(asked.nodes),
    )  # fmt: skip


def main(words: list[str]) -> int:
    """The exit status."""
    asked = arguments().parsed(words)
    chosen = settings(asked)
    network = Network(Experiment(asked.experiment).with_(settings_of(asked.settings)))
    operations = trace.read(asked.prefix)
    if len(operations) > network.nodes:
        raise InputError(f"{asked.prefix}: {len(operations)} ranks on {network.nodes} nodes: expected a node for each")
    machine = Machine(operations, network, chosen)
    replay(machine, quiet=asked.quiet)
    found = step.figures(machine)
    if asked.json:
        _write(asked.json, found)
    if not asked.quiet:
        print("\n".join(step.lines(found)))
        if found["collectives"]:
            printed(step.collectives_table(found))
        printed(step.links_table(found))
    return 0


def replay(machine: Machine, *, quiet: bool) -> None:
    """With a bar of the operations that are done, on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        task = progress.add_task("operations", total=machine.operations)
        machine.run(lambda done: progress.update(task, completed=done))


def _write(file: str, found: dict[str, Any]) -> None:
    """Whole or not at all; - is standard output."""
    text = json.dumps(found, indent=2) + "\n"
    if file == "-":
        sys.stdout.write(text)
        return
    part = Path(file).with_name(f".{Path(file).name}.{os.getpid()}")
    try:
        part.write_text(text)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)

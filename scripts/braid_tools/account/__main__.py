"""Accounts for one run: python -m braid_tools.account EXPERIMENT [section.key=value ...]"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from braid_tools.account.account import network_of, record
from braid_tools.account.configuration import resolved


def value_of(text: str) -> Any:
    """A setting as --set reads it: TOML, else text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def main(words: list[str]) -> int:
    """Accounts for one run; 1 if there are complaints."""
    experiment = Path(words[0])
    settings = {key: value_of(value) for key, value in (word.split("=", 1) for word in words[1:])}
    configuration = resolved(experiment, settings)
    simulation = configuration["simulation"]
    cycles = simulation["min_warmup_cycles"] + simulation["measure_cycles"]
    small = cycles <= 6000 and len(network_of(configuration).routers) <= 20
    needed = configuration["router"]["architecture"] == "po2" or configuration["interface"]["fairness"] != "none"
    with tempfile.TemporaryDirectory() as folder:
        result = record(experiment, settings, Path(folder), small or needed).account()
    for complaint in result.complaints:
        print(complaint)
    print(f"{experiment.stem}: {result.compared} figures compared, {len(result.complaints)} complaints")
    return 1 if result.complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

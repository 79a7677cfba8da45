"""One point in each program. What a run gave is kept, so that a matrix that was broken off goes on."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from braid.booksim.grammar import settings_of
from braid.booksim.importing import imported
from braid.booksim.keys import ROWS, embedding

from braid_tools.program import ROOT, Run, run

OUT = ROOT / "results" / "imported"
#: BookSim's runs: 3 and 3 or more periods, and latencies beyond its usual limit. Beyond saturation deep buffers take
#: ten thousand cycles to fill.
LATENCY = ("sim_type=latency", "warmup_periods=3", "sample_period={}", "max_samples=10", "latency_thres=100000.0")
THROUGHPUT = ("sim_type=throughput", "warmup_periods=10", "sample_period=1000", "max_samples=14")
BRAID: dict[str, object] = {
    "simulation.batch_cycles": 1000,
    "simulation.min_warmup_cycles": 2000,
    "simulation.max_warmup_cycles": 10000,
    "simulation.measure_cycles": 10000,
}
BRAID_THROUGHPUT: dict[str, object] = {
    "simulation.min_warmup_cycles": 10000,
    "simulation.measure_cycles": 4000,
    "simulation.max_drain_cycles": 0,
}
#: Keys of older files, at which BookSim 2 ends.
FORMER = ("limit", "physical_subnetworks")
Point = dict[str, float]


def kept(key: list[str], make: Callable[[], Point]) -> Point:
    """What make() gives, or gave."""
    name = hashlib.sha256("\n".join(key).encode()).hexdigest()[:16]
    file = OUT / "points" / f"{name}.json"
    if not file.exists():
        point = make()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"key": key, **point}))
    return {k: v for k, v in json.loads(file.read_text()).items() if k != "key"}


def text_for_booksim(file: Path) -> str:
    """The file in BookSim's own form, without the keys of those who embed it, and of BookSims before this one."""
    others = {row.key for row in embedding.ROWS} | set(FORMER)
    settings = [s for s in settings_of(file.read_text(), str(file)) if s.key in ROWS and s.key not in others]
    return "".join(f"{setting.key} = {setting.text};\n" for setting in settings)


def _figure(text: str, name: str) -> float:
    found = re.findall(rf"^{name} = ([0-9.e+-]+) \(1 samples\)", text, re.MULTILINE)
    return float(found[-1]) if found else float("nan")


def in_booksim(program: Path, text: str, words: tuple[str, ...], folder: Path) -> Point:
    """Figures of a run of BookSim 2; `folder`: where files that the configuration names lie."""

    def make() -> Point:
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
            file.write(text)
            file.flush()
            command = [str(program), file.name, *words]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        names = {
            "latency": "Packet latency average",
            "accepted": "Accepted flit rate average",
            "routers": "Hops average",
        }
        return {key: _figure(done.stdout, name) for key, name in names.items()}

    return kept(["booksim", text, *words], make)


def looks_ahead(file: Path, words: tuple[str, ...]) -> bool:
    """Does the imported experiment take BookSim's routing_delay = 0 over?"""
    return bool(tomllib.loads(imported([str(file), *words], "imported.toml").text)["router"].get("lookahead", False))


def in_braid(file: Path, words: tuple[str, ...], settings: Mapping[str, object]) -> Point:
    """Figures of a run of the imported experiment."""
    OUT.mkdir(parents=True, exist_ok=True)
    found = imported([str(file), *words], "imported.toml")
    body = found.text.partition("\n[")[2]

    def make() -> Point:
        with tempfile.TemporaryDirectory() as folder:
            experiment = Path(folder) / "imported.toml"
            for name, text in {**found.beside, experiment.name: found.text}.items():
                experiment.with_name(name).write_text(text)
            result = run(Run("imported", experiment, {**BRAID, **settings}))["classes"][0]
        return {
            "latency": result["packet_latency_cycles"]["mean"],
            "accepted": result["accepted_flits_per_node_cycle"]["mean"],
            "routers": (result["hops_mean_links"] or 0) + 1,  # none of a run that nothing drained
        }

    return kept(["braid", body, json.dumps(settings, sort_keys=True)], make)

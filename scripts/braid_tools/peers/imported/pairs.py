"""How long a packet alone takes between every two nodes, in BookSim 2 and in Braid: whether nodes stand where BookSim's
do, and links are as long.

    PYTHONPATH=scripts .venv/bin/python -m braid_tools.peers.imported.pairs --booksim FOLDER FILE [KEY=VALUE]...

FILE lies in FOLDER. BookSim tells the mean of a pair's packets, of which at this load few meet others: its whole cycles
are what a packet alone takes. Braid's is the least, less the offset of 1 cycle."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from braid.booksim.configuration import Configuration
from braid.booksim.grammar import setting_of_word, settings_of
from braid.booksim.importing import imported
from braid.booksim.keys import ROWS, concentrated
from braid.booksim.table import Stream

from braid_tools.peers.imported.runs import text_for_booksim
from braid_tools.program import braid

OFFSET_CYCLES = 1
#: A cycle for each stage as in Braid, every pair some packets.
WORDS = (
    *("traffic=uniform", "packet_size=1", "use_read_write=0", "injection_rate=0.002", "routing_delay=1"),
    *("sim_type=latency", "sample_period=20000", "warmup_periods=0", "max_samples=20", "stopping_thres=0.0"),
)
Latencies = dict[tuple[int, int], int]


def in_booksim(program: Path, file: Path, words: tuple[str, ...]) -> Latencies:
    """Of each pair of BookSim's nodes."""
    with TemporaryDirectory() as folder:
        own = Path(folder) / "own.cfg"
        own.write_text(text_for_booksim(file))
        command = [str(program), str(own), *words, "pair_stats=1", "stats_out=pairs.m"]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
        text = (Path(folder) / "pairs.m").read_text()
    means = {name: re.search(rf"^{name}\(1,:\) = \[ (.*)\]", text, re.MULTILINE) for name in ("pair_sent", "pair_plat")}
    sent, latency = ([float(word) for word in found[1].split()] if found else [] for found in means.values())
    nodes = round(len(sent) ** 0.5)
    return {divmod(i, nodes): int(mean) for i, mean in enumerate(latency) if sent[i]}


def in_braid(file: Path, words: tuple[str, ...]) -> Latencies:
    """Of each pair of Braid's nodes."""
    found = imported([str(file), *words], "pairs.toml")
    with TemporaryDirectory() as folder:
        experiment = Path(folder) / "pairs.toml"
        experiment.write_text(found.text)
        text = braid("run", str(experiment), "--set", "results.flows=true", "--quiet", "--json", "-")
    flows = json.loads(text)["classes"][0]["flows"]
    return {
        (one["source_node"], one["destination_node"]): one["latency_cycles"]["min"] - OFFSET_CYCLES for one in flows
    }


def main() -> int:
    """Entry point; fails where a pair differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--booksim", type=Path, required=True)
    parser.add_argument("file")
    parser.add_argument("words", nargs="*")
    line = parser.parse_args()
    file, words = line.booksim / line.file, (*WORDS, *line.words)
    settings = [*settings_of(file.read_text(), str(file)), *map(setting_of_word, words)]
    ask = Configuration(settings, ROWS, str(file)).ask("xr", Stream(0))
    ours = in_braid(file, words)
    theirs = in_booksim((line.booksim / "src" / "booksim").resolve(), file, words)
    here = {pair: (concentrated.node_here(ask, pair[0]), concentrated.node_here(ask, pair[1])) for pair in theirs}
    both = [(pair, cycles, ours[here[pair]]) for pair, cycles in theirs.items() if here[pair] in ours]
    differing = [(pair, cycles, own) for pair, cycles, own in both if cycles != own]
    for (source, destination), cycles, own in differing[:10]:
        print(f"{source} to {destination}: {cycles} cycles in BookSim 2, {own} in Braid")
    print(f"{len(both)} pairs of both, {len(both) - len(differing)} equal")
    print("cycles of pairs:", dict(sorted(Counter(own for _, _, own in both).items())))
    return 0 if both and not differing else 1


if __name__ == "__main__":
    sys.exit(main())

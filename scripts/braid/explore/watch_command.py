"""braid watch: the loads of a network's links and its queues while it runs, in the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from braid.errors import BraidError, InputError
from braid.experiment import Experiment
from braid.explore.command_line import Arguments, positive, settings_of
from braid.network import Network

#: From idle to full, for eyes of any kind, on light and dark terminals.
COLOURS = ("grey50", "#2b83ba", "#5ec3b0", "#e6c229", "#f17105", "#d11149")
SIGNS = {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"}
MOST_COLUMNS = 16  # of a map; a wider network is a table
MOST_LINKS = 16  # of a table
PACE = 10.0  # pictures a second, on a terminal


@dataclass
class Look:
    """What a network did in the last cycles."""

    cycle: int
    loads: list[float]  # of each link of the topology, flits a cycle
    queued: list[int]  # in the buffers of each router; empty where the family has none
    arrived: int  # packets, since cycle 0
    latencies: list[int]  # of the packets that arrived in these cycles
    flits: int  # of them

    def row(self) -> dict[str, Any]:
        """Of a series: one line."""
        count = len(self.latencies)
        return {
            "cycle": self.cycle,
            "delivered_packets": count,
            "delivered_flits": self.flits,
            "latency_mean_cycles": sum(self.latencies) / count if count else None,
            "link_load_mean": sum(self.loads) / len(self.loads) if self.loads else None,
            "link_load_most": max(self.loads, default=None),
            "buffered": sum(self.queued) if self.queued else None,
        }


def colour(load: float) -> str:
    """Of a load from 0 to 1."""
    return COLOURS[min(int(load * (len(COLOURS) - 1) + 0.999), len(COLOURS) - 1)]


def looks(network: Network, every: int, cycles: int) -> Iterator[Look]:
    """Steps the network and looks after every so many cycles."""
    links = network.topology["links"]
    before = network.link_flits.copy()
    while network.now < cycles:
        steps = min(every, cycles - network.now)
        network.step(steps)
        flits = network.link_flits.copy()
        loads = [float(flits[k["from"], k["port"]] - before[k["from"], k["port"]]) / steps for k in links]
        before = flits
        came = network.arrivals()
        latencies, count = [one.latency for one in came], sum(one.flits for one in came)
        yield Look(network.now, loads, _queued(network), network.packets_arrived, latencies, count)


def _queued(network: Network) -> list[int]:
    try:
        return [int(one.sum()) for one in network.occupancy]
    except BraidError:  # a family without buffers
        return []


class View:
    """Draws looks of one network."""

    def __init__(self, network: Network) -> None:
        self._topology = network.topology
        self._unit = network.buffer_unit if _queued(network) else ""
        grid = self._topology.get("grid")
        self._grid = grid if grid and grid["width"] <= MOST_COLUMNS else None

    def drawn(self, look: Look) -> Any:
        """For rich."""
        from rich.console import Group
        from rich.text import Text

        most = max(look.loads, default=0.0)
        queues = f", {sum(look.queued)} {self._unit} in buffers" if look.queued else ""
        head = f"{self._topology['name']}, cycle {look.cycle}: busiest link {most:.2f} flits/cycle{queues}"
        return Group(
            Text(f"{head}, {look.arrived} packets arrived"), self._map(look) if self._grid else self._table(look)
        )

    def _map(self, look: Look) -> Any:
        """Routers with what their buffers hold; between them what the links carried, in tenths of a flit a cycle."""
        from rich.text import Text

        width, height = self._grid["width"], self._grid["height"]  # type: ignore[index]
        loads = self._by_place(look)
        lines = []
        for y in range(height):
            for downwards in (False, True):
                line = Text()
                for x in range(width):
                    if downwards:
                        line.append(" ")
                        _signs(line, loads, ((x, y, 0, 1), (x, y + 1, 0, -1)))
                        line.append("     " if x + 1 < width else "")
                    else:
                        held = look.queued[y * width + x] if look.queued else 0
                        line.append(f"[{held:3}]" if look.queued else "[   ]", style="bold")
                        _signs(line, loads, ((x, y, 1, 0), (x + 1, y, -1, 0)))
                if y + 1 < height or not downwards:
                    line.rstrip()
                    lines.append(line)
        return Text("\n").join(lines)

    def _by_place(self, look: Look) -> dict[tuple[int, int, int, int], float]:
        """(column, row, direction) of each link between neighbours; links around a torus are not drawn."""
        width = self._grid["width"]  # type: ignore[index]
        found = {}
        for link, load in zip(self._topology["links"], look.loads, strict=True):
            (y, x), (v, u) = divmod(link["from"], width), divmod(link["to"], width)
            if (u - x, v - y) in SIGNS:
                found[x, y, u - x, v - y] = load
        return found

    def _table(self, look: Look) -> Any:
        """The busiest links."""
        from rich.table import Table

        names = self._topology["routers"]
        table = Table("link", "flits/cycle", "", box=None, pad_edge=False)
        busiest = sorted(range(len(look.loads)), key=lambda n: -look.loads[n])[:MOST_LINKS]
        for n in busiest:
            link, load = self._topology["links"][n], look.loads[n]
            bar = "#" * round(30 * min(load, 1.0))
            table.add_row(f"{names[link['from']]} -> {names[link['to']]}", f"{load:.2f}", f"[{colour(load)}]{bar}")
        return table


def _signs(line: Any, loads: dict[Any, float], ways: Any) -> None:
    """Both directions between two neighbours."""
    for way in ways:
        load = loads.get(way)
        sign = SIGNS[way[2:]]
        line.append("  " if load is None else f"{sign}{min(round(10 * load), 9)}", style=colour(load or 0.0))


def arguments() -> Arguments:
    """The options of the command; what each means is in the program's table (tb/braid/python_commands.cpp)."""
    parser = Arguments("watch")
    parser.add_argument("experiment", metavar="EXPERIMENT.toml")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--every", type=positive, default=100)
    parser.add_argument("--cycles", type=positive)
    parser.add_argument("--series", type=Path)
    return parser


def _cycles(experiment: Experiment) -> int:
    simulation = experiment.configuration["simulation"]
    return int(simulation["max_warmup_cycles"] + simulation["measure_cycles"])


def _write(rows: list[dict[str, Any]], file: Path) -> None:
    import pandas as pd

    table = pd.DataFrame(rows)
    if file.suffix == ".parquet":
        table.to_parquet(file, index=False)
    else:
        table.to_csv(file, index=False)


def _shown(view: View, all_looks: Iterator[Look]) -> list[dict[str, Any]]:
    """Draws the looks as they come, elsewhere than on a terminal the last; the series."""
    from rich.console import Console
    from rich.live import Live

    rows = []
    if not sys.stdout.isatty():
        last = None
        for last in all_looks:
            rows.append(last.row())
        if last is not None:
            Console(width=200, highlight=False).print(view.drawn(last))
        return rows
    with Live(console=Console(highlight=False), auto_refresh=False) as live:
        for look in all_looks:
            rows.append(look.row())
            live.update(view.drawn(look), refresh=True)
            time.sleep(1 / PACE)
    return rows


def main(line: list[str]) -> int:
    """Entry point; the words behind `braid watch`."""
    words = arguments().parsed(line)
    if words.series is not None and words.series.suffix not in (".csv", ".parquet"):
        raise InputError(f"--series {words.series}: expected a name that ends with .csv or .parquet")
    experiment = Experiment(words.experiment).with_(settings_of(words.set))
    network = Network(experiment, all_arrivals=True)
    rows = _shown(View(network), looks(network, words.every, words.cycles or _cycles(experiment)))
    if words.series is not None:
        _write(rows, words.series)
    return 0

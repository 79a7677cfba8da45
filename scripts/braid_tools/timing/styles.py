"""The coding styles of TLM-2.0 over load: error and speed against the engine, table and plot (docs/tlm-styles.md).

python -m braid_tools.timing.styles [--quick] [--network NAME]...: results/tlm-styles; exit status 1 where an aim is
missed that the network is not known to miss. Processor time is measured, one run after the other, so a busy machine
moves the ratios little.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from typing import Any

from braid_tools import plots
from braid_tools.program import ROOT, braid
from braid_tools.study import Study

EXPERIMENTS = ROOT / "tb" / "experiments"
APPROXIMATE, LOOSE = "approximately_timed", "loosely_timed"
SATURATED = 3.0  # a mean latency of so many times that of the lowest load counts as saturation


@dataclass(frozen=True)
class Network:
    """A network under uniform traffic, an 8x8 mesh unless its settings say another."""

    name: str
    settings: dict[str, Any]
    rates: tuple[float, ...]
    saturation: float
    """What it accepts at most, flits/node/cycle: measured at offered loads above it."""
    warmup: int = 5000
    measured: int = 20000
    experiment: str = "mesh_uniform.toml"
    misses: tuple[tuple[str, str], ...] = ()
    """(style, "error" or "speed"): aims that it is known to miss at some load (docs/tlm-styles.md says why)."""


PO2 = {
    "router.architecture": "po2",
    "routing.algorithm": "best_paths",
    "routing.allow_deadlock": "true",
    "traffic.flits": 160,
    # Forty times as long as for packets of four flits, so that as many packets are in an observation.
    "tlm.style": LOOSE,
    "tlm.observation_cycles": 655360,
}


NETWORKS = [
    Network(
        "hybrid",
        {},
        (0.05, 0.1, 0.15, 0.2, 0.25, 0.28, 0.32, 0.36, 0.4),
        saturation=0.41,
        misses=((APPROXIMATE, "speed"), (LOOSE, "speed")),
    ),
    Network(
        "virtual_cut_through",
        {"router.architecture": "virtual_cut_through", "router.vcs": 1},
        (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35),
        saturation=0.366,
        misses=((APPROXIMATE, "speed"), (LOOSE, "speed")),
    ),
    Network("po2", PO2, (0.02, 0.05, 0.08, 0.11, 0.14, 0.16, 0.18), saturation=0.203, warmup=50000, measured=200000),
    Network(
        "po2_hexagonal",
        {**PO2, "topology.kind": "hexagonal", "topology.edge": 5},
        (0.05, 0.1, 0.15, 0.2, 0.26, 0.3, 0.34),
        saturation=0.377,
        warmup=50000,
        measured=200000,
    ),
    Network(
        "ideal",
        {"router.architecture": "ideal"},
        (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.68, 0.8, 0.9),
        saturation=0.977,
        misses=((LOOSE, "error"), (LOOSE, "speed")),
    ),
    Network(
        "myrinet",
        {"tlm.style": LOOSE, "tlm.observation_cycles": 655360},
        (0.01, 0.03, 0.05, 0.07, 0.09, 0.11),
        saturation=0.133,
        warmup=20000,
        measured=600000,
        experiment="irregular.toml",
    ),
]

#: (style, most error of the mean latency, least speed over the engine) below 70 % of saturation.
AIMS = [(APPROXIMATE, 0.05, 3.0), (LOOSE, 0.15, 50.0)]

Point = dict[str, Any]


def measure(network: Network, rate: float, *, quick: bool) -> Point:
    """What `braid styles` says of one load."""
    settings = {
        **network.settings,
        "traffic.rate_flits_per_node_cycle": rate,
        "simulation.min_warmup_cycles": network.warmup,
        "simulation.measure_cycles": network.measured // (4 if quick else 1),
        "simulation.max_drain_cycles": 50000,
    }
    options = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    found: Point = json.loads(braid("styles", EXPERIMENTS / network.experiment, *options, "--json", "-"))
    found["rate"] = rate
    found["by_style"] = {style["style"]: style for style in found["styles"]}
    return found


def speed(point: Point, style: str) -> float:
    """Packets a second of processor time, over the engine's."""
    of = point["by_style"]
    return of[style]["packets_per_second"] / of["cycle_accurate"]["packets_per_second"]


def rows(points: dict[str, list[Point]]) -> list[list[object]]:
    """Of styles.csv."""
    return [
        [
            name,
            point["rate"],
            style,
            f"{figures['mean_latency_cycles']:.2f}",
            f"{figures['error']:+.4f}",
            f"{figures['mean_packet_error_cycles']:.2f}",
            f"{figures['packets_per_second']:.4g}",
            f"{speed(point, style):.2f}",
        ]
        for name, of in points.items()
        for point in of
        for style, figures in point["by_style"].items()
    ]


def markdown(points: dict[str, list[Point]]) -> str:
    """The table of docs/tlm-styles.md."""
    lines = [f"| network | load | {APPROXIMATE} | | {LOOSE} | |".replace("_", " "), "|---|---|---|---|---|---|"]
    for network in (n for n in NETWORKS if n.name in points):
        for i, point in enumerate(points[network.name]):
            above = " (above 70 %)" if point["rate"] > 0.7 * network.saturation else ""
            cells = [
                f"{point['by_style'][style]['error']:+.1%} | {speed(point, style):.3g}x".replace("%", " %")
                for style in (APPROXIMATE, LOOSE)
            ]
            name = network.name.replace("_", " ") if i == 0 else ""
            lines.append(f"| {name} | {point['rate']}{above} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def missed(network: Network, points: list[Point]) -> list[tuple[bool, str]]:
    """Each aim that a network misses below 70 % of saturation: is it known to, and a line."""
    lines = []
    for point in (p for p in points if p["rate"] <= 0.7 * network.saturation):
        at = f"{network.name} at {point['rate']}"
        for style, error, faster in AIMS:
            found = point["by_style"][style]
            if abs(found["error"]) > error:
                known = (style, "error") in network.misses
                lines.append((known, f"{at}, {style}: error {found['error']:+.1%}, aim {error:.0%}"))
            if speed(point, style) < faster:
                known = (style, "speed") in network.misses
                lines.append((known, f"{at}, {style}: {speed(point, style):.1f} times the engine, aim {faster:g}"))
    return lines


def plot(study: Study, points: dict[str, list[Point]]) -> None:
    """styles.png: latency over load for each family, then the error, then the speed."""
    shown = {}
    for name, of in points.items():
        load = [p["rate"] for p in of]
        latency = {
            style: (load, [p["by_style"][style]["mean_latency_cycles"] for p in of]) for style in of[0]["by_style"]
        }
        shown[f"{name}: mean latency"] = ("flits/node/cycle", "cycles", latency)
    for name, of in points.items():
        load = [p["rate"] for p in of]
        errors = {
            style: (load, [abs(100 * p["by_style"][style]["error"]) for p in of]) for style in (APPROXIMATE, LOOSE)
        }
        shown[f"{name}: error of the mean"] = ("flits/node/cycle", "%, sign left out", errors)
    for style in (APPROXIMATE, LOOSE):
        lines = {name: ([p["rate"] for p in of], [speed(p, style) for p in of]) for name, of in points.items()}
        shown[f"{style}: speed"] = ("flits/node/cycle", "packets/s, times the engine's", lines)
    plots.panels(study.folder / "styles.png", shown)


def main() -> int:
    """Measures, writes styles.csv, table.md and styles.png, says what misses its aim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter runs and every other load")
    parser.add_argument("--network", action="append", choices=[n.name for n in NETWORKS], help="all by default")
    arguments = parser.parse_args()
    quick = arguments.quick
    networks = [n for n in NETWORKS if not arguments.network or n.name in arguments.network]
    study = Study("tlm-styles", quick=quick)
    points: dict[str, list[Point]] = {}
    for network in networks:
        rates = network.rates[::2] if quick else network.rates
        points[network.name] = []
        for rate in rates:
            point = measure(network, rate, quick=quick)
            if points[network.name]:
                first = points[network.name][0]["by_style"]["cycle_accurate"]["mean_latency_cycles"]
                if point["by_style"]["cycle_accurate"]["mean_latency_cycles"] > SATURATED * first:
                    break
            points[network.name].append(point)
    columns = ["family", "load", "style", "mean_latency_cycles", "error", "packet_off_cycles", "packets_per_second"]
    study.table("styles.csv", [*columns, "of_engine"], rows(points))
    (study.folder / "table.md").write_text(markdown(points), encoding="utf-8")
    plot(study, points)
    lines = [line for network in networks for line in missed(network, points[network.name])]
    for known, line in lines:
        print(f"{line}{' (known)' if known else ''}", file=sys.stderr)
    print(f"results/tlm-styles: {sum(map(len, points.values()))} loads, {len(lines)} aims missed")
    return 0 if all(known for known, _ in lines) else 1


if __name__ == "__main__":
    sys.exit(main())

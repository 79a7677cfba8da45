"""The main job: FM radio on a 4x4 mesh over six networks (paper: tentacle-routing, section 3 and figure 4)."""

from __future__ import annotations

import argparse
import json
import sys

from rich.console import Console
from rich.table import Table

from braid_tools import plots
from braid_tools.papers.tentacle.networks import EXPERIMENT, NETWORKS, REFERENCE, throughput
from braid_tools.program import BRAID, ROOT, BraidError, Results, Run, braid
from braid_tools.study import Study

SCALINGS = [0.0005, 0.001, 0.0015, 0.002, 0.0025, 0.003, 0.004, 0.006, 0.01, 0.02]
QUICK_SCALINGS = [0.001, 0.003, 0.01]


def jobs(scalings: list[float]) -> list[Run]:
    """One run for each network and computation scaling factor."""
    return [
        Run(f"{network} at {scaling}", EXPERIMENT, {**settings, "stream.computation_scaling": scaling})
        for network, settings in NETWORKS.items()
        for scaling in scalings
    ]


def normalized(scalings: list[float], curves: dict[str, list[float]]) -> list[float]:
    """Scaling factors over the lowest from which on every network is as fast as the ideal one (within 2 %)."""
    for i, scaling in enumerate(scalings):
        ideal = curves["ideal"][i:]
        if all(c >= 0.98 * best for curve in curves.values() for c, best in zip(curve[i:], ideal, strict=True)):
            return [s / scaling for s in scalings]
    return [s / scalings[-1] for s in scalings]


COLUMNS = ["network", "computation_scaling", "iterations_per_kilocycle", "half_width_95", "fell_back"]


def row(job: Run, result: Results) -> list[object]:
    """What results.csv says of a run."""
    network, scaling = job.name.split(" at ")
    estimate = result["stream"]["iterations_per_kilocycle"]
    fell_back = result.get("setup", {}).get("fell_back_to_packets", "")
    return [network, scaling, estimate["mean"], estimate["half_width_95"], fell_back]


def summary(scalings: list[float], results: list[Results]) -> Table:
    """A row a network: its best throughput, and that over push-adaptive's (the paper's figure 5)."""
    table = Table(title="FM radio on a 4x4 mesh: best throughput over all computation scaling factors")
    for heading in ("network", "iterations/kilocycle", "to push, adaptive", "latency, cycles", "circuits"):
        table.add_column(heading, justify="left" if heading in ("network", "circuits") else "right")
    per_network = {n: results[i * len(scalings) : (i + 1) * len(scalings)] for i, n in enumerate(NETWORKS)}
    reference = max(map(throughput, per_network[REFERENCE]))
    for network, runs in per_network.items():
        best = max(runs, key=throughput)
        setup = best.get("setup")
        circuits = ""
        if setup:
            circuits = f"{len(setup['circuits'])} set up in {setup['total_cycles']} cycles"
            if setup["fell_back_to_packets"]:
                circuits = f"fell back to packets ({setup['failed_stream']})"
        latency = best["classes"][0]["packet_latency_cycles"]["mean"]
        table.add_row(
            network, f"{throughput(best):.1f}", f"{throughput(best) / reference:.3f}", f"{latency:.1f}", circuits
        )
    return table


def main() -> int:
    """Entry point of scripts/run."""
    parser = argparse.ArgumentParser(prog="scripts/run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three scaling factors instead of ten")
    scalings = QUICK_SCALINGS if parser.parse_args().quick else SCALINGS
    study = Study("run")
    out, all_jobs = study.folder, jobs(scalings)
    try:
        results = study.run(all_jobs)
        braid("run", EXPERIMENT, "--quiet", "--trace", out / "fm_radio.vcd", "--json", out / "tentacle.json")
        braid("paths", EXPERIMENT, "--quiet", "--json", out / "paths.json")
    except BraidError as error:
        print(f"scripts/run: {error}", file=sys.stderr)
        return 1
    curves = {n: [throughput(r) for r in results[i * len(scalings) :][: len(scalings)]] for i, n in enumerate(NETWORKS)}
    study.table("results.csv", COLUMNS, map(row, all_jobs, results))
    plots.throughput(out / "throughput.png", normalized(scalings, curves), curves)
    plots.link_maps(out / "link_load.png", json.loads((out / "paths.json").read_text()))
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(summary(scalings, results))
    shown = out.relative_to(ROOT)
    console.print(f"Rows in {shown}/results.csv; plots in {shown}/throughput.png and {shown}/link_load.png.")
    console.print(f"The set-up of the circuits as a waveform: gtkwave {shown}/fm_radio.setup.gtkw", soft_wrap=True)
    program = BRAID.relative_to(ROOT)
    console.print(f"The program is {program}. To call it by its name in this shell:")
    console.print(f'export PATH="{BRAID.parent}:$PATH"', soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

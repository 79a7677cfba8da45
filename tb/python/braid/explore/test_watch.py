"""braid watch: what links carried and buffers hold, by map, table and series."""

import csv
import re
from pathlib import Path

import braid
import pytest
from small_mesh import Braid


def test_the_map_shows_what_the_network_holds(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    done = braid_here("watch", mesh, "--every", 50, "--cycles", 500, "--set", "traffic.rate_flits_per_node_cycle=0.4")
    lines = done.stdout.splitlines()
    network = braid.Network(braid.Experiment(mesh).with_(traffic__rate_flits_per_node_cycle=0.4))
    network.step(450)
    before = network.link_flits.copy()
    network.step(50)
    grown = network.link_flits - before
    held = [int(one.sum()) for one in network.occupancy]
    assert lines[0].startswith("mesh 4x4, cycle 500: busiest link ")
    assert f"{sum(held)} flits in buffers, {network.packets_arrived} packets arrived" in lines[0]
    assert [int(n) for line in lines for n in re.findall(r"\[ *(\d+)\]", line)] == held
    east = next(k for k in network.topology["links"] if k["from"] == 0 and k["name"] == "east")
    tenths = min(round(10 * grown[0, east["port"]] / 50), 9)
    assert re.match(rf"\[ *\d+\]>{tenths}<\d\[", lines[1])
    assert len(lines) == 1 + 4 + 3
    assert len(lines[1]) == 4 * 5 + 3 * 4
    assert re.fullmatch(r" v\d\^\d +v\d\^\d +v\d\^\d +v\d\^\d", lines[2])


def test_the_series_adds_up(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    braid_here("watch", mesh, "--every", 100, "--cycles", 950, "--series", "series.csv")
    rows = list(csv.DictReader((tmp_path / "series.csv").open()))
    assert [int(row["cycle"]) for row in rows] == [*range(100, 1000, 100), 950]
    network = braid.Network(mesh, all_arrivals=True)
    network.step(950)
    arrivals = network.arrivals()
    assert sum(int(row["delivered_packets"]) for row in rows) == len(arrivals)
    assert sum(int(row["delivered_flits"]) for row in rows) == sum(one.flits for one in arrivals)
    total = sum(
        int(row["delivered_packets"]) * float(row["latency_mean_cycles"]) for row in rows if row["latency_mean_cycles"]
    )
    assert total == pytest.approx(sum(one.latency for one in arrivals))


def test_a_network_without_a_grid_is_a_table(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    from braid_tools.program import ROOT

    done = braid_here("watch", ROOT / "tb" / "experiments" / "tree_sat.toml", "--cycles", 1000)
    assert "link" in done.stdout.splitlines()[1]
    assert "#" in done.stdout


def test_bad_input(mesh: Path, braid_here: Braid) -> None:
    assert "expected a name that ends with" in braid_here("watch", mesh, "--series", "x.txt", status=2).stderr
    assert "cannot be read" in braid_here("watch", "none.toml", status=2).stderr

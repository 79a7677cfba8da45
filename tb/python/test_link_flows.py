"""Whose packets each link carried (results.link_flows), against the packet log; where the network is narrow."""

import csv
import json
from collections import Counter
from pathlib import Path

from braid_tools.program import ROOT, braid

MESH = ROOT / "tb" / "experiments" / "mesh_adaptive.toml"
SMALL = {
    "topology.width": 4,
    "topology.height": 3,
    "routing.algorithm": "minimal_adaptive",
    "traffic.pattern": "uniform",
    "traffic.request_reply": "true",
    "traffic.reply_flits": 5,
    "traffic.rate_flits_per_node_cycle": 0.1,
    "simulation.measure_cycles": 2000,
    "results.link_flows": "true",
}
PORTS = {"east": (1, 0, 1), "west": (-1, 0, 0), "north": (0, 1, 3), "south": (0, -1, 2)}  # step, port at the far end


def arguments(settings: dict) -> list[str]:
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def test_flows_of_links_are_those_of_the_packet_log(tmp_path: Path) -> None:
    told, log = tmp_path / "results.json", tmp_path / "log.csv"
    braid("run", MESH, *arguments(SMALL), "--quiet", "--json", told, "--log", log)
    results = json.loads(told.read_text())
    begin, cycles = results["warmup_cycles"], results["measured_cycles"]
    counted: Counter = Counter()
    with log.open() as file:
        for line in csv.DictReader(file):
            for visit in line["path"].split():
                place, cycle = visit.split("@")
                router, port = (int(word) for word in place.split(":"))
                if begin <= int(cycle) < begin + cycles and port < 4:
                    counted[router, port, int(line["source"]), int(line["destination"])] += int(line["flits"])
    for link in results["links"]:
        x, y = (int(word) for word in link["router"].split(","))
        dx, dy, port = PORTS[link["port"]]
        assert link["to"] == f"{x + dx},{y + dy}"
        there = (y + dy) * 4 + x + dx
        mine = {(s, d): flits for (r, p, s, d), flits in counted.items() if (r, p) == (there, port)}
        theirs = {(f["source"], f["destination"]): f["flits_per_cycle"] * cycles for f in link["flows"]}
        assert {pair: round(flits) for pair, flits in theirs.items()} == mine
        carried = link["packet_flits_per_cycle"] * cycles
        assert abs(sum(theirs.values()) - carried) <= 40, "but for packets that cross as the window begins or ends"
        rates = [flow["flits_per_cycle"] for flow in link["flows"]]
        assert rates == sorted(rates, reverse=True)


def test_link_flows_change_no_figure(tmp_path: Path) -> None:
    runs = []
    for chosen in ("true", "false"):
        told = tmp_path / f"{chosen}.json"
        braid("run", MESH, *arguments(SMALL | {"results.link_flows": chosen}), "--quiet", "--json", told)
        runs.append(json.loads(told.read_text()))
    assert runs[0]["packet_hash"] == runs[1]["packet_hash"]
    assert "flows" not in runs[1]["links"][0]
    assert runs[0]["node_links"] == runs[1]["node_links"]


def test_node_links_are_what_nodes_send_and_take(tmp_path: Path) -> None:
    told = tmp_path / "results.json"
    settings = SMALL | {"topology.local_ports": 2, "traffic.pattern": "hot_spot", "traffic.hot_nodes": "[5]"}
    braid("run", MESH, *arguments(settings | {"traffic.hot_fraction": 0.5}), "--quiet", "--json", told)
    results = json.loads(told.read_text())
    packets = results["classes"][0]
    for node, link in enumerate(results["node_links"]):
        assert link["node"] == node
        assert link["ports"] == 2
        assert link["router"] == f"{node % 4},{node // 4}"
        assert abs(2 * link["injected_flits_per_cycle"] - packets["injected_flits_per_cycle_by_node"][node]) < 1e-12
        assert abs(2 * link["ejected_flits_per_cycle"] - packets["delivered_flits_per_cycle_by_node"][node]) < 1e-12


def test_table_names_ejection_links_and_replies() -> None:
    settings = SMALL | {"traffic.pattern": "hot_spot", "traffic.hot_nodes": "[5]", "traffic.hot_fraction": 1.0}
    settings["results.link_flows"] = "false"
    text = braid("run", MESH, *arguments(settings))
    assert "node 5 -> 1,1" in text, "all replies leave by one link"
    assert "(replies)" in text
    counted = braid("run", MESH, *arguments(settings | {"results.link_flows": "true"}))
    assert "flows are those whose packets crossed the link" in " ".join(counted.split())

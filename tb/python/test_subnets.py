"""Subnets through the program: figures of each against the packet log, the same run under threads, from a checkpoint
and replayed from its trace, waveforms, refusals."""

import csv
import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from braid_tools.program import BRAID

READS = """
[topology]
width = 4
height = 3
[network]
subnets = 2
[simulation]
batch_cycles = 500
min_warmup_cycles = 500
max_warmup_cycles = 1500
measure_cycles = 2000
[[traffic]]
name = "reads"
request_reply = true
reply_flits = 5
reply_subnets = [1]
rate_flits_per_node_cycle = 0.05
[[traffic]]
name = "others"
length = "fixed"
flits = 3
subnets = [0, 1]
rate_flits_per_node_cycle = 0.1
"""
STEPS = {"east": 1, "west": -1, "north": 4, "south": -4}
BACK = {"east": 1, "west": 0, "north": 3, "south": 2}  # port at the far end


def run(folder: Path, *words: str, text: str = READS) -> dict:
    file, told = folder / "reads.toml", folder / "told.json"
    file.write_text(text)
    subprocess.run([BRAID, "run", file, "--quiet", "--json", told, *words], check=True, capture_output=True, cwd=folder)
    return json.loads(told.read_text())


def test_each_subnet_is_what_the_log_says_of_it(tmp_path: Path) -> None:
    """Packet i of a node in subnet s has number 2 i + s; the log has the rest."""
    results = run(tmp_path, "--log", "log.csv")
    begin, cycles = results["warmup_cycles"], results["measured_cycles"]
    kinds: dict[str, Counter] = {"reads": Counter(), "reads reply": Counter(), "others": Counter()}
    taken: Counter = Counter()
    crossed: Counter = Counter()
    with (tmp_path / "log.csv").open() as file:
        for line in csv.DictReader(file):
            subnet, flits = int(line["sequence"]) % 2, int(line["flits"])
            kinds[line["kind"]][subnet] += 1
            if line["delivered"] and begin <= int(line["delivered"]) < begin + cycles:
                taken[subnet] += flits
            for visit in line["path"].split():
                place, cycle = visit.split("@")
                router, port = (int(word) for word in place.split(":"))
                if begin <= int(cycle) < begin + cycles and port < 4:
                    crossed[subnet, router, port] += flits
    assert kinds["reads"][1] == 0 < kinds["reads"][0]
    assert kinds["reads reply"][0] == 0 < kinds["reads reply"][1]
    assert abs(kinds["others"][0] / kinds["others"].total() - 0.5) < 0.1
    for subnet in results["subnets"]:
        number = subnet["subnet"]
        assert subnet["classes"] == [["reads", "others"], ["reads replies", "others"]][number]
        assert abs(subnet["accepted_flits_per_node_cycle"] * cycles * 12 - taken[number]) <= 5 * 12  # cut by the window
        mine = [link for link in results["links"] if link["subnet"] == number]
        assert len(mine) == 2 * (3 * 3 + 4 * 2)
        for link in mine:
            x, y = (int(word) for word in link["router"].split(","))
            there = y * 4 + x + STEPS[link["port"]]
            carried = link["packet_flits_per_cycle"] * cycles
            assert abs(carried - crossed[number, there, BACK[link["port"]]]) <= 40
        busiest = max(mine, key=lambda link: link["packet_flits_per_cycle"])
        assert subnet["busiest_link_load"] == busiest["packet_flits_per_cycle"]
        assert (subnet["busiest_link_router"], subnet["busiest_link_port"]) == (busiest["router"], busiest["port"])


def test_threads_and_checkpoints_change_nothing(tmp_path: Path) -> None:
    told = run(tmp_path, "--set", "checkpoint.file=warm.checkpoint")
    threads = run(tmp_path, "--threads", "2")
    again = run(tmp_path, "--from", "warm.checkpoint")
    assert told["packet_hash"] == threads["packet_hash"] == again["packet_hash"]
    assert told["subnets"] == threads["subnets"] == again["subnets"]
    assert told["links"] == threads["links"] == again["links"]


def test_a_recorded_trace_is_the_run_again(tmp_path: Path) -> None:
    apart = READS.replace("subnets = [0, 1]", "subnets = [1]")
    recorded = run(tmp_path, "--record-trace", "run.trace", text=apart)
    sections = apart[: apart.index("[[traffic]]")]
    lines = (tmp_path / "run.trace").read_text().splitlines()
    classes = [line.removeprefix("class ") for line in lines if line.startswith("class ")]
    assert {"reads", "reads replies", "others"} <= set(classes)
    subnets = [int(name in ("reads replies", "others")) for name in classes]
    replay = sections + f'[replay]\nfile = "run.trace"\nsubnets = {json.dumps(subnets)}\n'
    again = run(tmp_path, text=replay)
    assert again["packet_hash"] == recorded["packet_hash"]
    assert again["links"] == recorded["links"]


def test_waveforms_have_a_scope_a_subnet(tmp_path: Path) -> None:
    run(tmp_path, "--trace", "wave.vcd", "--set", "trace.to_cycle=50")
    text = (tmp_path / "wave.vcd").read_text()
    for subnet in ("subnet_0", "subnet_1"):
        assert f"$scope module {subnet} $end" in text


def test_flows_of_links_are_those_of_their_subnet(tmp_path: Path) -> None:
    results = run(tmp_path, "--set", "results.link_flows=true")
    classes = [{"reads", "others"}, {"reads replies", "others"}]
    seen: list[set] = [set(), set()]
    for link in results["links"]:
        seen[link["subnet"]] |= {flow["class"] for flow in link["flows"]}
        carried = link["packet_flits_per_cycle"] * results["measured_cycles"]
        counted = sum(flow["flits_per_cycle"] for flow in link["flows"]) * results["measured_cycles"]
        assert abs(carried - counted) <= 40
    assert seen == classes


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("network.subnets=3",), "no class of traffic goes by subnet 2"),
        (("traffic.reads.subnets=[2]",), "traffic.subnets: subnet 2: expected 0 to 1 (network.subnets = 2)"),
        (("simulation.schedule=process_per_stage",), 'expected simulation.schedule = "static"'),
        (("router.implementation=rtl",), 'expected router.implementation = "model"'),
        (("interface.fairness=sat",), 'expected interface.fairness = "none"'),
        (("broadcast.scheme=unicast",), "expected no section [broadcast]"),
    ],
    ids=str,
)
def test_what_cannot_be_is_one_line(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    file = tmp_path / "reads.toml"
    file.write_text(READS)
    line = [BRAID, "check", file, *(part for word in words for part in ("--set", word))]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1

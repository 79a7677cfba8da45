"""`braid styles`: figures of a run whose packets meet nobody are known by hand, and its table says them."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from braid_tools.program import BRAID, braid

MEASURED, WARMUP = 2000, 402


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    """Two routers; node 1 sends node 0 a flit in every fourth cycle exactly: nobody is in a packet's way."""
    (tmp_path / "pairs.txt").write_text("1 0\n")
    file = tmp_path / "steady.toml"
    file.write_text(
        '[topology]\nwidth = 2\nheight = 1\n[traffic]\npattern = "permutation"\nfile = "pairs.txt"\n'
        'process = "constant"\nrate_flits_per_node_cycle = 0.25\nflits = 1\n[simulation]\n'
        f"min_warmup_cycles = {WARMUP}\nmeasure_cycles = {MEASURED}\n"
    )
    return file


def told(*arguments: str | Path) -> dict:
    return json.loads(braid("styles", *arguments, "--json", "-"))


def test_packets_that_meet_nobody_take_what_the_drawing_says(steady: Path) -> None:
    """A quarter of a flit of one of two nodes; 3 + 5 * 2 cycles (docs/router.md); the loosely timed estimate knows that
    they come in step as little as any other load, and lets them wait."""
    found = told(steady)
    assert list(found) == ["packets", "undelivered", "load_flits_per_node_cycle", "styles"]
    assert (found["packets"], found["undelivered"]) == (MEASURED // 4, 0)
    assert found["load_flits_per_node_cycle"] == 0.125
    engine, approximate, loose = found["styles"]
    assert [style["style"] for style in found["styles"]] == ["cycle_accurate", "approximately_timed", "loosely_timed"]
    for style in (engine, approximate):
        assert (style["mean_latency_cycles"], style["error"], style["mean_packet_error_cycles"]) == (13, 0, 0)
    # Three channels, each a quarter busy: 0.25 / (2 * 0.75) cycles at each, random arrivals.
    assert loose["mean_latency_cycles"] == pytest.approx(13.5, abs=0.2)
    assert loose["error"] == pytest.approx(loose["mean_latency_cycles"] / 13 - 1)
    assert 0 < loose["mean_packet_error_cycles"] < 1
    for style in found["styles"]:
        assert style["packets_per_second"] > 1000, "of processor time"


def test_the_table_says_what_the_styles_are(steady: Path) -> None:
    lines = braid("styles", steady).splitlines()
    assert lines[0] == f"{MEASURED // 4} packets, 0.125 flits/node/cycle"
    assert lines[1].split("  ")[0] == "style"
    assert re.sub(" +", " ", lines[1]) == "style mean latency error a packet is off packets/s of engine"
    rows = [line.split() for line in lines[2:]]
    assert [row[:4] for row in rows[:2]] == [
        ["cycle_accurate", "13.00", "0.0%", "0.00"],
        ["approximately_timed", "13.00", "0.0%", "0.00"],
    ]
    assert rows[0][5] == "1.0x"
    for row in rows:
        assert float(row[5].removesuffix("x")) == pytest.approx(float(row[4]) / float(rows[0][4]), rel=0.02, abs=0.1)
    assert float(rows[2][2].removesuffix("%")) == pytest.approx(100 * (float(rows[2][1]) / 13 - 1), abs=0.06)


def test_a_measurement_without_a_packet_is_refused(steady: Path) -> None:
    """Of one cycle, in which nothing is made; or so slow that nothing comes."""
    words = ["--set", "simulation.measure_cycles=1000", "--set", "traffic.rate_flits_per_node_cycle=0"]
    done = subprocess.run([BRAID, "styles", steady, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "braid: no packet arrived that was made while measuring: expected a longer simulation.measure_cycles\n"
    )

"""Traces of runs: what is recorded and replayed is the run again, whatever the routers, the schedule and the form."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from braid_tools.program import BRAID, ROOT

EXPERIMENTS = ROOT / "tb" / "experiments"
SHORT = {"batch_cycles": 500, "min_warmup_cycles": 1000, "max_warmup_cycles": 2000, "measure_cycles": 3000}
#: What says how a run was asked, and what only its own sources can say.
OF_THE_ASKING = (
    "configuration",
    "wall_seconds",
    "engines",
    "exchanges",
    "messages",
    "replay",
    "stream",
    "broadcast",
    "warnings",
)
Settings = dict[str, Any]


def words(settings: Settings) -> list[str]:
    short = {f"simulation.{key}": value for key, value in SHORT.items()} | settings
    return [word for key, value in short.items() for word in ("--set", f"{key}={json.dumps(value)}")]


def run(experiment: Path, settings: Settings, *more: str | Path) -> dict[str, Any]:
    told = experiment.parent / "told.json" if experiment.parent != EXPERIMENTS else Path(more[-1]).with_suffix(".json")
    line = [BRAID, "run", experiment, *words(settings), "--quiet", "--json", told, *more]
    subprocess.run(line, check=True, capture_output=True)
    return json.loads(told.read_text())


def said(results: dict[str, Any]) -> dict[str, Any]:
    """Whether a network is saturated is asked of sources that do not wait: of those recorded or of the replay's."""
    classes = [{k: v for k, v in c.items() if k != "saturation"} for c in results["classes"]]
    kept = {key: value for key, value in results.items() if key not in (*OF_THE_ASKING, "saturated")}
    return kept | {"classes": classes}


def without_intervals(one: dict[str, Any]) -> dict[str, Any]:
    """A class without what its queues have a say in."""
    latencies = ("packet_latency_cycles", "network_latency_cycles")
    kept = {k: v for k, v in one.items() if k != "packet_latency_percentile_intervals_cycles"}
    return kept | {figure: {k: v for k, v in one[figure].items() if k != "half_width_95"} for figure in latencies}


def differing(again: dict[str, Any], recorded: dict[str, Any]) -> list[str]:
    """Figures; those of a list are named with it. Intervals ask the queues where sources do not wait: if that is so on
    one side only, intervals are not compared."""
    a, b = said(again), said(recorded)
    asked = [["saturation" in one for one in results["classes"]] for results in (again, recorded)]
    if asked[0] != asked[1]:
        for results in (a, b):
            results["classes"] = [without_intervals(one) for one in results["classes"]]
    return [f"{key}: {a.get(key)} != {b.get(key)}"[:300] for key in {**a, **b} if a.get(key) != b.get(key)]


def with_trace(experiment: Path, place: Path, trace: Path, by: str) -> Path:
    """The experiment, a section [replay] in place of whatever sends."""
    sections = re.split(r"(?m)^(?=\[)", experiment.read_text())
    kept = [s for s in sections if not re.match(r"\[+(traffic|message|stream|broadcast)\]", s)]
    others = re.sub(r"(?m)^(source_queue_packets|transfer|switching) =.*\n", "", "".join(kept))  # of what sends, too
    file = place / f"replay_{by}.toml"
    file.write_text(others + f'\n[replay]\nfile = "{trace}"\nby = "{by}"\n')
    return file


def of_others(settings: Settings) -> Settings:
    senders = ("traffic.", "message.", "interface.", "stream.", "broadcast.")
    return {key: value for key, value in settings.items() if not key.startswith(senders)}


RATE = "traffic.rate_flits_per_node_cycle"
REPLIES = {"traffic.request_reply": True, "traffic.reply_flits": 3, RATE: 0.05}
PACKETS = {"message.packet_flits": 0, "traffic.length": "fixed", "traffic.flits": 16, RATE: 0.2}  # no messages
RUNS: list[tuple[str, Settings]] = [
    ("mesh_uniform", {RATE: 0.3}),
    ("mesh_uniform", {RATE: 0.2, "traffic.pattern": "transpose", "traffic.process": "on_off"}),
    ("mesh_uniform", REPLIES),
    ("mesh_uniform", {RATE: 0.9, "interface.source_queue_packets": 4, "traffic.process": "saturated"}),
    ("mesh_adaptive", {}),
    ("torus_tornado", {}),
    ("tree_sat", {}),
    ("po2_hexagonal", PACKETS),
    ("irregular", {}),
    ("broadcast", {}),
    ("fm_radio", {"interface.switching": "packet", "topology.local_ports": 1}),
]


@pytest.mark.parametrize(("name", "settings"), RUNS)
def test_a_replayed_trace_is_the_recorded_run(tmp_path: Path, name: str, settings: Settings) -> None:
    trace = tmp_path / "run.btrace"
    recorded = run(EXPERIMENTS / f"{name}.toml", settings, "--record-trace", trace)
    assert recorded["conservation"]["packets_delivered"] > 0
    again = run(with_trace(EXPERIMENTS / f"{name}.toml", tmp_path, trace, "time"), of_others(settings))
    assert again["packet_hash"] == recorded["packet_hash"]
    assert differing(again, recorded) == []
    assert again["replay"]["made_packets"] == recorded["conservation"]["packets_created"]


def test_in_the_ideal_network_the_same_packets_go_at_the_same_times(tmp_path: Path) -> None:
    """There whoever was made first goes first, and of those made in one cycle a trace does not say who that was."""
    ideal, again = {RATE: 0.3, "router.architecture": "ideal"}, tmp_path / "again.trace"
    trace = tmp_path / "run.trace"
    run(EXPERIMENTS / "mesh_uniform.toml", ideal, "--record-trace", trace)
    file = with_trace(EXPERIMENTS / "mesh_uniform.toml", tmp_path, trace, "time")
    run(file, of_others(ideal), "--record-trace", again)
    assert again.read_text() == trace.read_text()


@pytest.mark.parametrize("name", ["mesh_uniform", "tree_sat", "po2_hexagonal", "irregular"])
@pytest.mark.parametrize("service", [0, 20])
def test_replies_depend_on_their_requests(tmp_path: Path, name: str, service: int) -> None:
    trace = tmp_path / "run.trace"
    settings = REPLIES | {"traffic.service_cycles": service, RATE: 0.02}
    if name == "po2_hexagonal":
        settings = PACKETS | settings
    recorded = run(EXPERIMENTS / f"{name}.toml", settings, "--record-trace", trace)
    lines = [line.split() for line in trace.read_text().splitlines() if line[0].isdigit()]
    assert sum("after" in line for line in lines) > len(lines) / 3, "replies"
    for by in ("dependency", "both"):
        again = run(with_trace(EXPERIMENTS / f"{name}.toml", tmp_path, trace, by), of_others(settings))
        assert differing(again, recorded) == [], by
        assert again["replay"]["held_back_packets"] == 0


def test_by_dependency_a_faster_network_answers_sooner(tmp_path: Path) -> None:
    """By time replies go when they went in the recorded run, whether their requests are there or not."""
    trace = tmp_path / "run.trace"
    run(EXPERIMENTS / "mesh_uniform.toml", REPLIES, "--record-trace", trace)
    ends = {}
    for by in ("time", "dependency"):
        file = with_trace(EXPERIMENTS / "mesh_uniform.toml", tmp_path, trace, by)
        log = tmp_path / f"{by}.csv"
        run(file, {"router.architecture": "ideal"}, "--log", log)
        rows = [line.split(",") for line in log.read_text().splitlines()]
        created = rows[0].index("created")
        ends[by] = sum(int(row[created]) for row in rows[1:1000])
    assert ends["dependency"] < ends["time"]


@pytest.mark.parametrize("by", ["time", "dependency"])
def test_schedules_threads_and_engines_agree(tmp_path: Path, by: str) -> None:
    """Dependencies across nodes too: each packet of a chain goes from where no one before it arrived."""
    trace = tmp_path / "chains.trace"
    nodes, rounds = 64, 30
    lines = []
    for i in range(nodes * rounds):
        source, to = (i * 7) % nodes, (i * 7 + 13 + i // nodes) % nodes
        if source == to:
            to = (to + 1) % nodes
        before = "" if i < nodes else f" after {i - nodes},{i - nodes + 1} delay {1 + i % 3}"
        lines.append(f"{i} {10 * (i // nodes)} {source} {to} {1 + i % 5} {i % 2}{before}")
    head = ["braid-trace 1", f"nodes {nodes}", "class one", "class two"]
    trace.write_text("\n".join([*head, *lines, f"end {len(lines)}", ""]))
    file = with_trace(EXPERIMENTS / "mesh_uniform.toml", tmp_path, trace, by)
    ways: list[Settings] = [
        {"simulation.engine": "lists"},
        {"simulation.engine": "planes"},
        {"simulation.threads": 2},
        {"simulation.threads": 5},
        {"simulation.schedule": "process_per_stage"},
    ]
    quiet = {"simulation.min_warmup_cycles": 0, "simulation.max_warmup_cycles": 0}
    results = [said(run(file, quiet | way)) for way in ways]
    assert results[0]["conservation"]["packets_delivered"] == nodes * rounds
    for other in results[1:]:
        assert other == results[0]


def test_both_forms_say_the_same(tmp_path: Path) -> None:
    results = []
    for form in ("trace", "btrace"):
        trace = tmp_path / f"run.{form}"
        run(EXPERIMENTS / "mesh_uniform.toml", REPLIES, "--record-trace", trace)
        results.append(said(run(with_trace(EXPERIMENTS / "mesh_uniform.toml", tmp_path, trace, "dependency"), {})))
    assert results[0] == results[1]
    assert (tmp_path / "run.btrace").stat().st_size < (tmp_path / "run.trace").stat().st_size / 2


def test_what_a_trace_cannot_say_is_refused(tmp_path: Path) -> None:
    def refusal(*more: str | Path) -> str:
        line = [BRAID, "run", EXPERIMENTS / "mesh_uniform.toml", *words({}), "--quiet", *more]
        ended = subprocess.run(line, capture_output=True, text=True)
        assert ended.returncode == 2
        return ended.stderr

    assert "a .trace file (text) or a .btrace file (binary)" in refusal("--record-trace", tmp_path / "run.txt")
    closed = ("--set", "traffic.request_reply=true", "--set", "traffic.outstanding=2")
    assert "traffic.outstanding: a trace has no word for" in refusal("--record-trace", tmp_path / "run.trace", *closed)
    assert not list(tmp_path.glob("run.*"))

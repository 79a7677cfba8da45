"""Save files of waveforms, read by other means than the program's: every row is in the waveform, every value of a row
that has names has one, and what the rows say agrees with packet log, registers and results (docs/waveforms.md)."""

import json
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from braid_tools.gtkw import SaveFile, declared, read_gtkw, read_names
from braid_tools.program import ROOT, BraidError, braid
from braid_tools.vcd import Wave, read_vcd

SHORT = {
    "simulation.min_warmup_cycles": 0,
    "simulation.max_warmup_cycles": 0,
    "simulation.batch_cycles": 100,
    "simulation.measure_cycles": 600,
}
MESH = SHORT | {"topology.width": 4, "topology.height": 4, "traffic.rate_flits_per_node_cycle": 0.5}


#: One broadcast over 3x3 nodes, who needs the network for it.
BROADCAST = {
    "simulation.min_warmup_cycles": 0,
    "simulation.max_warmup_cycles": 0,
    "simulation.measure_cycles": 4000,
    "topology.width": 3,
    "topology.height": 3,
    "broadcast.gap_cycles": 100000,
}


@dataclass
class Traced:
    """A run with its waveform."""

    folder: Path
    experiment: str
    settings: dict[str, object] = field(default_factory=dict)

    def run(self) -> "Traced":
        words = [word for key, value in self.settings.items() for word in ("--set", f"{key}={value}")]
        experiment = ROOT / "tb" / "experiments" / f"{self.experiment}.toml"
        files = ["--trace", self.folder / "t.vcd", "--json", self.folder / "r.json", "--log", self.folder / "l.csv"]
        braid("run", experiment, *words, "--quiet", *files)
        return self

    def questions(self) -> list[str]:
        return sorted(path.name.split(".")[1] for path in self.folder.glob("t.*.gtkw"))

    def save(self, question: str) -> SaveFile:
        return read_gtkw(self.folder / f"t.{question}.gtkw")

    def wave(self, *names: str) -> Wave:
        return read_vcd(self.folder / "t.vcd", names)

    def log(self) -> list[dict[str, str]]:
        header, *lines = (self.folder / "l.csv").read_text().splitlines()
        return [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]


FAMILIES = {
    "hybrid": ("mesh_uniform", MESH | {"watch.what": "packet=3.5"}, ["packet", "stalls"]),
    "adaptive": (
        "mesh_adaptive",
        SHORT | {"traffic.rate_flits_per_node_cycle": 0.5, "trace.routers": "3,3 4,3"},
        ["stalls"],
    ),
    "circuits": ("fm_radio", {"trace.to_cycle": 400}, ["actors", "setup", "stalls"]),
    "tree": ("tree_sat", SHORT | {"topology.levels": 2, "watch.what": "packet=5.3"}, ["packet", "sat", "stalls"]),
    "tree_ss": ("tree_sat", SHORT | {"topology.levels": 2, "sat.carrier": "spanning_tree"}, ["sat", "stalls"]),
    "po2": ("po2_hexagonal", SHORT | {"topology.edge": 2, "watch.what": "packet=2.0"}, ["packet", "pool", "stalls"]),
    "po2_modules": (
        "po2_hexagonal",
        SHORT | {"topology.edge": 2, "simulation.schedule": "process_per_stage"},
        ["pool", "stalls"],
    ),
    "myrinet": (
        "irregular",
        {
            "simulation.min_warmup_cycles": 0,
            "simulation.max_warmup_cycles": 0,
            "simulation.measure_cycles": 6000,
            "topology.switches": 4,
            "traffic.rate_flits_per_node_cycle": 0.3,
            "watch.what": "packet=1.0",
            "trace.to_cycle": 6000,
        },
        ["in_transit", "packet", "stalls"],
    ),
    "ideal": (
        "fm_radio",
        {"router.architecture": "ideal", "interface.switching": "packet", "watch.what": "packet=1.0"},
        ["actors", "packet"],
    ),
    "broadcast": ("broadcast", BROADCAST, ["processors", "stalls"]),
}


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Traced, list[str]]:
    experiment, settings, questions = FAMILIES[request.param]
    return Traced(tmp_path_factory.mktemp(request.param), experiment, settings).run(), questions


def test_there_is_a_save_file_for_each_question_that_can_be_answered(family: tuple[Traced, list[str]]) -> None:
    traced, questions = family
    assert traced.questions() == questions


def test_every_row_is_in_the_waveform_and_tells_its_router(family: tuple[Traced, list[str]]) -> None:
    traced, questions = family
    signals = declared(traced.folder / "t.vcd")
    for question in questions:
        save = traced.save(question)
        assert save.waveform == traced.folder / "t.vcd"
        assert len(save.rows) > 1 or save.comments == ["no packet was held up in these cycles"]
        for row in save.rows:
            assert row.path in signals
            path = row.path.removeprefix("SystemC.").removeprefix("router_").split("[")[0]
            assert row.label == path.replace(".", " "), "GTKWave shows the leaf name alone"
        rows = [row.path for row in save.rows]
        assert len(rows) == len(set(rows)) or question == "packet"


def test_every_value_of_a_named_row_has_a_name(family: tuple[Traced, list[str]]) -> None:
    traced, questions = family
    wave = traced.wave("SystemC.")
    checked = 0
    for question in questions:
        for row in traced.save(question).rows:
            if row.names is None:
                continue
            names = read_names(row.names)
            values = set(wave[row.path.removeprefix("SystemC.").split("[")[0]])
            assert values <= set(names), row.path
            checked += len(values)
    assert checked > 3


@pytest.fixture(scope="module")
def mesh(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    settings = MESH | {"watch.what": "packet=3.5 packet=9.2", "trace.to_cycle": 100000}
    return Traced(tmp_path_factory.mktemp("mesh"), "mesh_uniform", settings).run()


def number(source: int, sequence: int) -> int:
    return (source + 1) << 32 | sequence


def test_a_packets_rows_are_those_of_its_way_at_the_cycles_of_the_log(mesh: Traced) -> None:
    save = mesh.save("packet")
    wave = mesh.wave("link_packet", "packet", "packet_3_5", "packet_9_2")
    names = [f"{x},{y}" for y in range(4) for x in range(4)]
    for source, sequence in ((3, 5), (9, 2)):
        (line,) = [p for p in mesh.log() if (int(p["source"]), int(p["sequence"])) == (source, sequence)]
        visits = [visit.split("@") for visit in line["path"].split()]
        group = f"packet {source}.{sequence}"
        rows = [row for row in save.rows if group in row.groups]
        assert rows[0].label == f"watch packet_{source}_{sequence}"
        shown = [row.path.removeprefix("SystemC.").split("[")[0] for row in rows[1:]]
        titles = [path.split(".")[0].replace("_", " ", 1) for path in shown]
        assert [row.groups for row in rows[1:]] == [(group, title) for title in titles], "routers side by side"
        links = [path for path in shown if path.endswith("link_packet")]
        routers = [f"router_{names[int(place.split(':')[0])].replace(',', '_')}" for place, _ in visits]
        assert [path.split(".")[0] for path in links] == routers
        for path, (_, cycle) in zip(links, visits, strict=True):
            # Routed in the cycle in which the head is written; on the link in the cycle before that, which a waveform
            # shows a cycle earlier: it has what stands after each clock edge.
            assert wave[path].index(number(source, sequence)) == int(cycle) - 2
        heads = [path for path in shown if ".vc" in path and path.endswith(".packet")]
        assert [wave[path].index(number(source, sequence)) for path in heads] == [int(c) for _, c in visits]
        place = wave[f"watch.packet_{source}_{sequence}"]
        there = [cycle for cycle, value in enumerate(place) if value != 0]
        assert there == list(range(int(line["created"]), int(line["delivered"])))
        assert save.start <= int(line["created"])
        assert {int(line["created"]), int(line["delivered"])} <= {time for _, time in save.markers}


def test_moves_are_the_flits_that_cross_the_switches(mesh: Traced) -> None:
    wave = mesh.wave("stall", "out", "packet", "st_valid", "st_source", "st_sequence")
    moves: Counter[tuple[str, int]] = Counter()
    for path in [name for name in wave if name.endswith(".stall")]:
        moves.update((path.split(".")[0], cycle) for cycle, value in enumerate(wave[path]) if value == 1)
    crossing: Counter[tuple[str, int]] = Counter()
    for path in [name for name in wave if name.endswith(".st_valid")]:
        crossing.update((path.split(".")[0], cycle) for cycle, value in enumerate(wave[path]) if value == 1)
    assert moves == crossing
    results = json.loads((mesh.folder / "r.json").read_text())
    # What is granted in the run's last cycle would cross in the next.
    last = len(wave[next(iter(wave))]) - 1
    assert sum(n for (_, cycle), n in moves.items() if cycle < last) == results["flit_hops"]


STALLS = ["-", "moves", "gets VC", "routes", "VC taken", "lost VC", "no credit", "circuit first", "lost switch"]
NEEDS_ROUTE, WAITS, ACTIVE = 1, 2, 3


def expected_stall(before: dict[str, int], now: dict[str, int], owners: int) -> str:
    """Of a flit that did not move: from what stood at the start of the cycle. `owners`: VCs taken of the output port
    that a head asks for; with one way on and every VC allowed there, it waits for one or has lost one."""
    if before["count"] == 0:
        return "-"
    if before["state"] == NEEDS_ROUTE:
        return "routes"
    if before["state"] == WAITS:
        if now["state"] == ACTIVE:
            return "gets VC"
        return "VC taken" if owners == 4 else "lost VC"
    return "no credit" if before["out_credits"] == 0 else "lost switch"


def test_reasons_of_a_stall_follow_from_the_registers(mesh: Traced) -> None:
    signals = ("stall", "state", "count", "out", "out_credits")
    wave = mesh.wave(*signals)
    vcs = [name.removesuffix(".stall") for name in wave if name.endswith(".stall")]
    seen: Counter[str] = Counter()
    cycles = len(wave[f"{vcs[0]}.stall"])
    taken = Counter(
        (vc.split(".")[0], wave[f"{vc}.out"][cycle], cycle)
        for vc in vcs
        for cycle in range(cycles)
        if wave[f"{vc}.state"][cycle] == ACTIVE
    )
    for vc in vcs:
        for cycle in range(1, cycles):
            stall = STALLS[wave[f"{vc}.stall"][cycle]]
            before, now = ({s: wave[f"{vc}.{s}"][c] for s in signals} for c in (cycle - 1, cycle))
            seen[stall] += 1
            if stall != "moves":
                assert stall == expected_stall(before, now, taken[vc.split(".")[0], before["out"], cycle - 1])
    assert all(seen[reason] > 10 for reason in ("moves", "gets VC", "VC taken", "lost VC", "no credit", "lost switch"))
    said: Counter[str] = Counter()
    for comment in mesh.save("stalls").comments:
        said.update({reason: int(n) for n, reason in (part.split(" ", 1) for part in comment.split(", "))})
    first = STALLS.index("VC taken")
    assert said == Counter({reason: seen[reason] for reason in STALLS[first:] if seen[reason]})


def test_groups_of_stalls_are_by_router_and_port_and_count_the_cycles(mesh: Traced) -> None:
    save = mesh.save("stalls")
    wave = mesh.wave("stall")
    in_router: Counter[str] = Counter()
    for path, values in wave.items():
        in_router[path.split(".")[0].replace("_", " ", 1)] += sum(value >= STALLS.index("VC taken") for value in values)
    titles = list(dict.fromkeys(row.groups[0] for row in save.rows if row.groups))
    assert sorted(titles) == sorted(f"{name}: {n} stalled" for name, n in in_router.items() if n > 0)
    counts = [int(title.split(": ")[1].split()[0]) for title in titles]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]
    assert all(len(row.groups) == 2 for row in save.rows[1:])


def test_the_set_up_is_told_by_its_rows(tmp_path: Path) -> None:
    traced = Traced(tmp_path, "fm_radio", {"trace.to_cycle": 3000}).run()
    wave = traced.wave("phase", "standing", "message", "order")
    results = json.loads((tmp_path / "r.json").read_text())
    phase = wave["setup.phase"]
    assert phase.index(0) == results["setup"]["total_cycles"], "done"
    assert set(wave["setup.message"][: phase.index(0)]) >= {1, 3}, "PROBE and ACKNOWLEDGE"
    assert set(wave["setup.message"][phase.index(0) + 1 :]) == {0}, "no message after set-up"
    assert max(wave["setup.standing"]) == len(results["setup"]["circuits"])
    assert max(wave["setup.order"]) == results["setup"]["orders_tried"]
    assert min(time for _, time in traced.save("setup").markers) == 0


def test_one_station_holds_the_signal_or_the_line_has_it(tmp_path: Path) -> None:
    traced = Traced(tmp_path, "tree_sat", SHORT | {"topology.levels": 2}).run()
    wave = traced.wave("sat.", "holder", "holds", "holders")
    holds = [wave[f"sat.node{n}.holds"] for n in range(16)]
    for cycle, (holder, count) in enumerate(zip(wave["sat.holder"], wave["sat.holders"], strict=True)):
        held = [n for n in range(16) if holds[n][cycle]]
        assert len(held) == count <= 1
        assert holder == (held[0] + 1 if held else 0)
    names = read_names(next(row.names for row in traced.save("sat").rows if row.label == "sat holder"))
    assert (names[0], names[4]) == ("on the line", "node 3")


def test_the_waveform_is_the_same_under_both_schedules(mesh: Traced, tmp_path: Path) -> None:
    other = Traced(tmp_path, "mesh_uniform", mesh.settings | {"simulation.schedule": "process_per_stage"}).run()
    names = ("stall", "packet", "held_by", "out", "link_packet", "packet_3_5")
    assert other.wave(*names) == mesh.wave(*names)


def stalled(wave: Wave) -> list[str]:
    return [name.removesuffix(".stall") for name in wave if name.endswith(".stall")]


def test_cut_through_moves_every_flit_of_a_packet(tmp_path: Path) -> None:
    traced = Traced(tmp_path, "tree_sat", SHORT | {"topology.levels": 2}).run()
    wave = traced.wave("stall")
    runs: Counter[int] = Counter()
    for at in stalled(wave):
        still = [-1, *(cycle for cycle, value in enumerate(wave[f"{at}.stall"]) if value != 1)]
        runs.update(after - before - 1 for before, after in pairwise(still))
    assert {length % 16 for length in runs} == {0}, "packets are of 16 flits, and leave without a gap"
    assert runs[16] > 10


def test_a_buffer_of_a_pool_moves_or_waits_as_its_state_says(tmp_path: Path) -> None:
    traced = Traced(tmp_path, "po2_hexagonal", SHORT | {"topology.edge": 2}).run()
    wave = traced.wave("stall", "state")
    seen: Counter[tuple[int, bool]] = Counter()
    for at in stalled(wave):
        for before, stall in zip(wave[f"{at}.state"], wave[f"{at}.stall"][1:], strict=False):
            seen[before, stall >= 2] += 1
            assert (before, stall) in {(0, 0), (1, 1), (3, 2)} or (before == 2 and stall >= 2)
    assert seen[2, True] > 10
    assert seen[3, True] > 10


def test_a_packet_is_refused_only_where_it_stalls_for_it(tmp_path: Path) -> None:
    # In a pool of 3 buffers both reasons come; the packet that one is refused for is of its message.
    settings = {"topology.edge": 2, "po2.buffers": 3, "traffic.rate_flits_per_node_cycle": 0.35}
    traced = Traced(tmp_path, "po2_hexagonal", SHORT | settings).run()
    wave = traced.wave("stall", "refusal", "held_by", "message", "packet")
    buffers = stalled(wave)
    seen: Counter[int] = Counter()
    for at in buffers:
        for cycle, (stall, refusal) in enumerate(zip(wave[f"{at}.stall"], wave[f"{at}.refusal"], strict=True)):
            assert (stall == 5) == (refusal > 0), "refused"
            seen[refusal] += 1
            if refusal == 3:
                holder = wave[f"{at}.held_by"][cycle]
                message = wave[f"{at}.message"][cycle]
                mates = {wave[f"{b}.message"][cycle - 1] for b in buffers if wave[f"{b}.packet"][cycle - 1] == holder}
                assert message in mates
    assert seen[1] > 10
    assert seen[3] > 10


def test_a_switch_says_stopped_where_the_far_end_said_so(tmp_path: Path) -> None:
    traced = Traced(tmp_path, *FAMILIES["myrinet"][:2]).run()
    wave = traced.wave("stall", "state", "out", "sends", "go")
    file = next(row.names for row in traced.save("stalls").rows if row.path.split(".")[-1].startswith("out["))
    names = read_names(file)
    seen: Counter[str] = Counter()
    for at in stalled(wave):
        for cycle, (state, stall) in enumerate(zip(wave[f"{at}.state"], wave[f"{at}.stall"], strict=True)):
            if state != ACTIVE:
                continue
            out = f"{at.split('.')[0]}.{names[wave[f'{at}.out'][cycle]]}"
            expected = 1 if wave[f"{out}.sends"][cycle] else 3 if wave[f"{out}.go"][cycle] else 5
            assert stall == expected
            seen[["", "moves", "", "no flit", "", "stopped"][stall]] += 1
    assert seen["moves"] > 100
    assert seen["stopped"] > 10


def test_a_node_of_the_ideal_network_sends_each_flit_in_a_cycle(tmp_path: Path) -> None:
    traced = Traced(tmp_path, *FAMILIES["ideal"][:2]).run()
    wave = traced.wave("node_1.")
    (line,) = [p for p in traced.log() if (p["source"], p["sequence"]) == ("1", "0")]
    sends = [values for name, values in wave.items() if name.startswith("node_1.sends")]
    assert sum(values.count(number(1, 0)) for values in sends) == int(line["flits"])


WAITS_FOR_ITEMS, COMPUTES, EMITS = 1, 2, 3


def test_an_actor_waits_for_the_stream_that_lacks_items_and_computes_as_long_as_its_work(tmp_path: Path) -> None:
    settings = {"interface.switching": "packet", "stream.computation_scaling": 0.01, "simulation.measure_cycles": 3000}
    traced = Traced(tmp_path, "fm_radio", SHORT | settings).run()
    graph = tomllib.loads((ROOT / "traffic" / "graphs" / "fm_radio_4x4.toml").read_text())
    needs = {(e["from"], e["to"]): max(e.get("peek", 0), e.get("pop", 1)) for e in graph["edge"]}
    wave = traced.wave("actors.")
    names = read_names(next(row.names for row in traced.save("actors").rows if row.label.endswith("waits_for")))
    seen: Counter[int] = Counter()
    for actor in graph["actor"]:
        at = f"actors.{actor['name']}"
        states, waits = wave[f"{at}.state"], wave[f"{at}.waits_for"]
        for cycle, (state, stream) in enumerate(zip(states, waits, strict=True)):
            seen[state] += 1
            if state == WAITS_FOR_ITEMS:
                producer, consumer = names[stream].split(" -> ")
                assert consumer == actor["name"]
                assert wave[f"{at}.from_{producer}"][cycle] < needs[producer, consumer]
            elif state == COMPUTES:
                assert stream == 0
            elif state == EMITS:
                assert stream == 0 or names[stream].startswith(f"{actor['name']} -> ")
        firing = max(1, round(actor["work"] * 0.01))
        firings = wave[f"{at}.firings"][-1]
        assert firing * firings <= states.count(COMPUTES) <= firing * (firings + 1)
    assert seen[WAITS_FOR_ITEMS] > 100
    assert seen[COMPUTES] > 100
    results = json.loads((tmp_path / "r.json").read_text())
    assert results["stream"]["iterations_per_kilocycle"]["mean"] > 0


def test_processors_are_at_work_for_the_costs_of_their_messages(tmp_path: Path) -> None:
    # 9 positions of arity 2: l = 2, c = 0, so n - 1 + k^l = 12 messages (docs/diamond-rings.md). Each is received and
    # sent once; each node handles the event and is done with it once.
    root = 4
    traced = Traced(tmp_path, "broadcast", BROADCAST | {"broadcast.root": root}).run()
    wave = traced.wave("processors.")
    tasks = [wave[f"processors.node_{n}.task"] for n in range(9)]
    receive, event, send, settle, after = 19, 2, 93, 242, 94
    assert sum(len(t) - t.count(0) for t in tasks) == 12 * (receive + send + after) + 9 * (event + settle)
    begins, hears = 1, 2
    assert tasks.pop(root).index(begins) == 1
    assert {value for t in tasks for value in t} == {0, hears}
    names = read_names(next(row.names for row in traced.save("processors").rows if row.label.endswith("from")))
    heard = {(names[source], f"node {n}") for n in range(9) for source in set(wave[f"processors.node_{n}.from"]) - {0}}
    assert heard == {(f"node {p['source']}", f"node {p['destination']}") for p in traced.log()}
    assert len(heard) == 12
    assert max(wave[f"processors.node_{root}.waiting"]) >= 1, "acknowledgements queue at the root"
    assert {wave[f"processors.node_{n}.under_way"][-1] for n in range(9)} == {0}


def test_several_hold_the_signal_of_a_tree(tmp_path: Path) -> None:
    traced = Traced(tmp_path, "tree_sat", SHORT | {"topology.levels": 2, "sat.carrier": "spanning_tree"}).run()
    wave = traced.wave("holder", "holders")
    pairs = set(zip(wave["sat.holder"], wave["sat.holders"], strict=True))
    assert {holder for holder, count in pairs if count > 1} == {17}
    assert all(1 <= holder <= 16 for holder, count in pairs if count == 1)


@pytest.mark.parametrize(
    ("experiment", "settings", "line"),
    [
        (
            "mesh_uniform",
            MESH | {"watch.what": "packet=3.99999"},
            "watch.what: packet=3.99999 is not under way in the waveform's cycles",
        ),
        ("mesh_uniform", MESH | {"watch.what": "packet=16.0"}, "expected packet=SOURCE.SEQUENCE"),
    ],
)
def test_a_packet_that_is_not_there_is_refused(
    tmp_path: Path, experiment: str, settings: dict[str, object], line: str
) -> None:
    with pytest.raises(BraidError, match=line) as refused:
        Traced(tmp_path, experiment, settings).run()
    assert refused.value.status == 2
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


RESTS = SHORT | {
    "simulation.batch_cycles": 1000,
    "simulation.measure_cycles": 6000,
    "topology.switches": 8,
    "routing.in_transit": "every_switch",
    "traffic.rate_flits_per_node_cycle": 0.3,
    "watch.what": "packet=5.0",
    "trace.to_cycle": 6000,
}


@pytest.mark.parametrize("schedule", ["static", "process_per_stage"])
def test_a_packet_that_rests_is_shown_in_its_in_transit_buffer_at_the_cycles_of_the_log(
    tmp_path: Path, schedule: str
) -> None:
    traced = Traced(tmp_path, "irregular", RESTS | {"simulation.schedule": schedule}).run()
    (line,) = [p for p in traced.log() if (p["source"], p["sequence"]) == ("5", "0")]
    node, cycles = line["rests"].split("@")
    here, known, ready, begins = map(int, cycles.split("-"))
    assert (known - here, ready - known) == (44, 32)
    rows = {row.path.removeprefix("SystemC.").split("[")[0]: row for row in traced.save("packet").rows}
    assert f"node_{node}.in_transit.state" in rows, "what the host does stands below the packet's row there"
    names = read_names(rows["watch.packet_5_0"].names)
    place = [names[value] for value in traced.wave("packet_5_0")["watch.packet_5_0"]]
    states = [(here, known, "detecting"), (known, ready, "programming"), (ready, begins, "waits for the link")]
    for first, end, state in states:
        assert place[first:end] == [f"node {node} {state}"] * (end - first)
    assert place[here - 1].startswith("s")
    assert place[begins] == f"node {node} sending"
    since = traced.wave("since")[f"node_{node}.in_transit.since"]
    assert since[here - 1 : here + 1] == [0, here]
    (row,) = [row for row in traced.save("in_transit").rows if f"node_{node}.in_transit.since" in row.path]
    assert f"node_{node}" in row.groups

"""The independent account agrees with every figure of every kind of run, and notices one wrong figure."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from braid_tools.account.account import Account, Record, check, expected_of, record
from braid_tools.account.broadcast import Root
from braid_tools.account.runs import CASES

BY_NAME = {case.name: case for case in CASES}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Record]:
    """Good runs by name, each made once."""
    made: dict[str, Record] = {}

    def get(name: str) -> Record:
        if name not in made:
            case = BY_NAME[name]
            made[name] = record(case.experiment, case.settings, tmp_path_factory.mktemp(name), case.wave)
        return made[name]

    return get


@pytest.mark.parametrize("name", BY_NAME)
def test_every_figure_is_accounted_for(records: Any, name: str) -> None:
    account = records(name).account()
    case = BY_NAME[name]
    assert case.new(account.complaints) == []
    assert all(any(complaint.startswith(known) for complaint in account.complaints) for known in case.contradicts)
    assert account.compared > 110


def test_the_runs_hold_what_is_rare(records: Any) -> None:
    """The account of what never happens proves nothing."""
    results = {name: records(name).results for name in BY_NAME}
    assert any(r["saturated"] for r in results.values())
    assert any(not r["steady"] for r in results.values())
    assert any(r["classes"][0]["packet_latency_distribution_cycles"]["p99"] > 2048 for r in results.values())
    assert any(r["messages"]["latency_distribution_cycles"]["p50"] > 2048 for r in results.values() if "messages" in r)
    assert any(row["priority"] for row in results["messages_alpha_priority"]["messages"]["by_length"])
    assert results["po2_escapes"]["router_per_cycle"]["escapes"] > 0
    assert results["po2"]["router_per_cycle"]["deroutes"] > 0
    assert results["mesh_sat_auto"]["fairness"]["k"] > 1
    setups = [r["setup"] for r in results.values() if "setup" in r]
    assert any(circuit["backtracks"] for setup in setups for circuit in setup["circuits"])
    assert any(setup["circuits"] and setup["orders_tried"] > 1 for setup in setups)
    assert any(setup["fell_back_to_packets"] for setup in setups)
    assert results["irregular_every_switch"]["in_transit"]["reinjections_per_node_cycle"] > 0
    assert results["irregular_clogged"]["saturated"]
    given_up = results["broadcast_tree_given_up"]["broadcast"]["unacknowledged"]
    assert any("node 8 (inner) did not pass it on" in line for line in given_up)
    assert results["broadcast_ring_given_up"]["broadcast"]["refused"]
    assert any(link["stopped"] > 0 for link in results["irregular_clogged"]["links"])


def of(results: Any, path: str) -> tuple[Any, Any]:
    """The container and the key of a leaf, e.g. "classes.0.hops_mean_links"."""
    *parents, last = [int(word) if word.isdigit() else word for word in path.split(".")]
    for word in parents:
        results = results[word]
    return results, last


LATENCY = "classes.0.packet_latency_distribution_cycles"
FAULTS = [  # run, figure, what it becomes (given its value and all results)
    ("mesh", f"{LATENCY}.p95", lambda value, r: r["classes"][0]["packet_latency_distribution_cycles"]["p99"]),
    ("mesh", f"{LATENCY}.p50", lambda value, r: value + 1),
    ("mesh", "classes.0.packet_latency_cycles.half_width_95", lambda value, r: value * (3 / 4) ** 0.5),  # over n
    ("mesh", "classes.0.accepted_flits_per_node_cycle.half_width_95", lambda value, r: value * 1.960 / 3.182),
    ("mesh", "classes.0.injection_spread_flits_per_cycle.jain_index", lambda value, r: 1 - (1 - value) * 1.001),
    ("mesh", "configuration.router.buffer_depth", lambda value, r: value + 1),
    ("mesh", "steady", lambda value, r: not value),
    ("mesh", "saturated", lambda value, r: not value),
    ("mesh", "warmup_cycles", lambda value, r: value - 500),
    ("mesh", "cycles", lambda value, r: value + 100),
    ("mesh", "packet_hash", lambda value, r: value[::-1]),
    ("mesh", "seed", lambda value, r: value + 1),
    ("mesh", "energy.pj_per_flit", lambda value, r: value * (1 + 1e-8)),
    ("mesh", "area.um2", lambda value, r: value * (1 - 1e-8)),
    ("po2", "energy.pj_per_flit", lambda value, r: value - r["energy"]["links_pj_per_flit"]),
    ("circuits_wave", "area.um2", lambda value, r: value - r["area"]["circuits_um2"]),
    ("mesh", "conservation.flits_in_flight", lambda value, r: value + 1),
    ("mesh_wave", "links.3.packet_flits_per_cycle", lambda value, r: value + 0.0005),  # a flit in 2000 cycles
    ("circuits_wave", "links.0.circuit_flits_per_cycle", lambda value, r: value + 0.0005),
    ("circuits_wave", "setup.circuits.2.setup_cycles", lambda value, r: value + 4),
    ("circuits_wave", "setup.circuits.4.path.0.port", lambda value, r: "north"),
    ("circuits_wave", "stream.iterations_per_kilocycle.mean", lambda value, r: value + 0.5),  # an iteration
    ("circuits_wave", "stream.edges.5.items_per_kilocycle", lambda value, r: value + 0.5),
    ("cut_through_tree_wave", "links.7.packet_flits_per_cycle", lambda value, r: value + 16 / 2000),
    ("messages_alpha_priority", "messages.normalized_latency_cycles.mean", lambda value, r: value * (1 + 2e-9)),
    ("messages_alpha_priority", "messages.by_length.0.network_latency_mean_cycles", lambda value, r: value + 0.01),
    ("messages_alpha_priority", "messages.delivered", lambda value, r: value - 1),
    ("po2", "router_per_cycle.pe_port_waiting", lambda value, r: value + 1 / 28000),  # a cycle of a port
    ("po2", "router_per_cycle.deroutes", lambda value, r: value + 1 / 4000),
    ("po2", "router_per_cycle.link_busy", lambda value, r: value + 1 / 84000),
    ("tree_sat_ring", "fairness.interval_cycles.count", lambda value, r: value - 1),
    ("tree_sat_ring", "fairness.unheld_interval_cycles", lambda value, r: value + 1),
    ("tree_sat_diamond_ring", "fairness.unheld_interval_cycles", lambda value, r: value + 1),
    ("mesh_sat_diamond_ring", "fairness.interval_cycles.max", lambda value, r: value - 1),
    ("broadcast_ring", "broadcast.longest_path", lambda value, r: value - 1),
    ("broadcast_ring", "broadcast.completed", lambda value, r: value - 1),
    ("broadcast_ring", "broadcast.latency_cycles.min", lambda value, r: value + 1),
    ("broadcast_ring", "broadcast.burst_cycles.max", lambda value, r: value - 1),
    ("broadcast_ring", "broadcast.burst_broadcasts_per_kilocycle", lambda value, r: value * (1 + 2e-9)),
    ("broadcast_ring_6_of_72", "broadcast.messages", lambda value, r: value + 1),
    ("broadcast_tree_given_up", "broadcast.unacknowledged.0", lambda value, r: value.replace("node 8", "node 9")),
    ("broadcast_ring_given_up", "broadcast.refused.0", lambda value, r: value.replace("root", "gather")),
    ("broadcast_spanning_tree", "broadcast.longest_path", lambda value, r: value + 1),
    ("broadcast_spanning_tree", "broadcast.latency_cycles.p50", lambda value, r: value + 1),
    ("all_reduce", "broadcast.longest_path", lambda value, r: value + 1),
    ("all_reduce", "broadcast.completed", lambda value, r: value - 1),
    ("all_reduce", "broadcast.latency_cycles.min", lambda value, r: value - 1),
    ("all_reduce_spanning_tree", "broadcast.latency_cycles.max", lambda value, r: value + 1),
    ("line", "broadcast.completed", lambda value, r: value + 1),
    ("line", "broadcast.latency_cycles.max", lambda value, r: value - 1),
    ("line_6", "broadcast.burst_cycles.min", lambda value, r: value + 1),
    ("line_annealed", "broadcast.messages", lambda value, r: value + 1),
    ("line_spanning_tree_at_once", "broadcast.broadcasts_per_kilocycle.mean", lambda value, r: value + 0.5),
    ("irregular", "flit_hops", lambda value, r: value + 1),
    ("irregular", "conservation.flits_injected", lambda value, r: value + 1),
    ("irregular", "links.3.packet_flits_per_cycle", lambda value, r: value + 0.0005),  # a byte of a header
    ("irregular", "links.3.stopped", lambda value, r: 0.9),
    ("irregular_every_switch", "in_transit.pool_max_flits", lambda value, r: 2 * value),
    ("irregular_every_switch", "in_transit.reinjections_per_node_cycle", lambda value, r: value * 1.1),
    ("irregular_every_switch", "conservation.flits_delivered", lambda value, r: value // 2),
    ("mesh_in_transit", "in_transit.reinjections_per_node_cycle", lambda value, r: value * 1.1),
    ("mesh_in_transit", "in_transit.pool_max_flits", lambda value, r: 3),
]


@pytest.mark.parametrize(("run", "figure", "fault"), FAULTS, ids=[f"{run}-{figure}" for run, figure, _ in FAULTS])
def test_one_wrong_figure_is_named(records: Any, run: str, figure: str, fault: Any) -> None:
    good = records(run)
    results = copy.deepcopy(good.results)
    place, key = of(results, figure)
    value = fault(place[key], good.results)
    assert value != place[key]
    place[key] = value
    complaints = check(good.experiment, good.settings, results, good.log, good.wave)
    name = ".".join(f"[{word}]" if word.isdigit() else word for word in figure.split(".")).replace(".[", "[")
    assert any(complaint.startswith(name) for complaint in complaints)
    assert len(BY_NAME[run].new(complaints)) <= 2


def test_a_figure_that_the_account_does_not_know_is_named(records: Any) -> None:
    good = records("mesh")
    results = copy.deepcopy(good.results)
    results["classes"][0]["luck"] = 0.5
    results["mood"] = "good"
    results["configuration"]["router"]["colour"] = "red"
    complaints = check(good.experiment, good.settings, results, good.log, good.wave)
    named = ("unknown figure classes[0].luck", "unknown figure mood", "unknown figure configuration.router.colour")
    assert sorted(complaints) == sorted(named)


def test_a_missing_figure_is_named(records: Any) -> None:
    good = records("mesh")
    results = copy.deepcopy(good.results)
    del results["classes"][0]["hops_mean_links"]
    results["links"].pop()
    complaints = check(good.experiment, good.settings, results, good.log, good.wave)
    assert complaints == ["classes[0].hops_mean_links is missing", "links has 47 entries, the account 48"]


def test_a_broadcast_that_goes_another_way_is_noticed(records: Any, tmp_path: Path) -> None:
    """Two messages of one node change places; the root's come a cycle later."""
    good = records("broadcast_ring")
    lines = good.log.read_text().splitlines(keepends=True)
    log = tmp_path / "log.csv"
    swapped = [i for i, line in enumerate(lines) if line.startswith("broadcast,,,0,2,,15,")]
    assert len(swapped) == 2
    texts = [lines[i].split(",") for i in swapped]
    texts[0][7], texts[1][7] = texts[1][7], texts[0][7]
    for i, text in zip(swapped, texts, strict=True):
        lines[i] = ",".join(text)
    log.write_text("".join(lines))
    complaints = check(good.experiment, good.settings, good.results, log, good.wave)
    assert any("position 15 tells [12, 13] of broadcast 2" in complaint for complaint in complaints)
    settings = good.settings | {"broadcast.issue_cycles": 7}
    complaints = check(good.experiment, settings, good.results, good.log, good.wave)
    assert any(complaint.startswith("broadcast: the root's messages differ") for complaint in complaints)


def test_messages_of_one_cycle_in_another_order_are_noticed(records: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The root takes them by their senders' positions: with the last one first the account comes to other figures."""
    at = Root.at
    monkeypatch.setattr(Root, "at", lambda self, cycle, what, part=1, sender=0: at(self, cycle, what, part, -sender))
    complaints = records("broadcast_two_ports").account().complaints
    assert any(complaint.startswith("broadcast.latency_cycles.mean") for complaint in complaints)


@pytest.mark.parametrize(
    ("run", "setting", "value"),
    [
        ("all_reduce", "event", 6),
        ("all_reduce", "settle", 8),
        ("all_reduce", "after", 3),
        ("all_reduce_companion", "gap", 41),
        ("all_reduce_tree", "receive", 4),
    ],
)
def test_an_all_reduce_with_another_cost_is_noticed(records: Any, run: str, setting: str, value: int) -> None:
    good = records(run)
    settings = good.settings | {f"broadcast.{setting}_cycles": value}
    complaints = check(good.experiment, settings, good.results, good.log, good.wave)
    assert any(complaint.startswith("broadcast: values and results differ") for complaint in complaints)


@pytest.mark.parametrize(
    ("run", "setting", "value", "what"),
    [
        ("line_6", "hop_cycles", 4, "too soon"),
        ("line_6", "gap_cycles", 31, "a burst begins"),
        ("line_spanning_tree_at_once", "hop_cycles", 2, "too soon"),
        ("line_ring_at_once", "arity", 3, "too soon"),
        ("line", "burst", 7, "a burst begins"),
    ],
)
def test_a_line_that_is_another_is_noticed(records: Any, run: str, setting: str, value: int, what: str) -> None:
    good = records(run)
    complaints = check(
        good.experiment, good.settings | {f"broadcast.{setting}": value}, good.results, good.log, good.wave
    )
    assert any(complaint.startswith("broadcast: ") and what in complaint for complaint in complaints)


def test_a_missing_line_of_the_log_is_noticed(records: Any, tmp_path: Path) -> None:
    good = records("mesh")
    lines = good.log.read_text().splitlines(keepends=True)
    log = tmp_path / "log.csv"
    log.write_text("".join(lines[:-400] + lines[-399:]))
    complaints = check(good.experiment, good.settings, good.results, log, good.wave)
    assert any(complaint.startswith("conservation.packets_created") for complaint in complaints)
    assert any(complaint.startswith("packet_hash") for complaint in complaints)


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Path, container and key of every leaf."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in pairs:
        name = f"{path}.{key}" if path else str(key)
        if isinstance(value, (dict, list)):
            yield from leaves(value, name)
        else:
            yield name, tree, key


def changed(value: Any) -> Any:
    """A value a little beside: a real number by more than the tenth digit."""
    if value is None:
        return 0
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "x"
    return value + 1 if isinstance(value, int) else value * (1 + 3e-9)


def found_within_bounds(name: str) -> bool:
    """Figures of which a log gives bounds only, in the families that move packets flit by flit."""
    return name in ("flit_hops", "conservation.flits_injected", "conservation.flits_delivered")


@pytest.mark.parametrize(
    "run",
    [
        "circuits_wave",
        "po2_escapes",
        "tree_sat_ring",
        "messages_alpha_priority",
        "broadcast_ideal",
        "all_reduce",
        "line_6",
    ],
)
def test_every_single_figure_counts(records: Any, run: str) -> None:
    good = records(run)
    expected = expected_of(good)
    results = {key: copy.deepcopy(good.results[key]) for key in expected}
    for name, place, key in list(leaves(results)):
        links_by_bounds = name.startswith("links.") and good.wave is None
        if found_within_bounds(name) or (links_by_bounds and name.endswith("cycle")):
            continue
        value, place[key] = place[key], changed(place[key])
        account = Account()
        account.compare("", expected, results)
        place[key] = value
        assert len(account.complaints) == 1, name

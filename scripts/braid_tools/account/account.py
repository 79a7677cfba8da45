"""The account of a run: every figure of its results, computed again from its packet log (docs/packet-log.md) and, where
that does not say all, a waveform. It shares nothing with the program but documents and files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from braid_tools.account.all_reduce import all_reduce
from braid_tools.account.broadcast import broadcast
from braid_tools.account.broadcast_line import broadcast_by_line
from braid_tools.account.compare import Account
from braid_tools.account.configuration import existing, resolved
from braid_tools.account.depths import depths
from braid_tools.account.energy import energy
from braid_tools.account.failure import check_held, failure_figures, has_failure, new_paths
from braid_tools.account.figures import Tree, classes, messages
from braid_tools.account.in_transit import check_rests, has_in_transit, in_transit_figures, whole_rests
from braid_tools.account.irregular import irregular
from braid_tools.account.latency import item_latency
from braid_tools.account.links import Between, links, node_links, per_cycle, po2_flit_hops
from braid_tools.account.log import Log, Window, packet_hash
from braid_tools.account.moves import check_moves
from braid_tools.account.myrinet import Myrinet
from braid_tools.account.network import Circuit, Network, build
from braid_tools.account.queues import allow_for_queues
from braid_tools.account.replay import classes_of_trace, replay
from braid_tools.account.run import check_log, check_stream_paths, conservation, drain, flit_hops, setup, warm_up
from braid_tools.account.stream import remedy, sinks_of, steady_states, stream
from braid_tools.account.stream_bound import bound, program_rate, rates
from braid_tools.account.verdicts import saturation, warnings
from braid_tools.account.wave import fairness, po2_figures
from braid_tools.program import braid

NOT_CHECKED = ("wall_seconds", "engines", "program", "version")


def check(experiment: Path, settings: dict[str, Any], results: Tree, log: Path, wave: Path | None) -> list[str]:
    """Complaints about the results of a run; none if every figure is as the account has it."""
    return account(experiment, settings, results, log, wave).complaints


def account(experiment: Path, settings: dict[str, Any], results: Tree, log: Path, wave: Path | None) -> Account:
    """The comparison of all results with what the log says."""
    result = Account()
    configuration = resolved(experiment, settings)
    expected = expectation(configuration, Log(log), results, wave, result.complaints)
    result.compare("", expected, {key: value for key, value in results.items() if key not in NOT_CHECKED})
    return result


def expectation(configuration: Tree, log: Log, results: Tree, wave: Path | None, complaints: list[str]) -> Tree:
    """Everything that the results should hold."""
    simulation, interface = configuration["simulation"], configuration["interface"]
    whole = configuration["router"]["architecture"] not in ("hybrid", "ideal")
    network = network_of(configuration)
    nodes = len(network.node_router)
    check_log(log, network, complaints)
    if configuration["routing"]["algorithm"] == "disjoint_paths":
        check_stream_paths(log, complaints)
    fails = has_failure(configuration)
    epochs = new_paths(log, configuration).astype(int).tolist() if fails else [0] * len(log)
    check_rests(log, network, configuration, epochs, complaints)
    expected: Tree = {
        "schema": 1,
        "configuration": existing(configuration),
        "seed": configuration["experiment"]["seed"],
    }
    circuits: dict[int, Circuit] = {}
    setup_cycles = 0
    on_packets = results.get("stream", {}).get("remedy", {}).get("taken") == "packets"  # no circuit is searched
    if "stream" in configuration and interface["switching"] == "circuit" and not on_packets:
        expected["setup"], circuits, setup_cycles = setup(configuration, network, results, complaints)
    sinks = sinks_of(log, configuration) if "stream" in configuration else []
    warmed, steady = warm_up(log, setup_cycles, simulation, sinks)
    begin = setup_cycles + warmed
    # simulation.until: how long it measures depends on intervals, of which each has to be braid's anyway.
    measured = results["measured_cycles"] if simulation["until"] else simulation["measure_cycles"]
    window = Window(begin, begin + measured, simulation["batch_cycles"])
    born = window.holds(log.created)
    if (born != (log.measured == 1)).any():
        complaints.append("the log's column `measured` is not the window's")
    end = drain(log, born, window.end, simulation["max_drain_cycles"])
    expected |= {
        "cycles": end,
        "warmup_cycles": warmed,
        "measured_cycles": window.cycles,
        "steady": steady,
        "packet_hash": packet_hash(log),
        "flit_hops": flit_hops(log, circuits, whole),
        "conservation": conservation(log, network, results, end, whole, has_in_transit(configuration)),
    }
    present = ["packets"] if "traffic" in configuration else []
    if "stream" in configuration:
        present.append("circuits" if circuits else "stream packets")
        expected["stream"] = stream(log, window, configuration, sinks, places(results))
        most = depths(log, window, configuration, sinks, results["stream"]["edges"], complaints)
        expected["stream"]["edges"] = [a | b for a, b in zip(expected["stream"]["edges"], most, strict=True)]
        if configuration["stream"].get("latency"):
            expected["stream"]["latency_cycles"] = item_latency(log, window, configuration, sinks, setup_cycles)
        by_batch = rates(log, window, configuration)
        bounded = bound(log, window, configuration, network, results, by_batch)
        if bounded:
            expected["stream"]["bound"] = bounded
        theirs = results["stream"].get("remedy")
        tiles = theirs["tiles"] if theirs else configuration["stream"].get("tiles", 0)
        if states := steady_states(configuration, tiles):
            expected["stream"]["steady_states"] = states
            expected["stream"]["program_steady_states_per_kilocycle"] = program_rate(by_batch, states)
        if theirs:
            expected["stream"]["remedy"] = remedy(configuration, theirs, complaints)
    if "broadcast" in configuration:
        options = configuration["broadcast"]
        if options["medium"] == "line":
            expected["broadcast"] = broadcast_by_line(window, network, configuration, wave, complaints)
        elif options["operation"] == "all_reduce":
            present.append("all-reduces")
            expected["broadcast"] = all_reduce(log, window, network, options, end, complaints)
        else:
            present.append("broadcasts")
            expected["broadcast"] = broadcast(log, window, network, options, end, complaints)
    if "replay" in configuration:
        expected["replay"] = replay(log, configuration, end, complaints)
        present += [name for name in classes_of_trace(configuration) if name not in present]
    if interface["fairness"] != "none" and configuration["sat"]["carrier"] == "control_packet":
        present.append("sat_signal")
    expected["classes"] = classes(log, window, nodes, present, configuration["results"])
    expected["node_links"] = node_links(expected["classes"], network)
    judge(expected, results, log, window, configuration, end)
    if configuration["message"]["packet_flits"]:
        expected["messages"] = messages(log, window)
    if configuration["router"]["architecture"] == "po2":
        expected["router_per_cycle"] = po2_figures(log, window, network, configuration, wave)
        if configuration["po2"]["error_rate"] > 0:
            flits = configuration["message"]["packet_flits"]
            expected["flit_hops"] = Between(*po2_flit_hops(log, Window(1, end, 1), network, flits, wave))
    if interface["fairness"] != "none":
        expected["fairness"] = fairness(log, window, network, configuration, wave)
    if fails:
        check_held(log, configuration, complaints)
        expected["failure"] = failure_figures(log, configuration, results, end)
        expected["conservation"] |= {key: expected["failure"][key] for key in ("packets_lost", "flits_lost")}
        expected |= not_accounted(expected, results)
    elif configuration["router"]["architecture"] == "myrinet":
        switches = Myrinet(log, network, configuration, end)
        complaints += switches.complaints()
        expected["flit_hops"] = Between(*switches.flit_hops())
        expected["conservation"] |= {
            "flits_injected": Between(*switches.injected()),
            "flits_delivered": Between(*switches.arrived()),
        }
        expected["links"] = [
            {
                "router": network.routers[router],
                "port": network.ports[router][port],
                "to": network.routers[network.far[router, port][0]],
                "packet_flits_per_cycle": per_cycle(flits, window),
                "circuit_flits_per_cycle": 0,
                "stopped": per_cycle(held, window),
            }
            for (router, port), (flits, held) in sorted(switches.links(window).items())
        ]
        rests = switches.rests()
    else:
        expected["links"] = links(log, window, network, configuration, circuits, wave, end)
        rests = whole_rests(log, network, end) if has_in_transit(configuration) else []
    if "setup" in expected and configuration["setup"]["reroute"] != "none":
        complaints += check_moves(log, results)
        # Which path a packet took the log does not say where circuits move: flits over links are as they are.
        expected |= {key: results[key] for key in ("flit_hops", "links", "reroutes")}
    expected |= energy(results)
    if has_in_transit(configuration) and not fails:
        expected["in_transit"] = in_transit_figures(rests, window, end, nodes)
    return expected


def judge(expected: Tree, results: Tree, log: Log, window: Window, configuration: Tree, end: int) -> None:
    """What the run says of its own figures. How long sources had no room the log does not say: there the verdict is as
    it is."""
    open_loop = {"packets"} if "traffic" in configuration else set()
    if configuration.get("replay", {}).get("by") == "time":
        open_loop |= set(classes_of_trace(configuration))
    for mine, theirs in zip(expected["classes"], results["classes"], strict=False):
        if mine["name"] not in open_loop:
            continue
        bounded = configuration["interface"]["source_queue_packets"] > 0
        which, nodes = log.packet_class == mine["name"], len(mine["injected_packets_by_node"])
        if "saturation" in theirs:  # its sources do not wait for the network
            allow_for_queues(mine, expected["node_links"], log, which, window)
        mine["saturation"] = theirs["saturation"] if bounded else saturation(log, which, window, nodes, end)
    expected["saturated"] = any(c.get("saturation", {}).get("saturated", False) for c in expected["classes"])
    expected["warnings"] = warnings(expected, results["warnings"], configuration["message"]["packet_flits"] > 0)


def not_accounted(expected: Tree, results: Tree) -> Tree:
    """Figures of flits, as they are: where a link went down the log does not say which flits of a packet came how far.
    That their sum is right the program says, that each is the reference of tb/python/itb."""
    flits = {key: results["conservation"][key] for key in ("flits_injected", "flits_delivered")}
    theirs: Tree = {key: results[key] for key in ("flit_hops", "links", "in_transit") if key in results}
    return theirs | {"conservation": expected["conservation"] | flits}


def network_of(configuration: Tree) -> Network:
    """Its picture."""
    return irregular(configuration) if configuration["topology"]["kind"] == "irregular" else build(configuration)


def places(results: Tree) -> dict[str, int]:
    """Where the results put the actors; taken for those that never send or receive."""
    return {actor["name"]: actor["node"] for actor in results["stream"]["actors"]}


@dataclass(frozen=True)
class Record:
    """What a run left behind."""

    experiment: Path
    settings: dict[str, Any]
    results: Tree
    log: Path
    wave: Path | None

    def account(self) -> Account:
        """The comparison of its results."""
        return account(self.experiment, self.settings, self.results, self.log, self.wave)


def record(experiment: Path, settings: dict[str, Any], folder: Path, with_wave: bool) -> Record:
    """Runs braid with a log; for a waveform a second time, when the number of cycles is known."""
    log, file = folder / "log.csv", folder / "results.json"
    settings = settings | {"log.file": str(log)}

    def results() -> Tree:
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={as_toml(value)}")]
        braid("run", experiment, *words, "--quiet", "--json", file)
        return json.loads(file.read_text())

    first = results()
    if not with_wave:
        return Record(experiment, settings, first, log, None)
    wave = folder / "wave.vcd"
    settings |= {"trace.file": str(wave), "trace.from_cycle": 0, "trace.to_cycle": first["cycles"]}
    return Record(experiment, settings, results(), log, wave)


def expected_of(run: Record) -> Tree:
    """What the account expects of all figures, to compare more than once."""
    return expectation(resolved(run.experiment, run.settings), Log(run.log), run.results, run.wave, [])


def as_toml(value: Any) -> str:
    """A setting as text for --set."""
    return json.dumps(value) if isinstance(value, (bool, list)) else str(value)

"""Doors: existing product files that know a policy by its name. A new policy edits none of them."""

import re

from braid_tools.program import ROOT

REGISTRATION = re.compile(r"Registry::instance\(\)\s*\.add\(\s*\"(\w+)\"")
SECTION = re.compile(r"OptionTable<\w+>\(\"\w+\"\)")  # workloads are called as their sections
# What may know a policy's name beside the policy's own file, and why.
DEFAULT = "the default of its axis"
RTL = "which of the policies the RTL has"
WITHOUT = "`none`, or the plain queue, is the lack of a policy: nothing is built for it"
CLASSES = "the one section that may stand several times, [[traffic]]"
PROGRAM = "the networks that a StreamIt program on the command line runs on"
KNOWN = {
    ("bernoulli", "models/workload/synthetic/synthetic_sources.h"): DEFAULT,
    ("annealed", "models/event_lines/diamond_ring_line.cpp"): "its placement, where sat.moves is not 0",
    ("node_order", "models/event_lines/diamond_ring_line.cpp"): "its placement, where sat.moves is 0",
    ("broadcast", "models/engine/subnet_rules.cpp"): "a section of the same name",
    ("stream", "models/engine/subnet_rules.cpp"): "a section of the same name",
    ("broadcast", "models/workload/broadcast/broadcast_by_line.cpp"): "a scope of the waveform of the same name",
    ("broadcast", "models/workload/broadcast/broadcast_options.cpp"): "an operation of the same name",
    ("broadcast", "models/workload/broadcast/broadcast_tally.cpp"): "a figure of the same name",
    ("broadcast", "models/workload/broadcast/broadcast_workload.h"): "a kind of packet of the same name",
    ("broadcast", "models/workload/broadcast/consistency_workload.h"): "a kind of packet of the same name",
    ("diamond_ring", "models/workload/broadcast/broadcast_options.h"): DEFAULT,
    ("fifo", "models/injection/injection_point.h"): DEFAULT,
    ("hybrid", "models/fabric/fabric.h"): DEFAULT,
    ("mesh", "routing/topology/topology.h"): DEFAULT,
    ("node_order", "models/workload/broadcast/broadcast_options.h"): DEFAULT,
    ("none", "models/families/po2/options.h"): DEFAULT,
    ("none", "models/injection/injection_point.h"): DEFAULT,
    ("ring", "models/injection/fairness/sat_stations.h"): DEFAULT,
    ("round_robin", "models/families/hybrid/options.h"): DEFAULT,
    ("separable_input_first", "models/families/hybrid/options.h"): DEFAULT,
    ("uniform", "models/workload/synthetic/synthetic_sources.h"): DEFAULT,
    ("fifo", "models/engine/network.cpp"): WITHOUT,
    ("none", "models/engine/subnet_rules.cpp"): WITHOUT,
    ("fifo", "models/experiment/elaboration.cpp"): "priorities need a scheduler that knows them",
    ("traffic", "models/experiment/elaboration.cpp"): "sources and injection point, checked together",
    ("traffic", "models/engine/network.cpp"): "may go over links of one way",
    ("replay", "models/engine/network.cpp"): "may go over links of one way",
    ("traffic", "models/experiment/recorded_trace.cpp"): "a trace has no word for requests that its classes hold back",
    ("classes", "models/experiment/elaboration.cpp"): "priorities of classes need the scheduler that knows them",
    ("classes", "models/experiment/results.cpp"): "a figure of the same name",
    ("classes", "tb/braid/print_report.cpp"): "a figure of the same name",
    ("bernoulli", "models/workload/synthetic/synthetic_sources.cpp"): "a rate of 0 for nodes that are silent",
    ("hybrid", "models/workload/synthetic/virtual_networks.cpp"): "the family that knows them",
    ("saturated", "tb/braid/replications.cpp"): "a figure of the same name",
    ("traffic", "models/experiment/experiment.cpp"): CLASSES,
    ("traffic", "models/experiment/experiment.h"): CLASSES,
    ("traffic", "models/experiment/experiment_reader.cpp"): CLASSES,
    ("traffic", "models/experiment/experiment_schema.cpp"): CLASSES,
    ("traffic", "models/experiment/results_json.cpp"): CLASSES,
    ("traffic", "models/injection/schedulers/class_scheduler.cpp"): CLASSES,
    ("traffic", "models/workload/synthetic/class_options.cpp"): CLASSES,
    ("stream", "models/families/hybrid/options.cpp"): "circuits are of stream programs",
    ("stream", "models/families/hybrid/setup_signals.cpp"): "a row of the waveform of the same name",
    ("stream", "models/experiment/elaboration.cpp"): "only a stream program has iterations",
    ("stream", "models/experiment/stopping_rule.cpp"): "the report of the same name, with the iterations",
    ("stream", "models/experiment/warnings.cpp"): "the report of the same name, whose rates may not be held",
    ("stream", "models/fabric/circuits.cpp"): "a figure of the same name",
    ("stream", "models/fabric/node_bandwidth_options.cpp"): "only its packets wait for room",
    ("stream", "models/fabric/packet_log.cpp"): "a column of the same name",
    ("stream", "models/workload/streams/stream_workload.h"): "a kind of packet of the same name",
    ("stream", "models/tlm/carrier.cpp"): "its circuits or those of tlm.circuits, not both",
    ("stream", "models/tlm/carrier.h"): "a kind of packet of the same name",
    ("none", "models/rtl/router_folders.cpp"): "a word of a message",
    ("none", "models/tlm/checker/protocol_monitor_direct.cpp"): "a word of a report",
    ("none", "models/engine/network.cpp"): WITHOUT,
    ("none", "models/families/hybrid/options.cpp"): "circuits that stay: a choice, not a policy",
    ("none", "models/workload/streams/stream_options.cpp"): "circuits that do not fork: a choice, not a policy",
    ("none", "models/families/po2/fabric.cpp"): WITHOUT,
    ("none", "models/injection/injection_point.cpp"): WITHOUT,
    ("islip", "models/families/hybrid/crossbar_ports.cpp"): "its sets of ports are no words",
    ("separable_input_first", "models/families/hybrid/crossbar_ports.cpp"): "its sets of ports are no words",
    ("separable_input_first", "models/families/hybrid/planes/engine.cpp"): "what planes have an algebra of",
    ("round_robin", "models/families/hybrid/planes/engine.cpp"): "what planes have an algebra of",
    ("matrix", "models/families/hybrid/planes/engine.cpp"): "what planes have an algebra of",
    ("matrix", "models/families/hybrid/with_arbiter.h"): "arbiters are types: one more is a line there",
    ("round_robin", "models/families/hybrid/with_arbiter.h"): "arbiters are types: one more is a line there",
    ("oldest_first", "models/families/hybrid/with_arbiter.h"): "arbiters are types: one more is a line there",
    ("matrix", "models/rtl/lockstep.cpp"): RTL,
    ("rtl", "models/rtl/lockstep.cpp"): RTL,
    ("rtl", "models/stages/rtl/rtl_stages.cpp"): "stages of the same names",
    ("lockstep", "models/stages/rtl/rtl_stages.cpp"): "stages of the same names",
    ("broadcast", "models/stages/lines/view.cpp"): "the scope of its modules",
    ("broadcast", "models/workload/broadcast/processor_signals.cpp"): "a row of the waveform of the same name",
    ("sat_auto", "models/stages/sat/view.cpp"): "its station has more steps than that of sat",
    ("rtl", "models/rtl/router_folders.cpp"): "a folder of the same name",
    ("rtl", "tb/braid/manual.cpp"): "an option of the same name",
    ("minimal_adaptive", "models/rtl/router_site.cpp"): RTL,
    ("odd_even", "models/rtl/router_site.cpp"): RTL,
    ("separable_input_first", "models/rtl/router_site.cpp"): RTL,
    ("table", "models/rtl/router_site.cpp"): RTL,
    ("west_first", "models/rtl/router_site.cpp"): RTL,
    ("mesh", "routing/algorithm/minimal_adaptive.cpp"): "its text",
    ("mesh", "routing/algorithm/xy_yx.cpp"): "its text",
    ("sat", "models/injection/fairness/sat_gate.h"): "the gate that sat_auto is made of",
    ("minimal_adaptive", "models/rtl/router_site.h"): RTL,
    ("round_robin", "models/rtl/router_site.h"): RTL,
    ("islip", "models/rtl/lockstep.cpp"): RTL,
    ("islip", "models/rtl/router_manifest.cpp"): RTL,
    ("islip", "models/rtl/router_site.cpp"): RTL,
    ("islip", "models/rtl/router_site.h"): RTL,
    ("separable_input_first", "models/rtl/router_site.h"): RTL,
    ("dragonfly", "routing/algorithm/dragonfly_minimal.cpp"): "its text",
    ("dragonfly", "routing/algorithm/dragonfly_phases.h"): "its text",
    ("hybrid", "routing/algorithm/intermediate.h"): "the family whose VCs tell phases",
    ("torus", "routing/algorithm/cube_order.cpp"): "its text",
    ("torus", "routing/algorithm/cube_phases.h"): "its text",
    ("torus", "routing/algorithm/dimension_order.cpp"): "its text",
    ("torus", "routing/algorithm/minimal_adaptive.cpp"): "its text",
    ("butterfly", "traffic/synthetic/bit_permutations.cpp"): "a topology and a pattern of the same name",
    ("uniform", "traffic/synthetic/lengths.cpp"): "a pattern and a length of the same name",
    ("saturated", "models/experiment/results.cpp"): "a figure of the same name",
    ("saturated", "models/experiment/warnings.cpp"): "a warning of the same name",
    ("saturated", "models/workload/saturation.cpp"): "a figure of the same name",
    ("none", "models/workload/saturation.cpp"): "no reason",
    ("none", "models/workload/saturation.h"): "no reason",
    ("stream", "models/workload/flow_statistics.cpp"): "a figure of the same name",
    ("saturated", "models/workload/synthetic/synthetic_options.cpp"): "refused without a bounded queue",
    ("balanced", "routing/paths/path_computation.h"): DEFAULT,
    ("minimum", "routing/paths/path_computation.h"): DEFAULT,
    ("minimum", "models/experiment/results_reference.cpp"): "a word of JSON schemas",
    ("none", "models/injection/in_transit.cpp"): WITHOUT,
    ("none", "routing/paths/path_computation.cpp"): WITHOUT,
    ("exact", "routing/algorithm/disjoint_paths.cpp"): DEFAULT,
    ("source_routed", "models/injection/in_transit.cpp"): "[in_transit] exists with it",
    ("local", "routing/topology/cube.cpp"): "a port of the same name",
    ("local", "routing/topology/dragonfly.cpp"): "a port of the same name",
    ("local", "routing/topology/grid.cpp"): "a port of the same name",
    ("local", "routing/topology/hexagonal.cpp"): "a port of the same name",
    ("local", "routing/topology/irregular.cpp"): "a port of the same name",
    ("graph", "models/workload/streams/stream_figures.cpp"): "a figure and a key of the same name",
    ("graph", "models/workload/streams/stream_options.cpp"): "a figure and a key of the same name",
    ("graph", "routing/topology/graphml.cpp"): "an element of the same name",
    ("dynamic_programming", "traffic/streams/partition/partition.h"): DEFAULT,
    ("weighted", "models/workload/streams/stream_remedies.cpp"): "a layout for disjoint paths alone: its weights",
    ("weighted", "traffic/streams/stream_graph.h"): DEFAULT,
    ("weighted", "models/workload/streams/stream_options.cpp"): "its weights were there before it had a name",
    ("ideal", "tb/braid/stream_experiment.cpp"): PROGRAM,
    ("mesh", "tb/braid/stream_experiment.cpp"): PROGRAM,
    ("minimal_adaptive", "tb/braid/stream_experiment.cpp"): PROGRAM,
    ("stream", "tb/braid/stream_experiment.cpp"): PROGRAM,
    ("broadcast", "tb/braid/new_experiment.cpp"): "a kind of experiment of the same name",
    ("mesh", "tb/braid/new_experiment.cpp"): "a kind of experiment of the same name",
    ("torus", "tb/braid/new_experiment.cpp"): "a kind of experiment of the same name",
    ("graph", "tb/braid/completion.cpp"): "a command of the same name",
    ("minimum", "models/experiment/experiment_schema.cpp"): "a word of JSON schemas",
    ("mesh", "tb/braid/manual.cpp"): "an option of the same name",
    ("mesh", "tb/braid/program.cpp"): "an option of the same name",
    ("none", "tb/braid/partition.cpp"): "no room suffices",
    ("none", "tb/braid/circuits.cpp"): "an answer of the same name",
    ("stream", "tb/braid/circuits.cpp"): "a field of the same name",
    ("graph", "tb/braid/circuits.cpp"): "a field of the same name",
    ("negotiated", "routing/paths/disjoint/exact.cpp"): "the program starts from what others found",
    ("sequential", "routing/paths/disjoint/exact.cpp"): "the program starts from what others found",
    ("table", "models/rtl/router_site.h"): RTL,
    ("table", "models/pins/modelled_router.cpp"): RTL,
    ("fifo", "models/families/hybrid/fabric_forks.cpp"): "packets that routers copy pass no other queue",
    ("none", "models/families/hybrid/fabric_forks.cpp"): "packets that routers copy pass no gate",
    ("hybrid", "models/pins/lone_router.cpp"): "the family whose routers have pins",
    ("tentacle", "models/families/hybrid/setup_twin.cpp"): "the search that its set-up units do",
    ("tentacle", "tb/braid/commands.h"): "a network of the same name",
    ("torus", "routing/algorithm/torus_ways.cpp"): "ways of equal length, and datelines, are on rings alone",
    ("tentacle", "tb/braid/stream_experiment.cpp"): "a network of the same name",
    ("graph", "tb/braid/manual.cpp"): "a command of the same name",
    ("graph", "tb/braid/program.cpp"): "a command of the same name",
    ("random", "traffic/streams/streamit/library.cpp"): "a function of the same name",
    ("stream", "traffic/streams/streamit/elaborate.cpp"): "a word of the same name",
}


def product_files() -> dict[str, str]:
    """Text of every C++ file of the product without its comments, by its place. models/icnt has the words of
    intersim2's files, which are no policies of Braid's."""
    folders = ("models", "routing", "traffic", "tb/braid")
    files = [f for folder in folders for f in sorted((ROOT / folder).rglob("*")) if f.suffix in (".h", ".cpp")]
    files = [f for f in files if ROOT / "models" / "icnt" not in f.parents]
    return {str(f.relative_to(ROOT)): re.sub(r"//.*", "", f.read_text()) for f in files}


def doors(files: dict[str, str]) -> dict[tuple[str, str], int]:
    """(policy, other file that names it): how often."""
    homes: dict[str, set[str]] = {}
    for place, text in files.items():
        for name in REGISTRATION.findall(text):
            homes.setdefault(name, set()).add(place)
    found = {}
    for name, own in homes.items():
        for place, text in files.items():
            count = SECTION.sub("", text).count(f'"{name}"')
            if count and place not in own:
                found[name, place] = count
    return found


def test_every_policy_is_known_to_its_own_file_alone() -> None:
    files = product_files()
    registered = [name for text in files.values() for name in REGISTRATION.findall(text)]
    assert len(registered) > 40
    found = doors(files)
    assert sorted(found) == sorted(KNOWN)


def test_a_planted_door_is_seen() -> None:
    files = product_files()
    files["models/engine/network.cpp"] += 'if (name == "derouting") return;\n'
    assert ("derouting", "models/engine/network.cpp") in doors(files)

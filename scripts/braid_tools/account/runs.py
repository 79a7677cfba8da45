"""Short runs of every family, workload and end that the account is held against."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from braid_tools.program import ROOT

EXPERIMENTS = ROOT / "tb" / "experiments"
SHORT = {
    "simulation.batch_cycles": 500,
    "simulation.min_warmup_cycles": 1000,
    "simulation.max_warmup_cycles": 4000,
    "simulation.measure_cycles": 2000,
}
SMALL = SHORT | {"topology.width": 4, "topology.height": 4}
TREE = SHORT | {"topology.arity": 2}
HEXAGON = SHORT | {"topology.edge": 2, "simulation.measure_cycles": 4000, "simulation.max_drain_cycles": 50000}


@dataclass(frozen=True)
class Case:
    """One run, and whether the account sees its waveform as well (then links are exact in every family)."""

    name: str
    experiment: Path
    settings: dict[str, Any]
    wave: bool = False
    contradicts: tuple[str, ...] = ()  # begin of complaints: figures that are known not to be what is documented

    def new(self, complaints: list[str]) -> list[str]:
        """Complaints of other figures."""
        return [complaint for complaint in complaints if not complaint.startswith(self.contradicts)]


def case(
    name: str,
    experiment: str,
    base: dict[str, Any],
    wave: bool = False,
    contradicts: tuple[str, ...] = (),
    **more: Any,
) -> Case:
    """Keys are written with two underscores between section and key."""
    settings = base | {key.replace("__", "."): value for key, value in more.items()}
    return Case(name, EXPERIMENTS / f"{experiment}.toml", settings, wave, contradicts)


CUT_THROUGH = {"router__architecture": "virtual_cut_through", "router__credit_delay_cycles": 1, "router__vcs": 1}
FM_RADIO = "../../traffic/streams/programs/fm_radio.str"
FM_RADIO_PATHS = "../golden/fm_radio_paths.txt"  # of fm_radio.toml's own layout
TWO_SINKS = "../python/account/two_sinks.toml"
TIGHT = {"stream__moves": 30000, "stream__disjoint_weight": 0, "setup__retries": 60}  # layouts that are hard to route
PACKETS = {"interface__switching": "packet"}
CLUSTER = SHORT | {"topology.switches": 8, "traffic.short_flits": 8, "traffic.long_flits": 100}

LINE = {"broadcast__medium": "line", "broadcast__burst": 8, "wave": True}
RUSH = {"broadcast__burst": 8, "broadcast__gap_cycles": 0, "broadcast__receive_cycles": 3, "broadcast__event_cycles": 5,
        "broadcast__send_cycles": 4, "broadcast__settle_cycles": 7, "broadcast__after_cycles": 2,
        "broadcast__issue_cycles": 6}  # fmt: skip

REDUCE = {key: value for key, value in RUSH.items() if key not in ("broadcast__burst", "broadcast__issue_cycles")}
REDUCE |= {"broadcast__operation": "all_reduce", "broadcast__flits": 4}

CASES = [
    case("mesh", "mesh_uniform", SMALL),
    case("mesh_details", "mesh_uniform", SMALL, results__flows=True, results__histograms=True,
         traffic__rate_flits_per_node_cycle=0.8, simulation__max_drain_cycles=5000),
    case("mesh_wave", "mesh_uniform", SMALL, wave=True),
    case("mesh_lengths", "mesh_uniform", SMALL, traffic__length="uniform", topology__link_latency_cycles=3),
    case("mesh_odd_even_hot_spot", "mesh_uniform", SMALL, routing__algorithm="odd_even", traffic__pattern="hot_spot",
         traffic__hot_nodes=[5], router__switch_allocator="islip", router__arbiter="matrix"),
    case("mesh_west_first_transpose", "mesh_uniform", SMALL, routing__algorithm="west_first",
         traffic__pattern="bit_transpose", traffic__silent_fixed_points=True, experiment__seed=7),
    case("mesh_saturated", "mesh_uniform", SMALL, traffic__process="saturated", interface__source_queue_packets=8,
         simulation__max_drain_cycles=30),
    case("mesh_overload", "mesh_uniform", SMALL, traffic__rate_flits_per_node_cycle=0.9,
         simulation__max_warmup_cycles=3000, simulation__max_drain_cycles=500),
    case("mesh_unsteady", "mesh_uniform", SMALL, simulation__warmup_tolerance=0.0),
    case("mesh_process_per_stage", "mesh_uniform", SMALL, simulation__schedule="process_per_stage"),
    case("mesh_two_threads", "mesh_uniform", SMALL, simulation__threads=2),
    case("mesh_adaptive", "mesh_adaptive", SMALL, traffic__rate_flits_per_node_cycle=0.35),
    case("mesh_adaptive_wave", "mesh_adaptive", SMALL, wave=True, routing__sticky_escape=False,
         traffic__rate_flits_per_node_cycle=0.35),
    case("torus_request_reply", "torus_tornado", SMALL),
    case("torus_wave", "torus_tornado", SMALL, wave=True, topology__local_ports=2),
    case("cube_torus", "mesh_uniform", SHORT, wave=True, topology__kind="cube", topology__sizes=[4, 3, 3],
         topology__wrap=True, topology__link_latencies=[1, 1, 3], routing__algorithm="dimension_order"),
    case("concentrated_mesh", "mesh_uniform", SHORT, topology__kind="cube", topology__sizes=[3, 3],
         topology__concentration=4, routing__algorithm="dimension_order", traffic__rate_flits_per_node_cycle=0.1),
    case("flattened_butterfly", "mesh_uniform", SHORT, wave=True, topology__kind="flattened_butterfly",
         topology__sizes=[4, 3], topology__concentration=2, routing__algorithm="dimension_order"),
    case("flattened_butterfly_on_chip", "mesh_uniform", SHORT, wave=True, topology__kind="flattened_butterfly",
         topology__sizes=[4, 3], topology__concentration=4, topology__link_latencies=[2, 3],
         topology__latency_by_distance=True, routing__algorithm="dimension_order"),
    case("butterfly", "mesh_uniform", SHORT, topology__kind="butterfly", topology__arity=3, topology__stages=3,
         topology__link_latency_cycles=2, routing__algorithm="destination_tag"),
    case("dragonfly", "mesh_uniform", SHORT, wave=True, topology__kind="dragonfly", topology__global_latency_cycles=4,
         routing__algorithm="dragonfly_minimal", traffic__rate_flits_per_node_cycle=0.15),
    case("chiplet_chain", "mesh_uniform", SHORT, wave=True, topology__kind="chiplet_chain", topology__chiplets=3,
         topology__width=3, topology__height=4, topology__joined_rows=[0, 2], topology__joint_latency_cycles=6,
         routing__algorithm="chiplet_order", traffic__rate_flits_per_node_cycle=0.12),
    case("elevators", "mesh_uniform", SHORT, wave=True, topology__kind="cube", topology__sizes=[4, 3, 3],
         topology__elevators=[0, 0, 3, 1], topology__link_latencies=[1, 1, 3], routing__algorithm="elevator_first",
         traffic__rate_flits_per_node_cycle=0.12),
    case("torus_valiant", "mesh_uniform", SHORT, wave=True, topology__kind="cube", topology__sizes=[4, 3],
         topology__wrap=True, routing__algorithm="valiant", traffic__pattern="tornado"),
    case("dragonfly_ugal", "mesh_uniform", SHORT, wave=True, topology__kind="dragonfly", routing__algorithm="ugal",
         traffic__pattern="next_group", traffic__rate_flits_per_node_cycle=0.2),
    case("fat_tree", "mesh_uniform", SHORT, wave=True, topology__kind="fat_tree",
         routing__algorithm="table", routing__parallel_links="by_source", traffic__rate_flits_per_node_cycle=0.3),
    case("fat_tree_narrow", "tree_sat", TREE, topology__kind="fat_tree", topology__arity=3, topology__levels=2,
         topology__trunk_links=[2], routing__algorithm="table", interface__fairness="none"),
    case("graph", "custom_graph", SHORT),
    case("graph_spanning_tree", "custom_graph", SHORT, wave=True, interface__fairness="sat",
         sat__carrier="spanning_tree", sat__l=4, sat__k=4),
    case("cut_through_tree", "tree_sat", TREE, interface__fairness="none", routing__algorithm="tree_by_source"),
    case("cut_through_tree_wave", "tree_sat", TREE, wave=True, interface__fairness="none",
         simulation__max_drain_cycles=20000),
    case("cut_through_mesh", "mesh_uniform", SMALL, wave=True, **CUT_THROUGH),
    case("cut_through_torus", "mesh_uniform", SMALL, topology__kind="torus", routing__bubble=True,
         topology__link_latency_cycles=2, **CUT_THROUGH),
    case("tree_sat_ring", "tree_sat", TREE, wave=True),
    case("tree_sat_spanning_tree", "tree_sat", TREE, wave=True, sat__carrier="spanning_tree", sat__l=2, sat__k=2,
         interface__behind_gate_packets=4),
    case("mesh_sat_diamond_ring", "mesh_uniform", SMALL, wave=True, interface__fairness="sat", sat__l=3, sat__k=3,
         sat__carrier="diamond_ring", sat__arity=2, sat__moves=0, traffic__rate_flits_per_node_cycle=0.6,
         simulation__measure_cycles=1000),
    case("tree_sat_diamond_ring", "tree_sat", TREE, wave=True, sat__carrier="diamond_ring", sat__arity=3, sat__moves=0,
         sat__l=4, sat__k=4),
    case("mesh_sat_auto", "mesh_uniform", SMALL, wave=True, interface__fairness="sat_auto", sat__k=1, sat__l=1,
         traffic__rate_flits_per_node_cycle=0.6, simulation__measure_cycles=1000),
    case("tree_sat_packet", "tree_sat", TREE, wave=True, sat__carrier="control_packet", sat__packet_flits=2, sat__l=6,
         sat__k=6),
    case("mesh_sat_packet", "mesh_uniform", SMALL, wave=True, interface__fairness="sat", sat__l=20, sat__k=20,
         sat__carrier="control_packet", traffic__rate_flits_per_node_cycle=0.6, simulation__measure_cycles=1000),
    case("po2", "po2_hexagonal", HEXAGON, wave=True),
    case("po2_escapes", "po2_hexagonal", HEXAGON, wave=True, po2__avoidance="up_down_escape", po2__buffers=4,
         po2__escape_patience_cycles=100, traffic__rate_flits_per_node_cycle=0.42, interface__scheduler="round_robin",
         simulation__max_drain_cycles=1000),
    case("po2_head_of_line", "po2_hexagonal", HEXAGON, wave=True, po2__port_discipline="head_of_line"),
    case("po2_rejections", "po2_hexagonal", HEXAGON, wave=True, po2__rejection="tried_on_links", po2__buffers=6,
         po2__crossbar_in_ports=2, po2__crossbar_out_ports=2, interface__scheduler="round_robin",
         interface__message_pool_packets=30, po2__switch_cycles=10, po2__miss_cycles=30, po2__cached_messages=2),
    case("po2_errors", "po2_hexagonal", HEXAGON, wave=True, po2__error_rate=0.05),
    case("po2_best_paths_alpha", "po2_hexagonal", HEXAGON, wave=True, routing__algorithm="best_paths",
         interface__scheduler="alpha", message__priority_fraction=0.2),
    case("messages_alpha_priority", "mesh_messages", SMALL),
    case("messages_round_robin", "mesh_messages", SMALL, interface__scheduler="round_robin",
         message__priority_fraction=0),
    case("messages_shortest_first", "mesh_messages", SMALL, interface__scheduler="shortest_first"),
    case("messages_fifo_slow", "mesh_messages", SMALL, interface__scheduler="fifo", message__priority_fraction=0,
         traffic__rate_flits_per_node_cycle=0.75, simulation__max_warmup_cycles=2000),
    case("circuits", "fm_radio", SHORT),
    case("circuits_wave", "mixed", SHORT, wave=True),
    case("circuits_found_in_software", "fm_radio", SHORT, setup__paths="exact", setup__token_cycles=3),
    case("circuits_searched_at_once", "fm_radio", SHORT, setup__searches="parallel"),
    case("circuits_of_a_file", "fm_radio", SHORT, setup__paths="listed", disjoint__file=FM_RADIO_PATHS),
    case("streams_on_disjoint_paths", "fm_radio", SHORT, wave=True, routing__algorithm="disjoint_paths",
         stream__latency=True, **PACKETS),
    case("latency_on_circuits", "fm_radio", SHORT, stream__latency=True, stream__computation_scaling=0.1),
    case("latency_of_pulled_streams", "fm_radio", SHORT, stream__latency=True, interface__transfer="pull", **PACKETS),
    case("latency_to_two_sinks", "fm_radio", SHORT, stream__graph=TWO_SINKS, stream__computation_scaling=1.1,
         stream__latency=True, **PACKETS),
    case("latency_in_a_program", "fm_radio", SHORT, stream__graph=FM_RADIO, stream__latency=True,
         interface__stream_queue_items=0, **PACKETS),
    case("streams_by_packet", "fm_radio", SHORT, **PACKETS),
    case("streams_pulled", "fm_radio", SHORT, interface__transfer="pull", **PACKETS),
    # The page of keys names a key's innermost condition: that the routers are hybrid is not said of this one.
    case("streams_ideal", "fm_radio", SHORT, router__architecture="ideal", **PACKETS,
         contradicts=("configuration.interface.ejection_queue_items is missing",)),
    case("packets_ideal", "mesh_uniform", SMALL, router__architecture="ideal"),
    case("streams_and_packets", "mixed", SHORT, stream__computation_scaling=0.0021,
         interface__receive_queue_items=0, **PACKETS),
    case("pipeline", "fm_radio", SHORT, stream__graph="../../traffic/graphs/pipeline.toml",
         stream__computation_scaling=0.77),
    case("split_join", "fm_radio", SHORT, stream__graph="../../traffic/graphs/split_join.toml",
         stream__computation_scaling=1.3, **PACKETS),
    case("streamit_program", "fm_radio", SHORT, stream__graph=FM_RADIO, interface__stream_queue_items=0, **PACKETS),
    case("streamit_program_pulled", "fm_radio", SHORT, stream__graph=FM_RADIO, stream__partition="greedy",
         stream__tiles=9, interface__stream_queue_items=0, interface__transfer="pull", **PACKETS),
    case("streamit_program_on_circuits", "fm_radio", SHORT, stream__graph=FM_RADIO, stream__remedies=True,
         interface__stream_queue_items=0, stream__moves=5000),
    case("streams_of_three_at_an_actor", "fm_radio", SHORT, stream__degree=3, interface__stream_queue_items=0),
    case("remedies_not_needed", "fm_radio", SHORT, stream__remedies=True),
    case("streamit_program_stays_on_packets", "fm_radio", SHORT, stream__graph=FM_RADIO, stream__remedies=True,
         stream__or_packets=True, stream__computation_scaling=0.01, interface__stream_queue_items=0,
         stream__moves=5000, routing__algorithm="minimal_adaptive"),
    case("two_sinks", "fm_radio", SHORT, stream__graph=TWO_SINKS, stream__computation_scaling=0.1001),
    case("two_sinks_by_packet", "fm_radio", SHORT, stream__graph=TWO_SINKS, stream__computation_scaling=1.1, **PACKETS),
    case("circuits_with_a_backtrack", "fm_radio", SHORT, experiment__seed=4, **TIGHT),
    case("circuits_in_a_later_order", "fm_radio", SHORT, experiment__seed=1, setup__token_cycles=3, **TIGHT),
    case("circuits_that_move", "fm_radio", SHORT, setup__reroute="each", setup__reroute_at_cycle=1500),
    case(
        "circuits_that_move_together",
        "fm_radio",
        SHORT,
        setup__reroute="all",
        setup__reroute_at_cycle=1500,
        setup__reroute_every_cycles=2000,
    ),
    case("circuits_not_found", "mixed", SHORT, stream__anneal=False, setup__retries=0),
    case("circuits_not_found_in_three_orders", "fm_radio", SHORT, stream__anneal=False, setup__retries=2),
    case("circuits_on_a_graph", "fm_radio", SHORT, topology__kind="graph", topology__file="ring.graphml",
         topology__local_ports=2, routing__algorithm="table", stream__graph="../../traffic/graphs/pipeline.toml"),
    case("cut_through_graph", "custom_graph", SHORT, wave=True, traffic__length="uniform", **CUT_THROUGH),
    case("streams_adaptive", "fm_radio", SHORT, routing__algorithm="minimal_adaptive", stream__anneal=False,
         stream__computation_scaling=0.005, **PACKETS),
    case("mesh_without_traffic", "mesh_uniform", SMALL, traffic__rate_flits_per_node_cycle=0.0),
    case("mesh_slow_links", "mesh_uniform", SMALL, wave=True, topology__link_latency_cycles=4,
         interface__fairness="sat", sat__carrier="spanning_tree", traffic__rate_flits_per_node_cycle=0.3),
    case("po2_on_a_mesh", "mesh_uniform", SMALL, wave=True, router__architecture="po2", router__vcs=1,
         routing__algorithm="best_paths", routing__allow_deadlock=True, traffic__flits=20),
    case("irregular", "irregular", CLUSTER),
    case("irregular_up_down_long", "irregular", CLUSTER, routing__paths="up_down", routing__in_transit="none",
         traffic__long_flits=600, traffic__rate_flits_per_node_cycle=0.3, experiment__seed=3),
    case("irregular_every_switch", "irregular", CLUSTER, routing__in_transit="every_switch",
         topology__switches=9, topology__switch_ports=7, topology__instance=2),  # a port for a link is left over
    case("irregular_clogged", "irregular", CLUSTER, routing__paths="random",
         routing__in_transit="every_switch", traffic__long_flits=600, traffic__rate_flits_per_node_cycle=0.3,
         simulation__measure_cycles=4000, simulation__max_drain_cycles=100),
    case("irregular_link_down", "irregular_link_down", CLUSTER, failure__cycle=1900, failure__recompute_ns=5000),
    case("irregular_link_down_every_switch", "irregular_link_down", CLUSTER, failure__cycle=1200,
         failure__recompute_ns=1000, routing__paths="random", routing__in_transit="every_switch",
         traffic__rate_flits_per_node_cycle=0.2),
    case("irregular_link_down_up_down", "irregular_link_down", CLUSTER, failure__cycle=2500, routing__paths="up_down",
         routing__in_transit="none", traffic__rate_flits_per_node_cycle=0.1),
    case("irregular_node_pairs", "irregular", CLUSTER, routing__paths_per="node_pair", routing__paths="random"),
    case("irregular_bytes", "irregular", CLUSTER, in_transit__detection="bytes", routing__in_transit="every_switch",
         traffic__rate_flits_per_node_cycle=0.2),
    case("mesh_in_transit", "mesh_uniform", SMALL, 
         routing__algorithm="source_routed", routing__paths="random", routing__in_transit="every_switch",
         in_transit__detect_ns=3, in_transit__program_ns=2),
    case("replay_by_dependency", "replay", {}),
    case("replay_by_time", "replay", {}, replay__by="time", router__architecture="ideal"),
    case("replay_by_both", "replay", {}, replay__by="both", router__vcs=1),
    case("replay_small_window", "replay", {}, replay__window=29),
    case("replay_tiny_window_by_both", "replay", {}, replay__by="both", replay__window=33,
         simulation__measure_cycles=5000),
    case("replay_breaks_off", "replay", {}, simulation__measure_cycles=300, simulation__max_drain_cycles=0),
    case("broadcast_ring", "broadcast", SMALL, **RUSH),
    case("broadcast_ring_6_of_72", "broadcast", SHORT, broadcast__arity=6, broadcast__burst=10,
         simulation__measure_cycles=20000, simulation__max_warmup_cycles=1000),
    case("broadcast_one_by_one", "broadcast", SMALL, topology__height=3, broadcast__arity=3, broadcast__gap_cycles=50,
         broadcast__merge_parallel=True, broadcast__issue_cycles=40, simulation__measure_cycles=10000),
    case("broadcast_queued", "broadcast", SMALL, broadcast__companion=True, broadcast__arity=1, broadcast__root=6,
         broadcast__queued_events=True, **RUSH),
    case("broadcast_adding", "broadcast", SMALL, broadcast__contamination="add", broadcast__arity=3, **RUSH),
    case("broadcast_logp", "broadcast", SMALL, broadcast__scheme="logp_tree", broadcast__logp_latency_cycles=12,
         broadcast__logp_overhead_cycles=3, broadcast__logp_gap_cycles=4, **RUSH),
    case("broadcast_deque", "broadcast", SMALL, broadcast__queued_events=True, broadcast__own_tasks="after_messages",
         broadcast__last_task_first=True, **RUSH),
    case("broadcast_deque_first", "broadcast", SMALL, broadcast__own_tasks="before_messages", **RUSH),
    case("broadcast_deque_sequenced", "broadcast", SMALL, broadcast__queued_events=True, broadcast__sequenced=True,
         broadcast__own_tasks="after_messages", **RUSH),
    case("broadcast_buffers", "broadcast", SMALL, broadcast__buffer_messages=1, **RUSH),
    case("broadcast_buffers_of_tree", "broadcast", SMALL, broadcast__buffer_messages=2,
         broadcast__scheme="balanced_tree", broadcast__queued_events=True, **RUSH),
    case("broadcast_sequenced", "mesh_adaptive", SMALL, broadcast__sequenced=True, broadcast__order_cycles=2,
         broadcast__queued_events=True, broadcast__burst=20, broadcast__companion=True, router__vcs=3),
    case("broadcast_tree_given_up", "broadcast", SMALL, broadcast__scheme="balanced_tree", broadcast__root=3,
         broadcast__timeout_cycles=900, broadcast__silent_broadcast=7, broadcast__silent_node=8, **RUSH),
    case("broadcast_ring_given_up", "broadcast", SMALL, broadcast__timeout_cycles=250, broadcast__silent_broadcast=7,
         broadcast__silent_node=4, **RUSH),
    case("broadcast_annealed", "irregular", CLUSTER, broadcast__placement="annealed", broadcast__moves=200,
         broadcast__flits=40, broadcast__root=9),
    case("broadcast_unicast_po2", "po2_hexagonal", HEXAGON, wave=True, broadcast__scheme="unicast", broadcast__flits=20,
         traffic__rate_flits_per_node_cycle=0.1),
    case("broadcast_two_ports", "broadcast", SMALL | {"simulation.measure_cycles": 20000}, topology__local_ports=2,
         broadcast__scheme="balanced_tree", broadcast__arity=5, broadcast__burst=40, broadcast__gap_cycles=0,
         broadcast__receive_cycles=2, broadcast__event_cycles=0, broadcast__send_cycles=1, broadcast__settle_cycles=0,
         broadcast__after_cycles=1),
    case("broadcast_spanning_tree", "broadcast", SMALL, broadcast__scheme="spanning_tree", broadcast__root=5, **RUSH),
    case("broadcast_spanning_tree_of_tree", "tree_sat", TREE, interface__fairness="none", broadcast__root=3,
         broadcast__scheme="spanning_tree", broadcast__burst=4, broadcast__flits=3),
    case("all_reduce", "broadcast", SMALL, **REDUCE),
    case("all_reduce_companion", "mesh_adaptive", SMALL, broadcast__companion=True, broadcast__root=9,
         **REDUCE | {"broadcast__gap_cycles": 40}),
    case("all_reduce_6_of_72", "broadcast", SHORT, **REDUCE | {"broadcast__arity": 6, "broadcast__flits": 30},
         simulation__measure_cycles=20000),
    case("all_reduce_tree", "broadcast", SMALL, **REDUCE | {"broadcast__scheme": "balanced_tree"}),
    case("all_reduce_spanning_tree", "torus_tornado", SMALL, **REDUCE | {"broadcast__scheme": "spanning_tree"}),
    case("line", "mesh_uniform", SMALL, **LINE),
    case("line_6", "mesh_uniform", SMALL, broadcast__arity=6, broadcast__companion=True, broadcast__most_under_way=2,
         broadcast__hop_cycles=3, broadcast__root=6, topology__link_latency_cycles=2, broadcast__gap_cycles=30, **LINE),
    case("line_annealed", "mesh_uniform", SMALL, broadcast__placement="annealed", broadcast__moves=500,
         broadcast__merge_parallel=True, broadcast__arity=3, **LINE),
    case("line_spanning_tree_at_once", "mesh_uniform", SMALL, broadcast__scheme="spanning_tree", broadcast__root=10,
         broadcast__turn_round=False, broadcast__gap_cycles=7, **LINE | {"broadcast__burst": 1}),
    case("line_ring_at_once", "mesh_uniform", SMALL, broadcast__turn_round=False, **LINE),
    case("line_two_slices", "mesh_uniform", SMALL, simulation__threads=2, broadcast__root=12, **LINE),
    case("broadcast_ideal", "broadcast", SMALL, router__architecture="ideal", broadcast__scheme="unicast", **RUSH),
]  # fmt: skip

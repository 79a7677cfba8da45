// Every key of an experiment reaches its own field of the struct that is read. (That it reaches no other, and every
// range: keys_test.cpp. That a key without a line here is a failure, see the last test.)
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>

#include "models/engine/engine.h"
#include "models/engine/watchdog.h"
#include "models/engine/waveform.h"
#include "models/experiment/checkpoint_file.h"
#include "models/experiment/energy.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "models/fabric/node_bandwidth.h"
#include "models/fabric/subnets.h"
#include "models/fabric/trace_options.h"
#include "models/families/hybrid/oldest_first.h"
#include "models/families/ideal/fabric.h"
#include "models/families/myrinet/options.h"
#include "models/families/po2/options.h"
#include "models/injection/fairness/sat_stations.h"
#include "models/injection/in_transit.h"
#include "models/injection/injection_point.h"
#include "models/injection/reconfiguration.h"
#include "models/rtl/router_folders.h"
#include "models/stages/hybrid/stage_seat.h"
#include "models/tlm/address_map.h"
#include "models/tlm/options.h"
#include "models/tlm/styles/packet_timing.h"
#include "models/workload/broadcast/broadcast_workload.h"
#include "models/workload/replay/replay_workload.h"
#include "routing/paths/path_computation.h"
#include "routing/topology/failure.h"
#include "routing/topology/grid.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/declared_keys.h"

namespace braid::test::key_fields_test {
namespace {

using models::Experiment;

Experiment parse(const std::string& text) { return models::parse_experiment(text, "e.toml"); }

struct Field {
  std::string key, value;
  std::function<bool(const Experiment&)> holds;
  std::string condition{};  ///< where this is the field; "": wherever the key is
};
#define STAGE(key) FIELD("stage." #key, "lockstep", models::stages::hybrid::stage_options().read(e).key)
#define FIELD(key, value, field) {key, #value, [](const Experiment& e) { return (field) == (value); }}

std::vector<Field> grid_fields(bool wrap) {
  const auto grid = [wrap](const Experiment& e) { return routing::grid_options(wrap).read(e); };
  const std::string kind = std::string("topology.kind = ") + (wrap ? "\"torus\"" : "\"mesh\"");
  return {{"topology.width", "11", [grid](const Experiment& e) { return grid(e).width == 11; }, kind},
          {"topology.height", "12", [grid](const Experiment& e) { return grid(e).height == 12; }, kind},
          {"topology.local_ports", "14", [grid](const Experiment& e) { return grid(e).local_ports == 14; }, kind},
          {"topology.link_latency_cycles", "15",
           [grid](const Experiment& e) { return grid(e).link_latency_cycles == 15; }, kind},
          {"topology.link_flits_per_cycle", "16",
           [grid](const Experiment& e) { return grid(e).link_flits_per_cycle == 16; }, kind}};
}

std::vector<Field> router_fields() {
  const auto hybrid = [](const Experiment& e) { return models::hybrid::read_options(e); };
  const std::string credits = "router.credit_delay_cycles", is_hybrid = "router.architecture = \"hybrid\"";
#define HYBRID(key, value, member) FIELD(key, value, models::hybrid::read_options(e).member)
#define NODE(key, value, member) FIELD(key, value, models::read_node_bandwidth(e).member)
#define PO2(key, value, member) FIELD(key, value, models::po2::options().read(e).member)
  return {{credits, "23", [hybrid](const Experiment& e) { return hybrid(e).credit_delay_cycles == 23; }, is_hybrid},
          HYBRID("router.implementation", "rtl", implementation),
          HYBRID("router.rtl_routers", "a b", rtl_routers),
          FIELD("router.rtl_folder", "folder", models::hybrid::rtl_options().read(e).folder),
          HYBRID("router.buffer_depth", 21, buffer_depth),
          {"router.buffers", "\"shared\"",
           [hybrid](const Experiment& e) { return hybrid(e).buffers == models::hybrid::Buffers::kShared; }},
          HYBRID("router.reserved_depth", 17, reserved_depth),
          HYBRID("router.shared_depth", 19, shared_depth),
          HYBRID("router.vc_allocator", "islip", vc_allocator),
          HYBRID("router.switch_allocator", "islip", switch_allocator),
          HYBRID("router.arbiter", "matrix", arbiter),
          HYBRID("router.islip_iterations", 5, islip_iterations),
          FIELD("router.age_bits", 7, models::hybrid::oldest_first_options().read(e).age_bits),
          HYBRID("router.buffer_bypass", true, buffer_bypass),
          HYBRID("router.lookahead", true, lookahead),
          HYBRID("router.speculative", true, speculative),
          HYBRID("router.input_speedup", 9, input_speedup),
          HYBRID("router.output_speedup", 10, output_speedup),
          HYBRID("router.internal_speedup", 2.5, internal_speedup),
          HYBRID("router.output_buffer", 31, output_buffer),
          HYBRID("router.circuit_buffer_depth", 24, circuit_buffer_depth),
          HYBRID("router.circuit_lanes", 7, circuit_lanes),
          HYBRID("router.circuit_burst_flits", 8, circuit_burst_flits),
          HYBRID("router.share_reserved_links", false, share_reserved_links),
          NODE("interface.packet_injection_flits", 25, packet_injection),
          NODE("interface.packet_ejection_flits", 26, packet_ejection),
          NODE("interface.circuit_injection_flits", 27, circuit_injection),
          NODE("interface.circuit_ejection_flits", 28, circuit_ejection),
          NODE("interface.ejection_queue_items", 29, ejection_queue_items),
          FIELD("router.queue_at_receiver", true, models::ideal::option_table().read(e).queue_at_receiver),
          HYBRID("setup.retries", 57, setup_retries),
          HYBRID("setup.paths", "exact", setup_paths),
          {"setup.searches", "\"parallel\"",
           [hybrid](const Experiment& e) { return hybrid(e).searches == models::hybrid::Searches::kParallel; }},
          FIELD("disjoint.layouts", 59, e.get<std::int64_t>("disjoint.layouts")),
          FIELD("disjoint.finder", "exact", e.get<std::string>("disjoint.finder")),
          HYBRID("setup.token_cycles", 58, setup_token_cycles),
          PO2("po2.buffers", 31, buffers),
          PO2("po2.header_cycles", 32, header_cycles),
          PO2("po2.inject_overhead_cycles", 33, inject_overhead_cycles),
          PO2("po2.eject_overhead_cycles", 34, eject_overhead_cycles),
          PO2("po2.acknowledge_cycles", 35, acknowledge_cycles),
          PO2("po2.reject_same_message", false, reject_same_message),
          PO2("po2.error_rate", 0.25, error_rate),
          PO2("po2.crossbar_in_ports", 3, crossbar_in_ports),
          PO2("po2.crossbar_out_ports", 4, crossbar_out_ports),
          PO2("po2.switch_cycles", 36, switch_cycles),
          PO2("po2.miss_cycles", 37, miss_cycles),
          PO2("po2.cached_messages", 38, cached_messages),
          PO2("po2.avoidance", "up_down_escape", avoidance)};
#undef HYBRID
#undef NODE
#undef PO2
}

std::vector<Field> workload_fields() {
  using Nodes = std::vector<std::uint32_t>;
#define INJECTION(key, value, member) FIELD(key, value, models::injection_options().read(e).member)
#define SAT(key, value, member) FIELD(key, value, models::sat_options().read(e).member)
#define SYNTHETIC(key, value, member) FIELD(key, value, models::synthetic_options().read(e).member)
#define STREAM(key, value, member) FIELD(key, value, models::stream_options().read(e).member)
  return {
      INJECTION("interface.scheduler", "alpha", scheduler),
      INJECTION("interface.fairness", "sat", fairness),
      INJECTION("interface.behind_gate_packets", 41, behind_gate_packets),
      SAT("sat.carrier", "spanning_tree", carrier),
      SAT("sat.l", 54, l),
      SAT("sat.k", 55, k),
      SAT("sat.timeout_cycles", 5000000056, timeout_cycles),
      {"sat.dead_nodes", "[5, 3]",
       [](const Experiment& e) { return models::sat_options().read(e).dead_nodes == Nodes{5, 3}; }},
      SYNTHETIC("traffic.pattern", "shuffle", pattern),
      SYNTHETIC("traffic.rate_flits_per_node_cycle", 0.625, rate_flits_per_node_cycle),
      SYNTHETIC("traffic.process", "on_off", process),
      SYNTHETIC("traffic.length", "bimodal", length),
      SYNTHETIC("traffic.request_reply", true, request_reply),
      SYNTHETIC("traffic.reply_flits", 69, reply_flits),
      SYNTHETIC("traffic.outstanding", 121, outstanding),
      SYNTHETIC("traffic.service_cycles", 122, service_cycles),
      SYNTHETIC("traffic.servers", 123, servers),
      SYNTHETIC("traffic.name", "loads", name),
      SYNTHETIC("traffic.priority", 124, priority),
      SYNTHETIC("traffic.start_cycle", 5000000125, start_cycle),
      SYNTHETIC("traffic.stop_cycle", 5000000126, stop_cycle),
      {"traffic.vcs", "[1, 2]",
       [](const Experiment& e) { return models::synthetic_options().read(e).vcs == Nodes{1, 2}; }},
      {"traffic.reply_vcs", "[2, 3]",
       [](const Experiment& e) { return models::synthetic_options().read(e).reply_vcs == Nodes{2, 3}; }},
      {"traffic.subnets", "[1, 2]",
       [](const Experiment& e) { return models::synthetic_options().read(e).subnets == Nodes{1, 2}; }},
      {"traffic.reply_subnets", "[2, 3]",
       [](const Experiment& e) { return models::synthetic_options().read(e).reply_subnets == Nodes{2, 3}; }},
      {"replay.subnets", "[3, 2]",
       [](const Experiment& e) { return models::replay_options().read(e).subnets == Nodes{3, 2}; }},
      FIELD("network.subnets", 3, models::subnet_options().read(e).subnets),
      {"traffic.senders", "[7, 4]",
       [](const Experiment& e) { return models::synthetic_options().read(e).senders == Nodes{7, 4}; }},
      SYNTHETIC("message.packet_flits", 51, packet_flits),
      SYNTHETIC("message.priority_fraction", 0.125, priority_fraction),
      SYNTHETIC("interface.source_queue_packets", 42, source_queue_packets),
      STREAM("stream.graph", "other.toml", graph),
      STREAM("stream.partition", "greedy", partition),
      STREAM("stream.tiles", 72, tiles),
      {"stream.joiners", "\"folded\"",
       [](const Experiment& e) { return models::stream_options().read(e).joiners == traffic::Joiners::kFolded; }},
      STREAM("stream.fission", false, fission),
      STREAM("stream.mean_rates", "F=1.5", mean_rates),
      {"stream.item_width", "\"by_type\"",
       [](const Experiment& e) { return models::stream_options().read(e).item_width == traffic::ItemWidth::kByType; }},
      STREAM("stream.flit_bits", 64, flit_bits),
      STREAM("stream.degree", 7, degree),
      STREAM("stream.relays", false, relays),
      STREAM("stream.remedies", true, remedies),
      STREAM("stream.or_packets", true, or_packets),
      {"stream.multicast", "\"routers\"",
       [](const Experiment& e) { return models::stream_options().read(e).multicast == models::Multicast::kInRouters; }},
      STREAM("stream.layout_cost", "hops", layout_cost),
      STREAM("stream.computation_scaling", 2.5, computation_scaling),
      STREAM("stream.rates", "a=73", rates),
      STREAM("stream.latency", true, latency),
      STREAM("stream.distance_weight", 3.5, distance_weight),
      STREAM("stream.sharing_weight", 4.5, sharing_weight),
      STREAM("stream.disjoint_weight", 5.5, disjoint_weight),
      STREAM("stream.moves", 71, moves),
      STREAM("stream.anneal", false, anneal),
      {"interface.transfer", "\"pull\"",
       [](const Experiment& e) { return models::stream_options().read(e).transfer == models::Transfer::kPull; }},
      {"interface.switching", "\"circuit\"",
       [](const Experiment& e) {
         return models::stream_options().read(e).switching == models::Switching::kCircuit &&
                models::hybrid::read_options(e).circuits;
       }},
      STREAM("interface.stream_queue_items", 43, stream_queue_items),
      STREAM("interface.receive_queue_items", 44, receive_queue_items),
      STREAM("interface.packet_items", 45, packet_items),
      STREAM("interface.pull_block_items", 46, pull_block_items),
      STREAM("interface.pull_outstanding", 47, pull_outstanding)};
#undef INJECTION
#undef SAT
#undef SYNTHETIC
#undef STREAM
}

std::vector<Field> broadcast_fields() {
#define BROADCAST(key, value) FIELD("broadcast." #key, value, models::broadcast_options().read(e).key)
  return {BROADCAST(scheme, "unicast"),
          BROADCAST(placement, "annealed"),
          BROADCAST(root, 101),
          BROADCAST(flits, 102),
          BROADCAST(burst, 103),
          BROADCAST(gap_cycles, 5000000104),
          BROADCAST(sequenced, true),
          BROADCAST(queued_events, true),
          BROADCAST(receive_cycles, 105),
          BROADCAST(order_cycles, 106),
          BROADCAST(event_cycles, 107),
          BROADCAST(send_cycles, 108),
          BROADCAST(issue_cycles, 109),
          BROADCAST(settle_cycles, 110),
          BROADCAST(after_cycles, 111),
          BROADCAST(timeout_cycles, 5000000112),
          BROADCAST(silent_broadcast, 113),
          BROADCAST(silent_node, 114),
          BROADCAST(buffer_messages, 115)};
#undef BROADCAST
}

/// Of what exists in every experiment. 64-bit fields get more than 32 bits hold.
std::vector<Field> common_fields() {
#define MEASUREMENT(key, value) FIELD("simulation." #key, value, models::measurement_options().read(e).key)
#define WATCHDOG(key, value) FIELD("simulation." #key, value, models::watchdog_options().read(e).key)
#define ENERGY(key, value) FIELD("energy." #key, value, models::energy_options().read(e).key)
#define TRACE(key, value) FIELD("trace." #key, value, models::waveform_options().read(e).key)
  return {FIELD("experiment.name", "other", e.get<std::string>("experiment.name")),
          FIELD("experiment.seed", 9223372036854775807, read_seed(e)),
          FIELD("topology.kind", "torus", routing::topology_options().read(e).kind),
          FIELD("router.architecture", "po2", models::fabric_options().read(e).architecture),
          FIELD("router.vcs", 5, routing::routing_options().read(e).vcs),
          STAGE(vc_allocator),
          STAGE(switch_allocator),
          STAGE(setup_unit),
          STAGE(circuit_unit),
          FIELD("stage.routers", "1,2", models::hybrid::read_options(e).stage_routers),
          FIELD("routing.algorithm", "odd_even", routing::routing_options().read(e).algorithm),
          FIELD("routing.allow_deadlock", true, routing::routing_options().read(e).allow_deadlock),
          {"simulation.schedule", "\"process_per_stage\"",
           [](const Experiment& e) {
             return models::schedule_options().read(e).schedule == models::Schedule::kProcessPerStage;
           }},
          FIELD("simulation.threads", 81, models::schedule_options().read(e).threads),
          MEASUREMENT(batch_cycles, 82),
          MEASUREMENT(min_warmup_cycles, 5000000083),
          MEASUREMENT(max_warmup_cycles, 5000000084),
          MEASUREMENT(warmup_tolerance, 0.5),
          MEASUREMENT(measure_cycles, 5000000085),
          {"simulation.warmup_rule", "\"mser5\"",
           [](const Experiment& e) {
             return models::measurement_options().read(e).warmup_rule == models::WarmUpRule::kMser5;
           }},
          MEASUREMENT(until, "latency 3 %"),
          MEASUREMENT(most_measure_cycles, 5000000096),
          MEASUREMENT(max_drain_cycles, 5000000086),
          WATCHDOG(watchdog_cycles, 5000000087),
          WATCHDOG(max_packet_age_cycles, 5000000088),
          {"energy.node", "\"22nm\"",
           [](const Experiment& e) { return models::energy_options().read(e).node == models::TechnologyNode::k22nm; }},
          ENERGY(flit_bits, 97),
          ENERGY(link_mm, 2.5),
          ENERGY(clock_ghz, 3.5),
          ENERGY(packet_flits, 98),
          TRACE(file, "t.vcd"),
          TRACE(routers, "0,0"),
          TRACE(from_cycle, 5000000091),
          TRACE(to_cycle, 5000000092),
          FIELD("checkpoint.file", "c.ckpt", models::checkpoint_options().read(e).file),
          FIELD("checkpoint.from", "d.ckpt", models::checkpoint_options().read(e).from),
          FIELD("results.flows", true, models::results_options().read(e).flows),
          FIELD("results.histograms", true, models::results_options().read(e).histograms),
          FIELD("results.batches", true, models::results_options().read(e).batches),
          FIELD("results.link_flows", true, models::results_options().read(e).link_flows),
          FIELD("watch.what", "source=3", models::watch_options().read(e).what),
          FIELD("watch.file", "w.txt", models::watch_options().read(e).file),
          FIELD("log.file", "t.csv", models::log_options().read(e).file),
          FIELD("log.path", false, models::log_options().read(e).path),
          FIELD("record.trace", "t.trace", models::record_options().read(e).trace),
          FIELD("replay.file", "u.trace", models::replay_options().read(e).file),
          {"replay.by", "both",
           [](const Experiment& e) { return models::replay_options().read(e).by == models::ReplayBy::kBoth; }},
          FIELD("replay.window", 5000, models::replay_options().read(e).window)};
#undef MEASUREMENT
#undef WATCHDOG
#undef TRACE
}

/// Of source routing and Myrinet-like switches.
std::vector<Field> source_routed_fields() {
#define PATHS(key, value) FIELD("routing." #key, value, routing::path_options().read(e).key)
#define MYRINET(key, value) FIELD("router." #key, value, models::myrinet::options().read(e).key)
#define IN_TRANSIT(key, value) FIELD("in_transit." #key, value, models::in_transit_options().read(e).key)
  return {
      {"routing.paths_per", "node_pair",
       [](const Experiment& e) { return routing::path_options().read(e).paths_per == routing::PathsPer::kNodePair; }},
      {"in_transit.detection", "bytes",
       [](const Experiment& e) {
         return models::in_transit_options().read(e).detection == models::TransitDetection::kBytes;
       }},
      PATHS(paths, "up_down"),
      PATHS(in_transit, "every_switch"),
      MYRINET(flit_time_ns, 4.5),
      MYRINET(routing_ns, 9.5),
      MYRINET(slack_flits, 301),
      MYRINET(stop_flits, 302),
      MYRINET(go_flits, 303),
      IN_TRANSIT(detect_ns, 7.5),
      IN_TRANSIT(program_ns, 8.5),
      IN_TRANSIT(pool_flits, 5000000094)};
#undef PATHS
#undef MYRINET
#undef IN_TRANSIT
}

std::vector<Field> failure_fields() {
#define FAILURE(key, value) FIELD("failure." #key, value, routing::failure_options().read(e).key)
  return {FAILURE(router, "s1"), FAILURE(port, "link1"), FAILURE(cycle, 5000000095),
          FIELD("failure.recompute_ns", 10.5, models::reconfiguration_options().read(e).recompute_ns)};
#undef FAILURE
}

std::vector<Field> tlm_fields() {
#define TLM(key, value) FIELD("tlm." #key, value, models::tlm_options().read(e).key)
  return {FIELD("tlm.map", "0: 0 +4K", models::address_map_options().read(e).map),
          FIELD("tlm.style", "loosely_timed", models::style_options().read(e).style),
          TLM(flit_bytes, 33),
          TLM(packet_flits, 34),
          TLM(outstanding, 35),
          TLM(most_bytes, 36),
          TLM(timeout_cycles, 37),
          TLM(byte_enables, false),
          TLM(dmi, true),
          {"tlm.circuits", "[1, 2]", [](const Experiment& e) {
             return models::tlm_options().read(e).circuits == std::vector<std::uint32_t>{1, 2} &&
                    models::hybrid::read_options(e).circuits;
           }}};
#undef TLM
}

std::vector<Field> fields() {
  std::vector<Field> all;
  for (const auto& list : {grid_fields(false), grid_fields(true), router_fields(), source_routed_fields(),
                           failure_fields(), workload_fields(), broadcast_fields(), tlm_fields(), common_fields()}) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

/// Keys whose field only one policy's .cpp knows, and the test that sees what they do there.
const std::map<std::string, std::string>& seen_elsewhere() {
  static const std::map<std::string, std::string> all{
      {"tlm.observation_cycles", "models/tlm/styles/packet_timing_test.cpp"},
      {"topology.file", "routing/topology/graphml_test.cpp"},
      {"topology.edge", "routing/topology/known_topologies_test.cpp"},
      {"topology.switches", "support/paths.h"},
      {"topology.instance", "support/paths.h"},
      {"topology.switch_ports", "routing/topology/irregular_test.cpp"},
      {"topology.hosts", "routing/topology/irregular_test.cpp"},
      {"topology.sizes", "routing/topology/dimensions_test.cpp"},
      {"topology.link_latencies", "routing/topology/dimensions_test.cpp"},
      {"topology.latency_by_distance", "routing/topology/dimensions_test.cpp"},
      {"topology.global_latency_cycles", "routing/topology/dimensions_test.cpp"},
      {"topology.width", "support/dimensions.h"},
      {"topology.height", "support/dimensions.h"},
      {"topology.chiplets", "support/dimensions.h"},
      {"topology.joined_rows", "support/dimensions.h"},
      {"topology.joint_latency_cycles", "routing/topology/chiplet_chain_test.cpp"},
      {"topology.joint_flits_per_cycle", "routing/topology/chiplet_chain_test.cpp"},
      {"topology.link_speeds", "routing/topology/link_speeds_test.cpp"},
      {"topology.global_flits_per_cycle", "routing/topology/link_speeds_test.cpp"},
      {"topology.link_flits_per_cycle", "routing/topology/link_speeds_test.cpp"},
      {"topology.concentration", "support/dimensions.h"},
      {"topology.wrap", "support/dimensions.h"},
      {"topology.elevators", "support/dimensions.h"},
      {"routing.elevator", "routing/algorithm/elevator_first_test.cpp"},
      {"topology.routers_per_group", "support/dimensions.h"},
      {"topology.nodes_per_router", "support/dimensions.h"},
      {"topology.global_ports", "support/dimensions.h"},
      {"topology.global_links", "support/dimensions.h"},
      {"topology.trunk_links", "routing/topology/fat_tree_test.cpp"},
      {"topology.trunk_flits_per_cycle", "routing/topology/fat_tree_test.cpp"},
      {"topology.arity", "routing/topology/known_topologies_test.cpp"},
      {"topology.levels", "routing/topology/known_topologies_test.cpp"},
      {"topology.stages", "models/families/hybrid/butterfly_network_test.cpp"},
      {"topology.local_ports", "routing/topology/known_topologies_test.cpp"},
      {"topology.link_latency_cycles", "routing/topology/known_topologies_test.cpp"},
      {"router.pim_iterations", "models/families/hybrid/matching_allocator_test.cpp"},
      {"router.queue_packets", "models/families/virtual_cut_through/cut_through_timing_test.cpp"},
      {"router.credit_delay_cycles", "models/families/virtual_cut_through/cut_through_timing_test.cpp"},
      {"routing.bubble", "routing/algorithm/grid_algorithms_test.cpp"},
      {"routing.phase_vcs", "routing/algorithm/dimension_order_test.cpp"},
      {"routing.ties", "routing/algorithm/grid_algorithms_test.cpp"},
      {"routing.datelines", "routing/algorithm/grid_algorithms_test.cpp"},
      {"routing.deroute_order", "routing/algorithm/known_routes_test.cpp"},
      {"routing.fewest_seconds", "routing/paths/path_properties_test.cpp"},
      {"simulation.engine", "models/families/hybrid/planes/engine_test.cpp"},
      {"routing.max_deroutes", "routing/algorithm/known_routes_test.cpp"},
      {"routing.sticky_escape", "routing/algorithm/grid_algorithms_test.cpp"},
      {"routing.root", "routing/paths/known_paths_test.cpp"},
      {"routing.in_transit_root", "routing/paths/known_paths_test.cpp"},
      {"routing.max_paths", "routing/paths/balanced_test.cpp"},
      {"routing.feedback_tries", "routing/paths/smart_feedback_test.cpp"},
      {"disjoint.sequential_orders", "routing/paths/disjoint/disjoint_finder_test.cpp"},
      {"disjoint.tentacle_orders", "routing/paths/disjoint/disjoint_finder_test.cpp"},
      {"disjoint.negotiated_rounds", "routing/paths/disjoint/disjoint_finder_test.cpp"},
      {"disjoint.present_growth", "routing/paths/disjoint/disjoint_finder_test.cpp"},
      {"disjoint.history_gain", "routing/paths/disjoint/disjoint_finder_test.cpp"},
      {"disjoint.exact_seconds", "routing/paths/disjoint/disjoint_finder_test.cpp"},
      {"disjoint.file", "routing/paths/disjoint/path_file_test.cpp"},
      {"routing.finder", "models/workload/streams/disjoint_packets_test.cpp"},
      {"routing.table_file", "routing/algorithm/table_test.cpp"},
      {"routing.parallel_links", "routing/algorithm/parallel_links_test.cpp"},
      {"routing.ugal_threshold", "routing/algorithm/intermediate_test.cpp"},
      {"setup.reroute", "models/families/hybrid/rerouting_test.cpp"},
      {"setup.reroute_at_cycle", "models/families/hybrid/rerouting_test.cpp"},
      {"setup.reroute_every_cycles", "models/families/hybrid/rerouting_test.cpp"},
      {"setup.avoid_links", "models/families/hybrid/rerouting_test.cpp"},
      {"change.migrate", "models/workload/streams/stream_changes_test.cpp"},
      {"change.migrate_at_cycle", "models/workload/streams/stream_changes_test.cpp"},
      {"change.state_words", "models/workload/streams/stream_changes_test.cpp"},
      {"change.add_filter", "models/workload/streams/stream_changes_test.cpp"},
      {"change.add_between", "models/workload/streams/stream_changes_test.cpp"},
      {"change.add_work", "models/workload/streams/stream_changes_test.cpp"},
      {"change.add_at_cycle", "models/workload/streams/stream_changes_test.cpp"},
      {"change.rate_window_cycles", "models/workload/streams/stream_changes_test.cpp"},
      {"sat.packet_flits", "models/injection/fairness/sat_packet_test.cpp"},
      {"po2.port_discipline", "models/families/po2/po2_grants_test.cpp"},
      {"po2.rejection", "models/families/po2/po2_refusals_test.cpp"},
      {"interface.message_pool_packets", "support/desk.h"},
      {"po2.escape_patience_cycles", "models/families/po2/po2_timing_test.cpp"},
      {"message.alpha", "support/desk.h"},
      {"message.clock_limit", "support/desk.h"},
      {"broadcast.arity", "traffic/broadcast/diamond_ring_test.cpp"},
      {"broadcast.companion", "traffic/broadcast/diamond_ring_test.cpp"},
      {"broadcast.merge_parallel", "traffic/broadcast/diamond_ring_test.cpp"},
      {"broadcast.contamination", "traffic/broadcast/diamond_ring_test.cpp"},
      {"broadcast.logp_latency_cycles", "traffic/broadcast/logp_tree_test.cpp"},
      {"broadcast.logp_overhead_cycles", "traffic/broadcast/logp_tree_test.cpp"},
      {"broadcast.logp_gap_cycles", "traffic/broadcast/logp_tree_test.cpp"},
      {"broadcast.own_tasks", "models/workload/broadcast/reception_test.cpp"},
      {"broadcast.last_task_first", "models/workload/broadcast/reception_test.cpp"},
      {"broadcast.moves", "models/workload/broadcast/broadcast_workload_test.cpp"},
      {"broadcast.medium", "models/workload/broadcast/broadcast_by_line_test.cpp"},
      {"broadcast.operation", "models/workload/broadcast/all_reduce_workload_test.cpp"},
      {"broadcast.roots", "models/workload/broadcast/consistency_workload_test.cpp"},
      {"broadcast.requesters", "models/workload/broadcast/consistency_workload_test.cpp"},
      {"broadcast.value_flits", "models/workload/broadcast/consistency_workload_test.cpp"},
      {"broadcast.hop_cycles", "models/workload/broadcast/broadcast_by_line_test.cpp"},
      {"broadcast.turn_round", "models/workload/broadcast/broadcast_by_line_test.cpp"},
      {"broadcast.most_under_way", "models/workload/broadcast/broadcast_by_line_test.cpp"},
      {"sat.arity", "models/event_lines/diamond_ring_line_test.cpp"},
      {"sat.moves", "models/event_lines/diamond_ring_line_test.cpp"},
      {"traffic.file", "traffic/synthetic/known_patterns_test.cpp"},
      {"traffic.scale", "traffic/synthetic/matrix_test.cpp"},
      {"traffic.hot_nodes", "traffic/synthetic/known_patterns_test.cpp"},
      {"traffic.hot_fraction", "traffic/synthetic/known_patterns_test.cpp"},
      {"traffic.local_radius", "traffic/synthetic/local_test.cpp"},
      {"traffic.patterns", "traffic/synthetic/combined_test.cpp"},
      {"traffic.hot_region_nodes", "traffic/synthetic/known_patterns_test.cpp"},
      {"traffic.silent_fixed_points", "traffic/synthetic/known_patterns_test.cpp"},
      {"traffic.on_cycles", "traffic/synthetic/arrivals_test.cpp"},
      {"traffic.off_cycles", "traffic/synthetic/arrivals_test.cpp"},
      {"traffic.flits", "traffic/synthetic/arrivals_test.cpp"},
      {"traffic.short_flits", "traffic/synthetic/arrivals_test.cpp"},
      {"traffic.long_flits", "traffic/synthetic/arrivals_test.cpp"},
      {"traffic.long_fraction", "traffic/synthetic/arrivals_test.cpp"},
      {"traffic.min_flits", "traffic/synthetic/arrivals_test.cpp"},
      {"traffic.max_flits", "traffic/synthetic/arrivals_test.cpp"},
  };
  return all;
}

/// What stands in the test that sees the key's effect.
std::string test_of(const std::string& key) {
  const auto file = seen_elsewhere().find(key);
  if (file == seen_elsewhere().end()) return {};
  std::ifstream in(source_file("tb/tests/" + file->second));
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Keys, EachReachesItsOwnField) {
  const std::vector<Field> all = fields();
  for (const Declared& d : declared()) {
    const std::string key = d.option.key();
    SCOPED_TRACE(key + " with " + d.condition);
    Sheet sheet = sheet_for(d.condition);
    const Experiment none = parse(sheet.toml());
    int lines = 0;
    for (const Field& f : all) {
      if (f.key != key || (!f.condition.empty() && f.condition != d.condition)) continue;
      ++lines;
      EXPECT_FALSE(f.holds(none)) << "the default would do";
      const bool is_text = std::holds_alternative<std::string>(d.option.initial) && f.value[0] != '"';
      sheet.values[key] = is_text ? "\"" + f.value + "\"" : f.value;
      EXPECT_TRUE(f.holds(parse(sheet.toml())));
    }
    EXPECT_LE(lines, 1);
    EXPECT_TRUE(lines == 1 || test_of(key).find("\"" + key + "\"") != std::string::npos) << "has no line and no test";
  }
}

/// No line is left over from a key that is gone.
TEST(Keys, EachLineOfTheseTablesIsOfAKey) {
  const auto is_declared = [](const std::string& key, const std::string& condition) {
    for (const Declared& d : declared(key)) {
      if (condition.empty() || d.condition == condition) return true;
    }
    return false;
  };
  for (const Field& f : fields()) EXPECT_TRUE(is_declared(f.key, f.condition)) << f.key << " with " << f.condition;
  for (const auto& [key, file] : seen_elsewhere()) EXPECT_TRUE(is_declared(key, "")) << key;
}

}  // namespace
}  // namespace braid::test::key_fields_test

// Refuses experiments that no network can be built for, before anything is built.
#include <fmt/format.h>

#include <algorithm>

#include "models/engine/network.h"
#include "models/families/hybrid/stand_in.h"

namespace braid::models {
namespace {

void in_range(const char* key, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high) {
    throw InputError(fmt::format("{} = {} is out of range: expected {} to {}", key, value, low, high));
  }
}

void check_router(const RouterOptions& r) {
  in_range("router.vcs", r.vcs, 1, routing::kMaxVcs);
  in_range("router.buffer_depth", r.buffer_depth, 1, 64);
  in_range("router.circuit_buffer_depth", r.circuit_buffer_depth, 1, 64);
  in_range("router.queue_packets", r.queue_packets, 1, 255);
  in_range("router.credit_delay_cycles", r.credit_delay_cycles, r.architecture == "hybrid" ? 2 : 1, 64);
}

void check_messages(const Experiment& e) {
  const MessageOptions& m = e.message;
  in_range("message.packet_flits", m.packet_flits, 0, 65535);
  in_range("message.clock_limit", m.clock_limit, 4, 1U << 30);
  if (m.priority_fraction > 0.0 && (m.packet_flits == 0 || e.interface.scheduler == "fifo")) {
    throw InputError(
        "message.priority_fraction needs messages (message.packet_flits > 0) and an interface.scheduler that knows "
        "priorities: expected \"alpha\" (with message.alpha = 0: first in, first out), \"round_robin\" or "
        "\"shortest_first\"");
  }
}

void check_traffic(const Experiment& e) {
  if (!e.synthetic && !e.stream) throw InputError("nothing to send: expected a [traffic] or a [stream] section");
  if (e.stream && !(e.stream->computation_scaling > 0.0)) {
    throw InputError(
        fmt::format("stream.computation_scaling = {}: expected more than 0", e.stream->computation_scaling));
  }
  if (!e.synthetic) return;
  const double rate = e.synthetic->rate_flits_per_node_cycle;
  if (!(rate >= 0.0 && rate <= e.topology.local_ports)) {
    throw InputError(fmt::format("traffic.rate_flits_per_node_cycle = {} is out of range: expected 0 to {}", rate,
                                 e.topology.local_ports));
  }
  if (e.synthetic->injection.process == "saturated" && e.interface.source_queue_packets == 0) {
    throw InputError(
        "traffic.process = \"saturated\" never stops making packets: expected interface.source_queue_packets >= 1");
  }
  in_range("traffic.reply_flits", e.synthetic->reply_flits, 1, 65535);
  check_messages(e);
}

void check_interface(const InterfaceOptions& i, bool stream) {
  in_range("interface.packet_items", i.packet_items, 1, 65535);
  in_range("interface.pull_block_items", i.pull_block_items, 1, 65535);
  in_range("interface.pull_outstanding", i.pull_outstanding, 1, 65535);
  const bool circuits = i.switching == Switching::kCircuit;
  if (circuits && i.transfer == Transfer::kPull) {
    throw InputError(
        "interface.switching = \"circuit\" carries pushed streams: expected interface.transfer = \"push\"");
  }
  if (i.source_queue_packets != 0 && i.behind_gate_packets >= i.source_queue_packets) {
    throw InputError(fmt::format(
        "interface.behind_gate_packets = {}: no packet of interface.source_queue_packets = {} would ever wait "
        "for the gate; expected less",
        i.behind_gate_packets, i.source_queue_packets));
  }
  if (circuits && !stream) throw InputError("interface.switching = \"circuit\" needs a [stream] section");
  if (stream && i.receive_queue_items != 0 && i.transfer == Transfer::kPush && !circuits) {
    throw InputError(
        "interface.receive_queue_items bounds circuits and pulled streams: pushed packets have no way to wait at their "
        "destination without blocking others; expected 0 (unbounded)");
  }
}

void check_implementation(const Experiment& e) {
  if (e.router.implementation == hybrid::kModelled) return;
  const std::vector<std::string> names = hybrid::StandInRegistry::instance().names();
  if (std::find(names.begin(), names.end(), e.router.implementation) == names.end()) {
    throw InputError(unknown_name(hybrid::StandIn::axis(), e.router.implementation, names));
  }
  if (e.router.architecture != "hybrid") {
    throw InputError("router.implementation = \"" + e.router.implementation +
                     "\" needs router.architecture = \"hybrid\"");
  }
  if (e.simulation.threads > 1) {
    throw InputError("router.implementation = \"" + e.router.implementation + "\" needs simulation.threads = 1");
  }
}

void check_simulation(const SimulationOptions& s) {
  in_range("simulation.threads", s.threads, 1, 256);
  in_range("simulation.batch_cycles", s.batch_cycles, 1, 1000000000);
  in_range("simulation.measure_cycles", s.measure_cycles, s.batch_cycles, 1000000000000);
  if (s.measure_cycles % s.batch_cycles != 0) {
    throw InputError(fmt::format("simulation.measure_cycles = {}: expected a multiple of simulation.batch_cycles = {}",
                                 s.measure_cycles, s.batch_cycles));
  }
  if (s.threads > 1 && s.schedule == Schedule::kProcessPerStage) {
    throw InputError("simulation.threads needs simulation.schedule = \"static\"");
  }
}

}  // namespace

void check_experiment(const Experiment& e) {
  check_router(e.router);
  check_traffic(e);
  check_interface(e.interface, e.stream.has_value());
  check_simulation(e.simulation);
  check_implementation(e);
}

}  // namespace braid::models

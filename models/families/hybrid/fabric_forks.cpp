// A fabric whose packets fork (models/families/hybrid/packet_forks.h): what it refuses, what it counts.
#include <fmt/format.h>

#include "models/families/hybrid/fabric.h"

namespace braid::models::hybrid {

std::string Fabric::refuses_copies() const {
  const routing::RoutingAlgorithm& routing = context_.routing;
  if (options_.implementation != kModelled) {
    return "the RTL's routers give a packet one way on; expected router.implementation = \"model\"";
  }
  if (has_stand_ins(context_.configuration, options_)) {
    return "routers whose stages are modules give a packet one way on; expected no section [stage]";
  }
  const Configuration::Given* schedule = context_.configuration.find("simulation.schedule");
  const bool modules = schedule != nullptr && schedule->value == OptionValue(std::string("process_per_stage"));
  if (modules || context_.slicing.ranges.size() != 1) {
    return "packets fork where one thread runs all routers by the static schedule; expected simulation.schedule = "
           "\"static\" and simulation.threads = 1";
  }
  if (options_.engine == EngineChoice::kPlanes) {
    return "planes give a packet one way on; expected simulation.engine = \"auto\" or \"lists\"";
  }
  if (bank_.has_circuits()) return "circuits share the switch with packets that go one way; expected none";
  if (!speedup_of(options_).empty()) {
    return "branches ask for whole ports of the switch, and here is " + speedup_of(options_) + "; expected 1";
  }
  if (bank_.shared_buffers() != nullptr) {
    return "a branch's room for a whole packet must stay its own; expected router.buffers = \"private\"";
  }
  if (options_.lookahead) return "a head that forks has several routes; expected router.lookahead = false";
  if (options_.speculative) return "a head that speculates asks for one way; expected router.speculative = false";
  if (options_.buffer_bypass)
    return "a flit that several branches send is in its buffer; expected router.buffer_bypass = false";
  if (slices_.front()->interfaces().bounded()) {
    return "a node that leaves flits at its ports may stop a tree; expected no interface.packet_*_flits and no "
           "interface.ejection_queue_items";
  }
  const auto chosen = [&](const char* key, const char* plain) {
    const Configuration::Given* given = context_.configuration.find(key);
    return given != nullptr && given->value != OptionValue(std::string(plain));
  };
  if (chosen("interface.scheduler", "fifo") || chosen("interface.fairness", "none")) {
    return "a queue before the interface holds packets of one destination; expected interface.scheduler = \"fifo\" and "
           "interface.fairness = \"none\"";
  }
  const bool one_way = routing.max_candidates() == 1 && routing.draws() == 1 && routing.escape_vcs() == 0 &&
                       routing.routes() == nullptr && routing.routes_streams() == nullptr && !routes_by_queues();
  if (!one_way) {
    return "a tree is made of the one way that each destination has; expected a routing.algorithm that is "
           "deterministic, as \"x_first\", no routing.ties that are drawn, and topology.local_ports = 1";
  }
  return {};
}

void Fabric::copy_packets(const std::string& user, std::uint32_t flits) {
  std::string refusal = refuses_copies();
  if (refusal.empty() && flits > options_.buffer_depth) {
    refusal = fmt::format(
        "where ways part each branch needs room for the whole packet; expected packets of at most router.buffer_depth "
        "= {} flits, not of {}",
        options_.buffer_depth, flits);
  }
  if (refusal.empty() && !packet_forks_) {
    packet_forks_ = std::make_unique<PacketForks>(bank_, context_.store, context_.routing, options_.buffer_depth);
    refusal = slices_.front()->copy_packets(*packet_forks_);
  }
  if (!refusal.empty()) throw InputError(user + ": " + refusal);
  planes_.reset();
  refused_ = "packets that routers copy";
}

/// Of a packet's flit that crosses a switch.
std::uint64_t Fabric::destinations_behind(const Slice::Traversal& t) const {
  if (!packet_forks_) return 1;
  const Link& link = bank_.links[t.out_port];
  if (link.to_node) return packet_forks_->destinations(t.flit.packet());
  return packet_forks_->destinations_behind(bank_.vc_index(link.target, t.flit.vc()), t.flit);
}

}  // namespace braid::models::hybrid

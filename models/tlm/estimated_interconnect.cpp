#include "models/tlm/estimated_interconnect.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tlm/payload_refusal.h"

namespace braid::models {
namespace {

std::unique_ptr<PacketTiming> estimated_timing(const Configuration& configuration, const routing::Topology& topology,
                                               const routing::RoutingAlgorithm& routing) {
  auto timing = make_packet_timing(configuration, topology, routing);
  if (timing) return timing;
  throw InputError("tlm.style = \"cycle_accurate\" is the engine's, with sockets of Interconnect; expected " +
                   fmt::format("\"{}\"", fmt::join(PacketTimingRegistry::instance().names(), "\" or \"")));
}

TlmOptions checked_tlm_options(const Configuration& configuration) {
  TlmOptions options = tlm_options().read(configuration);
  if (options.timeout_cycles > 0) {
    throw InputError("tlm.timeout_cycles needs tlm.style = \"cycle_accurate\": no estimate loses a transaction");
  }
  if (!options.circuits.empty()) {
    throw InputError("tlm.circuits needs tlm.style = \"cycle_accurate\": estimates know packets only");
  }
  return options;
}

}  // namespace

EstimatedInterconnect::EstimatedInterconnect(const sc_core::sc_module_name& name, const Configuration& configuration,
                                             const routing::Topology& topology,
                                             const routing::RoutingAlgorithm& routing, const sc_core::sc_time& period)
    : sc_module(name),
      options_(checked_tlm_options(configuration)),
      map_(address_map_options().read(configuration).map, topology.node_count()),
      nodes_(topology.node_count()),
      period_(period.value()),
      timing_(estimated_timing(configuration, topology, routing)),
      actions_("actions", [this](const Action& action) { act(action); }) {}
EstimatedInterconnect::~EstimatedInterconnect() = default;

void EstimatedInterconnect::check_node(const char* kind, std::size_t node) const {
  if (node < nodes_) return;
  report_wrong_use(name(), fmt::format("{}({}): no such node; expected 0 to {}", kind, node, nodes_ - 1));
  throw InputError(fmt::format("node {}: expected 0 to {}", node, nodes_ - 1));
}

std::size_t EstimatedInterconnect::add(InitiatorFace& face, NodeId node) {
  requesters_.push_back({&face, node});
  return requesters_.size() - 1;
}

std::size_t EstimatedInterconnect::add(TargetFace& face, NodeId node) {
  responders_.push_back({&face, node});
  return responders_.size() - 1;
}

void EstimatedInterconnect::end_of_elaboration() {
  for (const auto& socket : sockets_) {
    if (socket->enlist() > 0) continue;
    report_wrong_use(socket->name(), "is bound to nothing; bind a module of yours to it, or do not ask for the socket");
  }
  lead_ranges();
  last_request_.assign(requesters_.size(), std::vector<sc_core::sc_time>(responders_.size()));
}

/// To each range of the map the target that takes it.
void EstimatedInterconnect::lead_ranges() {
  std::map<NodeId, std::size_t> ranges, seen;
  for (const AddressRange& range : map_.ranges()) ++ranges[range.node];
  for (const AddressRange& range : map_.ranges()) {
    std::vector<std::size_t> targets;
    for (std::size_t r = 0; r < responders_.size(); ++r) {
      if (responders_[r].node == range.node) targets.push_back(r);
    }
    if (targets.empty()) {
      report_wrong_use(
          name(), fmt::format("{} leads to no target; bind one to initiator({})", to_text(range), range.node.value));
    } else if (targets.size() > 1 && targets.size() != ranges[range.node]) {
      report_wrong_use(name(), fmt::format("node {} has {} targets and {} ranges in tlm.map; expected a range each",
                                           range.node.value, targets.size(), ranges[range.node]));
    }
    const std::size_t place = seen[range.node]++;
    responder_of_range_.push_back(targets.empty() ? 0 : targets[std::min(place, targets.size() - 1)]);
  }
}

/// Debug and direct memory access are no traffic: they take no time.
unsigned EstimatedInterconnect::transport_dbg(Payload& p) {
  const std::uint64_t address = p.get_address();
  const AddressRange* range = map_.find(address);
  if (range == nullptr) return 0;
  const unsigned length = p.get_data_length();
  const std::uint64_t room = range->last - address;  // one less than the bytes to the range's end
  p.set_address(address - range->first);
  if (length > room) p.set_data_length(static_cast<unsigned>(room + 1));
  const unsigned count = responders_[responder_of(*range)].face->transport_dbg(p);
  p.set_address(address);
  p.set_data_length(length);
  return count;
}

bool EstimatedInterconnect::get_direct_mem_ptr(Payload& p, ::tlm::tlm_dmi& dmi) {
  const std::uint64_t address = p.get_address();
  const AddressRange* range = map_.find(address);
  dmi.init();
  if (range == nullptr || !options_.dmi) {
    if (options_.dmi) dmi.set_start_address(address);
    if (options_.dmi) dmi.set_end_address(address);
    return false;
  }
  p.set_address(address - range->first);
  const bool granted = responders_[responder_of(*range)].face->get_direct_mem_ptr(p, dmi);
  p.set_address(address);
  const std::uint64_t most = range->last - range->first;
  dmi.set_start_address(range->first + std::min<std::uint64_t>(dmi.get_start_address(), most));
  dmi.set_end_address(range->first + std::min<std::uint64_t>(dmi.get_end_address(), most));
  return granted;
}

void EstimatedInterconnect::invalidate_direct_mem_ptr(std::size_t r, sc_dt::uint64 first, sc_dt::uint64 last) {
  for (const AddressRange& range : map_.ranges()) {
    const std::uint64_t most = range.last - range.first;
    if (responder_of(range) != r || first > most) continue;
    for (const Requester& requester : requesters_) {
      requester.face->invalidate_direct_mem_ptr(range.first + first, range.first + std::min<std::uint64_t>(last, most));
    }
  }
}

}  // namespace braid::models
